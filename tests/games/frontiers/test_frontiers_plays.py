"""Whole plays by bots with real pieces, in an untaught, a half-taught and a fully taught box."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from companion.core import census
from companion.core.agenda import Together, open_asks
from companion.core.autoplay import play
from companion.core.entries import Answered, Entry
from companion.core.game import Setup
from companion.core.questions import Answer
from companion.core.session import replay
from companion.games.frontiers import GAME
from companion.games.frontiers.component_types import Tile, everything
from companion.games.frontiers.powers import AnyPower
from companion.games.frontiers.state import FrontiersState
from tests import budgets
from tests.games.frontiers import record_plays
from tests.games.frontiers.made_up_box import FACTS, HALF, POWERS, TERMS
from tests.games.frontiers.tables import NAMES

BOXES = {"untaught": {}, "half": HALF, "taught": FACTS}
MOST_ANSWERS = 3000


def test_the_made_up_box_agrees_with_the_rulebook_and_leaves_nothing_open() -> None:
    """Rules 16 and 17."""
    assert list(GAME.bad_facts(FACTS)) == []
    box = everything().taught(FACTS)
    assert [one.text for one in census.disagreements(GAME.census(Setup("frontiers", NAMES[:2])), box)] == []
    tiles = [tile for tile in box if isinstance(tile, Tile)]
    assert len(tiles) == 60 + 16 + 40
    assert [tile.id for tile in tiles if tile.untold() or tile.open_bonus] == []


def test_the_made_up_box_prints_every_word_of_the_vocabulary() -> None:
    said = {power["does"] for power in POWERS}
    assert said == {sort.__struct_config__.tag for sort in AnyPower.__args__}
    box = everything().taught(FACTS)
    printed = {type(power) for tile in box if isinstance(tile, Tile) for power in tile.powers or ()}
    assert printed == set(AnyPower.__args__)
    assert {term["does"] for term in TERMS} == {"per-tile", "per-held"}


def ended(players: int, goals: str, facts: dict[str, Any], seed: int) -> FrontiersState:
    """The end of a play by bots, checked after every answer."""
    setup = Setup("frontiers", NAMES[:players], {"goals": goals}, facts)
    before: FrontiersState | None = None
    for n, (state, _) in enumerate(play(GAME, setup, seed)):
        assert GAME.check(state) == ()
        assert n < MOST_ANSWERS
        if before is not None and state.ending and not before.ending:
            assert not side_by_side(before), f"{before.action} ended the play, and seats were asked at once"
        before = state
    assert isinstance(state, FrontiersState)
    return state


def side_by_side(state: FrontiersState) -> bool:
    """Whether the seats are asked to resolve an action in any order; the pages of tiles are no part of it."""
    asks = (ask for _, ask in open_asks(state))
    together = state.in_order is None and isinstance(state.agenda[0], Together)
    return together and any(ask.slug != "core.fact" for ask in asks)


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_plays_end_and_add_up(players: int, box: str) -> None:
    """Rules 46, 179 to 182: for one of the four reasons, each of which is true then, and which came about in order."""
    for seed in range(20 if budgets.campaign else 1):
        goals = Random(f"{players}{box}{seed}").choice(("isolation", "goals"))
        state = ended(players, goals, BOXES[box], seed)
        assert state.ending
        assert ("points" in state.ending) == (state.pool <= 0)
        assert ("developments" in state.ending) == any(state.covered(n) > 10 for n in range(players))
        assert ("colonies" in state.ending) == any(len(seat.colonies) >= 8 for seat in state.seats)
        assert all(seat.explored == () for seat in state.seats)
        assert state.hidden_goal is None


PLAYS = {path.stem: json.loads(path.read_text("utf-8")) for path in record_plays.FOLDER.glob("*.json")}


def test_every_way_to_end_is_recorded() -> None:
    """Rules 179, 181, 182, 195 and 196."""
    assert set(PLAYS) == set(record_plays.WANTED)
    for reason in ("developments", "colonies", "colonists", "points"):
        assert PLAYS[reason]["ends"] == [reason]
    assert PLAYS["points"]["pool"] == 0
    assert PLAYS["points-in-tens"]["pool"] < 0
    assert len(PLAYS["several-reasons"]["ends"]) > 1
    assert len(PLAYS["tie-broken"]["winners"]) == 1
    assert len(PLAYS["shared-victory"]["winners"]) > 1
    assert len(PLAYS["all-goals"]["goals-up"]) == 8


@pytest.mark.parametrize("name", sorted(PLAYS))
def test_a_recorded_play_ends_as_it_did(name: str) -> None:
    play = PLAYS[name]
    facts = record_plays.BOXES[play["box"]]
    setup = Setup("frontiers", NAMES[: play["players"]], {"goals": play["goals"]}, facts)
    entries = [Entry(0.0, Answered(Answer(*answer))) for answer in play["answers"]]
    session = replay(GAME, setup, 0.0, entries)
    assert session.over
    promised = {key: play[key] for key in play if key not in ("players", "goals", "box", "answers")}
    assert record_plays.ended(session.state) == promised
