"""Inputs from a camera: labels, pictures, films, folders of pictures, and what a network camera sends."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from email.message import Message
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import cv2
import numpy as np

from companion.recognition import reading
from companion.recognition.labels import books, find
from tests.inputs.judging import FuzzedInput
from vision import camera_network, camera_sources, labels, pictures
from vision.camera import Camera, open_camera

FRAMES = 8
"""Pictures of a film that are read."""


def open_label(data: bytes, folder: Path) -> None:
    """The text of some QR code, as bytes and as letters, at a table of every game."""
    letters = data.decode("utf-8", "replace")
    assert find(data) is None or find(letters) == find(data)
    for book in books().values():
        piece = book.piece(letters)
        signal = reading.signal(book.game, letters, (0.5, 0.5), (((0, 0, 100, 100), 0),))
        assert (signal is None) == (piece is None)
        assert piece is None or book.texts[piece] == letters, "taken for a label that says something else"


def texts() -> Iterator[bytes]:
    """Labels of every game, and what a prankster prints."""
    for book in books().values():
        yield from (written.encode() for written in list(book.texts.values())[:3])
    yield b"http://192.168.0.1/undo?play=1"
    yield b"$(reboot)\x1b]0;x\x07"


@cache
def reader() -> Any:
    """One that knows the labels of every game, as the window's does."""
    return reading.reader(*reading.labelled())


def open_picture(data: bytes, folder: Path) -> None:
    """A picture's file; the labels in it are read as the window reads them."""
    (folder / "it.png").write_bytes(data)
    picture = reading.picture(str(folder / "it.png"))
    assert picture.shape[0] * picture.shape[1] <= pictures.MOST_PIXELS
    if picture.size < 300_000:
        for sighting in reader().read(picture):
            reading.of(sighting)


@cache
def photographs() -> tuple[bytes, ...]:
    """One label, in every way of keeping a picture."""
    written = next(iter(next(iter(books().values())).texts.values()))
    code = np.kron(np.where(labels.matrix(written), 0, 255), np.ones((3, 3))).astype(np.uint8)
    page = cv2.copyMakeBorder(code, 12, 12, 12, 12, cv2.BORDER_CONSTANT, value=255)
    return tuple(
        cv2.imencode(ending, page)[1].tobytes() for ending in (".png", ".jpg", ".bmp", ".tiff", ".webp")
    )


def watched(camera: Camera) -> None:
    """The first pictures of a recording, and how it is then."""
    try:
        for _ in range(FRAMES):
            if camera.read() is None:
                break
        str(camera.health().told)
    finally:
        camera.close()


def open_film(data: bytes, folder: Path) -> None:
    """A film's file."""
    (folder / "it.film").write_bytes(data)
    watched(open_camera(str(folder / "it.film")))


@cache
def films() -> tuple[bytes, ...]:
    """Three grey pictures as AVI and as MP4; and lists of other files, which are no films."""
    found = [
        b"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n",
        b"ffconcat version 1.0\nfile /etc/hostname\n",
    ]
    with tempfile.TemporaryDirectory() as folder:
        for ending, kind in (("avi", "MJPG"), ("mp4", "mp4v")):
            file = Path(folder) / f"film.{ending}"
            film = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*kind), 5.0, (64, 48))
            for shade in (0, 120, 240):
                film.write(np.full((48, 64, 3), shade, np.uint8))
            film.release()
            found.append(file.read_bytes())
    return tuple(found)


def open_folder(data: bytes, folder: Path) -> None:
    """A folder of pictures whose list of times says this."""
    (folder / "film").mkdir()
    (folder / "film" / "0001.png").write_bytes(photographs()[0])
    (folder / "film" / camera_sources.TIMES).write_bytes(data)
    watched(open_camera(str(folder / "film")))


class HttpAnswer(io.BytesIO):
    """What a network camera answers: the first line says what kind of answer it is."""

    def __init__(self, data: bytes) -> None:
        kind, _, body = data.partition(b"\n")
        super().__init__(body)
        self.headers = Message()
        self.headers["Content-Type"] = kind.decode("latin-1").replace("\r", "").replace("\n", "")


def open_stream(data: bytes, folder: Path) -> None:
    """The answer of a camera in the network, read until it ends."""
    with mock.patch.object(camera_network._asking, "open", return_value=HttpAnswer(data)):
        line = camera_network._Http("http://camera/video", 2.0, lambda: None)
        for _ in range(FRAMES):
            line._answer = HttpAnswer(data) if line._single else line._answer
            line._data = b""
            if line.grab():
                line.picture()


def streams() -> Iterator[bytes]:
    """Pictures one after another, with and without their length, and one alone."""
    jpeg = photographs()[1]
    head = b"multipart/x-mixed-replace; boundary=frame\n"
    yield head + b"--frame\r\nContent-Length: %d\r\n\r\n%b\r\n" % (len(jpeg), jpeg) * 2
    yield head + (b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + jpeg + b"\r\n") * 2
    yield b"image/jpeg\n" + jpeg


INPUTS = (
    FuzzedInput("label", open_label, texts),
    FuzzedInput("picture", open_picture, photographs, ready=reader),
    FuzzedInput("film", open_film, films),
    FuzzedInput("folder", open_folder, lambda: (b"0001.png 0.00\n0001.png 0.10\n", b"../x.png 0\n")),
    FuzzedInput(
        "stream",
        open_stream,
        streams,
        (b"--frame", b"Content-Length: ", b"multipart/x; boundary=", b"\r\n\r\n"),
    ),
)
