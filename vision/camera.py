"""Cameras behind one interface: whatever gives pictures, the newest picture counts."""

from typing import Any, Protocol

import msgspec
import numpy as np

Picture = np.ndarray[Any, np.dtype[np.uint8]]


class Frame(msgspec.Struct, frozen=True):
    """One picture and when it was taken (by the clock the camera was opened with)."""

    picture: Picture
    at: float


class Health(msgspec.Struct, frozen=True):
    """How the camera is: `ok`, or a sentence that says what is wrong and what to do."""

    ok: bool
    trouble: str = ""
    fps: float = 0.0


class CameraTrouble(OSError):
    """No picture to be had: what, where, and what to do about it."""


class Camera(Protocol):
    def read(self) -> Frame | None: ...
    def health(self) -> Health: ...
    def close(self) -> None: ...
