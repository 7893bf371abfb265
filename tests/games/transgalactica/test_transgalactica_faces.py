"""Faces and words of Transgalactica: every fact is shown and worded, and different ones look and read differently."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from companion.core.faces import Sign
from companion.core.forms import Kinds, OneOf, Record, SeveralOf, form_of
from companion.games.transgalactica import component_types, effects
from companion.games.transgalactica.component_types import everything, ids
from companion.games.transgalactica.effect_signs import needed, signs
from companion.games.transgalactica.effects import Effect
from companion.games.transgalactica.faces import face
from companion.games.transgalactica.power_words import VOCABULARY, say_effect, say_needs
from companion.games.transgalactica.printed import printed
from companion.games.transgalactica.sheet import SHEET_WORDS
from companion.games.transgalactica.value_signs import value_sign
from companion.texts import LANGUAGES, render

languages = pytest.mark.parametrize("language", LANGUAGES)

EFFECTS: tuple[Effect, ...] = (
    *(effects.Gain(what, n) for what in get_args(effects.What) for n in (1, 3)),
    *(
        effects.Advance((track,), n, free)
        for track in get_args(effects.Track)
        for n in (1, 2)
        for free in (False, True)
    ),
    *(effects.Advance(tracks) for tracks in combinations(get_args(effects.Track)[:4], 2)),
    effects.Advance(("military",), less=("credit",)),
    effects.Advance(("military",), less=("energy", "energy")),
    *(effects.Move(n) for n in (1, 2, 4)),
    effects.ToTunnel(),
    effects.Raise("trade"),
    effects.Raise("military"),
    *(effects.Act(action, kind) for action in get_args(effects.AnyAction) for kind in get_args(effects.Kind)),
    effects.Mark(),
    effects.TakeMission(),
    effects.CompleteMission(),
    effects.PlaceOutpost("ship"),
    effects.PlaceOutpost("action"),
    effects.TakeToken("basic"),
    effects.TakeToken("advanced"),
    effects.TakeToken("mining"),
    effects.MiningSymbol(),
    effects.DoubleIncome(),
    effects.Override(),
    *(effects.Mobilise(n) for n in (1, 2)),
    *(effects.Mines(n) for n in (1, 2)),
    effects.Pay(("alien",), (effects.Gain("vp", 2),)),
    effects.Pay(("alien",), (effects.Gain("vp", 2),), 2),
    effects.Pay(("alien", "alien"), (effects.Gain("vp", 2),)),
    effects.Pay(("credit",), (effects.Gain("vp", 2),)),
    effects.Either((effects.Gain("energy"), effects.Gain("mineral"))),
    effects.Either((effects.Gain("energy"), effects.Gain("alien"))),
)
"""Of every kind of effect at least one, and several wherever they can differ."""


def test_every_kind_of_effect_is_tried() -> None:
    assert {type(effect) for effect in EFFECTS} == set(get_args(Effect))


@languages
def test_effects_that_differ_are_said_differently(language: str) -> None:
    said: dict[str, Effect] = {}
    for effect in EFFECTS:
        sentence = render(say_effect(effect), language)
        assert "{" not in sentence
        assert "transgalactica." not in sentence
        assert sentence not in said, (effect, said[sentence])
        said[sentence] = effect


def test_effects_that_differ_look_different() -> None:
    seen: dict[tuple[Sign, ...], Effect] = {}
    for effect in EFFECTS:
        row = signs(effect)
        assert row
        assert row not in seen, (effect, seen[row])
        seen[row] = effect


def test_whatever_is_taught_means_something() -> None:
    assert VOCABULARY.means({"does": "gain", "what": "alien", "n": 2}) is not None
    assert VOCABULARY.means({"does": "sing"}) is None
    # What somebody is still telling is said, too.
    for unfinished in (
        {"does": "either", "of": []},
        {"does": "pay", "cost": [], "gains": []},
        {"does": "advance", "tracks": []},
    ):
        text = VOCABULARY.means(unfinished)
        assert text is not None
        assert all("{" not in render(text, language) for language in LANGUAGES)
        signs(msgspec.convert(unfinished, Effect))


REQUIRED = [
    (card.id, card.needs)
    for card in everything()
    if isinstance(card, component_types.Mission | component_types.Decree)
    and card.needs != component_types.Needs()
]


@languages
def test_requirements_that_differ_are_said_and_shown_differently(language: str) -> None:
    """Rule 133 among them: "2 grey or yellow" is not "3 grey or 3 yellow"."""
    said: dict[str, set[str]] = defaultdict(set)
    for id, needs in REQUIRED:
        words = ", ".join(render(text, language) for text in say_needs(needs))
        assert "{" not in words
        said[words].add(repr(needs))
        assert needed(needs), id
    assert all(len(meant) == 1 for meant in said.values())
    looks = {needed(needs): repr(needs) for _, needs in REQUIRED}
    assert len(looks) == len({repr(needs) for _, needs in REQUIRED})


@languages
def test_every_fact_is_said(language: str) -> None:
    for component in everything():
        for row in printed(component):
            for text in (row.text, *row.values):
                sentence = render(text, language)
                assert "{" not in sentence, (component.id, row.field)
                assert "transgalactica." not in sentence, (component.id, row.field)


def test_what_is_unknown_can_be_taught_and_is_a_question_mark() -> None:
    for component in everything():
        rows = {row.field: row for row in printed(component)}
        for field in component.unknown():
            assert rows[field].teachable, (component.id, field)
            assert rows[field].values == ()
    for id in ("basic-1", "advanced-3", "mining-2", "fleet-4", "wealth-5", "pirate-1", "decree-pirates"):
        assert Sign("unknown") in [sign for row in face(everything()[id]).rows for sign in row], id


def test_what_is_taught_is_seen() -> None:
    token = everything()["basic-1"]
    assert isinstance(token, component_types.Token)
    taught = replace(token, shows=(effects.Gain("credit", 2), effects.TakeMission()))
    assert face(taught).rows == ((Sign("credits", "+2"), Sign("mission", "+1")),)
    pirate = everything()["pirate-2"]
    assert isinstance(pirate, component_types.Pirate)
    assert Sign("military", "4") in face(replace(pirate, strength=4)).corners
    space = everything()["military-2"]
    assert isinstance(space, component_types.TrackSpace)
    told = face(replace(space, gate=3, token="basic", reward=(), income=(effects.Gain("vp", 2),)))
    assert (Sign("technology"), Sign("level", "3")) in told.rows
    assert (Sign("income"), Sign("points", "+2")) in told.rows


@pytest.mark.parametrize("sort", ["planets", "technologies", "missions", "objectives", "abilities"])
def test_no_two_cards_of_a_sort_look_alike(sort: Any) -> None:
    """But for their names; what lies on the table is recognised by it."""
    seen: dict[Any, str] = {}
    for id in ids(sort):
        shown = face(everything()[id])
        look = (shown.tint, shown.corners, shown.rows)
        assert look not in seen, (id, seen[look])
        seen[look] = id


@pytest.mark.parametrize(
    ("planet", "expected"),
    [
        ("multi-mining", {"mining", "all-colours", "points", "slot"}),
        ("green-grey-action-explore", {"planet-green", "planet-grey", "main-action", "exploration", "slot"}),
        ("yellow-wild", {"wild", "planet-yellow", "credits", "crew"}),
        ("purple-wild", {"wild", "planet-purple", "military", "credits"}),
        ("grey-action-tunnel", {"action-planet", "to-tunnel", "alien"}),
    ],
)
def test_a_planet_shows_its_colours_its_type_its_places_and_what_it_does(
    planet: str, expected: set[str]
) -> None:
    shown = face(everything()[planet])
    found = {sign.symbol for row in (shown.corners, *shown.rows) for sign in row}
    assert expected <= found


def test_symbols_to_tap_stand_for_what_they_tell() -> None:
    """Every kind of effect, resource, track and colour has a symbol of its own."""
    form = form_of(component_types.Token, "shows", "transgalactica")
    kinds = form.item  # type: ignore[union-attr]
    assert isinstance(kinds, Kinds)
    assert len({value_sign("does", kind.tag) for kind in kinds.kinds}) == len(kinds.kinds)
    for record in kinds.kinds:
        assert isinstance(record, Record)
        for field in record.fields:
            if isinstance(field.form, OneOf | SeveralOf):
                told = [value_sign(field.name, named.value) for named in field.form.values]
                assert None not in told, field.name
                assert len(set(told)) == len(told), field.name


def test_what_a_seat_scores_for_has_a_name_in_both_languages() -> None:
    """Rule 200: the choice is said."""
    for language in LANGUAGES:
        words = render(SHEET_WORDS.measured("objective-hoard", 14), language)
        assert "14" in words
        assert "objective-" not in words


def test_nothing_is_certain_that_nobody_told() -> None:
    assert everything()["technology-rows"].unknown() == ("level_one", "level_two", "level_three")
    unknown = [component.id for component in everything() if component.unknown()]
    assert len(unknown) > 150
    assert all(
        component.unknown() for component in everything() if isinstance(component, component_types.Token)
    )


@languages
def test_told_tokens_have_the_name_of_their_sort_where_there_is_little_room(language: str) -> None:
    """The numbers of their working names are printed nowhere."""
    token = everything()["basic-1"]
    one, other = (replace(token, shows=(effects.Gain("credit", n),)) for n in (1, 2))
    assert face(one).short == face(other).short
    assert not any(letter.isdigit() for letter in render(face(one).short, language))
    assert face(one).rows != face(other).rows
    assert face(token).short is None
