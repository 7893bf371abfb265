"""The report of a mutation campaign: games that were not tried keep their results."""

from __future__ import annotations

from typing import Any

from benchmarks.mutation_report import CAUGHT, SURVIVED, kept, listed, report, revised

TOTALS = {"race": 462, "eclipse": 1352}


def result(game: str, outcome: str, line: int = 1) -> dict[str, Any]:
    file = f"companion/games/{game}/steps/place.py"
    change = ["- return 1", "+ return 2"]
    place = {"file": file, "line": line, "column": 0, "operator": "NumberReplacer"}
    return {"game": game, "outcome": outcome, "took": 2.0, "change": change, **place}


def test_a_run_of_one_game_keeps_the_others() -> None:
    both = [result("race", CAUGHT), result("race", SURVIVED), result("eclipse", SURVIVED, 7)]
    first = report(both, 1, TOTALS)
    second = report([result("race", CAUGHT), result("race", CAUGHT)], 1, TOTALS, first)
    found = kept(second)
    assert found["eclipse"] == kept(first)["eclipse"]
    assert "place.py:7 NumberReplacer" in found["eclipse"].survived
    assert found["race"].survived == ""
    assert found["race"].row.startswith("| race | 462 | 2 | 2 | 0 | 0 | 0 | 100% | 2.00 |")
    assert "| all | 1814 | 3 | 2 | 0 | 1 | 0 | 67% | | |" in second
    assert second.count("| `companion/games/") == 2


def test_the_page_can_be_read_back() -> None:
    page = report([result("race", SURVIVED), result("eclipse", CAUGHT)], 1, TOTALS)
    assert report([], 1, TOTALS, page) == page


def test_what_survived_is_judged_once_more() -> None:
    page = report(
        [result("race", CAUGHT), result("race", SURVIVED), result("eclipse", SURVIVED, 7)], 1, TOTALS
    )
    (race, eclipse) = listed(page)
    assert (race.line, eclipse.line, race.change) == (1, 7, ("- return 1", "+ return 2"))
    assert kept(revised(page, [result("race", SURVIVED, 3)]))["race"].survived == kept(page)[
        "race"
    ].survived.replace("place.py:1 ", "place.py:3 ")
    now = revised(page, [result("race", CAUGHT, 3)])
    assert listed(now) == [eclipse]
    assert "| race | 462 | 2 | 2 | 0 | 0 | 0 | 100% | 2.00 |" in now
    assert "| `companion/games/race/steps/place.py` | 2 | 2 | 0 | 0 | 0 | 100% |" in now
    assert "| all | 1814 | 3 | 2 | 0 | 1 | 0 | 67% | | |" in now
    assert ", survivors 2" in kept(now)["race"].row
    assert ", survivors" not in kept(now)["eclipse"].row
    assert report([], 1, TOTALS, now) == now
    gone = revised(
        page, [result("race", CAUGHT, 3), result("eclipse", CAUGHT, 5) | {"change": ["- x", "+ y"]}]
    )
    assert listed(gone) == []
    assert "| all | 1814 | 2 | 2 | 0 | 0 | 0 | 100% | | |" in gone


def test_two_mutants_of_one_line_are_told_apart() -> None:
    two = result("race", SURVIVED) | {"change": ["- return 1", "+ return 0"]}
    page = report([result("race", SURVIVED), two], 1, TOTALS)
    (left,) = listed(revised(page, [two | {"outcome": CAUGHT}, result("race", SURVIVED)]))
    assert left.change == ("- return 1", "+ return 2")
