"""Lays out signs: a symbol with its letters in it or after it, and rows of signs."""

from __future__ import annotations

from math import inf

from msgspec import Struct

from companion.core.faces import ARROW, Sign, Signs, Tints
from companion.drawing.colours import INK, Backing, contrast, seen_on, tint_of
from companion.drawing.strokes import Inscription, Measure, Stamp, Stroke, Strokes, moved
from companion.drawing.symbols import BOARD, Engraving, drawn_as

AFTER = 0.82
"""Size of letters after a symbol, relative to the symbol."""
BESIDE = 0.14
"""Gap between a symbol and the letters after it, relative to the symbol."""
ARROWS = 0.6
"""Size of an arrow, relative to the signs beside it."""
GAP = 0.2
"""Gap between two signs, relative to their size."""
ROUNDED = 0.5
"""Tolerance in pixels, because letters are painted in whole pixels."""
STRETCH = 1.3
"""How much larger than designed the letters in a symbol may be, to be legible."""
MELTS = 1.6
"""Below this contrast a shape cannot be seen on its background."""
FAINT = 0.5
"""Opacity of a dim sign that has no hollow drawing."""


class StrokeGroup(Struct, frozen=True):
    """A layout at the origin: its strokes and its size."""

    strokes: Strokes
    wide: float
    high: float

    def at(self, x: float, y: float) -> Strokes:
        """Its strokes with the upper left corner at this point."""
        return moved(self.strokes, x, y)


def sign(
    game: str,
    tints: Tints,
    shown: Sign,
    size: float,
    measure: Measure,
    paper: Backing,
    smallest: float = 0.0,
    wanted: float = 0.0,
) -> StrokeGroup:
    """A sign of this height in pixels. If letters inside it would be smaller than `smallest`, they are put
    after it. Letters inside it are enlarged a little to reach the size `wanted`."""
    drawn = drawn_as(game, shown)
    tint = tint_of(tints, shown, paper)
    hollow = drawn.name.endswith("-hollow")
    faint = FAINT if shown.dim and not hollow else 1.0
    inside = bool(shown.value) and drawn.letters is not None
    wanted = wanted or smallest
    if inside and round(_inside(drawn, shown.value, size, measure, {}, wanted).size) < smallest - ROUNDED:
        inside = False
    if inside and not _lines(drawn) and contrast(tint[0], paper.ground) < MELTS:
        inside = False  # its shape could not be seen
    front = tint[0] if inside and not _lines(drawn) else seen_on(tint, paper)
    colours = {"front": front, "lit": tint[1], "dark": tint[2], "ink": INK}
    strokes: list[Stroke] = [
        Stamp(0, 0, size, game, drawn.name, layer, colours[layer], faint) for layer in drawn.layers
    ]
    if not shown.value:
        return StrokeGroup(tuple(strokes), size, size)
    if inside:
        strokes.append(_inside(drawn, shown.value, size, measure, colours, wanted))
        return StrokeGroup(tuple(strokes), size, size)
    letters = max(size * AFTER, smallest)
    left = size * (1 + BESIDE)
    strokes.append(Inscription(left, size / 2, shown.value, letters, paper.text))
    return StrokeGroup(tuple(strokes), left + measure(shown.value, letters, True), size)


def _lines(drawn: Engraving) -> bool:
    """Whether the letters in it have its own front colour, so that it must be visible on the background."""
    return drawn.letters is not None and drawn.letters.ink == "front"


def _inside(
    drawn: Engraving, value: str, size: float, measure: Measure, colours: dict[str, str], wanted: float
) -> Inscription:
    letters = drawn.letters
    assert letters is not None
    unit = size / BOARD
    high = letters.size * unit
    wide = measure(value, high, True)
    if wide > letters.room * unit:
        high *= letters.room * unit / wide
        wide = measure(value, high, True)
    if high < wanted:
        high = min(wanted, high * STRETCH)
        wide = measure(value, high, True)
    ink = colours.get(letters.ink, INK)
    return Inscription(letters.x * unit - wide / 2, letters.y * unit, value, high, ink)


def row(
    game: str,
    tints: Tints,
    shown: Signs,
    size: float,
    measure: Measure,
    paper: Backing,
    head: float = 1.0,
    smallest: float = 0.0,
) -> StrokeGroup:
    """Signs in one line; arrows are smaller, and the first, if it is only a symbol, is scaled by `head`."""
    return rows(game, tints, shown, size, measure, paper, inf, head, smallest)


def rows(
    game: str,
    tints: Tints,
    shown: Signs,
    size: float,
    measure: Measure,
    paper: Backing,
    room: float,
    head: float = 1.0,
    smallest: float = 0.0,
) -> StrokeGroup:
    """Signs in as many lines as they need at this width."""
    step = size * (1 + GAP)
    strokes: list[Stroke] = []
    x = y = widest = 0.0
    for n, one in enumerate(shown):
        high = size * (ARROWS if one.symbol == ARROW.symbol else head if n == 0 and not one.value else 1.0)
        laid = sign(game, tints, one, high, measure, paper, smallest)
        if x and x + laid.wide > room:
            x, y = 0.0, y + step
        strokes += laid.at(x, y + (size - high) / 2)
        widest = max(widest, x + laid.wide)
        x += laid.wide + size * GAP
    return StrokeGroup(tuple(strokes), widest, y + size)
