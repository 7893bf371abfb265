"""A round (p. 3): secret actions, phases in order, bonuses; I: Explore; the advanced game for two (p. 8)."""

from __future__ import annotations

import pytest

from companion.core.agenda import ready
from companion.core.questions import TOGETHER
from companion.games.race import GAME
from companion.games.race.state import RaceState
from companion.games.race.steps.explore import Explore
from companion.games.race.steps.round import BeginRound
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

STANDARD = ["explore-5", "explore-1-1", "develop", "settle", "consume-trade", "consume-x2", "produce"]


def begun(*starts: str, advanced: bool = False, hand: int = 4) -> RaceState:
    seats = [seat(start, hand=hand) for start in starts or ("old-earth", "new-sparta")]
    return at(table(*seats, advanced=advanced, rounds=0), BeginRound())


def chosen(state: RaceState, *pairs: tuple[str, str]) -> RaceState:
    """The advanced table after both seats chose their two actions."""
    for who, pair in enumerate(pairs):
        for action in pair:
            state = answer(state, who, action)
    return state


# Choosing


def test_seven_actions_are_offered() -> None:
    assert options(begun(), 0) == STANDARD


def test_an_action_is_never_chosen_by_a_button_alone() -> None:
    assert question(begun(), 0).default is None


def test_actions_are_chosen_in_any_order_and_in_secret() -> None:
    state = begun()
    assert question(state, 0).secret
    later = answer(state, 1, "settle")
    assert options(later, 0) == options(state, 0)
    assert not later.news
    assert (ready(later, 1), ready(later, 0)) == (True, False)


def test_nobody_sees_a_chosen_action_before_all_have_chosen() -> None:
    state = begun("old-earth", "new-sparta", "epsilon-eridani")
    one, other = answer(state, 0, "settle"), answer(state, 0, "consume-x2")
    assert GAME.view(one) == GAME.view(other)
    assert question(one, 1) == question(other, 1)
    assert GAME.counters(one) == GAME.counters(other)


def test_actions_are_revealed_together() -> None:
    state = everybody(begun(), "settle", "produce")
    assert len(told(state, "race.reveals")) == 2


def test_what_was_chosen_last_round_may_be_chosen_again() -> None:
    state = everybody(begun(), "produce", "produce")
    assert state.round == 2
    assert options(state, 0) == STANDARD


def test_everybody_may_see_chips_and_the_number_of_cards_in_every_hand() -> None:
    state = at(table(seat("old-earth", hand=3, chips=2), seat("new-sparta", hand=7)), BeginRound())
    shown = [{number.id: number.value for number in s.numbers} for s in GAME.view(state).seats]
    assert [(s["hand"], s["chips"]) for s in shown] == [(3, 2), (7, 0)]


# Phases


def test_chosen_phases_happen_in_their_order_and_others_not_at_all() -> None:
    state = begun("old-earth", "new-sparta", "epsilon-eridani")
    state = everybody(state, "produce", "settle", "develop")
    assert state.phases == ("develop", "settle", "produce")
    assert state.phase == "develop"
    state = passing(state)
    assert state.phase == "settle"


def test_all_five_phases_have_the_order_of_the_rulebook() -> None:
    state = begun("old-earth", "new-sparta", "epsilon-eridani", "alpha-centauri")
    state = everybody(state, "produce", "consume-trade", "settle", "explore-5")
    assert state.phases == ("explore", "settle", "consume", "produce")


def test_a_phase_chosen_twice_happens_once() -> None:
    state = everybody(begun(), "develop", "develop")
    assert state.phases == ("develop",)
    assert passing(state).round == 2


def test_both_consume_cards_are_one_phase() -> None:
    assert everybody(begun(), "consume-trade", "consume-x2").round == 2
    state = everybody(
        begun("old-earth", "new-sparta", "epsilon-eridani"), "consume-trade", "settle", "consume-x2"
    )
    assert state.phases == ("settle", "consume")


def test_both_explore_cards_are_one_phase() -> None:
    state = everybody(begun(), "explore-5", "explore-1-1")
    assert len(told(state, "race.explore")) == 2


def test_the_bonus_goes_to_all_who_chose_the_phase() -> None:
    state = everybody(begun(hand=1), "develop", "develop")
    for who in (0, 1):
        assert "public-works" in options(state, who)
        assert "investment-credits" in options(state, who)


def test_the_bonus_does_not_go_to_who_chose_something_else() -> None:
    state = everybody(begun(hand=1), "develop", "produce")
    assert "public-works" in options(state, 0)
    assert asked(state, 1) is not None
    assert "public-works" not in options(state, 1)


# Explore


