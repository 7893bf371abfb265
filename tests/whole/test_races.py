"""Races reintroduced on purpose: delaying threads in the middle of our lines finds each of them.

The fault `threads-held-back` of `./dev faults` uses the same drills to show that the program itself has none
of them.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest

from companion.table.background import Background
from companion.table.camera_feed import CameraFeed
from companion.table.seat_panel import SeatPanel
from tests.whole.mutations import put_in
from vision.worker import Worker
from workshop.fault_injection import race_drills, threads
from workshop.fault_injection.faults import FaultTrial, Harm

Mistake = Callable[[pytest.MonkeyPatch], None]


def asks_twice(patch: pytest.MonkeyPatch) -> None:
    """Which camera is read is asked twice: in between there may be none any more."""
    put_in(
        patch,
        CameraFeed,
        "latest",
        "worker = self._worker\n    return worker.latest() if worker",
        "return self._worker.latest() if self._worker",
    )


def believes_the_camera_is_still_wanted(patch: pytest.MonkeyPatch) -> None:
    """Of two cameras chosen quickly one after another the first may be opened last."""
    put_in(patch, CameraFeed, "_begin", "if source != self.source:", "if False:", times=3)


def opens_two_cameras_at_once(patch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a thread that is opening another camera."""
    put_in(patch, CameraFeed, "_begin", "with self._lock:", "if True:")


def hires_two_clerks(patch: pytest.MonkeyPatch) -> None:
    """Two threads ask for the first thing at once, and each finds nobody who would do it."""
    put_in(patch, Background, "do", "with self._lock:", "if True:")


def falls_asleep_while_it_is_woken(patch: pytest.MonkeyPatch) -> None:
    """What is put into the panel's inbox after it looked, and before it forgets that it was woken, is not heard."""
    put_in(
        patch,
        SeatPanel,
        "_run",
        "self.step(self.clock())\n",
        "self.step(self.clock())\n        self._woken.clear()\n",
    )


RACES: dict[Mistake, Callable[[FaultTrial], object]] = {
    believes_the_camera_is_still_wanted: race_drills.cameras,
    opens_two_cameras_at_once: race_drills.cameras,
    hires_two_clerks: race_drills.clerks,
    falls_asleep_while_it_is_woken: race_drills.panels,
}
TRIES = 30


LONG = 60.0
"""Seconds within which a thread ends whose camera was put away, however busy the machine is."""


@pytest.fixture
def nobody_looks_on() -> Iterator[None]:
    """A thread that still uses a closed camera fails here, and not in the middle of another test."""
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        if thread.name == "vision":
            thread.join(LONG)


@pytest.mark.usefixtures("nobody_looks_on")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("race", RACES, ids=lambda race: race.__name__)
# Starting one thread twice raises inside Python: that is the race, and this test must see it.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_race_that_is_put_back_is_found(
    race: Mistake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    race(monkeypatch)
    monkeypatch.setattr(threads, "SOON", 2.0)
    for seed in range(TRIES):
        folder = tmp_path / str(seed)
        folder.mkdir()
        try:
            RACES[race](FaultTrial(folder, Random(seed)))
        except (Harm, AttributeError, RuntimeError):
            return
    pytest.fail(f"nobody noticed: {race.__doc__}")


def at_step(number: int, function: Callable[[], object], meanwhile: Callable[[], object]) -> bool:
    """Call this, and do the other before its so-manieth step, as another thread would; whether it has so many."""
    code, steps = function.__code__, count()  # type: ignore[attr-defined]

    def step(frame: FrameType, event: str, given: Any) -> Any:
        if event == "opcode" and next(steps) == number:
            meanwhile()
        return step

    def called(frame: FrameType, event: str, given: Any) -> Any:
        if frame.f_code is not code:
            return None
        frame.f_trace_opcodes = True
        return step

    before = sys.gettrace()
    sys.settrace(called)
    try:
        function()
    finally:
        sys.settrace(before)
    return next(steps) > number


def camera_put_away_at_every_step(asked: str) -> None:
    """The camera is closed before every step of a thread that asks for it."""
    steps = count()
    while True:
        feed = threads.RandomFeed(lambda: 0.0, lambda source: threads.FlakyCamera(1))
        feed.source = "any"
        feed._worker = Worker(threads.FlakyCamera(1), threads.RandomReader(), lambda: 0.0)
        if not at_step(next(steps), getattr(feed, asked), partial(setattr, feed, "_worker", None)):
            return


def test_asking_a_camera_that_is_closed_meanwhile_does_no_harm() -> None:
    for asked in ("latest", "news", "trouble", "made_up"):
        camera_put_away_at_every_step(asked)


def test_asking_twice_which_camera_is_read_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    asks_twice(monkeypatch)
    with pytest.raises(AttributeError):
        camera_put_away_at_every_step("latest")
