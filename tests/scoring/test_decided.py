"""What decided a game: computed exactly from the sheet."""

import pytest

from companion.core.autoplay import play
from companion.core.game import Setup, games
from companion.results.sheets import gathered
from companion.results.winning_margin import decided, margin
from companion.texts import render
from scoring.sheet import Line, SeatSheet, Sheet


def sheet(*seats: dict[str, int], winners: tuple[str, ...] = ("A",), tied: tuple[str, ...] = ()) -> Sheet:
    totals = [sum(lines.values()) for lines in seats]
    made = tuple(
        SeatSheet(
            "ABCD"[n],
            totals[n],
            1 + sum(t > totals[n] for t in totals),
            tuple(Line(*x) for x in lines.items()),
        )
        for n, lines in enumerate(seats)
    )
    return Sheet("beyond", made, winners, tied)


def test_the_largest_plus_and_the_largest_minus_are_told() -> None:
    won = margin(sheet({"bases": 3, "level-1": 20, "events": 4}, {"bases": 6, "level-1": 11, "events": 4}))
    assert won is not None
    assert (won.points, won.plus, won.minus) == (6, ("level-1", 9), ("bases", -3))


def test_what_only_the_second_has_counts_against_the_winner() -> None:
    won = margin(sheet({"level-1": 20}, {"level-1": 8, "bases": 5}))
    assert won is not None
    assert (won.points, won.plus, won.minus) == (7, ("level-1", 12), ("bases", -5))


def test_nothing_lost_is_not_told() -> None:
    told = decided(sheet({"level-1": 20, "bases": 5}, {"level-1": 8, "bases": 5}))
    assert told is not None
    assert render(told, "en") == "Won by 12: Level I +12"


def test_the_second_is_by_rank_not_by_seat() -> None:
    won = margin(sheet({"level-1": 9}, {"level-1": 2}, {"level-1": 7, "bases": 1}))
    assert won is not None
    assert (won.points, won.minus) == (1, ("bases", -1))


def test_equal_differences_are_told_in_the_order_of_the_sheet() -> None:
    one = sheet({"level-1": 5, "bases": 5}, {"level-1": 1, "bases": 1})
    won = margin(one)
    assert won is not None
    assert won.plus == ("level-1", 4)


@pytest.mark.parametrize("winners", [("A", "B"), ("A",)])
def test_a_tie_has_no_margin(winners: tuple[str, ...]) -> None:
    assert margin(sheet({"bases": 5}, {"bases": 5}, winners=winners, tied=("A", "B"))) is None


@pytest.mark.every_game
@pytest.mark.parametrize("game", list(games()))
def test_the_differences_add_up_to_the_margin(game: str) -> None:
    rules = games()[game]
    seen = 0
    for seed in range(4):
        *_, (state, _) = play(rules, Setup(game, ("A", "B", "C")), seed)
        result = rules.sheet(state)
        won = margin(result)
        if won is None:
            continue
        seen += 1
        first, second, *_ = sorted(gathered(result).seats, key=lambda seat: seat.rank)
        points = [{line.what: line.points for line in seat.lines} for seat in (first, second)]
        more = [points[0].get(what, 0) - points[1].get(what, 0) for what in {*points[0], *points[1]}]
        assert sum(more) == won.points == first.total - second.total
        assert won.plus is not None
        assert won.plus[1] == max(more)
        assert (won.minus[1] if won.minus is not None else 0) == min(0, min(more))
    assert seen
