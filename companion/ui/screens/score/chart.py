"""The growth of the scores: a line per seat, distinguished by colour, shape and letter."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kivy.graphics import Color, Line, Mesh, Rectangle
from kivy.graphics.texture import Texture
from msgspec import Struct

from companion.core.session import Session
from companion.table.marks import Mark
from companion.ui.toolkit.draw import Badge, outline
from companion.ui.toolkit.kit import Part, lettered, rgba, theme
from companion.ui.toolkit.theme import contrast

STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)
"""Convenient distances between grid lines."""

MOST_LINES = 5
PALE = 2.0
"""A line with less contrast to its background than this gets a darker edge."""

END = 34
"""The size of the badge at the end of a line."""


class Growth(Struct, frozen=True):
    """Every seat's points at the end of each round; the last round may be incomplete."""

    rounds: tuple[int, ...] = ()
    points: tuple[tuple[int, ...], ...] = ()

    def of(self, seat: int) -> tuple[int, ...]:
        """One seat's points, round by round."""
        return tuple(points[seat] for points in self.points)


def growth(session: Session) -> Growth:
    """The growth of a play so far; empty for games without points before the end."""
    last: dict[int, tuple[int, ...]] = {}
    for n, moment in enumerate(session.moments):
        view = session.game_at(n).view(moment.state)
        points = [seat.points for seat in view.seats if seat.points is not None]
        if view.round and len(points) == len(view.seats):  # before the first round the table is only set up
            last[view.round] = tuple(points)
    return Growth(tuple(last), tuple(last.values()))


def step_for(span: float, most: int) -> int:
    """The smallest convenient step that divides a span into at most this many parts."""
    return next((step for step in STEPS if span / step <= most), math.ceil(span / most))


class Chart(Part):
    """Axes with numbers, and each seat's line with its mark; badges at the end never overlap."""

    def __init__(self, growth: Growth, marks: Sequence[Mark], height: float = 250) -> None:
        super().__init__()
        self.growth, self.marks, self._high = growth, marks, theme().px(height)
        self._badges = [Badge(mark, END) for mark in marks]
        for badge in self._badges:
            self.add_widget(badge)

    def fit(self, width: float) -> float:
        return self._high

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.canvas.before.clear()
        if not self.growth.rounds:
            return
        highest = max(max(points) for points in self.growth.points)
        lowest = min(0, min(min(points) for points in self.growth.points))
        step = step_for(max(1, highest - lowest), MOST_LINES)
        lowest, highest = step * math.floor(lowest / step), step * max(1, math.ceil(highest / step))
        self.numbers = list(range(lowest, highest + 1, step))
        words = [_written(str(n)) for n in self.numbers]
        pad = theme().px(10)
        left = x + max(texture.width for texture in words) + pad
        bottom = y + words[0].height + pad
        right, top = x + width - theme().px(END) - pad, y + height - words[0].height / 2
        self._box = (left, bottom, right, top)
        self._span = (lowest, highest)
        with self.canvas.before:
            for n, texture in zip(self.numbers, words, strict=True):
                level = self._level(n)
                Color(*rgba("line"))
                Line(points=[left, level, right, level], width=1)
                Color(*rgba("dim"))
                spot = (left - pad - texture.width, level - texture.height / 2)
                Rectangle(texture=texture, pos=spot, size=texture.size)
            self._draw_rounds(y)
            for seat in range(len(self.marks)):
                self._draw_seat(seat)
        self._put_badges()

    def _across(self, n: int) -> float:
        left, _, right, _ = self._box
        inset = theme().px(14)
        rounds = len(self.growth.rounds)
        return left + inset + (right - left - 2 * inset) * (n / (rounds - 1) if rounds > 1 else 0.5)

    def _level(self, points: float) -> float:
        _, bottom, _, top = self._box
        low, high = self._span
        return bottom + (top - bottom) * (points - low) / (high - low)

    def _draw_rounds(self, y: float) -> None:
        """The numbers of the rounds, as many as fit."""
        written = [_written(str(n)) for n in self.growth.rounds]
        room = (self._box[2] - self._box[0]) / (max(texture.width for texture in written) + theme().px(16))
        step = step_for(len(written), max(1, int(room)))
        Color(*rgba("dim"))
        for n in range(0, len(written), step):
            texture = written[n]
            Rectangle(texture=texture, pos=(self._across(n) - texture.width / 2, y), size=texture.size)

    def _draw_seat(self, seat: int) -> None:
        points = self.growth.of(seat)
        path = [v for n, value in enumerate(points) for v in (self._across(n), self._level(value))]
        colour = rgba(self.marks[seat].colour)
        unit = theme().unit
        if contrast(self.marks[seat].colour, theme().colour("surface")) < PALE:
            Color(*rgba("dim"))
            Line(points=path, width=2.6 * unit, joint="round")
        Color(*colour)
        Line(points=path, width=1.9 * unit, joint="round")
        for spot in zip(path[::2], path[1::2], strict=True):
            for tone, radius in ((rgba("text"), 7.4), (colour, 6.2)):
                corners = outline(self.marks[seat].shape, *spot, radius * unit)
                Color(*tone)
                vertices = [v for corner in (spot, *corners, corners[0]) for v in (*corner, 0, 0)]
                Mesh(vertices=vertices, indices=list(range(len(corners) + 2)), mode="triangle_fan")

    def _put_badges(self) -> None:
        """Each badge as near to the end of its line as the others allow."""
        size = theme().px(END)
        ends = sorted((self._level(self.growth.of(seat)[-1]), seat) for seat in range(len(self.marks)))
        spots: list[float] = []
        for level, _ in ends:
            spots.append(max(level, spots[-1] + size) if spots else level)
        top = self.y + self.height - size / 2
        for n in range(len(spots) - 1, -1, -1):
            spots[n] = min(spots[n], top - size * (len(spots) - 1 - n))
        for spot, (_, seat) in zip(spots, ends, strict=True):
            self._badges[seat].place(self.x + self.width - size, spot - size / 2, size, size)


def _written(words: str) -> Texture:
    """Text as a texture."""
    return lettered(words, "Words", theme().font("note"), False, "left", None)
