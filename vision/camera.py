"""Cameras behind one interface: anything that gives pictures; the newest picture counts, and its health is
known.

Live cameras (USB, Raspberry Pi, network) are read by a thread that drops old pictures and reconnects
automatically. Recordings (films, folders, single pictures) give every picture once, in order, and then end.
"""

from __future__ import annotations

import re
import stat
import time
import urllib.parse
from pathlib import Path
from typing import Literal

from vision import camera_sources as lines
from vision.camera_health import Camera, Clock, Frame, Health, Live
from vision.camera_network import NetworkConnection
from vision.troubles import BadSource, CameraTrouble

LONGEST = 100
"""Characters of a source's name shown in an error message."""

LONGEST_SEED = 18
"""Digits."""

__all__ = ["BadSource", "Camera", "CameraTrouble", "Frame", "Health", "open_camera"]


def _virtual(source: str, clock: Clock) -> Camera:
    from vision import virtual

    _, name, seed, texts = [*source.split(":", 3), "", "", ""][:4]
    preset = virtual.PRESETS.get(name or "good-lamp")
    if preset is None or not (seed or "0").isdecimal() or len(seed) > LONGEST_SEED:
        raise BadSource("bad-virtual", source=source[:LONGEST], presets=", ".join(virtual.PRESETS))
    lying = virtual.spread([text for text in texts.split(",") if text], int(seed or 0))
    return virtual.VirtualTable(preset, int(seed or 0), lying=lying, clock=clock)


def open_camera(source: str, clock: Clock = time.monotonic) -> Camera:
    """Open `usb:0`, `usb:0@1280x720`, `pi`, `http://...`, `rtsp://...`, a film, a picture, a folder of
    pictures, or `virtual:PRESET:SEED`. A source that can never work raises `BadSource`; a Raspberry Pi
    camera without picamera2 raises another `CameraTrouble`. A live camera that is missing does not raise:
    its health says so, and it is used as soon as it is there."""
    plain, _, wish = source.partition("@") if source.startswith(("usb", "pi")) else (source, "", "")
    size = re.fullmatch(r"(\d{2,5})x(\d{2,5})", wish or "1920x1080")
    live = re.fullmatch(r"(usb|pi)(?::(\d{1,3}|/dev/.+))?", plain)
    if live and size:
        kind, device, wide, high = live[1], live[2] or "0", int(size[1]), int(size[2])
        if kind == "usb":
            return Live(source, lambda: lines.usb(source, device, (wide, high)), clock)
        package = lines.picamera2()
        return Live(source, lambda: lines.Pi(package, source, int(device), (wide, high)), clock)
    if source.startswith(("http://", "https://", "rtsp://")):
        shown = re.sub(r"//[^/]*@", "//", source)
        if not _is_address(source):
            raise BadSource("bad-source", source=shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}...")
        return Live(shown, NetworkConnection(source), clock)
    if source == "virtual" or source.startswith("virtual:"):
        return _virtual(source, clock)
    path, sort = Path(source), _sort(source)
    if sort == "folder" or (sort == "file" and path.suffix.lower() in lines.PICTURES):
        return lines.pictures(path, clock)
    if sort == "file":
        return lines.film(path, clock)
    raise BadSource("bad-source", source=source if len(source) <= LONGEST else f"{source[:LONGEST]}...")


def _is_address(source: str) -> bool:
    """Whether this can be an address: it has a host name, and its port, if any, is valid."""
    try:
        parts = urllib.parse.urlsplit(source)
        return bool(parts.hostname) and parts.port != 0 and source.isprintable() and " " not in source
    except ValueError:
        return False


def _sort(source: str) -> Literal["folder", "file", ""]:
    """Whether a folder or a file has this name; empty if neither, also if no file can have such a name."""
    try:
        mode = Path(source).stat().st_mode
    except (OSError, ValueError):
        return ""
    return "folder" if source and stat.S_ISDIR(mode) else "file" if stat.S_ISREG(mode) else ""
