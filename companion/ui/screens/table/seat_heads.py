"""The head of a seat where several answer at once: touch its mark to answer, its name to see what it has."""

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
from companion.ui.toolkit.kit import Icon, Part, Plate, Words, extent, theme
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.symbols import SignRow, paper
from companion.ui.toolkit.theme import INK, SMALLEST_WORDS, TARGET
from companion.ui.toolkit.tiles import Tile

if TYPE_CHECKING:
    from companion.ui.toolkit.screen import Showing

MARK, SIDE, LINES = 34, 54, (32, 28, 25)
"""The size of the mark, the width of its touch target, and heights of the name's line: lower ones are used if
they let more of the seat's possessions be seen."""

SIGNS, TALL = 20, 74
"""The size of a seat's signs; from this height on points are below the mark."""

NAME = 26


class HeadName(SeatName):
    """The name in a head, above the seat's signs."""


class SeatHead(Plate):
    """Mark, name, points and signs of a seat; once it has answered, its answer.

    `answer` is called when the mark is touched, if set; touching the name always shows the seat.
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
        return theme().px(48)


class HeadHalves(Part):
    """The mark's half, and the rest for the name."""

    def __init__(self, mark: Tile, name: Tile) -> None:
        super().__init__()
        self.mark, self.name = mark, name
        self.add_widget(mark)
        self.add_widget(name)

    def fit(self, width: float) -> float:
        return theme().px(48)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        edge = max(0.0, min(theme().px(3), (height - theme().px(TARGET)) / 2))
        side = theme().px(SIDE)
        self.mark.place(x + edge, y + edge, side - edge, height - 2 * edge)
        self.name.place(x + side, y + edge, width - side - edge, height - 2 * edge)


class MarkFace(Part):
    """The mark, with the points below it if there is room."""

    def __init__(self, showing: Showing, seat: SeatView, now: bool) -> None:
        super().__init__()
        self.showing, self.seat, self.now = showing, seat, now

    def fit(self, width: float) -> float:
        return theme().px(48)

    def natural(self) -> float:
        return theme().px(MARK)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        side, mark = theme().px(MARK), self.showing.desk.marks()[self.seat.seat]
        points = _points(self.showing, self.seat, INK if self.now else "accent") if _tall(height) else None
        low = 0.0 if points is None else min(height - side, points.lowest(width))
        badge: Part = MarkPlate(mark, MARK - 6) if self.now else Badge(mark, MARK / theme().text)
        _put(self, badge, x + (width - side) / 2, y + low + (height - low - side) / 2, side, side)
        if points is not None:
            wide = min(points.natural(), width)
            _put(self, points, x + (width - wide) / 2, y, wide, low)


class NameFace(Part):
    """The name above the seat's signs, or above its answer."""

    def __init__(self, showing: Showing, seat: SeatView, told: str, now: bool, asked: bool) -> None:
        super().__init__()
        self.showing, self.seat, self.told = showing, seat, told
        self.tone = INK if now else "text" if asked else "dim"
        mark: Mark = showing.desk.marks()[seat.seat]
        self.ground = mark.colour if now else "surface"

    def fit(self, width: float) -> float:
        return theme().px(48)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        pad = theme().px(4)
        room = width - pad
        points = None if _tall(height) else _points(self.showing, self.seat, self._accent)
        least = 0.0 if points is None else points.lowest(room)
        line, parts = 0.0, list[Part]()
        for lower in dict.fromkeys(max(least, theme().px(line)) for line in LINES):
            more = self._below(room, height - lower)
            if not line or len(more) > len(parts):
                line, parts = lower, more
            if self._shows_all(parts):
                break
        below = height - line if parts else 0.0
        line = height - below
        top, right = y + height - line, x + room
        if points is not None:
            wide = min(points.natural(), room / 2)
            _put(self, points, right - wide, top, wide, line)
            right -= wide + pad
        icon = Icon("check-circle", "detail", self._good)
        name_wide = extent(self.seat.name, Words.font, theme().px(LEAST_NAME), True)
        if (self.seat.ready or self.told) and name_wide + icon.natural() + pad <= right - x:
            _put(self, icon, right - icon.natural(), top, icon.natural(), line)
            right -= icon.natural() + pad
        names = self.showing.desk.session.setup.seats
        name = HeadName(self.seat.name, self.tone, right - x, NAME / max(1.0, theme().text), names)
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
        """What is below the name: the answer, or as many signs as fit."""
        if self.told:
            full = 19 / max(1.0, theme().text)
            words = Snug(self.told, full, SMALLEST_WORDS, self._accent, bold=True, lines=2)
            if words.fits(room, height):
                high = words.high(room, height)
                return [Exactly(words, room, high), *self._rows(room, height - high)]
        return self._rows(room, height)

    def _shows_all(self, parts: list[Part]) -> bool:
        """Whether no sign was left out."""
        shown = sum(len(part.signs) for part in parts if isinstance(part, SignRow))
        return shown == len(self.seat.in_brief)

    def _rows(self, room: float, height: float) -> list[Part]:
        """The seat's signs in lines, most important first; lines are only as high as the signs need."""
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
    return height >= theme().px(TALL)


def _points(showing: Showing, seat: SeatView, tone: str) -> Points | None:
    if seat.points is None or not showing.desk.settings.scores:
        return None
    return Points(str(seat.points), 32 / max(1.0, theme().text), 30, tone, bold=True)


def _put(owner: Part, part: Part, x: float, y: float, width: float, height: float) -> None:
    owner.add_widget(part)
    part.place(x, y, width, height)
