"""Putting a mended journal in the place of the old one and its side files, so that a power cut leaves one or the other.

SQLite would mix old side files into the new file; without them the old file looks sound but is older. So the new file
first gets a name that says what is to happen: from then on whoever opens the journal finishes it.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from companion.core.files import sync_folder

SIDES = ("-wal", "-journal", "-shm")
"""What SQLite keeps beside a journal."""
MENDED = ".mended"


def swap(path: Path, new: Path) -> None:
    """Put a whole file, which is safe on the disk, in the place of another and all that belongs to it."""
    sync_folder(path.parent)
    os.replace(new, _mended(path))
    sync_folder(path.parent)
    finish(path)


def finish(path: Path) -> None:
    """Finish what a power cut interrupted; nothing if there is nothing to be finished."""
    mended = _mended(path)
    if not mended.exists():
        return
    with mended.open("r+b") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        # Another program may have been faster: then the side files there are now belong to the new file.
        if not mended.exists() or not os.path.samestat(mended.stat(), os.fstat(file.fileno())):
            return
        for ending in SIDES:
            path.with_name(path.name + ending).unlink(missing_ok=True)
        sync_folder(path.parent)
        os.replace(mended, path)
        sync_folder(path.parent)


def _mended(path: Path) -> Path:
    return path.with_name(path.name + MENDED)
