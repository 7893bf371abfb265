"""Plans sheets of labels: where each code goes, with its quiet zone and its name, on plain paper or sticker
sheets. `vision.paper_sheets` draws them.

All lengths are millimetres from the top left corner of the page; a label's *size* is the side of its dark
square of 21 modules, without the quiet zone. Sentences are passed in already translated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics

from vision.labels import MODULES
from vision.paper_page import FONT, MM, fonts

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
SMALLEST = 8.0
USUAL = 18.0
"""A size that a 1080p camera above a table of 30 cards can read; see docs/labels.md."""
STRIP = (8.0, 10.0, 12.0, 15.0, 18.0, 20.0)
"""Sizes on the test strip."""

LEAST_QUIET, GOOD_QUIET, BEST_QUIET = 2.0, 2.5, 4.0
"""Modules of white around a symbol: the minimum, a margin for inaccurate cutting or printing, the standard."""
WIDEST = 24.0
"""Big labels get a little less white than the standard's four modules, so as not to cover the card."""

SIDE, HEAD, FOOT = 9.0, 17.0, 15.0
"""Margins of a page without a sticker grid: most printers leave 5 mm white; the rest is for marks and words."""

LEADING, NOTE = 1.18, 0.9
"""Line spacing, and the font size of a note, both relative to the font size."""


class StickerSheet(Struct, frozen=True, kw_only=True):
    """A commercial sticker sheet: where its stickers are."""

    code: str
    paper: str
    columns: int
    rows: int
    width: float
    height: float
    left: float
    top: float
    across: float
    down: float


SHEETS = {
    sheet.code: sheet
    for sheet in (
        StickerSheet(code="L7651", paper="a4", columns=5, rows=13, width=38.1, height=21.17,
              left=4.67, top=10.9, across=40.64, down=21.17),
        StickerSheet(code="L4732", paper="a4", columns=5, rows=16, width=35.56, height=16.93,
              left=11.02, top=13.06, across=38.1, down=16.93),
        StickerSheet(code="5267", paper="letter", columns=4, rows=20, width=44.45, height=12.7,
              left=7.14, top=12.7, across=52.4, down=12.7),
    )
}  # fmt: skip
"""Geometry from LibreOffice's label list, compared with gLabels' and others; see docs/labels.md."""


class Sticker(Struct, frozen=True):
    """One label to print: its text, and the words beside it."""

    text: str
    name: str
    note: str


class PaperZone(Struct, frozen=True):
    """A part of a card's face, with a caption, in the drawing that shows where labels go."""

    x: float
    y: float
    width: float
    height: float
    caption: str


class PaperStep(Struct, frozen=True):
    """One instruction: a word or two, then the full sentence."""

    head: str
    body: str


class PaperWords(Struct, frozen=True, kw_only=True):
    """All texts of the pages in one language."""

    language: str
    title: str
    span: Callable[[int, int], str]
    """Which labels are on a page: takes the first and the last, counted from 1."""
    page: Callable[[int, int], str]
    """The page number: takes this page and the number of pages."""
    ruler: str
    last_title: str
    steps: tuple[PaperStep, ...]
    card: tuple[float, float]
    picture: bytes
    """The picture of a card, pale, as PNG; empty if there is none."""
    zones: tuple[PaperZone, ...]
    right: str
    wrong: str
    strip: str
    strip_body: str
    millimetres: Callable[[float], str]


