"""How long tables will still play: from finished plays, or nothing."""

from __future__ import annotations

from companion.hall.estimates import Estimate, FinishedPlay, ends_last, remaining


def plays(*lengths: int, game: str = "race", seats: int = 4) -> list[FinishedPlay]:
    """Plays whose rounds begin every 600 s."""
    return [
        FinishedPlay(game, seats, {n + 1: 600.0 * n for n in range(-(-length // 600))}, length)
        for length in lengths
    ]


FIVE = plays(1900, 2000, 2100, 2400, 3000)


def test_median_and_range_of_what_was_left_in_this_round() -> None:
    assert remaining(FIVE, "race", 3, 4) == Estimate(900, 700, 1800, 5)


def test_time_already_spent_in_the_round_is_subtracted_but_never_below_nothing() -> None:
    assert remaining(FIVE, "race", 3, 4, into=800) == Estimate(100, 0, 1000, 5)


def test_eight_of_ten_lie_within_the_range() -> None:
    estimate = remaining(plays(*range(1001, 1011)), "race", 1, 4)
    assert estimate == Estimate(1005.5, 1002, 1009, 10)


def test_too_few_plays_give_no_figure() -> None:
    assert remaining(FIVE[:4], "race", 3, 4) is None


def test_other_games_numbers_of_seats_and_rounds_do_not_count() -> None:
    assert remaining(FIVE, "eclipse", 3, 4) is None
    assert remaining(FIVE, "race", 3, 3) is None
    assert remaining(FIVE, "race", 5, 4) is None, "one play only had a fifth round"


def test_the_table_that_ends_last() -> None:
    early, late = Estimate(10, 5, 99, 5), Estimate(20, 15, 25, 5)
    assert ends_last({"a": early, "b": late}) == "b"
    assert ends_last({}) is None
