"""The labels command as the command line calls it, and which label belongs to which piece."""

from __future__ import annotations

import argparse
import errno
import hashlib
import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import pypdfium2
import pytest
import zxingcpp
from msgspec.structs import replace

from companion.commands.labels import run as labels
from companion.commands.shared import journal
from companion.core.game import Box, Setup, boxes, check_letters, games
from companion.errors import (
    BAD_INPUT,
    DONE,
    STORAGE,
    Ambiguous,
    DataTrouble,
    StorageTrouble,
    Trouble,
    Unknown,
)
from companion.recognition.label_sheets import Wanted, write
from companion.recognition.labels import Book, Piece, books, find
from companion.texts import LANGUAGES
from vision.decode import Reader
from vision.labels import TEST_GAME, Label, parse, text
from vision.mat import Mat

RACE = Book(games()["race"])


def run(out: Path | str, **given: Any) -> int:
    usual = {"game": "race", "size": None, "paper": None, "sheet": "plain", "only": None, "language": "en"}
    return labels(argparse.Namespace(**{**usual, "mat": False, "out": str(out), **given}))


def codes(file: Path) -> list[str]:
    """Every code on every page, the test strip's left out."""
    with pypdfium2.PdfDocument(file) as pdf:
        pictures = [page.render(scale=300 / 72, grayscale=True).to_numpy().squeeze().copy() for page in pdf]
    found = [
        code.text
        for picture in pictures
        for code in zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCodeModel2)
    ]
    read = [parse(code) for code in found]
    assert all(read)
    return [code for code, label in zip(found, read, strict=True) if label and label.game != TEST_GAME]


def words(file: Path) -> str:
    with pypdfium2.PdfDocument(file) as pdf:
        return "\n".join(page.get_textpage().get_text_range() for page in pdf)


# ---- the mat


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_mat_is_found_in_a_picture_of_it(tmp_path: Path, language: str) -> None:
    assert run(tmp_path / "mat.pdf", game=None, mat=True, language=language) == DONE
    with pypdfium2.PdfDocument(tmp_path / "mat.pdf") as pdf:
        assert len(pdf) == 1
        picture = pdf[0].render(scale=1.5, grayscale=True).to_numpy().squeeze().copy()
    seen = Reader().read(picture)
    spot = Mat().see(seen).spot
    assert spot is not None
    high, wide = picture.shape
    assert [(x > wide / 2, y > high / 2) for x, y in spot] == [
        (False, False),
        (True, False),
        (True, True),
        (False, True),
    ]
    hidden = Mat().see(seen[1:]).spot
    assert hidden is not None, "a card may lie on one of the corners"
    assert (
        max(
            abs(a - b)
            for one, other in zip(spot, hidden, strict=True)
            for a, b in zip(one, other, strict=True)
        )
        < 3
    )
    assert Mat().see(seen[2:]).spot is None
    assert Mat().see(seen).see((), moved=True).spot is None, "the camera was moved: look for it again"


def test_labels_of_no_game_are_asked_for(tmp_path: Path) -> None:
    with pytest.raises(DataTrouble):
        run(tmp_path / "x.pdf", game=None)


# ---- which label belongs to which piece


@pytest.mark.parametrize("book", books().values(), ids=lambda book: book.game.id)
def test_every_piece_has_a_label_of_its_own_that_leads_back_to_it(book: Book) -> None:
    assert len(book.pieces) == len(set(book.pieces)) == book.catalogue.pieces
    assert len(set(book.texts.values())) == len(book.pieces)
    for piece, written in book.texts.items():
        label = parse(written)
        assert label == book.label(piece)
        assert text(label) == written
        assert book.piece(written) == book.piece(written.encode()) == piece
        assert find(written) == (book.game.id, piece)


def test_every_game_has_a_letter_and_no_two_share_it() -> None:
    assert len(books()) == len(games())
    check_letters(boxes().values())
    race = boxes()["race"]
    twin = replace(race, id="twin", name="Twin")
    with pytest.raises(DataTrouble) as trouble:
        check_letters([race, twin])
    assert trouble.value.text.key == "labels.letter-taken"
    check_letters([race, replace(twin, label="T")])


