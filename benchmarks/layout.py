"""Checks the layout in whole plays: every page of every demonstration, and every scene.

    .venv/bin/python benchmarks/layout.py [--games ID ...] [--sizes WxH ...] [--answers N] [--minutes N] [--no-scenes]

Plays the demonstration of each game to its end (or `--answers` of it) in windows of 800x480, 1024x600,
1280x720 and 720x1280, and builds each page in English and Polish at 100 and 150 %; then every scene of `./dev
shots`. With `--minutes` it stops after that time and reports which plays came to their end. Without the
scenes it takes about ten minutes of processor time. Prints faults by kind and screen and writes
`docs/reports/layout.md`. The exit code is 1 if there is any fault.
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


def demonstrations(
    size: Size, out: Path, ids: Sequence[str], answers: int, minutes: float
) -> list[FoundFault | Played]:
    """What whole demonstrations in a window of this size show."""
    process = layout_campaign.start(size, out, shots.VARIANTS, ids, answers, minutes)
    found = []
    for one in layout_campaign.results(process):
        print(one, flush=True)
        found.append(one)
    return found


def scenes(size: Size, out: Path) -> list[FoundFault]:
    """What is wrong with every scene in a window of this size."""
    names = list(staging.scenes())
    _, wrong = shots.take(out / "scenes", names, [size])
    return [_as_found(line) for line in wrong]


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


def report(
    found: Sequence[FoundFault], played: Sequence[Played], scened: Sequence[Size], checked: str
) -> str:
    """The page that tells all of it."""
    return "\n".join((*_head(played, scened, len(found), checked), *_by_kind(found), *_by_screen(found), ""))


def _head(played: Sequence[Played], scened: Sequence[Size], faults: int, checked: str) -> Iterator[str]:
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
        sizes = ", ".join(f"{width}x{height}" for width, height in scened)
        yield f"Every scene of `./run shots` was checked too, at {sizes}."
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
    parser.add_argument("--minutes", type=float, default=0, help="stop then; at the end of all without it")
    parser.add_argument("--no-scenes", action="store_true", help="demonstrations only")
    parser.add_argument("--pictures", type=Path, default=Path(tempfile.gettempdir()) / "layout-faults")
    parser.add_argument("--no-report", action="store_true", help="print only")
    options = parser.parse_args()
    sizes = [(int(width), int(height)) for width, height in (size.split("x") for size in options.sizes)]
    checked = commit()
    results: list[FoundFault | Played] = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        jobs = [
            pool.submit(
                demonstrations,
                size,
                options.pictures / "x".join(map(str, size)),
                options.games,
                options.answers,
                options.minutes,
            )
            for size in sizes
        ]
        if not options.no_scenes:
            jobs += [pool.submit(scenes, size, options.pictures) for size in sizes]
        for job in jobs:
            results += job.result()
    found = [one for one in results if isinstance(one, FoundFault)]
    played = [one for one in results if isinstance(one, Played)]
    page = report(found, played, () if options.no_scenes else sizes, checked)
    print(page)
    print(f"pictures: {options.pictures}")
    if not options.no_report:
        REPORT.write_text(page)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
