"""What can be wrong with a camera, as a slug and its arguments, so that it can be translated."""

from __future__ import annotations

import errno
import os

from msgspec import Struct

WORDS = {
    "bad-source": "There is no camera, film or folder “{source}”. Say usb:0, pi, http://..., a file, a folder, "
    "or virtual:good-lamp:1.",
    "bad-times": "Line {line} of {path} is no picture's name and its seconds, such as “0001.jpg 0.10”, or goes back "
    "in time.",
    "bad-virtual": "{source} is no virtual table. Say virtual:PRESET:SEED with one of {presets}.",
    "black": "The picture of {source} is black. Uncover the lens, or make light.",
    "empty-folder": "There are no pictures in {path}. Put PNG or JPEG files there.",
    "failed": "{source} failed: {why}.",
    "http-answer": "{where} answers {code}. Is the path right?",
    "http-ended": "{where} ended the film. Is the camera app still running?",
    "http-elsewhere": "{where} sends us on to {to}. A camera may send us on to itself only: if that is your camera, "
    "say its address there.",
    "http-endless": "{where} sends a picture without end. Is that a camera?",
    "http-huge": "{where} announces a picture of {length} bytes. Is that a camera?",
    "http-page": "{where} is a web page, not a film. Add the path of the film, often /video or /stream.",
    "http-password": "{where} answers 401: name or password is missing or not right. Say http://NAME:PASSWORD@...",
    "http-silent": "{where} does not answer ({why}). Is the camera app running, in the same network?",
    "http-strange": "{where} answers, but not like a camera. Is the address right?",
    "huge-file": "{path} has more than {most} MB. Save the picture smaller, as JPEG.",
    "huge-picture": "{source} announces a picture of {wide} x {high} dots, more than {most} million. Save it smaller.",
    "never": "{source} is there but gives no picture. Unplug it and plug it in again.",
    "no-file": "{path} is no file but a device or a pipe. Name a PNG or JPEG file.",
    "no-film": "No film can be read from {where}. Try its MJPEG address, often /video or /stream.",
    "not-a-film": "{path} is not a film that can be read here. Try an AVI (MJPG) or an MP4 file.",
    "over": "{source} is over. Pictures read: {n}; damaged: {damaged}.",
    "pi-broken": "The system's picamera2 does not work together with the packages used here ({why}). Use a USB or "
    "network camera, or a newer Raspberry Pi OS (Debian 13 or later).",
    "pi-missing": "No Raspberry Pi camera for {source} ({why}). Check the ribbon cable.",
    "pi-not-installed": "The Raspberry Pi camera needs the package picamera2, which only the system brings: "
    "sudo apt install python3-picamera2",
    "pi-other-python": "The system's picamera2 is for another Python than {python}, which runs here. Use a USB or "
    "network camera, or start the companion with the Python of the system.",
    "quiet": "No new picture from {source}. Is it still plugged in and switched on?",
    "stopped": "{source} stopped giving pictures. Check its cable and power.",
    "unreadable": "No picture in {source} can be read. PNG and JPEG files work.",
    "usb-busy": "{path} ({source}) cannot be opened. Does another program use it? May this user (group video)?",
    "usb-missing": "No camera at {path} ({source}). There is no camera at all. Plug it in.",
    "usb-other": "No camera at {path} ({source}). There is {others} instead. Plug it in, or choose another number.",
}
"""The sentences in English; the companion translates them."""


class CameraComplaint(Struct, frozen=True):
    """A sentence not yet translated; a slug that is not in `WORDS` is itself the sentence."""

    slug: str
    args: dict[str, str | int] = {}

    def __str__(self) -> str:
        return WORDS[self.slug].format_map(self.args) if self.slug in WORDS else self.slug


class CameraTrouble(OSError):
    """No picture is available: what is wrong, where, and what to do about it."""

    def __init__(self, slug: str, **args: str | int) -> None:
        self.told = CameraComplaint(slug, args)
        super().__init__(str(self.told))


class BadSource(CameraTrouble):
    """The given source can never be a camera: its name is wrong, or the file contains no pictures."""


def complaint(error: object) -> str:
    """The system's message for a failed connection: one line, no number, at most 100 characters."""
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    if isinstance(error, TimeoutError):
        said = os.strerror(errno.ETIMEDOUT)
    return " ".join(said.split())[:100]