@pytest.mark.parametrize("letter", ["", "r", "RR", "1", "Ł", TEST_GAME])
def test_a_letter_is_one_of_a_to_y(letter: str) -> None:
    box = {"id": "x", "name": "X", "seats": [2], "label": letter}
    with pytest.raises(msgspec.ValidationError, match="label"):
        msgspec.convert(box, Box)


def test_race_has_a_label_for_114_cards_and_four_players_action_cards() -> None:
    cards = [piece for piece in RACE.pieces if RACE.set_of(piece) is None]
    assert len(cards) == 114
    assert sum(piece.copy == 0 for piece in cards) == 76
    assert [piece.copy for piece in cards if piece.component == "contact-specialist"] == [1, 2]
    sets = [RACE.set_of(piece) for piece in RACE.pieces[114:]]
    assert sets == [1] * 9 + [2] * 9 + [3] * 9 + [4] * 9
    assert RACE.pieces[0] == Piece("old-earth")


def test_numbers_never_change() -> None:
    """Labels are stuck on cards: components may be added at the end of the catalogue, nothing else."""
    ids = [component.id for component in RACE.catalogue][:104]
    assert (ids[0], ids[64], ids[95], ids[103]) == (
        "old-earth",
        "contact-specialist",
        "explore-5",
        "settle-2",
    )
    assert hashlib.sha256("\n".join(ids).encode()).hexdigest()[:16] == "bf988d3e160e7003"
    assert RACE.letter == "R"


def test_every_variant_has_the_same_numbers() -> None:
    for game in games().values():
        seats = tuple("abcdef"[: game.box.seats[0]])
        usual = [c.id for c in Book(game).catalogue]
        for variant in game.box.variants:
            for value in variant.values:
                setup = game.complete(Setup(game.id, seats, {variant.id: value}))
                assert [c.id for c in game.catalogue(setup, setup.facts)] == usual


@pytest.mark.parametrize(
    "foreign",
    [
        "",
        "hello",
        b"\xff\xfe",
        text(Label("R", 105)),  # the check is right, but there is no such card
        text(Label("R", 1, 1)),  # nor a first copy of a card there is only one of
        text(Label("R", 65, 0)),
        text(Label("R", 65, 3)),
        text(Label("X", 1)),
        text(Label(TEST_GAME, 18)),
    ],
)
def test_a_forged_or_foreign_label_belongs_to_nothing(foreign: str | bytes) -> None:
    assert find(foreign) is None
    assert RACE.piece(foreign) is None


# ---- the command


def test_all_labels_of_the_box_can_be_read_from_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "race.pdf"
    assert run(out) == DONE
    assert sorted(codes(out)) == sorted(RACE.texts.values())
    said = capsys.readouterr()
    assert "150" in said.out
    assert str(out) in said.out
    assert said.err == ""
    assert list(tmp_path.iterdir()) == [out]


def test_names_and_numbers_are_printed_as_the_box_is_sorted(tmp_path: Path) -> None:
    out = tmp_path / "race.pdf"
    run(out)
    printed = words(out)
    places = [printed.index(name) for name in ("Old Earth", "Gem World", "Contact Specialist", "Explore: +5")]
    assert places == sorted(places)
    for wanted in ("R65 · 1/2", "R65 · 2/2", "R96 · player 1", "R104 · player 4", "18 mm"):
        assert wanted in printed


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_sheets_is_in_the_players_language(tmp_path: Path, language: str) -> None:
    for sheet in ("plain", "L7651"):
        out = tmp_path / f"{sheet}.pdf"
        run(out, language=language, sheet=sheet, only=["gem-world", "develop"])
        assert "labels." not in words(out)
        assert ("Pasek próbny" in words(out)) == (language == "pl")
        assert ("gracz 2" in words(out)) == (language == "pl")


