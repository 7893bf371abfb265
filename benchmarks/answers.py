"""Time from an answer to the journal: `python benchmarks/answers.py` (the target is under 5 ms beyond the
disk's own sync)."""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from companion.core import autoplay  # noqa: E402
from companion.core.binder import Binder  # noqa: E402
from companion.core.game import Setup, game  # noqa: E402
from companion.core.journal import Journal  # noqa: E402
from companion.core.play import Play  # noqa: E402
from companion.core.store import Store  # noqa: E402

NAMES = ("Ania", "Bartek", "Celina", "Darek")
WRITTEN = 2 * (4096 + 24)
"""What an answer adds to SQLite's log: mostly two pages with their heads."""
LOG = 1000 * (4096 + 24)
"""About as long SQLite's log gets before it begins to write over it."""


class Bare:
    """The same disk without us: as many bytes written into a file, over and over, and synced."""

    def __init__(self, file: Path) -> None:
        file.write_bytes(bytes(LOG))
        self.descriptor = os.open(file, os.O_WRONLY)
        os.fsync(self.descriptor)

    def sync(self) -> None:
        """Write and wait until the disk has it."""
        os.write(self.descriptor, bytes(WRITTEN))
        os.fdatasync(self.descriptor)
        if os.lseek(self.descriptor, 0, os.SEEK_CUR) > LOG - WRITTEN:
            os.lseek(self.descriptor, 0, os.SEEK_SET)


def measure(folder: Path, games: int) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds of: answering through `Play`; the rules' part of it; a bare sync right after it."""
    rules = game("race")
    answered, ruled, bare = [], [], []
    alone = Bare(folder / "bare")
    with Store(folder / "journal.db") as store:
        journal, binder = Journal(store), Binder(store)
        for seed in range(games):
            random = Random(seed)
            setup = rules.complete(Setup(rules.id, NAMES[: 2 + seed % 3]))
            bots = rules.bots(setup, random)
            play = Play.start(rules, setup, journal, binder, 0.0)
            bots.follow(play.session.state, play.session.state.news)
            while not play.session.over:
                answer = autoplay.next_answer(play.session.state, bots, random)
                begun = time.perf_counter()
                play.session.answer(answer, 0.0)
                thought = time.perf_counter()
                play.answer(answer, 0.0)
                done = time.perf_counter()
                alone.sync()
                synced = time.perf_counter()
                ruled.append((thought - begun) * 1000)
                answered.append((done - thought) * 1000)
                bare.append((synced - done) * 1000)
                bots.follow(play.session.state, play.session.state.news)
    return answered, ruled, bare


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--folder", default=".", help="a folder on the disk to be measured")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        answered, ruled, bare = measure(Path(folder), options.games)
    print(f"{len(answered)} answers of {options.games} bot games")
    shown = {"answer to journaled": answered, "the rules alone": ruled, "a bare sync of the disk": bare}
    middle = {what: statistics.median(times) for what, times in shown.items()}
    slow = {what: statistics.quantiles(times, n=100)[98] for what, times in shown.items()}
    for what in shown:
        print(f"{what}: median {middle[what]:.2f} ms, p99 {slow[what]:.2f} ms")
    journaled, _, synced = middle
    print(
        f"beyond the bare sync: median {middle[journaled] - middle[synced]:.2f} ms, "
        f"p99 {slow[journaled] - slow[synced]:.2f} ms, ratio of medians {middle[journaled] / middle[synced]:.2f}"
    )


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
