"""How fast the window is: to the first screen, from change to picture, and while other threads are busy.

    .venv/bin/python benchmarks/screen.py

Needs no display. A frame takes as long as one turn of the window's loop; 50 ms is the most anybody should
have to wait, and the figure printed is the longest of a few seconds.
"""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from companion.ui import start  # noqa: E402

os.environ.update(SDL_VIDEODRIVER="offscreen", SDL_AUDIODRIVER="dummy")

WATCHED = str(Path(__file__).parent.parent / "tests" / "ui" / "watched_program.py")
SECONDS = 4.0
FRAME = 1 / 30


def to_home(folder: Path) -> float:
    """Seconds from starting the program to its first screen."""
    taps = folder / "taps.json"
    environ = {**os.environ, "COMPANION_HOME": str(folder)}
    environ.pop("COMPANION_SCREEN", None)
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-P", WATCHED, str(taps)], env=environ)
    try:
        while not taps.exists() and process.poll() is None:
            time.sleep(0.005)
        return time.perf_counter() - began
    finally:
        process.kill()
        process.wait()


def longest(rehearsal: Rehearsal, disturb: Callable[[int], None]) -> str:
    """The longest turn of the loop while something else goes on: without painting, and with."""
    rehearsal.frames(3)
    glFinish()  # the first picture has to wait for its painter's own preparations
    turns, painted = [], []
    end = time.perf_counter() + SECONDS
    while (began := time.perf_counter()) < end:
        disturb(len(turns))
        rehearsal.frames(1)
        turns.append(time.perf_counter() - began)
        glFinish()  # without a display nobody waits for the picture, and the wait would pile up
        painted.append(time.perf_counter() - began)
        time.sleep(max(0.0, FRAME - painted[-1]))
    return f"{1000 * max(turns):6.1f} {1000 * max(painted):6.1f}"


class LoopingCamera:
    """A camera that shows the same few pictures again and again, at the speed of a real one."""

    def __init__(self, pictures: list[object]) -> None:
        self.pictures, self.number, self.last = pictures, 0, 0.0

    def read(self, *, soon: bool = False) -> Frame | None:
        now = time.monotonic()
        if now - self.last < 1 / 15:
            return None
        self.last, self.number = now, self.number + 1
        return Frame(self.pictures[self.number % len(self.pictures)], now)

    def health(self) -> Health:
        return Health(True, "", 15.0)

    def close(self) -> None:
        pass


def camera(rehearsal: Rehearsal) -> CameraFeed:
    """A camera feed whose worker reads pictures of twelve cards in its thread."""
    race = games()["race"]
    texts = list(reading.book(race).texts.values())[:12]
    pictures = [shot.picture for shot in film(spread(texts, 3), PRESETS["good-lamp"], 3, 6)]
    camera_feed = CameraFeed(time.monotonic, lambda source: LoopingCamera(pictures))
    camera_feed.watch("replayed")
    while camera_feed.latest() is None:  # loading the eyes is measured by the time to the first screen
        time.sleep(0.01)
    camera_feed.wait_for_scan(True)
    return camera_feed


def busy(rehearsal: Rehearsal) -> dict[str, Callable[[int], None]]:
    """What may go on while people look at the screen."""
    app = rehearsal.app
    race = games()["race"]

    def slow_disk(n: int) -> None:
        if n % 15 == 0:
            app.desk.clerk.do(lambda journal, binder: time.sleep(0.3), lambda _: None, lambda _: None)

    def answers(n: int) -> None:
        if n % 15 == 0 and not app.desk.session.over:
            app.desk.propose(rehearsal._next(app.desk.session))
        elif n % 15 == 14:
            rehearsal._bots.follow(app.desk.session.state, app.desk.session.state.news)

    return {
        "nothing": lambda n: None,
        "a disk that takes 300 ms": slow_disk,
        "sounds": lambda n: app.voice.sound("accepted") if n % 10 == 0 else None,
        "scoring": lambda n: race.sheet(app.desk.session.state) and None,
        "answers (a screen is rebuilt)": answers,
    }


