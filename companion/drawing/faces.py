"""Lays out a face at any size: what does not fit is left out in a fixed order, and nothing is clipped.

`unit` is the size here of one pixel of a screen 480 pixels high. Letters are legible at that scale as long as
there is room, and grow with the face.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from companion.core.faces import Face, Signs, Tints
from companion.drawing.blueprints import hex_face, ship_face
from companion.drawing.colours import CARD
from companion.drawing.lines import PIECES, STEP, Wording, fitted, sizes, wrapped
from companion.drawing.pens import Pen
from companion.drawing.signs import StrokeGroup
from companion.drawing.strokes import Block, Measure, Stroke
from companion.drawing.symbols import LEGIBLE, SMALLEST

DEEP = "#131A26"
"""The background of a rail that is only framed."""
NARROW = 0.7
"""Minimum width of a rail, relative to its usual width."""
WIDEST = 0.38
"""Maximum width of a rail, relative to the card's, so that the figures in it are legible."""
LEAST_BADGE = 18
"""Minimum size of a badge without letters."""
USUAL, BADGE = 0.84, 0.96
"""Size of a badge relative to the rail's width: usual, and maximum."""
NAMED = 0.55
"""Maximum height of a name relative to the card's, if that is more than two lines."""
SIGNS = 20
"""Smaller signs of powers are illegible: then only the phases are shown (on a screen 480 pixels high)."""
HEAD = 0.7
"""Size of a phase's symbol relative to the signs after it."""
FOOT = 0.3
"""Size of the bottom row of a tile relative to its middle."""


def face(
    game: str,
    tints: Tints,
    shown: Face,
    wide: float,
    high: float,
    measure: Measure,
    language: str,
    unit: float = 1.0,
    lying: Signs = (),
    smallest: float = 0.0,
    figures: float = 0.0,
) -> StrokeGroup:
    """A face of this size, with what lies on it now; letters of its name are at least `smallest` pixels."""
    pen = Pen(game, tints, measure, language, unit, smallest=smallest, least_figures=figures)
    paint: Callable[[Pen, Face, float, float, Signs], Iterator[Stroke]] = {
        "card": _card,
        "tile": _tile,
        "hex": hex_face,
        "ship": ship_face,
    }[shown.shape]
    return StrokeGroup(tuple(paint(pen, shown, wide, high, lying)), wide, high)


# ---- a card: a rail at the left, then its name, then a row for each phase


def _card(pen: Pen, shown: Face, wide: float, high: float, lying: Signs) -> Iterator[Stroke]:
    front, _, dark = pen.tint(shown.tint)
    radius = high * 0.1
    pad = high * 0.05
    rail = _rail_beside(pen, shown, wide, high, pad)
    yield Block(0, 0, wide, high, CARD.ground, radius)
    aside: Signs = ()
    if shown.corners:
        edge = _edge(shown, high)
        yield from _rail(rail, high, radius, DEEP if shown.framed else dark)
        if edge:
            yield Block(0, 0, rail, high, front, radius, line=edge)
        badges, aside = _in_rail(pen, shown.corners, high - 2 * edge)
        yield from _badges(pen, badges, rail - 2 * edge, high - 2 * edge, edge)
    left = (rail if shown.corners else 0) + pad
    yield from _beside(pen, shown, (*aside, *lying), left, wide - left - pad, high, pad)


def _edge(shown: Face, high: float) -> float:
    """The thickness of a rail's frame."""
    return max(1.0, high * 0.03) if shown.framed else 0.0


def _rail_beside(pen: Pen, shown: Face, wide: float, high: float, pad: float) -> float:
    """The width of the rail: the usual one, or narrower if a long word beside it would be cut short."""
    usual = min(high * 0.44, wide * 0.34)
    longest = max((pen.measure(w, pen.letters, True) for w in PIECES.findall(pen.short(shown))), default=0.0)
    badge = max((pen.legible(sign) for sign in shown.corners), default=0.0) / BADGE + 2 * _edge(shown, high)
    return max(min(usual, wide - 2 * pad - longest), usual * NARROW, min(badge, wide * WIDEST))


