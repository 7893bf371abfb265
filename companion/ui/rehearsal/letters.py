"""Every word that is really drawn, whoever drew it: found in what is painted, not in what parts say of themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kivy.graphics import Rectangle
from kivy.graphics.instructions import Canvas, InstructionGroup
from kivy.uix.widget import Widget

from companion.ui.toolkit.geometry import SLACK, Rect, clipped, rect, walk
from companion.ui.toolkit.lettering import WRITTEN, TextureText, Words, extent
from companion.ui.toolkit.place_map import PlaceMap

CAPITALS = 0.72
"""How high capitals are, to the size of their letters."""


class PaintedLetters(NamedTuple):
    """Words at their place in the window: `ink` is where their letters are, `seen` what is not scrolled away."""

    part: Widget
    written: TextureText
    ink: Rect
    seen: Rect


def letters(layer: Widget) -> Iterator[PaintedLetters]:
    """All words that are drawn in a layer; of what is scrolled away none."""
    for part in walk(layer):
        for shape in _rectangles(part.canvas):
            texture = shape.texture
            written = None if texture is None else WRITTEN.get(texture)
            if written is None or written.font == "Icons" or not written.words.strip():
                continue
            ink = _ink(part, shape, written)
            seen = clipped(part, common(ink, rect(part)) if isinstance(part, PlaceMap) else ink)
            if seen is not None:
                yield PaintedLetters(part, written, ink, seen)


def _rectangles(canvas: InstructionGroup) -> Iterator[Rectangle]:
    """What a part draws itself, before, in and after its canvas; what is in it draws on canvases of its own."""
    for shape in canvas.children:
        if isinstance(shape, Rectangle):
            yield shape
        elif isinstance(shape, InstructionGroup) and not isinstance(shape, Canvas):
            yield from _rectangles(shape)


def _ink(part: Widget, shape: Rectangle, written: TextureText) -> Rect:
    """Where the letters of a picture are: it is higher than they are, and may be wider."""
    (x, y), (wide, high) = shape.pos, shape.size
    if "\n" not in written.words and not (isinstance(part, Words) and high > 1.9 * written.size):
        inked = min(wide, extent(written.words, written.font, written.size, written.bold))
        x += {"left": 0.0, "center": (wide - inked) / 2, "right": wide - inked}.get(written.align, 0.0)
        wide = inked
        tall = min(high, CAPITALS * written.size)
        y, high = y + (high - tall) / 2, tall
    one, other = part.to_window(x, y), part.to_window(x + wide, y + high)
    return (min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1]))


def common(one: Rect, other: Rect) -> Rect:
    """What two places share; a map draws nothing outside its own."""
    return (max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3]))


def overlap(one: Rect, other: Rect) -> bool:
    """Whether two places have more in common than rounding explains."""
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > SLACK
        and min(one[3], other[3]) - max(one[1], other[1]) > SLACK
    )
