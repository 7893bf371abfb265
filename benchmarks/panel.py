"""The latency of buttons and lamps while the camera is read, and the processor time of the idle program.

    .venv/bin/python benchmarks/panel.py                   both
    .venv/bin/python benchmarks/panel.py latency --presses 1000
    .venv/bin/python benchmarks/panel.py rest --seconds 20

Latency: a simulated panel with its own thread, a clerk with a journal on disk, and a reader that processes
full HD pictures of the virtual table without a pause, all in one process. A press is one of a button's
contacts with all their bounces; the time is measured until the first lamp changes. It is counted from the
release's last bounce, after which the contact must be quiet for 10 ms before it counts, and from the
release's first edge. No lamp changes before the answer is on the disk; the journal's share is reported
separately.

Rest: the app as people start it, without a display, with a simulated panel; processor time of one core.
"""

from __future__ import annotations

import argparse
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name


from companion.core.autoplay import next_answer  # noqa: E402
from companion.core.game import Setup, games  # noqa: E402
from companion.core.journal import Journal  # noqa: E402
from companion.core.session import Session  # noqa: E402
from companion.recognition import reading  # noqa: E402
from companion.table import background, seat_panel  # noqa: E402
from companion.table.desk import Desk  # noqa: E402
from companion.table.seat_panel import SeatPanel  # noqa: E402
from companion.ui import start  # noqa: E402
from devices.gestures import DOUBLE  # noqa: E402
from devices.lights import Light, Pattern  # noqa: E402
from devices.simulator import Simulator  # noqa: E402
from devices.wiring_config import default  # noqa: E402
from vision.camera import Frame, Health  # noqa: E402
from vision.virtual import PRESETS, film, spread  # noqa: E402
from vision.worker import Worker  # noqa: E402

NAMES = ("Ania", "Bartek", "Celina", "Darek")
DOWN = 0.06
"""Seconds a finger is down."""
BEGINS = 12.0
"""Seconds after which whatever happens when the app is started is done."""
PATIENCE = 10.0
"""Seconds after which a lamp that has not changed will not."""


class WatchedSimulator(Simulator):
    """A panel that remembers when a lamp last began to look different."""

    lights: dict[int, Light]
    changed = 0.0

    def show(self, lamps: Mapping[int, Pattern], at: float) -> None:
        super().show(lamps, at)
        lights = self.lamps()
        if lights != getattr(self, "lights", None):
            self.lights, self.changed = lights, time.monotonic()

    def release(self, who: int, at: float) -> tuple[float, float]:
        """Let a button go; when its contact first moves, and when for the last time."""
        before = {moment for moment, *_ in self._later}
        self.up(who, at)
        moments = [moment for moment, *_ in self._later if moment not in before]
        return min(moments), max(moments)


class Timed(Journal):
    """A journal that remembers how long an entry took to be safely on the disk."""

    last = 0.0

    def append(self, *entry: Any, **how: Any) -> None:
        began = time.monotonic()
        super().append(*entry, **how)
        Timed.last = time.monotonic() - began


background.Journal = Timed  # type: ignore[misc]
seat_panel.REVEAL = 0.3  # nobody has to turn a card over


class EndlessCamera:
    """A camera that always has another picture."""

    def __init__(self, pictures: list[object]) -> None:
        self.pictures, self.number = pictures, 0

    def read(self, *, soon: bool = False) -> Frame | None:
        self.number += 1
        return Frame(self.pictures[self.number % len(self.pictures)], time.monotonic())

    def health(self) -> Health:
        return Health(True, "", 30.0)

    def close(self) -> None:
        pass


class ButtonBench:
    """A table with buttons, at which bots sit."""

    def __init__(self, folder: Path) -> None:
        self.posted: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.desk = Desk(
            background.clerk(folder / "journal.db", self.posted.put), folder / "settings.json", time.time
        )
        self.simulator = WatchedSimulator(default(4, counters=True), time.monotonic())
        self.panel = SeatPanel(self.desk, self.simulator, lambda who, gesture: None)
        self.panel.start()
        threading.Thread(target=self._screen, daemon=True).start()
        self.last: dict[int, float] = {}

    def _screen(self) -> None:
        """The thread that would draw."""
        while True:
            self.posted.get()()

    def waited(self) -> float:
        """Seconds for which the panel's and the clerk's thread could have run but no core was free."""
        threads = (self.panel._thread, *self.desk.clerk._threads)
        told = [Path(f"/proc/self/task/{thread.native_id}/schedstat").read_text() for thread in threads]
        return sum(int(line.split()[1]) for line in told) / 1e9

    def settle(self) -> None:
        """Until everything asked for is done and shown."""
        self.desk.clerk.settle()
        done = threading.Event()
        self.posted.put(done.set)
        done.wait()

    def game(self, seed: int, most: int) -> tuple[list[tuple[float, float, float, float]], int]:
        """One game: the latencies of its presses, and how many presses changed no lamp."""
        rules, random = games()["race"], Random(seed)
        self.desk.start(rules, Setup("race", NAMES))
        self.settle()
        bots = rules.bots(self.desk.session.setup, random)
        bots.follow(self.desk.session.state, self.desk.session.state.news)
        found: list[tuple[float, float, float, float]] = []
        same = 0
        while not self.desk.session.over and len(found) < most:
            before = self.desk.session
            usual = [
                (q.seat, q.default.id)
                for q in before.questions()
                if q.default is not None
                and q.seat is not None
                and bots.choose(before.state, q) == q.default.id
            ]
            if usual:
                took = self._press(random.choice(usual)[0], before)
                found += [took] if took is not None else []
                same += took is None
            else:
                self.desk.propose(next_answer(before.state, bots, random))
            self.settle()
            after = self.desk.session
            assert after.entries > before.entries, "a press was lost"
            made = after.moments[len(before.moments) :]  # forced answers may have followed
            bots.follow(after.state, tuple(news for moment in made for news in moment.state.news))
        self.desk.leave()
        self.settle()
        return found, same

    def _press(self, seat: int, before: Session) -> tuple[float, float, float, float] | None:
        """Press this seat's button and wait for its answer."""
        now = time.monotonic()
        time.sleep(max(0.0, self.last.get(seat, 0.0) + DOUBLE + 0.05 - now, self.panel._reveal_until - now))
        down = time.monotonic()
        self.simulator.down(seat, down)
        self.panel.wake()
        time.sleep(DOWN)
        waited = self.waited()
        first, last = self.simulator.release(seat, time.monotonic())
        self.panel.wake()
        self.last[seat] = last
        while time.monotonic() < last + PATIENCE:
            if self.simulator.changed > last:
                changed = self.simulator.changed
                own = changed - last - Timed.last
                return changed - last, changed - first, own, own - (self.waited() - waited)
            if self.desk.session is not before and self.panel._session is self.desk.session:
                self.settle()
                if self.simulator.changed <= last:
                    return None
            time.sleep(0.001)
        raise AssertionError("nobody answered a press")


