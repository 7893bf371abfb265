"""The end (p. 9): explored worlds go, the hidden goal is turned up, and unknown '?' are entered as numbers."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.core.agenda import advance, waited_for
from companion.games.frontiers.corrections import correct
from companion.games.frontiers.steps.end import EndPlay
from companion.games.frontiers.steps.goals import TurnUpGoal
from tests.games.frontiers.tables import answer, at, options, seat, table, told


def read(*tiles: str) -> dict[str, Any]:
    """Everything about these tiles, so that nothing but their '?' is asked."""
    facts: dict[str, Any] = {"price": "cost-1", "colonists": 1, "product": "gray", "cost": 2, "points": 3}
    facts |= {"keywords": [], "powers": []}
    box = table().box
    return {f"{id}.{field}": facts[field] for id in tiles for field in box[id].unknown() if field in facts}


def test_a_tile_nobody_read_is_read_before_it_is_counted() -> None:
    """A correction in the last action may bring one: its points are not taken for nothing."""
    state = at(table(ania=seat("world-10")), EndPlay())
    page = (
        '{"price": "cost-1", "colonists": 1, "product": "gray", "points": "?", "keywords": [], "powers": []}'
    )
    state = answer(state, 0, page)
    assert options(state, 0)[:2] == ["0", "1"]


def test_explored_worlds_are_removed() -> None:
    """Rule 183."""
    state = at(table(ania=seat(explored=("world-10", "world-11"))), EndPlay())
    assert state.seats[0].explored == ()
    assert len(told(state, "frontiers.into-bag", 0)) == 2
    assert not state.agenda


def test_the_hidden_goal_is_turned_up() -> None:
    """Rule 157."""
    state = at(replace(table(goals=True), hidden_goal=2), EndPlay())
    state = answer(state, 2, "diversification")
    assert (state.goals_up, state.hidden_goal) == (("diversification",), None)
    assert not state.agenda


def test_nobody_has_a_hidden_goal_if_people_say_so_while_it_is_turned_up() -> None:
    state = at(replace(table(goals=True), hidden_goal=2), TurnUpGoal(2, keeper=0))
    assert advance(correct(state, "hidden-goal", 0)).hidden_goal is None


def test_a_bonus_nobody_taught_is_told_as_a_number_by_its_owner() -> None:
    """Rule 186: and only then; the same small tile may give two seats different points."""
    taught = {
        **read("world-10", "world-11", "survey-team", "imperium-lords"),
        "world-10.points": "?",
        "survey-team.points": "?",
    }
    seats = {
        "ania": seat("world-10", "world-11", developments=("survey-team", "imperium-lords")),
        "ola": seat(developments=("survey-team",)),
    }
    state = at(table(taught=taught, **seats), EndPlay())
    assert waited_for(state) == {0, 1}
    assert options(state, 1)[:2] == ["0", "1"]
    state = answer(state, 0, "7", "2")
    state = answer(state, 1, "4")
    assert state.counted(0, "world-10") == 7
    assert (state.counted(0, "survey-team"), state.counted(1, "survey-team")) == (2, 4)
    assert not state.agenda


def test_a_bonus_of_a_tile_that_is_gone_is_not_asked() -> None:
    """A correction took it away, or somebody taught what it counts."""
    taught = {**read("world-10"), "world-10.points": "?"}
    state = at(table(taught=taught, ania=seat("world-10")), EndPlay())
    assert waited_for(state) == {0}
    assert not waited_for(at(correct(state, "world:0:world-10", 0)))
    assert not waited_for(at(replace(state, taught={**taught, "world-10.bonus": [{"does": "per-tile"}]})))


def test_a_bonus_that_was_taught_is_not_asked() -> None:
    bonus = {"world-10.points": "?", "world-10.bonus": [{"does": "per-held", "held": "credits"}]}
    taught = {**read("world-10"), **bonus}
    assert not waited_for(at(table(taught=taught, ania=seat("world-10")), EndPlay()))
