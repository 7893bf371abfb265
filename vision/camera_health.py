"""Supervises a live camera: its health, when to reconnect, and a thread that keeps the newest picture."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Literal, Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.troubles import CameraComplaint, CameraTrouble, complaint

Picture = np.ndarray[Any, np.dtype[Any]]
Clock = Callable[[], float]

FIRST = 5.0
"""Seconds a camera may take until its first picture."""
SILENT = 1.5
"""Seconds without a new picture, or with only black ones, until it is a problem; reported within two seconds."""
BACK_OFF = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds between two attempts to reconnect."""
PACE = 1 / 16
"""Seconds between two pictures worth decoding; the ones in between are only fetched."""
BUSY, UNASKED = 3 * PACE, 0.5
"""If the reader takes longer than this many seconds from picture to picture, pictures are decoded only on
demand; and the seconds between those decoded anyway: often enough to notice a covered lens."""
TIMEOUT = 2.0
"""Network timeout in seconds."""
LATEST, RECENT = 2.0, 100
"""Largest believable delay of a picture in seconds; and of how many pictures the shortest delay is used."""


CameraState = Literal["", "starting", "gone", "silent", "black", "over"]


class Frame(Struct, frozen=True):
    """One picture (uint8, BGR or grey, contiguous) and when it was taken, by the clock the camera was opened with."""

    picture: Picture
    at: float


class Health(Struct, frozen=True):
    """The camera's health. If it is not ok, `trouble` says what is wrong and what to do, `what` is the kind
    of trouble, and `told` is the trouble as a value, for translation."""

    ok: bool
    trouble: str = ""
    fps: float = 0.0
    what: CameraState = ""
    told: CameraComplaint | None = None


def unwell(what: CameraState, told: CameraComplaint, fps: float = 0.0) -> Health:
    """The health of a camera with this trouble."""
    return Health(False, str(told), fps, what, told)


class Camera(Protocol):
    """Anything that gives pictures. No method blocks for long."""

    def read(self, *, soon: bool = False) -> Frame | None:
        """The newest picture, or None if there is none since the last call; set `soon` to get the very next
        one."""

    def health(self) -> Health:
        """How the camera is doing."""

    def close(self) -> None:
        """Release the camera."""


class Capture(Protocol):
    """An open connection to a camera, used by one thread only."""

    def grab(self) -> bool:
        """Wait for the next picture; false, or an `OSError`, if the connection is dead."""

    def picture(self) -> Picture | None:
        """The last grabbed picture, decoded; None if it is damaged."""

    def stamp(self) -> float | None:
        """When the camera took the last grabbed picture, in seconds by its own clock; None if it does not
        say."""

    def close(self) -> None:
        """Close the connection."""


class CameraClock:
    """Converts a camera's time stamps into times of our clock.

    On a busy machine a picture waits before it is fetched. So its time is its stamp plus the shortest recent
    delay; without a believable stamp, it is the time it was fetched.
    """

    def __init__(self) -> None:
        self._delays: deque[float] = deque(maxlen=RECENT)
        self._stamp = self._at = -math.inf

    def taken(self, stamp: float | None, now: float) -> float:
        """When a picture with this stamp, received now, was taken: never before its predecessor."""
        believable = stamp is not None and stamp > self._stamp
        self._stamp = -math.inf if stamp is None else stamp
        if not believable or (self._delays and now - self._stamp - min(self._delays) > LATEST):
            self._delays.clear()  # no stamp, a repeated one, or the camera's clock was set
        else:
            self._delays.append(now - self._stamp)
        at = self._stamp + min(self._delays) if self._delays else now
        self._at = max(self._at, at)
        return self._at


class HealthWatch(Struct, frozen=True):
    """The state of a live camera, and what follows from it. Pure: times are passed in."""

    source: str
    since: float  # when waiting for the first picture began
    up: bool = False  # whether the connection is open
    tries: int = 0  # failures since the last picture
    again: float = float("-inf")  # when to try to connect
    last: float | None = None  # when the last picture came
    lit: float = float("-inf")  # when the last picture came that was not black, or the very first
    fps: float = 0.0
    why: CameraComplaint | None = None  # the last failure, until the next picture

    def due(self, now: float) -> bool:
        """Whether it is time to connect."""
        return not self.up and now >= self.again

    def opened(self, now: float) -> HealthWatch:
        return replace(self, up=True, since=now)

    def failed(self, now: float, why: CameraComplaint) -> HealthWatch:
        pause = BACK_OFF[min(self.tries, len(BACK_OFF) - 1)]
        return replace(self, up=False, tries=self.tries + 1, again=now + pause, why=why, fps=0.0, last=None)

    def saw(self, now: float, black: bool) -> HealthWatch:
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
            return unwell("silent", CameraComplaint("never", source))
        if now - self.last > SILENT:
            return unwell("silent", CameraComplaint("quiet", source))
        if now - self.lit > SILENT:
            return unwell("black", CameraComplaint("black", source), self.fps)
        return Health(True, fps=self.fps)


def is_black(picture: Picture) -> bool:
    """A covered lens or a dead sensor: dark and without contrast."""
    few = picture[::16, ::16]
    return bool(few.mean() < 10 and few.std() < 5)


def tidy(picture: Picture) -> Picture:
    """Any picture converted to uint8, BGR or grey, contiguous."""
    if picture.dtype == np.uint16:
        picture = (picture >> 8).astype(np.uint8)
    elif picture.dtype != np.uint8:
        picture = np.clip(picture, 0, 255).astype(np.uint8)
    if picture.ndim == 3 and picture.shape[2] != 3:
        picture = picture[:, :, 0] if picture.shape[2] < 3 else picture[:, :, :3]
    return np.ascontiguousarray(picture)


class Live:
    """A live camera: a thread keeps the newest picture, checks health and reconnects."""

    def __init__(
        self, source: str, connect: Callable[[], Capture], clock: Clock, *, start: bool = True
    ) -> None:
        self._connect, self._clock = connect, clock
        self._watch = HealthWatch(source, clock())
        self._capture: Capture | None = None
        self._newest: Frame | None = None
        self._decoded = float("-inf")
        self._asked, self._soon, self._busy, self._black = True, False, False, False
        self._read_at = math.inf
        self._stamps = CameraClock()
        self._lock, self._stopped = threading.Lock(), threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"camera {source}", daemon=True)
        if start:
            self._thread.start()

    def read(self, *, soon: bool = False) -> Frame | None:
        with self._lock:
            frame, self._newest = self._newest, None
            self._asked, self._soon = frame is None, soon
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
        """Connect, or fetch one picture. Returns how many seconds to sleep before the next step."""
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
        except Exception as trouble:  # a driver may raise anything: try again in any case
            self._hang_up()
            if isinstance(trouble, CameraTrouble):
                why = trouble.told
            else:
                why = CameraComplaint("failed", {"source": self._watch.source, "why": complaint(trouble)})
            self._watch = self._watch.failed(self._clock(), why)
        return 0.0

    def _worth_decoding(self, now: float) -> bool:
        """Whether to decode this picture. If the reader is slow, most pictures would be replaced unread, and
        decoding them wastes scarce CPU time. While the picture is black, decoding goes on, so that an
        uncovered lens is noticed at once."""
        wanted = self._asked or self._black or not self._busy
        return now - self._decoded >= (0.0 if self._asked and self._soon else PACE if wanted else UNASKED)

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
