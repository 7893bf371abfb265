"""The primitives of drawings: boxes, shapes, symbols and words at their places; y counts from the top."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from companion.drawing.symbols import Layer

Measure = Callable[[str, float, bool], float]
"""The width of words at a font size, bold or not."""


class Block(Struct, frozen=True):
    """A rectangle: filled, or only its outline of this width, which may be dashed."""

    x: float
    y: float
    wide: float
    high: float
    colour: str
    radius: float = 0
    line: float = 0
    dashed: bool = False
    opacity: float = 1.0


class Area(Struct, frozen=True):
    """A polygon: filled, or only its outline of this width, which may be dashed."""

    corners: tuple[tuple[float, float], ...]
    colour: str
    line: float = 0
    dashed: bool = False


class Stamp(Struct, frozen=True):
    """One layer of a symbol, tinted; x and y are its upper left corner."""

    x: float
    y: float
    size: float
    game: str
    symbol: str
    layer: Layer
    colour: str
    opacity: float = 1.0


class Inscription(Struct, frozen=True):
    """One line of words; x is where they begin, y the middle of their capital letters."""

    x: float
    y: float
    words: str
    size: float
    colour: str
    bold: bool = True


Stroke = Block | Area | Stamp | Inscription
Strokes = tuple[Stroke, ...]


def moved(strokes: Strokes, x: float, y: float) -> Strokes:
    """The same drawing, shifted."""
    return tuple(_moved(stroke, x, y) for stroke in strokes) if x or y else strokes


def _moved(stroke: Stroke, x: float, y: float) -> Stroke:
    if isinstance(stroke, Area):
        return replace(stroke, corners=tuple((cx + x, cy + y) for cx, cy in stroke.corners))
    return replace(stroke, x=stroke.x + x, y=stroke.y + y)
