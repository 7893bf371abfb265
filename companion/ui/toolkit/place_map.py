"""A map of places and the lines between them, with owners and pieces; it can be moved, zoomed and tapped."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from kivy.graphics import Color, Rectangle, StencilPop, StencilPush, StencilUnUse, StencilUse
from msgspec import Struct

from companion.core.faces import Face
from companion.core.game import Game
from companion.core.hexes import ROOT3, HexPoint, neighbour
from companion.core.views import FreePlace, LinkView, PlaceShape, PlaceView
from companion.core.words import Text
from companion.table.marks import Mark
from companion.ui.toolkit.context import TOUCH_CONTEXT
from companion.ui.toolkit.drawn_places import Brush
from companion.ui.toolkit.kit import Part, rgba, theme
from companion.ui.toolkit.long_press import LongPress
from companion.ui.toolkit.outlines import box, inside
from companion.ui.toolkit.touches import TWICE

SMALLEST, LARGEST = 0.5, 6.0
WIDEST = 0.27
"""The largest initial size of a place, relative to the shorter side of the map."""
NUDGE = 14
"""How far a finger may move and still count as a tap."""


class Sight:
    """The visible section of a map; it survives rebuilds of the map."""

    def __init__(self) -> None:
        self.about: object = None
        self.tapped: tuple[float, HexPoint] = (-math.inf, (0.0, 0.0))
        self.fit()

    def fit(self) -> None:
        """Reset, so that everything that matters is visible."""
        self.scale, self.x, self.y = 1.0, 0.0, 0.0

    @property
    def fitted(self) -> bool:
        """Whether it has not been moved or zoomed since `fit`."""
        return (self.scale, self.x, self.y) == (1.0, 0.0, 0.0)

    def of(self, about: object) -> Sight:
        """This sight, reset if the question is a new one."""
        if self.about != about:
            self.about = about
            self.fit()
        return self

    def zoom(self, factor: float, at: HexPoint = (0.0, 0.0)) -> None:
        """Zoom; the point `at`, relative to the middle of the map, stays where it is."""
        scale = max(SMALLEST, min(LARGEST, self.scale * factor))
        factor = scale / self.scale
        self.x, self.y = at[0] - (at[0] - self.x) * factor, at[1] - (at[1] - self.y) * factor
        self.scale = scale


class Laying(Struct, frozen=True):
    """A hex about to be put down: where, which, and by how many sixths it is turned in addition."""

    place: str
    face: Face
    edges: tuple[bool, ...]


class PlaceMap(Part):
    """Draws places, and possible places (`free`) as outlines; `offered` places are dashed and can be tapped.

    At first all offered places are completely visible, or the whole map if there are none. `on_ground` is
    called with map coordinates when a finger touched no place; `on_hold` with a place where a finger rests.
    """

    def __init__(
        self,
        game: Game,
        places: Iterable[PlaceView],
        marks: tuple[Mark, ...],
        words: Callable[[Text], str],
        sight: Sight,
        on_place: Callable[[str], None],
        *,
        free: Iterable[FreePlace] = (),
        links: Iterable[LinkView] = (),
        offered: Iterable[str] = (),
        chosen: str | None = None,
        laying: Laying | None = None,
        about: object = None,
        on_ground: Callable[[HexPoint], None] | None = None,
        frame: tuple[float, float, float, float] | None = None,
        on_hold: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__()
        self.places, self.links = tuple(places), tuple(links)
        self.sight, self.on_place, self.about, self.on_hold = sight, on_place, about, on_hold
        self.free = {place.id: place for place in free}
        self.offered, self.chosen, self.laying = frozenset(offered), chosen, laying
        self.spots: dict[str, HexPoint] = {p.id: (p.x, p.y) for p in self.places}
        self.spots |= {p.id: (p.x, p.y) for p in self.free.values()}
        self.shapes: dict[str, PlaceShape] = {p.id: p.shape for p in self.places}
        self.brush, self.on_ground = Brush(game, marks, words), on_ground
        self._frame = frame or self._framed()
        self._touches: dict[Any, HexPoint] = {}
        self._resting: LongPress | None = None

    def fit(self, width: float) -> float:
        return width * 0.75

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.draw()

    # Positions

    def _framed(self) -> tuple[float, float, float, float]:
        """What must be visible: the offered places and their neighbours, or everything."""
        wanted = {id for id in self.offered if id in self.spots}
        linked = {frozenset((link.one, link.other)) for link in self.links}
        near = {
            id
            for id in self.spots
            if any(_touch(self.spots[id], self.spots[o]) or {id, o} in linked for o in wanted)
        }
        shown = wanted | near if wanted else self.spots.keys()
        return box((self.shapes.get(id, "hex"), self.spots[id]) for id in shown)

    @property
    def radius(self) -> float:
        """The distance from the middle of a place to its rim."""
        left, low, right, high = self._frame
        room = min(self.width / (right - left + 0.2), self.height / (high - low + 0.2))
        return min(room, WIDEST * min(self.width, self.height)) * self.sight.scale

    def on_screen(self, x: float, y: float) -> HexPoint:
        """Convert map coordinates to screen coordinates."""
        left, low, right, high = self._frame
        size = self.radius
        return (
            self.center_x + (x - (left + right) / 2) * size + self.sight.x,
            self.center_y + (y - (low + high) / 2) * size + self.sight.y,
        )

    def ground_at(self, x: float, y: float) -> HexPoint:
        """Convert screen coordinates to map coordinates."""
        (left, low), size = self.on_screen(0, 0), self.radius
        return (x - left) / size, (y - low) / size

    def place_at(self, x: float, y: float) -> str | None:
        """The place under a finger."""
        size = self.radius
        return next(
            (
                id
                for id, at in self.spots.items()
                if inside(self.shapes.get(id, "hex"), self.on_screen(*at), size, (x, y))
            ),
            None,
        )

    # Drawing

    def draw(self) -> None:
        """Redraw everything."""
        self.canvas.clear()
        size = self.radius
        self.brush.room = (self.x, self.y, self.right, self.top)
        edges = {place.id: place.edges for place in self.places}
        if self.laying is not None:
            edges[self.laying.place] = self.laying.edges
        sides = {_rounded(self.spots[id]): open_sides for id, open_sides in edges.items() if open_sides}
        with self.canvas:
            StencilPush()
            Rectangle(pos=self.pos, size=self.size)
            StencilUse()
            Color(*rgba("surface"))
            Rectangle(pos=self.pos, size=self.size)
            lines = [(link, self._at(link.one), self._at(link.other)) for link in self.links]
            for link, one, other in lines:
                self.brush.line(link, one, other, size)
            for id, place in self.free.items():
                if self._visible(id, size) and (self.laying is None or id != self.laying.place):
                    self.brush.empty(self._at(id), size, place.label, id in self.offered)
            for lying in self.places:
                if self._visible(lying.id, size):
                    at, met = self._at(lying.id), _met(self.spots[lying.id], lying.edges, sides)
                    self.brush.place(lying, at, size, met)
                    if lying.id in self.offered or lying.id == self.chosen:
                        self.brush.rim(
                            lying.shape, at, size, "accent" if lying.id in self.offered else "text"
                        )
            for link, one, other in lines:
                self.brush.on_line(link, one, other, size)
            if self.laying is not None:
                self._lay(self.laying, size, sides)
            StencilUnUse()
            Rectangle(pos=self.pos, size=self.size)
            StencilPop()

    def _at(self, id: str) -> HexPoint:
        return self.on_screen(*self.spots[id])

    def _lay(self, laying: Laying, size: float, sides: dict[HexPoint, tuple[bool, ...]]) -> None:
        at = self._at(laying.place)
        self.brush.laid(laying.face, laying.edges, at, size)
        for direction in range(6):
            there = sides.get(_rounded(neighbour(self.spots[laying.place], direction)))
            if there:
                here, met = laying.edges[direction], there[(direction + 3) % 6]
                if here or met:
                    self.brush.joint(at, size, direction, here and met)

    def _visible(self, id: str, size: float) -> bool:
        x, y = self._at(id)
        return self.x - size < x < self.right + size and self.y - size < y < self.top + size

    # Touching: one finger moves or taps, two fingers or a wheel zoom, a double tap fits the map again

    def _from_middle(self, point: HexPoint) -> HexPoint:
        return point[0] - self.center_x, point[1] - self.center_y

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        if getattr(touch, "is_mouse_scrolling", False):
            self.sight.zoom(1.15 if touch.button == "scrollup" else 1 / 1.15, self._from_middle(touch.pos))
            self.draw()
            return True
        touch.grab(self)
        touch.ud["seen"] = touch.ud[TOUCH_CONTEXT].desk.seen
        self._touches[touch.uid] = touch.pos
        touch.ud["map"] = (touch.pos, bool(len(self._touches) > 1))
        if self._resting is not None:  # two fingers zoom
            self._resting.stop()
            self._resting = None
        elif self.on_hold is not None and (place := self.place_at(*touch.pos)) in self.shapes:
            self._resting = LongPress(touch, partial(self.on_hold, place))
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self or touch.uid not in self._touches:
            return False
        if self._resting is not None:
            self._resting.moved()
        others = [(uid, pos) for uid, pos in self._touches.items() if uid != touch.uid]
        before = self._touches[touch.uid]
        if others:
            self._pinch(before, touch.pos, others[0][1])
            touch.ud["map"] = (touch.ud["map"][0], True)
        elif touch.ud["map"][1] or math.dist(touch.pos, touch.ud["map"][0]) > theme().px(NUDGE):
            touch.ud["map"] = (touch.ud["map"][0], True)
            self.sight.x += touch.x - before[0]
            self.sight.y += touch.y - before[1]
        self._touches[touch.uid] = touch.pos
        self.draw()
        return True

    def _pinch(self, before: HexPoint, now: HexPoint, other: HexPoint) -> None:
        """Zoom with two fingers: the point between them stays between them."""
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
        resting, self._resting = self._resting, None
        if resting is not None:
            resting.stop()
        if not touch.ud["map"][1] and not (resting is not None and resting.done):
            with touch.ud[TOUCH_CONTEXT].desk.acting_on(touch.ud["seen"]):
                self._tapped(touch)
        return True

    def _tapped(self, touch: Any) -> None:
        """An offered place answers only once, even to a double tap; elsewhere a double tap fits the map."""
        touches = touch.ud[TOUCH_CONTEXT].touches
        place, at = self.place_at(*touch.pos), touches.when(touch)
        last, where = self.sight.tapped
        self.sight.tapped = (at, touch.pos)
        if place in self.offered and place is not None:
            if not touches.again(touch, f"place-{place}", self.about):
                self.on_place(place)
        elif 0 < at - last < TWICE and math.dist(where, touch.pos) < theme().px(3 * NUDGE):
            self.sight.fit()
            self.draw()
        elif place is not None:
            self.on_place(place)
        elif self.on_ground is not None:
            self.on_ground(self.ground_at(*touch.pos))


def _touch(one: HexPoint, other: HexPoint) -> bool:
    """Whether two places are as close as hexes that share a side."""
    return 0 < math.dist(one, other) < ROOT3 + 0.1


def _rounded(at: HexPoint) -> HexPoint:
    """Map coordinates, rounded so that the same place always compares equal."""
    return round(at[0], 2) + 0.0, round(at[1], 2) + 0.0


def _met(at: HexPoint, mine: tuple[bool, ...], sides: dict[HexPoint, tuple[bool, ...]]) -> tuple[bool, ...]:
    """Which open sides of a hex meet another open side."""
    there = [sides.get(_rounded(neighbour(at, n)), ()) for n in range(6)]
    return tuple(is_open and bool(there[n]) and there[n][(n + 3) % 6] for n, is_open in enumerate(mine))
