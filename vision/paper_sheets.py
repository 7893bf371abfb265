"""Sheets of labels as PDF: codes with quiet zones, names, crop marks or a sticker sheet's grid, and a last
page with instructions and a test strip of sizes. `vision.paper` plans the layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from vision.labels import MODULES, TEST_GAME, Label, matrix, text
from vision.paper import BEST_QUIET, LEADING, NOTE, SIDE, PaperWords, PaperZone, Plan, Sticker, strip
from vision.paper_page import BOLD, FONT, MM, PaperPage, fonts


def draw(stickers: Sequence[Sticker], plan: Plan, words: PaperWords, out: BinaryIO) -> int:
    """Write the PDF: labels, then the page of instructions with the test strip. Returns the page count."""
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
    """The header and footer around the labels."""
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
    """A bar of 100 mm, to check whether the printer kept the scale."""
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
    """A card with its label, then cards laid the right and the wrong way; returns where the drawing ends."""
    scale = min(0.92, width / words.card[0])
    card = _Card(page, plan, words, scale)
    card.draw(x + (width - words.card[0] * scale) / 2, y)
    card.draw_picture()
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
"""How much of a card is visible above, or beside, the one that lies on it."""


class _Card:
    """A card in a drawing, at reduced scale."""

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

    def draw_picture(self) -> None:
        """Draw what is printed on it."""
        if self.words.picture:
            width, height = (side * self.scale for side in self.words.card)
            self.page.picture(self.words.picture, self.x, self.y, width, height)

    def zone(self, zone: PaperZone) -> None:
        s = self.scale
        x, y = self.x + zone.x * s, self.y + zone.y * s
        self.page.box(x, y, zone.width * s, zone.height * s, line=0.45, radius=s, dash=True)
        lines = simpleSplit(zone.caption, FONT, 6.5, (zone.width * s - 1) * MM)
        top = y + (zone.height * s - len(lines) * 6.5 * 1.35 / MM) / 2
        self.page.tell(zone.caption, x + 0.5, top, zone.width * s - 1, 6.5, align="centre")

    def label(self) -> None:
        """Draw a sticker with a code-like pattern that no camera reads as a code."""
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
    """The same label in every size, to test the camera and the light before printing a whole box."""
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
