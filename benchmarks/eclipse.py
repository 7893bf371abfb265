"""Whole games of Eclipse by bots, with all pieces counted: `python benchmarks/eclipse.py [--games N]
[--players N ...]`.

After every answer all cubes, discs, ships, hexes and tiles are counted, at the table and in the bots' hands.
A mismatch ends the run with an error.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from msgspec.structs import replace  # noqa: E402

from companion.core import autoplay  # noqa: E402
from companion.core.entries import Answered, Entry  # noqa: E402
from companion.core.game import Bots, Setup, game  # noqa: E402
from companion.core.session import replay  # noqa: E402

NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")
RULES = game("eclipse")


def one(setup: Setup, seed: int, seen: Counter[str]) -> tuple[Any, list[Entry]]:
    """A whole game; `seen` counts what happened in it."""
    made: list[Bots] = []

    def bots(setup: Setup, random: Random) -> Bots:
        made.append(RULES.bots(setup, random))
        return made[0]

    entries, pieces = [], None
    for state, answer in autoplay.play(replace(RULES, bots=bots), setup, seed):
        problems = RULES.check(state)
        assert not problems, f"seed {seed}: {problems}"
        pieces = pieces or made[0].pieces()
        assert made[0].pieces() == pieces, f"seed {seed}: tiles were lost or made"
        if answer is not None:
            entries.append(Entry(0.0, Answered(answer)))
            seen[answer.slug] += 1
    return state, entries


def campaign(players: int, games: int) -> None:
    """Print what happened in so many games, and how long the longest takes to replay."""
    setup = RULES.complete(Setup("eclipse", NAMES[:players]))
    seen: Counter[str] = Counter()
    species: Counter[str] = Counter()
    longest: list[Entry] = []
    rounds: Counter[int] = Counter()
    out = traitors = gone = 0
    began = time.process_time()
    for seed in range(games):
        state, entries = one(setup, seed, seen)
        longest = max(longest, entries, key=len)
        rounds[state.round] += 1
        species.update(seat.species for seat in state.seats)
        out += sum(seat.out for seat in state.seats)
        gone += sum(not state.controlled(n) and not seat.out for n, seat in enumerate(state.seats))
        traitors += state.traitor is not None
    seconds = time.process_time() - began
    before = time.process_time()
    replay(RULES, setup, 0.0, longest)
    again = time.process_time() - before
    print(
        f"{players} players: {games} games, {seen.total()} answers, {games / seconds:.1f} games/s; "
        f"last round {dict(sorted(rounds.items()))}; battles {seen['eclipse.battle']}, "
        f"something given up {seen['eclipse.give-up']}, fallen into chaos {out}, without sectors {gone}, "
        f"traitors {traitors}; species {len(species)}, the rarest {min(species.values())} times; "
        f"the longest game: {len(longest)} answers, replayed in {again * 1000:.0f} ms",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--players", type=int, nargs="*", default=[2, 3, 4, 5, 6])
    options = parser.parse_args()
    for players in options.players:
        campaign(players, options.games)


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
