"""Finds every word that is really drawn by looking at the canvas instructions, not at what widgets report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kivy.graphics import Rectangle
from kivy.graphics.instructions import Canvas, InstructionGroup
from kivy.uix.widget import Widget

from companion.ui.toolkit.geometry import SLACK, Placed, Rect, common, placed
from companion.ui.toolkit.lettering import WRITTEN, TextureText, Words, extent
from companion.ui.toolkit.place_map import PlaceMap

CAPITALS = 0.72
"""The height of capitals, relative to the font size."""


class PaintedLetters(NamedTuple):
    """Words at their place in the window: `ink` is the area of the letters, `seen` the part not scrolled away."""

    placed: Placed
    written: TextureText
    ink: Rect
    seen: Rect

    @property
    def part(self) -> Widget:
        """The widget that draws them."""
        return self.placed.part


def letters(layer: Widget) -> Iterator[PaintedLetters]:
    """All words drawn in a layer, except what is scrolled away."""
    return letters_of(placed(layer))


def letters_of(parts: Iterable[Placed]) -> Iterator[PaintedLetters]:
    """All words drawn by these widgets."""
    for one in parts:
        for shape in _rectangles(one.part.canvas):
            texture = shape.texture
            written = None if texture is None else WRITTEN.get(texture)
            if written is None or written.font == "Icons" or not written.words.strip():
                continue
            ink = _ink(one, shape, written)
            seen = one.clipped(common(ink, one.at) if isinstance(one.part, PlaceMap) else ink)
            if seen is not None:
                yield PaintedLetters(one, written, ink, seen)


def _rectangles(canvas: InstructionGroup) -> Iterator[Rectangle]:
    """What a widget draws itself, before, in and after its canvas; its children draw on their own canvases."""
    for shape in canvas.children:
        if isinstance(shape, Rectangle):
            yield shape
        elif isinstance(shape, InstructionGroup) and not isinstance(shape, Canvas):
            yield from _rectangles(shape)


def _ink(placed: Placed, shape: Rectangle, written: TextureText) -> Rect:
    """The area of the letters in a texture, which is higher than they are and may be wider."""
    (x, y), (wide, high) = shape.pos, shape.size
    if "\n" not in written.words and not (isinstance(placed.part, Words) and high > 1.9 * written.size):
        inked = min(wide, extent(written.words, written.font, written.size, written.bold))
        x += {"left": 0.0, "center": (wide - inked) / 2, "right": wide - inked}.get(written.align, 0.0)
        wide = inked
        tall = min(high, CAPITALS * written.size)
        y, high = y + (high - tall) / 2, tall
    return placed.in_window(x, y, x + wide, y + high)


def overlap(one: Rect, other: Rect) -> bool:
    """Whether two areas overlap by more than rounding explains."""
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > SLACK
        and min(one[3], other[3]) - max(one[1], other[1]) > SLACK
    )
