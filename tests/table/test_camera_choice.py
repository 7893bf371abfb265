"""Which camera is read when people change the choice quickly."""

from __future__ import annotations

import os
import sys
from threading import Event

import pytest

from companion.table.camera_feed import NONE
from tests.patience import PATIENCE
from workshop.fault_injection.threads import FlakyCamera, RandomFeed


def test_the_camera_chosen_last_is_read_in_whatever_order_the_threads_come() -> None:
    opened: list[str] = []

    def open_camera(source: str) -> FlakyCamera:
        opened.append(source)
        return FlakyCamera(1)

    feed = RandomFeed(lambda: 0.0, open_camera)
    feed.source = "second"  # as after two taps, before either thread has run
    feed._begin("second")
    worker = feed._worker
    feed._begin("first")
    assert opened == ["second"]
    assert feed._worker is worker is not None
    feed.stop()
    assert feed.source == NONE
    assert feed._worker is None
    feed._begin("second")  # a thread that comes after everything was put away opens nothing
    assert opened == ["second"]
    assert feed.news() == ()
    assert feed.latest() is None


def test_stopping_does_not_wait_for_a_camera_that_is_being_opened() -> None:
    opening, answers, closed = Event(), Event(), Event()

    class Slow(FlakyCamera):
        def close(self) -> None:
            closed.set()

    def open_camera(source: str) -> FlakyCamera:
        opening.set()
        assert answers.wait(PATIENCE)
        return Slow(1)

    feed = RandomFeed(lambda: 0.0, open_camera)
    feed.watch("slow")
    assert opening.wait(PATIENCE)
    feed.stop()  # which would wait for ever
    assert feed.source == NONE
    answers.set()
    assert closed.wait(PATIENCE)
    assert feed._worker is None


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own elsewhere")
def test_reading_pictures_lets_the_screen_go_first() -> None:
    seen: list[int] = []
    read = Event()

    class Feeling(FlakyCamera):
        """A camera that feels how its reader is treated."""

        def read(self, *, soon: bool = False) -> None:
            seen.append(os.getpriority(os.PRIO_PROCESS, 0))
            read.set()

    before = os.getpriority(os.PRIO_PROCESS, 0)
    feed = RandomFeed(lambda: 0.0, lambda _: Feeling(1))
    feed.watch("any")
    assert read.wait(PATIENCE)
    feed.stop()
    assert before < min(seen, default=before)
    assert os.getpriority(os.PRIO_PROCESS, 0) == before, "of all others nothing is asked"


def test_it_is_read_where_nobody_may_ask_for_that(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: int) -> int:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "nice", refused)
    read = Event()

    class Heard(FlakyCamera):
        """A camera that tells that it is read."""

        def read(self, *, soon: bool = False) -> None:
            read.set()

    feed = RandomFeed(lambda: 0.0, lambda _: Heard(1))
    feed.watch("any")
    assert read.wait(PATIENCE)
    feed.stop()
