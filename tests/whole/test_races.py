"""Races that were put back on purpose: threads that are held back in the middle of our lines find each of them.

That there is none of them otherwise is what `threads-held-back` of `test_torture.py` says, with the same drills.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from companion.table.background import Background
from companion.table.camera_feed import CameraFeed
from companion.table.seat_panel import SeatPanel
from companion.torture import drills, threads
from companion.torture.faults import Harm, Ordeal
from tests.whole.mutations import put_in

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
    """Nobody waits for whoever opens another camera just now."""
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


RACES: dict[Mistake, Callable[[Ordeal], object]] = {
    asks_twice: drills.cameras,
    believes_the_camera_is_still_wanted: drills.cameras,
    opens_two_cameras_at_once: drills.cameras,
    hires_two_clerks: drills.clerks,
    falls_asleep_while_it_is_woken: drills.panels,
}
TRIES = 30


LONG = 60.0
"""Seconds within which a thread ends whose camera was put away, however busy the machine is."""


@pytest.fixture
def nobody_looks_on() -> Iterator[None]:
    """Whoever still looks through a camera that was put away falls here, and not in the midst of another test."""
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        if thread.name == "vision":
            thread.join(LONG)


@pytest.mark.usefixtures("nobody_looks_on")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("race", RACES, ids=lambda race: race.__name__)
# One and the same thread that two start falls inside of Python: that is the race, and whoever drills must see it.
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
            RACES[race](Ordeal(folder, Random(seed)))
        except (Harm, AttributeError, RuntimeError):
            return
    pytest.fail(f"nobody noticed: {race.__doc__}")
