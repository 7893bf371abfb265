"""Remembers the open play in a file beside the journal; the file remains only if the program crashed.

So after a crash or a power cut the window reopens where people were.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core import files
from companion.errors import DataTrouble

FILE = "standing.json"
SOON = 60.0
"""Seconds; a second crash within this time is blamed on the play itself."""


class OpenPlay(Struct, frozen=True):
    """The open play, and when it was last reopened after a crash."""

    play: int
    again: float | None = None


def read(folder: Path) -> OpenPlay | None:
    """The play that was open when the program crashed."""
    try:
        return msgspec.json.decode(files.read(folder / FILE), type=OpenPlay)
    except (OSError, DataTrouble, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def opened(folder: Path, play: int) -> None:
    """This play is open now. If the file cannot be written, people just reopen the play by hand."""
    before = read(folder)
    if before is None or before.play != play:
        _write(folder, OpenPlay(play))


def closed(folder: Path) -> None:
    """No play is open any more; also called when the program is closed normally."""
    with suppress(OSError):
        (folder / FILE).unlink(missing_ok=True)


def reopen_after_crash(folder: Path, at: float, resume: Callable[[int], None]) -> str | None:
    """Resume the play that was open; returns the slug of the message. One that crashes again at once is not
    resumed."""
    before = read(folder)
    if before is None:
        return None
    if before.again is not None and abs(at - before.again) < SOON:
        closed(folder)
        return "ui.crashed-again"
    _write(folder, replace(before, again=at))
    resume(before.play)
    return "ui.crashed"


def forget_crash(folder: Path) -> None:
    """The program has run for `SOON` seconds since: a later crash is unrelated to the last one, even if the
    clock says otherwise. A Pi without network or battery starts each evening at the same time."""
    if (before := read(folder)) is not None and before.again is not None:
        _write(folder, replace(before, again=None))


def _write(folder: Path, standing: OpenPlay) -> None:
    with suppress(OSError):
        files.write(folder / FILE, msgspec.json.encode(standing))
