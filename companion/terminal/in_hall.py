"""A play at this terminal in a hall: what it tells, the hall's calls, and whether the result is right."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.core.game import called
from companion.core.play import Play
from companion.core.sqlite_file import default_path
from companion.core.words import plain, say
from companion.table.background import clerk
from companion.table.hall_now import call_text
from companion.table.hall_side import HallSide
from companion.table.settings import load, settings_path
from companion.table.signals import PlayNow
from companion.table.warm_up import warm_up
from companion.terminal.any_time_commands import AskLine
from companion.terminal.show import Shower

LAST_WORDS = 5.0
"""Seconds that the broker may take for what is still to be told at the end."""


class TerminalHall:
    """A hall of one play; without `side` it is switched off."""

    def __init__(self, play: Play, show: Shower, side: HallSide | None = None) -> None:
        self._play, self._show, self._side = play, show, side
        self._seen: set[str] = set()

    def changed(self) -> None:
        """The play has changed."""
        if self._side is not None:
            self._side.hear(PlayNow(self._play.id, self._play.session, ()))

    def show_calls(self) -> None:
        """Print what the hall has called; called in the side's thread."""
        assert self._side is not None
        for call in self._side.now.calls:
            if call.id not in self._seen:
                self._seen.add(call.id)
                self._show.say(say("hall-table.said", what=call_text(call)), "yellow")
                self._side.touched(call.id)

    def ask_confirmation(self, ask: AskLine) -> None:
        """Whose names are typed says that the result is right; who types `!` before a name, that it is not."""
        if self._side is None or not self._play.session.over or self._side.now.credentials is None:
            return
        names = self._play.session.setup.seats
        self._show.say(say("hall-table.type-names", names=", ".join(names)))
        heard = ask("> ")
        for word in heard.split(",") if isinstance(heard, str) else ():
            name = word.strip()
            right = not name.startswith("!")
            seats = [n for n, seat in enumerate(names) if called(seat) == called(name.removeprefix("!"))]
            for seat in seats:
                self._side.confirm(seat, right)
            if name and not seats:
                self._show.say(say("hall-table.not-here", name=plain(name)), "yellow")

    def finish(self) -> None:
        """Give the broker a moment for what is still to be told."""
        side, until = self._side, time.monotonic() + LAST_WORDS
        while side is not None and side.now.connected and not side.has_told_all and time.monotonic() < until:
            time.sleep(0.05)


@contextmanager
def in_hall(play: Play, show: Shower, clock: Callable[[], float]) -> Iterator[TerminalHall]:
    """The hall of a play at this terminal, if it is switched on."""
    settings = load(settings_path())
    if not settings.hall:
        yield TerminalHall(play, show)
        return

    warm_up()

    def ignored(_: object) -> None: ...

    path: Path = default_path(os.environ)
    reader = clerk(path, lambda job: job())
    side = HallSide(
        path.parent,
        settings,
        lambda job: reader.do(lambda journal, binder: job(journal), ignored, ignored),
        lambda job: job(),
        clock,
    )
    hall = TerminalHall(play, show, side)
    side.changed = hall.show_calls
    side.start()
    try:
        yield hall
        hall.finish()
    finally:
        side.stop(wait=True)
        reader.stop()
