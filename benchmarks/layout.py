"""Checks the layout in whole plays: every page of every demonstration, and every scene.

    .venv/bin/python benchmarks/layout.py [--games ID ...] [--sizes WxH ...] [--answers N] [--no-scenes]

Plays the demonstration of each game to its end (or `--answers` of it) in windows of 800x480, 1024x600,
1280x720 and 720x1280, and builds each page in English and Polish at 100 and 150 %; then every scene of `./dev
shots`. It takes about twelve minutes of processor time. What is done is kept in a file for this commit
(`--results`), so that a run that was broken off, or began with one game, goes on where it ended. Prints
faults by kind and screen and writes `docs/reports/layout.md`. The exit code is 1 if there is any fault.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from companion.core.game import games  # noqa: E402
from workshop.screens import layout_campaign, shots, staging  # noqa: E402
from workshop.screens.faults import FoundFault, Played  # noqa: E402

REPORT = ROOT / "docs" / "reports" / "layout.md"
AT_ONCE = 4
"""Processes that run beside each other."""

EXAMPLES = 3
"""Faults of each kind and screen that are told with what they are."""

Size = tuple[int, int]


SCENES = "all scenes"
"""What stands for the game where every scene was checked."""


class LayoutResults:
    """What was found so far, kept in a file: the faults of each game or of the scenes at one size, then that it
    was played."""

    def __init__(self, file: Path) -> None:
        self.file, self.found, self.played = file, list[FoundFault](), list[Played]()
        waiting: list[FoundFault] = []
        for line in file.read_bytes().splitlines() if file.exists() else ():
            one = msgspec.json.decode(line, type=FoundFault | Played)
            if isinstance(one, FoundFault):
                waiting.append(one)
                continue
            self.played.append(one)
            mine = [f for f in waiting if (f.game or SCENES, f.window) == (one.game, one.window)]
            self.found += mine
            waiting = [fault for fault in waiting if fault not in mine]

    def has(self, game: str, size: Size) -> bool:
        """Whether this was played in a window of this size."""
        return any((one.game, one.window) == (game, _named(size)) for one in self.played)

    def add(self, one: FoundFault | Played) -> None:
        """Keep and print it."""
        print(one, flush=True)
        if isinstance(one, FoundFault):
            self.found.append(one)
        else:
            self.played.append(one)
        with self.file.open("ab") as file:
            file.write(msgspec.json.encode(one) + b"\n")


def demonstrations(results: LayoutResults, size: Size, out: Path, ids: Sequence[str], answers: int) -> None:
    """Play the demonstrations that were not yet played in a window of this size."""
    if left := [id for id in ids if not results.has(id, size)]:
        process = layout_campaign.start(size, out, shots.VARIANTS, left, answers)
        for one in layout_campaign.results(process):
            results.add(one)


def scenes(results: LayoutResults, size: Size, out: Path) -> None:
    """Check every scene in a window of this size."""
    if not results.has(SCENES, size):
        taken, wrong = shots.take(out / "scenes", list(staging.scenes()), [size])
        for line in wrong:
            results.add(_as_found(line))
        results.add(Played(SCENES, _named(size), taken, 0, True))


def _named(size: Size) -> str:
    return "x".join(map(str, size))


def _as_found(line: str) -> FoundFault:
    """A line of `shots`: NAME-WxH-LANGUAGE-TEXT[-light].png: KIND: WHAT."""
    picture, kind, what = line.split(": ", 2)
    found = re.fullmatch(r"(.+)-(\d+x\d+)-(\w\w)-(\d+)(-light)?\.png", picture)
    assert found, line
    scene, window, language, text = found.groups()[:4]
    return FoundFault(kind, what, f"scene {scene}", "", "", 0, window, language, int(text), picture)


def commit() -> str:
    """What is checked: asked before the plays, which may take long."""
    asked = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def report(found: Sequence[FoundFault], played: Sequence[Played], checked: str) -> str:
    """The page that tells all of it."""
    return "\n".join((*_head(played, len(found), checked), *_by_kind(found), *_by_screen(found), ""))


def _head(every: Sequence[Played], faults: int, checked: str) -> Iterator[str]:
    played = sorted((one for one in every if one.game != SCENES), key=lambda one: (one.game, one.window))
    scened = [one for one in every if one.game == SCENES]
    yield "# Layout checks in whole plays"
    yield ""
    yield "What is cut off, broken apart, too small or lies on something else, in every page of every demonstration"
    yield "and in every scene, as `benchmarks/layout.py` finds it. For anybody who changes a screen or a game's views."
    yield ""
    ended = sum(one.over for one in played)
    machine = f"{platform.machine()} with {os.cpu_count()} cores, Python {platform.python_version()}"
    yield f"{datetime.now(UTC):%Y-%m-%d}, commit {checked}, {machine}: **{faults} faults**"
    yield f"in {len(played)} demonstrations, {ended} of them played to the end. Every page was built in English and"
    yield "Polish, at 100 and 150 %."
    yield "A fault counts once for each screen, question, size, language and text size."
    yield ""
    yield "| demonstration | window | pages checked | answers | played to the end |"
    yield "|---|---|---:|---:|---|"
    for one in played:
        yield f"| {one.game} | {one.window} | {one.pages} | {one.entries} | {'yes' if one.over else 'no'} |"
    yield ""
    if scened:
        sizes = ", ".join(f"{one.window} ({one.pages} pictures)" for one in scened)
        yield f"Every scene of `./dev shots` was checked too: {sizes}."
        yield ""


def _by_kind(found: Sequence[FoundFault]) -> Iterator[str]:
    windows = sorted({one.window for one in found})
    counts = Counter((one.kind, one.window) for one in found)
    if not found:
        return
    yield "## By kind"
    yield ""
    yield f"| kind | {' | '.join(windows)} |"
    yield f"|---|{'---:|' * len(windows)}"
    for kind in sorted({one.kind for one in found}):
        yield f"| {kind} | {' | '.join(str(counts[kind, window]) for window in windows)} |"
    yield ""


def _by_screen(found: Sequence[FoundFault]) -> Iterator[str]:
    groups: dict[tuple[str, str, str, str], list[FoundFault]] = {}
    for one in found:
        groups.setdefault((one.game, one.screen, one.asked, one.kind), []).append(one)
    if not found:
        return
    yield "## By screen"
    for (game, screen, asked, kind), ones in sorted(groups.items()):
        yield ""
        yield f"**{' '.join(word for word in (game, screen, asked) if word)}**, {kind}: {len(ones)}"
        yield ""
        for one in ones[:EXAMPLES]:
            yield f"- {one.window} {one.language} {one.text_size} %: {one.what}"


def main() -> int:
    """Play, print, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", nargs="+", default=list(games()), choices=list(games()))
    parser.add_argument(
        "--sizes", nargs="+", default=["x".join(map(str, size)) for size in layout_campaign.SIZES]
    )
    parser.add_argument("--answers", type=int, default=0, help="of each game; all of them without it")
    parser.add_argument("--no-scenes", action="store_true", help="demonstrations only")
    parser.add_argument("--pictures", type=Path, default=Path(tempfile.gettempdir()) / "layout-faults")
    parser.add_argument(
        "--results", type=Path, help="what was done before, and where to keep what is done now"
    )
    parser.add_argument("--no-report", action="store_true", help="print only")
    options = parser.parse_args()
    sizes = [(int(width), int(height)) for width, height in (size.split("x") for size in options.sizes)]
    checked = commit()
    results = LayoutResults(options.results or Path(tempfile.gettempdir()) / f"layout-{checked}.jsonl")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        jobs = [
            pool.submit(
                demonstrations,
                results,
                size,
                options.pictures / _named(size),
                options.games,
                options.answers,
            )
            for size in sizes
        ]
        if not options.no_scenes:
            jobs += [pool.submit(scenes, results, size, options.pictures) for size in sizes]
        for job in jobs:
            job.result()
    page = report(results.found, results.played, checked)
    print(page)
    print(f"pictures: {options.pictures}; results: {results.file}")
    if not options.no_report:
        REPORT.write_text(page)
    return 1 if results.found else 0


if __name__ == "__main__":
    sys.exit(main())
