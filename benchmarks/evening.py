"""An evening under load: six seats, 60 labels, a camera at full rate, 2,000 answers, 5,000 plays in the journal.

    .venv/bin/python benchmarks/evening.py                             all of it, some minutes
    .venv/bin/python benchmarks/evening.py --answers 200 --plays 500   a quick run

Needs Linux, but no display. The camera is another process that sends pictures of 1920x1080 as a phone would;
nothing is painted, as if a graphics chip did that. Answers are random; a finished play is undone to its
beginning and goes on, so it stays one play. An answer every 1.8 s of the evening's own clock makes an hour.
Printed: the memory after each tenth, how long frames took (the screen's thread, wall-clock and processor
time, and how long it waited for a core), how long an answer takes until it is written, and until the screen
shows it. On a busy machine processor time is more reliable than wall-clock time.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name
    sys.path.append(str(ROOT / "benchmarks"))

import many_plays  # noqa: E402
import memory  # noqa: E402

LABELS = 60
ANSWER = 1.8
"""Seconds of the evening from an answer to the next."""
MOST = 300
"""Megabytes the window may take."""


def biggest() -> Any:
    """The game for the most people that has labels."""
    from companion.core.game import games

    return max((g for g in games().values() if g.box.label is not None), key=lambda g: g.box.seats[-1])


def be_a_camera() -> None:
    """Draw a table full of cards, then send it to the reader."""
    import cv2

    from companion.recognition.reading import book
    from vision.virtual import PRESETS, shoot, spread

    texts = list(book(biggest()).texts.values())[:LABELS]
    shots = [shoot(spread(texts, 1), PRESETS["good-lamp"], seed, size=memory.SIZE) for seed in range(3)]
    pictures = [cv2.imencode(".jpg", shot.picture)[1].tobytes() for shot in shots]
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Filming", (memory.Phone,), {"pictures": pictures}))
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}/video", flush=True)
    server.serve_forever()


class WindowEvening:
    """The window with everything that happens before it."""

    def __init__(self, app: Any, answers: int, minutes: float) -> None:
        self.app, self.wanted, self.random = app, answers, Random(1)
        self.latest = time.monotonic() + 60 * minutes
        self.proposed: tuple[Any, float] | None = None
        self.written: list[float] = []
        self.shown: list[float] = []
        self.seen: list[float] = []
        self.frames: list[tuple[float, ...]] = []
        self.given = self.presses = self.labels = self.tenth = 0
        app.desk.listen_at_once(self.at_once)
        app.desk.listen(self.told)

    def clock(self) -> float:
        """The evening's own time."""
        return 1.8e9 + self.given * ANSWER

    def at_once(self, event: Any) -> None:
        """In the clerk's thread: it is on the disk."""
        if self.proposed is not None and getattr(event, "signal", None) is self.proposed[0]:
            self.written.append(time.perf_counter() - self.proposed[1])

    def told(self, event: Any) -> None:
        """In the screen's thread, which rebuilds the screen for this frame."""
        if self.proposed is not None and getattr(event, "signal", None) is self.proposed[0]:
            self.seen.append(self.proposed[1])
            self.proposed, self.given = None, self.given + 1

    def frame(self, *took: float) -> None:
        """A frame is over: whatever was told in it can be seen."""
        self.frames.append(took)
        self.shown += [time.perf_counter() - since for since in self.seen]
        self.seen.clear()

    def step(self) -> None:
        """What people do between two frames."""
        from companion.core.autoplay import any_answer

        desk = self.app.desk
        if desk.play is None or self.app.screen.name != "table":
            return
        if self.app.asked is not None:
            self.app.dismiss()
        self.press()
        glance = self.app.camera_feed.latest()
        self.labels = max(self.labels, 0 if glance is None else len(glance.sightings))
        if self.given >= self.wanted * (self.tenth + 1) / 10:
            self.tenth += 1
            memory.tell(f"after {self.given} answers, {desk.session.entries} entries")
        if self.given >= self.wanted or time.monotonic() > self.latest:
            self.app.stop()
        elif self.proposed is not None and time.perf_counter() - self.proposed[1] < 5:
            return
        elif desk.session.over:
            desk.undo(len(desk.session.moments) - 1)
        else:
            answer = any_answer(desk.session, self.random)
            self.proposed = answer, time.perf_counter()
            desk.propose(answer)

    def press(self) -> None:
        """All six press; most of it is refused, for only some are asked."""
        from companion.core.understand import Press

        if self.random.random() < 0.3:
            for seat in range(6):
                self.presses += 1
                self.app.desk.propose(Press(seat))


