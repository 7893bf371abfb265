"""Pictures from bytes and files. A picture that declares too many pixels is refused before decoding: a file
of a hundred bytes can claim gigabytes."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from struct import error as ShortHead
from struct import unpack_from

import cv2
import numpy as np

from vision.camera_health import Picture
from vision.troubles import BadSource

MOST_PIXELS = 64_000_000
"""More than any usable camera or phone gives."""
LARGE = 24_000_000
"""Pixels above which a picture is read at half its width and height: its labels are large enough for that,
and searching for labels needs about 13 bytes per pixel. A JPEG of maximum size then takes less than 200 MB
in all; for other formats the decoder briefly needs 400 MB."""
MOST_BYTES = 64_000_000
"""Maximum size of the file or response that contains a picture."""
WIDEST = 32_000
"""Maximum pixels of the longest side; no picture decoder here supports more."""
CHANNELS = 3


def announced(data: bytes) -> tuple[int, int] | None:
    """The width and height that a PNG, JPEG, WebP, BMP, GIF or TIFF declares; None if it is none of these."""
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            return _png(data)
        if data.startswith(b"\xff\xd8"):
            return _jpeg(data)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp(data)
        if data.startswith(b"BM"):
            return _bmp(data)
        if data.startswith((b"GIF87a", b"GIF89a")):
            return unpack_from("<HH", data, 6)
        if data.startswith((b"II*\x00", b"MM\x00*")):
            return _tiff(data)
    except (ShortHead, IndexError):
        return None
    return None


def _png(data: bytes) -> tuple[int, int] | None:
    """The size in the first chunk; None if a chunk is longer than the rest, because decoders allocate memory
    for it in advance."""
    at = 8
    while data[at + 4 : at + 8] not in (b"IEND", b""):
        at += unpack_from(">I", data, at)[0] + 12
    return unpack_from(">II", data, 16) if at < len(data) else None


def _jpeg(data: bytes) -> tuple[int, int] | None:
    """The size in the frame header; the segments before it are skipped as a decoder does."""
    at = 2
    while (at := data.find(b"\xff", at)) >= 0:
        while data[at] == 0xFF:
            at += 1
        kind = data[at]
        at += 1
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            high, wide = unpack_from(">HH", data, at + 3)
            return wide, high
        if kind in (0xD9, 0xDA):
            return None
        if kind not in (0x00, 0x01, *range(0xD0, 0xD9)):
            at += max(2, unpack_from(">H", data, at)[0])
    return None


def _webp(data: bytes) -> tuple[int, int] | None:
    match data[12:16]:
        case b"VP8X":
            return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
        case b"VP8L":
            (bits,) = unpack_from("<I", data, 21)
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            wide, high = unpack_from("<HH", data, 26)
            return wide & 0x3FFF, high & 0x3FFF
    return None


def _bmp(data: bytes) -> tuple[int, int]:
    (head,) = unpack_from("<I", data, 14)
    wide, high = unpack_from("<HH" if head == 12 else "<ii", data, 18)
    return abs(wide), abs(high)


def _tiff(data: bytes) -> tuple[int, int] | None:
    """The size in the first directory. A tile may be larger than the picture, and the width grows if a pixel
    takes many bytes."""
    tags = dict(_tiff_tags(data, "<" if data[:2] == b"II" else ">"))
    if 256 not in tags or 257 not in tags:
        return None
    wide, high = max(tags[256], tags.get(322, 0)), max(tags[257], tags.get(323, 0))
    return wide * -(-tags.get(277, 1) * tags.get(258, 8) // (8 * CHANNELS)), high


def _tiff_tags(data: bytes, order: str) -> Iterator[tuple[int, int]]:
    (at,) = unpack_from(order + "I", data, 4)
    (many,) = unpack_from(order + "H", data, at)
    for n in range(many):
        tag, kind, count = unpack_from(order + "HHI", data, at + 2 + 12 * n)
        where, one = at + 10 + 12 * n, "H" if kind == 3 else "I"
        if count * (2 if kind == 3 else 4) > 4:  # stored elsewhere: bits per sample, one number per channel
            (where,) = unpack_from(order + "I", data, where)
        yield tag, unpack_from(order + one, data, where)[0]


def decode(data: bytes, source: str) -> Picture | None:
    """The picture in these bytes, None if there is none; raises `BadSource` if it declares too many pixels."""
    size = announced(data)
    if size is None:
        return None
    refuse_huge(size, source)
    try:
        how = cv2.IMREAD_REDUCED_COLOR_2 if size[0] * size[1] > LARGE else cv2.IMREAD_COLOR
        found = cv2.imdecode(np.frombuffer(data, np.uint8), how)
    except cv2.error:
        return None
    return None if found is None else np.asarray(found)


def refuse_huge(size: tuple[int, int], source: str) -> None:
    """Raises `BadSource` for implausibly large pictures."""
    wide, high = size
    if wide * high > MOST_PIXELS or max(size) > WIDEST:
        raise BadSource("huge-picture", source=source, wide=wide, high=high, most=MOST_PIXELS // 1_000_000)


def load(path: Path, most: int | None = None) -> bytes:
    """The bytes of a picture file, or only the first `most`; raises `OSError`, or `BadSource` if it is not a
    regular file or too large for a picture."""
    # Non-blocking: opening a pipe without a writer would wait forever.
    with open(path, "rb", opener=lambda name, how: os.open(name, how | os.O_NONBLOCK)) as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode):
            raise BadSource("no-file", path=str(path))
        if most is None and state.st_size > MOST_BYTES:
            raise BadSource("huge-file", path=str(path), most=MOST_BYTES // 1_000_000)
        return file.read(most or MOST_BYTES)
