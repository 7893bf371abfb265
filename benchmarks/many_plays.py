"""How long Home, the list of plays and `plays` take with a journal of many years.

    .venv/bin/python benchmarks/many_plays.py                 5,000 plays
    .venv/bin/python benchmarks/many_plays.py --plays 1000 --folder DISK

Needs no display. One whole play of every game by bots is written again and again under new numbers, so the
journal has its real size. The best of three, in wall-clock and processor time; for a separate program only
the wall clock counts. For the window: from the tap to the frame that shows the result, including the clerk's
lookups.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from msgspec.structs import replace  # noqa: E402

from companion.core.autoplay import next_answer  # noqa: E402
from companion.core.binder import Binder  # noqa: E402
from companion.core.game import Setup, games  # noqa: E402
from companion.core.journal import Journal, insert  # noqa: E402
from companion.core.play import Play  # noqa: E402
from companion.core.store import Store  # noqa: E402

NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")
AIM = 0.5
"""Seconds within which each of them is there."""


def whole_play(journal: Journal, binder: Binder, id: str, seed: int) -> int:
    """A play of this game by bots, from its first answer to its last; gives its number."""
    rules, random = games()[id], Random(seed)
    play = Play.start(rules, Setup(id, NAMES[: rules.box.seats[0]]), journal, binder, 1.8e9)
    bots = rules.bots(play.session.setup, random)
    bots.follow(play.session.state, play.session.state.news)
    while not play.session.over:
        play.answer(next_answer(play.session.state, bots, random), 1.8e9 + play.session.entries)
        bots.follow(play.session.state, play.session.state.news)
    return play.id


def fill(path: Path, plays: int) -> None:
    """So many plays: one of every game, again and again, a tenth of them not finished."""
    with Store(path) as store:
        journal = Journal(store)
        made = [journal.load(whole_play(journal, Binder(store), id, 1)) for id in games()]
        with store.writing() as db:
            for n in range(len(made) + 1, plays + 1):
                like = made[n % len(made)]
                rows = like.rows if n % 10 else like.rows[: len(like.rows) // 2]
                row = replace(like.play, id=n, created=1.8e9 + n, entries=len(rows))
                row = replace(row, last_at=rows[-1].at, finished=row.finished if n % 10 else None)
                insert(db, replace(like, play=row, rows=rows))


def measure(what: str, act: Callable[[], object]) -> None:
    """One line of the table: the best of three, by the clock and by the processor."""
    took, worked = [], []
    for _ in range(3):
        began, before = time.perf_counter(), time.process_time()
        act()
        took.append(time.perf_counter() - began)
        worked.append(time.process_time() - before)
    print(f"| {what} | {min(took):.2f} s | {min(worked):.2f} s |", flush=True)


def measure_command(folder: Path) -> None:
    """The command, without what loading the program takes."""
    from companion import cli

    def listed() -> None:
        with redirect_stdout(io.StringIO()):
            assert cli.main(["plays"]) == 0

    os.environ.update(COMPANION_HOME=str(folder), COMPANION_SCREEN="none")
    measure("`plays`", listed)
    command = [sys.executable, "-P", "-m", "companion", "plays"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    measure(
        "`plays`, the whole program",
        lambda: subprocess.run(command, env=environ, capture_output=True, check=True),
    )


def measure_window(folder: Path) -> None:
    """Home and the list of plays, as they are after a tap."""
    os.environ.update(SDL_VIDEODRIVER="offscreen", SDL_AUDIODRIVER="dummy")
    from companion.ui import start

    start.prepare(folder)
    from workshop.screens.rehearsal import Rehearsal

    r = Rehearsal(folder, drawn=True)

    def shown(name: str) -> None:
        if name == "home":
            r.app.home()
            r.app.desk.look_up_plays()
        else:
            r.app.go(name)
        r.settle()

    measure("Home", lambda: shown("home"))
    measure("Plays", lambda: shown("plays"))
    measure("Plays, the next page", lambda: r.tap("older"))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--plays", type=int, default=5000)
    parser.add_argument("--folder", default=None, help="on the disk for the journal")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        path = Path(name) / "journal.db"
        fill(path, options.plays)
        size = path.stat().st_size / 1e6
        print(f"{options.plays} plays, {size:.0f} MB; aim: {AIM} s each\n")
        print("| what | by the clock | processor |\n|---|---|---|", flush=True)
        measure_command(Path(name))
        measure_window(Path(name))


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
