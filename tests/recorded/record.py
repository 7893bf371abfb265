"""Records a play of every game and set-up: `python -m tests.recorded.record GAME`.

Only for a new game, or when the rules were mended on purpose and the game's rules number was raised.
"""

from __future__ import annotations

import gzip
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion.core import session as sessions
from companion.core.autoplay import next_answer
from companion.core.digest import digest
from companion.core.game import Game, Setup
from companion.core.session import Session
from companion.errors import PlayerTrouble
from tests.laws.walks import GAMES, setups

FOLDER = Path(__file__).parent


def recorded(game: Game, setup: Setup, seed: int) -> dict[str, Any]:
    """A play by bots, with answers taken back, done again and corrections that were undone in between."""
    random = Random(seed)
    session = sessions.begin(game, setup, 0.0)
    bots = game.bots(session.setup, random)
    bots.follow(session.state, session.state.news)
    entries: list[Any] = []
    digests = [digest(session.state)]

    def keep(after: Session) -> Session:
        assert after.last is not None
        entries.append(msgspec.to_builtins(after.last.deed))
        digests.append(digest(after.state))
        return after

    at = 0.0
    while not session.over:
        at += 1.0
        if random.random() < 0.02 and len(session.moments) > 3:
            steps = random.randint(1, 3)
            session = keep(keep(session.undo(steps, at)).redo(steps, at))
        if random.random() < 0.02 and (counters := session.counters()):
            counter = random.choice(counters)
            with suppress(PlayerTrouble):
                session = keep(
                    keep(session.correct(counter.id, random.choice(counter.values), at)).undo(1, at)
                )
        session = keep(session.answer(next_answer(session.state, bots, random), at))
        bots.follow(session.state, session.state.news)
    return {"setup": msgspec.to_builtins(session.setup), "entries": entries, "digests": digests}


def main() -> None:
    """Write the file of one game."""
    (game,) = [game for game in GAMES if game.id == sys.argv[1]]
    plays = [recorded(game, setup, 1000 + n) for n, setup in enumerate(setups(game))]
    lines = b"\n".join(msgspec.json.encode(play) for play in plays)
    file = FOLDER / f"{game.id}.jsonl.gz"
    file.write_bytes(gzip.compress(lines, mtime=0))
    print(file.name, len(plays), "plays,", sum(len(play["entries"]) for play in plays), "entries")


if __name__ == "__main__":
    main()
