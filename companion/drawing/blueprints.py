"""Faces with spots: flat-topped hexes, and blueprints of ships."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.faces import Face, Sign, Signs, Spot
from companion.drawing.colours import CARD, Backing
from companion.drawing.lines import Wording, fitted, sizes, wrapped
from companion.drawing.pens import Pen
from companion.drawing.strokes import Area, Block, Stroke
from companion.drawing.symbols import LEGIBLE, SMALLEST

ROOT3 = math.sqrt(3)
LABEL = 0.26
"""Size of a hex's label, relative to its radius."""
ROOMY = 40
"""A hex with a smaller radius has no room for its squares (on a screen 480 pixels high)."""
FRESH = "#F3B94D"
"""The rim of a part that is new or asked about."""
EMPTY = "#8796AE"
"""The rim of an empty slot."""
TAKEN = "#F1F4F9"
"""The fill of a square with a piece on it, if no owner's colour is given."""


# ---- hexes


def hex_face(pen: Pen, shown: Face, wide: float, high: float, lying: Signs) -> Iterator[Stroke]:
    """A hex as large as fits, with an edge in its tint; a label too large for it goes beside it."""
    radius = min(wide / 2, high / ROOT3)
    label = wrapped(pen.short(shown), pen.figures, wide * 0.5, 1, pen.measure)
    if radius * LABEL < pen.figures and label is not None:
        radius = min(radius, (wide - pen.measure(label.words[0], label.size, label.bold) * 1.2) / 2)
        beside = wide - 2 * radius
        yield from _hex_beside(pen, shown, radius * 0.97, high, beside, label, lying)
        return
    yield from hex_strokes(pen, shown, wide / 2, high / 2, radius * 0.97, lying=lying)


def hex_strokes(
    pen: Pen,
    shown: Face,
    x: float,
    y: float,
    radius: float,
    *,
    ground: str = "",
    rim: str = "",
    lying: Signs = (),
    taken: str = TAKEN,
) -> Iterator[Stroke]:
    """A hex around this middle: label on top, corners at its sides, what lies there, squares at the bottom.

    Only the open sides rotate with a hex; words and signs are always upright.
    """
    front, _, dark = pen.tint(shown.tint)
    corners = hex_corners(x, y, radius)
    yield Area(corners, ground or (CARD.ground if shown.framed else dark))
    yield Area(corners, rim or front, line=max(1.0, radius * 0.05))
    for side, is_open in enumerate(shown.edges):
        if is_open:
            yield Area(half_disc(x, y, radius, side), CARD.text)
    label = pen.short(shown)
    largest = max(min(LEGIBLE * pen.unit, radius * 0.4), radius * LABEL)
    for size in sizes(largest, min(pen.figures, largest)):
        if (name := wrapped(label, size, radius * 0.9, 1, pen.measure)) is not None:
            yield from name.strokes(
                x - radius * 0.45, y - radius * 0.68, CARD.text, pen.measure, radius * 0.9
            )
            break
    for corner, way in zip(shown.corners[:2], (-1, 1), strict=False):
        size = max(radius * 0.36, min(pen.legible(corner), radius * 0.6))
        laid = pen.sign(corner, size)
        yield from laid.at(x + way * radius * 0.66 - laid.wide / 2, y - laid.high / 2)
    rows = (*shown.rows, *((lying,) if lying else ()))
    room = radius * (0.9 if shown.corners else 1.4)
    for n, row in enumerate(rows[:2]):
        laid = pen.within(row, radius * (0.42 if len(rows) == 1 else 0.32), room)
        middle = y + radius * (0.0 if len(rows) == 1 else (-0.17, 0.17)[n])
        yield from laid.at(x - laid.wide / 2, middle - laid.high / 2)
    yield from _squares(pen, shown.spots, x, y + radius * 0.5, radius, taken)