def test_only_some_labels(tmp_path: Path) -> None:
    out = tmp_path / "some.pdf"
    assert run(out, only=["Public Works", "gem-world", "gem-world", "explore-5"]) == DONE
    wanted = [Piece("gem-world"), Piece("public-works", 1), Piece("public-works", 2)]
    wanted += [Piece("explore-5", n) for n in (1, 2, 3, 4)]
    assert sorted(codes(out)) == sorted(RACE.texts[piece] for piece in wanted)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "asked", "id", "shown"),
    [
        ("beyond", "Syriusz", "sirius", ("Sirius", "Syriusz")),
        ("beyond", "sirius", "sirius", ("Sirius", "Syriusz")),
        ("beyond", "gwiazda barnarda", "barnards-star", ("Barnard's Star", "Gwiazda Barnarda")),
        ("beyond", "Gildia Profesorow", "professors-guild", ("Gildia Profesorów", "Gildia Profesorów")),
        ("transgalactica", "Porucznik", "lieutenant", ("Lieutenant", "Porucznik")),
    ],
)
def test_a_label_is_asked_for_in_either_language_and_printed_in_ones_own(
    tmp_path: Path, language: str, game: str, asked: str, id: str, shown: tuple[str, str]
) -> None:
    out = tmp_path / "one.pdf"
    assert run(out, game=game, only=[asked], language=language) == DONE
    assert codes(out) == [Book(games()[game]).texts[Piece(id)]]
    assert shown[LANGUAGES.index(language)] in " ".join(words(out).split())


@pytest.mark.parametrize(
    ("given", "size"),
    [
        ({"sheet": "L7651"}, "17 mm"),
        ({"sheet": "avery-l4732"}, "13 mm"),
        ({"sheet": "Avery 5267"}, "10 mm"),
        ({"sheet": "5267", "paper": "letter"}, "10 mm"),
        ({"paper": "LETTER", "size": 12.5}, "12.5 mm"),
        ({"sheet": None, "paper": "a4", "size": 8}, "8 mm"),
    ],
)
def test_papers_and_sheets(
    tmp_path: Path, given: dict[str, Any], size: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "x.pdf", only=["gem-world"], **given) == DONE
    assert size in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "kind", "key", "told"),
    [
        ({"game": "chess"}, Unknown, "core.unknown-game", "race"),
        ({"only": ["gem-wrld"]}, Unknown, "labels.unknown-component", "Gem World"),
        ({"only": ["Publik Works"]}, Unknown, "labels.unknown-component", "Public Works"),
        ({"only": ["qqqqqq"]}, Unknown, "core.unknown-component", "qqqqqq"),
        ({"only": [""]}, Unknown, "core.unknown-component", ""),
        ({"only": ["rebel"]}, Ambiguous, "core.several-components", "Rebel Base"),
        ({"only": []}, DataTrouble, "labels.nothing", ""),
        ({"size": 7.9}, DataTrouble, "labels.too-small", "8 mm"),
        ({"size": 0}, DataTrouble, "labels.too-small", "8 mm"),
        ({"size": -18.0}, DataTrouble, "labels.too-small", "8 mm"),
        ({"size": float("nan")}, DataTrouble, "labels.too-small", "8 mm"),
        ({"size": float("inf")}, DataTrouble, "labels.too-small", "8 mm"),
        ({"size": 500}, DataTrouble, "labels.too-large", "A4"),
        ({"size": 18, "sheet": "L7651"}, DataTrouble, "labels.too-large", "17.7 mm"),
        ({"size": 12, "sheet": "5267"}, DataTrouble, "labels.too-large", "5267"),
        ({"sheet": "L9999"}, Unknown, "labels.unknown-sheet", "L7651"),
        ({"paper": "a3"}, Unknown, "labels.unknown-paper", "letter"),
        ({"paper": "letter", "sheet": "L7651"}, DataTrouble, "labels.other-paper", "L7651"),
    ],
)
def test_bad_wishes_are_told_and_nothing_is_written(
    tmp_path: Path, given: dict[str, Any], kind: type[Trouble], key: str, told: str
) -> None:
    with pytest.raises(kind) as trouble:
        run(tmp_path / "x.pdf", **given)
    assert trouble.value.text.key == key
    assert trouble.value.exit_code == BAD_INPUT
    assert told in str(trouble.value)
    assert list(tmp_path.iterdir()) == []


