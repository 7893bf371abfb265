"""Setting up (p. 2)."""

from __future__ import annotations

import pytest

from companion.core.game import Setup
from companion.core.words import component_of
from companion.errors import DataTrouble
from companion.games.race import GAME
from companion.games.race.state import RaceState
from companion.games.race.steps.place import BeginPlacing
from tests.games.race.race_tables import (
    NAMES,
    answer,
    asked,
    at,
    options,
    passing,
    question,
    seat,
    table,
    told,
)


def start(seats: int = 2, **choices: str) -> RaceState:
    state: RaceState = GAME.start(Setup("race", NAMES[:seats], choices))
    return state


def dealt(*worlds: str, **choices: str) -> RaceState:
    state = start(len(worlds), **choices)
    for who, world in enumerate(worlds):
        state = answer(state, who, world)
    return state


@pytest.mark.parametrize(("seats", "pool"), [(2, 24), (3, 36), (4, 48)])
def test_twelve_points_of_chips_for_each_seat(seats: int, pool: int) -> None:
    assert start(seats).pool == pool


@pytest.mark.parametrize("seats", [1, 5])
def test_two_to_four_play(seats: int) -> None:
    with pytest.raises(DataTrouble):
        GAME.start(Setup("race", ("A", "B", "C", "D", "E")[:seats]))


def test_any_of_the_five_start_worlds_may_be_dealt() -> None:
    assert set(options(start(), 0)) == {
        "old-earth",
        "epsilon-eridani",
        "alpha-centauri",
        "new-sparta",
        "earths-lost-colony",
    }


def test_a_start_world_is_dealt_once() -> None:
    assert "old-earth" not in options(answer(start(), 0, "old-earth"), 1)


def test_which_start_world_was_dealt_has_no_default() -> None:
    assert question(start(), 0).default is None


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_first_game_uses_the_start_worlds_from_one_to_the_number_of_players(seats: int) -> None:
    by_number = ["old-earth", "epsilon-eridani", "alpha-centauri", "new-sparta", "earths-lost-colony"]
    assert options(start(seats, opening="first-game"), 0) == by_number[1 : seats + 1]


def test_six_cards_are_dealt_and_two_discarded() -> None:
    state = dealt("old-earth", "new-sparta")
    assert [s.hand for s in state.seats] == [4, 4]
    for who in (0, 1):
        assert [t.n for t in told(state, "race.deal", who)] == [6]
        assert [t.n for t in told(state, "race.discard", who)] == [2]


def test_a_first_game_deals_the_four_cards_numbered_like_the_start_world() -> None:
    state = dealt("alpha-centauri", "epsilon-eridani", opening="first-game")
    assert [s.hand for s in state.seats] == [4, 4]
    assert [t.args["number"] for t in told(state, "race.take-numbered", 0)] == [2]
    assert [t.args["number"] for t in told(state, "race.take-numbered", 1)] == [1]
    assert not told(state, "race.deal")


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_four_cards_carry_each_first_game_number(number: int) -> None:
    assert len([card for card in GAME.start(Setup("race", NAMES)).deck if card.first_hand == number]) == 4


@pytest.mark.parametrize("opening", ["normal", "first-game"])
def test_alpha_centauri_begins_with_a_good(opening: str) -> None:
    state = dealt("epsilon-eridani", "alpha-centauri", opening=opening)
    assert [s.goods for s in state.seats] == [(), ("alpha-centauri",)]
    assert [component_of(t.args["world"]) for t in told(state, "race.good", 1)] == ["alpha-centauri"]


def test_no_other_start_world_begins_with_a_good() -> None:
    state = dealt("old-earth", "epsilon-eridani", "new-sparta", "earths-lost-colony")
    assert all(not s.goods for s in state.seats)


def test_the_start_world_is_the_whole_tableau_and_nobody_has_points() -> None:
    state = dealt("old-earth", "new-sparta")
    assert [s.tableau for s in state.seats] == [("old-earth",), ("new-sparta",)]
    assert [s.chips for s in state.seats] == [0, 0]


def test_everything_is_somewhere() -> None:
    state = dealt("old-earth", "alpha-centauri")
    assert state.in_piles() == 114 - 2 - 8 - 1


def test_a_start_world_nobody_was_dealt_can_be_settled_later() -> None:
    state = at(table(seat("old-earth"), seat("new-sparta")), BeginPlacing("settle"))
    assert "alpha-centauri" in options(state, 0)
    assert "new-sparta" not in options(state, 0)
    state = passing(answer(state, 0, "alpha-centauri"))
    assert state.seats[0].tableau == ("old-earth", "alpha-centauri")
    assert state.seats[0].goods == ("alpha-centauri",)
    assert state.seats[0].hand == 10 - 1 - 2


def test_the_start_world_dealt_decides_the_order_not_one_settled_later() -> None:
    late = table(seat("alpha-centauri"), seat("epsilon-eridani"), seat("new-sparta", "old-earth"))
    assert list(late.order()) == [1, 2, 0]


def test_the_first_round_follows_the_deal() -> None:
    state = dealt("old-earth", "new-sparta")
    assert state.round == 1
    asks = [asked(state, who) for who in (0, 1)]
    assert [ask.slug for ask in asks if ask] == ["race.action", "race.action"]


@pytest.mark.parametrize("seats", [3, 4])
def test_the_advanced_game_is_for_two(seats: int) -> None:
    with pytest.raises(DataTrouble):
        start(seats, actions="advanced")


def test_the_usual_game_is_the_first_edition_with_dealt_hands_and_seven_actions() -> None:
    state = start()
    assert (state.edition, state.opening, state.advanced) == ("first", "normal", False)
