"""A PDF with a label for every piece of a box."""

from __future__ import annotations

import difflib
import io
import math
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from companion.core.components import Facts
from companion.core.files import put, why
from companion.core.game import game
from companion.core.progress import GoOn, always, step
from companion.core.words import Text, count, decimal, plain, say
from companion.errors import DataTrouble, StorageTrouble, Trouble, Unknown
from companion.recognition.labels import Book, Piece
from companion.texts import fold, render

if TYPE_CHECKING:
    from vision.paper import PaperWords, Plan, Sticker, StickerSheet

PLAIN = "plain"
STANDARD_OUTPUT = "-"
CARD = (63.0, 88.0)
ZONES = {"name": (2.5, 2.5, 58, 7), "powers": (2.5, 12, 13, 62), "goods": (29, 56, 31, 29)}
"""Areas of a card's face: left, top, width, height in mm. The label goes under the name, at the right."""


DOTS = 8
"""Pixels per millimetre of a picture."""
PALE = 0.72
"""How much the picture is whitened, to save ink and keep words on it legible."""


class Written(Struct, frozen=True):
    """A PDF that was written: the game, number and size of the labels, number of pages, and the file."""

    game: str
    labels: int
    size: float
    pages: int
    file: str


class Wanted(Struct, frozen=True, kw_only=True):
    """Which labels to draw, how, and into which file."""

    game: str
    language: str
    size: float | None = None
    paper: str | None = None
    sheet: str | None = None
    only: list[str] | None = None
    out: str | None = None
    facts: Facts = {}
    """What was taught about the box: labels show the names people gave."""


def write(wanted: Wanted, go_on: GoOn = always) -> Written:
    """Draw the labels of a game into a file, without printing anything; `go_on` is told of each page."""
    from vision import paper, paper_sheets

    book = Book(game(wanted.game), wanted.facts)
    sheet = _sheet(wanted.sheet)
    page = _paper(wanted.paper, sheet)
    pieces = _pieces(book, wanted.only)
    stickers = [sticker(book, piece, wanted.language) for piece in pieces]
    plan = paper.plan(stickers, _size(wanted.size, page, sheet), page, sheet)
    pdf = io.BytesIO()
    words = _words(book, plan, len(stickers), wanted.language)

    def page_number(page: int, pages: int) -> str:
        step(go_on, page, pages)
        return words.page(page, pages)

    pages = paper_sheets.draw(stickers, plan, replace(words, page=page_number), pdf)
    out = wanted.out or f"{book.game.id}-labels.pdf"
    save(pdf.getvalue(), out)
    return Written(book.game.box.name, len(stickers), plan.size, pages, out)


def write_mat(language: str, out: str | None) -> str:
    """Draw the mat on which cards are shown; returns the name of the file."""
    from vision.paper_mat import draw_mat

    pdf = io.BytesIO()
    draw_mat(render(say("labels.mat-title"), language), language, pdf)
    file = out or "mat.pdf"
    save(pdf.getvalue(), file)
    return file


def _sheet(code: str | None) -> StickerSheet | None:
    from vision.paper import SHEETS

    wanted = (code or PLAIN).strip().upper().removeprefix("AVERY").strip(" -")
    if wanted == PLAIN.upper():
        return None
    if wanted not in SHEETS:
        known = tuple(plain(known) for known in (PLAIN, *SHEETS))
        raise Unknown(say("labels.unknown-sheet", sheet=code or "", known=known))
    return SHEETS[wanted]


def _paper(wanted: str | None, sheet: StickerSheet | None) -> str:
    from vision.paper import PAPERS

    if wanted is None:
        return sheet.paper if sheet is not None else "a4"
    name = wanted.strip().lower()
    if name not in PAPERS:
        raise Unknown(
            say("labels.unknown-paper", paper=wanted, known=tuple(plain(known) for known in PAPERS))
        )
    if sheet is not None and name != sheet.paper:
        raise DataTrouble(say("labels.other-paper", sheet=sheet.code, paper=sheet.paper, given=name))
    return name


def _size(wanted: float | None, paper: str, sheet: StickerSheet | None) -> float:
    from vision.paper import SMALLEST, largest, usual

    if wanted is None:
        return usual(paper, sheet)
    high = largest(paper, sheet)
    if not math.isfinite(wanted) or wanted < SMALLEST:
        raise DataTrouble(say("labels.too-small", size=millimetres(wanted), low=millimetres(SMALLEST)))
    if wanted > high:
        where = plain(sheet.code if sheet is not None else paper.upper())
        raise DataTrouble(
            say("labels.too-large", size=millimetres(wanted), high=millimetres(high), where=where)
        )
    return float(wanted)


def _pieces(book: Book, only: list[str] | None) -> tuple[Piece, ...]:
    """The requested pieces, each once, in the order of the box."""
    if only is None:
        return book.pieces
    wanted = {id for words in only for id in _components(book, words)}
    pieces = tuple(piece for piece in book.pieces if piece.component in wanted)
    if not pieces:
        raise DataTrouble(say("labels.nothing"))
    return pieces


