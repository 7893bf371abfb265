"""The error log, for support; only the newest part is kept."""

from __future__ import annotations

import faulthandler
import os
from contextlib import suppress
from pathlib import Path

from companion.core import files

LOG = "errors.log"
CRASHES = "crash.log"
"""Where every thread was when the program crashed; there is no time to write more."""
MOST = 1_000_000
"""Largest size of the file in bytes; a longer one is cut to its newest half of that."""


def write_down(folder: Path, words: str) -> None:
    """Append this to the log in the folder; errors such as a full disk are ignored."""
    file = folder / LOG
    with suppress(OSError):
        # Private, and never written through a link.
        how = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with open(os.open(file, how, files.PRIVATE), "ab") as log:
            log.write(words.encode("utf-8", "replace")[-MOST:] + b"\n")
            long = log.tell() > MOST
        files.keep_private(file)
        if long:
            _cut(file)


def _cut(file: Path) -> None:
    files.write(file, newest(file, MOST // 2))


def keep_crashes(folder: Path) -> None:
    """From now on, if the program crashes, write the stack of every thread beside the journal."""
    file = folder / CRASHES
    with suppress(OSError):
        files.make_folder(folder)
        if file.exists() and file.stat().st_size > MOST:
            _cut(file)
        how = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        # Never closed: it is needed at the moment of the crash.
        faulthandler.enable(os.open(file, how, files.PRIVATE), all_threads=True)


def newest(file: Path, most: int) -> bytes:
    """At most the last `most` bytes of a file, from the beginning of a line."""
    with file.open("rb") as log:
        size = log.seek(0, 2)
        log.seek(max(0, size - most))
        found = log.read(most)
    return found if size <= most else found.partition(b"\n")[2] or found
