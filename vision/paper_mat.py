"""The mat on which cards are shown: a sheet of paper with a mark at each corner that the camera recognises."""

from __future__ import annotations

from typing import BinaryIO

from reportlab.pdfgen.canvas import Canvas

from vision.labels import MODULES, matrix
from vision.mat import CORNERS
from vision.paper_page import MM, PaperPage, fonts

WIDE, HIGH = 297.0, 210.0
"""A4, landscape."""
MARK, EDGE = 24.0, 14.0
"""Size of a mark's dark square, and its distance from the edge, where printers leave a margin."""


def draw_mat(title: str, language: str, out: BinaryIO) -> None:
    """Write the mat as a PDF of one page."""
    fonts()
    canvas = Canvas(out, pagesize=(WIDE * MM, HIGH * MM), invariant=1, lang=language)
    canvas.setTitle(title)
    canvas.setCreator("tabletop-companion")
    page = PaperPage(canvas, HIGH)
    right, low = WIDE - EDGE - MARK, HIGH - EDGE - MARK
    for mark, (x, y) in zip(CORNERS, ((EDGE, EDGE), (right, EDGE), (right, low), (EDGE, low)), strict=True):
        page.symbol(matrix(mark).tolist(), x, y, MARK)
    middle, quiet = EDGE + MARK / 2, 4 * MARK / MODULES
    inner = EDGE + MARK + quiet
    for x in (middle, WIDE - middle):
        page.line(x, inner, x, HIGH - inner, grey=0.6)
    for y in (middle, HIGH - middle):
        page.line(inner, y, WIDE - inner, y, grey=0.6)
    page.say(title, WIDE / 2, HIGH / 2, 22, bold=True, grey=0.6, align="centre")
    canvas.showPage()
    canvas.save()
