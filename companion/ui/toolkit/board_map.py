"""A board of cards and discs. It fills its room, so that every name is legible and every place large enough
to tap."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from kivy.graphics import Color, Line, Rectangle, StencilPop, StencilPush, StencilUnUse, StencilUse

from companion.core.faces import Signs
from companion.core.game import Game
from companion.core.hexes import HexPoint
from companion.core.views import LinkView, MapView, PlaceView
from companion.core.words import Text
from companion.drawing.board_pieces import BoardPalette, MarkedPiece
from companion.drawing.board_places import BoardPen
from companion.drawing.lines import Wording
from companion.drawing.pens import Pen
from companion.drawing.shapes import outline
from companion.drawing.strokes import Block, Strokes
from companion.drawing.symbols import NAME
from companion.table.marks import Mark
from companion.ui.toolkit.geometry import Rect
from companion.ui.toolkit.kit import rgba, theme
from companion.ui.toolkit.place_map import PlaceMap, Sight
from companion.ui.toolkit.symbols import GROWS, measured, paint, paper

MARGIN = 4
"""The distance between the board and the edge of its room."""
PLANET, SMALL = 30, 15
"""The largest and the smallest radius of a disc without a size of its own."""
FIGURE = 11
"""The radius of the figures on lines."""
REACH = 28
"""How far from its middle a disc still reacts to a finger."""
NAMED = 104
"""The largest width of a name beside a disc."""
ROOMS = ((1, NAMED), (2, NAMED), (2, NAMED * 1.25), (3, NAMED * 0.8), (3, NAMED * 0.65))
"""Allowed layouts of a name: number of lines, and their width."""
TALLEST = 1.2
"""The largest height of a card, relative to its width."""
ALONG = (0.5, 0.42, 0.58, 0.35, 0.65)
"""Where the figure of a line may be, from one end to the other, best first."""
BEND, BENDS = 0.5, 24
"""How far lines between cards bend outwards before they turn, and of how many pieces they are made."""

RimPiece = tuple[Strokes, Rect]
"""Something beside a disc, and where."""


class BoardMap(PlaceMap):
    """Draws a board; offered places glow and show what taking them means (`prices`)."""

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
            on_hold=on_hold,
        )
        self._radius: tuple[object, float] = (None, 0.0)
        self.prices = prices or {}
        self.by_id = {place.id: place for place in self.places}
        unit = theme().unit
        pen = Pen(
            game.id,
            game.tints,
            measured,
            theme().language,
            unit,
            paper(),
            NAME * unit * min(GROWS, max(1.0, theme().text)),
        )
        palette = BoardPalette(
            paper=paper(),
            under=theme().colour("ground"),
            line=theme().colour("line"),
            accent=theme().colour("accent"),
            main=theme().colour("main"),
            seats=tuple(mark.colour for mark in marks),
        )
        self.pen = BoardPen(pen, palette, lambda seat, *at: _flipped(marks[seat].shape, *at))

    # Positions

    @property
    def scales(self) -> HexPoint:
        """Pixels per unit, horizontally and vertically."""
        left, low, right, high = self._frame
        edge = 2 * theme().px(MARGIN)
        loose = any(not place.wide for place in self.places)
        across, up = (2 * theme().px(PLANET + 20), 2 * theme().px(PLANET + 4)) if loose else (edge, edge)
        wide, tall = max(0.1, right - left), max(0.1, high - low)
        size = self.sight.scale
        return max(1.0, self.width - across) / wide * size, max(1.0, self.height - up) / tall * size

    def on_screen(self, x: float, y: float) -> HexPoint:
        left, low, right, high = self._frame
        across, up = self.scales
        return (
            self.center_x + (x - (left + right) / 2) * across + self.sight.x,
            self.center_y + (y - (low + high) / 2) * up + self.sight.y,
        )

    def ground_at(self, x: float, y: float) -> HexPoint:
        (left, low), (across, up) = self.on_screen(0, 0), self.scales
        return (x - left) / across, (y - low) / up

    @property
    def radius(self) -> float:
        """The radius of a disc without a size: as large as its nearest neighbours and the figures between
        them allow."""
        key = (self.width, self.height, self.sight.scale)
        if self._radius[0] != key:
            self._radius = key, self._roomy()
        return self._radius[1]

    def _roomy(self) -> float:
        spots = [self.on_screen(place.x, place.y) for place in self.places if not place.wide]
        near = min(
            (math.dist(one, other) for n, one in enumerate(spots) for other in spots[:n]), default=math.inf
        )
        largest = theme().px(PLANET) * max(1.0, self.sight.scale)
        return max(theme().px(SMALL), min(largest, (near - 2 * theme().px(FIGURE)) / 2))

    def rect_of(self, place: PlaceView) -> Rect:
        """The rectangle of a place on the screen."""
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
        """The card under a finger, or the nearest disc."""
        near: list[tuple[float, str]] = []
        for place in self.places:
            left, low, right, high = self.rect_of(place)
            if place.shape != "disc":
                if left <= x <= right and low <= y <= high:
                    return place.id
                continue
            away = math.dist((x, y), ((left + right) / 2, (low + high) / 2))
            if away <= max((right - left) / 2, theme().px(REACH)):
                near.append((away, place.id))
        return min(near)[1] if near else None

    # Drawing

    def draw(self) -> None:
        """Redraw everything."""
        self.canvas.clear()
        with self.canvas:
            StencilPush()
            Rectangle(pos=self.pos, size=self.size)
            StencilUse()
            Color(*rgba("ground"))
            Rectangle(pos=self.pos, size=self.size)
            for link in self.links:
                self._join(link)
            rims, figures, taken = self._around_planets()
            for link, at in figures:
                self.brush.figure(link.label, at, theme().px(FIGURE), link.dim)
            for place in self.places:
                self._place(place)
            self._beside_planets(rims, taken)
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
                self.brush.ring(middle, radius + theme().px(4), "accent" if marked.offered else "text")
            room = place.wide * self.scales[0]
            paint(self.pen.disc(place, radius, marked, room).strokes, *middle)
        else:
            paint(self.pen.card(place, right - left, high - low, marked).strokes, left, high)

    # Lines

    def _join(self, link: LinkView) -> None:
        one, other = self.by_id[link.one], self.by_id[link.other]
        lit = (one.active and other.id in self.offered) or (other.active and one.id in self.offered)
        Color(*rgba("accent" if lit else "dim")[:3], 1.0 if lit else 0.45 if link.dim else 0.8)
        width = theme().px(2.4 if lit else 1.5)
        a, b = self.rect_of(one), self.rect_of(other)
        if a[0] > b[0]:
            a, b = b, a
        start, end = (a[2], (a[1] + a[3]) / 2), (b[0], (b[1] + b[3]) / 2)
        if "disc" in (one.shape, other.shape) or start[0] > end[0]:
            middles = ((a[0] + a[2]) / 2, start[1], (b[0] + b[2]) / 2, end[1])
            Line(points=middles, width=width)
        else:
            Line(points=_bent(start, end), width=width)

    def _spot_on(self, link: LinkView, taken: list[Rect]) -> HexPoint:
        """Where the figure of a line covers nothing: at its middle, or a little beside it."""
        (x, y), (right, top) = (self.on_screen(*self.spots[id]) for id in (link.one, link.other))
        spots = [(x + (right - x) * part, y + (top - y) * part) for part in ALONG]
        figure = theme().px(FIGURE)
        return next(
            (at for at in spots if not any(_meet(_square(at, figure), one) for one in taken)), spots[0]
        )

    # Planets: the signs on their rims, and their names where there is room

    def _planets(self) -> list[PlaceView]:
        return [place for place in self.places if place.shape == "disc" and not place.wide]

    def _around_planets(self) -> tuple[list[RimPiece], list[tuple[LinkView, HexPoint]], list[Rect]]:
        """What is on the rims of planets, the figures on lines, and what all of them cover. A figure is left
        out under a price, which is that of the whole way."""
        planets, figure = self._planets(), theme().px(FIGURE)
        rims = [piece for place in planets for piece in self._rim(place)]
        taken = [*(_inset(self.rect_of(place)) for place in planets), *(rect for _, rect in rims)]
        figures = [(link, self._spot_on(link, taken)) for link in self.links if link.label]
        written = [_square(at, figure) for _, at in figures]
        prices = [price for place in planets for price in self._price(place, written)]
        taken += written
        bare = [
            (link, at)
            for link, at in figures
            if not any(_meet(_square(at, figure), rect) for _, rect in prices)
        ]
        return [*rims, *prices], bare, taken

    def _beside_planets(self, rims: list[RimPiece], taken: list[Rect]) -> None:
        for place in sorted(self._planets(), key=self._calm):
            self._write_name(place, taken)
        for strokes, (left, _, _, high) in rims:
            paint(strokes, left, high)

    def _calm(self, place: PlaceView) -> int:
        """Sort key for writing names: offered places first, then those with pieces, then the rest, missed
        least."""
        return 0 if place.id in self.offered else 1 if place.tokens else 2

    def _rim(self, place: PlaceView) -> Iterator[RimPiece]:
        x, y = self.on_screen(place.x, place.y)
        for laid, left, top in self.pen.around(place, self.radius):
            stands = x + left, y - top - laid.high, laid.wide, laid.high
            yield (
                laid.strokes,
                self._within(*stands)
                if self._in_sight(x, y)
                else (*stands[:2], stands[0] + laid.wide, stands[1] + laid.high),
            )

    def _in_sight(self, x: float, y: float) -> bool:
        return bool(self.x <= x <= self.right and self.y <= y <= self.top)

    def _price(self, place: PlaceView, written: list[Rect]) -> Iterator[RimPiece]:
        """The price of an offered planet at a corner of its disc, where it covers least of what is written;
        if nothing, at the upper right."""
        marked, (x, y), radius = self._marked(place), self.on_screen(place.x, place.y), self.radius
        if not marked.offered or not marked.price or not self._in_sight(x, y):
            return
        laid = self.pen.pill(marked.price)
        across, up = (
            (radius * 0.45, -radius * 0.45 - laid.wide),
            (radius - laid.high * 0.45, -radius - laid.high * 0.55),
        )
        corners = [self._within(x + dx, y + dy, laid.wide, laid.high) for dy in up for dx in across]
        best = min(corners, key=lambda rect: sum(_covered(rect, other) for other in written))
        written.append(best)
        yield laid.strokes, best

    def _write_name(self, place: PlaceView, taken: list[Rect]) -> None:
        tone = "accent" if place.id in self.offered else "text"
        for name, (left, low, right, high) in self._candidates(place):
            rect = (left, low, right, high)
            if not any(_meet(rect, other) for other in taken):
                taken.append(rect)
                back = Block(
                    0, 0, right - left, high - low, theme().colour("ground"), theme().px(4), opacity=0.75
                )
                lines = name.strokes(0, 0, theme().colour(tone), measured, right - left)
                paint((back, *lines), left, high)
                return

    def _candidates(self, place: PlaceView) -> Iterator[tuple[Wording, Rect]]:
        """Positions for a name of up to three lines: below its disc, above it or at a side. Only an offered
        place's name may be cut short; a cut that could also be another place's name comes last."""
        x, y = self.on_screen(place.x, place.y)
        away, gap = self.radius, theme().px(3)
        cut = place.id in self.offered  # for the others, no name is better than an ambiguous one
        for whole, alike in ((True, False), (False, False), (False, True)) if cut else ((True, False),):
            for lines, room in ROOMS if whole else reversed(ROOMS):  # more lines cut less
                name = self.pen.name(place, theme().px(room), lines, whole)
                if name is None or (not alike and self._of_another(place, " ".join(name.words))):
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

    def _of_another(self, place: PlaceView, name: str) -> bool:
        """Whether a shortened name could also be that of another place."""
        words = self._names[place.id]
        return name != words and any(
            other != words and other.startswith(name.rstrip(".")) for other in self._names.values()
        )

    @cached_property
    def _names(self) -> dict[str, str]:
        """The full names of all places."""
        return {place.id: self.pen.whole_name(place) for place in self.places}

    def _within(self, left: float, low: float, wide: float, high: float) -> Rect:
        """The rectangle, moved into the map."""
        left = max(self.x, min(left, self.right - wide))
        low = max(self.y, min(low, self.top - high))
        return left, low, left + wide, low + high


def _bent(start: HexPoint, end: HexPoint) -> list[float]:
    """A curve that begins and ends level. Kivy's own Bézier lines are missing now and then."""
    lean = (end[0] - start[0]) * BEND
    points: list[float] = []
    for n in range(BENDS + 1):
        t = n / BENDS
        near, far = 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t)
        points.append(
            start[0] * (1 - t) ** 3 + (start[0] + lean) * near + (end[0] - lean) * far + end[0] * t**3
        )
        points.append(start[1] * ((1 - t) ** 3 + near) + end[1] * (far + t**3))
    return points


def _frame(places: Iterable[PlaceView]) -> Rect:
    """The bounding box of all places (left, low, right, high), in board units."""
    found = list(places)
    return (
        min(place.x - place.wide / 2 for place in found),
        min(place.y - place.high / 2 for place in found),
        max(place.x + place.wide / 2 for place in found),
        max(place.y + place.high / 2 for place in found),
    )


def _flipped(shape: str, x: float, y: float, radius: float) -> tuple[HexPoint, ...]:
    """The corners of a mark, for a y axis that points down."""
    return tuple((a, 2 * y - b) for a, b in outline(shape, x, y, radius))


def _inset(rect: Rect) -> Rect:
    """The bounding box of a disc without its empty corners."""
    left, low, right, high = rect
    edge = (right - left) * 0.07
    return left + edge, low + edge, right - edge, high - edge


def _square(at: HexPoint, half: float) -> Rect:
    return at[0] - half, at[1] - half, at[0] + half, at[1] + half


def _covered(one: Rect, other: Rect) -> float:
    """The area two rectangles have in common."""
    wide, high = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, high)


def _meet(one: Rect, other: Rect) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
