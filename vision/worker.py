"""Reads a camera on its own thread: only the newest frame, often during a scan, rarely otherwise."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable

from msgspec import Struct

from vision.camera import Camera, Frame, Health
from vision.label_news import LabelNews
from vision.sightings import Sighting
from vision.sweep import SweepZone
from vision.watcher import Reads, Watcher

GENTLE = 5.0
"""Seconds between two looks while nobody waits for a scan: enough to notice that a camera was unplugged."""

NO_FRAME = 0.01
"""Seconds to wait if the camera has no new frame."""


class Glance(Struct, frozen=True):
    """What one frame showed."""

    frame: Frame
    sightings: tuple[Sighting, ...]


class Vitals(Struct, frozen=True):
    """How the reader is doing."""

    camera: Health
    looks: int
    seconds_per_look: float
    disturbed: str = ""
    """Why the camera cannot see the table as it was: "dark" or "moved"; empty if it can."""


class Worker:
    """A thread that reads a camera; asking it for results never blocks."""

    def __init__(
        self,
        camera: Camera,
        reader: Reads,
        clock: Callable[[], float],
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        """`wake` is called on the thread whenever there are news or the camera's health changed."""
        self._camera, self._clock, self._wake = camera, clock, wake
        self._what = ""
        self._news: queue.SimpleQueue[LabelNews] = queue.SimpleQueue()
        self._latest: Glance | None = None
        self._wanted = threading.Event()
        self._stopped = threading.Event()
        self._watcher = Watcher(reader)
        self._count, self._took = 0, 0.0
        self._fell = False
        self._thread = threading.Thread(target=self._run, name="vision", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread and close the camera."""
        self._stopped.set()
        self._wanted.set()
        self._thread.join()
        self._camera.close()

    def wait_for_scan(self, waiting: bool) -> None:
        """Say whether somebody waits for a scan."""
        if waiting:
            self._wanted.set()
        else:
            self._wanted.clear()

    def mark_spot(self, spot: SweepZone | None) -> None:
        """Only cards that enter this part of the picture (corners as fractions of its size) count as shown."""
        self._watcher.spot = spot

    def news(self) -> tuple[LabelNews, ...]:
        """Every label that came or went since the last call."""
        found = []
        while True:
            try:
                found.append(self._news.get_nowait())
            except queue.Empty:
                return tuple(found)

    def latest(self) -> Glance | None:
        """The newest frame that was looked at, with what was read in it."""
        return self._latest

    def vitals(self) -> Vitals:
        """How reading is going."""
        return Vitals(self._camera.health(), self._count, self._took, self._watcher.disturbed)

    def process_newest(self) -> bool:
        """Look at the newest frame once; false if there is none."""
        frame = self._camera.read(soon=self._watcher.brief)
        if frame is None:
            return False
        began = self._clock()
        try:
            sightings, news = self._watcher.process(frame, waiting=self._wanted.is_set())
        except Exception:  # one bad picture must not stop the camera for the rest of the evening
            self._failed(frame)
            return True
        for item in news:
            self._news.put(item)
        self._latest = Glance(frame, sightings)
        self._count, self._took = self._count + 1, self._clock() - began
        if news:
            self._wake()
        return True

    def _failed(self, frame: Frame) -> None:
        """Report the exception once, as if the thread had died of it, and continue with the next picture."""
        if not self._fell:
            self._fell = True
            threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))
        self._latest = Glance(frame, ())

    def check(self) -> bool:
        """Report a change of the camera's health; false if there will never be another picture."""
        what = self._camera.health().what
        if what != self._what:
            self._what = what
            self._wake()
        return what != "over"

    def _run(self) -> None:
        while not self._stopped.is_set():
            looked = self.process_newest()
            if not self.check():
                return
            if not self._wanted.is_set():
                self._wanted.wait(GENTLE)  # wakes at once when somebody begins to wait, or on stop
            elif not looked:
                self._stopped.wait(NO_FRAME)
