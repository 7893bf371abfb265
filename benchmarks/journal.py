"""How long an answer takes to be durable: the bare disk, and the journal on it.

python benchmarks/journal.py [folder on the disk to measure] [answers]
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from companion.core.journal import Journal
from companion.core.store import Store

BODY = (
    b'{"at":1700000000.25,"what":{"type":"answer","seat":1,"slug":"race.choose-action","option":"explore"}}'
)


def timed(act: Callable[[], object]) -> float:
    """How many milliseconds this takes."""
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000


def measure(folder: Path, times: int) -> dict[str, list[float]]:
    """A small write and fsync, and an answer, in turn: so that whatever else the disk does slows both."""
    bare, journaled = [], []
    with open(folder / "bare", "wb", buffering=0) as file, Store(folder / "journal.db") as store:
        journal = Journal(store)
        play = journal.create(b"{}", "race", "benchmark", 0.0)

        def write() -> None:
            file.write(BODY)
            os.fsync(file.fileno())

        for seq in range(times):
            bare.append(timed(write))
            journaled.append(timed(partial(journal.append, play, seq, float(seq), BODY)))
    return {"write + fsync": bare, "append": journaled}


def main() -> None:
    """Print what was measured."""
    where = sys.argv[1] if len(sys.argv) > 1 else "."
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    with tempfile.TemporaryDirectory(dir=where) as name:
        measured = measure(Path(name), times)
    for what, took in measured.items():
        most = statistics.quantiles(took, n=100)[98]
        print(
            f"{what:14} median {statistics.median(took):7.3f} ms   99% {most:7.3f} ms   worst {max(took):7.3f} ms"
        )
    bare, append = (statistics.median(took) for took in measured.values())
    print(f"{'difference':14} median {append - bare:7.3f} ms")


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
