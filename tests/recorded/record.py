"""Records a play of every game and set-up: `python -m tests.recorded.record GAME`.

For a new game, for a new variant, or after a deliberate change of the rules: then raise `rules` in the game's
`game.toml` first. With the number unchanged, recorded plays stay, and only missing set-ups are added.
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
from companion.core.entries import Deed, Entry
from companion.core.game import Game, Setup
from companion.core.replay_divergence import agree
from companion.core.session import Session
from companion.errors import PlayerTrouble
from tests.laws.walks import GAMES, tried

MANY_SETUPS = 16
"""A game with more of them is recorded with those in which every two choices meet."""

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
    return {
        "rules": game.box.rules,
        "setup": msgspec.to_builtins(session.setup),
        "entries": entries,
        "digests": digests,
        "result": [list(seat) for seat in game.sheet(session.state).outcome],
    }


def kept(game: Game, folder: Path = FOLDER) -> list[Any]:
    """The recorded plays of a game."""
    file = folder / f"{game.id}.jsonl.gz"
    return [msgspec.json.decode(line) for line in gzip.decompress(file.read_bytes()).splitlines()]


def difference(game: Game, play: Any) -> str | None:
    """Where today's rules lead a recorded play to another table or result; nothing if they do not."""
    session = sessions.begin(game, msgspec.convert(play["setup"], Setup), 0.0)
    if digest(session.state) != play["digests"][0]:
        return "the table before the first entry"
    for n, raw in enumerate(play["entries"], start=1):
        session = session.repeat(Entry(0.0, msgspec.convert(raw, Deed)))
        if not agree(session.state, play["digests"][n]):
            return f"entry {n}: {raw}"
    result = [list(seat) for seat in game.sheet(session.state).outcome]
    return None if session.over and result == play["result"] else f"the result: {result}"


def record(game: Game, folder: Path = FOLDER) -> list[Any]:
    """Write the file of one game, unless other rules hide behind the same number."""
    file = folder / f"{game.id}.jsonl.gz"
    plays = [p for p in kept(game, folder) if p["rules"] == game.box.rules] if file.exists() else []
    for play in plays:
        if found := difference(game, play):
            raise SystemExit(
                f"{game.id} has other rules than recorded, but the same number. Raise it. {found}"
            )
    there = [game.complete(msgspec.convert(play["setup"], Setup)) for play in plays]
    lacking = [setup for setup in tried(game, MANY_SETUPS) if game.complete(setup) not in there]
    plays += [recorded(game, setup, 1000 + n) for n, setup in enumerate(lacking, start=len(plays))]
    file.write_bytes(gzip.compress(b"\n".join(msgspec.json.encode(play) for play in plays), mtime=0))
    return plays


def main() -> None:
    """Write the file of the game named."""
    (game,) = [game for game in GAMES if game.id == sys.argv[1]]
    plays = record(game)
    print(game.id, len(plays), "plays,", sum(len(play["entries"]) for play in plays), "entries")


if __name__ == "__main__":
    main()
