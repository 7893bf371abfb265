"""A board of cards and discs: it fills the room it gets, so that every name is read and every place is hit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from kivy.graphics import Color, Line, Rectangle, StencilPop, StencilPush, StencilUnUse, StencilUse

from companion.core.faces import Signs
from companion.core.game import Game
from companion.core.hexes import Point
from companion.core.views import LinkView, MapView, PlaceView
from companion.core.words import Text
from companion.drawing.board_pieces import BoardPalette, MarkedPiece
from companion.drawing.board_places import BoardPen
from companion.drawing.lines import Wording
from companion.drawing.pens import Pen
from companion.drawing.strokes import Block, Strokes
from companion.drawing.symbols import NAME
from companion.table.marks import Mark
from companion.ui.toolkit.draw import outline
from companion.ui.toolkit.geometry import Rect
from companion.ui.toolkit.holding import HELD, Holding
from companion.ui.toolkit.kit import look, rgba
from companion.ui.toolkit.place_map import PlaceMap, Sight
from companion.ui.toolkit.symbols import GROWS, measured, paint, paper

MARGIN = 4
"""Between the board and the edge of its room."""
PLANET, SMALL = 30, 15
"""How large a disc without a size is at most and at least: its radius."""
FIGURE = 11
"""The radius of what stands on a line."""
REACH = 28
"""A finger touches a disc as far from its middle as this."""
NAMED = 104
"""So wide a name beside a disc may be."""
TALLEST = 1.2
"""A card is not higher than this by its width, whatever room there is."""
BEND = 0.5
"""How far lines between cards lean out before they turn."""


class BoardMap(PlaceMap):
    """Draws a board; what is offered glows and tells what taking it means (`prices`)."""

    def __init__(
        self,
        game: Game,
        map: MapView,
        marks: tuple[Mark, ...],
        words: Callable[[Text], str],
        sight: Sight,
        on_place: Callable[[str], None],
        *,
        offered: Iterable[str] = (),
        prices: Mapping[str, Signs] | None = None,
        chosen: str | None = None,
        about: object = None,
        on_hold: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(
            game,
            map.places,
            marks,
            words,
            sight,
            on_place,
            links=map.links,
            offered=offered,
            chosen=chosen,
            about=about,
            frame=_frame(map.places),
        )
        self._radius: tuple[object, float] = (None, 0.0)
        self.prices, self.on_hold = prices or {}, on_hold
        self.by_id = {place.id: place for place in self.places}
        unit = look().unit
        pen = Pen(
            game.id,
            game.tints,
            measured,
            look().language,
            unit,
            paper(),
            NAME * unit * min(GROWS, max(1.0, look().text)),
        )
        palette = BoardPalette(
            paper=paper(),
            under=look().colour("ground"),
            line=look().colour("line"),
            accent=look().colour("accent"),
            main=look().colour("main"),
            seats=tuple(mark.colour for mark in marks),
        )
        self.pen = BoardPen(pen, palette, lambda seat, *at: _flipped(marks[seat].shape, *at))

    # Where things are

    @property
    def scales(self) -> Point:
        """Pixels for each unit across and up."""
        left, low, right, high = self._frame
        edge = 2 * look().px(MARGIN)
        loose = any(not place.wide for place in self.places)
        across, up = (2 * look().px(PLANET + 20), 2 * look().px(PLANET + 4)) if loose else (edge, edge)
        wide, tall = max(0.1, right - left), max(0.1, high - low)
        size = self.sight.scale
        return max(1.0, self.width - across) / wide * size, max(1.0, self.height - up) / tall * size

    def on_screen(self, x: float, y: float) -> Point:
        left, low, right, high = self._frame
        across, up = self.scales
        return (
            self.center_x + (x - (left + right) / 2) * across + self.sight.x,
            self.center_y + (y - (low + high) / 2) * up + self.sight.y,
        )

    def ground_at(self, x: float, y: float) -> Point:
        (left, low), (across, up) = self.on_screen(0, 0), self.scales
        return (x - left) / across, (y - low) / up

    @property
    def radius(self) -> float:
        """That of a disc without a size: as large as the nearest neighbours and what stands between them allow."""
        key = (self.width, self.height, self.sight.scale)
        if self._radius[0] != key:
            self._radius = key, self._roomy()
        return self._radius[1]

    def _roomy(self) -> float:
        spots = [self.on_screen(place.x, place.y) for place in self.places if not place.wide]
        near = min(
            (math.dist(one, other) for n, one in enumerate(spots) for other in spots[:n]), default=math.inf
        )
        largest = look().px(PLANET) * max(1.0, self.sight.scale)
        return max(look().px(SMALL), min(largest, (near - 2 * look().px(FIGURE)) / 2))

    def rect_of(self, place: PlaceView) -> Rect:
        """Where a place is on the screen, whole."""
        x, y = self.on_screen(place.x, place.y)
        if place.shape == "disc":
            radius = self._radius_of(place)
            return x - radius, y - radius, x + radius, y + radius
        across, up = self.scales
        wide = place.wide * across
        high = min(place.high * up, wide * TALLEST)
        return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2

    def _radius_of(self, place: PlaceView) -> float:
        across, up = self.scales
        return min(place.wide * across, place.high * up) / 2 if place.wide else self.radius

    def place_at(self, x: float, y: float) -> str | None:
        """The card under a finger, or the disc that is nearest to it."""
        near: list[tuple[float, str]] = []
        for place in self.places:
            left, low, right, high = self.rect_of(place)
            if place.shape != "disc":
                if left <= x <= right and low <= y <= high:
                    return place.id
                continue
            away = math.dist((x, y), ((left + right) / 2, (low + high) / 2))
            if away <= max((right - left) / 2, look().px(REACH)):
                near.append((away, place.id))
        return min(near)[1] if near else None

    # Holding

    def on_touch_down(self, touch: Any) -> bool:
        taken = super().on_touch_down(touch)
        if taken and self.on_hold is not None and touch.uid in self._touches and len(self._touches) == 1:
            place = self.place_at(*touch.pos)
            if place is not None:
                Holding(touch, partial(self.on_hold, place))
        return taken

    def on_touch_move(self, touch: Any) -> bool:
        if HELD in touch.ud:
            touch.ud[HELD].moved()
        return super().on_touch_move(touch)

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is self and HELD in touch.ud:
            touch.ud[HELD].stop()
            if touch.ud[HELD].done:
                touch.ud["map"] = (touch.ud["map"][0], True)
        return super().on_touch_up(touch)

    # Drawing

    def draw(self) -> None:
        """Draw everything anew."""
        self.canvas.clear()
        with self.canvas:
            StencilPush()
            Rectangle(pos=self.pos, size=self.size)
            StencilUse()
            Color(*rgba("ground"))
            Rectangle(pos=self.pos, size=self.size)
            for link in self.links:
                self._join(link)
            self._figures()
            for place in self.places:
                self._place(place)
            self._beside_planets()
            StencilUnUse()
            Rectangle(pos=self.pos, size=self.size)
            StencilPop()

    def _marked(self, place: PlaceView) -> MarkedPiece:
        offered = place.id in self.offered
        return MarkedPiece(offered, place.id == self.chosen, self.prices.get(place.id, ()) if offered else ())

    def _place(self, place: PlaceView) -> None:
        left, low, right, high = self.rect_of(place)
        if right < self.x or left > self.right or high < self.y or low > self.top:
            return
        marked = self._marked(place)
        if place.shape == "disc":
            middle, radius = ((left + right) / 2, (low + high) / 2), (right - left) / 2
            if marked.offered or marked.chosen:
                self.brush.ring(middle, radius + look().px(4), "accent" if marked.offered else "text")
            paint(self.pen.disc(place, radius, marked).strokes, *middle)
        else:
            paint(self.pen.card(place, right - left, high - low, marked).strokes, left, high)

    # Lines

    def _join(self, link: LinkView) -> None:
        one, other = self.by_id[link.one], self.by_id[link.other]
        lit = (one.active and other.id in self.offered) or (other.active and one.id in self.offered)
        Color(*rgba("accent" if lit else "dim")[:3], 1.0 if lit else 0.45 if link.dim else 0.8)
        width = look().px(2.4 if lit else 1.5)
        a, b = self.rect_of(one), self.rect_of(other)
        if a[0] > b[0]:
            a, b = b, a
        start, end = (a[2], (a[1] + a[3]) / 2), (b[0], (b[1] + b[3]) / 2)
        if "disc" in (one.shape, other.shape) or start[0] > end[0]:
            middles = ((a[0] + a[2]) / 2, start[1], (b[0] + b[2]) / 2, end[1])
            Line(points=middles, width=width)
        else:
            lean = (end[0] - start[0]) * BEND
            Line(bezier=(*start, start[0] + lean, start[1], end[0] - lean, end[1], *end), width=width)

    def _figures(self) -> None:
        for link in self.links:
            if link.label:
                self.brush.figure(link.label, self._between(link), look().px(FIGURE), link.dim)

    def _between(self, link: LinkView) -> Point:
        one, other = (self.on_screen(*self.spots[id]) for id in (link.one, link.other))
        return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2

    # Planets: what stands on their rims, and their names where there is room

    def _beside_planets(self) -> None:
        planets = [place for place in self.places if place.shape == "disc" and not place.wide]
        if not planets:
            return
        taken = [_inset(self.rect_of(place)) for place in planets]
        figure = look().px(FIGURE)
        taken += [(x - figure, y - figure, x + figure, y + figure) for x, y in self._labels()]
        rims = [stood for place in planets for stood in self._rim(place)]
        taken += [rect for _, rect in rims]
        for place in sorted(planets, key=self._calm):
            self._write_name(place, taken)
        for strokes, (left, _, _, high) in rims:
            paint(strokes, left, high)

    def _labels(self) -> Iterator[Point]:
        return (self._between(link) for link in self.links if link.label)

    def _calm(self, place: PlaceView) -> int:
        """Names are missed least where nothing is offered and nothing lies."""
        return 0 if place.id in self.offered else 1 if place.tokens else 2

    def _rim(self, place: PlaceView) -> Iterator[tuple[Strokes, Rect]]:
        x, y = self.on_screen(place.x, place.y)
        seen = self.x <= x <= self.right and self.y <= y <= self.top
        for laid, left, top in self.pen.around(place, self.radius, self._marked(place)):
            stands = x + left, y - top - laid.high, laid.wide, laid.high
            yield (
                laid.strokes,
                self._within(*stands)
                if seen
                else (*stands[:2], stands[0] + laid.wide, stands[1] + laid.high),
            )

    def _write_name(self, place: PlaceView, taken: list[Rect]) -> None:
        tone = "accent" if place.id in self.offered else "text"
        for name, (left, low, right, high) in self._candidates(place):
            rect = (left, low, right, high)
            if not any(_meet(rect, other) for other in taken):
                taken.append(rect)
                back = Block(
                    0, 0, right - left, high - low, look().colour("ground"), look().px(4), opacity=0.75
                )
                lines = name.strokes(0, 0, look().colour(tone), measured, right - left)
                paint((back, *lines), left, high)
                return

    def _candidates(self, place: PlaceView) -> Iterator[tuple[Wording, Rect]]:
        """A name in up to three lines, below its disc, above it or at a side; cut short only if it is offered."""
        x, y = self.on_screen(place.x, place.y)
        away, gap = self.radius, look().px(3)
        cut = place.id in self.offered  # of others no name is better than one that could be another's
        for whole in (True, False) if cut else (True,):
            for lines, room in (
                (1, NAMED),
                (2, NAMED),
                (2, NAMED * 1.25),
                (3, NAMED * 0.8),
                (3, NAMED * 0.65),
            ):
                name = self.pen.name(place, look().px(room), lines, whole)
                if name is None:
                    continue
                wide, high = max(measured(words, name.size, True) for words in name.words), name.high
                for left, low in (
                    (x - wide / 2, y - away - gap - high),
                    (x - wide / 2, y + away + gap),
                    (x + away + gap, y - high / 2),
                    (x - away - gap - wide, y - high / 2),
                    (x + away * 0.6, y - away * 0.9 - high),
                    (x - away * 0.6 - wide, y - away * 0.9 - high),
                    (x + away * 0.6, y + away * 0.9),
                    (x - away * 0.6 - wide, y + away * 0.9),
                ):
                    yield name, self._within(left, low, wide, high)

    def _within(self, left: float, low: float, wide: float, high: float) -> Rect:
        """Moved so far that it is inside the map."""
        left = max(self.x, min(left, self.right - wide))
        low = max(self.y, min(low, self.top - high))
        return left, low, left + wide, low + high


def _frame(places: Iterable[PlaceView]) -> Rect:
    """Left, low, right and high of everything, by the measure of the board."""
    found = list(places)
    return (
        min(place.x - place.wide / 2 for place in found),
        min(place.y - place.high / 2 for place in found),
        max(place.x + place.wide / 2 for place in found),
        max(place.y + place.high / 2 for place in found),
    )


def _flipped(shape: str, x: float, y: float, radius: float) -> tuple[Point, ...]:
    """The corners of a mark where y grows downwards."""
    return tuple((a, 2 * y - b) for a, b in outline(shape, x, y, radius))


def _inset(rect: Rect) -> Rect:
    """The box of a disc without its empty corners."""
    left, low, right, high = rect
    edge = (right - left) * 0.07
    return left + edge, low + edge, right - edge, high - edge


def _meet(one: Rect, other: Rect) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
