"""A component as a card held upright: its face on top, large signs to recognise it by below."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.faces import Face, Tints
from companion.drawing.faces import face
from companion.drawing.pens import Pen
from companion.drawing.signs import StrokeGroup
from companion.drawing.strokes import Block, Measure, Stroke

BROAD = {"card": 0.58, "ship": 0.7}
"""Height of the face relative to its width; other shapes are nearly as high as wide."""


def upright(
    game: str,
    tints: Tints,
    shown: Face,
    wide: float,
    high: float,
    measure: Measure,
    language: str,
    unit: float = 1.0,
) -> StrokeGroup:
    """A card of this size with this face on it."""
    return StrokeGroup(
        tuple(_strokes(Pen(game, tints, measure, language, unit), shown, wide, high)), wide, high
    )


def _strokes(pen: Pen, shown: Face, wide: float, high: float) -> Iterator[Stroke]:
    front, _, dark = pen.tint(shown.tint)
    rim = wide * 0.03
    yield Block(0, 0, wide, high, dark)
    yield Block(rim, rim, wide - 2 * rim, high - 2 * rim, front, wide * 0.04, line=rim / 2)
    across = wide - 4 * rim
    top = min(across * BROAD.get(shown.shape, 0.95), high - 4 * rim)
    yield from face(pen.game, pen.tints, shown, across, top, pen.measure, pen.language, pen.unit).at(
        2 * rim, 2 * rim
    )
    below = high - top - 6 * rim
    known_by = tuple(dict.fromkeys((*shown.corners[1:], *(row[0] for row in shown.rows if row))))[:3]
    if below > wide * 0.2 and known_by:
        laid = pen.within(known_by, below * 0.5, across * 0.8)
        yield from laid.at((wide - laid.wide) / 2, top + 4 * rim + (below - laid.high) / 2)
