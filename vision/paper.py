"""Sheets of labels as PDF: codes with their quiet zones, names, crop marks or a sticker sheet's grid, and a last page
that tells how to stick them and holds a test strip of sizes.

All lengths are millimetres from the top left corner of the page; a label's *size* is the side of its dark square of 21
modules, without the quiet zone. Sentences come in ready, in somebody's language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import BinaryIO

from msgspec import Struct
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from vision.labels import MODULES, TEST_GAME, Label, matrix, text
from vision.paper_page import BOLD, FONT, MM, PaperPage, fonts

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
SMALLEST = 8.0
USUAL = 18.0
"""What a 1080p camera above a table of 30 cards reads; see docs/labels.md."""
STRIP = (8.0, 10.0, 12.0, 15.0, 18.0, 20.0)
"""Sizes on the test strip."""

LEAST_QUIET, GOOD_QUIET, BEST_QUIET = 2.0, 2.5, 4.0
"""Modules of white around a symbol: what readers need, what a knife or a shifted print may nibble at, the standard."""
WIDEST = 24.0
"""Big labels get a little less white than the standard's four modules, so that a card's face is not all label."""

SIDE, HEAD, FOOT = 9.0, 17.0, 15.0
"""Margins of a page without a sticker grid: most printers leave 5 mm white, the rest is for marks and words."""

LEADING, NOTE = 1.18, 0.9
"""From one line to the next, and the type of a note, in font sizes."""


class StickerSheet(Struct, frozen=True, kw_only=True):
    """A sticker sheet that can be bought: where its stickers lie."""

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
"""Geometry from LibreOffice's label list, compared with gLabels' and others; docs/labels.md says which."""


class Sticker(Struct, frozen=True):
    """One label to print: its text, and the words beside it."""

    text: str
    name: str
    note: str


class Zone(Struct, frozen=True):
    """A part of a card's face in the drawing of where labels go, with a caption."""

    x: float
    y: float
    width: float
    height: float
    caption: str


class PaperStep(Struct, frozen=True):
    """One thing to do, in a word or two and then in full."""

    head: str
    body: str


class PaperWords(Struct, frozen=True, kw_only=True):
    """Everything the pages say, in one language."""

    language: str
    title: str
    span: Callable[[int, int], str]
    """Which labels are on a page: the first and the last, counted from 1."""
    page: Callable[[int, int], str]
    """Which page this is, of how many."""
    ruler: str
    last_title: str
    steps: tuple[PaperStep, ...]
    card: tuple[float, float]
    picture: bytes
    """A card as it looks, pale, as PNG; nothing if there is none."""
    zones: tuple[Zone, ...]
    right: str
    wrong: str
    strip: str
    strip_body: str
    millimetres: Callable[[float], str]


class Plan(Struct, frozen=True, kw_only=True):
    """Where everything lies: a grid of cells, and in each a symbol and its words."""

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
    """The greatest size that still fits, to a tenth of a millimetre."""
    if sheet is not None:
        least = MODULES / (MODULES + 2 * LEAST_QUIET)
        return int(min(sheet.height, sheet.width) * least * 10) / 10
    width, height = PAPERS[paper]
    room = min(width - 2 * SIDE, height - HEAD - FOOT - 3 * 6 * LEADING / MM)
    return int(room * MODULES / (MODULES + 2 * GOOD_QUIET) * 10) / 10


def usual(paper: str, sheet: StickerSheet | None) -> float:
    """The size to take when nobody says: whole millimetres, no more than fit comfortably."""
    if sheet is None:
        return USUAL
    return min(USUAL, float(int(min(sheet.height, sheet.width) * MODULES / (MODULES + 2 * GOOD_QUIET))))


def strip(size: float) -> list[float]:
    """The sizes on the test strip, the one that was chosen among them unless it is huge."""
    return sorted({*STRIP, *([size] if size <= 30 else [])})


def plan(stickers: Sequence[Sticker], size: float, paper: str, sheet: StickerSheet | None = None) -> Plan:
    """Where these labels go; raises `ValueError` if they cannot be so small or so large."""
    if not SMALLEST <= size <= largest(paper, sheet):
        raise ValueError(f"a label of {size} mm does not fit: {SMALLEST} to {largest(paper, sheet)} mm do")
    return _on_plain_paper(stickers, size, paper) if sheet is None else _on_stickers(stickers, size, sheet)


