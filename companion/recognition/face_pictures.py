"""Pictures of components in the data folder, taken by their owner: one for each, upright and alone."""

from __future__ import annotations

import re
from collections.abc import Container
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.core import files
from companion.core.words import say
from companion.errors import DataTrouble, StorageTrouble

FOLDER, KIND = "faces", ".jpg"
LARGEST, QUALITY = 480, 90
"""The longest side of a picture in pixels, and the quality it is stored with."""


def place(folder: Path, game: str, component: str) -> Path:
    """The path of a component's picture."""
    return folder / FOLDER / game / f"{component}{KIND}"


def keep(folder: Path, game: str, component: str, picture: Any) -> Path:
    """Write the picture of a component, completely or not at all; an earlier one is replaced."""
    import cv2

    high, wide = picture.shape[:2]
    if (zoom := LARGEST / max(high, wide)) < 1:
        picture = cv2.resize(picture, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(KIND, picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    path = place(folder, game, component)
    try:
        files.make_folder(path.parent)
        files.write(path, data.tobytes())
    except OSError as e:
        raise StorageTrouble(say("binder.cannot-keep", file=str(path), why=files.why(e))) from e
    return path


def look_up(folder: Path, game: str, component: str) -> Any:
    """The picture of a component as pixels; None if there is none, or it is unreadable."""
    from vision import CameraTrouble, pictures

    file = place(folder, game, component)
    try:
        return pictures.decode(files.read(file, links=False), str(file))
    except (OSError, DataTrouble, CameraTrouble):
        return None


def throw_away(folder: Path, game: str, component: str) -> None:
    """Delete the picture of a component, if there is one."""
    with suppress(OSError):
        place(folder, game, component).unlink(missing_ok=True)


MOST, HEAVIEST = 2000, 1_000_000
"""How many pictures are copied, and the largest one in bytes; anything more is no box of ours."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")


def copy(source: Path, target: Path, games: Container[str]) -> int:
    """Copy the pictures of these games that the target lacks; returns how many. Links and anything that is no
    picture of a component are left out: the source may be a stick."""
    done = 0
    with suppress(OSError):
        for file in sorted((source / FOLDER).glob(f"*/*{KIND}"))[:MOST]:
            game, there = file.parent.name, target / FOLDER / file.parent.name / file.name
            ours = game in games and _NAME.fullmatch(file.stem) is not None and not file.parent.is_symlink()
            if not ours or file.is_symlink() or there.exists() or file.stat().st_size > HEAVIEST:
                continue
            data = files.read(file, links=False)
            if data.startswith(b"\xff\xd8"):
                try:
                    files.make_folder(there.parent)
                    files.write(there, data)
                except OSError as e:
                    raise StorageTrouble(say("binder.cannot-keep", file=str(there), why=files.why(e))) from e
                done += 1
    return done
