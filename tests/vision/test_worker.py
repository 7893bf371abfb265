"""The thread between camera and screen."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from tests.patience import PATIENCE
from tests.vision.test_track import seen
from vision.camera import Frame, Health
from vision.label_news import Noticed
from vision.sightings import Sighting
from vision.worker import Worker


class FakeCamera:
    """As many frames as it was given, then none."""

    def __init__(self, frames: int) -> None:
        self.left, self.closed = frames, False
        self.soon: list[bool] = []

    def read(self, *, soon: bool = False) -> Frame | None:
        self.soon.append(soon)
        if not self.left:
            return None
        self.left -= 1
        lit = np.tile(np.arange(0, 256, 4, dtype=np.uint8), (36, 1))
        return Frame(lit, float(100 - self.left) / 10)

    def health(self) -> Health:
        return Health(bool(self.left), "" if self.left else "no more pictures")

    def close(self) -> None:
        self.closed = True


class FakeReader:
    """Sees the same label in every frame, and remembers how it was asked."""

    def __init__(self) -> None:
        self.waiting: list[bool] = []
        self.enough = threading.Event()

    def read(self, picture: Any, *, waiting: bool = True, brief: bool = False) -> tuple[Sighting, ...]:
        self.waiting.append(waiting)
        if len(self.waiting) >= 5:
            self.enough.set()
        return (seen("A"),)


def test_after_a_brief_look_the_very_next_picture_is_wanted() -> None:
    camera = FakeCamera(3)
    worker = Worker(camera, FakeReader(), lambda: 0.0)
    for brief in (False, True, False):
        worker._watcher.brief = brief  # as the look before left it
        worker.process_newest()
    assert camera.soon == [False, True, False]


def test_looking_once_reads_the_newest_frame_and_tells_what_came() -> None:
    worker = Worker(FakeCamera(3), FakeReader(), lambda: 0.0)
    assert worker.latest() is None
    assert worker.process_newest()
    (news,) = worker.news()
    assert isinstance(news, Noticed)
    assert worker.news() == ()
    assert worker.process_newest()
    assert worker.news() == ()
    look = worker.latest()
    assert look is not None
    assert [s.text for s in look.sightings] == ["A"]
    assert worker.process_newest()
    assert not worker.process_newest()


def test_how_it_is_doing() -> None:
    ticks = iter(range(100))
    worker = Worker(FakeCamera(1), FakeReader(), lambda: float(next(ticks)))
    worker.process_newest()
    vitals = worker.vitals()
    assert (vitals.looks, vitals.seconds_per_look) == (1, 1.0)
    assert vitals.camera.trouble == "no more pictures"


def test_it_runs_beside_us_while_somebody_waits_and_lets_the_camera_go() -> None:
    camera, reader = FakeCamera(50), FakeReader()
    worker = Worker(camera, reader, lambda: 0.0)
    worker.wait_for_scan(True)
    worker.start()
    assert reader.enough.wait(PATIENCE)
    worker.stop()
    assert camera.closed
    assert all(reader.waiting)
    assert [type(n) for n in worker.news()] == [Noticed]


def test_nobody_waiting_is_told_to_the_reader() -> None:
    reader = FakeReader()
    Worker(FakeCamera(1), reader, lambda: 0.0).process_newest()
    assert reader.waiting == [False]


def test_a_picture_that_breaks_the_reader_is_told_once_and_the_next_one_is_read(monkeypatch: Any) -> None:
    told: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", told.append)

    class Stumbling(FakeReader):
        def read(self, picture: Any, *, waiting: bool = True, brief: bool = False) -> tuple[Sighting, ...]:
            found = super().read(picture, waiting=waiting)
            if len(self.waiting) < 3:
                raise np.linalg.LinAlgError("Singular matrix")
            return found

    worker = Worker(FakeCamera(3), Stumbling(), lambda: 0.0)
    assert worker.process_newest()
    assert worker.process_newest()
    assert worker.news() == ()
    assert [type(fell.exc_value) for fell in told] == [np.linalg.LinAlgError]
    assert worker.process_newest()
    (news,) = worker.news()
    assert isinstance(news, Noticed)


def test_a_camera_is_put_away_only_when_nobody_looks_through_it() -> None:
    """The thread is held in the middle of a look until somebody waits for its end."""
    looking, awaited = threading.Event(), threading.Event()
    alive: list[bool] = []

    class Held(FakeCamera):
        def read(self, *, soon: bool = False) -> Frame | None:
            looking.set()
            awaited.wait()
            return super().read()

        def close(self) -> None:
            alive.append(worker._thread.is_alive())
            awaited.set()

    worker = Worker(Held(1), FakeReader(), lambda: 0.0)
    join = worker._thread.join
    worker._thread.join = lambda timeout=None: (awaited.set(), join(timeout))[-1]  # type: ignore[method-assign]
    worker.start()
    looking.wait()
    worker.stop()
    assert alive == [False]
