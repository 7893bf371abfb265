"""The results of plays: who has confirmed them, and which the broker has, as long as the hall's day lasts."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from companion.hall_messages import HallDay, TableResult
from companion.table.hall_memory import HallMemory, KeptResult


class HallResults:
    """The results in a memory, written down by `save` before they are told. `tell` sets what the topic of a play's
    result says; nothing clears it."""

    def __init__(
        self, memory: HallMemory, save: Callable[[], None], tell: Callable[[int, str], None]
    ) -> None:
        self.memory, self._save, self._tell = memory, save, tell

    def of(self, play: int) -> TableResult | None:
        """The result of a play, unless it belongs to another day."""
        kept = self.memory.results.get(play)
        return None if kept is None or kept.over else kept.result

    def check(self, result: TableResult) -> bool:
        """The play is over with this result, or its end was undone, if it is a withdrawn one; returns whether people
        must confirm it now."""
        kept = self.memory.results.get(result.play)
        known = None if kept is None or kept.result.withdrawn else kept.result
        if (known is None) if result.withdrawn else (known is not None and known.seats == result.seats):
            return False
        self._keep(result)
        return not result.withdrawn

    def confirm(self, play: int, seat: int, right: bool) -> None:
        """A seat confirms a result, or refuses it: only the judge takes that back."""
        result = self.of(play)
        if result is None or seat not in range(len(result.seats)) or seat in result.refused:
            return
        confirmed = ({*result.confirmed} - {seat}) | ({seat} if right else set())
        refused = {*result.refused} | (set() if right else {seat})
        self._keep(replace(result, confirmed=tuple(sorted(confirmed)), refused=tuple(sorted(refused))))

    def _keep(self, result: TableResult) -> None:
        self.memory.results[result.play] = KeptResult(result)
        self._save()
        self._tell_of(result.play)

    def tell_all(self) -> None:
        """Tell every result: the publisher keeps nothing."""
        for play in self.memory.results:
            self._tell_of(play)

    def _tell_of(self, play: int) -> None:
        kept = self.memory.results[play]
        if not kept.cleared:
            self._tell(play, "" if kept.over else msgspec.json.encode(kept.result).decode())

    def acknowledged(self, play: int, cleared: bool) -> None:
        """The broker has a result, or has cleared it."""
        kept = self.memory.results.get(play)
        if kept is not None:
            kept.sent, kept.cleared = not cleared, cleared and kept.over

    def begin_day(self, day: HallDay) -> None:
        """Results of other days are cleared; one that the hall never had belongs to this day."""
        self.memory.day = day
        for kept in self.memory.results.values():
            if not kept.sent and not kept.over:
                kept.result = replace(kept.result, day=day.day)
            elif kept.result.day != day.day:
                kept.over = True
        self._save()
        self.tell_all()
