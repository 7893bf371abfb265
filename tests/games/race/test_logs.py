"""Games recorded by another engine, replayed through our rules."""

from __future__ import annotations

import copy
import gzip
from pathlib import Path
from typing import Any

import msgspec
import pytest

from workshop.race_log import replay_log

DATA = Path(__file__).parent / "data" / "race-logs.jsonl.gz"
LOGS: list[dict[str, Any]] = [
    msgspec.json.decode(line) for line in gzip.decompress(DATA.read_bytes()).splitlines()
]


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log["game"])
def test_replays_like_the_recorded_game(log: dict[str, Any]) -> None:
    report = replay_log(log)
    assert [str(mismatch) for mismatch in report.mismatches] == []
    phases = sum(len(round_["phases"]) for round_ in log["rounds"])
    assert report.checks > phases * (2 + 5 * log["players"])


def changed(find: str, change: str, value: Any) -> dict[str, Any]:
    """A recorded game with one field of its first event of a type made wrong."""
    for log in LOGS:
        wrong = copy.deepcopy(log)
        for round_ in wrong["rounds"]:
            for phase in round_["phases"]:
                for event in phase["events"]:
                    if event["type"] == find and event.get(change) not in (None, value, []):
                        event[change] = value
                        return wrong
    raise LookupError(find)


@pytest.mark.parametrize(
    ("find", "change", "value", "what"),
    [
        ("may_place", "options", ["rebel-homeworld"], "cards of the hand that may be placed"),
        ("may_pay", "special_options", [], "to place"),
        ("pay", "cost", 9, "cost"),
        ("pay", "strength", 99, "strength"),
        ("may_trade", "options", ["gem-world"], "goods that may be sold"),
        ("may_consume", "options", [["gem-world", 0]], "powers that may be used"),
        ("may_consume_goods", "options", ["gem-world"], "goods that may be consumed"),
        ("may_windfall", "options", ["gem-world"], "worlds for a windfall good"),
        ("explore", "drawn", 1, "cards seen and kept"),
    ],
)
def test_a_wrong_log_is_noticed(find: str, change: str, value: Any, what: str) -> None:
    report = replay_log(changed(find, change, value))
    assert any(what in mismatch.what for mismatch in report.mismatches)


@pytest.mark.parametrize(
    ("field", "what"), [("vp", "chips"), ("hand", "hand"), ("tableau", "tableau"), ("military", "Military")]
)
def test_a_wrong_snapshot_is_noticed(field: str, what: str) -> None:
    wrong = copy.deepcopy(LOGS[0])
    seat = wrong["rounds"][3]["phases"][0]["after"]["seats"][0]
    seat[field] = seat[field][:-1] if isinstance(seat[field], list) else seat[field] + 1
    report = replay_log(wrong)
    assert any(mismatch.what.startswith(what) for mismatch in report.mismatches)


def test_a_log_that_stops_early_is_noticed() -> None:
    wrong = copy.deepcopy(LOGS[0])
    wrong["rounds"].pop()
    assert any(mismatch.what == "the play is over" for mismatch in replay_log(wrong).mismatches)
