"""Sets up what programs rely on but may lack: open streams, a working directory, access to their own files."""

from __future__ import annotations

import os
import sys


def replace_closed_streams() -> None:
    """Replace closed standard streams: nothing can be read from stdin, and writing to stdout fails with an
    error.

    Otherwise the next file we open, perhaps the journal, would get the number of our output and be
    overwritten.
    """
    for name, how, mode in (
        ("stdin", "r", os.O_RDONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, mode), how, encoding="utf-8"))


def leave_missing_folder() -> None:
    """Leave a working directory that is gone, for example on a stick that was pulled out: libraries crash
    without one."""
    try:
        os.getcwd()
    except OSError:
        os.chdir("/")


def allow_own_access() -> None:
    """Clear the umask bits for our own rights: otherwise we could not reopen our own journal."""
    before = os.umask(0o077)
    os.umask(before & 0o077)
