"""Draws one place of a map: text upright, signs where they are printed; only the open sides of hexes are
rotated.

The name is at the top, printed signs at the left and right, the owner's mark and the pieces in the middle,
squares for pieces at the bottom. What would be too small to see is left out: first the squares, then
everything but the mark.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from kivy.graphics import Color, Ellipse, Line, Mesh, Rectangle, RoundedRectangle

from companion.core.faces import Face, Sign, Signs, Spot
from companion.core.game import Game
from companion.core.hexes import HexPoint, outwards
from companion.core.views import LinkView, PlaceShape, PlaceView, TokenView
from companion.core.words import Text
from companion.drawing import signs as drawn
from companion.drawing.lines import fitted
from companion.drawing.shapes import outline
from companion.drawing.symbols import BOARD, drawn_as
from companion.table.marks import Mark
from companion.ui.toolkit.geometry import Rect
from companion.ui.toolkit.kit import lettered, rgba, theme
from companion.ui.toolkit.outlines import around, dashes, side
from companion.ui.toolkit.symbols import measured, paint, paper
from companion.ui.toolkit.theme import INK

ONLY_MARK, NO_SQUARES = 34, 50
"""Below the first size a place shows only its mark, below the second no squares."""
STEP = 3
"""Signs are drawn at multiples of this size, so that zooming needs few new textures."""
RIM = 0.955
"""A hex is drawn this much smaller than its place, so that neighbours do not share a line."""
LETTER = 15
"""The smallest letters of a name on a map; names that do not fit then are cut short."""

INITIAL, LETTERED = 13, 8
"""The smallest letter in a mark, and the smallest mark with a letter; smaller ones have shape and colour."""

CAPITALS = 0.75
"""The height of capitals relative to the font size."""


class Brush:
    """Draws places and lines on the open canvas."""

    def __init__(self, game: Game, marks: tuple[Mark, ...], words: Callable[[Text], str]) -> None:
        self.game, self.marks, self.words = game, marks, words
        self.room: Rect | None = None
        """Text is drawn only where it fits into this rectangle; otherwise it is left out rather than cut."""
        self.tints = {n: {**game.tints, "seat": (m.colour, m.colour, INK)} for n, m in enumerate(marks)}

    def line(self, link: LinkView, one: HexPoint, other: HexPoint, size: float) -> None:
        """A line between two places, drawn below them."""
        Color(*rgba("dim")[:3], 0.7 if link.dim else 1.0)
        Line(points=[*one, *other], width=theme().px(1.2 if link.dim else 1.8))

    def on_line(self, link: LinkView, one: HexPoint, other: HexPoint, size: float) -> None:
        """What is on a line, at its middle."""
        x, y = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
        radius = max(theme().px(9), size * 0.28)
        if link.label or link.signs:
            Color(*rgba("surface"))
            Ellipse(pos=(x - radius, y - radius), size=(2 * radius, 2 * radius))
        if link.label:
            self._write(link.label, (x, y), radius * 1.5, "dim" if link.dim else "text")
        for n, sign in enumerate(link.signs):
            self._sign(sign, (x + (n - (len(link.signs) - 1) / 2) * radius * 1.6, y), radius * 1.7)

    def place(self, place: PlaceView, at: HexPoint, size: float, met: tuple[bool, ...]) -> None:
        """A place as it lies; `met` says which open sides of a hex meet another open side."""
        owner = None if place.seat is None else self.marks[place.seat]
        rim = around(place.shape, at, size * RIM)
        self._fill(at, rim, "raised")
        if owner is not None:
            self._fill(at, rim, owner.colour, 0.3)
        self._line(rim, owner.colour if owner is not None else "line", 2 if owner is not None else 1.2)
        for direction, is_open in enumerate(place.edges):
            if is_open:
                self._mouth(at, size, direction, "text" if met[direction] else "dim")
        label = self.words(place.label)
        self._inside(place.shape, label, place.corners, place.spots, place.tokens, owner, at, size)

    def laid(self, face: Face, edges: tuple[bool, ...], at: HexPoint, size: float) -> None:
        """A hex that is about to be put down."""
        rim = around("hex", at, size * RIM)
        self._fill(at, rim, "raised")
        self._line(rim, "accent", 3)
        for direction, is_open in enumerate(edges):
            if is_open:
                self._mouth(at, size, direction, "dim")
        tokens = [TokenView(sign) for row in face.rows for sign in row]
        self._inside(
            "hex", self.words(face.short or face.name), face.corners, face.spots, tokens, None, at, size
        )

    def empty(self, at: HexPoint, size: float, label: str, offered: bool) -> None:
        """An empty place; `offered` if something may be put there now."""
        rim = around("hex", at, size * 0.93)
        if offered:
            self._fill(at, rim, "accent", 0.18)
        self._dashed(rim, "accent" if offered else "line", 3 if offered else 1.2)
        if offered:
            self._plus((at[0], at[1] + size * 0.25), size * 0.24)
            self._write(label, (at[0], at[1] - size * 0.32), max(theme().px(LETTER), size * 0.5), "accent")

    def rim(self, shape: PlaceShape, at: HexPoint, size: float, tone: str) -> None:
        """The outline of a place that can be touched."""
        if tone == "accent":
            self._fill(at, around(shape, at, size * 0.93), tone, 0.14)
            self._dashed(around(shape, at, size * 0.9), tone, 4)
        else:
            self._line(around(shape, at, size * 0.92), tone, 3)

    def ring(self, at: HexPoint, radius: float, tone: str) -> None:
        """A ring round a disc that can be touched, or was touched."""
        if tone == "accent":
            self._dashed(around("disc", at, radius), tone, 3)
        else:
            self._line(around("disc", at, radius), tone, 2)

    def figure(self, words: str, at: HexPoint, radius: float, dim: bool) -> None:
        """Text on a line, in a small disc."""
        rim = around("disc", at, radius)
        self._fill(at, rim, "surface")
        self._line(rim, "line", 1.2)
        self._write(words, at, theme().px(15), "dim" if dim else "text")

    def joint(self, at: HexPoint, size: float, direction: int, good: bool) -> None:
        """Where a hex about to be put down meets another: whether both sides are open."""
        x, y = side(at, size * 1.0, direction)
        radius = max(theme().px(9), size * 0.2)
        Color(*rgba(INK))
        Ellipse(pos=(x - radius * 1.15, y - radius * 1.15), size=(radius * 2.3, radius * 2.3))
        Color(*rgba("good" if good else "bad"))
        Ellipse(pos=(x - radius, y - radius), size=(radius * 2, radius * 2))
        Color(*rgba(INK))
        third = radius * 0.45
        if good:
            points = [x - third, y, x - third * 0.2, y - third * 0.8, x + third * 1.1, y + third * 0.8]
            Line(points=points, width=max(1.5, radius * 0.14), cap="round", joint="round")
        else:
            for way in (1, -1):
                points = [x - third, y - way * third, x + third, y + way * third]
                Line(points=points, width=max(1.5, radius * 0.14), cap="round")

    # Contents

    def _inside(
        self,
        shape: PlaceShape,
        label: str,
        printed: Signs,
        spots: Iterable[Spot],
        tokens: Iterable[TokenView],
        owner: Mark | None,
        at: HexPoint,
        size: float,
    ) -> None:
        x, y = at
        if size < theme().px(ONLY_MARK):
            if owner is not None:
                self._badge(owner, at, size * 0.5)
            else:
                self._write(label, at, max(theme().px(LETTER), size * 0.5), "text", 1.8 * size)
            return
        squares = tuple(spots) if size >= theme().px(NO_SQUARES) else ()
        small = size < theme().px(NO_SQUARES)
        top, room = (0.3, 1.85) if shape == "card" else (0.57, 1.3)
        low = -0.2 if shape == "card" else 0.03 if squares else -0.1
        self._write(label, (x, y + size * top), max(theme().px(15), size * 0.27), "text", room * size)
        for sign, where in zip(printed, (-1, 1), strict=False):
            self._sign(
                sign, (x + where * size * 0.62, y + (size * low if shape == "card" else 0)), size * 0.42
            )
        self._pieces(tuple(tokens), owner, (x, y + size * low), size, small)
        self._squares(squares, (x, y - size * 0.5), size)

    def _pieces(
        self, tokens: tuple[TokenView, ...], owner: Mark | None, at: HexPoint, size: float, small: bool
    ) -> None:
        """The owner's disc, then each kind of piece with its number; others' pieces have their owner's mark."""
        if small and owner is not None:
            tokens = tuple(t for t in tokens if t.seat is not None)[:1]
        n = len(tokens) + (owner is not None)
        if not n:
            return
        each = size * min(0.44, 0.84 / n)
        left = at[0] - each * n / 2
        if owner is not None:
            self._badge(owner, (left + each / 2, at[1]), each * 0.46)
            left += each
        for token in tokens:
            self._piece(token, owner, (left + each / 2, at[1]), each * 0.96)
            left += each

    def _piece(self, token: TokenView, owner: Mark | None, at: HexPoint, size: float) -> None:
        if token.seat is None:
            self._sign(token.sign, at, size)
        else:
            self._sign(Sign(token.sign.symbol, tint="seat"), at, size, token.seat)
            if self.marks[token.seat] is not owner:
                self._badge(self.marks[token.seat], (at[0] - size * 0.36, at[1] - size * 0.36), size * 0.24)
        if token.count > 1:
            radius = max(theme().px(10), size * 0.26)
            x, y = at[0] + size * 0.36, at[1] - size * 0.36
            Color(*rgba("#FFFFFF"))
            Ellipse(pos=(x - radius, y - radius), size=(2 * radius, 2 * radius))
            self._write(str(token.count), (x, y), max(theme().px(LETTER), radius * 1.5), INK)

    def _squares(self, spots: tuple[Spot, ...], at: HexPoint, size: float) -> None:
        """Printed squares in a row: filled if occupied, with a plus if they take more."""
        if not spots:
            return
        each = size * min(0.27, 1.1 / len(spots))
        x = at[0] - each * len(spots) / 2
        for spot in spots:
            tint = self.game.tints.get(spot.sign.tint or spot.sign.symbol, ("#FFFFFF",) * 3)
            room = (x + each * 0.06, at[1] - each * 0.44, each * 0.88)
            Color(*rgba(tint[0] if spot.taken else "ground"))
            RoundedRectangle(pos=room[:2], size=(room[2], room[2]), radius=[each * 0.15])
            if not spot.taken:
                Color(*rgba(tint[0]))
                Line(rounded_rectangle=(*room, room[2], each * 0.15), width=max(1.0, each * 0.05))
            tints = {**self.game.tints, "spot": (INK, INK, INK) if spot.taken else tint}
            self._sign(Sign(spot.sign.symbol, tint="spot"), (x + each / 2, at[1]), each * 0.72, tints=tints)
            if spot.starred:
                self._star((x + each * 0.9, at[1] + each * 0.42), each * 0.3)
            x += each

    def _star(self, at: HexPoint, radius: float) -> None:
        radius = max(theme().px(4), radius)
        Color(*rgba("#FFFFFF"))
        Ellipse(pos=(at[0] - radius, at[1] - radius), size=(2 * radius, 2 * radius))
        Color(*rgba(INK))
        self._cross(at, radius * 0.6, max(1.0, radius * 0.16))

    # Strokes

    def _fill(self, at: HexPoint, rim: list[HexPoint], tone: str, opacity: float = 1.0) -> None:
        Color(*rgba(tone)[:3], opacity)
        vertices = [v for corner in (at, *rim, rim[0]) for v in (*corner, 0, 0)]
        Mesh(vertices=vertices, indices=list(range(len(rim) + 2)), mode="triangle_fan")

    def _line(self, rim: list[HexPoint], tone: str, width: float) -> None:
        Color(*rgba(tone))
        Line(points=[v for corner in rim for v in corner], close=True, width=theme().px(width))

    def _dashed(self, rim: list[HexPoint], tone: str, width: float) -> None:
        Color(*rgba(tone))
        vertices, indices = dashes(rim, theme().px(width) * 1.3)
        Mesh(vertices=vertices, indices=indices, mode="triangles")

    def _mouth(self, at: HexPoint, size: float, direction: int, tone: str) -> None:
        """An open side is half a disc; together with the neighbour's it is a whole one."""
        angle = outwards(direction)
        x, y = side(at, size * RIM, direction)
        radius = size * 0.14
        turns = [angle + math.pi / 2 + n * math.pi / 8 for n in range(9)]
        self._fill((x, y), [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns], tone)

    def _plus(self, at: HexPoint, size: float) -> None:
        Color(*rgba("accent"))
        self._cross(at, size, max(1.5, size * 0.13))

    def _cross(self, at: HexPoint, size: float, width: float) -> None:
        Line(points=[at[0] - size, at[1], at[0] + size, at[1]], width=width)
        Line(points=[at[0], at[1] - size, at[0], at[1] + size], width=width)

    def _sign(
        self,
        sign: Sign,
        at: HexPoint,
        size: float,
        seat: int | None = None,
        tints: dict[str, tuple[str, str, str]] | None = None,
    ) -> None:
        letters = drawn_as(self.game.id, sign).letters if sign.value else None
        least = theme().px(LETTER) * BOARD / letters.size if letters is not None else 0
        high = math.ceil(max(STEP * 4, round(size / STEP) * STEP, least))
        tints = tints or (self.game.tints if seat is None else self.tints[seat])
        laid = drawn.sign(self.game.id, tints, sign, high, measured, paper(), theme().px(LETTER))
        if sign.value and not self._whole(at, laid.wide, laid.high):
            return
        paint(laid.strokes, at[0] - laid.wide / 2, at[1] + laid.high / 2)

    def _badge(self, mark: Mark, at: HexPoint, radius: float) -> None:
        Color(*rgba(mark.colour))
        rim = outline(mark.shape, *at, radius * 0.92)
        vertices = [v for corner in (at, *rim, rim[0]) for v in (*corner, 0, 0)]
        Mesh(vertices=vertices, indices=list(range(len(rim) + 2)), mode="triangle_fan")
        if radius >= theme().px(LETTERED):
            self._write(mark.letter, at, max(theme().px(INITIAL), radius * 1.05), INK)

    def _whole(self, at: HexPoint, wide: float, high: float) -> bool:
        """Whether something of this size at this point would be visible without being cut."""
        if self.room is None:
            return True
        left, low, right, top = self.room
        return (
            left <= at[0] - wide / 2
            and at[0] + wide / 2 <= right
            and low <= at[1] - high / 2
            and at[1] + high / 2 <= top
        )

    def _write(self, words: str, at: HexPoint, size: float, tone: str, room: float = math.inf) -> None:
        if not words or not self._whole(at, min(room, measured(words, size, True)), size * CAPITALS):
            return
        letters = lettered(words, "Words", max(6, round(size)), True, "left", None)
        if letters.size[0] > room:
            least = min(size, theme().px(LETTER))
            found = fitted((words,), size, room, 1, measured, least)
            letters = lettered(found.words[0], "Words", max(6, round(found.size)), True, "left", None)
        wide, high = letters.size
        Color(*rgba(tone))
        Rectangle(texture=letters, pos=(at[0] - wide / 2, at[1] - high / 2), size=letters.size)
