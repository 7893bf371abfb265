"""Pictures from anywhere: one that declares an implausible size is refused before decoding, a damaged one is
ignored."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from vision.camera import BadSource, open_camera
from vision.pictures import MOST_BYTES, MOST_PIXELS, announced, decode, load

PICTURE = np.random.default_rng(1).integers(0, 255, (48, 64, 3), np.uint8)
SORTS = (".png", ".jpg", ".webp", ".bmp", ".gif", ".tiff")


def encoded(sort: str, *how: int) -> bytes:
    return cv2.imencode(sort, PICTURE, list(how))[1].tobytes()


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def huge(sort: str, wide: int = 30_000, high: int = 30_000) -> bytes:
    """A small picture that says it is a large one."""
    data = encoded(sort)
    match sort:
        case ".png":
            head = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
            return data[:8] + chunk(b"IHDR", head) + data[33:]
        case ".jpg":
            at = data.index(b"\xff\xc0")
            return data[: at + 5] + struct.pack(">HH", high, wide) + data[at + 9 :]
        case ".webp":
            return b"RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + 2 * (wide - 1).to_bytes(3, "little")
        case ".bmp":
            return data[:18] + struct.pack("<ii", wide, -high) + data[26:]
        case ".gif":
            return data[:6] + struct.pack("<HH", wide, high) + data[10:]
        case _:
            return tiff(wide, high)


def tiff(wide: int, high: int, channels: int = 3, bits: int = 8, tile: int = 0) -> bytes:
    tags = {256: wide, 257: high, 258: bits, 259: 1, 262: 2, 273: 8, 277: channels, 278: high, 279: 100}
    tags |= {322: tile, 323: tile} if tile else {}
    rows = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in sorted(tags.items()))
    return b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", len(tags)) + rows + bytes(4)


@pytest.mark.parametrize("sort", SORTS)
def test_every_sort_of_picture_says_how_large_it_is(sort: str) -> None:
    assert announced(encoded(sort)) == (64, 48)
    found = decode(encoded(sort), "here")
    assert found is not None
    assert found.shape == (48, 64, 3)


def test_the_rarer_sorts_too() -> None:
    assert announced(encoded(".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1)) == (64, 48)
    assert announced(encoded(".webp", cv2.IMWRITE_WEBP_QUALITY, 101)) == (64, 48)
    padded = encoded(".jpg")
    assert announced(padded[:2] + b"\xff\xff\xfe\x00\x04\xff\xc0" + padded[2:]) == (
        64,
        48,
    )  # a comment that lies


@pytest.mark.parametrize("sort", SORTS)
def test_what_announces_too_much_is_refused(sort: str) -> None:
    with pytest.raises(BadSource, match="million") as trouble:
        decode(huge(sort), "stick/picture")
    assert trouble.value.told.args["source"] == "stick/picture"


@pytest.mark.parametrize(
    "data", [tiff(100, 100, tile=30_000), tiff(7000, 7000, channels=4, bits=64), huge(".png", 1, 2_000_000)]
)
def test_so_is_what_only_seems_small(data: bytes) -> None:
    with pytest.raises(BadSource, match="million"):
        decode(data, "here")


def test_the_largest_picture_that_is_taken_is_one_of_a_good_phone() -> None:
    assert 8160 * 6144 < MOST_PIXELS < 12_000 * 9000


def test_a_large_picture_is_read_at_half_its_size_in_little_memory() -> None:
    """Measured in a process of its own: of the most pixels, a JPEG takes less than 200 MB in all."""
    program = (
        "import resource, sys, cv2, numpy as np\n"
        "from vision.pictures import decode\n"
        "data = sys.stdin.buffer.read()\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "shape = decode(data, 'here').shape\n"
        "after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print(shape[0], shape[1], (after - before) // 1024)\n"
    )
    data = cv2.imencode(".jpg", np.zeros((8000, 8000), np.uint8))[1].tobytes()
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", program], input=data, env=environ, capture_output=True, check=True
    )
    high, wide, megabytes = map(int, done.stdout.split())
    assert (high, wide) == (4000, 4000)
    assert megabytes < 200


def test_a_chunk_that_announces_more_than_there_is_makes_nobody_look_for_room() -> None:
    data = encoded(".png")
    assert decode(data[:33] + b"\xbd\x00\x20\x00" + data[37:], "here") is None
    assert announced(data + b"what some programs leave at the end") == (64, 48)


@pytest.mark.parametrize("sort", SORTS)
def test_damaged_pictures_are_nothing_or_a_picture_and_never_a_fall(sort: str) -> None:
    random, whole = Random(sort), encoded(sort)
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(random.randint(1, 8)):
            data[random.randrange(min(len(data), random.choice((40, 400, 10**6))))] = random.randrange(256)
        cut = bytes(data[: random.randint(0, len(data))] if random.random() < 0.3 else data)
        try:
            found = decode(cut, "here")
        except BadSource:
            continue
        assert found is None or found.ndim in (2, 3)


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xd8", b"\xff\xd8\xff", b"II*\0\xff\xff\xff\xff", b"BM", b"[" * 100]
)
def test_what_is_no_picture_is_nothing(data: bytes) -> None:
    assert announced(data) is None
    assert decode(data, "here") is None


def test_neither_devices_nor_pipes_nor_endless_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    with (tmp_path / "large.png").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    for name, hint in (("pipe.png", "pipe"), ("large.png", "MB"), ("/dev/zero", "device")):
        with pytest.raises(BadSource, match=hint):
            load(tmp_path / name)


def test_one_huge_picture_among_good_ones_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "1.png").write_bytes(huge(".png"))
    os.mkfifo(tmp_path / "2.png")
    (tmp_path / "3.png").write_bytes(encoded(".png"))
    camera = open_camera(str(tmp_path))
    assert camera.read() is not None
    assert camera.read() is None
    assert camera.health().told.args["damaged"] == 2  # type: ignore[union-attr]


def test_a_huge_picture_alone_says_why_there_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "1.png").write_bytes(huge(".png"))
    camera = open_camera(str(tmp_path / "1.png"))
    assert camera.read() is None
    assert "30000" in camera.health().trouble


def test_a_film_of_huge_pictures_is_refused(tmp_path: Path) -> None:
    film = cv2.VideoWriter(str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 15, (64, 48))
    film.write(PICTURE)
    film.release()
    data = (tmp_path / "film.avi").read_bytes()
    data = data.replace(struct.pack("<II", 64, 48), struct.pack("<II", 12_000, 9000))
    at = data.index(b"\xff\xc0")
    (tmp_path / "film.avi").write_bytes(data[: at + 5] + struct.pack(">HH", 9000, 12_000) + data[at + 9 :])
    with pytest.raises(BadSource, match="12000 x 9000"):
        open_camera(str(tmp_path / "film.avi"))


@pytest.mark.parametrize(
    "source", ["x" * 300, "x/" * 3000, "y" * 100_000, "nul\0nul", "/dev/zero", "/dev/null"]
)
def test_a_name_no_file_can_have_is_refused_in_a_short_sentence(source: str) -> None:
    with pytest.raises(BadSource, match=r"Say ") as trouble:
        open_camera(source)
    assert len(str(trouble.value)) < 300


def test_opencv_itself_is_told_the_limit_before_it_is_loaded() -> None:
    """For pictures inside pictures; in a process of its own, for here OpenCV is loaded already."""
    script = """
import vision, sys
assert "cv2" not in sys.modules
import cv2, numpy as np
try:
    cv2.imdecode(np.frombuffer(open(sys.argv[1], "rb").read(), np.uint8), cv2.IMREAD_COLOR)
except cv2.error as e:
    print("refused")
"""
    shown = subprocess.run(
        [sys.executable, "-c", script, "/dev/stdin"],
        input=huge(".png", 9000, 9000),
        capture_output=True,
        check=True,
    )
    assert b"refused" in shown.stdout
