"""Whole plays, recorded: every species, a bankruptcy, a fall into chaos, an elimination, a treason.

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
from companion.games.eclipse import GAME
from companion.games.eclipse.component_types import species
from companion.games.eclipse.conserved import check
from companion.games.eclipse.state import EclipseState

PLAYS = {
    path.stem: json.loads(path.read_text("utf-8")) for path in Path(__file__).parent.glob("plays/*.json")
}


def setup(play: dict[str, Any]) -> Setup:
    return Setup("eclipse", tuple(play["seats"]), play["choices"])


def replayed(play: dict[str, Any]) -> Session:
    return replay(GAME, setup(play), 0.0, [Entry(0.0, Answered(Answer(*a))) for a in play["answers"]])


def test_every_species_and_every_fate_is_recorded() -> None:
    assert {id for play in PLAYS.values() for id in play["species"]} == set(species())
    fates = {fate for play in PLAYS.values() for fate in play["events"]}
    assert {"bankruptcy", "chaos", "elimination", "treason"} <= fates


@pytest.mark.parametrize("name", sorted(PLAYS))
def test_a_recorded_play_ends_as_it_did(name: str) -> None:
    play = PLAYS[name]
    session = replayed(play)
    state: EclipseState = session.state
    assert session.over
    assert state.round == play["round"]
    for index, (seat, expected) in enumerate(zip(state.seats, play["table"], strict=True)):
        assert {
            "stock": [seat.stock.money, seat.stock.science, seat.stock.materials],
            "reputation": list(seat.revealed),
            "sectors": sorted(state.map[place].hex for place in state.controlled(index)),
            "technologies": len(seat.technologies),
            "out": seat.out,
        } == expected
    sheet = GAME.sheet(state)
    assert list(sheet.winners) == play["winners"]
    for seat_sheet, line in zip(sheet.seats, play["sheet"], strict=True):
        points = {line.what: line.points for line in seat_sheet.lines}
        assert {
            "name": seat_sheet.name,
            "total": seat_sheet.total,
            "rank": seat_sheet.rank,
            "lines": points,
        } == line
        assert sum(points.values()) == seat_sheet.total


@pytest.mark.parametrize("name", sorted(PLAYS))
def test_every_recorded_answer_is_offered_and_leaves_a_sound_table(name: str) -> None:
    play = PLAYS[name]
    state: EclipseState = GAME.start(setup(play))
    for recorded in play["answers"]:
        given = Answer(*recorded)
        ask = next(ask for _, ask in open_asks(state) if (ask.seat, ask.slug) == (given.seat, given.slug))
        assert given.option in [option.id for option in ask.ask(state).options]
        state = retake(state, given)
        assert check(state) == ()
    assert not state.agenda
