"""Whole demonstrations of every game, in which every page is checked in every language and text size.

A window cannot change its size well without a display, so each size is a process of its own: this module is started
with a size, a folder for pictures, languages with text sizes, how many answers of each game to play (0: all of them)
and the games, and writes one line of JSON for each fault and one for each game.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from msgspec.structs import replace

from companion.ui.rehearsal.faults import FoundFault, Played
from companion.ui.rehearsal.shots import QUIET, Variant, written
from companion.ui.start import prepare, tidy_up_ourselves

if TYPE_CHECKING:
    from companion.ui.rehearsal.rehearsal import Rehearsal

SIZES = ((800, 480), (1024, 600), (1280, 720), (720, 1280))
SECONDS = 1.0
"""How long a demonstration waits between two steps, by its own clock."""

STEPS = 20_000
"""More than any demonstration needs."""


def start(
    size: tuple[int, int], out: Path, variants: Sequence[Variant], games: Sequence[str], answers: int = 0
) -> subprocess.Popen[str]:
    """A process that plays these games in a window of this size."""
    words = [*map(str, size), str(out), ",".join(written(variants)), str(answers), *games]
    command = [sys.executable, "-P", "-m", "companion.ui.rehearsal.layout_campaign", *words]
    return subprocess.Popen(command, env={**os.environ, **QUIET}, stdout=subprocess.PIPE, text=True)


def results(process: subprocess.Popen[str]) -> Iterator[FoundFault | Played]:
    """What a process found, until it ends: `FoundFault` for each fault, `Played` for each game."""
    assert process.stdout is not None
    for line in process.stdout:
        yield msgspec.json.decode(line, type=FoundFault | Played)
    if process.wait():
        raise RuntimeError("the demonstrations broke off; the reason is above")


def demonstrate(r: Rehearsal, game: str, variants: Sequence[Variant], answers: int = 0) -> tuple[int, bool]:
    """A demonstration, each page of it shown in all of these ways; how many entries it has, and whether it is over."""
    from companion.core.game import Setup, games
    from companion.ui.rehearsal.demo import PIXELS, SEATS, begin

    app = r.app
    app.desk.settings = replace(app.desk.settings, moments=True)
    rules = games()[game]
    demo = begin(app, rules, Setup(game, SEATS), rules.demo_seed, None, None, r.clock)
    demo.guide.pictured = True
    demo.guide.see(np.full((PIXELS[1], PIXELS[0], 3), 90, np.uint8), ())
    r.settle()
    for _ in range(STEPS):
        shown = app.screen.name, app.desk.session.entries
        _in_every_way(r, variants)
        if app.screen.name == "score" or 0 < answers <= app.desk.session.entries:
            break
        while (app.screen.name, app.desk.session.entries) == shown:
            for _ in range(2):  # a hand points, then it touches
                r.now += SECONDS
                demo.step()
                _in_every_way(r, variants) if demo.guide.pointed else None
            r.settle()
    entries, over = app.desk.session.entries, app.desk.session.over
    for tab in [name for name in r.taps() if name.startswith("tab-")]:
        r.tap(tab)
        _in_every_way(r, variants)
    return entries, over


def _in_every_way(r: Rehearsal, variants: Sequence[Variant]) -> None:
    for language, text in variants:
        r.app.desk.settings = replace(r.app.desk.settings, language=language, text_size=text)
        r.app.refresh()


def _play(
    width: int, height: int, out: Path, variants: Sequence[Variant], answers: int, games: Sequence[str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), width, height, 0)
        from companion.ui.rehearsal.layout_watch import LayoutWatch
        from companion.ui.rehearsal.rehearsal import Rehearsal

        rehearsal = Rehearsal(Path(folder) / "first")
        tidy_up_ourselves()
        for game in games:
            rehearsal.fresh(Path(folder) / game)
            watch = LayoutWatch(rehearsal.app, out)
            entries, over = demonstrate(rehearsal, game, variants, answers)
            for line in (*watch.found, Played(game, f"{width}x{height}", watch.pages, entries, over)):
                print(msgspec.json.encode(line).decode(), flush=True)


if __name__ == "__main__":
    wanted = [(how.split(":")[0], int(how.split(":")[1])) for how in sys.argv[4].split(",")]
    _play(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), wanted, int(sys.argv[5]), sys.argv[6:])
    sys.stdout.flush()
    os._exit(0)  # closing a window nobody sees may take long