def _rail(rail: float, high: float, radius: float, colour: str) -> Iterator[Stroke]:
    """The rail: rounded at the left, straight at the right."""
    yield Block(0, 0, rail, high, colour, radius)
    yield Block(rail / 2, 0, rail / 2, high, colour)


def _in_rail(pen: Pen, corners: Signs, high: float) -> tuple[Signs, Signs]:
    """The signs in the rail, and those that do not fit there: all but the first and the last."""
    if len(corners) > 2 and high * 0.94 / len(corners) < max(map(pen.legible, corners)):
        return (corners[0], corners[-1]), corners[1:-1]
    return corners, ()


def _badges(pen: Pen, badges: Signs, rail: float, high: float, edge: float) -> Iterator[Stroke]:
    gap = high * 0.01
    wanted = max([rail * USUAL, *(pen.legible(badge) for badge in badges)])
    room = high - gap * (len(badges) + 1)
    even = min(wanted, rail * BADGE, room / len(badges))
    # If there is little room, badges with letters get the size they need, and the others share the rest.
    large = {badge: min(pen.legible(badge), rail * BADGE) for badge in badges if pen.legible(badge) > even}
    others = len(badges) - len(large)
    if large and others and (rest := (room - sum(large.values())) / others) >= LEAST_BADGE * pen.unit:
        even = min(even, rest)
    else:
        large = {}
    sizes = [large.get(badge, even) for badge in badges]
    between = (high - 2 * gap - sum(sizes)) / max(1, len(sizes) - 1)
    top = gap
    for badge, size in zip(badges, sizes, strict=True):
        yield from pen.sign(badge, size).at(edge + (rail - size) / 2, edge + top)
        top += size + between


def _beside(
    pen: Pen, shown: Face, lying: Signs, left: float, room: float, high: float, pad: float
) -> Iterator[Stroke]:
    """The name above the powers; what lies on the card in the corner."""
    letters = max(LEGIBLE * pen.unit, high * 0.17)
    heap = pen.row(lying, high * (0.42 if lying else 0))
    below = high - 2 * pad
    for name, rows in _plans(pen, shown, letters, room, high, heap):
        if name.high + max(rows.high, heap.high) <= below and rows.wide <= room - heap.wide:
            break
    else:
        name, rows = _name_alone(pen, shown, letters, room, below - heap.high), StrokeGroup((), 0, 0)
    yield from name.strokes(left, pad, CARD.text, pen.measure)
    yield from rows.at(left, high - pad - rows.high)
    if lying:
        yield from heap.at(left + room - heap.wide, high - pad - heap.high)


def _name_alone(pen: Pen, shown: Face, letters: float, room: float, high: float) -> Wording:
    """The name as large as fits; else in the smallest letters, abbreviated."""
    names = (pen.name(shown), pen.short(shown))
    for words, size in product(names, sizes(letters, pen.letters)):
        name = wrapped(words, size, room, max(1, int(high / (size * STEP))), pen.measure)
        if name is not None:
            return name
    lines = max(1, int(high / (pen.letters * STEP)))
    return fitted(names, pen.letters, room, lines, pen.measure, pen.letters)


def _plans(
    pen: Pen, shown: Face, letters: float, room: float, high: float, heap: StrokeGroup
) -> Iterator[tuple[Wording, StrokeGroup]]:
    """Layouts, most information first: full powers rank above the full name; then phases only."""
    lines = max(2, int(high * NAMED / (letters * STEP)))
    tried = [
        (name, size) for name in (pen.name(shown), pen.short(shown)) for size in sizes(letters, pen.letters)
    ]
    wordings = [wrapped(name, size, room, lines, pen.measure) for name, size in tried]
    names = [name for name in wordings if name is not None]
    highs = [high * share for share in (0.27, 0.24, 0.21) if high * share >= SIGNS * pen.unit]
    powers = [_powers(pen, shown.rows, size, room - heap.wide) for size in highs]
    yield from ((name, rows) for rows, name in product(powers, names))
    heads = tuple(row[0] for row in shown.rows if row)
    phases = [pen.row(heads, max(high * size, SMALLEST * pen.unit)) for size in (0.26, 0.22, 0.18)]
    yield from product(names, phases)


