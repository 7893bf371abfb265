"""The camera for the screens: opened and read in the background, asked without ever waiting.

What crosses the threads: the reader's thread puts label news into a queue and says so to the listeners; glances are
frozen values that replace each other. Which camera is read is changed by the `lookout` threads, one after another;
whoever asks takes hold of the one there is first, for the next moment there may be none.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.core.game import Game, games
from companion.core.words import Text
from companion.recognition.zones import Zone, parts

if TYPE_CHECKING:
    from companion.core.scans import CameraNews
    from companion.recognition.reading import Seats
    from vision.camera import Camera
    from vision.label_news import LabelNews
    from vision.virtual import VirtualTable
    from vision.watcher import Reads
    from vision.worker import Glance, Worker

NONE = "none"
"""The camera of people who want none."""

BEHIND = 5
"""How much nicer than the screen whoever takes and reads pictures is."""


def _stand_behind() -> None:
    """Let the screen go first where both want a core; threads this one starts do so, too.

    Elsewhere than on Linux that would be so for the whole program; a service may not be allowed to ask for it."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.nice(BEHIND)


class CameraFeed:
    """Reads labels while somebody may be waiting. Learning all labels takes a moment, so a thread does that too."""

    def __init__(
        self, clock: Callable[[], float], open_camera: Callable[[str], Camera] | None = None
    ) -> None:
        self._clock, self._open = clock, open_camera
        self._worker: Worker | None = None
        self._camera: Camera | None = None
        self._lock = threading.Lock()
        self._refused: Text | None = None
        self._waiting = False
        self._spot: Zone | None = None
        self._listeners: tuple[Callable[[], None], ...] = ()
        self.source = NONE

    def listen(self, heard: Callable[[], None]) -> None:
        """Call this, in the camera's thread, whenever labels came or went or the camera's health is another one."""
        self._listeners = (*self._listeners, heard)

    def wake(self) -> None:
        """There is something to ask for."""
        for heard in self._listeners:
            heard()

    def watch(self, source: str) -> None:
        """Use this camera from now on. Its eyes are loaded here: no two threads shall load the same at once."""
        self.source = source
        if source != NONE:
            from companion.recognition import reading  # noqa: F401
            from vision import worker  # noqa: F401
        threading.Thread(target=self._begin_behind, args=(source,), name="lookout", daemon=True).start()

    def _begin_behind(self, source: str) -> None:
        if source != NONE:
            self._reader()  # learns all labels, once for a process: seconds of processor, on a busy machine a minute
        _stand_behind()
        self._begin(source)

    def _begin(self, source: str) -> None:
        with self._lock:
            if source != self.source:
                return  # people have chosen another one meanwhile: its thread does the rest, or has
            self._end()
            if source == NONE:
                return
            from companion.recognition.camera_troubles import told
            from vision import CameraTrouble
            from vision.camera import open_camera
            from vision.worker import Worker

            try:
                camera = (self._open or open_camera)(source)
            except CameraTrouble as trouble:
                self._refused = told(trouble)
                return
            if source != self.source:  # it took long, and nobody wants it any more
                camera.close()
                return
            self._refused, self._camera = None, camera
            worker = Worker(camera, self._reader(), self._clock, self.wake)
            worker.start()
            self._worker = worker
            worker.wait_for_scan(self._waiting)  # people were quicker at the table than the camera
            worker.mark_spot(None if self._spot is None else parts(self._spot))
            if source != self.source:  # somebody stopped it while the labels were learnt
                self._end()

    def _reader(self) -> Reads:
        """Whoever knows the labels of every game."""
        from companion.recognition import reading

        return reading.reader(*(rules for rules in games().values() if rules.box.label is not None))

    def stop(self) -> None:
        """Let the camera go; one that is being opened lets go of itself when it is open."""
        self.source = NONE
        if self._lock.acquire(blocking=False):
            try:
                self._end()
            finally:
                self._lock.release()

    def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()

    def wait_for_scan(self, waiting: bool) -> None:
        """Somebody waits for a scan now, or nobody does any more; a camera that is still being opened will know."""
        self._waiting = waiting
        worker = self._worker
        if worker is not None:
            worker.wait_for_scan(waiting)

    def news(self) -> tuple[LabelNews, ...]:
        """Every label that came or went since the last call."""
        worker = self._worker
        return worker.news() if worker is not None else ()

    def camera_news(self, game: Game, seats: Seats) -> tuple[CameraNews, ...]:
        """What cards of this game did before the camera since the last call."""
        news = self.news()
        if not news:
            return ()
        from companion.recognition import reading

        return reading.camera_news(game, news, seats)

    def mark_spot(self, spot: Zone | None) -> None:
        """Only what comes into this part of the picture is shown; without one, whatever is brought."""
        self._spot = spot
        worker = self._worker
        if worker is not None:
            worker.mark_spot(None if spot is None else parts(spot))

    def made_up(self) -> VirtualTable | None:
        """The table that is looked at, if it is only made up: people may lay things on it."""
        if self._worker is None:
            return None
        from vision.virtual import VirtualTable

        return self._camera if isinstance(self._camera, VirtualTable) else None

    def latest(self) -> Glance | None:
        """The newest picture with what was read in it."""
        worker = self._worker
        return worker.latest() if worker is not None else None

    def trouble(self) -> Text | None:
        """What is wrong with the camera, if anything."""
        worker = self._worker
        if worker is None:
            return self._refused
        vitals = worker.vitals()
        if vitals.camera.ok and not vitals.disturbed:
            return None
        from companion.recognition.camera_troubles import disturbance, told

        return disturbance(vitals.disturbed) if vitals.camera.ok else told(vitals.camera)
