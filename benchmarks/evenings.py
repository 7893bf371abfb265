"""How long statistics over many evenings take, and whether every figure equals a second calculation by SQL.

    .venv/bin/python benchmarks/evenings.py                  10,000 generated evenings
    .venv/bin/python benchmarks/evenings.py --part 0.4       also with this part of a core (needs root)

Seconds of processor; with a part of a core also by the clock. Memory is what reading and counting add to this process.
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from benchmarks.slow import confine  # noqa: E402
from companion.core.journal import Journal  # noqa: E402
from companion.core.store import Store  # noqa: E402
from companion.results.evenings import PAGE, chosen, evenings, figures  # noqa: E402
from workshop.generated_evenings import SecondCalculation, differences, generate  # noqa: E402

HEAD = "| plays | what | processor | clock |\n|---|---|---|---|"
CHOICES = (("", "", 0), ("race", "", 3), ("eclipse", "Ewa", 0), ("", "Zosia", 2))


def _memory() -> float:
    """Resident memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def _timed(job: Callable[[], Any]) -> tuple[Any, float, float]:
    """The result, seconds of processor and seconds by the clock."""
    processor, clock = time.process_time(), time.perf_counter()
    found = job()
    return found, time.process_time() - processor, time.perf_counter() - clock


def times(plays: int, group: Path | None = None) -> None:
    """Rows of a table: the first page, reading everything, counting everything."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        generate(path, plays)
        if group is not None:
            (group / "cgroup.procs").write_text(str(os.getpid()))
        with Store(path) as store:
            journal = Journal(store)
            journal.annotations.now()
            evenings(journal, lambda read: False)  # what is loaded once
            gc.collect()
            before = _memory()
            _, *first = _timed(lambda: evenings(journal, lambda read: False))
            found, *reading = _timed(lambda: evenings(journal))
            _, *counting = _timed(lambda: figures(found))
            grown = _memory() - before
    for what, (processor, clock) in (
        (f"first {PAGE} plays read", first),
        ("all plays read", reading),
        ("all figures", counting),
    ):
        print(f"| {plays:,} | {what} | {processor * 1000:.0f} ms | {clock * 1000:.0f} ms |")
    print(f"| {plays:,} | memory | {grown:.1f} MB | |")


def exact(plays: int) -> int:
    """Compare every figure of several choices with SQL; returns how many differ."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        generate(path, plays)
        with Store(path) as store:
            found = evenings(Journal(store))
        second = SecondCalculation(path)
        for choice in CHOICES:
            second.choose(*choice)
            those = figures(chosen(found, *choice))
            unequal = differences(those, second)
            wrong += len(unequal)
            print(
                f"{choice}: {those.results:,} results, {len(those.people)} people, different: {unequal or 'none'}"
            )
        second.close()
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--plays", type=int, default=10_000)
    parser.add_argument("--part", type=float, default=0.0, help="also with this part of a core")
    parser.add_argument("--times", action="store_true", help="only the times of this many plays")
    parser.add_argument("--group", type=Path, help="measure in this control group")
    options = parser.parse_args()
    if options.times:
        times(options.plays, options.group)
        return 0
    wrong = exact(options.plays)
    print(f"\n{HEAD}", flush=True)
    for plays in (1000, 5000):
        subprocess.run([sys.executable, __file__, "--times", "--plays", str(plays)], check=True)
    if options.part:
        print(f"\nWith {options.part} of a core:\n\n{HEAD}", flush=True)
        group = confine(options.part)
        try:
            for plays in (1000, 5000):
                words = [sys.executable, __file__, "--times", "--plays", str(plays), "--group", str(group)]
                subprocess.run(words, check=True)
        finally:
            group.rmdir()
    return 1 if wrong else 0


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
