"""Keyboard and camera at once: a play waits for a line or a card, whichever comes first."""

from __future__ import annotations

import io
import os
import queue
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from companion.core.game import Game
from companion.core.scans import CameraNews, LiesInSight, OutOfSight
from companion.core.words import Text, say
from companion.recognition import reading
from companion.recognition.camera_troubles import disturbance, trouble_text
from companion.recognition.zones import Zone, parts
from companion.terminal.any_time_commands import AskLine, Heard
from vision.camera import open_camera
from vision.faces import FaceIndex
from vision.worker import Worker


class KeysAndCamera:
    """The input of a play: lines from the keyboard, labels and faults from a camera."""

    def __init__(self, game: Game, seats: reading.SeatZones = ()) -> None:
        self._game, self._seats = game, seats
        self._events: queue.SimpleQueue[str | None] = (
            queue.SimpleQueue()
        )  # a line, "" at the end of input; None: check the camera
        self._worker: Worker | None = None
        self._seen: list[CameraNews] = []
        self._what = self._disturbed = ""
        self._standing = False  # whether the prompt is still shown unanswered

    def watch(self, worker: Worker) -> None:
        """Listen to this worker too; it must call `wake` when it has news."""
        self._worker = worker

    def wake(self) -> None:
        """Called when the camera has news."""
        self._events.put(None)

    def listen(self, keys: IO[str]) -> None:
        """Forward every line from the keyboard; returns at the end of input."""
        for line in iter(keys.readline, ""):
            self.type(line)
        self.type("")

    def type(self, line: str) -> None:
        """A line came from the keyboard; an empty string means the end of input."""
        self._events.put(line)

    def ask(self, prompt: str) -> Heard:
        """Wait for the next line or camera news."""
        if not self._standing:
            print(prompt, end="", flush=True)
        self._standing = False
        while True:
            heard = self._from_camera()
            if heard is not None:
                # Nothing is printed about a label that lies there or is gone, so the prompt stays as it is.
                self._standing = isinstance(heard, LiesInSight | OutOfSight)
                if not self._standing:
                    print()
                return heard
            line = self._events.get()
            if line == "":
                raise EOFError
            if line is not None:
                return line.rstrip("\n")

    def _from_camera(self) -> Text | CameraNews | None:
        if self._worker is None:
            return None
        self._seen += reading.camera_news(self._game, self._worker.news(), self._seats)
        if self._seen:
            return self._seen.pop(0)
        return self._change(self._worker)

    def _change(self, worker: Worker) -> Text | None:
        """The message to show if the camera began to fail, or recovered."""
        vitals = worker.vitals()
        if vitals.disturbed != self._disturbed:
            self._disturbed = vitals.disturbed
            return disturbance(vitals.disturbed) if vitals.disturbed else None
        health, before = vitals.camera, self._what
        if health.what == before or (health.ok and health.what):
            return None
        self._what = health.what
        if health.ok:
            return say("see.camera-back")
        return say(
            "see.camera-over" if health.what == "over" else "see.camera-away", why=trouble_text(health)
        )


def _own(keys: IO[str]) -> IO[str]:
    """A separate file for the keyboard: at exit Python must not find its own stdin locked by our thread."""
    try:
        return open(os.dup(keys.fileno()), encoding="utf-8", errors="replace")
    except io.UnsupportedOperation:
        return keys


@contextmanager
def keys_and_camera(
    game: Game,
    source: str,
    seats: reading.SeatZones = (),
    spot: Zone | None = None,
    faces: FaceIndex | None = None,
) -> Iterator[AskLine]:
    """Keyboard and camera as one input. The camera may know the seats' parts of its picture, the spot where
    cards are shown, and taught faces; raises `CameraTrouble` if the camera cannot be opened."""
    both = KeysAndCamera(game, seats)
    worker = Worker(open_camera(source), reading.reader(game, faces=faces), time.monotonic, both.wake)
    both.watch(worker)
    worker.wait_for_scan(True)
    worker.mark_spot(None if spot is None else parts(spot))
    worker.start()
    threading.Thread(target=both.listen, args=(_own(sys.stdin),), name="keys", daemon=True).start()
    try:
        yield both.ask
    finally:
        worker.stop()
