"""Places of a board laid out: cards with their kind, name, what they take and do, and the pieces on them; discs.

Letters are never too small to be read: rather a name is cut at a point, and signs that have no room are left out from
the end on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from companion.core.faces import Sign, Signs
from companion.core.views import PlaceView, TokenView
from companion.core.words import Text
from companion.drawing import signs as drawn
from companion.drawing.colours import INK, Backing
from companion.drawing.lines import STEP, Wording, fitted, wrapped
from companion.drawing.pens import Pen
from companion.drawing.signs import Laid
from companion.drawing.strokes import Area, Block, Inscription, Stroke
from companion.drawing.symbols import BOARD, NAME, drawn_as
from companion.texts import render

LETTERS = 17
"""Names are so large where there is room, at 480 pixels."""
SIGN, STRIP, PIECE, MARK = 18.5, 26, 25, 15
"""How large signs, the strip of a card, pieces, and marks that stand for cubes are."""
GAP, PAD = 4, 6
NARROW = 1.35
"""A card that is not so much wider than high has its strip on top."""
SHORTEST = 3.2
"""A name has at least so many times the height of its letters."""
MANY = 3
"""So many lines a name may have on a high card."""
FAINT = 0.16
SIDES = 40
"""A disc has so many corners."""
ROUND = 8

Outline = Callable[[int, float, float, float], tuple[tuple[float, float], ...]]
"""The corners of a seat's mark round a point, y downwards."""


class Palette(Struct, frozen=True):
    """The colours of a board: its ground, what lies on it, and what may be touched."""

    paper: Backing
    under: str
    line: str
    accent: str
    main: str
    """The ground of what taking a place means."""
    seats: tuple[str, ...]


class Marked(NamedTuple):
    """What is special about a place now: whether it is offered or chosen, and what taking it means."""

    offered: bool = False
    chosen: bool = False
    price: Signs = ()


PLAIN = Marked()


