"""Faces with spots: hexes with a flat top, and blueprints of ships."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.faces import Face, Sign, Signs, Spot
from companion.drawing.colours import CARD, Backing
from companion.drawing.lines import fitted
from companion.drawing.pens import Pen
from companion.drawing.strokes import Area, Block, Stroke
from companion.drawing.symbols import LEGIBLE

ROOT3 = math.sqrt(3)
ROOMY = 40
"""A hex with a smaller radius than this has no room for its squares, at 480 pixels."""
FRESH = "#F3B94D"
"""The rim of what is new or asked about."""
EMPTY = "#8796AE"
"""The rim of a slot with nothing in it."""
TAKEN = "#F1F4F9"
"""What fills a square a piece lies on, if nobody says whose it is."""


# ---- hexes


def hex_face(pen: Pen, shown: Face, wide: float, high: float, lying: Signs) -> Iterator[Stroke]:
    """A hex as large as fits, with the edge of its tint."""
    radius = min(wide / 2, high / ROOT3)
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
    """A hex round this middle: its label on top, corners at its sides, what lies there, its squares at the foot.

    Only the open sides turn with a hex; words and signs always stand upright.
    """
    front, _, dark = pen.tint(shown.tint)
    corners = hex_corners(x, y, radius)
    yield Area(corners, ground or (CARD.ground if shown.framed else dark))
    yield Area(corners, rim or front, line=max(1.0, radius * 0.05))
    for side, is_open in enumerate(shown.edges):
        if is_open:
            yield Area(half_disc(x, y, radius, side), CARD.text)
    label = pen.short(shown)
    largest = max(min(LEGIBLE * pen.unit, radius * 0.4), radius * 0.26)
    least = min(pen.letters, radius * 0.26)  # far away a number is only a hint
    name = fitted((label,), largest, radius * 0.8, 1, pen.measure, least)
    yield from name.strokes(x - radius * 0.4, y - radius * 0.68, CARD.text, pen.measure, radius * 0.8)
    for corner, way in zip(shown.corners[:2], (-1, 1), strict=False):
        size = radius * 0.36
        laid = pen.within((corner,), size, size)
        yield from laid.at(x + way * radius * 0.66 - laid.wide / 2, y - laid.high / 2)
    rows = (*shown.rows, *((lying,) if lying else ()))
    room = radius * (0.9 if shown.corners else 1.4)
    for n, row in enumerate(rows[:2]):
        laid = pen.within(row, radius * (0.42 if len(rows) == 1 else 0.32), room)
        middle = y + radius * (0.0 if len(rows) == 1 else (-0.17, 0.17)[n])
        yield from laid.at(x - laid.wide / 2, middle - laid.high / 2)
    yield from _squares(pen, shown.spots, x, y + radius * 0.5, radius, taken)


def hex_corners(x: float, y: float, radius: float) -> tuple[tuple[float, float], ...]:
    """The corners of a hex with a flat top."""
    turns = [n * math.pi / 3 for n in range(6)]
    return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)


def half_disc(x: float, y: float, radius: float, side: int) -> tuple[tuple[float, float], ...]:
    """Half a disc at a side of a hex, clockwise from the top: with the neighbour's it makes a whole."""
    angle = -math.pi / 2 + side * math.pi / 3
    away, small = radius * ROOT3 / 2, radius * 0.13
    mx, my = x + away * math.cos(angle), y + away * math.sin(angle)
    turns = [angle + math.pi / 2 + n * math.pi / 8 for n in range(9)]
    return tuple((mx + small * math.cos(turn), my + small * math.sin(turn)) for turn in turns)


def _squares(
    pen: Pen, spots: tuple[Spot, ...], x: float, y: float, radius: float, taken: str
) -> Iterator[Stroke]:
    """Squares in a line, as many as fit between the open sides; a small plus on those that take more."""
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
    """A blueprint: which ship it is and its name on top, its slots in rows, what comes of them at the foot."""
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
    """Slots in two rows from four on, as large as they can be, in the middle of their room."""
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
    """A slot of a blueprint: the part in it on its colour, or a dashed square; an amber rim if it is new."""
    edge = max(1.0, side * 0.05)
    if spot.taken:
        yield Block(left, top, side, side, pen.tint(spot.sign.symbol)[2], side * 0.12)
        yield from _part(pen, spot.sign, left, top, side)
    else:
        yield Block(left, top, side, side, EMPTY, side * 0.12, line=edge, dashed=True)
    if spot.changed:
        yield Block(left, top, side, side, FRESH, side * 0.12, line=edge * 1.4)


def _part(pen: Pen, sign: Sign, left: float, top: float, side: float) -> Iterator[Stroke]:
    """A part in its slot: symbol and figure beside each other, or below each other where the figure were too small."""
    beside = pen.row((sign,), side * 0.56)
    if beside.wide <= side * 0.9 or not sign.value:
        laid = beside if beside.wide <= side * 0.9 else pen.within((sign,), side * 0.56, side * 0.86)
        yield from laid.at(left + (side - laid.wide) / 2, top + (side - laid.high) / 2)
        return
    laid = pen.sign(replace(sign, value=""), side * 0.46)
    yield from laid.at(left + (side - laid.wide) / 2, top + side * 0.05)
    name = fitted((sign.value,), max(pen.letters, side * 0.36), side * 0.94, 1, pen.measure, side * 0.2)
    yield from name.strokes(left, top + side * 0.97 - name.high, CARD.text, pen.measure, side)
