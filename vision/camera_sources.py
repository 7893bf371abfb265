"""Connections to cameras (USB, Raspberry Pi, network), and recordings: films and pictures."""

from __future__ import annotations

import importlib
import importlib.util
import math
import os
import re
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import cv2

from vision import pictures as taken
from vision.camera_health import (
    Camera,
    Capture,
    Clock,
    Frame,
    Health,
    Picture,
    tidy,
    unwell,
)
from vision.troubles import BadSource, CameraComplaint, CameraTrouble

SYSTEM_PACKAGES = Path("/usr/lib/python3/dist-packages")
SYSTEM_PYTHON = Path("/usr/bin/python3")
"""Where Debian and Raspberry Pi OS keep the packages of their own Python, and that Python."""
PICTURES = {".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"}
TIMES = "times.txt"
"""The file in a folder of pictures with one line per picture: its name and its time in seconds."""
LONGEST_LIST = 10_000_000
"""Largest size of such a list in bytes."""
FOLDER_FPS = 1.0
"""Pictures per second of a folder without such a list."""


FORMATS = "avi,flv,h264,hevc,matroska,mjpeg,mov,mp4,mpeg,mpegts,mpjpeg,ogg,rtsp,webm"
"""The formats FFmpeg may recognise a film as."""


class _Line:
    """Anything OpenCV can open."""

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture

    def grab(self) -> bool:
        return self._capture.grab()

    def picture(self) -> Picture | None:
        got, picture = self._capture.retrieve()
        return picture if got else None

    def stamp(self) -> float | None:
        return self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000 or None

    def close(self) -> None:
        self._capture.release()


def usb(source: str, device: str, size: tuple[int, int]) -> Capture:
    path = Path(f"/dev/video{device}" if device.isdecimal() else device)
    if sys.platform == "linux" and not path.exists():
        others = sorted(str(p) for p in Path("/dev").glob("video*"))
        if others:
            raise CameraTrouble("usb-other", path=str(path), source=source, others=", ".join(others))
        raise CameraTrouble("usb-missing", path=str(path), source=source)
    where: Any = int(device) if device.isdecimal() else device
    capture = cv2.VideoCapture(where, cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY)
    if not capture.isOpened():
        capture.release()
        raise CameraTrouble("usb-busy", path=str(path), source=source)
    for setting, value in (
        (
            cv2.CAP_PROP_FOURCC,
            float(cv2.VideoWriter.fourcc(*"MJPG")),
        ),  # uncompressed pictures exceed the bandwidth of USB 2
        (cv2.CAP_PROP_FRAME_WIDTH, float(size[0])),
        (cv2.CAP_PROP_FRAME_HEIGHT, float(size[1])),
        (cv2.CAP_PROP_BUFFERSIZE, 1.0),
    ):
        capture.set(setting, value)
    return _Line(capture)


def has_picamera2() -> bool:
    """Whether picamera2 is installed, here or in the system."""
    return importlib.util.find_spec("picamera2") is not None or (SYSTEM_PACKAGES / "picamera2").is_dir()


def picamera2() -> Any:
    """The package picamera2, which only the system provides; imported on demand.

    The system's packages are searched after ours, and only during this import, so that none of them replaces
    one of ours.
    """
    if not has_picamera2():
        raise CameraTrouble("pi-not-installed")
    ours = importlib.util.find_spec("picamera2") is not None
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if not ours and SYSTEM_PYTHON.resolve().name != version:
        raise CameraTrouble("pi-other-python", python=version)
    before = list(sys.path)
    if not ours:
        sys.path.append(str(SYSTEM_PACKAGES))
    try:
        return importlib.import_module("picamera2")
    except (ImportError, ValueError) as e:  # e.g. a system package built for another numpy
        raise CameraTrouble("pi-broken", why=str(e)) from e
    finally:
        sys.path[:] = before


