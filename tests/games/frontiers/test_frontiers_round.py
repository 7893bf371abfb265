"""A round (p. 3, 9): selecting, the order of resolving, Isolation, Envoys, credits on Produce, the last round."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.agenda import Step, waited_for
from companion.games.frontiers.state import FrontiersState, Selection
from companion.games.frontiers.steps import round as rounds
from companion.games.frontiers.steps.round import ActionOver, BeginRound, NextSelection
from tests.games.frontiers.tables import answer, at, number, options, question, seat, table, told


@pytest.fixture(autouse=True)
def _only_bonuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the other actions do is tested elsewhere: here they do nothing."""
    resolve: dict[str, tuple[Step, ...]] = {
        action: steps if action in ("isolation", "envoys", "chart-goals") else ()
        for action, steps in rounds.RESOLVE.items()
    }
    monkeypatch.setattr(rounds, "RESOLVE", resolve)


def begin(players: int = 3, **more: Any) -> FrontiersState:
    """The beginning of a round."""
    return at(table(players, round=0, **more), BeginRound())


def select(state: FrontiersState, *actions: str) -> FrontiersState:
    """The next selections, by the seat that is asked."""
    for action in actions:
        (who,) = waited_for(state)
        state = answer(state, who, action)
    return state


def test_the_leftmost_disc_that_has_not_selected_selects_next() -> None:
    """Rules 36 and 37."""
    state = begin(track=(2, 0, 1))
    for who, action in ((2, "explore"), (0, "develop"), (1, "settle")):
        assert waited_for(state) == {who}
        state = answer(state, who, action)
    assert (state.round, waited_for(state)) == (2, {2})


def test_a_tile_is_selected_once_in_a_round_and_nobody_passes() -> None:
    """Rule 38; showing the tile selects it."""
    state = select(begin(), "explore")
    assert "explore" not in options(state, 1)
    assert "pass" not in options(state, 1)
    assert all(option.component == option.id for option in question(state, 1).options)
    assert question(state, 1).default is None
    state = select(state, "develop", "settle")
    assert len(options(state, 0)) == 7


def test_an_action_resolved_in_order_says_nothing_about_the_next_one() -> None:
    """Rule 46."""
    state = replace(table(action="settle"), in_order="end")
    assert state.order_notes
    assert not at(state, ActionOver()).order_notes


def test_isolation_or_chart_goals() -> None:
    """Rules 9, 35 and 47: seven tiles, of which one depends on whether goals are used."""
    assert "isolation" in options(begin(), 0)
    assert "chart-goals" not in options(begin(), 0)
    state = begin(goals=True)
    assert "isolation" not in options(state, 0)
    assert "chart-goals" in options(state, 0)


def test_two_players_select_twice_each_and_resolve_once() -> None:
    """Rules 36 and 42."""
    state = begin(2)
    asked = []
    for action in ("explore", "isolation", "develop", "envoys"):
        (who,) = waited_for(state)
        asked.append(who)
        state = answer(state, who, action)
    assert asked == [0, 1, 0, 1]
    assert state.round == 2
    third = replace(table(2), selected=tuple(Selection(a, d) for d, a in enumerate(("x", "y", "z"))))
    assert third.order() == (0, 1)


def test_the_order_of_resolving_goes_right_from_the_selector_and_round() -> None:
    """Rules 39 and 40, scenario track-four-third: seats are no part of it."""
    state = table(4, track=(0, 1, 2, 3))
    resolved = []
    for disc, action in enumerate(("explore", "settle", "develop", "produce")):
        state = replace(state, selected=(*state.selected, Selection(action, disc)))
        resolved.append(state.order())
    assert resolved == [(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)]
    after = select(begin(4), "explore", "settle", "develop", "produce")
    assert after.track == (0, 1, 2, 3)
    assert waited_for(after) == {0}


def test_isolation_gives_two_credits_to_the_selector_only() -> None:
    """Rules 41 and 47."""
    state = select(begin(), "isolation")
    assert [who.credits for who in state.seats] == [2, 0, 0]
    assert number(told(state, "frontiers.take.credits", 0)[0]) == 2


