"""Pairings: everybody once, right sizes, fair seats, the fewest rematches, nothing by chance."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.hall.pairing import Pairing, Reason, pair, table_sizes
from companion.hall.standings import HallPlayer, Mode, SeatResult, TableOutcome
from tests.hall.events import event, fewer_rematches, meetings, players, rematches

modes = st.sampled_from(("heats", "pods"))


@pytest.mark.parametrize(
    ("count", "sizes"),
    [
        (0, ()),
        (1, ()),
        (2, (2,)),
        (3, (3,)),
        (4, (4,)),
        (5, (5,)),
        (6, (3, 3)),
        (7, (4, 3)),
        (9, (3, 3, 3)),
        (13, (4, 3, 3, 3)),
        (16, (4,) * 4),
        (18, (4, 4, 4, 3, 3)),
        (2000, (4,) * 500),
    ],
)
def test_as_many_fours_as_possible_then_threes(count: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(count) == sizes


def test_five_where_the_box_does_not_allow_five() -> None:
    assert table_sizes(5, five_allowed=False) == (4,)


@given(count=st.integers(0, 45), mode=modes, seed=st.integers(0, 99), five=st.booleans())
@settings(max_examples=40)
def test_everybody_who_is_there_sits_once(count: int, mode: Mode, seed: int, five: bool) -> None:
    for known, _, pairing in event(count, 4, mode, seed, changes=count > 1, five_allowed=five):
        here = {player.number for player in known if not player.dropped and player.since <= pairing.round}
        seated = [number for table in pairing.tables for number in table.players]
        assert sorted([*seated, *pairing.byes]) == sorted(here)
        sizes = table_sizes(len(here), five_allowed=five)
        assert sorted((len(table.players) for table in pairing.tables), reverse=True) == list(sizes)
        assert [table.table for table in pairing.tables] == list(range(1, len(sizes) + 1))


@given(count=st.integers(6, 40), mode=modes, seed=st.integers(0, 99))
@settings(max_examples=15)
def test_the_same_seed_pairs_alike(count: int, mode: Mode, seed: int) -> None:
    for known, outcomes, pairing in event(count, 3, mode, seed, changes=True):
        again = pair(known[::-1], outcomes[::-1], mode=mode, round=pairing.round, seed=seed)
        assert again == pairing


def test_another_seed_draws_another_first_round() -> None:
    drawn = {pair(players(12), [], mode="heats", round=1, seed=seed).tables for seed in range(5)}
    assert len(drawn) == 5


@given(count=st.integers(6, 13), mode=modes, seed=st.integers(0, 99))
@settings(max_examples=15)
def test_no_pairing_of_few_players_has_fewer_rematches(count: int, mode: Mode, seed: int) -> None:
    for _, outcomes, pairing in event(count, 5, mode, seed, changes=True):
        met = meetings(outcomes)
        assert pairing.rematches == rematches([table.players for table in pairing.tables], met)
        if len([number for table in pairing.tables for number in table.players]) <= 16:
            assert not fewer_rematches(pairing, met)


def test_sixteen_players_meet_again_only_where_they_must() -> None:
    for _, outcomes, pairing in event(16, 5, "pods", 3):
        assert not fewer_rematches(pairing, meetings(outcomes))


@pytest.mark.parametrize("mode", ["heats", "pods"])
def test_sixty_players_do_not_meet_again_in_five_rounds(mode: Mode) -> None:
    assert [pairing.rematches for *_, pairing in event(60, 5, mode, 1)] == [0] * 5


@given(count=st.sampled_from((12, 16, 20, 32)), mode=modes, seed=st.integers(0, 99))
@settings(max_examples=10)
def test_who_is_told_a_fair_seat_has_one(count: int, mode: Mode, seed: int) -> None:
    """Nobody has a seat more than once beyond their share, unless the pairing says so."""
    had: Counter[tuple[str, int]] = Counter()
    for *_, pairing in event(count, 5, mode, seed):
        told = {
            number
            for table in pairing.tables
            for reason in table.reasons
            if reason.kind == "seat-again"
            for number in reason.players
        }
        seats = [(number, seat) for table in pairing.tables for seat, number in enumerate(table.players)]
        had.update(seats)
        fair = pairing.round / 4 + 1
        assert {number for number, seat in seats if had[number, seat] > fair} == told


@pytest.mark.parametrize("mode", ["heats", "pods"])
@pytest.mark.parametrize("count", [24, 60])
def test_seats_are_fair_where_there_is_room(mode: Mode, count: int) -> None:
    for *_, pairing in event(count, 4, mode, 2):
        assert "seat-again" not in {reason.kind for table in pairing.tables for reason in table.reasons}


def test_winners_meet_winners() -> None:
    *_, (_, _, last) = event(64, 2, "heats", 1)
    near = [reason for table in last.tables for reason in table.reasons if reason.kind == "near"]
    assert near[0].low == 1
    assert near[-1].high == 0
    assert sum(reason.high - reason.low <= 0.5 for reason in near) > len(near) / 2


def test_no_second_bye_before_everybody_had_one() -> None:
    byes = [pairing.byes[0] for *_, pairing in event(5, 10, "pods", 1, five_allowed=False) if pairing.byes]
    assert len(set(byes[:5])) == len(set(byes[5:])) == 5


def test_the_last_one_left_is_told_why() -> None:
    assert pair(players(1), [], mode="pods", round=1, seed=1) == Pairing(
        round=1, seed=1, tables=(), byes=("1",), reasons=(Reason("too-few", ("1",)),)
    )


def test_late_entries_and_drop_outs() -> None:
    known = [*players(8), HallPlayer("9", "Late", since=2)]
    known[0] = HallPlayer("1", "Gone", dropped=True)
    first = pair(known, [], mode="pods", round=1, seed=1)
    assert sorted(number for table in first.tables for number in table.players) == list("2345678")
    outcome = TableOutcome(1, "1", tuple(SeatResult(number, 1) for number in "2345"))
    second = pair(known, [outcome], mode="pods", round=2, seed=1)
    new = [reason.players for table in second.tables for reason in table.reasons if reason.kind == "new"]
    assert new == [("9",)]


def test_reasons_name_those_kept_apart_and_those_who_meet_again() -> None:
    outcomes = [
        TableOutcome(1, "1", tuple(SeatResult(number, 1) for number in "1234")),
        TableOutcome(1, "2", tuple(SeatResult(number, 2) for number in "5678")),
    ]
    pairing = pair(players(8), outcomes, mode="pods", round=2, seed=1)
    assert pairing.rematches == 4
    again = {
        reason.players for table in pairing.tables for reason in table.reasons if reason.kind == "rematch"
    }
    met = meetings(outcomes)
    assert len(again) == 4
    assert all(met[frozenset(two)] for two in again)


def test_a_table_without_places_still_counts_as_a_meeting() -> None:
    unknown = TableOutcome(1, "1", tuple(SeatResult(number, 0) for number in "1234"))
    pairing = pair(players(16), [unknown], mode="heats", round=2, seed=1)
    assert all(len(set(table.players) & set("1234")) == 1 for table in pairing.tables)
