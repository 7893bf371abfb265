"""A map of hexes: where they lie, whose they are, what lies on them; it can be moved, made larger and touched."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from kivy.graphics import (
    Color,
    Line,
    Mesh,
    Rectangle,
    StencilPop,
    StencilPush,
    StencilUnUse,
    StencilUse,
)

from companion.core.views import FreePlace, PlaceView, TokenView
from companion.table.marks import Mark
from companion.ui.toolkit.draw import outline
from companion.ui.toolkit.kit import Part, extent, lettered, look, rgba
from companion.ui.toolkit.look import INK

ROOT3 = math.sqrt(3)
SMALLEST, LARGEST = 0.5, 6.0
SMALL = 38
"""Hexes smaller than this show fewer things, larger."""
NUDGE = 14
"""So far a finger may slip and still have tapped."""


class Sight:
    """Which part of the map is looked at; it outlives the parts that draw it."""

    def __init__(self) -> None:
        self.scale, self.x, self.y = 1.0, 0.0, 0.0

    def zoom(self, factor: float) -> None:
        """Larger or smaller."""
        scale = max(SMALLEST, min(LARGEST, self.scale * factor))
        self.x, self.y = self.x * scale / self.scale, self.y * scale / self.scale
        self.scale = scale


class HexMap(Part):
    """Draws places, and possible places (`free`) as outlines; those that can be chosen have a bright rim."""

    def __init__(
        self,
        places: Iterable[PlaceView],
        marks: tuple[Mark, ...],
        words: Callable[[Any], str],
        sight: Sight,
        on_place: Callable[[str], None],
        free: Iterable[FreePlace] = (),
        choosable: Iterable[str] = (),
        chosen: str | None = None,
    ) -> None:
        super().__init__()
        self.places = tuple(places)
        self.marks, self.words, self.sight, self.on_place = marks, words, sight, on_place
        self.free = {place.id: (place.q, place.r) for place in free}
        self.choosable, self.chosen = frozenset(choosable), chosen
        self._touches: dict[Any, tuple[float, float]] = {}

    def fit(self, width: float) -> float:
        return width * 0.75

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.draw()

    # Where things are

    @property
    def size_of_hex(self) -> float:
        """From the middle of a hex to a corner, so that the whole map fits at scale one."""
        spots = [(p.q, p.r) for p in self.places] + list(self.free.values())
        xs, ys = zip(*[(1.5 * q, ROOT3 * (r + q / 2)) for q, r in spots], strict=True)
        wide, high = max(xs) - min(xs) + 2.2, max(ys) - min(ys) + 2.0
        return min(self.width / wide, self.height / high) * self.sight.scale

    def middle_of(self, q: int, r: int) -> tuple[float, float]:
        """The middle of a hex on the screen."""
        spots = [(p.q, p.r) for p in self.places] + list(self.free.values())
        xs, ys = zip(*[(1.5 * a, ROOT3 * (b + a / 2)) for a, b in spots], strict=True)
        size = self.size_of_hex
        left, up = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
        return (
            self.center_x + (1.5 * q - left) * size + self.sight.x,
            self.center_y - (ROOT3 * (r + q / 2) - up) * size + self.sight.y,
        )

    def place_at(self, x: float, y: float) -> str | None:
        """The hex under a finger."""
        size = self.size_of_hex * 0.9
        spots = {p.id: (p.q, p.r) for p in self.places} | self.free
        for id, (q, r) in spots.items():
            mx, my = self.middle_of(q, r)
            if math.hypot(x - mx, y - my) < size:
                return id
        return None

    # Drawing

    def draw(self) -> None:
        """Draw everything anew."""
        self.canvas.clear()
        if not self.places:
            return
        size = self.size_of_hex
        with self.canvas:
            StencilPush()
            Rectangle(pos=self.pos, size=self.size)
            StencilUse()
            Color(*rgba("surface"))
            Rectangle(pos=self.pos, size=self.size)
            for id, (q, r) in self.free.items():
                self._rim(self.middle_of(q, r), size, "accent" if id in self.choosable else "line", id)
                self._write("+", self.middle_of(q, r), size * 0.5, "accent")
            for place in self.places:
                self._hex(place, size)
            StencilUnUse()
            Rectangle(pos=self.pos, size=self.size)
            StencilPop()

    def _corners(self, middle: tuple[float, float], size: float) -> list[tuple[float, float]]:
        return [
            (middle[0] + size * math.cos(n * math.pi / 3), middle[1] + size * math.sin(n * math.pi / 3))
            for n in range(6)
        ]

    def _hex(self, place: PlaceView, size: float) -> None:
        middle = self.middle_of(place.q, place.r)
        if not (
            self.x - size < middle[0] < self.right + size and self.y - size < middle[1] < self.top + size
        ):
            return
        corners = self._corners(middle, size * 0.96)
        owner = self.marks[place.seat] if place.seat is not None else None
        Color(*rgba("raised"))
        self._fill(middle, corners)
        if owner is not None:
            Color(*rgba(owner.colour)[:3], 0.28)
            self._fill(middle, corners)
        self._rim(middle, size, "accent" if place.id in self.choosable else "line", place.id)
        self._edges(place, middle, size)
        x, y = middle
        small = size < look().px(SMALL)
        self._write(place.label, (x, y + size * 0.55), size * (0.3 if small else 0.24), "text")
        self._owner_row(place, owner, (x, y + size * 0.23), size, small)
        self._fleets(place, (x, y - size * 0.11), size, small)
        self._spots(place, (x, y - size * 0.45), size, small)

    def _fill(self, middle: tuple[float, float], corners: list[tuple[float, float]]) -> None:
        vertices = [v for corner in (middle, *corners, corners[0]) for v in (*corner, 0, 0)]
        Mesh(vertices=vertices, indices=list(range(len(corners) + 2)), mode="triangle_fan")

    def _rim(self, middle: tuple[float, float], size: float, tone: str, id: str) -> None:
        Color(*rgba("text" if id == self.chosen else tone))
        points = [v for corner in self._corners(middle, size * 0.96) for v in corner]
        Line(points=points, close=True, width=look().px(3 if id == self.chosen or tone == "accent" else 1.2))

    def _edges(self, place: PlaceView, middle: tuple[float, float], size: float) -> None:
        """An open side has half a disc: with the one beyond it makes a whole."""
        for direction, is_open in enumerate(place.edges):
            if not is_open:
                continue
            angle = math.pi / 2 - direction * math.pi / 3
            away = size * 0.96 * ROOT3 / 2
            at = (middle[0] + away * math.cos(angle), middle[1] + away * math.sin(angle))
            turns = [angle + math.pi / 2 + n * math.pi / 8 for n in range(9)]
            radius = size * 0.13
            Color(*rgba("text"))
            self._fill(at, [(at[0] + radius * math.cos(t), at[1] + radius * math.sin(t)) for t in turns])

    def _owner_row(
        self, place: PlaceView, owner: Mark | None, at: tuple[float, float], size: float, small: bool
    ) -> None:
        """Whose disc lies here, and beside it what belongs to nobody."""
        words = " ".join(self._counted(token) for token in place.tokens if token.seat is None)
        font, radius = size * (0.3 if small else 0.24), size * (0.24 if small else 0.2)
        wide = self._width(words, font)
        gap = size * 0.06 if words and owner is not None else 0.0
        left = at[0] - (wide + gap + (2 * radius if owner is not None else 0)) / 2
        if owner is not None:
            self._badge(owner, (left + radius, at[1]), radius)
            left += 2 * radius + gap
        self._write(words, (left + wide / 2, at[1]), font, "accent")

    def _fleets(self, place: PlaceView, at: tuple[float, float], size: float, small: bool) -> None:
        """A line for everybody with pieces here: their shape, then which and how many; if small, only how many."""
        fleets: dict[int, list[TokenView]] = {}
        for token in place.tokens:
            if token.seat is not None:
                fleets.setdefault(token.seat, []).append(token)
        most = 0.36 if small else 0.3
        high = size * (most if len(fleets) < 2 else 0.46 / len(fleets))
        for n, (seat, tokens) in enumerate(fleets.items()):
            words = " ".join(map(self._counted, tokens)) if not small else str(sum(t.count for t in tokens))
            font, radius = high * 0.85, high * 0.42
            wide = self._width(words, font)
            left = at[0] - (wide + 2.4 * radius) / 2
            y = at[1] + high * ((len(fleets) - 1) / 2 - n)
            Color(*rgba(self.marks[seat].colour))
            self._fill((left + radius, y), outline(self.marks[seat].shape, left + radius, y, radius))
            self._write(words, (left + 2.4 * radius + wide / 2, y), font, "text")

    def _spots(self, place: PlaceView, at: tuple[float, float], size: float, small: bool) -> None:
        """Printed spots in a line: filled if something lies there, with a second rim if they take more."""
        side = size * min(
            0.2, 0.93 / max(1, len(place.spots))
        )  # as many as there are fit between the open sides
        for n, spot in enumerate(place.spots):
            x = at[0] + (n - len(place.spots) / 2) * side * 1.2 + side * 0.1
            y = at[1] - side / 2
            Color(*rgba(spot.colour))
            if spot.taken:
                Rectangle(pos=(x, y), size=(side, side))
            Line(rectangle=(x, y, side, side), width=look().px(0.8 if small else 1.2))
            if spot.starred:
                Line(
                    points=[x, y - side * 0.25, x + side, y - side * 0.25],
                    width=look().px(0.8 if small else 1.2),
                )
            if not small:
                middle = (x + side / 2, at[1])
                self._write(self.words(spot.text), middle, side * 0.8, INK if spot.taken else spot.colour)

    def _counted(self, token: TokenView) -> str:
        return (f"{token.count}" if token.count > 1 else "") + self.words(token.text)

    def _badge(self, mark: Mark, at: tuple[float, float], radius: float) -> None:
        Color(*rgba(mark.colour))
        self._fill(at, outline(mark.shape, *at, radius))
        self._write(mark.letter, at, radius * 1.0, INK)

    def _width(self, words: str, size: float) -> float:
        return extent(words, "Words", max(6, size), True) if words else 0.0

    def _write(self, words: str, at: tuple[float, float], size: float, tone: str) -> None:
        if not words:
            return
        letters = lettered(words, "Words", max(6, size), True, "left", None)
        wide, high = letters.size
        Color(*rgba(tone))
        Rectangle(texture=letters, pos=(at[0] - wide / 2, at[1] - high / 2), size=letters.size)

    # Touching: one finger moves or taps, two make it larger or smaller, so does a wheel

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        if getattr(touch, "is_mouse_scrolling", False):
            self.sight.zoom(1.15 if touch.button == "scrollup" else 1 / 1.15)
            self.draw()
            return True
        touch.grab(self)
        self._touches[touch.uid] = touch.pos
        touch.ud["map"] = (touch.pos, False)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self or touch.uid not in self._touches:
            return False
        others = [pos for uid, pos in self._touches.items() if uid != touch.uid]
        before = self._touches[touch.uid]
        if others:
            apart = math.dist(before, others[0]) or 1.0
            self.sight.zoom(math.dist(touch.pos, others[0]) / apart)
            touch.ud["map"] = (touch.ud["map"][0], True)
        elif touch.ud["map"][1] or math.dist(touch.pos, touch.ud["map"][0]) > look().px(NUDGE):
            touch.ud["map"] = (touch.ud["map"][0], True)
            self.sight.x += touch.x - before[0]
            self.sight.y += touch.y - before[1]
        self._touches[touch.uid] = touch.pos
        self.draw()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        self._touches.pop(touch.uid, None)
        if not touch.ud["map"][1] and (place := self.place_at(*touch.pos)) is not None:
            self.on_place(place)
        return True