def test_envoys_give_a_point_and_the_first_place_at_once() -> None:
    """Rules 41, 48, 49 and 50, scenario envoys-second-of-four."""
    state = select(begin(4), "explore", "envoys")
    assert [who.chips for who in state.seats] == [0, 1, 0, 0]
    assert state.track == (1, 0, 2, 3)
    assert told(state, "frontiers.disc-first", 1)
    third = replace(state, selected=(*state.selected, Selection("settle", 2)))
    assert third.order() == (2, 3, 1, 0)
    fourth = replace(third, selected=(*third.selected, Selection("produce", 3)))
    assert fourth.order() == (3, 1, 0, 2)
    assert waited_for(state) == {2}
    state = select(state, "settle", "produce")
    assert (state.round, waited_for(state), state.track) == (2, {1}, (1, 0, 2, 3))


def test_the_first_selector_gains_no_place_by_envoys() -> None:
    """Rule 51."""
    state = select(begin(), "envoys")
    assert (state.track, state.seats[0].chips) == ((0, 1, 2), 1)
    assert not told(state, "frontiers.disc-first")


def test_with_two_players_the_selecting_disc_moves() -> None:
    """Rule 52, scenario two-second-disc-envoys: the fourth selection stays the other's, then A, A, B, B."""
    state = select(begin(2), "explore", "settle", "envoys")
    assert waited_for(state) == {1}
    state = select(state, "produce")
    assert [state.seat_of(disc) for disc in state.track] == [0, 0, 1, 1]
    assert waited_for(state) == {0}
    state = select(state, "explore")
    assert waited_for(state) == {0}


def test_a_point_that_empties_the_pool_makes_this_the_last_round() -> None:
    """Rules 53, 179, 180 and 182: the round is played to its end, then it is over."""
    state = begin(ola=seat(chips=35))
    assert state.pool == 1
    state = select(state, "envoys")
    assert state.ending == ("points",)
    assert waited_for(state) == {1}
    state = select(state, "isolation", "explore")
    assert not state.agenda
    assert told(state, "frontiers.alert.over")
    assert state.seats[1].credits == 2


def test_at_the_end_of_the_last_round_no_credit_goes_onto_produce() -> None:
    """Rule 44: only if the play goes on."""
    state = select(begin(ola=seat(chips=35)), "envoys", "isolation", "explore")
    assert state.produce_credits == 0


def test_credits_pile_up_on_produce_until_it_is_selected() -> None:
    """Rules 34, 44 and 45, scenario produce-credits-pile up to the moment they are taken."""
    state = begin()
    assert not any("0" in sign.value for option in question(state, 0).options for sign in option.signs)
    for n in (1, 2, 3):
        assert state.produce_credits == n - 1
        state = select(state, "isolation", "explore", "settle")
        assert number(told(state, "frontiers.onto-produce")[0]) == n
    produce = question(state, 0).option("produce")
    assert produce is not None
    assert any(sign.value == "+3" for sign in produce.signs)
    state = select(state, "produce", "explore", "settle")
    assert not told(state, "frontiers.onto-produce")
    assert state.produce_credits == 3  # the action itself takes them


def test_what_belongs_to_an_action_is_forgotten_when_it_is_over() -> None:
    """Rules 63, 66 and 119: fresh tiles work from the next action on; replaced worlds go into the bag then."""
    busy = replace(seat("world-10"), fresh=("world-10",), sold=3, used=(("world-10", 0),), consumed=2)
    state = replace(table(action="settle", ania=busy), aside=("world-30",))
    assert "world-30" not in state.bag()
    state = at(state, ActionOver())
    assert (state.seats[0].fresh, state.seats[0].sold, state.seats[0].used) == ((), 0, ())
    assert (state.action, state.selector) == (None, None)
    assert "world-30" in state.bag()
    assert told(state, "frontiers.into-bag")


def test_several_reasons_change_nothing_further() -> None:
    """Rule 181."""
    state = replace(table(ania=seat(chips=36)), ending=("colonies", "points"), selected=())
    state = at(replace(state, selected=tuple(Selection(a, d) for d, a in enumerate("xyz"))), NextSelection())
    assert not state.agenda


def test_the_tile_of_produce_shows_the_credits_on_it() -> None:
    """Rules 45, 123: they are the selector's; the rest of its bonus stays as printed."""
    shown = next(option for option in question(begin(), 0).options if option.id == "produce")
    state = replace(begin(), produce_credits=3)
    now = next(option for option in question(state, 0).options if option.id == "produce")
    assert [(sign.symbol, sign.value) for sign in now.signs] == [
        (sign.symbol, "+3" if sign.symbol == "credits" else sign.value) for sign in shown.signs
    ]
    assert "credits" in [sign.symbol for sign in shown.signs]
