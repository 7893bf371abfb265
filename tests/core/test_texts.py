"""Sentences: plural forms, languages, and no unused sentence."""

from __future__ import annotations

import io
import re
import time
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import companion
import workshop
from companion import texts as texts_module
from companion.core.game import every_game
from companion.core.words import count, named, plain, say
from companion.drawing.symbols import called, names
from companion.texts import (
    LANGUAGES,
    catalogue,
    local_time,
    mentions,
    render,
    usual_language,
    word_files,
    written_span,
    written_time,
)
from tests.laws.form_words import teachable, texts

ROOMS = (Path(companion.__file__).parent, Path(workshop.__file__).parent)
SOURCE = "\n".join(path.read_text("utf-8") for room in ROOMS for path in room.rglob("*.py"))


@pytest.mark.parametrize(
    ("n", "polish"),
    [
        (0, "0 punktów"),
        (1, "1 punkt"),
        (2, "2 punkty"),
        (5, "5 punktów"),
        (12, "12 punktów"),
        (22, "22 punkty"),
    ],
)
def test_polish_plurals(n: int, polish: str) -> None:
    assert render(count("race.points", n), "pl") == polish


def test_sentences_inside_sentences_are_in_the_same_language() -> None:
    text = say("race.does", deeds=(count("race.discard", 2), say("race.sell", world="Gem World")))
    assert render(text, "pl") == "odrzuć 2 karty, sprzedaj towar ze świata Gem World"
    assert render(text, "en") == "discard 2 cards, sell the good of Gem World"


def test_words_with_braces_are_left_alone() -> None:
    assert render(plain("{n}"), "pl") == "{n}"
    assert render(say("ui.ready", seat="{x}"), "en") == "{x} is ready."


def test_a_slug_without_a_sentence_shows_itself() -> None:
    assert render(say("core.no-such-sentence"), "pl") == "core.no-such-sentence"


def test_every_sentence_is_said_somewhere() -> None:
    """A sentence whose slug no code mentions, whole or as the beginning of a composed one, is dead."""
    composed = tuple(re.findall(r'f"((?:[a-z-]+\.)+[a-z-]*)\{', SOURCE))
    composed += tuple(
        f"{game.id}.variant.{v.id}" for game in every_game().values() for v in game.box.variants
    )
    composed += tuple(f"{game.id}.flag." for game in every_game().values())
    # What `Asked` and `plain_words` of the core compose for every game.
    composed += tuple(f"{id}.{of}" for id in every_game() for of in ("position.ask-", "line.", "measured."))
    keys = {k[0] if isinstance(k, tuple) else k for k in catalogue("en")._catalog}  # type: ignore[attr-defined]
    said = set(re.findall(r"[\"']([a-z-]+\.[a-zA-Z0-9.-]+)[\"']", SOURCE))
    said |= {f"{key}-near" for key in said if "unknown" in key}  # said by `table_files.unknown`
    said |= {row.text.key for game in every_game().values() for c in game.usual_box() for row in game.rows(c)}
    told = (form for game in every_game().values() for _, _, form in teachable(game, game.usual_box()))
    said |= {text.key for form in told for text in texts(form)}
    said |= {f"{id}.help.{rule.id}" for id, game in every_game().items() for rule in game.box.rulebook}
    said |= {called(game, symbol).key for game in ("", *every_game()) for symbol in names(game)}
    dead = [k for k in keys - said if k and not k.startswith(composed)]
    assert dead == []


def test_every_slug_in_the_code_has_a_sentence() -> None:
    keys = {k[0] if isinstance(k, tuple) else k for k in catalogue("en")._catalog}  # type: ignore[attr-defined]
    said = set(re.findall(r'(?:say|count)\(\s*"([^"]+)"', SOURCE))
    assert said - keys == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_counted_has_plurals_and_nothing_else_has(language: str) -> None:
    """Asked for in the other way, a sentence would show its slug."""
    keys = catalogue(language)._catalog  # type: ignore[attr-defined]
    counted = set(re.findall(r'\bcount\(\s*"([^"]+)"', SOURCE))
    said = set(re.findall(r'\bsay\(\s*"([^"]+)"', SOURCE))
    assert {key for key in counted if (key, 0) not in keys} == set()
    assert {key for key in said if key not in keys} == set()


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("", True),
        ("syr", True),
        ("SIRI", True),
        ("zolta gwiazda", True),
        ("yellow gwiazda", False),
        ("x", False),
    ],
)
def test_what_is_typed_is_found_in_any_language_without_diacritics(typed: str, found: bool) -> None:
    text = named("a", {"en": "Sirius, Yellow Star", "pl": "Syriusz, żółta gwiazda"})
    assert mentions(text, typed) is found


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "pl_PL.UTF-8"}, "pl"),
        ({"LANG": "de_DE"}, "en"),
        ({"LANG": "pl", "LC_ALL": "en_GB"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_follows_the_environment(environ: dict[str, str], language: str) -> None:
    assert usual_language(environ) == language


@pytest.mark.parametrize("at", [1e300, -1e300, 1e13, float("inf"), float("nan")])
def test_a_moment_no_calendar_has_is_a_dash(at: float) -> None:
    assert local_time(at) is None
    assert written_time(at, "%Y") == "–"


def test_a_moment_by_the_clock_on_the_wall() -> None:
    at = 1_800_000_000.0
    assert written_time(at, "%Y-%m-%d %H:%M") == time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (0.0, "0:00"),
        (61.9, "1:01"),
        (36000.0, "600:00"),
        (1e300, "–"),
        (float("inf"), "–"),
        (float("nan"), "–"),
    ],
)
def test_how_long_somebody_thought(seconds: float, written: str) -> None:
    assert written_span(seconds) == written


@pytest.mark.parametrize("language", LANGUAGES)
def test_word_files_are_read_as_babel_reads_them(language: str) -> None:
    expected: dict[object, str] = {}
    for file in word_files(language):
        for message in read_po(io.BytesIO(file.read_bytes()), locale=language):
            if message.pluralizable:
                expected |= {(message.id[0], n): form for n, form in enumerate(message.string or ())}
            elif message.id:
                expected[message.id] = str(message.string)
    read = dict(catalogue(language)._catalog)  # type: ignore[attr-defined]
    del read[""]
    assert read == expected


@pytest.mark.parametrize(
    "damage",
    [
        None,
        b"",
        bytes(range(256)),
        b'msgid "ui.ready"\nmsgstr "\xc5',
        b'msgid "storage.full"\nmsgstr "Cut off: {fil',
    ],
)
def test_words_a_card_has_lost_are_slugs_and_no_fall(
    damage: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal needs words, too: if they cannot be read, there must still be something to say."""
    lost, whole = tmp_path / "pl.po", tmp_path / "race.po"
    if damage is not None:
        lost.write_bytes(damage)
    whole.write_text('msgid "race.points"\nmsgstr "punkty"\n', encoding="utf-8")
    monkeypatch.setattr(texts_module, "word_files", lambda language: (lost, whole))
    read = texts_module.catalogue.__wrapped__("pl")
    assert read.gettext("race.points") == "punkty"
    assert read.gettext("storage.full") == "storage.full"
