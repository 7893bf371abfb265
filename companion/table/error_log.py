"""What broke, written down for whoever is asked for help; only the newest of it is kept."""

from __future__ import annotations

import faulthandler
import os
from contextlib import suppress
from pathlib import Path

from companion.core.files import PRIVATE, make_folder

LOG = "errors.log"
FALLS = "falls.log"
"""Where every thread was when the whole program fell: there is no time for more than that then."""
MOST = 1_000_000
"""Bytes the file may have; a longer one is cut to the newest half of that."""


def write_down(folder: Path, words: str) -> None:
    """Add this to the log in the folder; on a full disk people can still go on without it."""
    file = folder / LOG
    with suppress(OSError):
        with file.open("ab") as log:
            log.write(words.encode("utf-8", "replace")[-MOST:] + b"\n")
            long = log.tell() > MOST
        if long:
            _cut(file)


def _cut(file: Path) -> None:
    fresh = file.with_name(f"{file.name}.new")
    fresh.write_bytes(newest(file, MOST // 2))
    fresh.replace(file)


def keep_falls(folder: Path) -> None:
    """From now on write down beside the journal where every thread is if the whole program falls."""
    file = folder / FALLS
    with suppress(OSError):
        make_folder(folder)
        if file.exists() and file.stat().st_size > MOST:
            _cut(file)
        how = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        # Never closed: it is needed in the last moment there is.
        faulthandler.enable(os.open(file, how, PRIVATE), all_threads=True)


def newest(file: Path, most: int) -> bytes:
    """The last so many bytes of a file, however large it is, from the beginning of a line."""
    with file.open("rb") as log:
        size = log.seek(0, 2)
        log.seek(max(0, size - most))
        found = log.read(most)
    return found if size <= most else found.partition(b"\n")[2] or found
