"""Finished games played by another engine: every card's points must be the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.games.race.cards import deck
from scoring.race import Seat, score

DATA = Path(__file__).parent / "data" / "race-finals.jsonl"
FINALS = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


def card(instance: str) -> str:
    return str(instance.split("#")[0])


def seat(seen: dict[str, Any]) -> Seat:
    cards = deck("first")
    return Seat(
        f"seat {seen['seat']}",
        tuple(cards[card(c["card"])].for_scoring for c in seen["tableau"]),
        seen["goods_count"],
        seen["vp_chips"],
        seen["hand_count"],
    )


def test_there_are_enough_of_them() -> None:
    assert len(FINALS) == 62
    assert {final["players"] for final in FINALS} == {2, 3, 4}
    counted = {c["card"] for f in FINALS for s in f["seats"] for c in s["tableau"] if c.get("variable")}
    assert len(counted) == 12


@pytest.mark.parametrize("final", FINALS, ids=lambda final: final["game"])
def test_every_point_and_every_reason(final: dict[str, Any]) -> None:
    sheet = score(tuple(seat(s) for s in final["seats"]))
    for ours, seen in zip(sheet.seats, final["seats"], strict=True):
        chips, *lines = ours.lines
        assert (chips.what, chips.points, chips.because) == ("chips", seen["vp_chips"], {})
        for line, on_table in zip(lines, seen["tableau"], strict=True):
            id = card(on_table["card"])
            assert (line.what, line.points) == (id, on_table["points"])
            expected = on_table.get("matches", {}) if on_table.get("variable") else {id: on_table["points"]}
            assert line.because == {card(c): points for c, points in expected.items()}
        assert ours.total == seen["score"]
        assert ours.tie == (seen["tiebreak"],)


@pytest.mark.parametrize("final", FINALS, ids=lambda final: final["game"])
def test_winners_and_places(final: dict[str, Any]) -> None:
    sheet = score(tuple(seat(s) for s in final["seats"]))
    assert sheet.winners == tuple(f"seat {s}" for s in final["winners"])
    results = [(s["score"], s["tiebreak"]) for s in final["seats"]]
    assert [s.rank for s in sheet.seats] == [sorted(results, reverse=True).index(r) + 1 for r in results]


@pytest.mark.parametrize("final", FINALS, ids=lambda final: final["game"])
def test_military_of_new_galactic_order_is_the_general_one(final: dict[str, Any]) -> None:
    for ours, seen in zip(score(tuple(map(seat, final["seats"]))).seats, final["seats"], strict=True):
        for line in ours.lines:
            if line.what == "new-galactic-order":
                assert line.measures == {"military": seen["total_military"]}
