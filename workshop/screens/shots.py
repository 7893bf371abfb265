"""Takes pictures of every screen without people, and checks them strictly.

Without a display a window cannot be resized reliably, so each size is a process of its own: this module is
started with a size, the anti-aliasing samples, a folder, languages with text sizes and the names of scenes,
and writes one line for each fault.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from companion.ui.start import SAMPLES, disable_automatic_gc, prepare
from workshop.screens.staging import scenes

SIZES = ((800, 480), (720, 1280))
ShotVariant = tuple[str, int]
"""A language and a text size."""

VARIANTS: tuple[ShotVariant, ...] = tuple(
    (language, text) for language in ("en", "pl") for text in (100, 150)
)

LIGHT = ("home", "table", "choose", "score", "settings")
"""Scenes that are also taken in light colours."""


QUIET = {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy", "LP_NUM_THREADS": "0"}
"""Environment variables for an invisible window."""


def take(
    out: Path,
    names: Iterable[str],
    sizes: Sequence[tuple[int, int]] = SIZES,
    variants: Sequence[ShotVariant] = VARIANTS,
    samples: int = SAMPLES,
) -> tuple[int, list[str]]:
    """Take the pictures of these scenes, all sizes in parallel; returns how many there are, and what is wrong
    with them."""
    out.mkdir(parents=True, exist_ok=True)
    running = [
        subprocess.Popen(
            [
                sys.executable,
                "-P",
                "-m",
                "workshop.screens.shots",
                str(width),
                str(height),
                str(samples),
                str(out),
                ",".join(written(variants)),
                *names,
            ],
            env={**os.environ, **QUIET},
            stdout=subprocess.PIPE,
            text=True,
        )
        for width, height in sizes
    ]
    lines = [line for process in running for line in process.communicate()[0].splitlines()]
    if any(process.returncode for process in running):
        raise RuntimeError("pictures could not be taken; the reason is above")
    return sum(line == "taken" for line in lines), [line for line in lines if line != "taken"]


def written(variants: Sequence[ShotVariant]) -> list[str]:
    """Languages with text sizes, as arguments for another process."""
    return [f"{language}:{text}" for language, text in variants]


def picture_variants(name: str, variants: Sequence[ShotVariant] = VARIANTS) -> Iterator[tuple[str, int, str]]:
    """The language, text size and colours of each picture of a scene."""
    for language, text in variants:
        yield language, text, "dark"
    if name in LIGHT:
        yield "en", 100, "light"


def _take(
    width: int, height: int, samples: int, out: Path, variants: Sequence[ShotVariant], names: Sequence[str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), width, height, samples)
        from workshop.screens.checks import problems
        from workshop.screens.rehearsal import Rehearsal

        rehearsal = Rehearsal(Path(folder) / "first")
        disable_automatic_gc()
        prepared = scenes()
        for number, name in enumerate(names):
            rehearsal.fresh(Path(folder) / str(number))
            prepared[name](rehearsal)
            rehearsal.settle_beside()
            gc.freeze()  # the garbage collector need not search a long play after every picture
            for language, text, theme in picture_variants(name, variants):
                rehearsal.change(language=language, text_size=text, theme=theme)
                rehearsal.settle_beside()
                suffix = "-light" if theme == "light" else ""
                file = out / f"{name}-{width}x{height}-{language}-{text}{suffix}.png"
                rehearsal.shoot(file)
                for problem in problems(rehearsal.app, file):
                    print(f"{file.name}: {problem}", flush=True)
                print("taken", flush=True)


if __name__ == "__main__":
    wanted = [(how.split(":")[0], int(how.split(":")[1])) for how in sys.argv[5].split(",")]
    _width, _height, _samples = map(int, sys.argv[1:4])
    _take(_width, _height, _samples, Path(sys.argv[4]), wanted, sys.argv[6:])
    os._exit(0)  # closing an invisible window may take long
