"""Reads a camera off the screen's thread: newest frame only, quick while somebody waits, gentle while nobody does."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct

from vision.camera import Camera, Frame, Health
from vision.sightings import Sighting
from vision.track import News, Tracker

QUICK, GENTLE = 0.0, 0.5
"""Seconds between two looks while somebody waits for a scan, and while nobody does."""


class Look(Struct, frozen=True):
    """What one frame showed."""

    frame: Frame
    sightings: tuple[Sighting, ...]
    news: tuple[News, ...]


class Reads(Protocol):
    """Whatever finds labels in a picture."""

    def read(self, picture: Any, *, waiting: bool = True) -> tuple[Sighting, ...]:
        """The labels in this picture."""


class Vitals(Struct, frozen=True):
    """How the reader is doing."""

    camera: Health
    looks: int
    seconds_per_look: float
    trouble: str | None = None


class Worker:
    """A thread between a camera and whoever wants to know; `looks` never blocks."""

    def __init__(self, camera: Camera, reader: Reads, clock: Callable[[], float]) -> None:
        self._camera, self._reader, self._clock = camera, reader, clock
        self._looks: queue.SimpleQueue[Look] = queue.SimpleQueue()
        self._wanted = threading.Event()
        self._stopped = threading.Event()
        self._tracker = Tracker()
        self._count, self._took, self._trouble = 0, 0.0, None
        self._thread = threading.Thread(target=self._run, name="vision", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Stop looking and let the camera go."""
        self._stopped.set()
        self._wanted.set()
        self._thread.join()
        self._camera.close()

    def wait_for_scan(self, waiting: bool) -> None:
        """Somebody waits for a scan now, or nobody does any more."""
        if waiting:
            self._wanted.set()
        else:
            self._wanted.clear()

    def looks(self) -> tuple[Look, ...]:
        """Everything seen since the last call."""
        found = []
        while True:
            try:
                found.append(self._looks.get_nowait())
            except queue.Empty:
                return tuple(found)

    def vitals(self) -> Vitals:
        """How reading goes."""
        return Vitals(self._camera.health(), self._count, self._took, self._trouble)

    def look(self) -> Look | None:
        """Look at the newest frame once; nothing if there is none."""
        frame = self._camera.read()
        if frame is None:
            return None
        began = self._clock()
        sightings = self._reader.read(frame.picture, waiting=self._wanted.is_set())
        self._tracker, news = self._tracker.see(sightings, frame.at)
        self._count, self._took = self._count + 1, self._clock() - began
        return Look(frame, sightings, news)

    def _run(self) -> None:
        while not self._stopped.is_set():
            seen = self.look()
            if seen is not None:
                self._looks.put(seen)
            pause = QUICK if self._wanted.is_set() else GENTLE
            if pause or seen is None:
                # Woken at once when somebody begins to wait, or when we are to stop.
                (self._stopped if self._wanted.is_set() else self._wanted).wait(pause or 0.01)
