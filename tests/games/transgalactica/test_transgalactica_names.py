"""Names of the box: printed ones in both languages, working names in the rulebook's words."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest

from companion.core.game import game
from companion.drawing.faces import face
from companion.drawing.overview import FACES
from companion.drawing.strokes import Inscription
from companion.drawing.svg import measured
from companion.games.transgalactica.component_types import Planet, everything
from companion.recognition.label_sheets import sticker
from companion.recognition.labels import Book, Piece
from companion.results.sheets import positions, score_position, sheet_words
from companion.texts import LANGUAGES, render

RULES = game("transgalactica")

PAGE_25 = {
    "green-mining-supply": "Zielona planeta górnicza",
    "multi-mining": "Wielokolorowa planeta górnicza",
    "green-mining-prestige": "Zielona planeta górnicza",
    "purple-action-research": "Fioletowa planeta akcyjna",
    "yellow-action-exchange": "Żółta planeta akcyjna",
    "yellow-wild": "Żółta dzika planeta",
    "purple-mining": "Fioletowa planeta górnicza",
    "grey-mining-prestige": "Szara planeta górnicza",
    "grey-action-tunnel": "Szara planeta akcyjna",
    "green-action-income": "Zielona planeta akcyjna",
    "green-grey-action-explore": "Zielono-szara planeta akcyjna",
    "green-wild": "Zielona dzika planeta",
    "grey-wild": "Szara dzika planeta",
    "grey-mining-industry": "Szara planeta górnicza",
    "yellow-mining": "Żółta planeta górnicza",
    "yellow-action-supply": "Żółta planeta akcyjna",
    "purple-action-mines": "Fioletowa planeta akcyjna",
    "yellow-purple-action-research": "Żółto-fioletowa planeta akcyjna",
    "purple-wild": "Fioletowa dzika planeta",
    "technological-nightmare": "Koszmar technologiczny",
}
"""The list of planets: sorts rather than names, but for the last."""


def test_planets_are_called_as_in_the_rulebooks_list() -> None:
    """The words of p. 25 first; in brackets what tells two planets of a sort apart, or that it is a base."""
    planets = [c for c in everything() if isinstance(c, Planet) and c.id != "central"]
    assert {planet.id for planet in planets} == set(PAGE_25)
    for planet in planets:
        name = render(planet.called, "pl")
        assert name.partition(" (")[0] == PAGE_25[planet.id]
        assert name.endswith("(bazowa)") == planet.base


@pytest.mark.parametrize(
    ("id", "polish"),
    [
        ("central", "Centralna planeta"),
        ("basic-3", "Podstawowy żeton premii 3"),
        ("advanced-3", "Zaawansowany żeton premii 3"),
        ("fleet-2", "Żeton dochodu floty 2"),
        ("mining-2", "Żeton wydobycia 2"),
        ("pirate-1", "Żeton piratów 1"),
        ("office-1", "Biuro 1"),
        ("board-2", "Mapa galaktyki dla 2 graczy"),
    ],
)
def test_working_names_are_in_the_words_of_the_polish_edition(id: str, polish: str) -> None:
    """P. 3 (tokens and maps), p. 6 (the planet in the middle), p. 14 (offices)."""
    assert render(everything()[id].called, "pl") == polish


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_components_have_one_name(language: str) -> None:
    shown = Counter(render(c.called, language).casefold() for c in everything())
    assert [name for name, times in shown.items() if times > 1] == []


@pytest.mark.parametrize(
    ("words", "id"),
    [
        ("Porucznik", "lieutenant"),
        ("lieutenant", "lieutenant"),
        ("Drugi statek", "second-ship"),
        ("second ship", "second-ship"),
        ("koszmar technologiczny", "technological-nightmare"),
        ("Technological Nightmare", "technological-nightmare"),
        ("zolta dzika planeta", "yellow-wild"),
        ("yellow wild", "yellow-wild"),
        ("szara planeta akcyjna", "grey-action-tunnel"),
    ],
)
def test_either_language_finds_a_component_with_or_without_diacritics(words: str, id: str) -> None:
    assert everything().find(words).id == id


def test_every_name_finds_its_own_component() -> None:
    found = {
        (c.id, name): everything().find(name).id for c in everything() for name in everything().spoken[c.id]
    }
    assert {key: id for key, id in found.items() if key[0] != id} == {}


# Surfaces


def table(planet: str, technology: str) -> dict[str, Any]:
    """A finished table where Ania has an outpost and a technology, called so."""
    seat: dict[str, Any] = {
        "track_vp": 20,
        "levels": {"technology": 5, "military": 3, "production": 4, "politics": 4, "trade": 6},
        "credits": 0,
        "resources": {},
    }
    ania = {"name": "Ania", **seat, "objectives": ["objective-yellow", "objective-culture"]}
    bartek = {"name": "Bartek", **seat, "objectives": ["objective-war", "objective-grey"]}
    mine = {"outposts": ["central", planet], "technologies": [technology]}
    return {"game": "transgalactica", "seats": [{**ania, **mine}, {**bartek, "outposts": ["central"]}]}


@pytest.mark.parametrize("planet", ["Żółta dzika planeta", "zolta dzika planeta", "Yellow wild planet"])
@pytest.mark.parametrize(
    "technology", ["Punkty za produkcję", "punkty za produkcje", "Points for production"]
)
def test_a_finished_table_may_use_names_of_either_language(planet: str, technology: str) -> None:
    sheet = score_position(msgspec.json.encode(table(planet, technology)))
    assert sheet == score_position(msgspec.json.encode(table("yellow-wild", "end-production")))
    assert render(sheet_words(sheet).words("end-production"), "pl") == "Punkty za produkcję"


@pytest.mark.parametrize("words", ["Porucznik", "porucznik", "Lieutenant", "lieutenant"])
def test_a_finished_table_tells_names_of_what_either_language_calls_so(words: str) -> None:
    raw = {**table("yellow-wild", "end-production"), "names": {words: {"pl": "Lejtnant"}}}
    assert positions(RULES).told(raw) == {"lieutenant.name.pl": "Lejtnant"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_and_faces_show_the_name_of_their_language(language: str) -> None:
    book = Book(RULES)
    shown = {
        "lieutenant": ("Lieutenant", "Porucznik"),
        "second-ship": ("Second ship", "Drugi statek"),
        "grey-wild": ("Grey wild planet", "Szara dzika planeta"),
    }
    for id, names in shown.items():
        name = names[LANGUAGES.index(language)]
        assert sticker(book, Piece(id), language).name == name
        assert render(RULES.face(everything()[id]).name, language) == name


@pytest.mark.parametrize("language", LANGUAGES)
def test_long_working_names_can_be_read_on_their_faces(language: str) -> None:
    """Two lines of smaller letters beside three rows of signs, rather than one line nobody reads."""
    for component in everything():
        shown = RULES.face(component)
        wide, high = FACES[shown.shape]
        laid = face(RULES.id, RULES.tints, shown, wide, high, measured, language)
        words = [one for one in laid.strokes if isinstance(one, Inscription) and len(one.words) > 4]
        assert all(one.size >= 10 for one in words), component.id