class Plan(Struct, frozen=True, kw_only=True):
    """The layout: a grid of cells, and in each a symbol and its words."""

    paper: tuple[float, float]
    sheet: StickerSheet | None
    size: float
    columns: int
    rows: int
    left: float
    top: float
    across: float
    down: float
    width: float
    height: float
    symbol: tuple[float, float]
    """The symbol's top left corner in its cell."""
    words: tuple[float, float, float, float]
    """Left, top, width and height of the words in a cell."""
    font: float
    lines: int
    """Lines a name may take."""

    @property
    def module(self) -> float:
        """The side of one module."""
        return self.size / MODULES

    @property
    def per_page(self) -> int:
        """How many labels a page holds."""
        return self.columns * self.rows

    def cell(self, place: int) -> tuple[float, float]:
        """The top left corner of a cell, counted from 0 along the rows."""
        row, column = divmod(place, self.columns)
        return self.left + column * self.across, self.top + row * self.down

    def pages(self, stickers: int) -> int:
        """How many pages these labels fill, without the last page of instructions."""
        return -(-stickers // self.per_page)


def largest(paper: str, sheet: StickerSheet | None) -> float:
    """The largest size that still fits, to a tenth of a millimetre."""
    if sheet is not None:
        least = MODULES / (MODULES + 2 * LEAST_QUIET)
        return int(min(sheet.height, sheet.width) * least * 10) / 10
    width, height = PAPERS[paper]
    room = min(width - 2 * SIDE, height - HEAD - FOOT - 3 * 6 * LEADING / MM)
    return int(room * MODULES / (MODULES + 2 * GOOD_QUIET) * 10) / 10


def usual(paper: str, sheet: StickerSheet | None) -> float:
    """The default size: whole millimetres, no more than fits comfortably."""
    if sheet is None:
        return USUAL
    return min(USUAL, float(int(min(sheet.height, sheet.width) * MODULES / (MODULES + 2 * GOOD_QUIET))))


def strip(size: float) -> list[float]:
    """The sizes on the test strip, including the chosen one unless it is huge."""
    return sorted({*STRIP, *([size] if size <= 30 else [])})


def plan(stickers: Sequence[Sticker], size: float, paper: str, sheet: StickerSheet | None = None) -> Plan:
    """The layout for these labels; raises `ValueError` if the size is too small or too large."""
    if not SMALLEST <= size <= largest(paper, sheet):
        raise ValueError(f"a label of {size} mm does not fit: {SMALLEST} to {largest(paper, sheet)} mm do")
    return _on_plain_paper(stickers, size, paper) if sheet is None else _on_stickers(stickers, size, sheet)


def _on_plain_paper(stickers: Sequence[Sticker], size: float, paper: str) -> Plan:
    """Adjacent cells, as many as fit on a page, the words under the symbol."""
    module = size / MODULES
    quiet = module * min(BEST_QUIET, max(GOOD_QUIET, (WIDEST - size) / 2 / module))
    width = size + 2 * quiet
    margin = 0.8
    font, lines = _type_size(stickers, width - 2 * margin)
    words = (lines + 1) * font * LEADING / MM
    height = size + 2 * quiet + words + margin - min(quiet - LEAST_QUIET * module, 0.6)
    page = PAPERS[paper]
    columns = int((page[0] - 2 * SIDE) / width + 1e-6)
    rows = int((page[1] - HEAD - FOOT) / height + 1e-6)
    return Plan(
        paper=page,
        sheet=None,
        size=size,
        columns=columns,
        rows=rows,
        left=(page[0] - columns * width) / 2,
        top=HEAD,
        across=width,
        down=height,
        width=width,
        height=height,
        symbol=(quiet, quiet),
        words=(margin, height - margin - words, width - 2 * margin, words),
        font=font,
        lines=lines,
    )


def _on_stickers(stickers: Sequence[Sticker], size: float, sheet: StickerSheet) -> Plan:
    """The symbol at the left of a sticker, the words at its right."""
    module = size / MODULES
    above = (sheet.height - size) / 2
    before = min(above, max(BEST_QUIET * module, 2.0))
    left = before + size + max(LEAST_QUIET * module, min(before, BEST_QUIET * module))
    width, height = sheet.width - left - 1.5, sheet.height - 2.0
    font = next(
        (
            font
            for font in (8.0, 7.0, 6.5, 6.0, 5.5, 5.0, 4.5)
            if all(_fits(sticker, font, width, height - font * LEADING / MM) for sticker in stickers)
        ),
        4.0,
    )
    return Plan(
        paper=PAPERS[sheet.paper],
        sheet=sheet,
        size=size,
        columns=sheet.columns,
        rows=sheet.rows,
        left=sheet.left,
        top=sheet.top,
        across=sheet.across,
        down=sheet.down,
        width=sheet.width,
        height=sheet.height,
        symbol=(before, above),
        words=(left, 1.0, width, height),
        font=font,
        lines=int(height * MM / font / LEADING) - 1,
    )


def _type_size(stickers: Sequence[Sticker], width: float) -> tuple[float, int]:
    """The largest font size at which every name fits on one line, or, if that would be too small, on two."""
    for font, lines in ((6.0, 1), (5.5, 1), (5.0, 1), (4.5, 1), (5.0, 2), (4.5, 2), (4.0, 2)):
        if all(_fits(sticker, font, width, lines * font * LEADING / MM + 0.01) for sticker in stickers):
            return font, lines
    return 4.0, 2


def _fits(sticker: Sticker, font: float, width: float, height: float) -> bool:
    """Whether the name fits into this space, and the note onto one line."""
    fonts()
    lines = simpleSplit(sticker.name, FONT, font, width * MM)
    widths = [pdfmetrics.stringWidth(line, FONT, font) for line in lines]
    widths.append(pdfmetrics.stringWidth(sticker.note, FONT, font * NOTE))
    return max(widths) <= width * MM + 0.01 and len(lines) * font * LEADING <= height * MM