class Pi:
    """A Raspberry Pi camera."""

    def __init__(self, package: Any, source: str, number: int, size: tuple[int, int]) -> None:
        try:
            self._camera: Any = package.Picamera2(number)
            main = {"size": size, "format": "RGB888"}  # which is BGR in memory
            micros = 66_666 if size[0] <= 2304 else 100_000
            control = {"FrameDurationLimits": (micros // 2, micros)}
            self._camera.configure(self._camera.create_video_configuration(main=main, controls=control))
            self._camera.start()
        except (IndexError, RuntimeError) as e:
            raise CameraTrouble("pi-missing", source=source, why=str(e)) from e
        self._picture: Picture | None = None

    def grab(self) -> bool:
        self._picture = self._camera.capture_array("main")
        return True

    def picture(self) -> Picture | None:
        return self._picture

    def stamp(self) -> float | None:
        return None

    def close(self) -> None:
        self._camera.stop()
        self._camera.close()


def opencv(url: str, where: str) -> Capture:
    capture = _opened(url)
    if not capture.isOpened():
        capture.release()
        raise CameraTrouble("no-film", where=where)
    _refuse_huge(capture, where)
    return _Line(capture)


def _opened(name: str) -> cv2.VideoCapture:
    """Open a film, local or remote, but not a playlist: that could make us open other addresses."""
    # The first option is OpenCV's default, which this variable would otherwise replace.
    os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = f"rtsp_flags;prefer_tcp|format_whitelist;{FORMATS}"
    os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"  # silent: its messages would clutter the screen
    return cv2.VideoCapture(name)


def _refuse_huge(capture: cv2.VideoCapture, source: str) -> None:
    """Raises `BadSource` for a film that declares an implausible size."""
    wide, high = capture.get(cv2.CAP_PROP_FRAME_WIDTH), capture.get(cv2.CAP_PROP_FRAME_HEIGHT)
    try:
        taken.refuse_huge((int(wide), int(high)), source)
    except BadSource:
        capture.release()
        raise


class Recording:
    """A film or pictures: every read gives the next one at once; `at` follows the recording's time."""

    def __init__(
        self,
        source: str,
        pictures: Iterator[tuple[Picture | BadSource | None, float]],
        fps: float,
        clock: Clock,
    ) -> None:
        """Each picture comes with its seconds; an unreadable one is None, or a `BadSource` with the reason."""
        self._source, self._pictures, self._fps, self._began = source, pictures, fps, clock()
        self._count, self._damaged, self._over = 0, 0, False
        self._why = CameraComplaint("unreadable", {"source": source})

    def read(self, *, soon: bool = False) -> Frame | None:
        for picture, seconds in () if self._over else self._pictures:
            if picture is None or isinstance(picture, BadSource):
                self._damaged += 1
                self._why = self._why if picture is None else picture.told
                continue
            self._count += 1
            return Frame(tidy(picture), self._began + seconds)
        self._over = True
        return None

    def health(self) -> Health:
        if not self._over:
            return Health(True, fps=self._fps)
        if not self._count:
            return unwell("over", self._why)
        args: dict[str, str | int] = {"source": self._source, "n": self._count, "damaged": self._damaged}
        return unwell("over", CameraComplaint("over", args))

    def close(self) -> None:
        self._over = True


FILMS = {
    b"RIFF": 0,  # AVI
    b"ftyp": 4,  # MP4, MOV
    b"\x1a\x45\xdf\xa3": 0,  # MKV, WebM
    b"OggS": 0,
    b"FLV": 0,
    b"\x00\x00\x01\xba": 0,  # MPEG
    b"\x47": 0,  # MPEG transport stream, as broadcast on television
    b"\xff\xd8\xff": 0,  # MJPEG: one JPEG after another
}
"""How films begin, and at which byte. Playlists are excluded: a file must not tell us what else to open."""


def _is_film(path: Path) -> bool:
    try:
        head = taken.load(path, most=16)
    except OSError:
        return False
    return any(head.startswith(mark, at) for mark, at in FILMS.items())


def film(path: Path, clock: Clock) -> Camera:
    if not _is_film(path):
        raise BadSource("not-a-film", path=str(path))
    capture = _opened(str(path))
    if not capture.isOpened():
        raise BadSource("not-a-film", path=str(path))
    _refuse_huge(capture, str(path))
    told = capture.get(cv2.CAP_PROP_FPS)
    fps = told if 0.1 <= told <= 1000 else 15.0

    def frames() -> Iterator[tuple[Picture, float]]:
        for n in count():
            try:
                got, picture = capture.read()
            except cv2.error:  # the rest cannot be decoded
                got = False
            if not got:
                capture.release()
                return
            yield picture, n / fps

    return Recording(str(path), frames(), fps, clock)


def _in_order(path: Path) -> list[str | int]:
    return [int(part) if part.isdecimal() else part.casefold() for part in re.split(r"(\d+)", path.name)]


def pictures(path: Path, clock: Clock) -> Camera:
    """The pictures of a folder at their listed times, or a single picture."""
    found = _listed(path) if path.is_dir() else [(path, 0.0)]
    if not found:
        raise BadSource("empty-folder", path=str(path))

    def decoded() -> Iterator[tuple[Picture | BadSource | None, float]]:
        for one, seconds in found:
            try:
                yield taken.decode(taken.load(one), str(one)), seconds
            except BadSource as trouble:
                yield trouble, seconds
            except OSError:
                yield None, seconds

    return Recording(str(path), decoded(), FOLDER_FPS, clock)


def _listed(path: Path) -> list[tuple[Path, float]]:
    """The pictures of a folder and their times in seconds: from `times.txt`, else in order of their names."""
    times = path / TIMES
    if not times.is_file():
        found = sorted((p for p in path.iterdir() if p.suffix.lower() in PICTURES), key=_in_order)
        return [(file, n / FOLDER_FPS) for n, file in enumerate(found)]
    if times.stat().st_size > LONGEST_LIST:
        raise BadSource("bad-times", path=str(times), line=0)
    listed: list[tuple[Path, float]] = []
    for n, line in enumerate(times.read_text("utf-8", errors="replace").splitlines(), 1):
        if not line.strip():
            continue
        name, _, seconds = line.strip().rpartition(" ")
        name = name.strip()
        try:
            at = float(seconds)
        except ValueError:
            at = math.nan
        goes_on = math.isfinite(at) and (not listed or at >= listed[-1][1])
        if not name or "\0" in name or name != Path(name).name or not goes_on:
            raise BadSource("bad-times", path=str(times), line=n)
        listed.append((path / name, at))
    return listed