class BoardPen:
    """Draws the places of one game's board."""

    def __init__(self, pen: Pen, palette: Palette, outline: Outline) -> None:
        self.pen, self.palette, self.outline = pen, palette, outline

    # ---- sizes

    def px(self, size: float) -> float:
        """A size on this screen."""
        return size * self.pen.unit

    @property
    def least(self) -> float:
        """The smallest letters of a name here."""
        return self.pen.letters

    @property
    def largest(self) -> float:
        """The letters of a name that has room."""
        return self.least * LETTERS / NAME

    # ---- cards

    def card(self, place: PlaceView, wide: float, high: float, marked: Marked = PLAIN) -> Laid:
        """A card of this size."""
        return Laid(tuple(self._card(place, wide, high, marked)), wide, high)

    def _card(self, place: PlaceView, wide: float, high: float, marked: Marked) -> Iterator[Stroke]:
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

    def _edge(self, place: PlaceView, wide: float, high: float, marked: Marked) -> Iterator[Stroke]:
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
        """A part for each kind, in its colour and with its sign."""
        n = len(place.kinds)
        long = wide if on_top else high
        radius = self.px(ROUND)
        for k, kind in enumerate(place.kinds):
            tint = place.tints[k] if k < len(place.tints) else "plain"
            front = self.pen.tint(tint)[0]
            a, b = long * k / n, long * (k + 1) / n
            x, y, w, h = (a, 0.0, b - a, strip) if on_top else (0.0, a, strip, b - a)
            yield Block(x, y, w, h, front, radius)
            if on_top:  # only the corners of the card are round
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

    def _inner(self, place: PlaceView, wide: float, high: float, marked: Marked) -> Laid:
        """Name, signs and pieces: below each other if that holds all of it, else the name beside the rest."""
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

    def _covered(self, place: PlaceView, wide: float, high: float, marked: Marked) -> Laid:
        """Its sign and its name in the middle, quiet; cubes that lie there, and what comes if it is turned over."""
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
        return Laid(tuple(strokes), wide, high)

    def _below(
        self,
        names: tuple[str, ...],
        rest: list[Laid],
        tokens: Iterable[TokenView],
        wide: float,
        high: float,
        whole: bool,
    ) -> Laid | None:
        """The name over lines of signs, then pieces: in the same line if there is room."""
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
        return Laid(tuple(strokes), wide, high)

    def _beside(
        self,
        names: tuple[str, ...],
        rest: list[Laid],
        tokens: Iterable[TokenView],
        wide: float,
        high: float,
        whole: bool,
    ) -> Laid | None:
        """The name at the left, at the right signs over pieces."""
        pieces = self._loose(tokens)
        column = max((self._across(row) for row in (rest, *self._halves(pieces, rest)) if row), default=0.0)
        upper = self._row(rest, column) if rest else Laid((), 0, 0)
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
        return Laid(tuple(strokes), wide, high)

    def _cornered(
        self,
        names: tuple[str, ...],
        rest: list[Laid],
        tokens: Iterable[TokenView],
        wide: float,
        high: float,
        whole: bool,
    ) -> Laid | None:
        """The name with pieces beside it, over the signs."""
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
        return Laid(tuple(strokes), wide, high)

    def _halves(self, pieces: list[Laid], rest: list[Laid]) -> tuple[list[Laid], ...]:
        """Pieces in two lines, if there are several and nothing else stands over them."""
        if len(pieces) < 3 or rest:
            return (pieces,)
        half = (len(pieces) + 1) // 2
        return pieces[:half], pieces[half:]

    # ---- discs

    def disc(self, place: PlaceView, radius: float, marked: Marked = PLAIN) -> Laid:
        """A body with a name and pieces in it, or a planet with its kind; the origin is its middle."""
        return Laid(tuple(self._disc(place, radius, marked)), 0, 0)

    def _disc(self, place: PlaceView, radius: float, marked: Marked) -> Iterator[Stroke]:
        fronts = [self.pen.tint(tint)[0] for tint in place.tints] or [self.palette.paper.ground]
        share = 2 * math.pi / len(fronts)
        for n, front in enumerate(fronts):
            begin = math.pi / 2 + n * share
            yield Area(_sector(radius, begin, share), front)
        if place.wide:
            if place.tints:
                yield Area(_circle(radius * 0.94), self.pen.tint(place.tints[0])[2])
            yield Area(_circle(radius), fronts[0] if place.tints else self.palette.line, line=self.px(2))
            side = radius * 1.45
            yield from self._body(place, side, side, marked).at(-side / 2, -side / 2)
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

    def _body(self, place: PlaceView, wide: float, high: float, marked: Marked) -> Laid:
        """Everything in the middle: the name over pieces and signs."""
        name = fitted(self._names(place), self.largest, wide, 2, self.pen.measure, self.least)
        items = [*self._loose(place.tokens), *self._signs(marked, place.corners)]
        rows = self._lines(items, wide)
        below = sum(row.high + self.px(2) for row in rows)
        y = max(0.0, (high - name.high - below) / 2)
        strokes = list(name.strokes(0, y, "#F1F4F9", self.pen.measure, wide))
        y += name.high + self.px(2)
        for row in rows:
            strokes += row.at((wide - row.wide) / 2, y)
            y += row.high + self.px(2)
        return Laid(tuple(strokes), wide, high)

    def around(self, place: PlaceView, radius: float, marked: Marked) -> Iterator[tuple[Laid, float, float]]:
        """What stands on the rim of a planet, each with its upper left corner as seen from the middle: outposts at the
        left, ships on top, the price at the right, what is nobody's below it."""
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
        for laid in _pills(self, marked):
            yield laid, radius * 0.45, -radius - laid.high * 0.55
        across = radius * 0.35
        for laid in low:
            yield self._on_dark(laid), across, radius * 0.25
            across += laid.wide

    def _on_dark(self, laid: Laid) -> Laid:
        """A sign that is seen on a planet of any colour."""
        middle = laid.wide / 2, laid.high / 2
        rim = tuple((x + middle[0], y + middle[1]) for x, y in _circle(max(middle) + self.px(2)))
        return Laid((Area(rim, INK), *laid.strokes), laid.wide, laid.high)

    def name(self, place: PlaceView, room: float, lines: int, whole: bool) -> Wording | None:
        """The name of a planet in so many lines, cut short only if it must be."""
        return self._name(self._names(place), room, lines, whole)

    # ---- what is on them

    def _names(self, place: PlaceView) -> tuple[str, ...]:
        texts: tuple[Text, ...] = (place.label,) if place.short is None else (place.label, place.short)
        return tuple(render(text, self.pen.language) for text in texts)

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

    def _named(self, names: tuple[str, ...], wide: float, high: float, lines: int) -> Laid:
        name = fitted(names, self.least, wide, lines, self.pen.measure, self.least)
        y = (high - name.high) / 2
        return Laid(tuple(name.strokes(0, y, self.palette.paper.text, self.pen.measure)), wide, high)

    def _signs(self, marked: Marked, printed: Signs) -> list[Laid]:
        return [*_pills(self, marked), *(self._sign(sign, self.pen) for sign in printed)]

    def _sign(self, sign: Sign, pen: Pen) -> Laid:
        """A sign as small as its letters may be."""
        letters = drawn_as(pen.game, sign).letters
        inside = NAME * BOARD / letters.size if sign.value and letters else 0
        size = max(self.px(SIGN), inside * self.pen.unit * 1.03)
        return drawn.sign(
            pen.game, pen.tints, sign, size * (0.7 if sign.symbol == "arrow" else 1), pen.measure, pen.backing
        )

    def _quiet(self, sign: Sign) -> Laid:
        return self._sign(Sign(sign.symbol, sign.value, self.palette.paper.dim), self.pen)

    def _inked(self, shown: Sign, size: float, ground: str) -> Laid:
        """A sign in ink on a bright ground."""
        on = Backing(ground, INK, INK)
        tinted = Sign(shown.symbol, shown.value, INK)
        return drawn.sign(self.pen.game, self.pen.tints, tinted, size, self.pen.measure, on)

    def pill(self, price: Signs) -> Laid:
        """What taking a place means, dark on amber."""
        on = replace(self.pen, backing=Backing(self.palette.main, INK, INK))
        row = self._row([self._sign(Sign(s.symbol, s.value, INK), on) for s in price], math.inf)
        pad = self.px(5)
        wide, high = row.wide + 2 * pad, row.high + self.px(5)
        block = Block(0, 0, wide, high, self.palette.main, high / 2)
        return Laid((block, *row.at(pad, (high - row.high) / 2)), wide, high)

    def _loose(self, tokens: Iterable[TokenView]) -> list[Laid]:
        return [self._piece(token) for token in tokens]

    def _piece(self, token: TokenView) -> Laid:
        """A mark for a cube, or the sign of the piece in its seat's colour with a small mark; then how many."""
        if token.mark and token.seat is not None:
            size = self.px(MARK)
            laid = Laid((self._mark(token.seat, size / 2, size / 2, size / 2),), size, size)
        elif token.seat is None:
            laid = self._sign(token.sign, self.pen)
        else:
            laid = self._seated(token.sign, token.seat)
        if token.count > 1:
            words = f"×{token.count}"
            size = self.least
            across = self.pen.measure(words, size, True)
            number = Inscription(laid.wide, laid.high / 2, words, size, self.palette.paper.text)
            laid = Laid((*laid.strokes, number), laid.wide + across, laid.high)
        return laid

    def _seated(self, sign: Sign, seat: int) -> Laid:
        colour = self.palette.seats[seat]
        size = self.px(PIECE + (1 if sign.value else 0))
        tinted = Sign(sign.symbol, sign.value, colour)
        laid = drawn.sign(self.pen.game, self.pen.tints, tinted, size, self.pen.measure, self.pen.backing)
        small = self.px(5.4)
        at = (size - small * 0.4, small * 0.9)
        rim = self._mark(seat, *at, small + self.px(1.6), self.palette.under)
        return Laid((*laid.strokes, rim, self._mark(seat, *at, small)), size + small * 0.6, size)

    def _mark(self, seat: int, x: float, y: float, radius: float, colour: str = "") -> Area:
        return Area(self.outline(seat, x, y, radius * 0.92), colour or self.palette.seats[seat])

    # ---- rows

    def _across(self, items: list[Laid]) -> float:
        return sum(item.wide for item in items) + self.px(GAP) * max(0, len(items) - 1)

    def _row(self, items: list[Laid], room: float) -> Laid:
        """Items beside each other, in the middle of the highest; the last ones that have no room are left out."""
        shown = list(items)
        while len(shown) > 1 and self._across(shown) > room:
            shown.pop()
        high = max((item.high for item in shown), default=0.0)
        strokes: list[Stroke] = []
        x = 0.0
        for item in shown:
            strokes += item.at(x, (high - item.high) / 2)
            x += item.wide + self.px(GAP)
        return Laid(tuple(strokes), self._across(shown), high)

    def _lines(self, items: list[Laid], room: float) -> list[Laid]:
        rows: list[list[Laid]] = [[]]
        for item in items:
            if rows[-1] and self._across([*rows[-1], item]) > room:
                rows.append([])
            rows[-1].append(item)
        return [self._row(row, room) for row in rows if row]

    def _wrapped(self, items: list[Laid], room: float) -> Laid:
        """Items in as many lines as they need, at the right."""
        strokes: list[Stroke] = []
        y = 0.0
        rows = self._lines(items, room + 0.5)
        widest = max((row.wide for row in rows), default=0.0)
        for row in rows:
            strokes += row.at(widest - row.wide, y)
            y += row.high + self.px(2)
        return Laid(tuple(strokes), widest, max(0.0, y - self.px(2)))


def _pills(pen: BoardPen, marked: Marked) -> list[Laid]:
    return [pen.pill(marked.price)] if marked.offered and marked.price else []


def _circle(radius: float) -> tuple[tuple[float, float], ...]:
    return _sector(radius, 0.0, 2 * math.pi)


def _sector(radius: float, begin: float, share: float) -> tuple[tuple[float, float], ...]:
    """Corners of a part of a disc round the origin."""
    n = max(2, round(SIDES * share / (2 * math.pi)))
    points = [
        (radius * math.cos(begin + share * k / n), radius * math.sin(begin + share * k / n))
        for k in range(n + 1)
    ]
    return tuple(points) if share >= 2 * math.pi else ((0.0, 0.0), *points)
