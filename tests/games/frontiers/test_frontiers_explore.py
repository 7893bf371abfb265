"""Explore (p. 5): what each seat takes, what powers draw, and no more than nine worlds."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.agenda import waited_for
from companion.core.words import say
from companion.games.frontiers.state import FrontiersState
from companion.games.frontiers.steps.explore import ResolveExplore, shares
from tests.games.frontiers.tables import answer, at, number, options, question, seat, table, told

DRAW: dict[str, Any] = {"survey-team.powers": [{"does": "draw-worlds", "worlds": 1}]}


def worlds(first: int, n: int) -> tuple[str, ...]:
    return tuple(f"world-{k}" for k in range(first, first + n))


def test_everybody_takes_a_world_and_the_selector_a_second_one() -> None:
    """Rules 46, 79, 80, scenario explore-second-pick: in order, the selector's second world after all have one."""
    out: dict[str, Any] = {"ania": seat(explored=worlds(10, 5)), "ola": seat(explored=worlds(15, 5))}
    state = at(table(5, action="explore", selector=2, **out), ResolveExplore())
    assert number(told(state, "frontiers.show-worlds")[0]) == 7
    asked_first = question(state, 2).text
    for who, world in zip((2, 3, 4, 0, 1, 2), worlds(30, 6), strict=True):
        assert waited_for(state) == {who}
        assert (question(state, who).text == asked_first) is (world != "world-35")
        state = answer(state, who, world)
    assert [len(who.explored) for who in state.seats] == [6, 6, 2, 1, 1]
    assert len(state.bag()) == 44
    assert told(state, "frontiers.return-worlds")


def test_a_world_taken_by_one_seat_is_offered_to_nobody_else() -> None:
    state = at(table(action="explore"), ResolveExplore())
    assert len(options(state, 0)) == 60
    state = answer(state, 0, "world-30")
    assert "world-30" not in options(state, 1)
    state = answer(answer(state, 1, "world-31"), 2, "world-32")
    assert set(worlds(30, 3)).isdisjoint(options(state, 0))


def test_worlds_nobody_has_read_are_offered_last_under_a_heading() -> None:
    state = at(table(taught={"world-50.price": "cost-2"}, action="explore"), ResolveExplore())
    offered = question(state, 0).options
    known = [option.id for option in offered if option.group is None]
    assert "world-50" in known
    assert "world-49" not in known
    assert [option.id for option in offered[: len(known)]] == known


def test_taking_is_compulsory_even_with_nine() -> None:
    """Rule 81."""
    state = at(table(action="explore", selector=1, ola=seat(explored=worlds(10, 8))), ResolveExplore())
    assert all(option in state.bag() for option in options(state, 1))
    assert not question(state, 1).has_default


def test_a_power_draws_after_the_picks_from_the_table() -> None:
    """Rule 82: for the selector after both picks, for others after theirs."""
    team = seat(developments=("survey-team",))
    state = at(table(taught=DRAW, action="explore", ania=team, ola=team), ResolveExplore())
    turns = ((0, "take"), (1, "take"), (1, "draw"), (2, "take"), (0, "take"), (0, "draw"))
    for (who, how), world in zip(turns, worlds(10, 6), strict=True):
        assert question(state, who).slug == f"frontiers.{how}-world"
        state = answer(state, who, world)
    assert not waited_for(state)
    assert state.seats[0].explored == ("world-10", "world-14", "world-15")


def test_every_owner_of_such_a_power_draws_and_nobody_else() -> None:
    """Rule 82: for the first, second and last in the order."""
    team = seat(developments=("survey-team",))
    state = table(4, taught=DRAW, action="explore", selector=1, ola=team, jan=team)
    picks, draws = shares(state, state.order(), 7, 40)
    assert picks == {1: 2, 2: 1, 3: 1, 0: 1}
    assert draws == {1: 1, 2: 1, 3: 0, 0: 0}
    assert shares(state, state.order(), 7, 1)[1] == {1: 0, 2: 1, 3: 0, 0: 0}


def test_other_gains_need_no_world() -> None:
    """Rule 83: with an empty bag nobody takes anything, yet the power gives."""
    taught: dict[str, Any] = {
        "world-10.powers": [{"does": "gain", "phase": "explore", "gain": "colonists", "n": 1}]
    }
    state = _nearly_empty(0, taught)
    state = at(state, ResolveExplore())
    assert not waited_for(state)
    assert state.seats[0].colonists == 1


def _nearly_empty(left: int, taught: dict[str, Any] | None = None) -> FrontiersState:
    """A table of three whose bag holds so many worlds: the others lie stored somewhere."""
    every = [*_all()]
    every.remove("world-10")
    stored = tuple(every[: len(every) - left])
    ania = seat("world-10", developments=("survey-team",))
    return table(taught=taught, action="explore", ania=ania, jan=seat(stored_worlds=stored))


def _all() -> tuple[str, ...]:
    return table().bag()


