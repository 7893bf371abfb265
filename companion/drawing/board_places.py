"""Lays out the places of a board: cards with kind, name, cost, effect and pieces; and discs.

Letters are never too small to read: instead, names are abbreviated, and signs that do not fit are left out,
the last ones first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from companion.core.faces import Sign
from companion.core.views import PlaceView, TokenView
from companion.drawing.board_pieces import GAP, PLAIN, MarkedPiece, PiecePen
from companion.drawing.colours import INK
from companion.drawing.lines import STEP, Wording, fitted
from companion.drawing.signs import StrokeGroup
from companion.drawing.strokes import Area, Block, Inscription, Stroke
from companion.texts import render

STRIP, PAD = 26, 6
"""The width of a card's strip, and the margin at its edges."""
NARROW = 1.35
"""Cards with a smaller ratio of width to height have their strip on top."""
SHORTEST = 3.2
"""Minimum width of a name, relative to the height of its letters."""
MANY = 3
"""Maximum number of lines of a name."""
FAINT = 0.16
SIDES = 40
"""Number of corners of the polygon that draws a disc."""
ROUND = 8
BACK = 0.75
"""Opacity of the background behind words."""
INSIDE = 1.45
"""Width and height of the content of a disc, relative to its radius."""


class BoardPen(PiecePen):
    """Draws the places of one game's board."""

    # ---- cards

    def card(self, place: PlaceView, wide: float, high: float, marked: MarkedPiece = PLAIN) -> StrokeGroup:
        """A card of this size."""
        return StrokeGroup(tuple(self._card(place, wide, high, marked)), wide, high)

    def _card(self, place: PlaceView, wide: float, high: float, marked: MarkedPiece) -> Iterator[Stroke]:
        paper, radius = self.palette.paper, self.px(ROUND)
        dark = place.covered or marked.offered
        yield Block(0, 0, wide, high, self.palette.under if dark else paper.ground, radius)
        if marked.offered:
            yield Block(0, 0, wide, high, self.palette.accent, radius, opacity=FAINT)
        strip = self.px(STRIP) if place.kinds and not place.covered else 0.0
        on_top = wide < NARROW * high
        if strip:
            yield from self._strip(place, wide, high, strip, on_top)
        yield from self._edge(place, wide, high, marked)
        left, top = (0.0, strip) if on_top else (strip, 0.0)
        pad = self.px(PAD)
        inner = self._inner(place, wide - left - 2 * pad, high - top - pad, marked)
        yield from inner.at(left + pad, top + pad / 2)

    def _edge(self, place: PlaceView, wide: float, high: float, marked: MarkedPiece) -> Iterator[Stroke]:
        radius = self.px(ROUND)
        if marked.offered or marked.chosen:
            tone = self.palette.accent if marked.offered else self.palette.paper.text
            yield Block(0, 0, wide, high, tone, radius, line=self.px(2.6))
        elif place.seat is not None:
            yield Block(0, 0, wide, high, self.palette.seats[place.seat], radius, line=self.px(2.6))
        else:
            yield Block(0, 0, wide, high, self.palette.line, radius, line=self.px(1.2))

    def _strip(
        self, place: PlaceView, wide: float, high: float, strip: float, on_top: bool
    ) -> Iterator[Stroke]:
        """One segment for each kind, in its colour and with its sign."""
        n = len(place.kinds)
        long = wide if on_top else high
        radius = self.px(ROUND)
        for k, kind in enumerate(place.kinds):
            tint = place.tints[k] if k < len(place.tints) else "plain"
            front = self.pen.tint(tint)[0]
            a, b = long * k / n, long * (k + 1) / n
            x, y, w, h = (a, 0.0, b - a, strip) if on_top else (0.0, a, strip, b - a)
            yield Block(x, y, w, h, front, radius)
            if on_top:  # round only the corners of the card
                yield Block(x, y + h / 2, w, h / 2, front)
                if n > 1:
                    yield Block(x + (w / 2 if k == 0 else 0), y, w / 2, h, front)
            else:
                yield Block(x + w / 2, y, w / 2, h, front)
                if n > 1:
                    yield Block(x, y + (h / 2 if k == 0 else 0), w, h / 2, front)
            size = min(w, h, self.px(STRIP)) * 0.78
            laid = self._inked(kind, size, front)
            yield from laid.at(x + (w - laid.wide) / 2, y + (h - laid.high) / 2)

    def _inner(self, place: PlaceView, wide: float, high: float, marked: MarkedPiece) -> StrokeGroup:
        """Name, signs and pieces: stacked if everything fits, else with the name beside the rest."""
        if place.covered:
            return self._covered(place, wide, high, marked)
        names, tokens = self._names(place), place.tokens
        rest = self._signs(marked, place.corners)
        whole = [(signs, True) for signs in (rest, rest[:1], [])]
        cut = [(signs, False) for signs in (rest, rest[:1], [])]
        tried = [whole[0], cut[0], *whole[1:], *cut[1:]] if marked.offered else [*whole, *cut]
        for signs, is_whole in tried:
            for plan in (self._below, self._beside, self._cornered):
                laid = plan(names, signs, tokens, wide, high, is_whole)
                if laid is not None:
                    return laid
        return self._named(names, wide, high, 1)

    def _covered(self, place: PlaceView, wide: float, high: float, marked: MarkedPiece) -> StrokeGroup:
        """A covered card: its sign and name in the middle, subdued; the cubes on it, and the price of
        uncovering it."""
        shown = self._row([*self._signs(marked, ()), *self._loose(place.tokens)], wide)
        sign = self._row([self._quiet(kind) for kind in place.kinds], wide)
        gap = self.px(GAP)
        room = wide - sign.wide - gap - (shown.wide + gap if shown.wide else 0)
        lines = max(1, min(2, int(high / (self.least * STEP))))
        names = self._names(place)
        name = fitted(names, self.largest, room, lines, self.pen.measure, self.least, bold=False)
        across = max(self.pen.measure(line, name.size, False) for line in name.words)
        total = across + (sign.wide + gap if sign.wide else 0) + (shown.wide + gap if shown.wide else 0)
        x = (wide - total) / 2
        middle = high / 2
        strokes = [*sign.at(x, middle - sign.high / 2)]
        x += sign.wide + gap if sign.wide else 0
        strokes += name.strokes(x, middle - name.high / 2, self.palette.paper.dim, self.pen.measure)
        strokes += shown.at(wide - shown.wide, middle - shown.high / 2)
        return StrokeGroup(tuple(strokes), wide, high)

    def _below(
        self,
        names: tuple[str, ...],
        rest: list[StrokeGroup],
        tokens: Iterable[TokenView],
        wide: float,
        high: float,
        whole: bool,
    ) -> StrokeGroup | None:
        """The name above lines of signs, then pieces, in one line if there is room; None if it does not fit."""
        pieces, gap = self._loose(tokens), self.px(2)
        if self._across([*rest, *pieces]) <= wide:
            lines = [*rest, *pieces] and [self._row([*rest, *pieces], wide)]
        else:
            lines = [*self._lines(rest, wide), *self._lines(pieces, wide)]
        below = sum(line.high + gap for line in lines)
        name = self._name(names, wide, min(MANY, int((high - below) / (self.least * STEP))), whole)
        if name is None or name.high + below > high or any(line.wide > wide for line in lines):
            return None
        strokes = list(name.strokes(0, 0, self.palette.paper.text, self.pen.measure))
        y = high
        for n, line in enumerate(reversed(lines)):
            y -= line.high
            strokes += line.at(
                wide - line.wide if n == 0 and pieces and not (rest and len(lines) == 1) else 0, y
            )
            y -= gap
        return StrokeGroup(tuple(strokes), wide, high)

    def _beside(
        self,
        names: tuple[str, ...],
        rest: list[StrokeGroup],
        tokens: Iterable[TokenView],
        wide: float,
        high: float,
        whole: bool,
    ) -> StrokeGroup | None:
        """The name at the left, signs above pieces at the right; None if it does not fit."""
        pieces = self._loose(tokens)
        column = max((self._across(row) for row in (rest, *self._halves(pieces, rest)) if row), default=0.0)
        upper = self._row(rest, column) if rest else StrokeGroup((), 0, 0)
        lower = self._wrapped(pieces, column)
        if upper.high + lower.high > high + 1:
            return None
        room = wide - column - (self.px(GAP) if column else 0)
        lines = min(MANY, int((high + 1) / (self.least * STEP)))
        name = self._name(names, room, lines, whole) if room >= self.least * SHORTEST else None
        if name is None:
            return None
        top = (high - name.high) / 2 if name.high < high else 0.0
        strokes = list(name.strokes(0, top, self.palette.paper.text, self.pen.measure))
        free = high - upper.high - lower.high
        middle = free / 2 if not (upper.high and lower.high) else 0.0
        strokes += upper.at(wide - upper.wide, middle)
        strokes += lower.at(wide - lower.wide, high - lower.high - middle)
        return StrokeGroup(tuple(strokes), wide, high)

    def _cornered(
        self,
        names: tuple[str, ...],
        rest: list[StrokeGroup],
        tokens: Iterable[TokenView],
        wide: float,
        high: float,
        whole: bool,
    ) -> StrokeGroup | None:
        """The name with pieces beside it, above the signs; None if it does not fit."""
        pieces = self._row(self._loose(tokens), math.inf)
        below = self._row(rest, math.inf)
        lines = int((high - below.high) / (self.least * STEP))
        room = wide - pieces.wide - self.px(GAP)
        name = None if room < self.least * SHORTEST else self._name(names, room, min(MANY, lines), whole)
        if (
            name is None
            or not pieces.wide
            or below.wide > wide
            or max(name.high, pieces.high) + below.high > high + 1
        ):
            return None
        strokes = [*name.strokes(0, 0, self.palette.paper.text, self.pen.measure)]
        strokes += pieces.at(wide - pieces.wide, 0)
        strokes += below.at(0, high - below.high)
        return StrokeGroup(tuple(strokes), wide, high)

    def _halves(self, pieces: list[StrokeGroup], rest: list[StrokeGroup]) -> tuple[list[StrokeGroup], ...]:
        """Pieces in two lines, if there are at least three and no signs above them."""
        if len(pieces) < 3 or rest:
            return (pieces,)
        half = (len(pieces) + 1) // 2
        return pieces[:half], pieces[half:]

    # ---- discs

    def disc(
        self, place: PlaceView, radius: float, marked: MarkedPiece = PLAIN, room: float = 0.0
    ) -> StrokeGroup:
        """A body with its name and pieces inside, or a planet with its kind; the origin is its middle. Many
        pieces may extend to the width `room`."""
        return StrokeGroup(tuple(self._disc(place, radius, marked, room)), 0, 0)

    def _disc(self, place: PlaceView, radius: float, marked: MarkedPiece, room: float) -> Iterator[Stroke]:
        fronts = [self.pen.tint(tint)[0] for tint in place.tints] or [self.palette.paper.ground]
        share = 2 * math.pi / len(fronts)
        for n, front in enumerate(fronts):
            begin = math.pi / 2 + n * share
            yield Area(_sector(radius, begin, share), front)
        if place.wide:
            if place.tints:
                yield Area(_circle(radius * 0.94), self.pen.tint(place.tints[0])[2])
            yield Area(_circle(radius), fronts[0] if place.tints else self.palette.line, line=self.px(2))
            yield from self._body(place, radius, room, marked)
        else:
            yield Area(_circle(radius * 0.58), INK)
            kind = place.kinds[0] if place.kinds else None
            if kind is not None:
                laid = self.pen.sign(Sign(kind.symbol, tint="#F1F4F9"), radius * 0.82)
                yield from laid.at(-laid.wide / 2, -laid.high / 2)
            else:
                number = render(place.label, self.pen.language)
                size = max(self.least, radius * 0.5)
                across = self.pen.measure(number, size, True)
                yield Inscription(-across / 2, 0, number, size, "#F1F4F9")
        if place.active and place.seat is not None:
            yield Area(_circle(radius + self.px(2)), self.palette.seats[place.seat], line=self.px(4))

    def _body(self, place: PlaceView, radius: float, room: float, marked: MarkedPiece) -> Iterator[Stroke]:
        """The name above pieces and signs, centred; if there are many, they extend over the rim."""
        broadest, gap = max(2 * radius, room), self.px(2)
        items = [*self._loose(place.tokens), *self._signs(marked, place.corners, broadest)]
        name = fitted(self._names(place), self.largest, INSIDE * radius, 2, self.pen.measure, self.least)
        for wide in (INSIDE * radius, 2 * radius, broadest):
            rows = self._lines(items, wide)
            high = name.high + sum(row.high + gap for row in rows)
            if high <= INSIDE * radius:
                break
        y = -high / 2
        if high > INSIDE * radius:  # the name crosses the rim
            across = max(self.pen.measure(line, name.size, True) for line in name.words) + 2 * gap
            yield Block(-across / 2, y, across, name.high, self.palette.under, 2 * gap, opacity=BACK)
        yield from name.strokes(-wide / 2, y, "#F1F4F9", self.pen.measure, wide)
        y += name.high + gap
        for row in rows:
            if max(row.wide / 2, y + row.high) > radius:  # so does this row
                across = row.wide + 2 * gap
                yield Block(-across / 2, y, across, row.high, self.palette.under, 2 * gap, opacity=BACK)
            yield from row.at(-row.wide / 2, y)
            y += row.high + gap

    def around(self, place: PlaceView, radius: float) -> Iterator[tuple[StrokeGroup, float, float]]:
        """Pieces on the rim of a planet, each with the offset of its upper left corner from the middle:
        outposts at the left, ships on top, neutral pieces at the lower right."""
        left = [self._piece(token) for token in place.tokens if token.mark]
        over = [self._piece(token) for token in place.tokens if not token.mark and token.seat is not None]
        low = [self._piece(token) for token in place.tokens if token.seat is None]
        for n, laid in enumerate(left):
            high = n * laid.high - (len(left) - 1) * laid.high / 2
            yield laid, -radius - laid.wide * 0.5, high - laid.high / 2
        across = radius * 0.35 - self._across(over)
        for laid in over:
            yield laid, across, -radius - laid.high * 0.62
            across += laid.wide + self.px(2)
        across = radius * 0.35
        for laid in low:
            yield self._on_dark(laid), across, radius * 0.25
            across += laid.wide

    def _on_dark(self, laid: StrokeGroup) -> StrokeGroup:
        """A sign on a dark disc, visible on a planet of any colour."""
        middle = laid.wide / 2, laid.high / 2
        rim = tuple((x + middle[0], y + middle[1]) for x, y in _circle(max(middle) + self.px(2)))
        return StrokeGroup((Area(rim, INK), *laid.strokes), laid.wide, laid.high)

    def whole_name(self, place: PlaceView) -> str:
        """The full name of a place."""
        return self._names(place)[0]

    def name(self, place: PlaceView, room: float, lines: int, whole: bool) -> Wording | None:
        """The name of a place in at most `lines` lines, abbreviated if necessary; None if it does not fit, or
        if `whole` is set and it does not fit unabbreviated."""
        return self._name(self._names(place), room, lines, whole)


def _circle(radius: float) -> tuple[tuple[float, float], ...]:
    return _sector(radius, 0.0, 2 * math.pi)


def _sector(radius: float, begin: float, share: float) -> tuple[tuple[float, float], ...]:
    """Corners of a sector of a disc around the origin."""
    n = max(2, round(SIDES * share / (2 * math.pi)))
    points = [
        (radius * math.cos(begin + share * k / n), radius * math.sin(begin + share * k / n))
        for k in range(n + 1)
    ]
    return tuple(points) if share >= 2 * math.pi else ((0.0, 0.0), *points)
