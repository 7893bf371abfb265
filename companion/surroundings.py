"""What every program takes for granted around it, and may be without: streams that are open, a folder to stand in,
files that are ours once we have made them."""

from __future__ import annotations

import os
import sys


def stand_in_for_closed_streams() -> None:
    """Whatever was closed before we began: nothing can be read from there, and writing there fails with a word.

    The next file we open, the journal perhaps, would otherwise get the number of our output, and be written into."""
    for name, how, mode in (
        ("stdin", "r", os.O_RDONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, mode), how, encoding="utf-8"))


def stand_somewhere() -> None:
    """Leave a folder that is gone, on a stick that was pulled out, say: libraries fall if they cannot tell where they
    are."""
    try:
        os.getcwd()
    except OSError:
        os.chdir("/")


def own_what_we_make() -> None:
    """Never take rights away from ourselves: with a umask that does, we could not open our own journal again."""
    before = os.umask(0o077)
    os.umask(before & 0o077)