def pictures() -> list[object]:
    """A few pictures of twelve cards."""
    texts = list(reading.book(games()["race"]).texts.values())[:12]
    return [shot.picture for shot in film(spread(texts, 3), PRESETS["good-lamp"], 3, 6)]


def latency(presses: int, folder: str) -> None:
    """Print how long a lamp takes, with the camera and without."""
    start.take_turns()
    shown = pictures()
    for busy in (True, False):
        worker = Worker(EndlessCamera(shown), reading.reader(games()["race"]), time.monotonic)
        if busy:
            worker.wait_for_scan(True)
            worker.start()
        began = time.monotonic()
        with tempfile.TemporaryDirectory(dir=folder) as name:
            bench, found, same, seed = ButtonBench(Path(name)), [], 0, 0
            while len(found) < (presses if busy else presses // 3):
                took, unchanged = bench.game(seed, presses - len(found))
                found, same, seed = found + took, same + unchanged, seed + 1
            bench.panel.stop()
            bench.desk.clerk.stop()
        looks = worker.vitals().looks / (time.monotonic() - began)
        if busy:
            worker.stop()
        print(f"button to lamp, {f'while {looks:.1f} pictures a second are read' if busy else 'camera off'}")
        print(
            f"  {len(found)} presses that changed a lamp, {same} that changed none; load {os.getloadavg()[0]:.1f}"
        )
        whole = (
            "from the last bounce",
            "from the first edge",
            "from the last bounce, without the disk",
            "and without waiting for a core",
        )
        for n, what in enumerate(whole):
            times = sorted(1000 * took[n] for took in found)
            at = {f"{share} %": times[int(share / 100 * (len(times) - 1))] for share in (50, 95, 99)}
            words = ", ".join(f"{share} within {took:.1f}" for share, took in at.items())
            print(f"  {what}, ms: {words}, worst {times[-1]:.1f}")


def rest(seconds: float) -> None:
    """Print what the app costs while nobody does anything."""
    for camera, screen in (("none", "home"), ("none", "play"), ("virtual:good-lamp:1", "home")):
        with tempfile.TemporaryDirectory() as name:
            print(
                f"at rest ({screen}, camera {camera}): {_rest(Path(name), camera, screen, seconds):.2f} % of one core"
            )


def _rest(folder: Path, camera: str, screen: str, seconds: float) -> float:
    (folder / "settings.json").write_text(f'{{"camera": "{camera}", "language": "en"}}')
    environ = {
        **os.environ,
        "COMPANION_HOME": str(folder),
        "SDL_VIDEODRIVER": "offscreen",
        "SDL_AUDIODRIVER": "dummy",
    }
    environ.pop("COMPANION_SCREEN", None)
    if screen == "play":
        command = ["play", "race", "--seats", "Ania,Bartek,Celina,Darek", "--panel"]
    else:
        command = ["--panel"]
    words = [sys.executable, "-P", "-m", "companion.cli", *command]
    process = subprocess.Popen(words, env=environ, cwd=ROOT, start_new_session=True)
    try:
        time.sleep(BEGINS)
        before, began = _used(process.pid), time.monotonic()
        time.sleep(seconds)
        used = _used(process.pid) - before
        assert process.poll() is None, "the app did not stay"
        return 100 * used / (time.monotonic() - began)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _used(session: int) -> float:
    """Seconds of processor time of all processes of a session: the window and its supervisor."""
    ticks = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            fields = file.read_text().rpartition(")")[2].split()
            ticks += (int(fields[11]) + int(fields[12])) * (int(fields[3]) == session)
    return ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", nargs="?", choices=("latency", "rest"))
    parser.add_argument("--presses", type=int, default=300)
    parser.add_argument("--folder", default=str(ROOT), help="on the disk for the journal")
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    if options.what in (None, "latency"):
        latency(options.presses, options.folder)
    if options.what in (None, "rest"):
        rest(options.seconds)


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