class Build(NamedTuple):
    """What showing one scene costs, in seconds; `worked` is how long a core was busy with it."""

    first_worked: float
    usual: float
    longest: float
    worked: float
    tidied: float


def build_of(rehearsal: Rehearsal, prepared: Callable[[Rehearsal], None]) -> Build:
    """Show a scene for the first time, then rebuild it, and free what each page left."""
    app, firsts = rehearsal.app, []
    refresh = app.refresh

    def timed() -> None:
        since = time.thread_time()
        refresh()
        firsts.append(time.thread_time() - since)

    app.refresh = timed
    prepared(rehearsal)
    rehearsal.settle()
    del app.refresh
    took, worked, tidied = [], [], []
    for _ in range(9):
        rehearsal.frames(1)
        began, busy_since = time.perf_counter(), time.thread_time()
        app.refresh()
        took.append(time.perf_counter() - began)
        worked.append(time.thread_time() - busy_since)
        rehearsal.frames(1)
        busy_since = time.thread_time()
        gc.collect()
        tidied.append(time.thread_time() - busy_since)
    return Build(
        max(firsts, default=0.0),
        statistics.median(took),
        max(took),
        statistics.median(worked),
        statistics.median(tidied),
    )


def builds(folder: Path, rehearsal: Rehearsal) -> dict[str, Build]:
    """What showing each scene costs."""
    found = {}
    for name, prepared in staging.scenes().items():
        rehearsal.fresh(folder / f"scene-{name}")
        gc.collect()
        gc.freeze()  # a scene's whole play need not be looked through again and again
        found[name] = build_of(rehearsal, prepared)
    return found


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        times = [to_home(folder / f"start-{n}") for n in range(5) if not (folder / f"start-{n}").mkdir()]
        print(
            f"to the first screen: {statistics.median(times):.2f} s (of 5: {min(times):.2f} to {max(times):.2f})"
        )
        start.prepare(folder)
        _import()
        rehearsal = Rehearsal(folder / "app", drawn=True)
        start.disable_automatic_gc()
        print(
            "longest time a frame was held, ms (by the program; and with painting it, here without a graphics chip):"
        )
        for what, disturb in busy(rehearsal).items():
            rehearsal.fresh(folder / f"busy-{len(what)}")
            rehearsal.play("race", ("Ania", "Bartek", "Celina"), answers=50, seed=3)
            print(f"  {longest(rehearsal, disturb)}  {what}")
        for screen in ("table", "scan"):
            rehearsal.fresh(folder / f"camera-{screen}")
            rehearsal.play("race", ("Ania", "Bartek", "Celina"), answers=50, seed=3)
            camera_feed = camera(rehearsal)
            rehearsal.app.use_camera(camera_feed)
            rehearsal.app.go(screen)
            held = longest(rehearsal, lambda n: None)
            print(f"  {held}  a camera that is read, the {screen} shown")
            camera_feed.stop()
        print("a screen, ms a core works: shown first, rebuilt, what it left freed; rebuilt by the clock:")
        found = builds(folder, rehearsal)
        for scene, build in sorted(found.items(), key=lambda one: -one[1].first_worked):
            figures = (build.first_worked, build.worked, build.tidied, build.usual, build.longest)
            print(" ".join(f"{1000 * figure:6.1f}" for figure in figures), f" {scene}")


def _import() -> None:
    """Kivy's window is made when it is imported, and must be prepared before."""
    global glFinish, Frame, Health, CameraFeed, PRESETS, Rehearsal, film, games, reading, staging, spread
    from kivy.graphics.opengl import glFinish

    from companion.core.game import games
    from companion.recognition import reading
    from companion.table.camera_feed import CameraFeed
    from vision.camera import Frame, Health
    from vision.virtual import PRESETS, film, spread
    from workshop.screens import staging
    from workshop.screens.rehearsal import Rehearsal


if __name__ == "__main__":
    from benchmarks.report import reported

    code = reported(main)
    sys.stdout.flush()
    os._exit(code)
