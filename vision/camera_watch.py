"""Watching over a live camera: what its health is, when to reconnect, and a thread that keeps the newest picture."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Literal, Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.troubles import CameraTrouble, Told, complaint

Picture = np.ndarray[Any, np.dtype[Any]]
Clock = Callable[[], float]

FIRST = 5.0
"""Seconds a camera may take to its first picture."""
SILENT = 1.5
"""Seconds without a new picture, or with black ones only, until it is trouble; told within two seconds."""
BACK_OFF = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds between two tries to reconnect."""
PACE = 1 / 16
"""Seconds between two pictures worth decoding: the pictures between them are only taken off the line."""
BUSY, UNASKED = 3 * PACE, 0.5
"""Seconds from one picture that is read to the next, from which on pictures are decoded when they are asked for; and
between those that are decoded all the same: enough to notice a covered lens."""
TIMEOUT = 2.0
"""Seconds the network may be quiet."""
LATEST, RECENT = 2.0, 100
"""Seconds by which a picture may reach us late, and how many pictures tell how long it takes at least."""


What = Literal["", "starting", "gone", "silent", "black", "over"]


class Frame(Struct, frozen=True):
    """One picture (uint8, BGR or grey, contiguous) and when it was taken, by the clock the camera was opened with."""

    picture: Picture
    at: float


class Health(Struct, frozen=True):
    """How the camera is. If it is not ok, `trouble` says what is wrong and what to do, and `what` which kind it is;
    `told` is the trouble as a value, for those who speak another language."""

    ok: bool
    trouble: str = ""
    fps: float = 0.0
    what: What = ""
    told: Told | None = None


def unwell(what: What, told: Told, fps: float = 0.0) -> Health:
    """The health of a camera with this trouble."""
    return Health(False, str(told), fps, what, told)


class Camera(Protocol):
    """Whatever gives pictures. None of this blocks for long."""

    def read(self) -> Frame | None:
        """The newest picture, or None if there is none since the last call."""

    def health(self) -> Health:
        """How it is."""

    def close(self) -> None:
        """Let it go."""


class Capture(Protocol):
    """An open line to a camera, used by one thread only."""

    def grab(self) -> bool:
        """Wait for the next picture; false, or an `OSError`, if the line is dead."""

    def picture(self) -> Picture | None:
        """The picture grabbed last, decoded; None if it is damaged."""

    def stamp(self) -> float | None:
        """When the camera took the picture grabbed last, in seconds by its own clock; None if it does not say."""

    def close(self) -> None:
        """Hang up."""


class CameraClock:
    """Turns a camera's time stamps into times of our clock.

    On a busy machine a picture waits before anybody takes it off the line. So it counts from its stamp, with the delay
    of the quickest of late; without a believable stamp it counts from when we got it.
    """

    def __init__(self) -> None:
        self._delays: deque[float] = deque(maxlen=RECENT)
        self._stamp = self._at = -math.inf

    def taken(self, stamp: float | None, now: float) -> float:
        """When a picture with this stamp that we got now was taken: never before the one that came before it."""
        believable = stamp is not None and stamp > self._stamp
        self._stamp = -math.inf if stamp is None else stamp
        if not believable or (self._delays and now - self._stamp - min(self._delays) > LATEST):
            self._delays.clear()  # it has none, it repeats itself, or its clock was set
        else:
            self._delays.append(now - self._stamp)
        at = self._stamp + min(self._delays) if self._delays else now
        self._at = max(self._at, at)
        return self._at


class Watch(Struct, frozen=True):
    """What is known about a live camera, and what follows: pure, time comes from outside."""

    source: str
    since: float  # when we began to wait for the first picture
    up: bool = False  # is there an open line?
    tries: int = 0  # failures since the last picture
    again: float = float("-inf")  # when to try to connect
    last: float | None = None  # the last picture
    lit: float = float("-inf")  # the last picture that was not black, or the first of all
    fps: float = 0.0
    why: Told | None = None  # the last failure, until there is a picture again

    def due(self, now: float) -> bool:
        """Is it time to connect?"""
        return not self.up and now >= self.again

    def opened(self, now: float) -> Watch:
        return replace(self, up=True, since=now)

    def failed(self, now: float, why: Told) -> Watch:
        pause = BACK_OFF[min(self.tries, len(BACK_OFF) - 1)]
        return replace(self, up=False, tries=self.tries + 1, again=now + pause, why=why, fps=0.0, last=None)

    def saw(self, now: float, black: bool) -> Watch:
        lit = now if self.last is None or not black else self.lit
        if self.last is None or now <= self.last:
            fps = 0.0
        else:
            fps = 1 / (now - self.last) if self.fps == 0 else 0.8 * self.fps + 0.2 / (now - self.last)
        return replace(self, tries=0, last=now, lit=lit, fps=fps, why=None)

    def health(self, now: float) -> Health:
        if self.why is not None:
            return unwell("gone", self.why)
        source: dict[str, str | int] = {"source": self.source}
        if self.last is None:
            if now - self.since <= FIRST:
                return Health(True, what="starting")
            return unwell("silent", Told("never", source))
        if now - self.last > SILENT:
            return unwell("silent", Told("quiet", source))
        if now - self.lit > SILENT:
            return unwell("black", Told("black", source), self.fps)
        return Health(True, fps=self.fps)


