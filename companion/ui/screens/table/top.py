"""The top of the table: the round, its phases as symbols, all pools with their numbers, and the menu."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from companion.core.faces import Sign
from companion.core.views import Gauge, Meter, PhaseView, Tense, View
from companion.drawing.symbols import has
from companion.ui.screens.table.signs import symbol, symbol_or_word
from companion.ui.toolkit.draw import Bar
from companion.ui.toolkit.kit import Column, Group, Icon, Part, Plate, Row, Tap, Words, theme
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.theme import INK

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

NUMERAL = re.compile("[IVX]+")
HIGH, CHIP, APART = 50, 40, 14
"""The height of the bar and of a phase in it, and the distance between pools and buttons."""


class Brevity(Struct, frozen=True):
    """What is left out if room is short, in this order."""

    bars: bool = True
    totals: bool = True
    words: bool = True
    numerals: bool = True
    skipped: bool = True
    others: bool = True


WAYS = (
    Brevity(),
    Brevity(bars=False),
    Brevity(bars=False, words=False),
    Brevity(bars=False, words=False, totals=False),
    Brevity(bars=False, words=False, totals=False, numerals=False),
    Brevity(bars=False, words=False, totals=False, numerals=False, skipped=False),
    Brevity(bars=False, words=False, totals=False, numerals=False, skipped=False, others=False),
)


KNOWN: dict[tuple[object, ...], int] = {}
"""Which variant fitted before, so that longer ones are not built in vain."""


class Pool(Row):
    """A pool, or the progress towards an end, by its id: symbol, number and total."""

    def __init__(self, id: str, parts: list[Part | None]) -> None:
        super().__init__(parts, gap=5)
        self.id = id


class Ends(Group):
    """A part at the left and one at the right, each with its natural width."""

    def __init__(self, left: Part, right: Part) -> None:
        super().__init__([left, right])

    def fit(self, width: float) -> float:
        return max(part.fit(part.natural()) for part in self.parts)

    def natural(self) -> float:
        return sum(part.natural() for part in self.parts)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        left, right = self.parts
        left.place(x, y, left.natural(), height)
        right.place(x + width - right.natural(), y, right.natural(), height)


class Top(Showing):
    """The parts of the bar for one view of the table."""

    def __init__(self, app: Context, view: View) -> None:
        super().__init__(app)
        self.view, self.game = view, self.desk.session.game

    def row(self, room: float, pools: bool, behind: list[Tap]) -> Part:
        """One line of this width, with these buttons at its end."""
        taps = Row(behind, gap=6)
        room -= taps.natural() + theme().px(2 * APART)
        for brevity in WAYS[self._first(room, pools) :]:
            left = Row([self._round(), *self._phases(brevity)], gap=8)
            right = Row([self._pool(pool, brevity) for pool in self.pools()] if pools else [], gap=12)
            if left.natural() + right.natural() <= room:
                break
        KNOWN[self._alike(room, pools)] = WAYS.index(brevity)
        return Ends(left, Row([right, taps], gap=APART))

    def _first(self, room: float, pools: bool) -> int:
        """The first variant to try: the one that fitted the last time the bar looked like this."""
        if len(KNOWN) > 500:
            KNOWN.clear()
        return KNOWN.get(self._alike(room, pools), 0)

    def _alike(self, room: float, pools: bool) -> tuple[object, ...]:
        """Everything the width of the bar depends on, except for a pixel or two."""
        tenses = tuple((phase.id, phase.tense) for phase in self.view.phases)
        digits = tuple(len(str(pool.value)) for pool in self.pools()) if pools else ()
        return (room, theme(), self.desk.language, tenses, digits, len(str(self.view.round)))

    def pool_line(self, room: float) -> Part:
        """All pools in a line of their own, where there is room for it."""
        for brevity in WAYS:
            row = Row([self._pool(pool, brevity) for pool in self.pools()], gap=14)
            if row.natural() <= room:
                break
        return row

    def pools(self) -> list[Gauge | Meter]:
        """All pools, and all meters towards an end that are neither a pool nor the round number."""
        pools = {pool.id for pool in self.view.pools}
        return [*self.view.pools, *(m for m in self.view.meters if m.id not in pools and m.id != "round")]

    def _round(self) -> Part | None:
        if not self.view.round:
            return None
        last = next((meter.goal for meter in self.view.meters if meter.id == "round"), None)
        words: list[Part] = [Words(self.t("ui.round-short", n=self.view.round), "body", bold=True)]
        if last is not None:
            words.append(Words(f"/{last}", "detail", "dim"))
        return Row(words, gap=1)

    def _phases(self, brevity: Brevity) -> Iterator[Part]:
        for phase in self.view.phases:
            if phase.tense is Tense.NOW:
                yield self._now(phase, brevity)
            elif brevity.others and (phase.tense is not Tense.SKIPPED or brevity.skipped):
                yield self._other(phase, brevity)

    def _now(self, phase: PhaseView, brevity: Brevity) -> Part:
        words = self.desk.words(phase.text)
        drawn = has(self.game.id, phase.id)
        if not brevity.words and drawn:
            words = _numeral(words)
        elif not brevity.others and not drawn:  # the page below says its name
            words = str(self.view.phases.index(phase) + 1)
        sign = symbol(self.game, Sign(phase.id), 28, "main", INK) if drawn else None
        return Plate(
            Row([sign, Words(words, "tile", INK, bold=True) if words else None], gap=6, tall=CHIP - 12),
            "main",
            pad=6,
            radius=8,
        )

    def _other(self, phase: PhaseView, brevity: Brevity) -> Part:
        tone = {Tense.PAST: "good", Tense.SKIPPED: "dim"}.get(phase.tense, "text")
        after: Part | None = None
        if phase.tense is Tense.PAST:
            after = Icon("check", "detail", "good")
        elif phase.tense is Tense.SKIPPED:
            after = Icon("minus", "detail", "dim")
        elif brevity.numerals and (numeral := _numeral(self.desk.words(phase.text))):
            after = Words(numeral, "detail", "dim")
        if has(self.game.id, phase.id):
            return Row([symbol(self.game, Sign(phase.id), 26, "ground", tone), after], gap=2)
        number = str(self.view.phases.index(phase) + 1)
        words = Words(self.desk.words(phase.text) if brevity.words else number, "detail", tone)
        return Row([words, after], gap=2)

    def _pool(self, of: Gauge | Meter, brevity: Brevity) -> Part:
        full = of.full if isinstance(of, Gauge) else of.goal
        low = of.value * 4 <= full if isinstance(of, Gauge) else of.value * 4 >= full * 3
        number = [
            symbol_or_word(self.game, Sign(of.id), self.desk.words(of.text), 22, "ground", "accent"),
            Words(str(of.value), "tile", bold=True),
            Words(f"/{full}", "detail", "dim") if brevity.totals else None,
        ]
        if not brevity.bars:
            return Pool(of.id, number)
        bar = Bar(of.value, full, "bad" if low else "accent", 6)
        return Column([Pool(of.id, number), bar], gap=3)


def _numeral(words: str) -> str:
    """The numeral a phase begins with, as printed."""
    first = words.split()[0] if words else ""
    return first if NUMERAL.fullmatch(first) else ""
