"""Kills running plays without warning and counts what was lost: `python benchmarks/kill.py --kills 200 --seed 1`.

A child process plays any game with a real journal and prints every entry once it is confirmed; `--surface`
says whether it plays directly, through the terminal or through the window. The parent sends SIGKILL at a
random moment, checks the journal through a new handle, and lets another child continue the same play.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from companion.core.journal import Journal  # noqa: E402
from companion.core.store import Store  # noqa: E402
from workshop.fault_injection.faults import Harm  # noqa: E402
from workshop.fault_injection.kills import kill_once  # noqa: E402
from workshop.fault_injection.ledger import Ledger  # noqa: E402


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--surface", choices=("play", "terminal", "window"), default="play")
    parser.add_argument(
        "--folder", help="where the journal is kept meanwhile; usually the system's temporary folder"
    )
    options = parser.parse_args()
    random, ledger, began = Random(options.seed), Ledger(), time.perf_counter()
    confirmed = unconfirmed = 0
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        for kill in range(options.kills):
            try:
                told, more = kill_once(Path(name), options.surface, random, ledger)
            except Harm as wrong:
                print(f"kill {kill + 1}: {wrong}")
                sys.exit(1)
            confirmed, unconfirmed = confirmed + told, unconfirmed + more
        with Store(Path(name) / "journal.db") as store:
            rows = Journal(store).plays()
    print(f"kills: {options.kills}; deeds confirmed: {confirmed}, lost: 0")
    print(f"entries written but not yet confirmed when the kill came: {unconfirmed}")
    finished = sum(row.finished is not None for row in rows)
    longest = max((row.entries for row in rows), default=0)
    print(f"plays finished: {finished} of {len(rows)}, the longest with {longest} entries")
    print(f"seconds: {time.perf_counter() - began:.1f}")


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