@pytest.mark.parametrize(
    ("left", "selector", "taken"),
    [
        (3, 0, [1, 1, 1]),
        (2, 1, [0, 1, 1]),
        (4, 0, [2, 1, 1]),
        (7, 0, [2, 1, 1]),
        (8, 0, [3, 1, 1]),
        (8, 1, [2, 2, 1]),
    ],
)
def test_later_seats_get_less_from_a_nearly_empty_bag(left: int, selector: int, taken: list[int]) -> None:
    """Rule 86; with seven all are shown and none can be drawn, with eight one can."""
    state = _nearly_empty(left, DRAW)
    state = table(
        3,
        taught=DRAW,
        action="explore",
        selector=selector,
        ania=state.seats[0],
        jan=state.seats[2],
    )
    state = at(state, ResolveExplore())
    while waited_for(state):
        who = min(n for n in waited_for(state) if n is not None)
        state = answer(state, who, options(state, who)[0])
    assert [len(who.explored) for who in state.seats] == taken
    assert bool(told(state, "frontiers.return-worlds")) == (min(left, 7) > 4)


def test_above_nine_worlds_go_back_old_or_new_but_no_colony() -> None:
    """Rules 84 and 85, scenario explore-over-nine: twelve in all, exactly three go."""
    ania = seat(*worlds(10, 3), explored=worlds(20, 5), developments=("survey-team",))
    state = at(table(taught=DRAW, action="explore", ania=ania), ResolveExplore())
    state = answer(state, 0, "world-30")
    state = answer(answer(state, 1, "world-40"), 2, "world-41")
    state = answer(state, 0, "world-31", "world-32")
    assert set(options(state, 0)) == {*worlds(20, 5), *worlds(30, 3)}
    tally = question(state, 0).tally
    assert tally is not None
    assert (tally.done, tally.total) == (0, 3)
    state = answer(state, 0, "world-20", "world-32", "world-24")
    assert state.seats[0].explored == ("world-21", "world-22", "world-23", "world-30", "world-31")
    assert len(told(state, "frontiers.into-bag", 0)) == 3
    assert {"world-20", "world-24", "world-32"} <= set(state.bag())
    assert not waited_for(state)


def test_nobody_parts_with_a_world_at_nine() -> None:
    """Rule 85: only above nine."""
    state = at(table(action="explore", selector=1, ania=seat(explored=worlds(10, 7))), ResolveExplore())
    state = answer(answer(state, 1, "world-30"), 2, "world-41")
    state = answer(answer(state, 0, "world-40"), 1, "world-31")
    assert not waited_for(state)
    assert len(state.seats[0].explored) == 8


def test_with_nine_colonies_no_explored_world_is_kept_and_nobody_is_asked() -> None:
    """Rule 85."""
    state = at(table(action="explore", selector=1, ania=seat(*worlds(10, 8))), ResolveExplore())
    state = answer(answer(state, 1, "world-30"), 2, "world-41")
    state = answer(answer(state, 0, "world-40"), 1, "world-31")
    assert not waited_for(state)
    assert state.seats[0].explored == ()


def test_colonists_taken_in_explore_end_nothing() -> None:
    """Rule 87."""
    taught: dict[str, Any] = {
        "world-10.powers": [{"does": "gain", "phase": "explore", "gain": "colonists", "n": 1}]
    }
    state = table(taught=taught, action="explore", ania=seat("world-10"), ola=seat(colonists=27))
    assert state.supply == 5
    state = at(state, ResolveExplore())
    state = answer(answer(state, 0, "world-30"), 1, "world-40")
    state = answer(answer(state, 2, "world-41"), 0, "world-31")
    assert state.supply == 4
    assert state.ending == ()


def test_a_short_supply_goes_to_those_who_come_first() -> None:
    taught: dict[str, Any] = {
        "world-10.powers": [{"does": "gain", "phase": "explore", "gain": "colonists", "n": 1}],
        "world-11.powers": [{"does": "gain", "phase": "explore", "gain": "colonists", "n": 1}],
    }
    seats: dict[str, Any] = {"ania": seat("world-10"), "ola": seat("world-11"), "jan": seat(colonists=30)}
    state = at(table(taught=taught, action="explore", selector=1, **seats), ResolveExplore())
    assert [who.colonists for who in state.seats] == [0, 1, 30]


def test_the_second_world_is_asked_for_as_such() -> None:
    """Rule 80."""
    state = at(table(2, action="explore"), ResolveExplore())
    assert question(state, 0).text == say("frontiers.ask.take-world")
    state = answer(answer(state, 0, "world-30"), 1, "world-31")
    assert question(state, 0).text == say("frontiers.ask.take-second")


def test_powers_draw_only_what_was_not_laid_out() -> None:
    """Rules 82, 86: seven of eight worlds lie on the table, so Ola draws the last one and Jan none."""
    team = ("survey-team",)
    state = table(
        taught=DRAW,
        action="explore",
        ania=seat(stored_worlds=_all()[:-8]),
        ola=seat(developments=team),
        jan=seat(developments=team),
    )
    assert len(state.bag()) == 8
    first, second, third, fourth, *_ = state.bag()
    state = answer(at(state, ResolveExplore()), 0, first)
    state = answer(state, 1, second, third)
    state = answer(state, 2, fourth)
    assert waited_for(state) == {0}
