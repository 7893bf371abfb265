"""Finished tables as people write them: names in any language instead of ids, and names defined in the file."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest

from companion.core.game import Game, games
from companion.errors import DataTrouble
from companion.results.sheets import positions, score_position, sheet_words
from companion.texts import LANGUAGES, fold, render

SCORED = [rules for rules in games().values() if rules.positions is not None]
every_scored = pytest.mark.parametrize("rules", SCORED, ids=lambda rules: rules.id)

RACE: dict[str, Any] = {
    "game": "race",
    "seats": [
        {
            "name": "Ania",
            "tableau": ["old-earth", "public-works#2", "gem-world"],
            "goods": [],
            "chips": 9,
            "hand": 3,
        },
        {"name": "Gem World", "tableau": ["new-sparta"], "goods": [], "chips": 4, "hand": 5},
    ],
}


def scored(raw: dict[str, Any], facts: dict[str, Any] | None = None) -> Any:
    return score_position(msgspec.json.encode(raw), lambda rules: facts or {})


def in_names(rules: Game, value: Any, language: str, key: str = "") -> Any:
    """The same position with the name of every component in a language, as people type it: without diacritics."""
    box = rules.every_component()
    if isinstance(value, dict):
        return {k: v if k in ("game", "name") else in_names(rules, v, language) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [in_names(rules, item, language) for item in value]
    stem = value.partition("#")[0].partition(":")[0] if isinstance(value, str) else ""
    if stem not in box:
        return value
    return fold(render(box[stem].called, language)) + value[len(stem) :]


@pytest.mark.parametrize("language", LANGUAGES)
@every_scored
def test_names_in_any_language_stand_for_ids(rules: Game, language: str) -> None:
    assert rules.positions is not None
    for example in rules.positions.examples:
        raw = copy.deepcopy(example)
        assert scored(in_names(rules, raw, language)) == scored(raw)


def test_a_copy_and_a_player_called_like_a_card_stay_as_they_are() -> None:
    named = copy.deepcopy(RACE)
    named["seats"][0]["tableau"] = ["Old Earth", "Public Works#2", "gem world"]
    sheet = scored(named)
    assert sheet == scored(RACE)
    assert sheet.seats[1].name == "Gem World"


@every_scored
def test_a_file_may_tell_names_for_all_languages_or_for_one(rules: Game) -> None:
    assert rules.positions is not None
    example = copy.deepcopy(rules.positions.examples[0])
    plain = scored(example)
    shown = {what for seat in plain.seats for line in seat.lines for what in (line.what, *line.because)}
    box = rules.every_component()
    first, *others = sorted(id for id in shown if id in box)
    told = {first: {"pl": "Żółta Planeta"}, **dict.fromkeys(others[:1], "Nova")}
    sheet = scored({**example, "names": told})
    assert sheet.outcome == plain.outcome
    words = sheet_words(sheet)
    assert render(words.words(first), "pl") == "Żółta Planeta"
    english = box[first].names.get("en", "Żółta Planeta")
    assert render(words.words(first), "en") == english
    assert all(render(words.words(id), language) == "Nova" for id in others[:1] for language in LANGUAGES)
    facts = positions(rules).told({**example, "names": told})
    assert facts[f"{first}.name.pl"] == "Żółta Planeta"
    again = scored(example, facts)
    assert again.names == sheet.names


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        (["Gem World"], "score.names-kind"),
        ({"gem-wrld": "X"}, "score.names-unknown"),
        ({"gem-world": ""}, "binder.does-not-fit"),
        ({"gem-world": {"de": "X"}}, "binder.not-possible"),
        ({"gem-world": 7}, "binder.does-not-fit"),
        ({"gem-world": {"pl": "x" * 61}}, "binder.does-not-fit"),
    ],
)
def test_what_is_no_name_is_refused_with_a_sentence(names: Any, problem: str) -> None:
    with pytest.raises(DataTrouble) as trouble:
        scored({**RACE, "names": names})
    assert [text.key for text in trouble.value.problems] == [problem]


def test_a_name_of_something_else_is_no_name_here() -> None:
    """A development cannot have a good, whatever language it is called in."""
    wrong = copy.deepcopy(RACE)
    wrong["seats"][0]["goods"] = ["Public Works"]
    with pytest.raises(DataTrouble):
        scored(wrong)


@every_scored
def test_the_schema_has_a_place_for_names(rules: Game) -> None:
    schema = positions(rules).schema()
    fields = schema["$defs"][schema["$ref"].rpartition("/")[2]]["properties"]
    assert set(fields["names"]["properties"]) == set(rules.every_component())