def test_bad_places_are_told(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("dear Ania")
    for out, key in (
        (tmp_path, "labels.is-a-folder"),
        (tmp_path / "nowhere" / "x.pdf", "labels.no-folder"),
        (letter / "x.pdf", "labels.no-folder"),
        (letter, "labels.not-a-pdf"),
    ):
        with pytest.raises(DataTrouble) as trouble:
            run(out, only=["gem-world"])
        assert trouble.value.text.key == key
        assert str(out) in str(trouble.value)
    assert letter.read_text() == "dear Ania"
    for out in (f"{tmp_path}/{'x' * 300}.pdf", f"{tmp_path}/a\0b.pdf", "/proc/labels.pdf"):
        with pytest.raises(StorageTrouble) as storage:
            run(out, only=["gem-world"])
        assert storage.value.exit_code == STORAGE
    assert list(tmp_path.iterdir()) == [letter]


@pytest.mark.parametrize("broken", ["replace", "fsync"])
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO])
def test_a_disk_that_fails_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str, error: int
) -> None:
    out = tmp_path / "race.pdf"
    run(out, only=["gem-world"])
    before = out.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(os, broken, fail)
    with pytest.raises(StorageTrouble) as trouble:
        run(out, only=["public-works"])
    assert trouble.value.exit_code == STORAGE
    assert os.strerror(error) in str(trouble.value)
    assert out.read_bytes() == before
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux")
def test_a_full_disk_and_a_device_that_swallows_all() -> None:
    with pytest.raises(StorageTrouble):
        run("/dev/full", only=["gem-world"])
    assert run("/dev/null", only=["gem-world"]) == DONE
    assert Path("/dev/null").is_char_device()


def test_an_older_file_of_ours_is_replaced_and_keeps_its_rights(tmp_path: Path) -> None:
    out, link = tmp_path / "race.pdf", tmp_path / "link.pdf"
    run(out, only=["gem-world"])
    out.chmod(0o640)
    link.symlink_to(out)
    run(link, only=["public-works"])
    assert link.is_symlink()
    assert len(codes(out)) == 2
    assert out.stat().st_mode & 0o777 == 0o640


def test_the_usual_name_and_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    run("", only=["gem-world"])
    assert [file.name for file in tmp_path.iterdir()] == ["race-labels.pdf"]
    capfdbinary.readouterr()
    run("-", only=["gem-world"])
    sys.stderr.flush()
    said = capfdbinary.readouterr()
    assert said.out == (tmp_path / "race-labels.pdf").read_bytes()
    assert b"100 %" in said.err


def test_the_last_page_shows_a_card_of_the_game(tmp_path: Path) -> None:
    pictures = {}
    for game in ("race", "eclipse"):
        out = tmp_path / f"{game}.pdf"
        write(Wanted(game=game, language="en", out=str(out)))
        with pypdfium2.PdfDocument(out) as pdf:
            on = [list(page.get_objects([pypdfium2.raw.FPDF_PAGEOBJ_IMAGE])) for page in pdf]
            assert [len(found) for found in on] == [0] * (len(on) - 1) + [1]
            pictures[game] = on[-1][0].get_bitmap().to_numpy().tobytes()
    assert pictures["race"] != pictures["eclipse"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_have_the_names_people_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    with journal() as (_, binder):
        binder.learn("frontiers", {"world-10.name.en": "Nova", "world-10.name.pl": "Żyzna Nowa"}, 0)
    file = tmp_path / "labels.pdf"
    assert run(file, game="frontiers", only=["zyzna nowa"], language=language) == DONE
    assert len(codes(file)) == 1
    assert {"en": "Nova", "pl": "Żyzna Nowa"}[language] in words(file)