def _on_plain_paper(stickers: Sequence[Sticker], size: float, paper: str) -> Plan:
    """Cells that touch, as many as a page holds, the words under the symbol."""
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
    """The symbol at a sticker's left, the words at its right."""
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
    """The largest type in which every name takes one line, or, if that would be too small, two."""
    for font, lines in ((6.0, 1), (5.5, 1), (5.0, 1), (4.5, 1), (5.0, 2), (4.5, 2), (4.0, 2)):
        if all(_fits(sticker, font, width, lines * font * LEADING / MM + 0.01) for sticker in stickers):
            return font, lines
    return 4.0, 2


def _fits(sticker: Sticker, font: float, width: float, height: float) -> bool:
    """Whether the name goes into this room, and the note onto one line."""
    fonts()
    lines = simpleSplit(sticker.name, FONT, font, width * MM)
    widths = [pdfmetrics.stringWidth(line, FONT, font) for line in lines]
    widths.append(pdfmetrics.stringWidth(sticker.note, FONT, font * NOTE))
    return max(widths) <= width * MM + 0.01 and len(lines) * font * LEADING <= height * MM


def draw(stickers: Sequence[Sticker], plan: Plan, words: PaperWords, out: BinaryIO) -> int:
    """Write the PDF: pages of labels, then the page of instructions and the test strip. Returns how many pages."""
    fonts()
    canvas = Canvas(out, pagesize=(plan.paper[0] * MM, plan.paper[1] * MM), invariant=1, lang=words.language)
    canvas.setTitle(words.title)
    canvas.setCreator("tabletop-companion")
    pages = plan.pages(len(stickers)) + 1
    for page in range(1, pages):
        first = (page - 1) * plan.per_page
        _labels(PaperPage(canvas, plan.paper[1]), stickers[first : first + plan.per_page], plan)
        span = words.span(first + 1, min(first + plan.per_page, len(stickers)))
        _frame(PaperPage(canvas, plan.paper[1]), plan, words, span, words.page(page, pages))
        canvas.showPage()
    _last_page(PaperPage(canvas, plan.paper[1]), plan, words, words.page(pages, pages))
    canvas.showPage()
    canvas.save()
    return pages


def _labels(page: PaperPage, stickers: Sequence[Sticker], plan: Plan) -> None:
    for place, sticker in enumerate(stickers):
        x, y = plan.cell(place)
        page.symbol(matrix(sticker.text).tolist(), x + plan.symbol[0], y + plan.symbol[1], plan.size)
        _words_beside(page, sticker, plan, x + plan.words[0], y + plan.words[1])
    if plan.sheet is None:
        _crop_marks(page, plan, len(stickers))


def _words_beside(page: PaperPage, sticker: Sticker, plan: Plan, x: float, y: float) -> None:
    width, height = plan.words[2:]
    lines = simpleSplit(sticker.name, FONT, plan.font, width * MM)
    if len(lines) > plan.lines:
        lines = [*lines[: plan.lines - 1], lines[plan.lines - 1].rstrip() + "…"]
    lines = [_shortened(line, plan.font, width) for line in lines]
    step = plan.font * LEADING / MM
    centred = plan.sheet is None
    if not centred:
        y += (height - (len(lines) + 1) * step) / 2
    align, at = ("centre", x + width / 2) if centred else ("left", x)
    for line in lines:
        y += step
        page.say(line, at, y - plan.font * 0.25 / MM, plan.font, align=align)
    note = _shortened(sticker.note, plan.font * NOTE, width)
    page.say(note, at, y + step - plan.font * 0.25 / MM, plan.font * NOTE, grey=0.35, align=align)


def _shortened(line: str, font: float, width: float) -> str:
    if pdfmetrics.stringWidth(line, FONT, font) <= width * MM + 0.01:
        return line
    line = line.rstrip("…")
    while line and pdfmetrics.stringWidth(line + "…", FONT, font) > width * MM:
        line = line[:-1]
    return line.rstrip() + "…"


