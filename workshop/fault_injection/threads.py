"""Everything at once: starts, resumes, undo, presses, cards, another camera, another panel. Threads switch as
often as Python can, or in the middle of our lines (`thread_switches.py`)."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from itertools import count
from random import Random

import numpy as np

from companion.core.autoplay import any_answer
from companion.core.understand import Press
from companion.recognition import reading
from companion.table.camera_feed import NONE, CameraFeed
from companion.table.panel_setup import imagined
from companion.table.seat_panel import SeatPanel
from companion.table.signals import ScanMode
from companion.table.warm_up import warm_up
from devices.simulator import Simulator
from vision.camera_health import Frame, Health, Picture
from vision.sightings import Sighting
from workshop.fault_injection.desk_session import DeskSession, any_setup, desk_session
from workshop.fault_injection.faults import Fault, FaultTrial, Survived, expect
from workshop.fault_injection.ledger import Ledger
from workshop.fault_injection.thread_switches import switched

ROUNDS, FORCED = 120, 60
"""Deeds of the screen in one trial: with fast thread switches, and with delayed threads."""
BREATH = 20
"""After this many deeds all threads pause, and every listener must have heard everything."""
SHORTEST = 1e-6
"""Seconds a thread may run before Python switches; Python accepts nothing shorter in practice."""
SOON = 300.0
"""Seconds within which a woken thread runs, however busy the machine."""


@cache
def ready() -> None:
    """What every program does before it starts its second thread."""
    warm_up()


class FlakyCamera:
    """A camera whose every picture is different, and which is unplugged now and then."""

    def __init__(self, seed: int, source: str = "") -> None:
        self._random, self._number = Random(seed), count()
        self.source, self.closed = source, False

    def read(self, *, soon: bool = False) -> Frame | None:
        """The next picture."""
        expect(not self.closed, "a camera was looked through after it was put away")
        if self._random.random() < 0.2:
            return None
        picture = np.full((36, 64), self._random.randrange(60, 200), dtype=np.uint8)
        return Frame(picture, next(self._number) / 15)

    def health(self) -> Health:
        """Working, or not."""
        return Health(self._random.random() < 0.9, what="" if self._random.random() < 0.9 else "gone")

    def close(self) -> None:
        """Close it."""
        self.closed = True


class RandomReader:
    """A reader that sees random labels in any picture."""

    def __init__(self) -> None:
        self._random = Random(5)
        self._texts = [
            text for game in reading.labelled() for text in list(reading.book(game).texts.values())[:20]
        ]

    def read(self, picture: Picture, *, waiting: bool = True, brief: bool = False) -> tuple[Sighting, ...]:
        """Some labels at random places."""
        shown = self._random.sample(self._texts, min(2, len(self._texts)))
        x, y = self._random.random() * 60, self._random.random() * 30
        corners = ((x, y), (x + 4, y), (x + 4, y + 4), (x, y + 4))
        return tuple(Sighting(text, corners, "zxing", 1.0, 1.0) for text in shown)


class RandomFeed(CameraFeed):
    """The camera of the desk, with this reader."""

    def _reader(self) -> RandomReader:
        return RandomReader()


@contextmanager
def hurried() -> Iterator[list[str]]:
    """Switch threads all the time; collects the exceptions of all threads."""
    crashes: list[str] = []
    before, usual = sys.getswitchinterval(), threading.excepthook
    threading.excepthook = lambda what: crashes.append(
        f"{what.thread and what.thread.name}: {what.exc_value!r}"
    )
    sys.setswitchinterval(SHORTEST)
    try:
        yield crashes
    finally:
        sys.setswitchinterval(before)
        threading.excepthook = usual


def _unplug(simulator: Simulator, random: Random) -> None:
    """Unplug parts of the panel, or plug them in."""
    for chip in simulator.pins.chips:
        chip.plugged = random.random() < 0.5
    simulator.lines.gone = {None} if random.random() < 0.5 else set()


def _deeds(
    table: DeskSession, feed: CameraFeed, simulator: Simulator, random: Random
) -> tuple[Callable[[], object], ...]:
    """Everything a screen does; no deed waits for the one before."""
    desk = table.desk

    def answer() -> None:
        if desk.play is not None and not desk.session.over:
            desk.propose(any_answer(desk.session, random))

    def undo() -> None:
        if desk.play is not None and desk.session.story():
            desk.undo()

    def resume() -> None:
        if desk.plays:
            desk.resume(random.choice(desk.plays).id)

    return (
        *(answer,) * 6,
        *(undo,) * 2,
        *(resume,) * 2,
        lambda: desk.start(*any_setup(random)),
        desk.look_up_plays,
        lambda: desk.leave() if random.random() < 0.2 else None,
        lambda: desk.play is not None and (desk.unpause if desk.session.paused else desk.pause)(),
        lambda: desk.set_scan_mode(ScanMode(random.choice(("now", "later", "never")))),
        lambda: desk.change(volume=random.randrange(100)),
        *(lambda: feed.watch(random.choice(("one", "other", NONE))),) * 4,
        lambda: feed.wait_for_scan(random.random() < 0.7),
        lambda: feed.mark_spot(None),
        lambda: _unplug(simulator, random),
        table.pump,
        table.pump,
    )


class ButtonPresser:
    """Presses at every seat, from a thread of its own, until told to pause."""

    def __init__(self, table: DeskSession) -> None:
        self._propose = table.desk.propose
        self._go, self._still, self._stop = threading.Event(), threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._press, name="hands", daemon=True)
        self._go.set()
        self._thread.start()

    def _press(self) -> None:
        random = Random(9)
        while not self._stop.wait(0.0005):
            if not self._go.is_set():
                self._still.set()
                self._go.wait()
            self._propose(Press(random.randrange(6)))

    def hold_still(self) -> None:
        """Pause until `go_on`."""
        self._still.clear()
        self._go.clear()
        self._still.wait(SOON)

    def go_on(self) -> None:
        """Press again."""
        self._go.set()

    def stop(self) -> None:
        """Stop for good."""
        self._stop.set()
        self._go.set()
        self._thread.join()


class Cameras:
    """Every camera that was ever opened."""

    def __init__(self) -> None:
        self._opened: list[FlakyCamera] = []

    def open(self, source: str) -> FlakyCamera:
        """Open another one."""
        self._opened.append(FlakyCamera(len(self._opened), source))
        return self._opened[-1]

    def check(self, feed: CameraFeed) -> None:
        """Of all opened cameras only the one wanted now is still open."""
        for thread in threading.enumerate():
            if thread.name == "camera feed":
                thread.join(SOON)
        left = [camera.source for camera in self._opened if not camera.closed]
        wanted = [] if feed.source == NONE else [feed.source]
        expect(left == wanted, f"people want camera {wanted}, and {left} are open")

    def end(self) -> None:
        """No thread uses any of them any more."""
        for camera in self._opened:
            camera.close()
        for thread in threading.enumerate():
            if thread.name == "vision":
                thread.join(SOON)


def soon(true: Callable[[], bool], otherwise: str) -> None:
    end = time.monotonic() + SOON
    while not true():
        expect(time.monotonic() < end, otherwise)
        time.sleep(0.001)


def clerks() -> set[threading.Thread]:
    """Every thread that writes to some journal."""
    return {thread for thread in threading.enumerate() if thread.name == "clerk"}


def _all_have_heard(
    table: DeskSession, panel: SeatPanel, feed: CameraFeed, cameras: Cameras, others: set[threading.Thread]
) -> None:
    """Once nothing happens any more, every listener has heard everything; `others` are threads that write elsewhere."""
    cameras.check(feed)
    table.settle()
    soon(panel._inbox.empty, "the panel was woken and sleeps")
    writing = len(clerks() - others)
    expect(writing <= 1, f"{writing} threads write into one journal")


def _at_once(trial: FaultTrial, rounds: int, changing: AbstractContextManager[object]) -> Survived:
    """Many deeds from four threads: no thread crashes, and the journal holds exactly what was confirmed."""
    ledger, cameras, others = Ledger(), Cameras(), clerks()
    ready()
    with hurried() as crashes, changing, desk_session(trial.folder, ledger) as table:
        feed = RandomFeed(lambda: table.now, cameras.open)
        feed.listen(lambda: table.desk.take_camera_news(feed))
        simulator = Simulator(imagined(), 0.0)
        panel = SeatPanel(table.desk, simulator, lambda who, gesture: None)
        panel.start()
        hands = ButtonPresser(table)
        deeds = _deeds(table, feed, simulator, trial.random)
        try:
            for number in range(rounds):
                trial.random.choice(deeds)()
                feed.latest(), feed.trouble(), feed.made_up()
                if number % BREATH == BREATH - 1:
                    hands.hold_still()
                    _all_have_heard(table, panel, feed, cameras, others)
                    hands.go_on()
        finally:
            hands.stop()
            feed.stop()
            panel.stop()
        cameras.check(feed)
        table.settle()
        expect(not crashes, f"a thread crashed: {crashes[:3]}")
        unforeseen = [text for text in table.told if text.key.startswith("storage.")]
        expect(not unforeseen, f"the disk was in order, but people were told {unforeseen[:3]}")
    ledger.check(trial.path)
    return Survived(rounds)


def _hurried(trial: FaultTrial) -> Survived:
    return _at_once(trial, ROUNDS, nullcontext())


def held_back(trial: FaultTrial) -> Survived:
    """The same with delayed threads."""
    return _at_once(trial, FORCED, switched(trial.random.getrandbits(32)))


FAULTS = (Fault("threads", _hurried),)