def _powers(pen: Pen, rows: tuple[Signs, ...], size: float, room: float) -> StrokeGroup:
    """The rows of powers below each other; rows that are too wide are scaled down."""
    strokes: list[Stroke] = []
    widest = top = 0.0
    for shown in rows:
        laid = pen.row(shown, size, HEAD)
        if laid.wide > room:
            smaller = max(size * room / laid.wide * 0.98, min(size, SIGNS * pen.unit * 0.85))
            laid = pen.row(shown, smaller, HEAD)
        strokes += laid.at(0, top + (size - laid.high) / 2)
        widest, top = max(widest, laid.wide), top + size
    return StrokeGroup(tuple(strokes), widest, top)


# ---- a tile: its content in the middle, its cost above, its name and bottom row below


def _tile(pen: Pen, shown: Face, wide: float, high: float, lying: Signs) -> Iterator[Stroke]:
    front, _, dark = pen.tint(shown.tint)
    pad = min(wide, high) * 0.05
    side = min(wide, high)
    yield Block(0, 0, wide, high, CARD.ground if shown.framed else dark, side * 0.1)
    if shown.framed:
        yield Block(0, 0, wide, high, front, side * 0.1, line=max(1.0, side * 0.025))
    room, top = wide - 2 * pad, pad
    if shown.corners:
        size = max(LEGIBLE * pen.unit, side * 0.2)
        yield from _across(pen, shown.corners, size, pad, room, top)
        top += size + pad / 2
    bottom = high - pad
    name = _tile_name(pen, shown, room, bottom - top)
    if name is not None:
        bottom -= name.high
        yield from name.strokes(pad, bottom, CARD.text, pen.measure, room)
    yield from _middle(pen, (*shown.rows, *((lying,) if lying else ())), pad, room, top, bottom)


def _tile_name(pen: Pen, shown: Face, room: float, high: float) -> Wording | None:
    """The name, unless it takes too much room from the middle."""
    letters = max(LEGIBLE * pen.unit * 0.9, high * 0.15)
    names = (pen.name(shown), pen.short(shown))
    for lines in (2, 1):
        name = fitted(names, letters, room, lines, pen.measure, pen.letters)
        if name.high <= high * (0.5 if shown.rows else 1.0):
            return name
    return None if shown.rows else fitted(names, letters, room, 1, pen.measure, pen.letters)


def _across(pen: Pen, corners: Signs, size: float, left: float, room: float, top: float) -> Iterator[Stroke]:
    """The first corner at the left, the others at the right."""
    yield from pen.within(corners[:1], size, room * (0.7 if corners[1:] else 1.0)).at(left, top)
    if corners[1:]:
        rest = pen.within(corners[1:], size * 0.8, room * 0.3)
        yield from rest.at(left + room - rest.wide, top + size * 0.1)


def _middle(
    pen: Pen, rows: tuple[Signs, ...], left: float, room: float, top: float, bottom: float
) -> Iterator[Stroke]:
    """The first row large in the middle, the others small below it."""
    rows = tuple(row for row in rows if row)
    high = bottom - top
    if not rows or high <= 0:
        return
    foot = high * FOOT if len(rows) > 1 else 0.0
    main = pen.within(rows[0], (high - foot) * 0.9, room)
    yield from main.at(left + (room - main.wide) / 2, top + (high - foot - main.high) / 2)
    if foot:
        below = pen.within(tuple(sign for row in rows[1:] for sign in row), foot * 0.85, room)
        yield from below.at(left + (room - below.wide) / 2, bottom - foot + (foot - below.high) / 2)
