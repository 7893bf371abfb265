"""One place of a map as it is drawn: words upright, signs where they are printed, only the open sides of hexes turn.

What it is called at the top, what is printed at the left and right, in the middle whose it is and what lies there,
squares for pieces at the foot. What would be too small to be seen is left out: the squares first, then everything but
the mark.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from kivy.graphics import Color, Ellipse, Line, Mesh, Rectangle, RoundedRectangle

from companion.core.faces import Face, Sign, Signs, Spot
from companion.core.game import Game
from companion.core.hexes import Point, outwards
from companion.core.views import LinkView, PlaceView, Shape, TokenView
from companion.core.words import Text
from companion.drawing import signs as drawn
from companion.drawing.lines import fitted
from companion.drawing.symbols import BOARD, drawn_as
from companion.table.marks import Mark
from companion.ui.toolkit.draw import outline
from companion.ui.toolkit.kit import lettered, look, rgba
from companion.ui.toolkit.look import INK
from companion.ui.toolkit.outlines import around, dashes, side
from companion.ui.toolkit.symbols import measured, paint, paper

ONLY_MARK, NO_SQUARES = 34, 50
"""Places smaller than this have room for a mark alone, or for no squares."""
STEP = 3
"""Signs are drawn at sizes that are multiples of this, so that moving fingers need not draw each anew."""
RIM = 0.955
"""A hex is so much smaller than its place, so that two do not share a line."""
LETTER = 15
"""No letter of a name on a map is smaller: what does not fit then is cut short."""

INITIAL = 13
"""A mark too small for a letter of this size is told by its shape and colour."""


class Brush:
    """Draws places and lines on the canvas that is open."""

    def __init__(self, game: Game, marks: tuple[Mark, ...], words: Callable[[Text], str]) -> None:
        self.game, self.marks, self.words = game, marks, words
        self.tints = {n: {**game.tints, "seat": (m.colour, m.colour, INK)} for n, m in enumerate(marks)}

    def line(self, link: LinkView, one: Point, other: Point, size: float) -> None:
        """A line between two places, under them."""
        Color(*rgba("dim")[:3], 0.7 if link.dim else 1.0)
        Line(points=[*one, *other], width=look().px(1.2 if link.dim else 1.8))

    def on_line(self, link: LinkView, one: Point, other: Point, size: float) -> None:
        """What stands on a line, in its middle."""
        x, y = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
        radius = max(look().px(9), size * 0.28)
        if link.label or link.signs:
            Color(*rgba("surface"))
            Ellipse(pos=(x - radius, y - radius), size=(2 * radius, 2 * radius))
        if link.label:
            self._write(link.label, (x, y), radius * 1.5, "dim" if link.dim else "text")
        for n, sign in enumerate(link.signs):
            self._sign(sign, (x + (n - (len(link.signs) - 1) / 2) * radius * 1.6, y), radius * 1.7)

    def place(self, place: PlaceView, at: Point, size: float, met: tuple[bool, ...]) -> None:
        """A place as it lies there; `met` are the open sides of a hex that join another."""
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

    def laid(self, face: Face, edges: tuple[bool, ...], at: Point, size: float) -> None:
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

    def empty(self, at: Point, size: float, label: str, offered: bool) -> None:
        """A place where nothing lies; offered if something may come to lie there now."""
        rim = around("hex", at, size * 0.93)
        if offered:
            self._fill(at, rim, "accent", 0.18)
        self._dashed(rim, "accent" if offered else "line", 3 if offered else 1.2)
        if offered:
            self._plus((at[0], at[1] + size * 0.25), size * 0.24)
            self._write(label, (at[0], at[1] - size * 0.32), size * 0.5, "accent")

    def rim(self, shape: Shape, at: Point, size: float, tone: str) -> None:
        """A place that may be touched."""
        if tone == "accent":
            self._fill(at, around(shape, at, size * 0.93), tone, 0.14)
            self._dashed(around(shape, at, size * 0.9), tone, 4)
        else:
            self._line(around(shape, at, size * 0.92), tone, 3)

    def ring(self, at: Point, radius: float, tone: str) -> None:
        """A disc that may be touched, or that was."""
        if tone == "accent":
            self._dashed(around("disc", at, radius), tone, 3)
        else:
            self._line(around("disc", at, radius), tone, 2)

    def figure(self, words: str, at: Point, radius: float, dim: bool) -> None:
        """What stands on a line, in a small disc."""
        rim = around("disc", at, radius)
        self._fill(at, rim, "surface")
        self._line(rim, "line", 1.2)
        self._write(words, at, look().px(15), "dim" if dim else "text")

    def joint(self, at: Point, size: float, direction: int, good: bool) -> None:
        """Where a hex that is about to be put down meets another: whether both sides are open there."""
        x, y = side(at, size * 1.0, direction)
        radius = max(look().px(9), size * 0.2)
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

    # What is on it

    def _inside(
        self,
        shape: Shape,
        label: str,
        printed: Signs,
        spots: Iterable[Spot],
        tokens: Iterable[TokenView],
        owner: Mark | None,
        at: Point,
        size: float,
    ) -> None:
        x, y = at
        if size < look().px(ONLY_MARK):
            if owner is not None:
                self._badge(owner, at, size * 0.5)
            else:
                self._write(label, at, max(look().px(LETTER), size * 0.5), "text", 1.8 * size)
            return
        squares = tuple(spots) if size >= look().px(NO_SQUARES) else ()
        small = size < look().px(NO_SQUARES)
        top, room = (0.3, 1.85) if shape == "card" else (0.57, 1.3)
        low = -0.2 if shape == "card" else 0.03 if squares else -0.1
        self._write(label, (x, y + size * top), max(look().px(15), size * 0.27), "text", room * size)
        for sign, where in zip(printed, (-1, 1), strict=False):
            self._sign(
                sign, (x + where * size * 0.62, y + (size * low if shape == "card" else 0)), size * 0.42
            )
        self._pieces(tuple(tokens), owner, (x, y + size * low), size, small)
        self._squares(squares, (x, y - size * 0.5), size)

    def _pieces(
        self, tokens: tuple[TokenView, ...], owner: Mark | None, at: Point, size: float, small: bool
    ) -> None:
        """Whose disc lies here, then every kind of piece with how many there are; pieces of others have their mark."""
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

    def _piece(self, token: TokenView, owner: Mark | None, at: Point, size: float) -> None:
        if token.seat is None:
            self._sign(token.sign, at, size)
        else:
            self._sign(Sign(token.sign.symbol, tint="seat"), at, size, token.seat)
            if self.marks[token.seat] is not owner:
                self._badge(self.marks[token.seat], (at[0] - size * 0.36, at[1] - size * 0.36), size * 0.24)
        if token.count > 1:
            radius = max(look().px(10), size * 0.26)
            x, y = at[0] + size * 0.36, at[1] - size * 0.36
            Color(*rgba("#FFFFFF"))
            Ellipse(pos=(x - radius, y - radius), size=(2 * radius, 2 * radius))
            self._write(str(token.count), (x, y), radius * 1.5, INK)

    def _squares(self, spots: tuple[Spot, ...], at: Point, size: float) -> None:
        """Printed squares in a line: filled if something lies there, with a plus if they take more."""
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

    def _star(self, at: Point, radius: float) -> None:
        radius = max(look().px(4), radius)
        Color(*rgba("#FFFFFF"))
        Ellipse(pos=(at[0] - radius, at[1] - radius), size=(2 * radius, 2 * radius))
        Color(*rgba(INK))
        self._cross(at, radius * 0.6, max(1.0, radius * 0.16))

    # Strokes

    def _fill(self, at: Point, rim: list[Point], tone: str, opacity: float = 1.0) -> None:
        Color(*rgba(tone)[:3], opacity)
        vertices = [v for corner in (at, *rim, rim[0]) for v in (*corner, 0, 0)]
        Mesh(vertices=vertices, indices=list(range(len(rim) + 2)), mode="triangle_fan")

    def _line(self, rim: list[Point], tone: str, width: float) -> None:
        Color(*rgba(tone))
        Line(points=[v for corner in rim for v in corner], close=True, width=look().px(width))

    def _dashed(self, rim: list[Point], tone: str, width: float) -> None:
        Color(*rgba(tone))
        vertices, indices = dashes(rim, look().px(width) * 1.3)
        Mesh(vertices=vertices, indices=indices, mode="triangles")

    def _mouth(self, at: Point, size: float, direction: int, tone: str) -> None:
        """An open side has half a disc: with the neighbour's it makes a whole."""
        angle = outwards(direction)
        x, y = side(at, size * RIM, direction)
        radius = size * 0.14
        turns = [angle + math.pi / 2 + n * math.pi / 8 for n in range(9)]
        self._fill((x, y), [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns], tone)

    def _plus(self, at: Point, size: float) -> None:
        Color(*rgba("accent"))
        self._cross(at, size, max(1.5, size * 0.13))

    def _cross(self, at: Point, size: float, width: float) -> None:
        Line(points=[at[0] - size, at[1], at[0] + size, at[1]], width=width)
        Line(points=[at[0], at[1] - size, at[0], at[1] + size], width=width)

    def _sign(
        self,
        sign: Sign,
        at: Point,
        size: float,
        seat: int | None = None,
        tints: dict[str, tuple[str, str, str]] | None = None,
    ) -> None:
        letters = drawn_as(self.game.id, sign).letters if sign.value else None
        least = look().px(LETTER) * BOARD / letters.size if letters is not None else 0
        high = math.ceil(max(STEP * 4, round(size / STEP) * STEP, least))
        tints = tints or (self.game.tints if seat is None else self.tints[seat])
        laid = drawn.sign(self.game.id, tints, sign, high, measured, paper())
        paint(laid.strokes, at[0] - laid.wide / 2, at[1] + laid.high / 2)

    def _badge(self, mark: Mark, at: Point, radius: float) -> None:
        Color(*rgba(mark.colour))
        rim = outline(mark.shape, *at, radius * 0.92)
        vertices = [v for corner in (at, *rim, rim[0]) for v in (*corner, 0, 0)]
        Mesh(vertices=vertices, indices=list(range(len(rim) + 2)), mode="triangle_fan")
        if radius * 1.05 >= look().px(INITIAL):
            self._write(mark.letter, at, radius * 1.05, INK)

    def _write(self, words: str, at: Point, size: float, tone: str, room: float = math.inf) -> None:
        if not words:
            return
        letters = lettered(words, "Words", max(6, round(size)), True, "left", None)
        if letters.size[0] > room:
            least = min(size, look().px(LETTER))
            found = fitted((words,), size, room, 1, measured, least)
            letters = lettered(found.words[0], "Words", max(6, round(found.size)), True, "left", None)
        wide, high = letters.size
        Color(*rgba(tone))
        Rectangle(texture=letters, pos=(at[0] - wide / 2, at[1] - high / 2), size=letters.size)
