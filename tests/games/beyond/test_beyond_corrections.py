"""Corrections keep twenty cubes and eight discs of each kind."""

from __future__ import annotations

import pytest

from companion.core.agenda import advance
from companion.games.beyond.corrections import check, correct
from companion.games.beyond.counters import counters
from companion.games.beyond.operations import Jump
from companion.games.beyond.state import Base, BeyondState, Node, Ship
from tests.games.beyond.tables import does, say, seat, table

BONUS = {"sirius.control_bonus": [{"does": "gain-ore", "n": 1}]}


def lying() -> BeyondState:
    return table(seat("sol:1", "a1:2", ore=3), seat("a2:1"), bases={"a1": Base(0, "food")})


@pytest.mark.parametrize(
    ("counter", "value"),
    [
        ("population:0", 6),
        ("population:0", 0),
        ("supply:0:a", 3),
        ("ships:0:b1:4", 2),
        ("ships:0:sol:1", 0),
        ("researched:0:i-3", 1),
        ("automation:0:food", 5),
        ("base:a1", 0),
        ("base:a2", 5),
        ("colony:1:system-12", 1),
        ("ore:1", 9),
        ("round", 7),
        ("guild:professors-guild", 1),
        ("claim:1:empire", 1),
        ("card:ii-a", 3),
        ("system:b1", 0),
        ("event:onu", 2),
        ("private:0:capital-ship", 1),
        ("pawn:0", 2),
        ("deck:A", 4),
    ],
)
def test_a_counter_is_set_and_nothing_is_lost(counter: str, value: int) -> None:
    state = correct(lying(), counter, value)
    now = {one.id: one.value for one in counters(state)}
    assert now[counter] == value
    assert check(state) == ()
    assert [state.cubes(n) for n in (0, 1)] == [20, 20]


def test_a_base_takes_its_disc_from_the_track() -> None:
    state = correct(lying(), "base:a2", 5)
    assert state.bases["a2"] == Base(1, "ore")
    assert state.left(1, "ore") == 7


def test_corrected_ships_correct_control() -> None:
    """Rules 132, 140: the base goes and comes with the ships, without a bonus."""
    state = table(seat("sol:1"), seat("a2:2"), bases={"a2": Base(1, "ore")}, taught=BONUS)
    state = advance(correct(state, "ships:0:a2:3", 1))
    assert state.bases == {"a2": Base(0, "ore")}
    assert state.seats[0].ore == 0
    assert (state.left(0, "ore"), state.left(1, "ore")) == (7, 8)
    assert check(state) == ()


def test_a_ship_corrected_in_two_steps_leaves_control_where_it_was() -> None:
    """Rule 138: a faction among the strongest keeps control, however the table was entered."""
    state = table(seat("a2:2"), seat("a2:2"), bases={"a2": Base(0, "ore")}, taught=BONUS)
    state = advance(correct(state, "ships:0:a2:2", 0))
    assert state.bases == {"a2": Base(1, "ore")}
    assert advance(correct(state, "ships:0:a2:2", 1)).bases == {"a2": Base(0, "ore")}
    told = advance(correct(state, "base:a2", 5))
    assert advance(correct(told, "ships:0:a2:2", 1)).bases == {"a2": Base(1, "ore")}, (
        "a base that was told stays"
    )


def test_ships_corrected_in_the_middle_of_a_jump_are_judged_at_its_end() -> None:
    """Rule 132."""
    state = does(
        table(seat("sol:1", "deep-space:2"), seat("a2:2"), bases={"a2": Base(1, "ore")}), Jump(points=1)
    )
    state = advance(correct(state, "ships:0:a2:3", 1))
    assert state.bases == {"a2": Base(1, "ore")}
    assert say(state, "done").bases == {"a2": Base(0, "ore")}


def test_enough_discs_by_hand_trigger_the_end_and_too_few_undo_it() -> None:
    state = lying()
    for index, card in ((0, "empire"), (1, "empire"), (0, "transcendence")):
        state = correct(state, f"claim:{index}:{card}", 1)
    assert state.ending == state.round
    assert correct(state, "claim:0:empire", 0).ending == 0


def test_what_cannot_be_is_named() -> None:
    state = lying()
    twice = state.with_node("ii-a", Node("plasma-cannon")).with_node("ii-b", Node("plasma-cannon"))
    assert [problem.key for problem in check(twice)] == ["beyond.problem.twice"]
    more = state.with_seat(0, state.seats[0].with_ships(Ship("sol", 1)))
    assert [problem.key for problem in check(more)] == ["beyond.problem.cubes"]
