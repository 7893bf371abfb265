"""How cards of Beyond the Sun are drawn and how their effects are worded, nested ones too."""

from __future__ import annotations

from random import Random
from typing import get_args

import msgspec
import pytest

from companion.core.components import Component
from companion.core.faces import Sign
from companion.core.fact_values import anything
from companion.core.forms import Kinds, ListOf, form_of
from companion.drawing.symbols import has
from companion.drawing.text import face_line
from companion.games.beyond import GAME
from companion.games.beyond.component_types import AdvancedBoard, System, Technology, everything
from companion.games.beyond.effect_signs import DOES, HELD, about, value_sign
from companion.games.beyond.faces import face
from companion.games.beyond.operations import (
    Action,
    AnyAbility,
    AnyCondition,
    AnyOperation,
    Build,
    Choice,
    Choose,
    Everyone,
    GainOre,
    Jump,
    PayOre,
    Research,
    Upgrade,
)
from companion.games.beyond.power_words import VOCABULARY, every, held, say_action, say_power
from companion.games.beyond.printed import printed
from companion.texts import LANGUAGES, render
from scoring.beyond import Counted, Formula

KINDS = (*get_args(AnyOperation), *get_args(AnyAbility), *get_args(AnyCondition), Formula)


def card(id: str) -> Component:
    return GAME.every_component()[id]


def rows(component: Component) -> list[list[tuple[str, str]]]:
    return [[(sign.symbol, sign.value) for sign in row] for row in face(component).rows]


def test_a_technology_shows_its_level_and_both_halves_of_its_triangle() -> None:
    shown = face(card("mercenary-fleet"))
    assert [sign.symbol for sign in shown.corners] == ["level-3", "military", "commerce"]
    assert shown.tint == "military"


def test_cost_stands_before_the_arrow_and_effects_behind_it() -> None:
    assert rows(card("metahuman-chambers")) == [
        [("now", ""), ("food", ""), ("automation", ""), ("population", "+1")],
        [("space", "2"), ("ore", "−4"), ("population", "−2"), ("arrow", ""), ("level-4", "")],
    ]


def test_ways_to_choose_from_are_told_apart() -> None:
    """Cerebral Implants: one action, which goes on in a second row."""
    first, second = rows(card("cerebral-implants"))
    assert [*first, *second] == [
        ("space", ""),
        ("population", "+1"),
        ("ore", "−3"),
        ("level-2", ""),
        ("count", "/"),
        ("ore", "−5"),
        ("level-3", ""),
    ]


def test_a_system_shows_strength_discs_and_points() -> None:
    assert [(s.symbol, s.value) for s in face(card("kapteyns-star")).corners] == [
        ("strength", "4"),
        ("food", ""),
        ("ore-disc", ""),
        ("unknown", ""),
    ]
    told = everything().taught({"sirius.points": 5, "sirius.strength": 3, "sirius.specialisations": ["ore"]})
    assert [(s.symbol, s.value) for s in face(told["sirius"]).corners] == [
        ("strength", "3"),
        ("ore-disc", ""),
        ("points", "5"),
    ]


def test_a_question_mark_shows_what_it_counts() -> None:
    assert [("points", "3"), ("points", "+1"), ("count", "/"), ("systems", ""), ("count", "≤7")] in rows(
        card("tau-ceti")
    )


def test_slots_for_four_players_have_another_colour() -> None:
    slots = [{"slot_points": 5}, {"slot_points": 2, "four": True}]
    told = everything().taught({"empire.slots": slots})["empire"]
    assert face(told).rows[-1] == (Sign("points", "5"), Sign("points", "2", "four"))


@pytest.mark.parametrize(
    "id", ["plasma-cannon", "technology-iiii-4", "onu", "sirius", "efficiency", "nishida"]
)
def test_what_nobody_told_is_a_question_mark(id: str) -> None:
    shown = face(card(id))
    assert Sign("unknown") in (*shown.corners, *(sign for row in shown.rows for sign in row))


def test_every_kind_of_operation_has_signs_and_a_sentence() -> None:
    random = Random(16)
    form = form_of(Technology, "immediate", "beyond")
    assert isinstance(form, ListOf)
    assert isinstance(form.item, Kinds)
    for fields in ("immediate", "abilities"):
        kinds = form_of(Technology, fields, "beyond")
        assert isinstance(kinds, ListOf)
        assert isinstance(kinds.item, Kinds)
        for kind in kinds.item.kinds:
            for _ in range(20):
                told = msgspec.convert(anything(kind, random), VOCABULARY.type)
                signs = about(told)
                assert signs
                assert [sign for sign in signs if not has("beyond", sign.symbol)] == []
                for language in LANGUAGES:
                    said = render(say_power(told), language)
                    assert "beyond." not in said
                    assert "{" not in said


