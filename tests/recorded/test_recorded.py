"""What was recorded once leads to the same tables for ever, entry by entry."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from companion.core import session as sessions
from companion.core.digest import digest
from companion.core.game import Game, Setup
from companion.core.session import Deed, Entry
from tests.laws.walks import GAMES
from tests.recorded.record import FOLDER


def _plays() -> Iterator[Any]:
    for game in GAMES:
        if game.id == "lantern":
            continue
        lines = gzip.decompress((FOLDER / f"{game.id}.jsonl.gz").read_bytes()).splitlines()
        for n, line in enumerate(lines):
            yield pytest.param(game, line, id=f"{game.id}-{n}")


@pytest.mark.parametrize(("game", "line"), list(_plays()))
def test_a_recorded_play_leads_to_the_same_tables(game: Game, line: bytes) -> None:
    play = msgspec.json.decode(line)
    session = sessions.begin(game, msgspec.convert(play["setup"], Setup), 0.0)
    assert digest(session.state) == play["digests"][0]
    for n, raw in enumerate(play["entries"], start=1):
        session = session._repeat(Entry(0.0, msgspec.convert(raw, Deed)))
        assert digest(session.state) == play["digests"][n], f"entry {n}: {raw}"
    assert session.over
