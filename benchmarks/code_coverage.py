"""How much of the product the tests of rules, core, table, scoring and recorded plays run: lines, package by package.

Screens, cameras and whole programs are tested as processes of their own, which this does not follow.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

SUITES = ("tests/core", "tests/games", "tests/scoring", "tests/recorded", "tests/table", "tests/devices")
PACKAGES = ("companion.core", "companion.games", "companion.table", "scoring", "devices")


def main() -> int:
    """Run the suites under coverage and print a table; the exit code is pytest's."""
    with tempfile.TemporaryDirectory() as folder:
        data, found = Path(folder) / "data", Path(folder) / "found.json"
        measure = [sys.executable, "-m", "coverage"]
        source = f"--source={','.join(PACKAGES)}"
        tests = [*measure, "run", f"--data-file={data}", source, "-m", "pytest", "-q", "-n", "0", *SUITES]
        code = subprocess.run(tests, cwd=ROOT, stdout=sys.stderr, check=False).returncode
        write = [*measure, "json", f"--data-file={data}", "-q", "-o", str(found)]
        subprocess.run(write, cwd=ROOT, check=True)
        files = json.loads(found.read_text("utf-8"))["files"]
    lines: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, file in files.items():
        parts = Path(name).parts
        room = "/".join(parts[: 3 if "games" in parts else 2 if parts[0] == "companion" else 1])
        if not file["summary"]["num_statements"]:
            continue
        for key in (room, "all"):
            lines[key][0] += file["summary"]["covered_lines"]
            lines[key][1] += file["summary"]["num_statements"]
    print("| package | statements | run by tests | share |")
    print("|---|---:|---:|---:|")
    for room, (run, there) in sorted(lines.items()):
        print(f"| {room} | {there} | {run} | {run / there:.1%} |")
    return code


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
