"""What is on the places of a board: names, signs, prices and pieces, each as small as is legible, in rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from companion.core.faces import ARROW, Sign, Signs
from companion.core.views import PlaceView, TokenView
from companion.drawing import signs as drawn
from companion.drawing.colours import INK, Backing
from companion.drawing.lines import Wording, fitted, wrapped
from companion.drawing.pens import Pen
from companion.drawing.signs import StrokeGroup
from companion.drawing.strokes import Area, Block, Inscription, Stroke
from companion.drawing.symbols import BOARD, NAME, drawn_as
from companion.texts import capital, render

LETTERS = 17
"""Size of a name's letters if there is room (on a screen 480 pixels high)."""
SIGN, PIECE, MARK = 18.5, 25, 15
"""Sizes of signs, of pieces, and of marks that represent cubes."""
GAP = 4

OutlineOf = Callable[[int, float, float, float], tuple[tuple[float, float], ...]]
"""The corners of a seat's mark around a point; y points down."""


class BoardPalette(Struct, frozen=True):
    """The colours of a board: background, what lies on it, and what can be touched."""

    paper: Backing
    under: str
    line: str
    accent: str
    main: str
    """The background of the price of a place."""
    seats: tuple[str, ...]


class MarkedPiece(NamedTuple):
    """The current state of a place: whether it is offered or chosen, and the price of taking it."""

    offered: bool = False
    chosen: bool = False
    price: Signs = ()


PLAIN = MarkedPiece()


