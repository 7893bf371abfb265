"""The score sheet of Eclipse (p. 25), source by source."""

from __future__ import annotations

import pytest

from scoring.eclipse import Seat, score
from scoring.sheet import Line


def lines(seat: Seat, ancients: int = 0) -> dict[str, Line]:
    return {line.what: line for line in score([seat], ancients).seats[0].lines}


@pytest.mark.parametrize(("tiles", "points"), [(0, 0), (3, 0), (4, 1), (5, 2), (6, 3), (7, 5)])
def test_technologies_of_one_track(tiles: int, points: int) -> None:
    line = lines(Seat(name="Ania", tracks={"nano": tiles}))["technologies-nano"]
    assert line.points == points
    assert line.measures == ({"technologies": tiles} if tiles else {})


def test_each_component_says_what_it_earned() -> None:
    seat = Seat(
        name="Ania",
        reputation=(3, 1, 3),
        sectors={"sector-001": 4, "sector-101": 2},
        monoliths=("sector-101",),
        bonus="sectors",
    )
    found = lines(seat)
    assert found["reputation"].because == {"reputation-1": 1, "reputation-3": 6}
    assert found["sectors"].because == {"sector-001": 4, "sector-101": 2}
    assert found["monoliths"].because == {"sector-101": 3}
    assert found["bonus-sectors"].because == {"sector-001": 1, "sector-101": 1}
    assert score([seat]).seats[0].total == 7 + 6 + 3 + 2


def test_only_species_with_a_bonus_and_traitors_have_such_lines() -> None:
    assert not {"traitor", "bonus-sectors", "bonus-ancients"} & set(lines(Seat(name="Ania"), 5))
    assert lines(Seat(name="Ania", bonus="ancients"), 5)["bonus-ancients"].points == 5
    assert lines(Seat(name="Ania", traitor=True))["traitor"].points == -2


def test_equal_points_are_decided_by_the_store_or_shared() -> None:
    seats = [
        Seat(name=name, discoveries=1, resources=n) for name, n in (("Ania", 5), ("Bartek", 7), ("Celina", 7))
    ]
    sheet = score(seats)
    assert sheet.winners == ("Bartek", "Celina")
    assert [seat.rank for seat in sheet.seats] == [3, 1, 1]
