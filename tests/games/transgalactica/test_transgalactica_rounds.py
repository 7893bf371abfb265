"""Income, maintenance and the end (rules 48-57, 177-189), with the rulebook's examples."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.transgalactica.effects import DoubleIncome
from companion.games.transgalactica.state import Outpost
from companion.games.transgalactica.steps.income import Income, IncomeOver, Relief
from companion.games.transgalactica.steps.rounds import (
    BeginMaintenance,
    BeginRound,
    MilitaryStep,
    NextRound,
    Recall,
    RefillMining,
    UpdatePriority,
    lead,
)
from companion.games.transgalactica.steps.turns import Turn
from tests.games.transgalactica.made_up_box import gain
from tests.games.transgalactica.tables import answer, asked, hold, resolve, run, seat, table, told

# Income


def test_the_books_example_of_income() -> None:
    """p. 9: a pirate token, the first of two fleet tokens, the fifth outpost, empty crew places."""
    ania = seat("a", "b", "c", "d", politics=1, pirates=("pirate-1",), fleet=("fleet-1", "fleet-2"))
    state = table(
        ania=ania,
        taught={
            "pirate-1.shows": [gain("vp")],
            "fleet-1.shows": [gain("credit")],
            "fleet-2.shows": [gain("alien", 5)],
            "crew-space-2.income": [gain("vp", 2)],
            "crew-space-3.income": [gain("any")],
        },
    )
    state = state.with_seat(0, replace(state.seats[0], outposts=_five()))
    state = answer(run(state, Income(0)), "mineral")
    assert (state.seats[0].vp, hold(state)) == (4, (0, 1, 0, 1))


def _five() -> tuple[Outpost, ...]:
    planets = ("green-action-income", "yellow-mining", "purple-mining", "yellow-action-supply")
    return (Outpost("central"), *(Outpost(id, 0) for id in planets))


def test_a_track_pays_for_the_space_of_the_marker_only() -> None:
    taught = {"military-1.income": [gain("vp", 5)], "military-2.income": [gain("credit", 2)]}
    state = run(table(taught=taught, ania=seat(military=2)), Income(0))
    assert (state.seats[0].vp, hold(state)) == (0, (0, 0, 0, 2))


def test_a_captain_less_is_income() -> None:
    taught = {"captain-space-3.income": [gain("vp", 3)]}
    assert run(table(taught=taught), Income(0)).seats[0].vp == 3
    assert run(table(taught=taught, ania=seat(captains=3)), Income(0)).seats[0].vp == 0


def test_crew_in_the_senate_leaves_its_space_empty() -> None:
    taught = {"crew-space-1.income": [gain("vp", 3)]}
    state = table(taught=taught, ania=seat(crew=0), senate=((0,), (), ()))
    assert run(state, Income(0)).seats[0].vp == 3


def test_the_owner_says_what_comes_first_where_it_matters() -> None:
    """An advance from the green wild planet may raise politics before the income track is counted (rule 54)."""
    ania = seat("green-wild", pirates=("pirate-1",))
    state = run(table(ania=ania), Income(0))
    state = answer(state, "politics")
    assert state.seats[0].vp == 1
    ania = replace(ania, fleet=("fleet-1",), politics=1)
    state = run(table(ania=ania, taught={"control-panel.fleet": [2]}), Income(0))
    early = answer(state, "rest", "politics")
    late = answer(state, "planet:green-wild", "politics")
    assert (early.seats[0].vp, late.seats[0].vp) == (1, 2)


def test_double_income_doubles_rewards_of_one_phase_but_no_payment() -> None:
    state = table(ania=seat("yellow-wild", "purple-wild", credit=3))
    state = resolve(state, DoubleIncome())
    assert state.seats[0].double
    state = answer(run(state, Income(0), IncomeOver(0)), "rest", "1-credit")
    assert (hold(state)[3], state.seats[0].military) == (3 + 2 - 1, 1)
    assert not state.seats[0].double


def test_relief_comes_first_and_gives_one_of_each_that_is_lacking() -> None:
    state = run(table(ania=seat("yellow-wild", ability="relief-funds", mineral=2)), Relief(0), Income(0))
    assert hold(state) == (1, 2, 1, 1 + 1)


def test_173_a_round_begins_with_relief_and_only_then_income() -> None:
    """Who has no energy gets one as relief and one more as income; after the income nothing would be lacking."""
    state = table(
        ania=seat(ability="relief-funds", mineral=1, alien=1, credit=1),
        taught={"crew-space-3.income": [gain("energy")]},
    )
    state = run(state, BeginRound())
    assert asked(state).slug == "transgalactica.turn"
    assert hold(state) == (2, 1, 1, 1)
    assert [hold(state, n) for n in (1, 2)] == [(1, 0, 0, 0)] * 2, "the others have income only"


# Military

# levels of up to five seats -> what each gains or loses, worked out by hand
PATTERNS: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((2, 2), (0, 0)),
    ((3, 1), (2, -2)),
    ((0, 4), (-4, 4)),
    ((1, 1, 1), (0, 0, 0)),
    ((3, 1, 0), (2, 0, -1)),
    ((4, 4, 1), (3, 3, -3)),
    ((4, 1, 1), (3, -3, -3)),
    ((0, 5, 2), (-2, 3, 0)),
    ((2, 2, 2, 2), (0, 0, 0, 0)),
    ((5, 4, 3, 3), (1, 0, -1, -1)),
    ((6, 6, 2, 2), (4, 4, -4, -4)),
    ((6, 6, 6, 2), (4, 4, 4, -4)),
    ((6, 2, 2, 2), (4, -4, -4, -4)),
    ((6, 4, 4, 1), (2, 0, 0, -3)),
    ((6, 6, 3, 1), (3, 3, 0, -2)),
    ((7, 4, 2, 1), (3, 0, 0, -1)),
    ((3, 3, 3, 3, 3), (0, 0, 0, 0, 0)),
    ((5, 3, 3, 3, 3), (2, -2, -2, -2, -2)),
    ((5, 5, 3, 3, 3), (2, 2, -2, -2, -2)),
    ((5, 5, 5, 3, 3), (2, 2, 2, -2, -2)),
    ((5, 5, 5, 5, 3), (2, 2, 2, 2, -2)),
    ((6, 4, 4, 4, 1), (2, 0, 0, 0, -3)),
    ((6, 6, 4, 1, 1), (2, 2, 0, -3, -3)),
    ((6, 6, 4, 4, 1), (2, 2, 0, 0, -3)),
    ((6, 4, 4, 1, 1), (2, 0, 0, -3, -3)),
    ((6, 6, 6, 4, 1), (2, 2, 2, 0, -3)),
    ((6, 4, 1, 1, 1), (2, 0, -3, -3, -3)),
    ((8, 5, 3, 2, 2), (3, 0, 0, -1, -1)),
    ((8, 8, 5, 3, 2), (3, 3, 0, 0, -1)),
    ((8, 5, 5, 3, 2), (3, 0, 0, 0, -1)),
    ((8, 5, 3, 3, 2), (3, 0, 0, 0, -1)),
    ((9, 7, 4, 2, 0), (2, 0, 0, 0, -2)),
]


@pytest.mark.parametrize(("levels", "points"), PATTERNS)
def test_military_for_every_pattern_of_ties(levels: tuple[int, ...], points: tuple[int, ...]) -> None:
    names = ("ania", "ola", "jan", "ewa", "iza")
    fleets: dict[str, Any] = {name: seat(military=n) for name, n in zip(names, levels, strict=False)}
    state = run(table(players=len(levels), **fleets), MilitaryStep())
    assert tuple(who.vp for who in state.seats) == points
    found = lead(dict(enumerate(levels)))
    assert tuple(found.get(n, 0) for n in range(len(levels))) == points


@pytest.mark.parametrize(("choice", "vp"), [("below", -2), ("nought", 0)])
def test_points_below_nought_as_the_table_agreed(choice: str, vp: int) -> None:
    state = run(table(players=2, choices={"points": choice}, ola=seat(military=2)), MilitaryStep())
    assert state.seats[0].vp == vp


@pytest.mark.parametrize(("choice", "points"), [("markers", [-1, 1]), ("raised", [1, -1])])
def test_raised_military_counts_only_where_the_table_agreed(choice: str, points: list[int]) -> None:
    ania = seat(raised=("military",))
    state = run(
        table(players=2, choices={"strength": choice}, ania=ania, ola=seat(military=1)), MilitaryStep()
    )
    assert [who.vp for who in state.seats] == points


# Recall, mining, priority, round


def test_recall_brings_everybody_but_the_senate_and_surplus_crew_sleeps() -> None:
    """In the made-up box there are three mobilisation spaces."""
    ania = seat(captains_out=2, crew=1, crew_out=3, used=())
    state = run(table(ania=ania, senate=((0,), (), ())), Recall())
    who = state.seats[0]
    assert (who.captains_out, who.crew, who.crew_out, who.capsules) == (0, 3, 0, 2)
    assert state.senate[0] == (0,)


def test_what_belongs_to_the_round_is_forgotten() -> None:
    state = table()
    used = replace(state.seats[0], used=("visitors", "green-action-income"), raised=("trade",), override=True)
    state = run(state.with_seat(0, used), Recall())
    assert (state.seats[0].used, state.seats[0].raised, state.seats[0].override) == ((), (), False)


def test_a_mining_token_is_drawn_only_if_it_was_taken() -> None:
    assert run(table(mining_token=True, mining_stack=4), RefillMining()).mining_stack == 4
    state = run(table(mining_token=False, mining_stack=4), RefillMining())
    assert (state.mining_token, state.mining_stack) == (True, 3)
    assert not run(table(mining_token=False, mining_stack=0), RefillMining()).mining_token


YELLOW, RED, BLACK, PURPLE = range(4)


def _priority(order: tuple[int, ...], before: tuple[int, ...], now: tuple[int, ...]) -> Any:
    planets = ("yellow-wild", "green-wild", "grey-wild", "purple-wild", "yellow-mining", "purple-mining")
    names = ("ania", "ola", "jan", "ewa")
    fleets: dict[str, Any] = {name: seat(*planets[: n - 1]) for name, n in zip(names, now, strict=True)}
    state = table(players=4, order=order, **fleets)
    return run(replace(state, segments=before), UpdatePriority())


def test_the_books_first_example_of_priority() -> None:
    state = _priority((YELLOW, RED, BLACK, PURPLE), (1, 1, 1, 1), (1, 1, 2, 2))
    assert state.order == (YELLOW, RED, PURPLE, BLACK)


def test_the_books_second_example_of_priority() -> None:
    """End of round 2: Black goes to segment 3, then Red to the right of Purple in segment 2."""
    state = _priority((YELLOW, RED, PURPLE, BLACK), (1, 1, 2, 2), (1, 2, 3, 2))
    assert state.order == (YELLOW, PURPLE, RED, BLACK)


def test_the_books_third_example_of_priority() -> None:
    state = _priority((YELLOW, PURPLE, RED, BLACK), (1, 2, 3, 2), (2, 2, 3, 3))
    assert state.order == (RED, YELLOW, BLACK, PURPLE), (
        "Yellow stands right of Red, not on the place Purple left"
    )


def test_a_marker_in_its_segment_stays() -> None:
    state = _priority((RED, YELLOW, BLACK, PURPLE), (1, 1, 2, 2), (1, 1, 2, 2))
    assert state.order == (RED, YELLOW, BLACK, PURPLE)
    assert not told(state)


def test_the_first_seat_takes_the_token_of_the_round() -> None:
    state = run(table(order=(2, 0, 1)), NextRound())
    assert asked(state).seat == 2
    state = answer(state, "advanced-5")
    assert [held.token for held in state.seats[2].tokens] == ["advanced-5"]
    assert (state.round, state.phase) == (3, "actions")


def test_the_fifth_round_ends_it_after_its_military_step_and_without_income() -> None:
    state = table(players=2, round=5, ania=seat("yellow-wild", military=2))
    state = run(state, BeginMaintenance())
    assert state.phase == "end"
    assert [who.vp for who in state.seats] == [2, -2]
    assert hold(state)[3] == 0


def test_a_whole_round_follows_by_itself() -> None:
    state = run(table(players=2), BeginMaintenance())
    state = answer(state, "none")
    assert (state.round, state.phase) == (3, "actions")
    assert isinstance(state.agenda[0], Turn)