class PiecePen:
    """Draws what is on the places of one game's board."""

    def __init__(self, pen: Pen, palette: BoardPalette, outline: OutlineOf) -> None:
        self.pen, self.palette, self.outline = pen, palette, outline

    # ---- sizes

    def px(self, size: float) -> float:
        """A size scaled to this screen."""
        return size * self.pen.unit

    @property
    def least(self) -> float:
        """The smallest size of a name's letters here."""
        return self.pen.letters

    @property
    def largest(self) -> float:
        """The size of a name's letters if there is room."""
        return self.least * LETTERS / NAME

    # ---- contents

    def _names(self, place: PlaceView) -> tuple[str, ...]:
        whole = render(place.label, self.pen.language)
        return (whole,) if place.short is None else (whole, capital(render(place.short, self.pen.language)))

    def _name(self, names: tuple[str, ...], room: float, lines: int, whole: bool) -> Wording | None:
        if lines < 1:
            return None
        sizes = (self.largest, self.least)
        for words in names:
            for size in sizes:
                found = wrapped(words, size, room, lines, self.pen.measure)
                if found is not None:
                    return found
        return None if whole else fitted(names, self.least, room, lines, self.pen.measure, self.least)

    def _named(self, names: tuple[str, ...], wide: float, high: float, lines: int) -> StrokeGroup:
        name = fitted(names, self.least, wide, lines, self.pen.measure, self.least)
        y = (high - name.high) / 2
        return StrokeGroup(tuple(name.strokes(0, y, self.palette.paper.text, self.pen.measure)), wide, high)

    def _signs(self, marked: MarkedPiece, printed: Signs, room: float = math.inf) -> list[StrokeGroup]:
        return [*self._pills(marked, room), *(self._sign(sign, self.pen) for sign in printed)]

    def _sign(self, sign: Sign, pen: Pen) -> StrokeGroup:
        """A sign as small as its letters allow."""
        letters = drawn_as(pen.game, sign).letters
        inside = NAME * BOARD / letters.size if sign.value and letters else 0
        size = max(self.px(SIGN), inside * self.pen.unit * 1.03)
        return drawn.sign(
            pen.game, pen.tints, sign, size * (0.7 if sign == ARROW else 1), pen.measure, pen.backing
        )

    def _quiet(self, sign: Sign) -> StrokeGroup:
        return self._sign(Sign(sign.symbol, sign.value, self.palette.paper.dim), self.pen)

    def _inked(self, shown: Sign, size: float, ground: str) -> StrokeGroup:
        """A sign in dark ink on a bright background."""
        on = Backing(ground, INK, INK)
        tinted = Sign(shown.symbol, shown.value, INK)
        return drawn.sign(self.pen.game, self.pen.tints, tinted, size, self.pen.measure, on)

    def pill(self, price: Signs, room: float = math.inf) -> StrokeGroup:
        """The price of taking a place, dark on amber; in several lines if it is wider than `room`."""
        on = replace(self.pen, backing=Backing(self.palette.main, INK, INK))
        pad = self.px(5)
        signs = [self._sign(Sign(s.symbol, s.value, INK), on) for s in price]
        rows = self._wrapped(signs, room - 2 * pad)
        wide, high = rows.wide + 2 * pad, rows.high + self.px(5)
        round_ = (max(sign.high for sign in signs) + self.px(5)) / 2
        block = Block(0, 0, wide, high, self.palette.main, round_)
        return StrokeGroup((block, *rows.at(pad, (high - rows.high) / 2)), wide, high)

    def _loose(self, tokens: Iterable[TokenView]) -> list[StrokeGroup]:
        return [self._piece(token) for token in tokens]

    def _piece(self, token: TokenView) -> StrokeGroup:
        """A mark for a cube, or the piece's sign in its seat's colour with a small mark; then the count."""
        if token.mark and token.seat is not None:
            size = self.px(MARK)
            laid = StrokeGroup((self._mark(token.seat, size / 2, size / 2, size / 2),), size, size)
        elif token.seat is None:
            laid = self._sign(token.sign, self.pen)
        else:
            laid = self._seated(token.sign, token.seat)
        if token.count > 1:
            words = f"×{token.count}"
            size = self.least
            across = self.pen.measure(words, size, True)
            number = Inscription(laid.wide, laid.high / 2, words, size, self.palette.paper.text)
            laid = StrokeGroup((*laid.strokes, number), laid.wide + across, laid.high)
        return laid

    def _seated(self, sign: Sign, seat: int) -> StrokeGroup:
        colour = self.palette.seats[seat]
        size = self.px(PIECE + (1 if sign.value else 0))
        tinted = Sign(sign.symbol, sign.value, colour)
        laid = drawn.sign(self.pen.game, self.pen.tints, tinted, size, self.pen.measure, self.pen.backing)
        small = self.px(5.4)
        at = (size - small * 0.4, small * 0.9)
        rim = self._mark(seat, *at, small + self.px(1.6), self.palette.under)
        return StrokeGroup((*laid.strokes, rim, self._mark(seat, *at, small)), size + small * 0.6, size)

    def _mark(self, seat: int, x: float, y: float, radius: float, colour: str = "") -> Area:
        return Area(self.outline(seat, x, y, radius * 0.92), colour or self.palette.seats[seat])

    # ---- rows

    def _across(self, items: list[StrokeGroup]) -> float:
        return sum(item.wide for item in items) + self.px(GAP) * max(0, len(items) - 1)

    def _row(self, items: list[StrokeGroup], room: float) -> StrokeGroup:
        """Items side by side, vertically centred; items at the end that do not fit are left out."""
        shown = list(items)
        while len(shown) > 1 and self._across(shown) > room:
            shown.pop()
        high = max((item.high for item in shown), default=0.0)
        strokes: list[Stroke] = []
        x = 0.0
        for item in shown:
            strokes += item.at(x, (high - item.high) / 2)
            x += item.wide + self.px(GAP)
        return StrokeGroup(tuple(strokes), self._across(shown), high)

    def _lines(self, items: list[StrokeGroup], room: float) -> list[StrokeGroup]:
        rows: list[list[StrokeGroup]] = [[]]
        for item in items:
            if rows[-1] and self._across([*rows[-1], item]) > room:
                rows.append([])
            rows[-1].append(item)
        return [self._row(row, room) for row in rows if row]

    def _wrapped(self, items: list[StrokeGroup], room: float) -> StrokeGroup:
        """Items in as many lines as they need, aligned right."""
        strokes: list[Stroke] = []
        y = 0.0
        rows = self._lines(items, room + 0.5)
        widest = max((row.wide for row in rows), default=0.0)
        for row in rows:
            strokes += row.at(widest - row.wide, y)
            y += row.high + self.px(2)
        return StrokeGroup(tuple(strokes), widest, max(0.0, y - self.px(2)))

    def _pills(self, marked: MarkedPiece, room: float = math.inf) -> list[StrokeGroup]:
        return [self.pill(marked.price, room)] if marked.offered and marked.price else []
