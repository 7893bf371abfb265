"""Drawings as SVG, and SVG as pixels in our font."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from companion.drawing.font_widths import font_file, font_widths
from companion.drawing.signs import StrokeGroup
from companion.drawing.strokes import Area, Block, Inscription, Stamp, Stroke
from companion.drawing.symbols import BOARD, drawing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CAPITALS = 0.36
"""Half the height of a capital letter, relative to the font size."""


def svg(laid: StrokeGroup, ground: str = "", elsewhere: bool = False) -> str:
    """A drawing as the text of an SVG file; with a background colour, or transparent. A program `elsewhere`
    may lack our font: there another one is fitted to the same width."""
    wide, high = _number(laid.wide), _number(laid.high)
    inside = "".join(
        shape for n, stroke in enumerate(laid.strokes) for shape in _shapes(stroke, n, elsewhere)
    )
    under = f'<rect width="{wide}" height="{high}" fill="{ground}"/>' if ground else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">'
        f"{under}{inside}</svg>\n"
    )


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _shapes(stroke: Stroke, n: int, elsewhere: bool) -> Iterator[str]:
    if isinstance(stroke, Stamp):
        yield from _stamp(stroke, n)
    elif isinstance(stroke, Inscription):
        at = f'x="{_number(stroke.x)}" y="{_number(stroke.y + CAPITALS * stroke.size)}"'
        weight = 700 if stroke.bold else 400
        family = '"Lato"'
        if elsewhere:
            fitted = _number(measured(stroke.words, stroke.size, stroke.bold))
            family = f'"Lato, sans-serif" textLength="{fitted}" lengthAdjust="spacingAndGlyphs"'
        yield (
            f'<text {at} font-family={family} font-weight="{weight}" font-size="{_number(stroke.size)}" '
            f'fill="{stroke.colour}">{escape(stroke.words)}</text>'
        )
    elif isinstance(stroke, Block):
        half = stroke.line / 2
        at = f'x="{_number(stroke.x + half)}" y="{_number(stroke.y + half)}"'
        size = f'width="{_number(stroke.wide - stroke.line)}" height="{_number(stroke.high - stroke.line)}"'
        faint = f' opacity="{_number(stroke.opacity)}"' if stroke.opacity < 1 else ""
        yield f'<rect {at} {size} rx="{_number(stroke.radius)}" {_paint(stroke)}{faint}/>'
    else:
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in stroke.corners)
        yield f'<polygon points="{points}" {_paint(stroke)}/>'


def _paint(stroke: Block | Area) -> str:
    if not stroke.line:
        return f'fill="{stroke.colour}"'
    dash = f' stroke-dasharray="{_number(stroke.line * 3)}"' if stroke.dashed else ""
    return f'fill="none" stroke="{stroke.colour}" stroke-width="{_number(stroke.line)}"{dash}'


def _stamp(stamp: Stamp, n: int) -> Iterator[str]:
    """A symbol's layer as a mask: white is the symbol, black a hole in it."""
    at = f'x="{_number(stamp.x)}" y="{_number(stamp.y)}"'
    faint = f' opacity="{_number(stamp.opacity)}"' if stamp.opacity < 1 else ""
    yield (
        f'<svg {at} width="{_number(stamp.size)}" height="{_number(stamp.size)}" viewBox="0 0 {BOARD} {BOARD}">'
        f'<mask id="s{n}" maskUnits="userSpaceOnUse" x="0" y="0" width="{BOARD}" height="{BOARD}">'
        f"{drawing(stamp.game, stamp.symbol).layer(stamp.layer)}</mask>"
        f'<path d="M0 0h{BOARD}v{BOARD}H0z" fill="{stamp.colour}" mask="url(#s{n})"{faint}/></svg>'
    )


def png(text: str, wide: int, high: int) -> bytes:
    """An SVG as a PNG of this size, in our font."""
    import resvg_py  # imported late, as cv2 below: what only writes SVG needs neither

    fonts = [str(font_file(bold)) for bold in (False, True)]
    return resvg_py.svg_to_bytes(
        svg_string=text, width=wide, height=high, skip_system_fonts=True, font_files=fonts
    )


def picture(text: str, wide: int, high: int) -> NDArray[np.uint8]:
    """An SVG as pixels: blue, green, red and alpha."""
    import cv2
    import numpy as np

    read = cv2.imdecode(np.frombuffer(png(text, wide, high), np.uint8), cv2.IMREAD_UNCHANGED)
    assert read is not None  # resvg always writes valid PNG files
    return read.astype(np.uint8)


def measured(words: str, size: float, bold: bool) -> float:
    """The width of words in our font."""
    return font_widths(bold).measure(words, size)
