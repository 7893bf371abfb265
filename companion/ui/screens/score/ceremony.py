"""The end as a moment: seats are counted up part by part, the last one first, and then the winner is told."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.graphics import Color, Rectangle, RoundedRectangle
from msgspec import Struct

from companion.core.faces import Sign
from companion.core.game import Game
from companion.drawing import signs as drawn
from companion.drawing.colours import Backing
from companion.drawing.symbols import has
from companion.results.sheets import gathered
from companion.table.marks import Mark
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Part, Words, lettered, look, rgba
from companion.ui.toolkit.look import INK
from companion.ui.toolkit.symbols import Symbol, measured, paint, paper
from scoring.sheet import SeatSheet, Sheet

OTHERS = ""
"""The part of a bar that stands for all lines not every seat has."""

REST = "star"
"""The symbol of that part."""

LEAST = 34
"""How wide a part of a bar is at least, so that its number can be read."""

BREATH = 2
"""Steps between two seats."""


class BarPart(Struct, frozen=True):
    """So many points of a seat from one source."""

    what: str
    points: int


def shared_lines(sheet: Sheet) -> tuple[str, ...]:
    """What every seat has a line for, or alike lines are added up to, in the sheet's order."""
    own = {line.what for seat in sheet.seats for line in seat.lines}
    seats = gathered(sheet).seats
    every = dict.fromkeys(line.what for seat in seats for line in seat.lines)
    return tuple(w for w in every if w not in own or all(any(ln.what == w for ln in s.lines) for s in seats))


def shares(seat: SeatSheet, shared: Sequence[str]) -> tuple[BarPart, ...]:
    """The points of a seat of a gathered sheet as parts of one bar: what everybody has, then all the rest as one."""
    own = [BarPart(what, sum(line.points for line in seat.lines if line.what == what)) for what in shared]
    rest = sum(line.points for line in seat.lines if line.what not in shared)
    return tuple(share for share in (*own, BarPart(OTHERS, rest)) if share.points)


class Count(Struct, frozen=True):
    """How far the count has come: so many parts of each seat's bar, and whether all is told."""

    parts: tuple[int, ...]
    over: bool


def counted(sheet: Sheet, step: int) -> Count:
    """The count after so many steps: the last seat first, each part by part, the winner at the end."""
    shared = shared_lines(sheet)
    many = [len(shares(seat, shared)) for seat in gathered(sheet).seats]
    order = sorted(range(len(sheet.seats)), key=lambda n: -sheet.seats[n].rank)
    parts = [0] * len(many)
    for n in order:
        parts[n] = max(0, min(many[n], step))
        step -= many[n] + BREATH
    return Count(tuple(parts), step >= 0)


class SeatBar(Part):
    """One seat: its place, its mark and name, its points as a bar on the scale all seats share, and their sum."""

    def __init__(
        self, game: Game, seat: SeatSheet, mark: Mark, parts: Sequence[BarPart], most: int, names: float
    ) -> None:
        super().__init__()
        self.game, self.seat, self.mark, self.shares = game, seat, mark, tuple(parts)
        self.most, self._names = max(1, most), names
        self.parts, self.over = len(self.shares), True
        self.place_, self.badge = Words(f"{seat.rank}.", "prompt", "dim", bold=True), Badge(mark, 38)
        self.name = Words(seat.name.upper(), "prompt", bold=True)
        self.total = Words(str(seat.total), "number", "accent", bold=True, align="right")
        for part in (self.place_, self.badge, self.name, self.total):
            self.add_widget(part)

    def fit(self, width: float) -> float:
        one = max(self.total.fit(self.total.natural()), self.name.fit(self.name.natural())) + look().px(8)
        return one if look().wide else one + self._bar_high() + look().px(8)

    def _bar_high(self) -> float:
        return look().px(56)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        pad, wide = look().px(10), look().wide
        line = height if wide else height - self._bar_high() - look().px(8)
        low, left = y + height - line, x + pad
        sums = max(self.total.natural(), look().font("number") * 1.8)
        for part, room in ((self.place_, self.place_.natural()), (self.badge, self.badge.natural())):
            part.place(left, low + (line - part.fit(room)) / 2, room, part.fit(room))
            left += room + pad
        room = self._names if wide else x + width - pad - sums - left
        high = self.name.fit(room)
        self.name.place(left, low + (line - high) / 2, room, high)
        high = self.total.fit(sums)
        self.total.place(x + width - pad - sums, low + (line - high) / 2, sums, high)
        if wide:
            left += room + pad
            self._bar = (left, low + look().px(6), x + width - 2 * pad - sums - left, line - look().px(12))
        else:
            self._bar = (x + pad, y + look().px(6), width - 2 * pad, self._bar_high())
        self.show(self.parts, self.over)

    def show(self, parts: int, over: bool) -> None:
        """Show so many parts of the bar; the winner is not given away before all is told."""
        self.parts, self.over = parts, over
        won = over and self.seat.rank == 1
        shown = sum(share.points for share in self.shares[:parts])
        self.total.text = str(self.seat.total if parts == len(self.shares) else shown)
        for part, tone in ((self.name, "text"), (self.place_, "dim"), (self.total, "accent")):
            part.color = rgba(INK if won else tone)
        self.place_.opacity = 1.0 if over else 0.0
        self.canvas.before.clear()
        with self.canvas.before:
            Color(*rgba(self.mark.colour if won else "surface"))
            RoundedRectangle(pos=self.pos, size=self.size, radius=[look().px(10)])
            if won:  # its mark would not be seen on its own colour
                Color(*rgba("ground"))
                RoundedRectangle(pos=self.badge.pos, size=self.badge.size, radius=[look().px(8)])
            self._draw_bar(won)

    def _draw_bar(self, won: bool) -> None:
        left, low, room, high = self._bar
        gap, least = look().px(3), look().px(LEAST)
        room -= gap * len(self.shares)
        for share in self.shares[: self.parts]:
            wide = max(least, room * max(0, share.points) / self.most)
            Color(*rgba(INK if won else self.mark.colour))
            RoundedRectangle(pos=(left, low), size=(wide, high), radius=[look().px(4)])
            self._write(share, left, low, wide, high, won)
            left += wide + gap

    def _write(self, share: BarPart, left: float, low: float, wide: float, high: float, won: bool) -> None:
        """The number of a part, with its symbol above where there is one: parts without points are left out, so
        their order alone would not tell them apart."""
        ground, ink = (INK, self.mark.colour) if won else (self.mark.colour, INK)
        texture = lettered(
            str(share.points), "Words", min(look().font("body"), look().px(27)), True, "left", None
        )
        sign = share.what or REST
        above = high * 0.46 if has(self.game.id, sign) else 0.0
        if above:
            laid = drawn.sign(self.game.id, {}, Sign(sign), above, measured, Backing(ground, ink, ink))
            paint(laid.strokes, left + (wide - laid.wide) / 2, low + high - look().px(1))
        Color(*rgba(ink))
        room = high - above
        at = (int(left + (wide - texture.width) / 2), int(low + (room - texture.height) / 2))
        Rectangle(texture=texture, pos=at, size=texture.size)


def legend_sign(game: Game, what: str) -> Part | None:
    """The symbol of a line of the sheet, if there is one of that name."""
    sign = what or REST
    return Symbol(game, Sign(sign), 24, paper("ground")) if has(game.id, sign) else None
