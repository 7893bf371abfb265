"""A page of paper measured in millimetres from its top left corner, and the fonts on it."""

from __future__ import annotations

import importlib.resources
import io
from collections.abc import Iterator, Sequence
from functools import cache

from reportlab.lib.utils import ImageReader, simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

MM = 72 / 25.4
"""Points in a millimetre."""
FONT, BOLD = "DejaVuSansCondensed", "DejaVuSansCondensed-Bold"


@cache
def fonts() -> None:
    """Register the two fonts, which have Polish letters; they are embedded in the PDF."""
    for name in (FONT, BOLD):
        data = (importlib.resources.files("vision") / "fonts" / f"{name}.ttf").read_bytes()
        pdfmetrics.registerFont(TTFont(name, io.BytesIO(data)))


class PaperPage:
    """A canvas measured in millimetres from the top left corner."""

    def __init__(self, canvas: Canvas, height: float) -> None:
        self.canvas = canvas
        self.height = height

    def line(
        self, x1: float, y1: float, x2: float, y2: float, *, points: float = 0.25, grey: float = 0.0
    ) -> None:
        self.canvas.setLineWidth(points)
        self.canvas.setStrokeGray(grey)
        self.canvas.line(x1 * MM, (self.height - y1) * MM, x2 * MM, (self.height - y2) * MM)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: float | None = None,
        line: float | None = 0.0,
        points: float = 0.5,
        radius: float = 0.0,
        dash: bool = False,
    ) -> None:
        self.canvas.setLineWidth(points)
        if fill is not None:
            self.canvas.setFillGray(fill)
        if line is not None:
            self.canvas.setStrokeGray(line)
        self.canvas.setDash([2, 2] if dash else [])
        self.canvas.roundRect(
            x * MM,
            (self.height - y - height) * MM,
            width * MM,
            height * MM,
            radius * MM,
            stroke=int(line is not None),
            fill=int(fill is not None),
        )
        self.canvas.setDash([])

    def symbol(self, pattern: Sequence[Sequence[bool]], x: float, y: float, size: float) -> None:
        """Draw all dark modules as one path: drawn one by one they would show seams."""
        module = size / len(pattern)
        path = self.canvas.beginPath()
        for row, modules in enumerate(pattern):
            for start, length in _runs(modules):
                bottom = self.height - y - (row + 1) * module
                path.rect((x + start * module) * MM, bottom * MM, length * module * MM, module * MM)
        self.canvas.setFillGray(0)
        self.canvas.drawPath(path, stroke=0, fill=1)

    def picture(self, png: bytes, x: float, y: float, width: float, height: float) -> None:
        """Draw a picture at this size."""
        at = (x * MM, (self.height - y - height) * MM)
        self.canvas.drawImage(ImageReader(io.BytesIO(png)), *at, width * MM, height * MM)

    def say(
        self,
        words: str,
        x: float,
        y: float,
        font: float,
        *,
        bold: bool = False,
        grey: float = 0.0,
        align: str = "left",
    ) -> None:
        """Write one line; `y` is its baseline."""
        self.canvas.setFillGray(grey)
        self.canvas.setFont(BOLD if bold else FONT, font)
        where = {"left": self.canvas.drawString, "right": self.canvas.drawRightString}
        where.get(align, self.canvas.drawCentredString)(x * MM, (self.height - y) * MM, words)

    def tell(
        self,
        words: str,
        x: float,
        y: float,
        width: float,
        font: float,
        *,
        bold: bool = False,
        align: str = "left",
    ) -> float:
        """Write several lines from `y` down; returns where the next one would begin."""
        for line in simpleSplit(words, BOLD if bold else FONT, font, width * MM):
            y += font * 1.35 / MM
            at = x + width / 2 if align == "centre" else x
            self.say(line, at, y - font * 0.35 / MM, font, bold=bold, align=align)
        return y


def _runs(modules: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Runs of dark modules in a row: where each begins, and its length."""
    start = None
    for n, dark in enumerate([*modules, False]):
        if dark and start is None:
            start = n
        elif not dark and start is not None:
            yield start, n - start
            start = None
