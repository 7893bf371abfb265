"""Which play stands open, in a file beside the journal: it is there after the program died, and only then.

So a window that fell, or a table whose power was cut, opens again where people were.
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
"""Seconds within which a second fall is believed to come from the play itself."""


class Standing(Struct, frozen=True):
    """A play that stands open, and when it was last opened after a fall."""

    play: int
    again: float | None = None


def read(folder: Path) -> Standing | None:
    """The play that stood open when the program ended without a word."""
    try:
        return msgspec.json.decode(files.read(folder / FILE), type=Standing)
    except (OSError, DataTrouble, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def opened(folder: Path, play: int) -> None:
    """This play stands open now. On a disk that takes nothing people simply come back by hand."""
    before = read(folder)
    if before is None or before.play != play:
        _write(folder, Standing(play))


def closed(folder: Path) -> None:
    """No play stands open any more; also said when the program is closed in peace."""
    with suppress(OSError):
        (folder / FILE).unlink(missing_ok=True)


def come_back(folder: Path, at: float, resume: Callable[[int], None]) -> str | None:
    """Resume the play that stood open; the slug of what to tell. One that falls again at once is left to people."""
    before = read(folder)
    if before is None:
        return None
    if before.again is not None and abs(at - before.again) < SOON:
        closed(folder)
        return "ui.fell-again"
    _write(folder, replace(before, again=at))
    resume(before.play)
    return "ui.fell"


def survived(folder: Path) -> None:
    """The program has lived for `SOON` seconds since: whatever ends it from now on has nothing to do with the last
    fall, even if the clock says so. A Pi without network or battery begins each evening at the same time."""
    if (before := read(folder)) is not None and before.again is not None:
        _write(folder, replace(before, again=None))


def _write(folder: Path, standing: Standing) -> None:
    with suppress(OSError):
        files.write(folder / FILE, msgspec.json.encode(standing))
