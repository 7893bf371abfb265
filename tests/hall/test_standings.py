"""The standing: wins or points for places, ties that stay ties, finals."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.hall.standings import (
    UNIT,
    Finalists,
    HallPlayer,
    Mode,
    SeatResult,
    TableOutcome,
    after_final,
    finalists,
    place_points,
    standing,
)
from tests.hall.events import event, players


def outcome(round: int, table: str, **places: int) -> TableOutcome:
    """`p7=2`: player 7 came second."""
    return TableOutcome(round, table, tuple(SeatResult(who[1:], place) for who, place in places.items()))


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2, 3, 4), (6, 4, 2, 0)),
        ((1, 2, 3), (6, 3, 0)),
        ((1, 2, 3, 4, 5), (6, 4.5, 3, 1.5, 0)),
        ((2, 1), (0, 6)),
        ((1,), (6,)),
        ((1, 1, 3, 4), (5, 5, 2, 0)),
        ((1, 1, 2, 3), (5, 5, 2, 0)),
        ((1, 2, 2, 4), (6, 3, 3, 0)),
        ((1, 2, 2, 2), (6, 2, 2, 2)),
        ((1, 1, 1, 1), (3, 3, 3, 3)),
        ((0, 1, 2, 3), (6, 3, 0)),
        ((0, 0, 0), ()),
    ],
)
def test_points_for_places(places: tuple[int, ...], points: tuple[float, ...]) -> None:
    table = TableOutcome(1, "1", tuple(SeatResult(str(n), place) for n, place in enumerate(places)))
    assert tuple(worth / UNIT for _, worth, _ in place_points(table)) == points


@given(places=st.lists(st.integers(1, 6), min_size=2, max_size=6))
def test_every_table_gives_the_same_average_and_one_win(places: list[int]) -> None:
    table = TableOutcome(1, "1", tuple(SeatResult(str(n), place) for n, place in enumerate(places)))
    worth = list(place_points(table))
    assert sum(points for _, points, _ in worth) == 3 * len(places) * UNIT
    assert sum(win for *_, win in worth) == UNIT


def test_heats_most_wins_then_the_earlier_first_win_then_points() -> None:
    outcomes = [
        outcome(1, "1", p1=1, p2=2, p3=3, p4=4),
        outcome(2, "1", p2=1, p1=2, p4=3, p3=4),
        outcome(3, "1", p3=1, p2=2, p4=3, p1=4),
    ]
    rows = standing(players(4), outcomes, "heats")
    assert [(row.place, row.number, row.decided) for row in rows] == [
        (1, "1", ""),
        (2, "2", "first-win"),
        (3, "3", "first-win"),
        (4, "4", "wins"),
    ]
    assert [row.wins for row in rows] == [1, 1, 1, 0]


def test_pods_points_then_wins() -> None:
    outcomes = [
        outcome(1, "1", p1=1, p2=2, p3=3),
        outcome(2, "1", p1=3, p2=2, p3=1),
    ]
    rows = standing(players(3), outcomes, "pods")
    assert [(row.place, row.number, row.points, row.decided) for row in rows] == [
        (1, "1", 6, ""),
        (1, "3", 6, "nothing"),
        (3, "2", 6, "wins"),
    ]


def test_stronger_opponents_decide_last() -> None:
    outcomes = [
        outcome(1, "1", p1=1, p2=2, p3=3, p4=4),
        outcome(1, "2", p5=1, p6=2, p7=3, p8=4),
        outcome(2, "1", p2=1, p3=2, p6=3, p7=4),
    ]
    rows = standing(players(8), outcomes, "pods")
    one, five = (next(row for row in rows if row.number == number) for number in "15")
    assert one.points == five.points == 6
    assert (round(3 * one.opponents), round(3 * five.opponents)) == (16, 8)
    assert one.place < five.place
    assert next(row.decided for row in rows if row.number == "5") == "opponents"


def test_raw_points_of_a_game_count_for_nothing() -> None:
    table = TableOutcome(1, "1", (SeatResult("1", 1, 12), SeatResult("2", 2, 11), SeatResult("3", 3, 10)))
    rich = TableOutcome(1, "2", (SeatResult("4", 1, 99), SeatResult("5", 2, 98), SeatResult("6", 3, 97)))
    rows = standing(players(6), [table, rich], "pods")
    assert [row.place for row in rows] == [1, 1, 3, 3, 5, 5]


def test_a_bye_counts_as_a_game_won() -> None:
    (row,) = standing(players(1), [TableOutcome(1, "", (SeatResult("1", 1),))], "pods")
    assert (row.points, row.wins, row.byes, row.games) == (6, 1, 1, 1)


@given(count=st.integers(3, 30), mode=st.sampled_from(("heats", "pods")), seed=st.integers(0, 99))
def test_order_of_players_and_outcomes_does_not_matter(count: int, mode: Mode, seed: int) -> None:
    *_, (known, outcomes, _) = event(count, 3, mode, seed, changes=True)
    rows = standing(known, outcomes, mode)
    Random(seed).shuffle(outcomes)
    assert standing(known[::-1], outcomes, mode) == rows
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    assert {row.number for row in rows} == {player.number for player in known}


def test_thirds_of_a_win_add_up_to_one() -> None:
    shared = [outcome(round, "1", p1=1, p2=1, p3=1) for round in (1, 2, 3)]
    alone = [outcome(1, "2", p4=1, p5=2, p6=3)]
    rows = standing(players(6), shared + alone, "heats")
    assert {row.number: row.wins for row in rows}["1"] == 1
    assert {row.place for row in rows if row.number in "1234"} == {1, 4}, "equal wins and first wins"


def test_finalists_leave_out_who_dropped_out() -> None:
    known = [HallPlayer("1", "Gone", dropped=True), *players(5)[1:]]
    rows = standing(known, [outcome(1, "1", p1=1, p2=2, p3=3, p4=4, p5=5)], "pods")
    assert rows[0].number == "1"
    assert finalists(rows, 3) == Finalists(("2", "3", "4"))
    assert finalists(rows, 9) == Finalists(("2", "3", "4", "5"))
    assert finalists(rows, 0) == Finalists(())


def test_a_tie_over_the_last_seat_of_the_final_stays_open() -> None:
    outcomes = [outcome(1, "1", p1=1, p2=2, p3=3), outcome(1, "2", p4=1, p5=2, p6=3)]
    rows = standing(players(6), outcomes, "heats")
    assert finalists(rows, 2) == Finalists(("1", "4"))
    assert finalists(rows, 3) == Finalists(("1", "4"), ("2", "5"), 1)


def test_the_final_decides_its_own_places_only() -> None:
    outcomes = [outcome(1, "1", p1=1, p2=2, p3=3), outcome(1, "2", p4=1, p5=2, p6=3)]
    rows = standing(players(6), outcomes, "heats")
    final = outcome(2, "final", p4=2, p1=1, p5=3)
    assert after_final(rows, final) == ((1, "1"), (2, "4"), (3, "5"), (4, "2"), (5, "3"), (5, "6"))
