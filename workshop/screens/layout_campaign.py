"""Plays whole demonstrations of every game and checks every page in every language and text size.

Without a display a window cannot be resized reliably, so each size is a process of its own: this module is
started with a size, a folder for pictures, languages with text sizes, how many answers of each game to play
(0: all of them) and the games, and writes one line of JSON for each fault and one for each game.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from msgspec.structs import replace

from companion.ui.start import disable_automatic_gc, prepare
from workshop.screens.faults import FoundFault, Played
from workshop.screens.shots import QUIET, ShotVariant, written

if TYPE_CHECKING:
    from workshop.screens.rehearsal import Rehearsal

SIZES = ((800, 480), (1024, 600), (1280, 720), (720, 1280))
SECONDS = 1.0
"""How long a demonstration waits between two steps, by its own clock."""

STEPS = 20_000
"""More than any demonstration needs."""


def start(
    size: tuple[int, int],
    out: Path,
    variants: Sequence[ShotVariant],
    games: Sequence[str],
    answers: int = 0,
) -> subprocess.Popen[str]:
    """Start a process that plays these games in a window of this size."""
    words = [*map(str, size), str(out), ",".join(written(variants)), str(answers), *games]
    command = [sys.executable, "-P", "-m", "workshop.screens.layout_campaign", *words]
    return subprocess.Popen(command, env={**os.environ, **QUIET}, stdout=subprocess.PIPE, text=True)


def results(process: subprocess.Popen[str]) -> Iterator[FoundFault | Played]:
    """What a process found, until it ends: `FoundFault` for each fault, `Played` for each game."""
    assert process.stdout is not None
    with process.stdout as lines:
        for line in lines:
            yield msgspec.json.decode(line, type=FoundFault | Played)
    if process.wait():
        raise RuntimeError("the demonstrations broke off; the reason is above")


def demonstrate(
    r: Rehearsal, game: str, variants: Sequence[ShotVariant], answers: int = 0
) -> tuple[int, bool]:
    """Play a demonstration and show each page in all variants; returns its number of entries, and whether it
    is over."""
    from companion.core.game import Setup, games
    from companion.ui.demo.demo import PIXELS, SEATS, begin

    app = r.app
    app.desk.settings = replace(app.desk.settings, moments=True)
    rules = games()[game]
    demo = begin(app, rules, Setup(game, SEATS), rules.demo_seed, None, None, r.clock)
    demo.guide.pictured = True
    demo.guide.see(np.full((PIXELS[1], PIXELS[0], 3), 90, np.uint8), ())
    r.settle()
    turn = cycle(variants)
    _show(r, next(turn))
    for _ in range(STEPS):
        for _ in variants[1:]:  # a new page is already built in the current variant
            _show(r, next(turn))
        if app.screen.name == "score" or 0 < answers <= app.desk.session.entries:
            break
        shown = app.screen.name, app.desk.session.entries
        while (app.screen.name, app.desk.session.entries) == shown:
            r.now += SECONDS
            demo.step()
            r.settle()
    entries, over = app.desk.session.entries, app.desk.session.over
    for tab in [name for name in r.taps() if name.startswith("tab-")]:
        r.tap(tab)
        for _ in variants:
            _show(r, next(turn))
    return entries, over


def _show(r: Rehearsal, variant: ShotVariant) -> None:
    language, text = variant
    r.app.desk.settings = replace(r.app.desk.settings, language=language, text_size=text)
    r.app.refresh()


def _play(
    width: int,
    height: int,
    out: Path,
    variants: Sequence[ShotVariant],
    answers: int,
    games: Sequence[str],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), width, height, 0)
        from workshop.screens.layout_watch import LayoutWatch
        from workshop.screens.rehearsal import Rehearsal

        rehearsal = Rehearsal(Path(folder) / "first")
        disable_automatic_gc()
        for game in games:
            rehearsal.fresh(Path(folder) / game)
            watch = LayoutWatch(rehearsal.app, out)
            entries, over = demonstrate(rehearsal, game, variants, answers)
            for line in (*watch.found, Played(game, f"{width}x{height}", watch.pages, entries, over)):
                print(msgspec.json.encode(line).decode(), flush=True)


if __name__ == "__main__":
    wanted = [(how.split(":")[0], int(how.split(":")[1])) for how in sys.argv[4].split(",")]
    _width, _height, _answers = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[5])
    _play(_width, _height, Path(sys.argv[3]), wanted, _answers, sys.argv[6:])
    sys.stdout.flush()
    os._exit(0)  # closing an invisible window may take long
