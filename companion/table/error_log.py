"""What broke, written down for whoever is asked for help; only the newest of it is kept."""

from __future__ import annotations

import faulthandler
import os
from contextlib import suppress
from pathlib import Path

from companion.core import files

LOG = "errors.log"
FALLS = "falls.log"
"""Where every thread was when the whole program fell: there is no time for more than that then."""
MOST = 1_000_000
"""Bytes the file may have; a longer one is cut to the newest half of that."""


def write_down(folder: Path, words: str) -> None:
    """Add this to the log in the folder; on a full disk people can still go on without it."""
    file = folder / LOG
    with suppress(OSError):
        # Nobody else's business, and never written through a link.
        how = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with open(os.open(file, how, files.PRIVATE), "ab") as log:
            log.write(words.encode("utf-8", "replace")[-MOST:] + b"\n")
            long = log.tell() > MOST
        files.keep_private(file)
        if long:
            _cut(file)


def _cut(file: Path) -> None:
    files.write(file, newest(file, MOST // 2))


def keep_falls(folder: Path) -> None:
    """From now on write down beside the journal where every thread is if the whole program falls."""
    file = folder / FALLS
    with suppress(OSError):
        files.make_folder(folder)
        if file.exists() and file.stat().st_size > MOST:
            _cut(file)
        how = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        # Never closed: it is needed in the last moment there is.
        faulthandler.enable(os.open(file, how, files.PRIVATE), all_threads=True)


def newest(file: Path, most: int) -> bytes:
    """The last so many bytes of a file, however large it is, from the beginning of a line."""
    with file.open("rb") as log:
        size = log.seek(0, 2)
        log.seek(max(0, size - most))
        found = log.read(most)
    return found if size <= most else found.partition(b"\n")[2] or found
