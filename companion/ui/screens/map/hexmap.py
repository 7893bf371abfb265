"""A map of hexes: where they lie, whose they are, what lies on them; it can be moved, made larger and touched."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from kivy.app import App
from kivy.graphics import Color, Rectangle, StencilPop, StencilPush, StencilUnUse, StencilUse
from msgspec import Struct

from companion.core.faces import Face
from companion.core.game import Game
from companion.core.views import FreePlace, PlaceView
from companion.table.marks import Mark
from companion.ui.screens.map.drawn_hex import Brush
from companion.ui.screens.map.hexes import Hex, Point, beyond, box, middle
from companion.ui.toolkit.kit import Part, look, rgba
from companion.ui.toolkit.touches import TWICE

SMALLEST, LARGEST = 0.5, 6.0
WIDEST = 0.27
"""A hex is never larger than this at first, by the shorter side of the map."""
NUDGE = 14
"""So far a finger may slip and still have tapped."""


class Sight:
    """Which part of the map is looked at; it outlives the parts that draw it."""

    def __init__(self) -> None:
        self.about: object = None
        self.tapped: tuple[float, Point] = (-math.inf, (0.0, 0.0))
        self.fit()

    def fit(self) -> None:
        """Everything that matters is in sight again."""
        self.scale, self.x, self.y = 1.0, 0.0, 0.0

    def of(self, about: object) -> Sight:
        """The same, for this question; another one is looked at anew."""
        if self.about != about:
            self.about = about
            self.fit()
        return self

    def zoom(self, factor: float, at: Point = (0.0, 0.0)) -> None:
        """Larger or smaller; what is at this point, seen from the middle of the map, stays there."""
        scale = max(SMALLEST, min(LARGEST, self.scale * factor))
        factor = scale / self.scale
        self.x, self.y = at[0] - (at[0] - self.x) * factor, at[1] - (at[1] - self.y) * factor
        self.scale = scale


class Laying(Struct, frozen=True):
    """A hex that is about to be put down: where, what, and by how many sixths it is turned besides."""

    place: str
    face: Face
    edges: tuple[bool, ...]


class HexMap(Part):
    """Draws places, and possible places (`free`) as outlines; what is `offered` is dashed and answers to a touch.

    At first everything offered is in sight, whole; where nothing is, all of the map.
    """

    def __init__(
        self,
        game: Game,
        places: Iterable[PlaceView],
        marks: tuple[Mark, ...],
        sight: Sight,
        on_place: Callable[[str], None],
        *,
        free: Iterable[FreePlace] = (),
        offered: Iterable[str] = (),
        chosen: str | None = None,
        laying: Laying | None = None,
        about: object = None,
    ) -> None:
        super().__init__()
        self.places = tuple(places)
        self.sight, self.on_place, self.about = sight, on_place, about
        self.free = {place.id: place for place in free}
        self.offered, self.chosen, self.laying = frozenset(offered), chosen, laying
        self.spots: dict[str, Hex] = {p.id: (p.q, p.r) for p in self.places}
        self.spots |= {p.id: (p.q, p.r) for p in self.free.values()}
        self.brush = Brush(game, marks)
        self._frame = self._framed()
        self._touches: dict[Any, Point] = {}

    def fit(self, width: float) -> float:
        return width * 0.75

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.draw()

    # Where things are

    def _framed(self) -> tuple[float, float, float, float]:
        """What must be in sight: what is offered and what lies beside it, or everything."""
        wanted = [self.spots[id] for id in self.offered if id in self.spots]
        near = {hex for hex in self.spots.values() if any(_beside(hex, other) for other in wanted)}
        return box([*wanted, *near] if wanted else self.spots.values())

    @property
    def size_of_hex(self) -> float:
        """From the middle of a hex to a corner."""
        left, low, right, high = self._frame
        room = min(self.width / (right - left + 0.2), self.height / (high - low + 0.2))
        return min(room, WIDEST * min(self.width, self.height)) * self.sight.scale

    def middle_of(self, q: int, r: int) -> Point:
        """The middle of a hex on the screen."""
        left, low, right, high = self._frame
        x, y = middle((q, r))
        size = self.size_of_hex
        return (
            self.center_x + (x - (left + right) / 2) * size + self.sight.x,
            self.center_y + (y - (low + high) / 2) * size + self.sight.y,
        )

    def place_at(self, x: float, y: float) -> str | None:
        """The hex under a finger."""
        size = self.size_of_hex * 0.9
        for id, hex in self.spots.items():
            mx, my = self.middle_of(*hex)
            if math.hypot(x - mx, y - my) < size:
                return id
        return None

    # Drawing

    def draw(self) -> None:
        """Draw everything anew."""
        self.canvas.clear()
        if not self.spots:
            return
        size = self.size_of_hex
        edges = {(place.q, place.r): place.edges for place in self.places}
        if self.laying is not None:
            edges[self.spots[self.laying.place]] = self.laying.edges
        with self.canvas:
            StencilPush()
            Rectangle(pos=self.pos, size=self.size)
            StencilUse()
            Color(*rgba("surface"))
            Rectangle(pos=self.pos, size=self.size)
            for id, place in self.free.items():
                if self._visible((place.q, place.r), size) and (
                    self.laying is None or id != self.laying.place
                ):
                    self.brush.empty(self.middle_of(place.q, place.r), size, place.label, id in self.offered)
            for lying in self.places:
                if self._visible((lying.q, lying.r), size):
                    at = self.middle_of(lying.q, lying.r)
                    self.brush.hex(lying, at, size, _met((lying.q, lying.r), lying.edges, edges))
                    if lying.id in self.offered or lying.id == self.chosen:
                        self.brush.rim(at, size, "accent" if lying.id in self.offered else "text")
            if self.laying is not None:
                self._lay(self.laying, size, edges)
            StencilUnUse()
            Rectangle(pos=self.pos, size=self.size)
            StencilPop()

    def _lay(self, laying: Laying, size: float, edges: dict[Hex, tuple[bool, ...]]) -> None:
        hex = self.spots[laying.place]
        at = self.middle_of(*hex)
        self.brush.laid(laying.face, laying.edges, at, size)
        for direction in range(6):
            there = edges.get(beyond(hex, direction))
            if there:
                here, met = laying.edges[direction], there[(direction + 3) % 6]
                if here or met:
                    self.brush.joint(at, size, direction, here and met)

    def _visible(self, hex: Hex, size: float) -> bool:
        x, y = self.middle_of(*hex)
        return self.x - size < x < self.right + size and self.y - size < y < self.top + size

    # Touching: one finger moves or taps, two make it larger or smaller, so does a wheel; a double touch fits it again

    def _from_middle(self, point: Point) -> Point:
        return point[0] - self.center_x, point[1] - self.center_y

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        if getattr(touch, "is_mouse_scrolling", False):
            self.sight.zoom(1.15 if touch.button == "scrollup" else 1 / 1.15, self._from_middle(touch.pos))
            self.draw()
            return True
        touch.grab(self)
        self._touches[touch.uid] = touch.pos
        touch.ud["map"] = (touch.pos, bool(len(self._touches) > 1))
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self or touch.uid not in self._touches:
            return False
        others = [(uid, pos) for uid, pos in self._touches.items() if uid != touch.uid]
        before = self._touches[touch.uid]
        if others:
            self._pinch(before, touch.pos, others[0][1])
            touch.ud["map"] = (touch.ud["map"][0], True)
        elif touch.ud["map"][1] or math.dist(touch.pos, touch.ud["map"][0]) > look().px(NUDGE):
            touch.ud["map"] = (touch.ud["map"][0], True)
            self.sight.x += touch.x - before[0]
            self.sight.y += touch.y - before[1]
        self._touches[touch.uid] = touch.pos
        self.draw()
        return True

    def _pinch(self, before: Point, now: Point, other: Point) -> None:
        """Two fingers: what was between them stays between them."""
        apart = math.dist(before, other) or 1.0
        was = self._from_middle(((before[0] + other[0]) / 2, (before[1] + other[1]) / 2))
        self.sight.zoom(math.dist(now, other) / apart, was)
        self.sight.x += (now[0] - before[0]) / 2
        self.sight.y += (now[1] - before[1]) / 2

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        self._touches.pop(touch.uid, None)
        if not touch.ud["map"][1]:
            self._tapped(touch)
        return True

    def _tapped(self, touch: Any) -> None:
        """An offered place answers once, however fast it is touched again; elsewhere a second touch fits the map."""
        touches = App.get_running_app().touches
        place, at = self.place_at(*touch.pos), touches.when(touch)
        last, where = self.sight.tapped
        self.sight.tapped = (at, touch.pos)
        if place in self.offered and place is not None:
            if not touches.again(touch, f"place-{place}", self.about):
                self.on_place(place)
        elif 0 < at - last < TWICE and math.dist(where, touch.pos) < look().px(3 * NUDGE):
            self.sight.fit()
            self.draw()
        elif place is not None:
            self.on_place(place)


def _beside(one: Hex, other: Hex) -> bool:
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r)) == 1


def _met(hex: Hex, mine: tuple[bool, ...], edges: dict[Hex, tuple[bool, ...]]) -> tuple[bool, ...]:
    """Which open sides of a hex meet an open side."""
    there = [edges.get(beyond(hex, n), ()) for n in range(6)]
    return tuple(is_open and bool(there[n]) and there[n][(n + 3) % 6] for n, is_open in enumerate(mine))
