"""Eclipse in a real window by clicks alone: the map touched, hexes turned, ships rebuilt, battles fought, dice told."""

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
SEED = 4


@contextmanager
def seated(folder: Path) -> Iterator[Players]:
    """Two players before a real window with a play that has just begun."""
    with begun(folder, "eclipse", Settings()) as program:
        yield Players(program, ECLIPSE, SEED)


@pytest.mark.campaign
def test_bots_play_a_whole_game_with_clicks(tmp_path: Path) -> None:
    with seated(tmp_path) as players:
        session = players.play()
        see_the_score(players)
    assert players.clicked == answers(session)
    print(sorted(players.asked), players.clicked, players.repeated)
