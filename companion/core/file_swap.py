"""Replaces the journal and its side files by a repaired one; after a power cut either the old or the new
remains.

SQLite would mix old side files into the new file; without its side files the old file looks intact but is out
of date. So the new file first gets a name that announces the swap; from then on, the next program that opens
the journal finishes it.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from companion.core.files import sync_folder

SIDES = ("-wal", "-journal", "-shm")
"""The suffixes of SQLite's side files."""
MENDED = ".mended"


def swap(path: Path, new: Path) -> None:
    """Replace a journal and its side files by a complete file that is already synced to disk."""
    sync_folder(path.parent)
    os.replace(new, _mended(path))
    sync_folder(path.parent)
    finish(path)


def finish(path: Path) -> None:
    """Finish a swap that a power cut interrupted, if there is one."""
    mended = _mended(path)
    if not mended.exists():
        return
    with mended.open("r+b") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        # Another program may have finished first: then the side files now belong to the new file.
        if not mended.exists() or not os.path.samestat(mended.stat(), os.fstat(file.fileno())):
            return
        for ending in SIDES:
            path.with_name(path.name + ending).unlink(missing_ok=True)
        sync_folder(path.parent)
        os.replace(mended, path)
        sync_folder(path.parent)


def _mended(path: Path) -> Path:
    return path.with_name(path.name + MENDED)
