"""Who controls a location (rules 131 to 142): every strength of three factions against a table worked out by hand."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from companion.core.agenda import advance
from companion.games.beyond.control import controller
from companion.games.beyond.state import Base, Ship
from companion.games.beyond.steps.bases import CheckControl
from tests.games.beyond.tables import left, seat, table

WORKED_OUT = """
000 -ABC   001 CCCC   002 CCCC
010 BBBB   011 --BC   012 CCCC
020 BBBB   021 BBBB   022 --BC
100 AAAA   101 -A-C   102 CCCC
110 -AB-   111 -ABC   112 CCCC
120 BBBB   121 BBBB   122 --BC
200 AAAA   201 AAAA   202 -A-C
210 AAAA   211 AAAA   212 -A-C
220 -AB-   221 -AB-   222 -ABC
"""
"""Strengths of A, B and C after the change; then who controls it if before nobody, A, B or C did."""

AFTER = dict(zip(WORKED_OUT.split()[::2], WORKED_OUT.split()[1::2], strict=True))
WHO = {"-": None, "A": 0, "B": 1, "C": 2}
EVERY = ["".join(map(str, levels)) for levels in product(range(3), repeat=3)]


def test_the_table_has_every_case() -> None:
    assert sorted(AFTER) == EVERY


@pytest.mark.parametrize("before", "-ABC")
def test_control_after_every_pair_of_departures_and_arrivals(before: str) -> None:
    """Whatever was there, only who controlled it and what is there now matters (rule 140)."""
    for _, after in product(EVERY, EVERY):  # ships that left and ships that came, of all three at once
        strengths = {n: int(level) for n, level in enumerate(after)}
        assert controller(WHO[before], strengths) == WHO[AFTER[after]["-ABC".index(before)]]


@pytest.mark.parametrize("before", "-ABC")
@pytest.mark.parametrize("after", EVERY)
def test_discs_follow_control(before: str, after: str) -> None:
    """Lost discs return to their track, new ones leave it, nothing moves where nothing changes (rules 143, 146)."""
    factions = [seat(*(["a1:1"] * int(level))) for level in after]
    bases = {} if before == "-" else {"a1": Base(WHO[before] or 0, "food")}
    state = advance(table(*factions, bases=bases).push(CheckControl()))
    now = WHO[AFTER[after]["-ABC".index(before)]]
    assert state.controller("a1") == now
    assert [left(state, n) for n in range(3)] == [(7, 8) if n == now else (8, 8) for n in range(3)]
    assert all(state.cubes(n) == 20 for n in range(3))


def test_leaving_with_a_tie_among_others_frees_the_system() -> None:
    """A leaves 3+1 in part; B and C have 2 each: nobody has it (rule 137, 142)."""
    state = table(seat("a1:1"), seat("a1:2"), seat("a1:2"), bases={"a1": Base(0, "food")})
    state = advance(state.push(CheckControl()))
    assert state.bases == {}
    assert left(state, 0) == (8, 8)


def test_leaving_with_a_tie_that_includes_oneself_keeps_it() -> None:
    state = table(seat("a1:2"), seat("a1:2"), seat("a1:2"), bases={"a1": Base(0, "food")})
    state = advance(state.push(CheckControl()))
    assert state.bases == {"a1": Base(0, "food")}


def test_the_number_of_ships_means_nothing() -> None:
    """Strength is the sum of levels (rule 122)."""
    state = advance(table(seat("a1:1", "a1:1"), seat("a1:3")).push(CheckControl()))
    assert state.controller("a1") == 1


def test_sol_and_deep_space_are_nobodys() -> None:
    state = advance(table(seat("sol:4", "deep-space:4"), seat()).push(CheckControl()))
    assert state.bases == {}


def test_an_abandoned_base_goes_to_the_next_faction_there() -> None:
    """Rule 133: one level 1 ship is enough where nobody is, and the bonus is gained (rule 150)."""
    state = table(seat(), seat("a2:1"), bases={"a2": Base(0, "ore")}, active=1)
    state = advance(state.push(CheckControl()))
    assert state.bases == {"a2": Base(1, "ore")}
    assert state.seats[1].ore == 1
    assert [left(state, n) for n in (0, 1)] == [(8, 8), (8, 7)]


def test_a_returned_disc_can_be_placed_at_once() -> None:
    """All lost discs return first, then bases are placed (rule 149)."""
    automated = ("ore",) * 7
    who = seat("a2:1", automation=automated)
    state = table(who, seat("yard-2:1"), bases={"yard-2": Base(0, "ore")})
    assert state.left(0, "ore") == 0
    state = advance(state.push(CheckControl()))
    assert state.bases == {"yard-2": Base(1, "ore"), "a2": Base(0, "ore")}


def test_an_empty_track_means_a_marker_which_comes_back_to_nowhere() -> None:
    """Rules 145, 147 and 148."""
    who = seat("a2:1", automation=("ore",) * 8)
    state = advance(table(who, seat()).push(CheckControl()))
    assert state.bases == {"a2": Base(0, "marker")}
    state = state.with_seat(1, state.seats[1].with_ships(Ship("a2", 2)))
    state = advance(replace(state, news=()).push(CheckControl()))
    assert state.bases == {"a2": Base(1, "ore")}
    assert left(state, 0) == (8, 0)


def test_two_specialisations_are_chosen_whatever_lay_there() -> None:
    """Rule 144; Tau Ceti has both."""
    from tests.games.beyond.tables import asked, offers, say

    state = advance(table(seat("b1:1"), seat(), bases={"b1": Base(1, "ore")}).push(CheckControl()))
    assert asked(state).slug == "beyond.base"
    assert offers(state) == {"food", "ore"}
    state = say(state, "food")
    assert state.bases == {"b1": Base(0, "food")}
    assert left(state, 1) == (8, 8)
