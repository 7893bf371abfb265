"""II: Develop, and what holds for every power (p. 4)."""

from __future__ import annotations

import pytest

from companion.games.race import GAME
from companion.games.race.cards import deck
from companion.games.race.state import RaceState, Seat
from companion.games.race.steps.place import BeginPlacing
from tests.games.race.race_tables import (
    answer,
    asked,
    at,
    everybody,
    number,
    options,
    passing,
    question,
    seat,
    table,
    told,
)

DEVELOP = BeginPlacing("develop")


def developing(*seats: Seat) -> RaceState:
    return at(table(*seats), DEVELOP)


def developed(me: Seat, card: str) -> RaceState:
    """The table after the first seat placed this development and the other nothing."""
    return passing(answer(developing(me, seat("new-sparta", hand=1)), 0, card))


def paid(state: RaceState, who: int = 0) -> int:
    (text,) = told(state, "race.pay", who)
    return number(text)


# Cost


@pytest.mark.parametrize("card", [c.id for c in deck("first") if not c.is_world])
def test_the_cost_is_discarded_from_the_hand(card: str) -> None:
    cost = deck("first")[card].cost
    assert cost is not None
    state = developed(seat("old-earth", hand=9), card)
    assert paid(state) == cost
    assert state.seats[0].hand == 9 - 1 - cost
    assert state.seats[0].tableau == ("old-earth", card)


def test_who_chose_develop_discards_one_less() -> None:
    state = developed(seat("old-earth", actions=("develop",)), "drop-ships")
    assert paid(state) == 3


@pytest.mark.parametrize(
    ("cards", "cost"),
    [
        (("investment-credits",), 3),
        (("galactic-federation",), 2),
        (("investment-credits", "galactic-federation"), 1),
        (("replicant-robots",), 4),
        (("alien-tech-institute",), 4),
    ],
)
def test_reductions_of_develop_add_up_and_those_of_settle_do_not_count(
    cards: tuple[str, ...], cost: int
) -> None:
    assert paid(developed(seat("old-earth", *cards), "drop-ships")) == cost


def test_a_cost_is_never_below_zero_and_nothing_comes_back() -> None:
    me = seat("old-earth", "investment-credits", "galactic-federation", hand=3, actions=("develop",))
    state = developed(me, "public-works")
    assert paid(state) == 0
    assert state.seats[0].hand == 2


def test_only_the_owner_pays_less() -> None:
    state = developing(seat("old-earth", "galactic-federation"), seat("new-sparta"))
    state = everybody(state, "drop-ships", "space-marines")
    assert (paid(state, 0), paid(state, 1)) == (2, 2)


# What can be placed


def test_the_placed_card_does_not_pay_for_itself() -> None:
    assert "drop-ships" not in options(developing(seat("old-earth", hand=4), seat("new-sparta")), 0)
    assert "drop-ships" in options(developing(seat("old-earth", hand=5), seat("new-sparta")), 0)


@pytest.mark.parametrize("hand", [1, 2, 3, 4, 5, 6, 7])
def test_what_the_hand_can_pay_is_offered_and_nothing_else(hand: int) -> None:
    state = developing(seat("old-earth", hand=hand), seat("new-sparta"))
    affordable = {c.id for c in deck("first") if c.cost is not None and not c.is_world and c.cost < hand}
    assert set(options(state, 0)) == {"pass"} | affordable


def test_worlds_are_not_developed() -> None:
    cards = deck("first")
    state = developing(seat("old-earth"), seat("new-sparta"))
    assert all(id == "pass" or not cards[id].is_world for id in options(state, 0))


def test_one_may_place_nothing_and_that_is_the_default() -> None:
    state = developing(seat("old-earth"), seat("new-sparta"))
    default = question(state, 0).default
    assert default is not None
    assert default.id == "pass"
    after = passing(state)
    assert [s.tableau for s in after.seats] == [("old-earth",), ("new-sparta",)]
    assert told(after, "race.nobody-places")


def test_with_an_empty_hand_nothing_is_asked() -> None:
    state = developing(seat("old-earth", hand=0), seat("new-sparta"))
    assert asked(state, 0) is None
    assert asked(state, 1) is not None


def test_a_development_one_has_is_not_placed_again() -> None:
    assert "public-works" not in options(developing(seat("old-earth", "public-works"), seat("new-sparta")), 0)


def test_two_players_may_own_a_copy_each() -> None:
    state = developing(seat("old-earth", "public-works"), seat("new-sparta"))
    assert "public-works" in options(state, 1)
    state = everybody(developing(seat("old-earth"), seat("new-sparta")), "public-works", "public-works")
    assert [s.tableau[-1] for s in state.seats] == ["public-works"] * 2


def test_no_third_copy() -> None:
    state = developing(
        seat("old-earth", "public-works"), seat("new-sparta", "public-works"), seat("alpha-centauri")
    )
    assert "public-works" not in options(state, 2)


def test_two_who_name_the_last_copy_choose_again() -> None:
    state = developing(seat("old-earth", "public-works"), seat("new-sparta"), seat("alpha-centauri"))
    state = everybody(state, "pass", "public-works", "public-works")
    assert len(told(state, "race.choose-again")) == 2
    state = answer(answer(state, 1, "pass"), 2, "public-works")
    assert [s.tableau[-1] for s in state.seats] == ["public-works", "new-sparta", "public-works"]


