"""A power that our vocabulary cannot express gives what people enter at the table."""

from __future__ import annotations

import json

from msgspec.structs import replace

from companion.games.frontiers.corrections import correct
from companion.games.frontiers.steps.round import NextSelection
from companion.games.frontiers.steps.tellings import ask_told
from tests.games.frontiers.tables import answer, asked, at, number, options, question, seat, table, told

TOLD = {"world-10.powers": [{"does": "told", "phase": "produce"}, {"does": "told", "phase": "settle"}]}


def test_what_a_power_gave_is_told_once_for_each_power_of_the_action() -> None:
    state = table(taught=TOLD, ania=seat("world-10"))
    state = at(state, *ask_told(state, 0, "produce"))
    gains = {"credits": 5, "points": 5, "colonists": 3}
    every = [f"{what}:{n}" for what, most in gains.items() for n in range(1, most + 1)]
    assert options(state, 0) == ["nothing", *every]
    state = answer(state, 0, "points:2")
    assert state.seats[0].chips == 2
    assert [number(text) for text in told(state, "frontiers.take.points", 0)] == [2]
    assert asked(state, 0) is None


def test_nothing_is_an_answer_and_no_more_colonists_than_there_are() -> None:
    state = table(taught=TOLD, ania=seat("world-10"), ola=seat(colonists=31))
    state = at(state, *ask_told(state, 0, "settle"))
    assert [id for id in options(state, 0) if id.startswith("colonists")] == ["colonists:1"]
    assert answer(state, 0, "nothing").seats == state.seats


def test_a_power_lends_nothing_to_the_action_that_brought_it() -> None:
    """Rule 66."""
    state = table(taught=TOLD, ania=replace(seat("world-10"), fresh=("world-10",)))
    assert ask_told(state, 0, "produce") == ()


def test_a_tile_that_came_by_a_correction_is_read_before_the_next_action() -> None:
    state = at(table(ola=seat("world-10", developments=("survey-team",))), NextSelection())
    state = answer(state, 0, "isolation")
    assert question(state, 1).slug == "core.fact"
    page = {"price": "cost-1", "colonists": 1, "product": "gray", "points": 1, "keywords": [], "powers": []}
    state = answer(state, 1, json.dumps(page))
    state = answer(state, 1, json.dumps({"cost": 2, "points": 1, "keywords": []}))
    assert state.seats[0].credits == 2
    assert question(state, 1).slug == "frontiers.action"


def test_a_tile_that_is_gone_gave_nothing() -> None:
    """A correction took it away, or told what the power really is: nobody is asked any more."""
    state = table(taught=TOLD, ania=seat("world-10", "world-11"))
    asking = at(state, *ask_told(state, 0, "produce"))
    gone = at(correct(asking, "world:0:world-10", 0))
    assert asked(gone, 0) is None
    better = {**asking.taught, "world-10.powers": [{"does": "gain", "phase": "produce"}]}
    assert asked(at(replace(asking, taught=better)), 0) is None