def test_every_kind_has_a_symbol_of_its_own_in_lists() -> None:
    tags = {str(kind.__struct_config__.tag) for kind in KINDS}
    assert tags == set(DOES)
    assert [tag for tag in tags if not has("beyond", DOES[tag])] == []
    assert set(HELD) == set(get_args(Counted))


def test_values_that_can_be_told_have_symbols() -> None:
    assert value_sign("types", "") == Sign("science")
    assert value_sign("points", 7) == Sign("points", "7")
    assert value_sign("ore_cost", 3) == Sign("ore", "3")
    assert value_sign("level", 3) == Sign("level-3")
    assert value_sign("level", "colonised+1") == Sign("research")
    assert value_sign("source", "b") == Sign("supply", "B")
    assert value_sign("place", "shipyard") == Sign("shipyard")
    assert value_sign("does", "jump") == Sign("jump")
    assert value_sign("name", "x") is None


NESTED = Choose(
    options=(
        Choice((PayOre(n=2), Build(n=2, level=3, source="supply", place="deep-space"))),
        Choice((Everyone(effects=(GainOre(n=1, per="colonised", each=2, most=3),)), Jump(points=4))),
    ),
    optional=True,
)


def test_nested_effects_are_said_in_both_languages() -> None:
    assert render(say_power(NESTED), "en") == (
        "you may choose 1: pay 2 ore, turn 2 supply cubes into level 3 ships in Deep Space / "
        "every faction may take 1 ore for every 2 colonised systems, 3 at most; jump 4"
    )
    assert render(say_power(NESTED), "pl") == (
        "możesz wybrać 1: zapłać 2 kryształki rudy, przekształć 2 kostki zaopatrzenia w statki poziomu 3 "
        "w Głębokim Kosmosie / każda frakcja może: weź 1 kryształek rudy za każde 2 skolonizowane układy, "
        "najwyżej 3; skocz 4"
    )


@pytest.mark.parametrize(
    ("operation", "english", "polish"),
    [
        (
            Research(level=2, discovered=True, no_bonus=True, type="military"),
            "research a level II technology (only military, already discovered, without its immediate bonus)",
            "zbadaj technologię poziomu II (tylko wojskową, już wynalezioną, bez natychmiastowego bonusu)",
        ),
        (
            Upgrade(ships=2, up_to=True),
            "upgrade up to 2 ships by 1 level each",
            "ulepsz najwyżej 2 statki o 1 poziom każdy",
        ),
        (GainOre(n=5), "take 5 ore", "weź 5 kryształków rudy"),
        (
            Formula(base=3, most=7),
            "3 VP + 1 VP for each colonised system, 7 VP at most",
            "3 PZ + 1 PZ za każdy skolonizowany układ, najwyżej 7 PZ",
        ),
    ],
)
def test_sentences(operation: msgspec.Struct, english: str, polish: str) -> None:
    assert render(say_power(operation), "en") == english
    assert render(say_power(operation), "pl") == polish


def test_an_action_is_said_with_spaces_and_cost() -> None:
    action = Action(spaces=2, ore_cost=4, retired=1, effects=(Research(level=3),))
    assert render(say_action(action), "en") == (
        "2 spaces: pay 4 ore, retire 1 population: research a level III technology"
    )


@pytest.mark.parametrize("n", [1, 3, 5, 12, 22])
def test_whatever_is_counted_has_its_forms(n: int) -> None:
    for what in get_args(Counted):
        for language in LANGUAGES:
            assert str(n) in render(held(what, n), language)
            assert "{" not in render(every(what, n), language)


def test_points_are_taught_where_a_card_can_print_them() -> None:
    teachable = {c.id for c in everything() for row in printed(c) if row.field == "points" and row.teachable}
    levels = {c.level for c in everything() if isinstance(c, Technology) and c.id in teachable}
    assert levels == {4}
    assert {c.id for c in everything() if isinstance(c, System)} <= teachable


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_face_is_a_line_of_text(language: str) -> None:
    line = face_line("beyond", face(card("metahuman-chambers")), lambda text: render(text, language))
    assert "−4" in line
    assert "beyond." not in line


def test_advanced_boards_show_their_tracks() -> None:
    facts = {
        "nations-advanced.growth": ["a", "none", "b"],
        "nations-advanced.ore_track": [1, 0, 2],
    }
    board = everything().taught(facts)["nations-advanced"]  # type: ignore[arg-type]
    assert isinstance(board, AdvancedBoard)
    assert [("food", ""), ("count", "A · B")] in rows(board)
    assert [("ore-disc", ""), ("count", "1 0 2")] in rows(board)
