"""Names as the boxes print them: shown in the reader's language, found in either."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest

from companion.core.game import game
from companion.games.beyond.component_types import everything, printed_box
from companion.games.beyond.faces import short
from companion.games.beyond.position_cards import Cards, both_editions
from companion.recognition.label_sheets import sticker
from companion.recognition.labels import Book, Piece
from companion.results.sheets import score_position, sheet_words
from companion.texts import LANGUAGES, fold, render

RULES = game("beyond")
SEAT: dict[str, Any] = {"food_discs": 8, "ore_discs": 8, "population": 2, "ore": 1}


@pytest.mark.parametrize(
    ("id", "english", "polish"),
    [
        ("sirius", "Sirius", "Syriusz"),
        ("barnards-star", "Barnard's Star", "Gwiazda Barnarda"),
        ("wise-1541-2250", "WISE 1541-2250", "WISE 1541–2250"),
        ("narrow-beam-lasers", "Narrow Beam Lasers", "Wąskie wiązki laserowe"),
        ("modular-fleet", "Modular Fleet", "Flota modułowa"),
        ("android-rights-movement", "Android Rights Movement", "Ruch obrońców praw androidów"),
        # printed in Polish only, as far as we know
        ("professors-guild", "Gildia Profesorów", "Gildia Profesorów"),
        ("empire", "Imperium", "Imperium"),
        ("kc-24x", "KC-24X, pierwszy android-gubernator", "KC-24X, pierwszy android-gubernator"),
        ("tabernacle", "Wyznawcy Kosmicznego Tabernakulum", "Wyznawcy Kosmicznego Tabernakulum"),
        # printed in English only, as far as we know
        ("capital-ship", "Capital Ship", "Capital Ship"),
        # nobody knows what is printed
        ("socialists", "Socialists", "Socjaliści"),
        ("socialists-advanced", "Socialists +", "Socjaliści +"),
        ("tabernacle-advanced", "Wyznawcy Kosmicznego Tabernakulum +", "Wyznawcy Kosmicznego Tabernakulum +"),
        ("system-12", "System 12", "Układ 12"),
    ],
)
def test_a_name_is_the_printed_one_of_the_language_else_of_the_other(
    id: str, english: str, polish: str
) -> None:
    assert [render(everything()[id].called, language) for language in LANGUAGES] == [english, polish]


def test_both_editions_print_the_same_names() -> None:
    box = printed_box()
    assert [card.name for card in box.revised] == [card.name for card in box.original]


WORDS = [
    ("Syriusz", "sirius"),
    ("syriusz", "sirius"),
    ("Sirius", "sirius"),
    ("gwiazda barnarda", "barnards-star"),
    ("Gildia Profesorow", "professors-guild"),
    ("professors guild", "professors-guild"),
    ("terraformers guild", "terraformers-guild"),
    ("Wydajnosc", "efficiency"),
    ("efficiency", "efficiency"),
    ("Nishida-Ostergaard", "nishida"),
    ("nishida-ostergaard +", "nishida-advanced"),
    ("Organizacja Narodow Zjednoczonych Ukladu Slonecznego", "nations"),
]


@pytest.mark.parametrize(("words", "id"), WORDS)
def test_either_language_finds_a_component_with_or_without_diacritics(words: str, id: str) -> None:
    assert everything().find(words).id == id


def test_every_name_finds_its_own_component() -> None:
    found = {
        (c.id, name): everything().find(name).id for c in everything() for name in everything().spoken[c.id]
    }
    assert {key: id for key, id in found.items() if key[0] != id} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_short_names_are_nobody_elses(language: str) -> None:
    shown = Counter(render(short(card) or card.called, language) for card in everything())
    assert [name for name, times in shown.items() if times > 1] == []


def test_short_names_say_what_is_meant() -> None:
    """Of a name with a byname what stands before the comma; of long Polish ones the word that tells it."""
    said = {card.id: render(brief, "pl") for card in everything() if (brief := short(card)) is not None}
    assert (said["tyler-lee"], said["kc-24x"]) == ("Tyler Lee", "KC-24X")
    assert (said["retired-spaceship-museum"], said["deep-space-megastructures"]) == (
        "Muzeum",
        "Megastruktury",
    )
    assert (said["nations"], said["tabernacle-advanced"]) == ("Narodów Zjednoczonych", "Tabernakulum +")


# Surfaces


def table(words: str, field: str) -> bytes:
    """A finished table where Ania has one card, called so."""
    ania = {"name": "Ania", **SEAT, field: [words]}
    cards = {words: {"points": 3}} if field == "systems" else {words: {"slots": [{"slot_points": 5}]}}
    return msgspec.json.encode(
        {"game": "beyond", "seats": [ania, {"name": "Bartek", **SEAT}], "cards": cards}
    )


@pytest.mark.parametrize(
    ("words", "id", "field"),
    [
        ("Syriusz", "sirius", "systems"),
        ("syriusz", "sirius", "systems"),
        ("Sirius", "sirius", "systems"),
        ("gwiazda barnarda", "barnards-star", "systems"),
        ("Wydajnosc", "efficiency", "achievements"),
        ("efficiency", "efficiency", "achievements"),
    ],
)
def test_a_finished_table_may_use_names_of_either_language(words: str, id: str, field: str) -> None:
    sheet = score_position(table(words, field))
    assert sheet == score_position(table(id, field))
    shown = {what for line in sheet.seats[0].lines for what in (line.what, *line.because)}
    assert id in shown
    assert render(sheet_words(sheet).words(id), "pl") == render(everything()[id].called, "pl")


def test_a_plus_tells_the_advanced_board_in_a_finished_table() -> None:
    cards = Cards(both_editions())
    assert cards.find("Nishida-Østergaard", "board") == "nishida"
    assert cards.find("nishida ostergaard +", "board") == "nishida-advanced"


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_and_faces_show_the_name_of_their_language(language: str) -> None:
    book = Book(RULES)
    for id, names in {"sirius": ("Sirius", "Syriusz"), "empire": ("Imperium", "Imperium")}.items():
        name = names[LANGUAGES.index(language)]
        assert sticker(book, Piece(id), language).name == name
        assert render(RULES.face(everything()[id]).name, language) == name


def test_no_printed_name_is_another_ones() -> None:
    """Two components with one name could not be told apart by it."""
    owners = Counter(fold(name) for card in everything() for name in set(card.name.known.values()))
    assert [name for name, times in owners.items() if times > 1] == []
