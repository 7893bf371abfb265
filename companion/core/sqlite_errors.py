"""What SQLite and the system complain of, in words for people; and whether it means that a file is damaged."""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.core.files import why
from companion.core.words import Text, say
from companion.errors import StorageTrouble, Trouble

A_LOT = 1 << 25
"""Bytes; where so many are to be had, a file that needs more than there are is damaged."""


@contextmanager
def told(file: Path) -> Iterator[None]:
    """Turns complaints of SQLite and of the system into a `StorageTrouble` that says what to do."""
    try:
        yield
    except (Trouble, sqlite3.ProgrammingError):
        raise
    except sqlite3.Error as e:
        raise StorageTrouble(_complaint(e, file)) from e
    except OSError as e:
        raise StorageTrouble(_of_the_system(e, file)) from e


def _of_the_system(e: OSError, file: Path) -> Text:
    if e.errno == errno.ENOSPC and _has_no_room_for_files(file):
        return say("storage.no-more-files", file=str(file))
    if e.errno in (errno.EMFILE, errno.ENFILE):
        return say("storage.too-many-open", file=str(file))
    key = {errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EROFS: "read-only", errno.EIO: "disk-failed"}
    return say(f"storage.{key.get(e.errno or 0, 'cannot-open')}", file=str(file), why=why(e))


def _has_no_room_for_files(file: Path) -> bool:
    """Whether the disk has room, but for no file more: each needs an inode, and there are only so many."""
    try:
        disk = os.statvfs(file.parent)
    except OSError:
        return False
    return bool(disk.f_files and not disk.f_favail and disk.f_bavail)


COMPLAINTS = {
    sqlite3.SQLITE_BUSY: "storage.locked",
    sqlite3.SQLITE_LOCKED: "storage.locked",
    sqlite3.SQLITE_READONLY: "storage.read-only",
    sqlite3.SQLITE_CANTOPEN: "storage.cannot-open",
    sqlite3.SQLITE_PERM: "storage.cannot-open",
    sqlite3.SQLITE_FULL: "storage.full",
    sqlite3.SQLITE_IOERR: "storage.disk-failed",
    sqlite3.SQLITE_NOTADB: "storage.not-ours",
}
"""What SQLite's codes mean to people; any other means damage, for our own statements are tested."""


def _complaint(e: sqlite3.Error, file: Path) -> Text:
    if code_of(e) == sqlite3.SQLITE_CANTOPEN:  # it does not say why: ask the system for a file beside it
        try:
            with tempfile.TemporaryFile(dir=file.parent):
                pass
        except OSError as refused:
            return _of_the_system(refused, file)
    return say(COMPLAINTS.get(code_of(e), "storage.damaged"), file=str(file), why=str(e))


def code_of(e: sqlite3.Error) -> int:
    """The kind of error, without SQLite's finer distinctions."""
    return getattr(e, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF


def is_damage(e: sqlite3.Error) -> bool:
    """Whether the content is wrong, rather than the disk, the rights or the moment."""
    return code_of(e) not in COMPLAINTS


def is_no_database(e: sqlite3.Error) -> bool:
    """Whether not even the first bytes are SQLite's."""
    return code_of(e) == sqlite3.SQLITE_NOTADB


@contextmanager
def _complaining() -> Iterator[None]:
    """Damage is complained of as such, also where SQLite's own words about it have damaged names in them, which are no
    letters, and where a damaged length lets it ask for more memory than there can be."""
    try:
        yield
    except UnicodeDecodeError as e:
        raise sqlite3.DatabaseError(e.object.decode("utf-8", "replace")) from e
    except MemoryError as e:
        bytearray(A_LOT)  # raises another one if there really is none
        raise sqlite3.DatabaseError("out of memory") from e


class _Cursor(sqlite3.Cursor):
    def __next__(self) -> Any:
        with _complaining():
            return super().__next__()

    def fetchone(self) -> Any:
        with _complaining():
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        with _complaining():
            return super().fetchall()


class JournalConnection(sqlite3.Connection):
    """One that complains of damage as such."""

    def execute(self, *statement: Any) -> sqlite3.Cursor:
        """Run one statement."""
        with _complaining():
            return self.cursor(_Cursor).execute(*statement)
