"""Photos of tiles beside what was told of them: in the data folder, and nowhere else. No Kivy in here."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.core import files
from companion.core.words import say
from companion.errors import DataTrouble, StorageTrouble

FOLDER = "photos"

LABELS = 6
"""A photo is so many labels wide: a label lies on a tile a few times its size."""

LARGEST = 1280
"""Pixels a photo has at most on a side."""

QUALITY = 85

Corners = Sequence[tuple[float, float]]


def place(folder: Path, game: str, component: str) -> Path:
    """Where the photo of a component is kept."""
    return folder / FOLDER / game / f"{component}.jpg"


def cropped(picture: Any, label: Corners | None) -> Any:
    """The part of a picture round a label; all of it, if none was seen."""
    if not label:
        return picture
    high, wide = picture.shape[:2]
    xs, ys = [x for x, _ in label], [y for _, y in label]
    half = LABELS / 2 * max(max(xs) - min(xs), max(ys) - min(ys))
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    left, right = max(0, int(x - half)), min(wide, int(x + half) + 1)
    top, bottom = max(0, int(y - half)), min(high, int(y + half) + 1)
    return picture[top:bottom, left:right]


def keep(folder: Path, game: str, component: str, picture: Any) -> Path:
    """Write the photo of a component, whole or not at all; an earlier one is replaced."""
    import cv2

    high, wide = picture.shape[:2]
    scale = min(1.0, LARGEST / max(high, wide))
    if scale < 1.0:
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    path = place(folder, game, component)
    try:
        files.make_folder(path.parent)
        files.write(path, data.tobytes())
    except OSError as e:
        raise StorageTrouble(say("binder.cannot-keep", file=str(path), why=files.why(e))) from e
    return path


def look_up(folder: Path, game: str, component: str) -> Any:
    """The photo of a component as pixels; none if there is none, or nobody can read it."""
    from vision import CameraTrouble, pictures

    file = place(folder, game, component)
    try:
        return pictures.decode(files.read(file, links=False), str(file))
    except (OSError, DataTrouble, CameraTrouble):
        return None


def throw_away(folder: Path, game: str, component: str) -> None:
    """Take the photo of a component away, if there is one."""
    with suppress(OSError):
        place(folder, game, component).unlink(missing_ok=True)
