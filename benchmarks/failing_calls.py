"""Lets every call of a write fail in turn, and writes the results to docs/reports/failing-calls.md.

    .venv/bin/python benchmarks/failing_calls.py              every call, about ten minutes
    .venv/bin/python benchmarks/failing_calls.py --step 5     every fifth

It needs Linux and a C compiler. The exit code is 1 if a reported result once differed from the file.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)

from tests import failing_calls  # noqa: E402

REPORT = ROOT / "docs" / "reports" / "failing-calls.md"
WORDS = (failing_calls.KEPT, failing_calls.REFUSED, failing_calls.UNSURE, failing_calls.CRASHED)


def report(found: list[dict[str, Any]]) -> str:
    """The figures as a page."""
    commit = subprocess.run(
        ["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True
    )
    tried = sum(sum(line["told"].values()) for line in found)
    lies = sum(len(line[failing_calls.LIES]) for line in found)
    rows = [
        f"| {line['moment']} | {line['way']} | {line['calls']} | "
        + " | ".join(str(line["told"].get(word, 0)) for word in WORDS)
        + f" | {len(line[failing_calls.LIES])} |"
        for line in found
    ]
    return "\n".join(
        (
            "# Failing calls",
            "",
            "For people who trust the journal: is what the program says of a write what is in the file afterwards?",
            "An answer that also teaches a printed value is written while one call of the system (open, read, write,",
            "sync, lock, map, close, ...) or of the allocator fails, each in turn. Then the process ends, every other",
            "time without closing the file, and another one looks what is there.",
            "",
            f"Measured {date.today()} at commit {commit.stdout.strip()} by `benchmarks/failing_calls.py`:"
            f" {tried} writes, {lies} of which ended otherwise than told.",
            "",
            f"| moment | what fails | calls | {' | '.join(WORDS)} | not as told |",
            "|---|---|---|---|---|---|---|---|",
            *rows,
            "",
            "*Told that nobody can say* needs a disk that stays broken: then the file cannot be opened to look.",
            "*Crashed* means that memory ran out in the program itself: it says that something went wrong, and",
            "nothing about the answer. In both cases the answer and what it taught are in the file together,",
            "or neither is.",
            "",
        )
    )


def main() -> int:
    """Run the campaign and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--found", type=Path, help="JSON lines of a run that was made before")
    options = parser.parse_args()
    if options.found is not None:
        found = [json.loads(line) for line in options.found.read_text().splitlines()]
    else:
        with TemporaryDirectory() as folder:
            shim = failing_calls.build(Path(folder))
            if shim is None:
                sys.exit("This needs Linux and a C compiler (cc).")
            found = failing_calls.sweep(shim, options.step)
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(report(found))
    return int(any(line[failing_calls.LIES] for line in found))


if __name__ == "__main__":
    sys.exit(main())
