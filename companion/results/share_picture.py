"""A finished play as a picture for the group chat, and its sheet as PDF: no photo, no names but those at the table."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from companion.core.words import Text
from companion.drawing.charts import Ink, Series, lines, mark
from companion.drawing.colours import INK
from companion.drawing.font_widths import font_file
from companion.drawing.signs import StrokeGroup
from companion.drawing.strokes import Block, Inscription, Stroke, moved
from companion.drawing.svg import measured, png, svg
from companion.results.sheets import gathered, reasons, sheet_words
from companion.texts import render
from scoring.sheet import Sheet

WIDE, HIGH = 1080, 1350
GROUND = "#0E131C"
EDGE = 60
TITLE, WINNER, NAME, SENTENCE = 58, 84, 54, 42


def share_picture(
    title: str, day: str, seats: Sequence[Series], ranks: Sequence[int], why: str, rounds: Sequence[int]
) -> StrokeGroup:
    """The winner on their colour, everybody's points, the sentence, and the growth if `rounds` are given.

    Each seat's last value is its points.
    """
    ink = Ink(measured, ground=GROUND, size=34, unit=2.0)
    strokes: list[Stroke] = [Block(0, 0, WIDE, HIGH, GROUND)]
    y = 90.0
    for words, size, colour in ((title, TITLE, ink.text), (day, SENTENCE, ink.dim)):
        for line in wrapped(words, size, WIDE - 2 * EDGE):
            strokes.append(Inscription(EDGE, y, line, size, colour))
            y += size * 1.2
    y += 10
    high = 118 if len(seats) <= 4 else 96
    order = sorted(range(len(seats)), key=lambda n: ranks[n])
    for n in order:
        one, won = seats[n], ranks[n] == 1
        if won:
            strokes.append(Block(EDGE - 20, y, WIDE - 2 * EDGE + 40, high, one.colour, 24))
        tone, points = (INK if won else ink.text), str(one.values[-1])
        strokes += mark(
            one.shape, one.letter, ink.text if won else one.colour, EDGE + 40, y + high / 2, 36, ink
        )
        size = WINNER if won and high > 100 else NAME
        wide = WIDE - 2 * EDGE - 130 - measured(points, WINNER, True)
        while measured(one.name, size, True) > wide:
            size -= 2
        strokes.append(Inscription(EDGE + 100, y + high / 2, one.name, size, tone))
        right = WIDE - EDGE - measured(points, size if size > NAME else NAME, True)
        strokes.append(Inscription(right - 10, y + high / 2, points, size if size > NAME else NAME, tone))
        y += high + 12
    y += SENTENCE
    for line in wrapped(why, SENTENCE, WIDE - 2 * EDGE):
        strokes.append(Inscription(EDGE, y, line, SENTENCE, "#F3B94D"))
        y += SENTENCE * 1.25
    if len(rounds) > 1 and HIGH - y > 260:
        chart = lines(seats, rounds, WIDE - 2 * EDGE, HIGH - y - 50, ink)
        strokes += moved(chart.strokes, EDGE, y + 10)
    return StrokeGroup(tuple(strokes), WIDE, HIGH)


def picture_file(picture: StrokeGroup) -> bytes:
    """The picture as PNG."""
    return png(svg(picture), WIDE, HIGH)


def wrapped(words: str, size: float, room: float) -> list[str]:
    """Words in lines no longer than this; a word is never cut."""
    shown: list[str] = []
    for word in words.split():
        longer = f"{shown[-1]} {word}" if shown else word
        if shown and measured(longer, size, True) <= room:
            shown[-1] = longer
        else:
            shown.append(word)
    return shown


def sheet_pdf(title: str, sheet: Sheet, told: Sequence[Text], language: str) -> bytes:
    """The whole sheet on A4: a column per seat, each line with its reasons, and what decided it."""
    from xml.sax.saxutils import escape

    from reportlab.lib import colors  # imported late: reportlab takes memory that the table does not need
    from reportlab.lib.pagesizes import A4, landscape
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

    for name, is_bold in (("companion", False), ("companion-bold", True)):
        pdfmetrics.registerFont(TTFont(name, str(font_file(is_bold))))
    usual = ParagraphStyle("usual", fontName="companion", fontSize=10, leading=13)
    bold = ParagraphStyle("bold", parent=usual, fontName="companion-bold", fontSize=11, leading=14)
    small = ParagraphStyle(
        "small", parent=usual, fontSize=8, leading=10, textColor=colors.HexColor("#555555")
    )
    of, together = sheet_words(sheet), replace(gathered(sheet), names=sheet.names)

    def cell(words: str, style: ParagraphStyle) -> Paragraph:
        return Paragraph(escape(words), style)

    seats = sorted(together.seats, key=lambda seat: seat.rank)
    rows: list[list[Any]] = [[cell("", bold), *(cell(f"{seat.rank}. {seat.name}", bold) for seat in seats)]]
    for what in dict.fromkeys(line.what for seat in seats for line in seat.lines):
        row: list[Any] = [cell(render(of.words(what), language), usual)]
        for seat in seats:
            found = [line for line in seat.lines if line.what == what]
            parts = [cell(str(line.points), usual) for line in found]
            parts += [
                cell(f"{points} {render(why, language)}", small)
                for line in found
                for points, why in reasons(line, of)
            ]
            row.append(parts or cell("", usual))
        rows.append(row)
    rows.append([cell("", bold), *(cell(str(seat.total), bold) for seat in seats)])
    wide = landscape(A4)[0] - 80
    table = Table(rows, colWidths=[wide * 0.25, *([wide * 0.75 / len(seats)] * len(seats))], repeatRows=1)
    table.setStyle(
        [("VALIGN", (0, 0), (-1, -1), "TOP"), ("LINEBELOW", (0, 0), (-1, -1), 0.4, colors.lightgrey)]
    )
    sentences = [cell(render(text, language), usual) for text in told]
    out = io.BytesIO()
    page = SimpleDocTemplate(
        out,
        pagesize=landscape(A4),
        leftMargin=40,
        rightMargin=40,
        topMargin=36,
        bottomMargin=36,
        title=title,
        invariant=1,
    )
    page.build([cell(title, bold), Spacer(1, 8), table, Spacer(1, 10), *sentences])
    return out.getvalue()
