"""Components: finding them by words, who stated a fact, and what is unknown."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from msgspec import Struct
from msgspec.structs import replace

from companion.core.components import (
    UNKNOWN,
    Catalogue,
    Component,
    Facts,
    Names,
    SaidBy,
    Untold,
    read_toml,
    told_names,
)
from companion.errors import Ambiguous, DataTrouble, Unknown
from companion.games.lantern import GAME as LANTERN
from companion.games.lantern.component_types import lights
from companion.games.race.cards import deck, everything
from companion.results.sheets import sheet_words
from companion.texts import LANGUAGES, render


def test_words_find_one_component() -> None:
    cards = deck("first")
    assert cards.find("gem-world").id == "gem-world"
    assert cards.find("Gem World").id == "gem-world"
    assert cards.find("old e").id == "old-earth"
    assert cards.find("trendsetters").id == "galactic-trendsetters"


def test_words_that_fit_several_name_them() -> None:
    with pytest.raises(Ambiguous) as trouble:
        deck("first").find("rebel")
    assert "rebel-homeworld" in trouble.value.choices


@pytest.mark.parametrize("words", ["", "   ", "xyzzy", "🂡"])
def test_words_that_fit_nothing(words: str) -> None:
    with pytest.raises(Unknown):
        deck("first").find(words)


def test_a_fact_says_who_said_it() -> None:
    cards = deck("second")
    changed = cards.fact("imperium-armaments-world", "cost")
    assert (changed.value, changed.said_by) == (3, SaidBy.TRANSCRIPTION)
    assert changed.note == "race.source.second"
    assert cards.fact("imperium-armaments-world", "points").note == "race.source.first"
    assert deck("first").fact("imperium-armaments-world", "cost").value == 4


def test_what_nobody_knows_is_unknown_until_taught() -> None:
    assert lights()["moth"].light is UNKNOWN
    assert lights().unknown() == [("moth", "light"), ("firefly", "colour"), ("firefly", "effects")]
    taught = lights().taught({"moth.light": 3})
    assert taught.unknown() == lights().unknown()[1:]
    fact = taught.fact("moth", "light")
    assert (fact.value, fact.said_by) == (3, SaidBy.OWNER)
    assert taught.fact("torch", "light").said_by is SaidBy.RULEBOOK
    assert lights()["moth"].light is UNKNOWN


def test_a_fact_of_the_wrong_kind_is_refused() -> None:
    with pytest.raises(DataTrouble):
        lights().taught({"moth.light": "bright"})
    with pytest.raises(Unknown):
        lights().taught({"sun.light": 9})


def test_the_box_has_its_cards() -> None:
    assert deck("first").pieces == 114
    assert len(everything("first").by_id) == 95 + 9


class Shelf(Struct):
    books: list[int]


def test_a_broken_file_says_where(tmp_path: Path) -> None:
    file = tmp_path / "shelf.toml"
    file.write_text("books = [1, 'two']")
    with pytest.raises(DataTrouble, match=r"shelf\.toml.*\$\.books\[1\]"):
        read_toml(file, Shelf)
    file.write_text("books = [1,")
    with pytest.raises(DataTrouble, match=r"shelf\.toml"):
        read_toml(file, Shelf)


class Thing(Component, frozen=True, kw_only=True):
    note: str | Untold = UNKNOWN
    kind: Literal["big", "small"] | Untold = UNKNOWN
    parts: tuple[str, ...] | Untold = UNKNOWN
    known: int = 0


class Box(Struct):
    things: tuple[Thing, ...]


def test_any_field_may_be_unknown_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "box.toml"
    file.write_text(
        "[[things]]\nid='a'\nname.en='A'\nnote='unknown'\nkind='unknown'\nparts='unknown'\n"
        "[[things]]\nid='b'\nname.pl='B'\nnote='known'\nkind='big'\nparts=['unknown']\n"
    )
    a, b = read_toml(file, Box).things
    assert a.unknown() == ("note", "kind", "parts")
    assert (b.note, b.kind, b.parts, b.unknown()) == ("known", "big", ("unknown",), ())


@pytest.mark.parametrize("line", ["known='unknown'", "copies='unknown'"])
def test_what_must_be_known_cannot_be_unknown(tmp_path: Path, line: str) -> None:
    file = tmp_path / "box.toml"
    file.write_text(f"[[things]]\nid='a'\n{line}")
    with pytest.raises(DataTrouble, match=r"box\.toml.*things\[0\]"):
        read_toml(file, Box)


def test_the_same_facts_give_the_very_same_box() -> None:
    facts: Facts = {"moth.light": 3, "firefly.effects": [{"does": "glow", "oil": 1}]}
    once = lights().taught(facts)
    assert lights().taught(dict(facts)) is once
    assert lights().taught({**facts, "moth.light": 2})["moth"].light == 2
    assert lights().taught({}) is lights()


def test_a_sheet_calls_things_as_people_named_them() -> None:
    taught = lights().taught({"moth.name.pl": "Ćma nocna", "moth.light": 3})
    names = told_names(taught.by_id, lights().by_id)
    assert names == {"moth": {"en": "Moth", "pl": "Ćma nocna"}}
    sheet = LANTERN.sheet(LANTERN.start(LANTERN.usual_setup()))
    told = sheet_words(replace(sheet, names=names))
    assert [render(told.words(what), "en") for what in ("moth", "torch")] == ["Moth", "Torch"]
    assert render(told.words("moth"), "pl") == "Ćma nocna"
    older = sheet_words(replace(sheet, names={"moth": "Nachtfalter"}))
    assert render(older.words("moth"), "pl") == "Nachtfalter"


def test_each_language_shows_its_own_name_and_falls_back_to_the_other() -> None:
    both, english, polish, none = (
        Thing(id="thing-1", name=name)
        for name in (Names("Sirius", "Syriusz"), Names("Sirius"), Names(pl="Syriusz"), Names())
    )
    assert [render(both.called, one) for one in LANGUAGES] == ["Sirius", "Syriusz"]
    assert [render(english.called, one) for one in LANGUAGES] == ["Sirius", "Sirius"]
    assert [render(polish.called, one) for one in LANGUAGES] == ["Syriusz", "Syriusz"]
    assert [render(none.called, one) for one in LANGUAGES] == ["thing-1", "thing-1"]


def test_a_component_is_found_by_its_name_in_any_language_without_diacritics() -> None:
    box = Catalogue([Thing(id="a", name=Names("Barnard's Star", "Gwiazda Żółta")), Thing(id="b")])
    for words in ("barnard", "Gwiazda Żółta", "gwiazda zolta", "zolta", "ZOLTA", "a"):
        assert box.find(words).id == "a", words
    assert box.by_name == {"barnard's star": "a", "gwiazda zolta": "a", "b": "b"}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("dyson sphere, model i, sirius", ["dyson sphere, model i", "sirius"]),
        ("Sirius,,  Sirius ", ["Sirius", "Sirius"]),
        ("dyson sphere, sirius", ["dyson sphere", "sirius"]),
        (" , ", []),
    ],
)
def test_a_comma_inside_a_name_does_not_split_a_list(line: str, words: list[str]) -> None:
    box = Catalogue([Thing(id="a", name=Names("Dyson Sphere, Model I")), Thing(id="b", name=Names("Sirius"))])
    assert box.words_in(line) == words


def test_a_name_two_components_share_means_neither() -> None:
    box = Catalogue(
        [Thing(id="a", name=Names("Explore", "Odkrywanie")), Thing(id="b", name=Names(pl="Odkrywanie"))]
    )
    assert box.by_name == {"explore": "a"}
    with pytest.raises(Ambiguous):
        box.find("odkrywanie")


@pytest.mark.parametrize(
    ("facts", "names"),
    [
        ({"a.name": "Nowa"}, Names("Nowa", "Nowa")),
        ({"a.name.pl": "Nowa"}, Names("Old", "Nowa")),
        ({"a.name.en": "New", "a.name": "Nowa"}, Names("New", "Nowa")),
    ],
)
def test_a_name_is_taught_in_one_language_or_for_all(facts: Facts, names: Names) -> None:
    assert Catalogue([Thing(id="a", name=Names("Old", "Stara"))]).taught(facts)["a"].name == names
