"""Sheets of labels as a printer and a camera see them: rasterised at 300 dpi and read back."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pypdfium2
import pytest
import zxingcpp

from vision import paper, paper_sheets
from vision.labels import MODULES, TEST_GAME, Label, text
from vision.paper import MM, PAPERS, SHEETS, PaperStep, PaperWords, PaperZone, Plan, Sticker, StickerSheet

DPI = 300
PX = DPI / 25.4
"""Pixels in a millimetre."""

NAMES = ("Gem World", "Zażółć gęślą jaźń", "The Last of the Uplift Gnarssh", "Consume: 2x VPs", "Ł")
STICKERS = [
    Sticker(text(Label("R", n, n % 5)), NAMES[n % len(NAMES)], f"R{n} · player {n % 5}")
    for n in range(1, 151)
]
WORDS = PaperWords(
    language="pl",
    title="Etykiety: Race for the Galaxy",
    span=lambda first, last: f"{first}–{last}",
    page=lambda page, pages: f"{page}/{pages}",
    ruler="100 mm",
    last_title="Gdzie nakleić",
    steps=(PaperStep("Dość długi nagłówek", "Zdanie, które się łamie, bo jest dłuższe niż szpalta. " * 3),) * 6,
    card=(63, 88),
    picture=b"",
    zones=(PaperZone(2.5, 2.5, 58, 7, "nazwa"), PaperZone(29, 56, 31, 29, "towary")),
    right="dobrze",
    wrong="źle",
    strip="Pasek próbny",
    strip_body="Te kody nie należą do żadnej gry.",
    millimetres=lambda size: f"{size:g} mm",
)  # fmt: skip

KINDS = [
    ("a4", None, 10.0),
    ("a4", None, 12.0),
    ("letter", None, 15.0),
    ("a4", None, 18.0),
    *((sheet.paper, code, paper.usual(sheet.paper, sheet)) for code, sheet in SHEETS.items()),
]
"""Paper, sticker sheet and size."""


@cache
def printed(page: str, code: str | None, size: float) -> tuple[Plan, bytes]:
    plan = paper.plan(STICKERS, size, page, SHEETS[code] if code else None)
    out = io.BytesIO()
    pages = paper_sheets.draw(STICKERS, plan, WORDS, out)
    assert pages == plan.pages(len(STICKERS)) + 1
    return plan, out.getvalue()


@cache
def pictures(page: str, code: str | None, size: float) -> list[Any]:
    with pypdfium2.PdfDocument(printed(page, code, size)[1]) as pdf:
        return [sheet.render(scale=DPI / 72, grayscale=True).to_numpy().squeeze().copy() for sheet in pdf]


def read(picture: Any) -> list[Any]:
    return zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCodeModel2)


def places(plan: Plan, page: int) -> list[tuple[Sticker, float, float]]:
    """The labels of a page, counted from 0, with the corners of their cells."""
    some = STICKERS[page * plan.per_page : (page + 1) * plan.per_page]
    return [(sticker, *plan.cell(place)) for place, sticker in enumerate(some)]


def part(picture: Any, left: float, top: float, right: float, bottom: float) -> Any:
    """A part of a picture; lengths in millimetres, pixels that are only touched left out."""
    return picture[int(np.ceil(top * PX)) : int(bottom * PX), int(np.ceil(left * PX)) : int(right * PX)]


@pytest.mark.parametrize(("page", "code", "size"), KINDS)
def test_every_label_reads_back_from_where_it_should_be(page: str, code: str | None, size: float) -> None:
    plan, _ = printed(page, code, size)
    for n, picture in enumerate(pictures(page, code, size)[:-1]):
        found = {}
        for code_read in read(picture):
            corner = code_read.position.top_left
            found[code_read.text] = (corner.x / PX, corner.y / PX)
        wanted = {s.text: (x + plan.symbol[0], y + plan.symbol[1]) for s, x, y in places(plan, n)}
        assert found.keys() == wanted.keys()
        for label, corner in wanted.items():
            assert found[label] == pytest.approx(corner, abs=0.4)


@pytest.mark.parametrize(("page", "code", "size"), KINDS)
def test_symbols_have_their_size_and_nothing_in_their_quiet_zone(
    page: str, code: str | None, size: float
) -> None:
    plan, _ = printed(page, code, size)
    quiet = plan.module * (2.0 if code else 2.45)
    for n, picture in enumerate(pictures(page, code, size)[:-1]):
        for _, x, y in places(plan, n):
            left, top = x + plan.symbol[0], y + plan.symbol[1]
            around = part(picture, left - quiet, top - quiet, left + size + quiet, top + size + quiet)
            dark = np.argwhere(around < 128)
            extent = (dark.max(axis=0) - dark.min(axis=0) + 1) / PX
            assert extent == pytest.approx([size, size], abs=0.15)
            inside = around.copy()
            border = int((quiet - 0.1) * PX)
            inside[border:-border, border:-border] = 255
            assert inside.min() > 240


@pytest.mark.parametrize(("page", "code", "size"), KINDS)
def test_ink_keeps_to_the_symbol_the_words_and_the_edge(page: str, code: str | None, size: float) -> None:
    """So names do not run into codes or neighbours."""
    plan, _ = printed(page, code, size)
    slack = 0.25
    for n, picture in enumerate(pictures(page, code, size)[:-1]):
        rest = picture.copy()
        for _, x, y in places(plan, n):
            left, top, width, height = plan.words
            for box in (
                (x + plan.symbol[0], y + plan.symbol[1], size, size),
                (x + left - slack, y + top - slack, width + 2 * slack, height + 2 * slack),
            ):
                a, b = int((box[0] - 0.1) * PX), int((box[1] - 0.1) * PX)
                rest[b : int((box[1] + box[3] + 0.1) * PX) + 1, a : int((box[0] + box[2] + 0.1) * PX) + 1] = (
                    255
                )
        for _, x, y in places(plan, n):
            assert (
                part(rest, x + slack, y + slack, x + plan.width - slack, y + plan.height - slack).min() > 250
            )


@pytest.mark.parametrize(
    ("page", "sheet", "size"),
    [
        (page, sheet, size)
        for page in PAPERS
        for sheet in (None, *SHEETS.values())
        for size in (8.0, 9.3, 12.0, 14.0, 18.0, 25.0, 60.0)
        if (sheet is None or sheet.paper == page) and size <= paper.largest(page, sheet)
    ],
)
def test_cells_lie_on_the_paper_and_not_on_each_other(
    page: str, sheet: StickerSheet | None, size: float
) -> None:
    plan = paper.plan(STICKERS, size, page, sheet)
    assert plan.columns >= 1
    assert plan.rows >= 1
    assert plan.across >= plan.width - 1e-9
    assert plan.down >= plan.height - 1e-9
    x, y = plan.cell(plan.per_page - 1)
    assert plan.left >= 4
    assert x + plan.width <= plan.paper[0] - 4
    assert plan.top >= 8
    assert y + plan.height <= plan.paper[1] - 8
    quiet = 2 * plan.module
    left, top = plan.symbol
    assert quiet - 0.01 <= min(left, top)
    words_left, words_top, width, height = plan.words
    assert words_top >= top + size + quiet or words_left >= left + size + quiet - 0.01
    assert words_left + width <= plan.width
    assert words_top + height <= plan.height


@pytest.mark.parametrize("code", SHEETS)
def test_sticker_sheets_are_symmetrical_as_they_are_in_shops(code: str) -> None:
    """A slip in one of the numbers would push the grid to one side."""
    sheet = SHEETS[code]
    width, height = PAPERS[sheet.paper]
    right = width - sheet.left - (sheet.columns - 1) * sheet.across - sheet.width
    bottom = height - sheet.top - (sheet.rows - 1) * sheet.down - sheet.height
    assert right == pytest.approx(sheet.left, abs=0.15)
    assert bottom == pytest.approx(sheet.top, abs=0.15)


@pytest.mark.parametrize(
    ("page", "code"), [("a4", None), ("letter", None), ("a4", "L7651"), ("letter", "5267")]
)
def test_limits_are_what_they_say(page: str, code: str | None) -> None:
    sheet = SHEETS[code] if code else None
    high = paper.largest(page, sheet)
    for size in (paper.SMALLEST, high):
        assert paper.plan(STICKERS[:3], size, page, sheet).rows >= 1
    for size in (paper.SMALLEST - 0.1, high + 0.1, float("nan"), float("inf"), -18.0):
        with pytest.raises(ValueError, match="does not fit"):
            paper.plan(STICKERS[:3], size, page, sheet)


@pytest.mark.parametrize(
    ("page", "code", "size"), [("a4", None, 12.0), ("letter", None, 15.0), ("a4", "L7651", 17.0)]
)
def test_the_last_page_has_every_size_and_no_other_code(page: str, code: str | None, size: float) -> None:
    found = {r.text: r.position for r in read(pictures(page, code, size)[-1])}
    sizes = paper.strip(size)
    assert size in sizes
    assert set(found) == {text(Label(TEST_GAME, round(s))) for s in sizes}
    for s in sizes:
        position = found[text(Label(TEST_GAME, round(s)))]
        assert (position.top_right.x - position.top_left.x) / PX == pytest.approx(s, abs=0.3)


def test_the_bar_is_100_mm_long() -> None:
    foot = part(pictures("a4", None, 12.0)[0], 0, 280, 110, 297)
    assert ((foot < 128).sum(axis=1) / PX).max() == pytest.approx(100, abs=0.3)


def test_polish_letters_are_there_and_their_font_with_them() -> None:
    _, data = printed("a4", None, 18.0)
    with pypdfium2.PdfDocument(data) as pdf:
        words = "".join(page.get_textpage().get_text_range() for page in pdf)
        assert pdf.get_page_size(0) == pytest.approx((210 * MM, 297 * MM), abs=0.1)
    for wanted in ("Zażółć gęślą jaźń", "Gdzie nakleić", "Pasek próbny", "R150 · player 0"):
        assert wanted in words
    assert data.count(b"/FontFile2") == 2


def test_the_same_labels_give_the_same_file() -> None:
    plan, data = printed("a4", None, 18.0)
    again = io.BytesIO()
    paper_sheets.draw(STICKERS, plan, WORDS, again)
    assert again.getvalue() == data


@pytest.mark.parametrize(
    "names",
    [["x" * 300], ["word " * 60], [""], [" "], ["ZAŻÓŁĆ " * 10, "a"], ["漢字 😀", "\u202eabc", "a\nb"]],
)
@pytest.mark.parametrize("code", [None, "5267"])
def test_names_of_any_length_stay_in_their_place(names: Sequence[str], code: str | None) -> None:
    sheet = SHEETS[code] if code else None
    stickers = [Sticker(text(Label("R", n)), name, "R1 · " + name) for n, name in enumerate(names, start=1)]
    plan = paper.plan(stickers, 10, sheet.paper if sheet else "a4", sheet)
    out = io.BytesIO()
    paper_sheets.draw(stickers, plan, WORDS, out)
    with pypdfium2.PdfDocument(out.getvalue()) as pdf:
        picture = pdf[0].render(scale=DPI / 72, grayscale=True).to_numpy().squeeze().copy()
    assert {r.text for r in read(picture)} == {s.text for s in stickers}
    x, y = plan.cell(len(stickers) - 1)
    edge = x + plan.width + 0.3, y + 0.9, x + plan.width + 12, y + plan.height - 0.9
    assert part(picture, *edge).min() > 250
    assert plan.module * MODULES == pytest.approx(10)