def explored(state: RaceState) -> dict[int, tuple[int, int]]:
    """Cards drawn and kept, by seat."""
    found = {}
    for item in state.news:
        assert item.seat is not None
        for text in told(state, "race.explore", item.seat):
            kept = text.args["kept"]
            assert isinstance(kept, int)
            found[item.seat] = number(text), kept
    return found


@pytest.mark.parametrize(
    ("actions", "drawn", "kept"),
    [
        ((), 2, 1),
        (("explore-5",), 7, 1),
        (("explore-1-1",), 3, 2),
        (("explore-1-1", "explore-5"), 8, 2),
    ],
)
def test_explore_draws_and_keeps(actions: tuple[str, ...], drawn: int, kept: int) -> None:
    state = table(seat("old-earth", hand=3, actions=actions), seat("new-sparta", hand=0))
    state = at(state, Explore("explore"))
    assert explored(state) == {0: (drawn, kept), 1: (2, 1)}
    assert [s.hand for s in state.seats] == [3 + kept, 1]


@pytest.mark.parametrize(
    ("card", "drawn", "kept"),
    [
        ("star-nomad-lair", 3, 1),
        ("malevolent-lifeforms", 3, 1),
        ("expedition-force", 3, 1),
        ("galactic-survey-seti", 4, 1),
        ("research-labs", 2, 2),
        ("galactic-renaissance", 4, 2),
        ("public-works", 2, 1),
    ],
)
def test_explore_powers(card: str, drawn: int, kept: int) -> None:
    state = at(table(seat("old-earth", card), seat("new-sparta")), Explore("explore"))
    assert explored(state)[0] == (drawn, kept)
    assert explored(state)[1] == (2, 1)


def test_explore_powers_add_up() -> None:
    cards = ("old-earth", "galactic-renaissance", "research-labs", "expedition-force")
    state = at(table(seat(*cards, actions=("explore-5",)), seat("new-sparta")), Explore("explore"))
    assert explored(state)[0] == (2 + 5 + 2 + 1, 1 + 1 + 1)


def test_one_cannot_keep_more_than_one_draws() -> None:
    cards = [seat("old-earth", "research-labs", "galactic-renaissance", hand=109), seat("new-sparta", hand=0)]
    state = at(table(*cards), Explore("explore"))
    assert explored(state)[0] == (1, 1)


def test_everybody_draws_before_anybody_discards() -> None:
    # Three cards in the piles: the second seat finds one, though the first will discard one of its two.
    state = at(table(seat("old-earth", hand=109), seat("new-sparta", hand=0)), Explore("explore"))
    assert explored(state) == {0: (2, 1), 1: (1, 1)}


def test_explored_cards_come_to_hand_in_table_order() -> None:
    state = at(table(seat("new-sparta"), seat("old-earth"), seat("alpha-centauri")), Explore("explore"))
    assert [item.seat for item in state.news] == [1, 2, 0]


# The advanced game for two


def test_the_advanced_game_offers_nine_actions_and_takes_two() -> None:
    state = begun(advanced=True)
    assert options(state, 0) == [*STANDARD, "develop-2", "settle-2"]
    state = answer(state, 0, "develop")
    assert options(state, 0) == [a for a in [*STANDARD, "develop-2", "settle-2"] if a != "develop"]
    state = answer(state, 0, "settle")
    assert asked(state, 0) is None


def test_every_pair_of_actions_can_be_told_at_once_and_a_second_card_alone_is_the_first() -> None:
    state = begun(advanced=True)
    pairs = [set(whole.id.split(TOGETHER)) for whole in question(state, 0).sets]
    assert len(pairs) == len(STANDARD) * (len(STANDARD) - 1) // 2 + 2
    assert {"develop", "develop-2"} in pairs
    assert all(pair >= {"develop", "develop-2"} for pair in pairs if "develop-2" in pair)
    assert question(begun(), 0).sets == ()
    assert question(answer(state, 0, "develop"), 0).sets == ()


def test_the_standard_game_never_offers_second_actions() -> None:
    assert not {"develop-2", "settle-2"} & set(options(begun(), 0))


def test_two_explores_draw_eight_and_keep_two() -> None:
    state = chosen(begun(advanced=True), ("explore-5", "explore-1-1"), ("produce", "consume-x2"))
    assert explored_seat(state, 0) == (8, 2)
    assert explored_seat(state, 1) == (2, 1)


def explored_seat(state: RaceState, who: int) -> tuple[int, int]:
    (text,) = told(state, "race.explore", who)
    kept = text.args["kept"]
    assert isinstance(kept, int)
    return number(text), kept


def test_two_develops_are_two_complete_phases() -> None:
    state = chosen(begun(advanced=True), ("develop", "develop-2"), ("produce", "consume-x2"))
    assert state.phases == ("develop", "develop-2", "consume", "produce")
    state = everybody(state, "public-works", "pass")
    assert (state.phase, state.seats[0].tableau) == ("develop-2", ("old-earth", "public-works"))
    state = everybody(state, "investment-credits", "pass")
    assert state.round == 2
    assert state.seats[0].tableau == ("old-earth", "public-works", "investment-credits")