def test_a_six_cost_development_lies_in_one_tableau_only() -> None:
    state = developing(seat("old-earth", "new-economy"), seat("new-sparta"))
    assert "new-economy" not in options(state, 1)


def test_a_card_discarded_from_the_tableau_may_be_placed_again() -> None:
    state = at(table(seat("old-earth", "colony-ship"), seat("new-sparta")), BeginPlacing("settle"))
    state = passing(answer(state, 0, "gem-world"))
    state = answer(state, 0, "pay+colony-ship")
    assert "colony-ship" in options(at(state, DEVELOP), 0)


# Secret and together


def test_placements_are_secret_and_revealed_together() -> None:
    state = developing(seat("old-earth"), seat("new-sparta"))
    assert question(state, 0).secret
    chosen = answer(state, 0, "public-works")
    assert not chosen.news
    assert chosen.seats[0].tableau == ("old-earth",)
    assert chosen.seats[0].hand == 10
    after = answer(chosen, 1, "pass")
    assert after.seats[0].tableau == ("old-earth", "public-works")


def test_nobody_sees_a_card_lying_face_down() -> None:
    state = developing(seat("old-earth"), seat("new-sparta"), seat("alpha-centauri"))
    one, other = answer(state, 0, "public-works"), answer(state, 0, "drop-ships")
    assert GAME.view(one) == GAME.view(other)
    assert GAME.counters(one) == GAME.counters(other)
    assert GAME.on_table(one) == GAME.on_table(other)


def test_payments_go_clockwise_from_the_lowest_start_world() -> None:
    state = developing(
        seat("new-sparta"), seat("earths-lost-colony"), seat("old-earth"), seat("alpha-centauri")
    )
    state = everybody(state, "public-works", "space-marines", "drop-ships", "colony-ship")
    assert [item.seat for item in state.news if told_pay(item.text.key)] == [2, 3, 0, 1]


def told_pay(key: str) -> bool:
    return key == "race.does"


# Draws


def test_public_works_draws_after_placing() -> None:
    state = developed(seat("old-earth", "public-works", hand=5), "space-marines")
    assert [number(t) for t in told(state, "race.then-draw", 0)] == [1]
    assert state.seats[0].hand == 5 - 1 - 2 + 1


def test_public_works_does_not_draw_for_itself() -> None:
    state = developed(seat("old-earth", hand=5), "public-works")
    assert not told(state, "race.then-draw")
    assert state.seats[0].hand == 5 - 1 - 1


def test_public_works_does_not_draw_when_nothing_is_placed_or_when_another_places() -> None:
    state = developing(seat("old-earth", "public-works", hand=5), seat("new-sparta", hand=5))
    state = everybody(state, "pass", "space-marines")
    assert [s.hand for s in state.seats] == [5, 5 - 1 - 2]


def test_a_draw_after_placing_cannot_pay_for_the_card() -> None:
    state = developing(seat("old-earth", "public-works", hand=2), seat("new-sparta"))
    assert "space-marines" not in options(state, 0)


def test_terraforming_robots_do_not_draw_in_develop() -> None:
    assert not told(developed(seat("old-earth", "terraforming-robots"), "space-marines"), "race.then-draw")


def test_interstellar_bank_draws_before_cards_are_chosen() -> None:
    state = developing(seat("old-earth", "interstellar-bank", hand=1), seat("new-sparta", hand=1))
    assert [number(t) for t in told(state, "race.draw", 0)] == [1]
    assert [s.hand for s in state.seats] == [2, 1]
    assert "public-works" in options(state, 0)


def test_interstellar_bank_fills_an_empty_hand_before_anything_is_asked() -> None:
    state = developing(
        seat("old-earth", "interstellar-bank", "investment-credits", hand=0), seat("new-sparta")
    )
    assert "public-works" in options(state, 0)


def test_interstellar_bank_draws_even_if_nothing_is_placed_but_not_in_settle() -> None:
    me = seat("old-earth", "interstellar-bank", hand=3)
    assert passing(developing(me, seat("new-sparta"))).seats[0].hand == 4
    assert at(table(me, seat("new-sparta")), BeginPlacing("settle")).seats[0].hand == 3


# A power is not active in the phase in which its card is placed


@pytest.mark.parametrize("card", ["investment-credits", "galactic-federation"])
def test_a_reduction_does_not_reduce_itself(card: str) -> None:
    assert paid(developed(seat("old-earth"), card)) == deck("first")[card].cost


def test_interstellar_bank_does_not_draw_in_the_phase_it_is_placed() -> None:
    state = developed(seat("old-earth", hand=5), "interstellar-bank")
    assert not told(state, "race.draw")
    assert state.seats[0].hand == 5 - 1 - 2


def test_a_power_works_in_the_next_phase_of_the_same_round() -> None:
    state = at(
        table(seat("old-earth"), seat("epsilon-eridani")), BeginPlacing("develop"), BeginPlacing("settle")
    )
    state = everybody(state, "drop-ships", "pass")
    assert state.phase == "settle"
    assert "pirate-world" in options(state, 0)
