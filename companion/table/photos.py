"""Photos of tiles, kept only in the data folder. No Kivy in here."""

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
"""The width of a photo in label widths: a tile is a few times as large as its label."""

LARGEST = 1280
"""The longest side of a photo, in pixels."""

QUALITY = 85

PhotoCorners = Sequence[tuple[float, float]]


def place(folder: Path, game: str, component: str) -> Path:
    """The path of a component's photo."""
    return folder / FOLDER / game / f"{component}.jpg"


def cropped(picture: Any, label: PhotoCorners | None) -> Any:
    """The part of a picture around a label; the whole picture if no label was seen."""
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
    """Write the photo of a component, completely or not at all; an earlier one is replaced."""
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
    """The photo of a component as pixels; None if there is none, or it is unreadable."""
    from vision import CameraTrouble, pictures

    file = place(folder, game, component)
    try:
        return pictures.decode(files.read(file, links=False), str(file))
    except (OSError, DataTrouble, CameraTrouble):
        return None


def throw_away(folder: Path, game: str, component: str) -> None:
    """Delete the photo of a component, if there is one."""
    with suppress(OSError):
        place(folder, game, component).unlink(missing_ok=True)