def _components(book: Book, words: str) -> list[str]:
    """The components these words mean: all with exactly that name (a technology and its part may share one),
    or the only one whose name begins so."""
    spoken = book.catalogue.spoken
    if same := [id for id, names in spoken.items() if fold(words.strip()) in names]:
        return same
    try:
        return [str(book.catalogue.find(words).id)]
    except Unknown:
        names = {name: c for c in book.catalogue for name in (c.id, *spoken[c.id])}
        near = difflib.get_close_matches(fold(words), names, n=6, cutoff=0.6)
        found = tuple(dict.fromkeys(names[name].called for name in near))
        if not found:
            raise
        raise Unknown(say("labels.unknown-component", id=words, near=found[:3])) from None


def sticker(book: Book, piece: Piece, language: str) -> Sticker:
    """What is printed for a piece: its code, its name, and what distinguishes it from its copies."""
    from vision.paper import Sticker

    component = book.catalogue[piece.component]
    number = f"{book.letter}{book.number(piece.component)}"
    player = book.set_of(piece)
    if player is not None:
        note = say("labels.note-player", number=number, player=player)
    elif piece.copy:
        note = plain(f"{number} · {piece.copy}/{component.copies}")
    else:
        note = plain(number)
    name = component.codes[0] if component.codes else render(component.called, language)
    return Sticker(book.texts[piece], name, render(note, language))


def _words(book: Book, plan: Plan, total: int, language: str) -> PaperWords:
    from vision.paper import PaperStep, PaperWords, PaperZone, strip

    def t(text: Text) -> str:
        return render(text, language)

    kind = "plain" if plan.sheet is None else "stickers"
    slugs = ["print", "try", f"cut-{kind}", "stick", "lay", "which"]
    return PaperWords(
        language=language,
        title=t(say("labels.title", game=book.game.box.name)),
        span=lambda first, last: t(
            count("labels.span", total, first=first, last=last, size=millimetres(plan.size))
        ),
        page=lambda page, pages: t(say("labels.page", page=page, pages=pages)),
        ruler=t(say("labels.ruler")),
        last_title=t(say("labels.how")),
        steps=tuple(
            PaperStep(t(say(f"labels.head.{slug}")), t(say(f"labels.body.{slug}", sheet=_code(plan))))
            for slug in slugs
        ),
        card=CARD,
        picture=_example(book, language),
        zones=tuple(PaperZone(*box, t(say(f"labels.zone.{name}"))) for name, box in ZONES.items()),
        right=t(say("labels.right")),
        wrong=t(say("labels.wrong")),
        strip=t(say("labels.strip")),
        strip_body=t(say("labels.strip-body"))
        + (" " + t(say("labels.strip-bold")) if plan.size in strip(plan.size) else ""),
        millimetres=lambda size: t(say("labels.mm", size=millimetres(size))),
    )


def _example(book: Book, language: str) -> bytes:
    """An example card of the game without its name, pale enough to draw on."""
    from companion.drawing.signs import StrokeGroup
    from companion.drawing.strokes import Block
    from companion.drawing.svg import measured, png, svg
    from companion.drawing.upright import upright

    game = book.game
    faces = [game.face(component) for component in book.catalogue]
    face = next((face for face in faces if face.shape == "card" and face.rows), faces[0])
    wide, high = (round(side * DOTS) for side in CARD)
    nameless = replace(face, name=plain(""), short=None)
    laid = upright(game.id, game.tints, nameless, wide, high, measured, language, DOTS / 3)
    veil = Block(0, 0, wide, high, "#FFFFFF", opacity=PALE)
    return png(svg(StrokeGroup((*laid.strokes, veil), wide, high)), wide, high)


def _code(plan: Plan) -> str:
    return plan.sheet.code if plan.sheet is not None else ""


def millimetres(n: float) -> Text:
    """A length in millimetres as text."""
    return decimal(n, digits=0 if f"{n:.1f}".endswith(".0") else 1)


def save(data: bytes, name: str) -> None:
    """Write a PDF to standard output, or atomically to a file, so that it never exists half written."""
    if name == STANDARD_OUTPUT:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        file = Path(os.path.realpath(name))
        _refuse_to_overwrite(file, name)
        put(file, data)
    except (OSError, ValueError) as e:
        if isinstance(e, Trouble):
            raise
        raise StorageTrouble(say("labels.cannot-write", file=name, why=why(e))) from e


def _refuse_to_overwrite(file: Path, name: str) -> None:
    if file.is_dir():
        raise DataTrouble(say("labels.is-a-folder", file=name))
    if not file.parent.is_dir():
        raise DataTrouble(say("labels.no-folder", file=name, folder=str(file.parent)))
    if file.is_file() and file.stat().st_size:
        with file.open("rb") as old:
            if old.read(5) != b"%PDF-":
                raise DataTrouble(say("labels.not-a-pdf", file=name))
