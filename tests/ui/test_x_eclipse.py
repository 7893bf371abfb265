"""Eclipse in a real window by clicks alone: the map touched, hexes turned, ships rebuilt, battles fought,
dice entered."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.core.game import games
from companion.table.settings import Settings
from tests.ui import real
from tests.ui.players import Players, answers, begun, see_the_score

pytestmark = pytest.mark.skipif(bool(real.LACKING), reason=real.REASON)

ECLIPSE = games()["eclipse"]
SEED = 284
"""A game with nearly every kind of question two players can be asked, and not too long."""

FIRST = 21
"""Answers after which a hex was turned up, turned and put down."""

KINDS = {
    "eclipse.technology",  # drawn: a printed board
    "eclipse.explore",  # a place of the map
    "eclipse.turn-up",
    "eclipse.place-hex",  # turned by touches
}
LATER = {
    "eclipse.discovery",
    "eclipse.upgrade",  # a part, then the ship it goes on
    "eclipse.slot",
    "eclipse.move-to",
    "eclipse.die",  # dice of a battle
    "eclipse.hit",  # whose ship is hit
    "eclipse.reputation",
}


@contextmanager
def seated(folder: Path) -> Iterator[Players]:
    """Two players before a real window with a play that has just begun."""
    with begun(folder, "eclipse", Settings()) as program:
        yield Players(program, ECLIPSE, SEED)


def test_bots_begin_with_clicks(tmp_path: Path) -> None:
    """The first hexes; a campaign plays to the end."""
    with seated(tmp_path) as players:
        session = players.play(FIRST)
    assert players.clicked == answers(session) == FIRST
    assert players.asked >= KINDS


@pytest.mark.campaign
def test_bots_play_a_whole_game_with_clicks(tmp_path: Path) -> None:
    with seated(tmp_path) as players:
        session = players.play()
        see_the_score(players)
    assert players.clicked == answers(session)
    assert players.asked >= KINDS | LATER