def is_black(picture: Picture) -> bool:
    """A covered lens or a dead sensor: dark, and nothing in it."""
    few = picture[::16, ::16]
    return bool(few.mean() < 10 and few.std() < 5)


def tidy(picture: Picture) -> Picture:
    """Any picture as uint8, BGR or grey, contiguous."""
    if picture.dtype == np.uint16:
        picture = (picture >> 8).astype(np.uint8)
    elif picture.dtype != np.uint8:
        picture = np.clip(picture, 0, 255).astype(np.uint8)
    if picture.ndim == 3 and picture.shape[2] != 3:
        picture = picture[:, :, 0] if picture.shape[2] < 3 else picture[:, :, :3]
    return np.ascontiguousarray(picture)


class Live:
    """A live camera: a thread keeps the newest picture, watches over it and reconnects."""

    def __init__(
        self, source: str, connect: Callable[[], Capture], clock: Clock, *, start: bool = True
    ) -> None:
        self._connect, self._clock = connect, clock
        self._watch = Watch(source, clock())
        self._capture: Capture | None = None
        self._newest: Frame | None = None
        self._decoded = float("-inf")
        self._asked, self._busy, self._black = True, False, False
        self._read_at = math.inf
        self._stamps = CameraClock()
        self._lock, self._stopped = threading.Lock(), threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"camera {source}", daemon=True)
        if start:
            self._thread.start()

    def read(self) -> Frame | None:
        with self._lock:
            frame, self._newest = self._newest, None
            self._asked = frame is None
        if frame is not None:
            now = self._clock()
            self._busy, self._read_at = now - self._read_at > BUSY, now
        return frame

    def health(self) -> Health:
        return self._watch.health(self._clock())

    def close(self) -> None:
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(TIMEOUT + 1)
        else:
            self._hang_up()

    def step(self) -> float:
        """Connect, or take one picture off the line. Returns how many seconds to rest before the next step."""
        now = self._clock()
        try:
            if self._capture is None:
                if not self._watch.due(now):
                    return 0.05
                self._capture, self._stamps = self._connect(), CameraClock()
                self._watch = self._watch.opened(self._clock())
                return 0.0
            if not self._capture.grab():
                raise CameraTrouble("stopped", source=self._watch.source)
            now = self._clock()
            at = self._stamps.taken(self._capture.stamp(), now)
            if self._worth_decoding(now) and (picture := self._capture.picture()) is not None:
                frame = Frame(tidy(picture), at)
                self._decoded, self._black = now, is_black(frame.picture)
                self._watch = self._watch.saw(now, self._black)
                with self._lock:
                    self._newest, self._asked = frame, False
        except Exception as trouble:  # a driver may raise anything; whatever it is, we try again
            self._hang_up()
            if isinstance(trouble, CameraTrouble):
                why = trouble.told
            else:
                why = Told("failed", {"source": self._watch.source, "why": complaint(trouble)})
            self._watch = self._watch.failed(self._clock(), why)
        return 0.0

    def _worth_decoding(self, now: float) -> bool:
        """Whether it is time to decode a picture. If whoever reads them is slow, most would be replaced unseen, and the
        processor is what is missing there; a lens that is free again is noticed at once all the same."""
        wanted = self._asked or self._black or not self._busy
        return now - self._decoded >= (PACE if wanted else UNASKED)

    def _hang_up(self) -> None:
        capture, self._capture = self._capture, None
        if capture is not None:
            try:
                capture.close()
            except Exception:  # it is gone anyway
                return

    def _run(self) -> None:
        while not self._stopped.is_set():
            rest = self.step()
            if rest:
                self._stopped.wait(rest)
        self._hang_up()
