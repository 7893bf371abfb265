"""Signs laid out: a symbol with its letters in it or after it, and rows of them."""

from __future__ import annotations

from math import inf

from msgspec import Struct

from companion.core.faces import ARROW, Sign, Signs, Tints
from companion.drawing.colours import INK, Backing, seen_on, tint_of
from companion.drawing.strokes import Inscription, Measure, Stamp, Stroke, Strokes, moved
from companion.drawing.symbols import BOARD, Engraving, drawn_as

AFTER = 0.82
"""How large letters after a symbol are, to its size."""
BESIDE = 0.14
"""The gap between a symbol and the letters after it, to its size."""
ARROWS = 0.6
"""An arrow is smaller than what stands beside it."""
GAP = 0.2
"""The gap between two signs, to their size."""
ROUNDED = 0.4
"""Letters are painted in whole pixels."""
FAINT = 0.5
"""How opaque what is dim is, where there is no hollow drawing of it."""


class Laid(Struct, frozen=True):
    """Something laid out at the origin: its strokes and its size."""

    strokes: Strokes
    wide: float
    high: float

    def at(self, x: float, y: float) -> Strokes:
        """Its strokes with the upper left corner there."""
        return moved(self.strokes, x, y)


def sign(
    game: str,
    tints: Tints,
    shown: Sign,
    size: float,
    measure: Measure,
    paper: Backing,
    smallest: float = 0.0,
) -> Laid:
    """A sign so many pixels high; letters that would be smaller than `smallest` in it stand after it."""
    drawn = drawn_as(game, shown)
    tint = tint_of(tints, shown, paper)
    hollow = drawn.name.endswith("-hollow")
    faint = FAINT if shown.dim and not hollow else 1.0
    inside = bool(shown.value) and drawn.letters is not None
    if inside and _inside(drawn, shown.value, size, measure, {}).size < smallest - ROUNDED:
        inside = False
    front = tint[0] if inside and not _lines(drawn) else seen_on(tint, paper)
    colours = {"front": front, "lit": tint[1], "dark": tint[2], "ink": INK}
    strokes: list[Stroke] = [
        Stamp(0, 0, size, game, drawn.name, layer, colours[layer], faint) for layer in drawn.layers
    ]
    if not shown.value:
        return Laid(tuple(strokes), size, size)
    if inside:
        strokes.append(_inside(drawn, shown.value, size, measure, colours))
        return Laid(tuple(strokes), size, size)
    letters = max(size * AFTER, smallest)
    left = size * (1 + BESIDE)
    strokes.append(Inscription(left, size / 2, shown.value, letters, paper.text))
    return Laid(tuple(strokes), left + measure(shown.value, letters, True), size)


def _lines(drawn: Engraving) -> bool:
    """Whether letters in it stand on the ground itself, so that it must be seen there."""
    return drawn.letters is not None and drawn.letters.ink == "front"


def _inside(
    drawn: Engraving, value: str, size: float, measure: Measure, colours: dict[str, str]
) -> Inscription:
    letters = drawn.letters
    assert letters is not None
    unit = size / BOARD
    high = letters.size * unit
    wide = measure(value, high, True)
    if wide > letters.room * unit:
        high *= letters.room * unit / wide
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
) -> Laid:
    """Signs in one line, arrows smaller than the rest, and the first, if it is only a symbol, as large as told."""
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
) -> Laid:
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
    return Laid(tuple(strokes), widest, y + size)