def _hex_beside(
    pen: Pen, shown: Face, radius: float, high: float, beside: float, label: Wording, lying: Signs
) -> Iterator[Stroke]:
    """A hex too small for words: its first corner inside, its label and what lies there beside it."""
    front, _, dark = pen.tint(shown.tint)
    corners = hex_corners(radius, high / 2, radius)
    yield Area(corners, CARD.ground if shown.framed else dark)
    yield Area(corners, front, line=max(1.0, radius * 0.05))
    for side, is_open in enumerate(shown.edges):
        if is_open:
            yield Area(half_disc(radius, high / 2, radius, side), CARD.text)
    if shown.corners:
        counts = pen.sign(shown.corners[0], max(radius * 0.8, min(radius, pen.legible(shown.corners[0]))))
        yield from counts.at(radius - counts.wide / 2, (high - counts.high) / 2)
    left, room = 2 * radius + beside * 0.05, beside * 0.9
    signs = tuple(replace(sign, value="") for row in (*shown.rows, lying) for sign in row)
    below = pen.within(signs, min(high * 0.4, high * 0.9 - label.high), room)
    top = (high - label.high - below.high) / 2
    yield from label.strokes(left, top, CARD.text, pen.measure, room)
    yield from below.at(left + (room - below.wide) / 2, top + label.high)


def hex_corners(x: float, y: float, radius: float) -> tuple[tuple[float, float], ...]:
    """The corners of a flat-topped hex."""
    turns = [n * math.pi / 3 for n in range(6)]
    return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)


def half_disc(x: float, y: float, radius: float, side: int) -> tuple[tuple[float, float], ...]:
    """Half a disc at a side of a hex, clockwise from the top; the neighbour's half completes it."""
    angle = -math.pi / 2 + side * math.pi / 3
    away, small = radius * ROOT3 / 2, radius * 0.13
    mx, my = x + away * math.cos(angle), y + away * math.sin(angle)
    turns = [angle + math.pi / 2 + n * math.pi / 8 for n in range(9)]
    return tuple((mx + small * math.cos(turn), my + small * math.sin(turn)) for turn in turns)


def _squares(
    pen: Pen, spots: tuple[Spot, ...], x: float, y: float, radius: float, taken: str
) -> Iterator[Stroke]:
    """Squares in a row, as many as fit between the open sides; advanced ones have a small plus."""
    if not spots or radius < ROOMY * pen.unit:
        return
    side = radius * min(0.27, 1.16 / len(spots) / 1.15)
    left = x - len(spots) * side * 1.15 / 2
    for n, spot in enumerate(spots):
        yield from square(pen, spot, left + n * side * 1.15, y - side / 2, side, taken)


def square(
    pen: Pen, spot: Spot, left: float, top: float, side: float, taken: str = TAKEN
) -> Iterator[Stroke]:
    """A square for a piece: its sign in its colour, filled once a piece lies there."""
    front, _, dark = pen.tint(spot.sign.tint or spot.sign.symbol)
    yield Block(left, top, side, side, taken if spot.taken else "#10151F", side * 0.12)
    if spot.starred or not spot.taken:
        yield Block(left, top, side, side, front, side * 0.12, line=max(1.0, side * 0.09))
    symbol = f"{spot.sign.symbol}-advanced" if spot.starred else spot.sign.symbol
    inner = side * 0.74
    where = (left + (side - inner) / 2, top + (side - inner) / 2)
    here = pen
    if spot.taken:
        here = replace(pen, tints={**pen.tints, symbol: (dark,) * 3}, backing=Backing(taken, dark, dark))
    laid = here.sign(Sign(symbol), inner)
    yield from laid.at(*where)


# ---- blueprints


