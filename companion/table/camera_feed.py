"""The camera for the screens: opened and read in the background, so that callers never wait.

Between the threads: the reader's thread puts label news into a queue and calls the listeners; glances are
frozen values that replace each other. The `camera feed` threads change the camera in use, one at a time;
other methods copy the reference first, because it may become None at any moment.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.game import Game, games
from companion.core.words import Text
from companion.errors import Trouble
from companion.recognition.zones import Zone, parts

if TYPE_CHECKING:
    from companion.core.scans import CameraNews
    from companion.recognition.reading import SeatZones
    from vision.camera import Camera
    from vision.faces import FaceIndex
    from vision.label_news import LabelNews
    from vision.virtual import VirtualTable
    from vision.watcher import Reads
    from vision.worker import Glance, Worker

NONE = "none"
"""The source name for "no camera"."""

EVERY = 20.0
"""Seconds between two looks for cards whose labels teach their faces."""

BEHIND = 5
"""The niceness of the threads that take and read pictures, so that the screen goes first."""


def _stand_behind() -> None:
    """Lower this thread's priority below the screen's; threads it starts inherit that.

    Only on Linux, as elsewhere it would affect the whole program; a service may not be permitted to do it.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.nice(BEHIND)


class CameraFeed:
    """Reads labels while a scan may be expected. Learning all labels takes a moment, so a thread does that too."""

    def __init__(
        self, clock: Callable[[], float], open_camera: Callable[[str], Camera] | None = None
    ) -> None:
        self._clock, self._open = clock, open_camera
        self._worker: Worker | None = None
        self._camera: Camera | None = None
        self._lock = threading.Lock()
        self._eyes: Reads | None = None
        self._faces: Callable[[], FaceIndex] | None = None
        self._learning = threading.Lock()
        self._labelled: tuple[Path, Game] | None = None
        self._taught_at = -EVERY
        self._refused: Text | None = None
        self._waiting = False
        self._spot: Zone | None = None
        self._listeners: tuple[Callable[[], None], ...] = ()
        self.source = NONE

    def listen(self, heard: Callable[[], None]) -> None:
        """Call this, in the camera's thread, whenever labels appear or vanish or the camera's health changes."""
        self._listeners = (*self._listeners, heard)

    def wake(self) -> None:
        """Call the listeners: there is something new."""
        for heard in self._listeners:
            heard()

    def watch(self, source: str) -> None:
        """Use this camera from now on. Imports the vision modules here, so that no two threads import them at
        once."""
        self.source = source
        if source != NONE:
            from companion.recognition import reading  # noqa: F401
            from vision import worker  # noqa: F401
        threading.Thread(target=self._begin_behind, args=(source,), name="camera feed", daemon=True).start()

    def _begin_behind(self, source: str) -> None:
        if source != NONE:
            self._reader()  # learns all labels, once per process: seconds, or a minute on a busy machine
        _stand_behind()
        self._begin(source)

    def _begin(self, source: str) -> None:
        with self._lock:
            if source != self.source:
                return  # another camera was chosen meanwhile: its thread does the rest
            self._end()
            if source == NONE:
                return
            from companion.recognition.camera_troubles import trouble_text
            from vision import CameraTrouble
            from vision.camera import open_camera
            from vision.worker import Worker

            try:
                camera = (self._open or open_camera)(source)
            except CameraTrouble as trouble:
                self._refused = trouble_text(trouble)
                return
            if source != self.source:  # opening took long, and the camera is no longer wanted
                camera.close()
                return
            self._refused, self._camera = None, camera
            self._eyes = self._reader()
            worker = Worker(camera, self._eyes, self._clock, self.wake)
            worker.start()
            self._worker = worker
            worker.wait_for_scan(self._waiting)  # the table screen was open before the camera
            worker.mark_spot(None if self._spot is None else parts(self._spot))
            if source != self.source:  # it was stopped while the labels were learnt
                self._end()
        self._learn()

    def _reader(self) -> Reads:
        """A reader that knows the labels of every game."""
        from companion.recognition import reading

        return reading.reader(*(rules for rules in games().values() if rules.box.label is not None))

    def know_faces(self, folder: Path, game: Game) -> None:
        """Recognise the taught faces of this game from now on, and no others; call it again when one was
        taught. They are read from the data folder in the background."""
        if game.box.label is None:
            return

        def load() -> FaceIndex:
            from companion.recognition import faces

            found = faces.index(folder, game)
            found.twins  # noqa: B018 - computed here, not while a picture waits
            return found

        self._faces = load
        self._labelled, self._taught_at = (folder, game), -EVERY
        if self._eyes is not None:
            threading.Thread(target=self._learn_behind, name="faces", daemon=True).start()

    def _teach(self) -> None:
        """Keep the faces of cards whose labels are read now, in the background and not too often."""
        glance, known = self.latest(), self._labelled
        if (
            glance is None
            or known is None
            or self.made_up() is not None
            or self._clock() - self._taught_at < EVERY
        ):
            return
        labels = [one for one in glance.sightings if one.how != "face"]
        if labels:
            self._taught_at = self._clock()
            at_work = threading.Thread(
                target=self._teach_behind, args=(glance, *known), name="faces", daemon=True
            )
            at_work.start()

    def _teach_behind(self, glance: Glance, folder: Path, game: Game) -> None:
        from companion.recognition.labelled_faces import LabelledFaces

        _stand_behind()
        with suppress(Trouble):  # a full disk: the label is read all the same
            if LabelledFaces(folder, game).see(glance.frame.picture, glance.sightings):
                self._learn()

    def _learn_behind(self) -> None:
        _stand_behind()
        self._learn()

    def _learn(self) -> None:
        with self._learning:
            load, eyes = self._faces, self._eyes
            if load is None or eyes is None:
                return
            from vision.face_reader import LabelsAndFaces

            if isinstance(eyes, LabelsAndFaces):
                eyes.know(load())

    def stop(self) -> None:
        """Release the camera; one that is being opened is released when it is open."""
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
        """Whether a scan is expected now; a camera that is still being opened will be told."""
        self._waiting = waiting
        worker = self._worker
        if worker is not None:
            worker.wait_for_scan(waiting)

    def news(self) -> tuple[LabelNews, ...]:
        """Every label that appeared or vanished since the last call."""
        worker = self._worker
        return worker.news() if worker is not None else ()

    def camera_news(self, game: Game, seats: SeatZones) -> tuple[CameraNews, ...]:
        """What cards of this game did in view of the camera since the last call."""
        news = self.news()
        if not news:
            return ()
        from companion.recognition import reading

        self._teach()
        return reading.camera_news(game, news, seats)

    def mark_spot(self, spot: Zone | None) -> None:
        """Count only cards in this part of the picture as shown; None: the whole picture."""
        self._spot = spot
        worker = self._worker
        if worker is not None:
            worker.mark_spot(None if spot is None else parts(spot))

    def made_up(self) -> VirtualTable | None:
        """The table in view if it is a virtual one, on which people may lay things; otherwise None."""
        if self._worker is None:
            return None
        from vision.virtual import VirtualTable

        return self._camera if isinstance(self._camera, VirtualTable) else None

    def latest(self) -> Glance | None:
        """The newest picture with the labels read in it."""
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
        from companion.recognition.camera_troubles import disturbance, trouble_text

        return disturbance(vitals.disturbed) if vitals.camera.ok else trouble_text(vitals.camera)
