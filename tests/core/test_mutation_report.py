"""The report of a mutation campaign: games that were not tried keep their results."""

from __future__ import annotations

from typing import Any

from benchmarks.mutation_report import CAUGHT, SURVIVED, kept, report

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
