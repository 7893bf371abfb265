"""The head of a seat where several answer at once: its mark is touched to answer, its name to look at what it has."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.core.views import SeatView
from companion.table.marks import Mark
from companion.ui.screens.table.band import LEAST_NAME, MarkPlate, SeatName
from companion.ui.screens.table.options import Exactly
from companion.ui.screens.table.seats import Points
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Icon, Part, Plate, Words, extent, look
from companion.ui.toolkit.look import INK, SMALLEST_WORDS, TARGET
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.symbols import SignRow, paper
from companion.ui.toolkit.tiles import Tile

if TYPE_CHECKING:
    from companion.ui.toolkit.screen import Showing

MARK, SIDE, LINES = 34, 54, (32, 28, 25)
"""How large the mark is, how wide the place to touch round it, and how high the line of the name: lower if more of what
the seat has is seen then."""

SIGNS, TALL = 20, 74
"""How large what a seat has is drawn; from this height on points stand below the mark."""

NAME = 26


class HeadName(SeatName):
    """The name in a head: it stands over what the seat has."""


class SeatHead(Plate):
    """Mark, name, points and what a seat has; once it is told, what it did.

    `answer` is what a touch of the mark does, if anything; a touch of the name always shows the seat.
    """

    def __init__(
        self,
        showing: Showing,
        seat: SeatView,
        answer: Callable[[], Any] | None = None,
        *,
        told: str = "",
        now: bool = False,
        waits: bool = False,
        asked: bool = True,
    ) -> None:
        colour = showing.desk.marks()[seat.seat].colour
        mark = MarkFace(showing, seat, now)
        name = NameFace(showing, seat, told, now, asked)
        look_at = partial(showing.app.front.peek, seat.seat)
        ground = colour if now else "surface"
        self.mark = Tile(mark, answer or look_at, f"ask-{seat.seat}", ground=ground)
        self.name = Tile(name, look_at, f"seat-{seat.seat}", ground=ground)
        super().__init__(HeadHalves(self.mark, self.name), ground, colour if waits else "", pad=0, radius=10)

    def fit(self, width: float) -> float:
        return look().px(48)


class HeadHalves(Part):
    """The place of the mark, and the rest for the name."""

    def __init__(self, mark: Tile, name: Tile) -> None:
        super().__init__()
        self.mark, self.name = mark, name
        self.add_widget(mark)
        self.add_widget(name)

    def fit(self, width: float) -> float:
        return look().px(48)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        edge = max(0.0, min(look().px(3), (height - look().px(TARGET)) / 2))
        side = look().px(SIDE)
        self.mark.place(x + edge, y + edge, side - edge, height - 2 * edge)
        self.name.place(x + side, y + edge, width - side - edge, height - 2 * edge)


class MarkFace(Part):
    """The mark, and below it the points where there is room."""

    def __init__(self, showing: Showing, seat: SeatView, now: bool) -> None:
        super().__init__()
        self.showing, self.seat, self.now = showing, seat, now

    def fit(self, width: float) -> float:
        return look().px(48)

    def natural(self) -> float:
        return look().px(MARK)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        side, mark = look().px(MARK), self.showing.desk.marks()[self.seat.seat]
        points = _points(self.showing, self.seat, INK if self.now else "accent") if _tall(height) else None
        low = 0.0 if points is None else min(height - side, points.lowest(width))
        badge: Part = MarkPlate(mark, MARK - 6) if self.now else Badge(mark, MARK / look().text)
        _put(self, badge, x + (width - side) / 2, y + low + (height - low - side) / 2, side, side)
        if points is not None:
            wide = min(points.natural(), width)
            _put(self, points, x + (width - wide) / 2, y, wide, low)


class NameFace(Part):
    """The name over what the seat has, or over what it did."""

    def __init__(self, showing: Showing, seat: SeatView, told: str, now: bool, asked: bool) -> None:
        super().__init__()
        self.showing, self.seat, self.told = showing, seat, told
        self.tone = INK if now else "text" if asked else "dim"
        mark: Mark = showing.desk.marks()[seat.seat]
        self.ground = mark.colour if now else "surface"

    def fit(self, width: float) -> float:
        return look().px(48)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        pad = look().px(4)
        room = width - pad
        points = None if _tall(height) else _points(self.showing, self.seat, self._accent)
        least = 0.0 if points is None else points.lowest(room)
        lines = dict.fromkeys(max(least, look().px(line)) for line in LINES)
        tries = [(line, self._below(room, height - line)) for line in lines]
        line, parts = max(tries, key=lambda tried: len(tried[1]))
        below = height - line if parts else 0.0
        line = height - below
        top, right = y + height - line, x + room
        if points is not None:
            wide = min(points.natural(), room / 2)
            _put(self, points, right - wide, top, wide, line)
            right -= wide + pad
        icon = Icon("check-circle", "detail", self._good)
        name_wide = extent(self.seat.name, Words.font, look().px(LEAST_NAME), True)
        if (self.seat.ready or self.told) and name_wide + icon.natural() + pad <= right - x:
            _put(self, icon, right - icon.natural(), top, icon.natural(), line)
            right -= icon.natural() + pad
        names = self.showing.desk.session.setup.seats
        name = HeadName(self.seat.name, self.tone, right - x, NAME / max(1.0, look().text), names)
        _put(self, name, x, top, right - x, line)
        low = y + below
        for part in parts:
            high = part.fit(room)
            low -= high
            _put(self, part, x, low, room, high)

    @property
    def _accent(self) -> str:
        return self.tone if self.tone == INK else "accent"

    @property
    def _good(self) -> str:
        return self.tone if self.tone == INK else "good"

    def _below(self, room: float, height: float) -> list[Part]:
        """Below the name: what it did, or what it has, as much of it as has room."""
        if self.told:
            full = 19 / max(1.0, look().text)
            words = Snug(self.told, full, SMALLEST_WORDS, self._accent, bold=True, lines=2)
            if words.fits(room, height):
                high = words.high(room, height)
                return [Exactly(words, room, high), *self._rows(room, height - high)]
        return self._rows(room, height)

    def _rows(self, room: float, height: float) -> list[Part]:
        """What the seat has in lines, what matters most first; each line is no higher than its signs must be."""
        game, on = self.showing.desk.session.game, paper(self.ground, self.tone)
        rows: list[SignRow] = []
        for sign in self.seat.in_brief:
            longer = SignRow(game, (*rows[-1].signs, sign), SIGNS, on) if rows else None
            if longer is not None and longer.natural() <= room:
                rows[-1] = longer
            else:
                rows.append(SignRow(game, (sign,), SIGNS, on))
        shown: list[Part] = []
        for row in rows:
            height -= row.fit(room)
            if height < 0 or row.natural() > room:
                break
            shown.append(row)
        return shown


def _tall(height: float) -> bool:
    return height >= look().px(TALL)


def _points(showing: Showing, seat: SeatView, tone: str) -> Points | None:
    if seat.points is None or not showing.desk.settings.scores:
        return None
    return Points(str(seat.points), 32 / max(1.0, look().text), 30, tone, bold=True)


def _put(owner: Part, part: Part, x: float, y: float, width: float, height: float) -> None:
    owner.add_widget(part)
    part.place(x, y, width, height)