def ship_face(pen: Pen, shown: Face, wide: float, high: float, lying: Signs) -> Iterator[Stroke]:
    """A blueprint: kind of ship and name on top, slots in rows, the resulting values at the bottom."""
    dark = pen.tint(shown.tint)[2]
    pad = min(wide, high) * 0.04
    yield Block(0, 0, wide, high, CARD.ground if shown.framed else dark, min(wide, high) * 0.08)
    room, top = wide - 2 * pad, pad
    letters = max(min(LEGIBLE * pen.unit, high * 0.2), high * 0.1)
    head = pen.row(shown.corners[:1], letters * 1.3)
    rest = pen.within(shown.corners[1:], letters * 1.1, room * 0.45)
    yield from head.at(pad, top)
    yield from rest.at(wide - pad - rest.wide, top)
    between = room - head.wide - rest.wide - 2 * pad
    if between > letters * 2:
        name = fitted((pen.name(shown), pen.short(shown)), letters, between, 1, pen.measure, pen.letters)
        yield from name.strokes(pad * 2 + head.wide, top + letters * 0.1, CARD.text, pen.measure)
    top += letters * 1.3 + pad
    foot = [row for row in (*shown.rows, lying) if row]
    bottom = high - pad
    if foot:
        size = min(letters * 1.2, (bottom - top) * 0.25)
        laid = pen.within(tuple(sign for row in foot for sign in row), size, room)
        yield from laid.at(pad, bottom - laid.high)
        bottom -= laid.high + pad
    yield from _slots(pen, shown.spots, pad, top, room, bottom - top)


def _slots(
    pen: Pen, spots: tuple[Spot, ...], left: float, top: float, wide: float, high: float
) -> Iterator[Stroke]:
    """Slots as large as possible, centred; four or more are in two rows if there is room."""
    if not spots or high <= 0:
        return
    lines = 1 if len(spots) < 4 or high < wide / len(spots) * 1.4 else 2
    across = -(-len(spots) // lines)
    step = min(wide / across, high / lines)
    side = step * 0.92
    x0, y0 = left + (wide - across * step) / 2, top + (high - lines * step) / 2
    for n, spot in enumerate(spots):
        yield from slot(pen, spot, x0 + n % across * step, y0 + n // across * step, side)


def slot(pen: Pen, spot: Spot, left: float, top: float, side: float) -> Iterator[Stroke]:
    """A slot of a blueprint: its part on the part's colour, or a dashed square; amber rim if it is new."""
    edge = max(1.0, side * 0.05)
    if spot.taken:
        yield Block(left, top, side, side, pen.tint(spot.sign.symbol)[2], side * 0.12)
        yield from _part(pen, spot.sign, left, top, side)
    else:
        yield Block(left, top, side, side, EMPTY, side * 0.12, line=edge, dashed=True)
    if spot.changed:
        yield Block(left, top, side, side, FRESH, side * 0.12, line=edge * 1.4)


def _part(pen: Pen, sign: Sign, left: float, top: float, side: float) -> Iterator[Stroke]:
    """A part in its slot: symbol and figure side by side, or stacked if the figure would be too small."""
    beside = pen.row((sign,), side * 0.56)
    if beside.wide <= side * 0.9 or not sign.value:
        laid = beside if beside.wide <= side * 0.9 else pen.within((sign,), side * 0.56, side * 0.86)
        yield from laid.at(left + (side - laid.wide) / 2, top + (side - laid.high) / 2)
        return
    name = wrapped(sign.value, max(pen.figures, side * 0.36), side, 1, pen.measure)
    if name is None:  # no room for the figure: colour and symbol identify the part
        laid = pen.sign(replace(sign, value=""), side * 0.8)
        yield from laid.at(left + side * 0.1, top + side * 0.1)
        return
    above = side * 0.97 - name.high
    laid = pen.sign(replace(sign, value=""), min(side * 0.46, above * 0.9))
    if laid.high >= SMALLEST * pen.unit * 0.6:
        yield from laid.at(left + (side - laid.wide) / 2, top + (above - laid.high) / 2)
    else:
        above = (side - name.high) / 2
    yield from name.strokes(left, top + above, CARD.text, pen.measure, side)
