"""What a table keeps about its hall: credentials in one file, what was sent and heard in another.

Both are for their owner only, lie beside the journal, and belong neither to a play nor to a backup.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core import files
from companion.core.words import say
from companion.errors import DataTrouble, StorageTrouble
from companion.hall_messages import HALL_MESSAGES, Assignment, HallDay, TableCredentials, TableResult
from companion.table.settings import UNREADABLE

CREDENTIALS_FILE = "hall-credentials.json"
MEMORY_FILE = "hall.json"
MOST_CREDENTIALS = 40_000
"""Bytes of a file or text with credentials."""
MOST_PLAYS = 200
"""How many plays are remembered, the latest first."""
MOST_CALLS = 64


class SeatsAssigned(Struct, frozen=True):
    """By which assignment people took their seats, and the hall's number of each."""

    assignment: str
    numbers: tuple[str, ...]


class KeptResult(Struct):
    """A finished play's sheet, and how far it has come."""

    result: TableResult
    sent: bool = False
    """Whether the broker has this one."""
    over: bool = False
    """Whether it belongs to another day, and must be cleared at the broker."""
    cleared: bool = False


class HallMemory(Struct):
    """What must survive a restart; `cursors` has the number of the next event to send of each play."""

    table: str = ""
    """The name this table made for itself, if its credentials have none."""
    hall: str = ""
    """The hall all this is about, and this table's name there."""
    day: HallDay | None = None
    assignment: Assignment | None = None
    cursors: dict[int, int] = {}
    calls: tuple[str, ...] = ()
    """The calls that were shown, the latest last."""
    assigned: dict[int, SeatsAssigned] = {}
    results: dict[int, KeptResult] = {}
    discovered: bool = False
    """Whether Home Assistant was told about this table."""

    def saw(self, call: str) -> bool:
        """Whether a call was shown before; from now on it was."""
        known = call in self.calls
        self.calls = (*(other for other in self.calls if other != call), call)[-MOST_CALLS:]
        return known


def load(folder: Path) -> HallMemory:
    """What is kept in this folder; nothing, if it cannot be read: then everything is sent again."""
    try:
        return msgspec.json.decode(files.read(folder / MEMORY_FILE), type=HallMemory)
    except (OSError, DataTrouble, *UNREADABLE):
        return HallMemory()


def save(folder: Path, memory: HallMemory) -> None:
    """Keep this; if the disk takes nothing, things are sent or shown again after a restart."""
    kept: tuple[dict[int, Any], ...] = (memory.cursors, memory.assigned, memory.results)
    for known in kept:
        for play in sorted(known)[:-MOST_PLAYS]:
            del known[play]
    with suppress(OSError):
        files.make_folder(folder)
        files.write(folder / MEMORY_FILE, msgspec.json.encode(memory))


# Credentials


def understood(data: bytes) -> TableCredentials:
    """The credentials in a file from a stick, or in the text of a QR code; raises `DataTrouble`."""
    try:
        found = msgspec.json.decode(data, type=TableCredentials)
    except UNREADABLE as e:
        raise DataTrouble(say("hall-table.no-credentials-in", why=files.why(e))) from e
    if found.version > HALL_MESSAGES:
        raise DataTrouble(say("hall-table.newer-credentials"))
    if bool(found.certificate) != bool(found.key):
        raise DataTrouble(say("hall-table.half-credentials"))
    return found


def take(folder: Path, data: bytes) -> TableCredentials:
    """Use these credentials from now on; raises `DataTrouble` or `StorageTrouble`."""
    found = understood(data)
    try:
        files.make_folder(folder)
        files.write(folder / CREDENTIALS_FILE, msgspec.json.encode(found))
    except OSError as e:
        path = str(folder / CREDENTIALS_FILE)
        raise StorageTrouble(say("settings.cannot-save", file=path, why=files.why(e))) from e
    return found


def credentials(folder: Path) -> TableCredentials | None:
    """The credentials of this table, if it has any that can be read."""
    try:
        return understood(files.read(folder / CREDENTIALS_FILE, MOST_CREDENTIALS))
    except (OSError, DataTrouble):
        return None


def forget(folder: Path) -> None:
    """Have no credentials any more."""
    with suppress(OSError):
        (folder / CREDENTIALS_FILE).unlink(missing_ok=True)


def named(
    found: TableCredentials, memory: HallMemory, random: Callable[[int], str] = secrets.token_hex
) -> TableCredentials:
    """The same with a name for the table: made at first use, so that two cards with one image differ."""
    if found.table is not None:
        return found
    memory.table = memory.table or f"table-{random(4)}"
    return replace(found, table=memory.table)
