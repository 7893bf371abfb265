"""Setting up (p. 2): the order, credits, homes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.core.agenda import advance, retake, take, waited_for
from companion.core.questions import Answer
from companion.errors import Unknown
from companion.games.frontiers.component_types import ids
from companion.games.frontiers.state import FrontiersState, Seat
from companion.games.frontiers.steps.setup import TellOrder
from tests.games.frontiers.tables import NAMES, answer, number, options, question, told

HOMES: dict[str, Any] = {}
for _id in ids("homes"):
    HOMES |= {f"{_id}.product": "gray", f"{_id}.points": 0, f"{_id}.keywords": [], f"{_id}.powers": []}


def begin(players: int, taught: dict[str, Any] | None = None) -> FrontiersState:
    """A table about to be set up, every home gray unless told otherwise."""
    seats = tuple(Seat(name) for name in NAMES[:players])
    facts = HOMES if taught is None else taught
    return advance(FrontiersState(agenda=(TellOrder(),), seats=seats, taught=facts))


def ordered(players: int, taught: dict[str, Any] | None = None) -> FrontiersState:
    """The same once everybody's place on the track is known: the last seat is the first."""
    state = begin(players, taught)
    for seat in range(players - 1, 0, -1):
        state = answer(state, None, str(seat))
    return state


def test_the_order_is_told_seat_after_seat_and_the_last_goes_without_saying() -> None:
    """Rule 28."""
    state = begin(3)
    assert options(state, None) == ["0", "1", "2"]
    state = answer(state, None, "2")
    tally = question(state, None).tally
    assert tally is not None
    assert (options(state, None), tally.done, tally.total) == (["0", "1"], 1, 2)
    state = answer(state, None, "0")
    assert state.track == (2, 0, 1)


def test_two_players_have_two_discs_each_in_the_same_order() -> None:
    """Rules 11 and 29: space 1 stays empty, so a track is nothing but an order."""
    state = answer(begin(2), None, "1")
    assert [state.seat_of(disc) for disc in state.track] == [1, 0, 1, 0]
    assert sorted(state.track) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("players", "credits"), [(2, [3, 4]), (3, [3, 3, 4]), (4, [3, 3, 4, 4]), (5, [3, 3, 3, 4, 4])]
)
def test_the_last_in_the_order_get_a_credit_more(players: int, credits: list[int]) -> None:
    """Rule 30."""
    state = ordered(players)
    assert [state.seats[seat].credits for seat in state.order()] == credits
    assert [number(told(state, "frontiers.take.credits", seat)[0]) for seat in state.order()] == credits


@pytest.mark.parametrize(("players", "pool", "supply"), [(2, 24, 22), (3, 36, 33), (4, 48, 44), (5, 60, 55)])
def test_pool_and_supply(players: int, pool: int, supply: int) -> None:
    """Rules 25, 26 and 32, and for four players the scenario setup-4p: all worlds are in the bag (rule 27)."""
    state = ordered(players)
    for seat in range(players):
        state = answer(state, seat, f"home-{seat + 1}a")
    assert (state.pool, state.supply, len(state.bag())) == (pool, supply, 60)
    assert all(seat.colonists == 0 and seat.explored == () for seat in state.seats)
    assert (state.produce_credits, state.round) == (0, 1)  # rule 34


def test_copies_of_developments() -> None:
    """Rules 21 and 22."""
    for players, copies in ((2, 1), (3, 2), (4, 2), (5, 3)):
        state = begin(players)
        assert state.left("survey-team") == copies
        assert state.left("imperium-lords") == 1


def test_homes_are_told_side_by_side_and_a_mat_only_once() -> None:
    """Rule 31: both sides of every mat, but of none that somebody has."""
    state = ordered(3)
    assert waited_for(state) == {0, 1, 2}
    assert len(options(state, 0)) == 16
    state = answer(state, 1, "home-4b")
    assert {"home-4a", "home-4b"}.isdisjoint(options(state, 0))
    assert len(options(state, 0)) == 14


@pytest.mark.parametrize(
    ("product", "good"), [("rare-windfall", "rare"), ("rare-production", None), ("gray", None)]
)
def test_only_a_home_with_a_halo_starts_with_a_good(product: str, good: str | None) -> None:
    """Rule 33."""
    state = answer(ordered(2, {**HOMES, "home-3b.product": product}), 0, "home-3b")
    colony = state.seats[0].colony("home-3b")
    assert colony is not None
    assert (colony.good, colony.colonists) == (good, 1)
    assert bool(told(state, "frontiers.put-good", 0)) == (good is not None)


WINDFALL = {"product": "genes-windfall", "points": 1, "keywords": ["uplift"], "powers": []}


def test_what_nobody_told_of_homes_is_asked_on_one_page_once_all_are_chosen() -> None:
    state = answer(ordered(2, {}), 0, "home-3b")
    assert waited_for(state) == {1}
    state = answer(state, 1, "home-4a")
    assert waited_for(state) == {None}
    plain = {"product": "gray", "points": 0, "keywords": [], "powers": []}
    state = answer(state, None, json.dumps({"home-4a": plain, "home-3b": WINDFALL}))
    assert state.world("home-3b").kind == "genes"
    assert [who.goods for who in state.seats] == [1, 0]
    assert waited_for(state) <= {0, 1}


def test_a_replay_takes_the_answer_about_a_home_before_all_are_chosen() -> None:
    state = answer(ordered(2, {}), 0, "home-3b")
    told = Answer(0, "core.fact", json.dumps(WINDFALL))
    with pytest.raises(Unknown):
        take(state, told)
    state = answer(retake(state, told), 1, "home-4a")
    assert {fact.partition(".")[0] for fact in question(state, None).facts} == {"home-4a"}
    assert state.world("home-3b").kind == "genes"
