"""What is printed on cards that lie together is asked on one page; recorded plays still replay."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from companion.core.agenda import advance, retake, take
from companion.core.questions import Answer
from companion.errors import NotNow
from companion.games.beyond.state import BeyondState
from companion.games.beyond.steps.bases import PlaceBase
from companion.games.beyond.steps.events import ResolveEvent
from companion.games.beyond.steps.research import Bonus
from tests.games.beyond.tables import asked, say, seat, table

QUIET = {"effects": [], "lies": "discarded"}
KEPT = {"effects": [], "lies": "before-you", "actions": [], "points": 2}


def without(state: BeyondState, *begins: str) -> BeyondState:
    return replace(state, taught={k: v for k, v in state.taught.items() if not k.startswith(begins)})


def turned() -> BeyondState:
    return advance(without(table(seat(), seat()), "tyler-lee.").push(ResolveEvent(0, "tyler-lee")))


def about(state: BeyondState) -> set[str]:
    return {fact.partition(".")[0] for fact in asked(state).facts}


def test_an_event_is_one_page_and_a_discarded_one_has_no_points() -> None:
    state = turned()
    assert [fact.partition(".")[2] for fact in asked(state).facts] == ["effects", "lies", "actions", "points"]
    assert say(state, json.dumps(QUIET)).agenda == ()
    kept = say(state, json.dumps(KEPT))
    assert (kept.agenda, kept.event("tyler-lee").points) == ((), 2)
    assert kept.kept["tyler-lee"].seat == 0


def test_an_event_that_stays_is_asked_for_its_points_if_they_were_left_out() -> None:
    state = say(turned(), json.dumps({"effects": [], "lies": "before-you"}))
    assert [fact.partition(".")[2] for fact in asked(state).facts] == ["actions", "points"]


def test_technologies_that_lie_on_the_tree_are_one_page() -> None:
    state = table(seat(), seat(), researched={"i-1": (0,)})
    cards = [node.card for node in state.tree.values() if node.card]
    state = advance(without(state, *(f"{card}." for card in cards)).push(Bonus(0, cards[0])))
    assert about(state) == set(cards)


def test_systems_that_lie_on_the_board_are_one_page_and_a_replay_takes_the_answer_about_one() -> None:
    state = table(seat(), seat())
    place, card = next(iter(state.systems.items()))
    unknown = without(state, *(f"{system}." for system in state.systems.values()))
    state = advance(unknown.push(PlaceBase(0, place)))
    assert about(state) == set(state.systems.values())
    values = {"strength": 2, "specialisations": ["food"], "control_bonus": [], "abilities": []}
    needed = {field: values[field] for field in unknown.system(card).unknown() if field in values}
    old = Answer(0, "core.fact", json.dumps(needed))
    with pytest.raises(NotNow):
        take(state, old)
    after = retake(state, old)
    assert after.controller(place) == 0
    assert f"{card}.strength" in after.taught or "strength" not in needed
