"""Whole plays, recorded: one for each way a play can end. Answers in, the final table and sheet out.

The files were recorded from bot plays, so what they expect is what this engine did. A recorded play is a promise: the
same answers lead to the same end in every later version.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.core.agenda import open_asks, retake
from companion.core.entries import Answered, Entry
from companion.core.game import Setup
from companion.core.questions import Answer
from companion.core.session import Session, replay
from companion.games.race import GAME
from companion.games.race.corrections import check
from companion.games.race.state import RaceState
from companion.games.race.steps.round import endings

PLAYS = {
    path.stem: json.loads(path.read_text("utf-8")) for path in Path(__file__).parent.glob("plays/*.json")
}


def replayed(play: dict[str, Any]) -> Session:
    setup = Setup("race", tuple(play["seats"]), play["choices"])
    return replay(GAME, setup, 0.0, [Entry(0.0, Answered(Answer(*answer))) for answer in play["answers"]])


def test_every_way_to_end_is_recorded() -> None:
    assert set(PLAYS) == {
        "tableau",
        "pool",
        "pool-and-ten-point-chips",
        "both-at-once",
        "tie-broken",
        "shared-victory",
    }
    assert PLAYS["tableau"]["ends"] == ["race.end.tableau"]
    assert PLAYS["pool"]["ends"] == ["race.end.pool"]
    assert PLAYS["pool"]["pool"] == 0
    assert PLAYS["pool-and-ten-point-chips"]["pool"] < 0
    assert PLAYS["both-at-once"]["ends"] == ["race.end.tableau", "race.end.pool"]
    assert len(PLAYS["shared-victory"]["winners"]) == 2


@pytest.mark.parametrize("name", sorted(PLAYS))
def test_a_recorded_play_ends_as_it_did(name: str) -> None:
    play = PLAYS[name]
    session = replayed(play)
    state: RaceState = session.state
    assert session.over
    assert state.round == play["rounds"]
    assert [reason.key for reason in endings(state)] == play["ends"]
    assert state.pool == play["pool"]
    for seat, expected in zip(state.seats, play["table"], strict=True):
        assert {
            "hand": seat.hand,
            "chips": seat.chips,
            "tableau": list(seat.tableau),
            "goods": list(seat.goods),
        } == expected


@pytest.mark.parametrize("name", sorted(PLAYS))
def test_the_sheet_of_a_recorded_play(name: str) -> None:
    play = PLAYS[name]
    sheet = GAME.sheet(replayed(play).state)
    assert list(sheet.winners) == play["winners"]
    for seat, expected in zip(sheet.seats, play["sheet"], strict=True):
        lines = {line.what: line.points for line in seat.lines}
        assert {
            "name": seat.name,
            "total": seat.total,
            "rank": seat.rank,
            "tie": list(seat.tie),
            "lines": lines,
        } == expected
        assert sum(lines.values()) == seat.total


@pytest.mark.parametrize("name", sorted(PLAYS))
def test_every_recorded_answer_is_offered_and_leaves_a_sound_table(name: str) -> None:
    play = PLAYS[name]
    setup = Setup("race", tuple(play["seats"]), play["choices"])
    state: RaceState = GAME.start(setup)
    for recorded in play["answers"]:
        given = Answer(*recorded)
        ask = next(ask for _, ask in open_asks(state) if (ask.seat, ask.slug) == (given.seat, given.slug))
        offered = [option.id for option in ask.ask(state).options]
        # A plan is advice, and a later version may know better; whatever was taken then still means the same.
        assert given.option in offered or given.option.startswith("plan:")
        state = retake(state, given)
        assert check(state) == ()
    assert not state.agenda