def _crop_marks(page: PaperPage, plan: Plan, stickers: int) -> None:
    """Small crosses where cells meet, and long marks at the edges to lay a ruler against."""
    rows, columns = -(-stickers // plan.columns), min(stickers, plan.columns)
    right, bottom = plan.left + columns * plan.width, plan.top + rows * plan.height
    for column in range(columns + 1):
        x = plan.left + column * plan.width
        page.line(x, plan.top - 1, x, plan.top - 5)
        page.line(x, bottom + 1, x, bottom + 5)
        for row in range(rows + 1):
            y = plan.top + row * plan.height
            page.line(max(x - 0.7, plan.left), y, min(x + 0.7, right), y, grey=0.5)
            page.line(x, max(y - 0.7, plan.top), x, min(y + 0.7, bottom), grey=0.5)
    for row in range(rows + 1):
        y = plan.top + row * plan.height
        page.line(plan.left - 1, y, plan.left - 4, y)
        page.line(right + 1, y, right + 4, y)


def _frame(page: PaperPage, plan: Plan, words: PaperWords, span: str, number: str) -> None:
    """What stands above and below the labels, outside of them."""
    left, right = (SIDE, plan.paper[0] - SIDE)
    if plan.sheet is not None:
        page.say(f"{words.title}  ·  {span}  ·  {plan.sheet.code}", left, 7.5, 6, grey=0.35)
        page.say(number, right, 7.5, 6, grey=0.35, align="right")
        return
    page.say(words.title, left, 9, 9, bold=True)
    page.say(number, right, 9, 7.5, grey=0.35, align="right")
    start = left + pdfmetrics.stringWidth(words.title, BOLD, 9) / MM + 3
    page.say(span, start, 9, 7.5, grey=0.35)
    _ruler(page, left, plan.paper[1] - 7, words.ruler)


def _ruler(page: PaperPage, x: float, y: float, words: str) -> None:
    """A bar of 100 mm, to see whether the printer kept to the size."""
    page.line(x, y, x + 100, y, points=0.6)
    for n in range(11):
        page.line(x + 10 * n, y - (1.8 if n in (0, 5, 10) else 1.0), x + 10 * n, y, points=0.6)
    page.say(words, x + 103, y, 6.5, grey=0.35)


def _last_page(page: PaperPage, plan: Plan, words: PaperWords, number: str) -> None:
    width, height = plan.paper
    left, right = 15.0, width - 15.0
    page.say(words.title, left, 17, 9, grey=0.35)
    page.say(number, right, 17, 7.5, grey=0.35, align="right")
    page.say(words.last_title, left, 26, 18, bold=True)
    column = 92.0
    y = 33.0
    for n, step in enumerate(words.steps, start=1):
        page.box(left, y + 0.4, 5.2, 5.2, fill=0.15, line=None, radius=2.6)
        page.canvas.setFillGray(1)
        page.say(str(n), left + 2.6, y + 4.1, 8, bold=True, grey=1.0, align="centre")
        end = page.tell(step.head, left + 8, y, column - 8, 9, bold=True)
        y = page.tell(step.body, left + 8, end + 0.3, column - 8, 8) + 2.6
    drawn = _where(page, left + column + 8, 33.0, right - left - column - 8, plan, words)
    _strip(page, left, max(y, drawn) + 4, right - left, plan, words)
    _ruler(page, left, height - 12, words.ruler)


def _where(page: PaperPage, x: float, y: float, width: float, plan: Plan, words: PaperWords) -> float:
    """A card with its label, then cards laid the right and the wrong way; returns where it ends."""
    scale = min(0.92, width / words.card[0])
    card = _Card(page, plan, words, scale)
    card.draw(x + (width - words.card[0] * scale) / 2, y)
    card.look()
    for zone in words.zones:
        card.zone(zone)
    card.label()
    y += words.card[1] * scale + 7
    half, (wide, high) = width / 2, words.card
    small = min(0.4, half / (wide + 2 * ASIDE) * 0.95)
    for n in range(3):
        card = _Card(page, plan, words, small)
        card.draw(x + (half - wide * small) / 2 - 2, y + n * DOWN * small)
        card.label()
        card = _Card(page, plan, words, small)
        card.draw(x + width - (wide + (2 - n) * ASIDE) * small, y + DOWN * small)
        card.label()
    bottom = y + (2 * DOWN + high) * small + 1
    ends = page.tell(f"✓ {words.right}", x, bottom, half - 4, 7.5, bold=True, align="centre")
    return max(ends, page.tell(f"× {words.wrong}", x + half, bottom, half, 7.5, bold=True, align="centre"))


DOWN, ASIDE = 44.0, 16.0
"""How much of a card is seen above, or beside, the one that lies on it."""


class _Card:
    """A card in a drawing, smaller than it is."""

    def __init__(self, page: PaperPage, plan: Plan, words: PaperWords, scale: float) -> None:
        self.page, self.words, self.scale, self.plan = page, words, scale, plan
        self.x = self.y = 0.0

    def draw(self, x: float, y: float) -> None:
        self.x, self.y = x, y
        width, height = self.words.card
        self.page.box(
            x, y, width * self.scale, height * self.scale, fill=0.93, line=0.3, radius=3 * self.scale
        )
        name = self.words.zones[0]
        self.page.box(
            x + name.x * self.scale, y + name.y * self.scale, name.width * self.scale, name.height * self.scale,
            fill=0.8, line=None, radius=self.scale,
        )  # fmt: skip

    def look(self) -> None:
        """What is printed on it."""
        if self.words.picture:
            width, height = (side * self.scale for side in self.words.card)
            self.page.picture(self.words.picture, self.x, self.y, width, height)

    def zone(self, zone: Zone) -> None:
        s = self.scale
        x, y = self.x + zone.x * s, self.y + zone.y * s
        self.page.box(x, y, zone.width * s, zone.height * s, line=0.45, radius=s, dash=True)
        lines = simpleSplit(zone.caption, FONT, 6.5, (zone.width * s - 1) * MM)
        top = y + (zone.height * s - len(lines) * 6.5 * 1.35 / MM) / 2
        self.page.tell(zone.caption, x + 0.5, top, zone.width * s - 1, 6.5, align="centre")

    def label(self) -> None:
        """A sticker with something like a code on it, which no camera takes for one."""
        plan = self.plan
        s = self.scale * min(1, self.words.card[0] * 0.72 / plan.width)
        width, height = plan.width, plan.height
        x = self.x + (self.words.card[0] - 2) * self.scale - width * s
        y = self.y + (self.words.zones[0].y + self.words.zones[0].height + 2) * self.scale
        self.page.box(x, y, width * s, height * s, fill=1, line=0.3, points=0.6)
        x, y, size = x + plan.symbol[0] * s, y + plan.symbol[1] * s, plan.size * s
        pattern = [[_sketch(row, column) for column in range(MODULES)] for row in range(MODULES)]
        self.page.symbol(pattern, x, y, size)
        left, top, width, height = (length * s for length in plan.words)
        for n, part in enumerate((0.8, 0.5)):
            line = top + height / 2 + (n - 0.5) * plan.font * LEADING / MM * s
            start = left + (width * (1 - part) / 2 if plan.sheet is None else 0)
            corner = x - plan.symbol[0] * s + start, y - plan.symbol[1] * s + line
            self.page.line(*corner, corner[0] + width * part, corner[1], points=0.8, grey=0.6)


def _sketch(row: int, column: int) -> bool:
    """Three rings in the corners, and dots between them."""
    for top, left in ((0, 0), (0, 14), (14, 0)):
        ring = max(abs(row - top - 3), abs(column - left - 3))
        if ring <= 4:
            return ring == 3
    return (row * 7 + column * 5 + row * column) % 3 == 0


def _strip(page: PaperPage, x: float, y: float, width: float, plan: Plan, words: PaperWords) -> None:
    """The same label in every size, to try the camera and the light before printing a whole box."""
    y = page.tell(words.strip, x, y, width, 11, bold=True) + 0.5
    y = page.tell(words.strip_body, x, y, width, 8) + 2
    sizes = strip(plan.size)
    widths = [size * (1 + 2 * BEST_QUIET / MODULES) for size in sizes]
    gap = (width - sum(widths)) / max(1, len(sizes) - 1)
    bottom = y + max(widths)
    for size, cell in zip(sizes, widths, strict=True):
        quiet = size * BEST_QUIET / MODULES
        page.box(x, bottom - cell, cell, cell, fill=1, line=0.75, points=0.25)
        page.symbol(
            matrix(text(Label(TEST_GAME, round(size)))).tolist(), x + quiet, bottom - cell + quiet, size
        )
        chosen = size == plan.size
        page.say(words.millimetres(size), x + cell / 2, bottom + 4, 7.5, bold=chosen, align="centre")
        x += cell + gap
