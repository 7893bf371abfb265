"""Runs `./test` in a fresh clone, several times in a row, while busy loops take the processor.

    .venv/bin/python benchmarks/busy_tests.py --runs 3 --loops 10 --report

Tests must not depend on how busy the machine is. Each loop is a process that never waits. Whatever else runs on
the machine counts as load too: the table says the load at the beginning and the end of each run. Takes hours. The
exit code is 1 if a run failed; its output is in the folder `--keep`.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.report import ROOT, reported


@contextmanager
def busy(loops: int, nice: int) -> Iterator[None]:
    """Keep the processor busy meanwhile."""
    loop = ["nice", "-n", str(nice), sys.executable, "-c", "while True: pass"]
    running = [subprocess.Popen(loop) for _ in range(loops)]
    try:
        yield
    finally:
        for one in running:
            one.kill()
            one.wait()


def main() -> int:
    """Print a row for each run; 1 if one failed."""
    ask = argparse.ArgumentParser()
    ask.add_argument("--runs", type=int, default=3)
    ask.add_argument("--loops", type=int, default=10)
    ask.add_argument("--nice", type=int, default=0, help="how much the loops step back")
    ask.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()), help="where output is kept")
    options = ask.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)
    failed = False
    print(
        f"{options.loops} busy loops (nice {options.nice}) on {os.cpu_count()} cores, one fresh clone a run.\n"
    )
    print(
        "| run | commit | exit code | pytest | minutes | load before | load after |\n|--:|---|--:|---|--:|--:|--:|",
        flush=True,
    )
    with busy(options.loops, options.nice):
        for n in range(1, options.runs + 1):
            with tempfile.TemporaryDirectory() as folder, (options.keep / f"busy-{n}.log").open("wb") as log:
                subprocess.run(["git", "clone", "-q", str(ROOT), folder], check=True)
                before, began = os.getloadavg()[0], time.monotonic()
                code = subprocess.run(
                    [f"{folder}/test"], stdout=log, stderr=log, stdin=subprocess.DEVNULL
                ).returncode
                asked = ["git", "-C", folder, "rev-parse", "--short", "HEAD"]
                commit = subprocess.run(asked, capture_output=True, text=True).stdout.strip()
            minutes = (time.monotonic() - began) / 60
            said = re.findall(rb"^(\d+ (?:passed|failed).*) in ", Path(log.name).read_bytes(), re.MULTILINE)
            told = said[-1].decode() if said else "did not end"
            load = os.getloadavg()[0]
            print(
                f"| {n} | {commit} | {code} | {told} | {minutes:.1f} | {before:.1f} | {load:.1f} |",
                flush=True,
            )
            failed |= code != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(reported(main))