def test_two_settles_are_two_complete_phases() -> None:
    state = chosen(begun(advanced=True), ("settle-2", "settle"), ("produce", "consume-x2"))
    assert state.phases == ("settle", "settle-2", "consume", "produce")


def test_the_phases_of_the_advanced_game_have_the_usual_order() -> None:
    state = chosen(begun(advanced=True), ("settle", "settle-2"), ("develop", "develop-2"))
    assert state.phases == ("develop", "develop-2", "settle", "settle-2")


def test_who_chose_a_phase_twice_has_the_bonus_in_both() -> None:
    state = chosen(begun(advanced=True, hand=2), ("develop", "develop-2"), ("produce", "consume-x2"))
    state = everybody(state, "public-works", "pass")
    assert [number(t) for t in told(state, "race.pay", 0)] == [0]
    assert state.seats[0].hand == 1
    state = everybody(state, "export-duties", "pass")
    assert told(state, "race.pay", 0)[0].n == 0


def test_the_opponent_who_chose_it_once_has_the_bonus_only_in_the_first() -> None:
    for single in ("develop", "develop-2"):
        state = chosen(begun(advanced=True), ("develop", "develop-2"), (single, "produce"))
        state = everybody(state, "public-works", "export-duties")
        assert [number(t) for t in told(state, "race.pay", 1)] == [0]
        state = everybody(state, "investment-credits", "new-military-tactics")
        assert [number(t) for t in told(state, "race.pay", 0)] == [0]
        assert [number(t) for t in told(state, "race.pay", 1)] == [1]


def test_the_settle_bonus_too_is_for_the_first_of_two_phases() -> None:
    state = chosen(begun(advanced=True, hand=6), ("settle", "settle-2"), ("settle-2", "produce"))
    state = everybody(state, "secluded-world", "rebel-miners")
    assert [number(t) for who in (0, 1) for t in told(state, "race.then-draw", who)] == [1, 1]
    state = everybody(state, "artist-colony", "runaway-robots")
    assert [number(t) for t in told(state, "race.then-draw", 0)] == [1]
    assert told(state, "race.conquer", 1)
    assert not told(state, "race.then-draw", 1)


def test_a_second_develop_chosen_alone_is_a_develop() -> None:
    state = chosen(begun(advanced=True), ("develop-2", "produce"), ("settle-2", "produce"))
    assert state.phases == ("develop", "settle", "produce")
    state = everybody(state, "public-works", "pass")
    assert [number(t) for t in told(state, "race.pay", 0)] == [0]


def test_powers_placed_in_the_first_phase_work_in_the_second() -> None:
    state = chosen(begun(advanced=True, hand=9), ("develop", "develop-2"), ("produce", "consume-x2"))
    state = everybody(state, "public-works", "pass")
    assert not told(state, "race.then-draw")
    state = everybody(state, "interstellar-bank", "pass")
    assert [number(t) for t in told(state, "race.then-draw", 0)] == [1]


def test_a_bank_placed_in_the_first_phase_draws_at_the_start_of_the_second() -> None:
    state = chosen(begun(advanced=True, hand=9), ("develop", "develop-2"), ("produce", "consume-x2"))
    assert not told(state, "race.draw")
    state = everybody(state, "interstellar-bank", "pass")
    assert state.phase == "develop-2"
    assert [number(t) for t in told(state, "race.draw", 0)] == [1]
    assert state.seats[0].hand == 9 - 1 - 1 + 1


def test_military_settled_in_the_first_phase_conquers_in_the_second() -> None:
    state = chosen(begun(advanced=True), ("settle", "settle-2"), ("produce", "consume-x2"))
    assert "pirate-world" not in options(state, 1)
    state = everybody(state, "pass", "former-penal-colony")
    assert "pirate-world" in options(state, 1)


def test_both_consume_cards_sell_first_and_then_double() -> None:
    state = table(
        seat("old-earth", "earths-lost-colony", "spice-world", goods=("earths-lost-colony", "spice-world")),
        seat("new-sparta"),
        advanced=True,
    )
    state = chosen(at(state, BeginRound()), ("consume-x2", "consume-trade"), ("produce", "explore-5"))
    assert set(options(state, 0)) == {"earths-lost-colony", "spice-world"}
    state = answer(state, 0, "spice-world")
    assert [number(t) for t in told(state, "race.then-draw", 0)] == [2 + 2 + 1]
    (default, *_) = options(state, 0)
    assert answer(state, 0, default).seats[0].chips == 2