def now() -> tuple[float, float, float]:
    """Seconds by the clock, those this thread had a core, and those it waited for one."""
    clock, processor = time.perf_counter(), time.thread_time()
    with open("/proc/thread-self/schedstat", encoding="ascii") as file:
        return clock, processor, int(file.read().split()[1]) / 1e9


def be_the_window(folder: Path, source: str, answers: int, minutes: float) -> None:
    """Open the window as people do, and let the evening begin."""
    from companion.table.warm_up import warm_up
    from companion.ui import start

    warm_up()
    start.prepare(folder)
    from kivy.clock import Clock

    from companion.app import CompanionApp
    from companion.core.game import Setup
    from companion.table.camera_feed import CameraFeed
    from companion.table.settings import Settings

    app = CompanionApp(folder, CameraFeed(time.monotonic))
    app.desk.settings = Settings(camera=source, language="en")
    evening = WindowEvening(app, answers, minutes)
    app.desk.clock = evening.clock
    game, idle, since = biggest(), Clock.idle, now()

    def rest() -> Any:
        nonlocal since
        evening.frame(*(till - then for till, then in zip(now(), since, strict=True)))
        found = idle()
        since = now()
        return found

    def begin(app: Any) -> None:
        memory.tell("the Home screen")
        app.panel.connect(True)
        app.desk.start(game, Setup(game.id, many_plays.NAMES[: game.box.seats[-1]]))
        Clock.schedule_interval(lambda _: evening.step(), 0)
        Clock.idle = rest

    app.show(begin)
    report(evening, game.id)


def report(evening: WindowEvening, game: str) -> None:
    """The figures."""
    with open("/proc/self/status", encoding="ascii") as file:
        peak = int(next(line for line in file if line.startswith("VmHWM")).split()[1]) / 1024
    print(f"| the most at any moment (aim: {MOST} MB) | {peak:.0f} MB | | |\n")
    print(
        f"{game}, {evening.given} answers, {evening.presses} presses, {evening.labels} labels read at once\n"
    )
    frames = evening.frames[30:]  # the table is being opened
    print("| ms | median | 99 % | longest |\n|---|---|---|---|")
    for what, times in (
        ("a frame, by the clock", [frame[0] for frame in frames]),
        ("a frame, by the processor", [frame[1] for frame in frames]),
        ("in a frame, waiting for a core", [frame[2] for frame in frames]),
        ("from a tap to the disk", evening.written),
        ("from a tap to the screen", evening.shown),
    ):
        order = sorted(1000 * seconds for seconds in times)
        p99 = order[int(0.99 * (len(order) - 1))]
        print(f"| {what} | {statistics.median(order):.1f} | {p99:.1f} | {order[-1]:.1f} |")


@contextmanager
def camera() -> Iterator[str]:
    """The address of a camera in a process of its own."""
    with subprocess.Popen(
        [sys.executable, __file__, "--be", "camera"], stdout=subprocess.PIPE, text=True
    ) as it:
        assert it.stdout is not None
        try:
            yield it.stdout.readline().strip()
        finally:
            it.kill()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--answers", type=int, default=2000)
    parser.add_argument("--plays", type=int, default=5000)
    parser.add_argument("--minutes", type=float, default=60.0, help="after so many it ends in any case")
    parser.add_argument("--folder", help="on the disk for the journal")
    parser.add_argument("--be", choices=("camera", "window"), help=argparse.SUPPRESS)
    parser.add_argument("--source", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.be == "camera":
        be_a_camera()
    elif options.be == "window":
        be_the_window(Path(options.folder), options.source, options.answers, options.minutes)
    else:
        with tempfile.TemporaryDirectory(dir=options.folder) as name, camera() as source:
            many_plays.fill(Path(name) / "journal.db", options.plays)
            print(f"{options.plays} plays, load {os.getloadavg()[0]:.1f}\n", flush=True)
            print("| with | in all | its own | of files |\n|---|---|---|---|", flush=True)
            environ = {**os.environ, "SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy"}
            environ |= {"KIVY_GL_BACKEND": "mock"}
            environ.pop("COMPANION_SCREEN", None)
            command = [sys.executable, __file__, "--be", "window", "--folder", name, "--source", source]
            command += ["--answers", str(options.answers), "--minutes", str(options.minutes)]
            subprocess.run(command, env=environ, check=True)


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
