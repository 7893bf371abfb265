"""Errors of SQLite and the system in words for people; and whether they mean that a file is damaged."""

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
"""In bytes. If this much memory is free after a `MemoryError`, the file asked for an absurd size: it is damaged."""


@contextmanager
def storage_errors(file: Path) -> Iterator[None]:
    """Turns errors of SQLite and of the system into a `StorageTrouble` that says what to do."""
    try:
        yield
    except (Trouble, sqlite3.ProgrammingError):
        raise
    except sqlite3.Error as e:
        raise StorageTrouble(_complaint(e, file)) from e
    except OSError as e:
        raise StorageTrouble(_system_error(e, file)) from e


def _system_error(e: OSError, file: Path) -> Text:
    if e.errno == errno.ENOSPC and _has_no_room_for_files(file):
        return say("storage.no-more-files", file=str(file))
    if e.errno in (errno.EMFILE, errno.ENFILE):
        return say("storage.too-many-open", file=str(file))
    key = {errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EROFS: "read-only", errno.EIO: "disk-failed"}
    return say(f"storage.{key.get(e.errno or 0, 'cannot-open')}", file=str(file), why=why(e))


def _has_no_room_for_files(file: Path) -> bool:
    """Whether the disk has free space but no free inode for another file."""
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
"""SQLite's error codes as messages; any other code means damage, because our own statements are tested."""


def _complaint(e: sqlite3.Error, file: Path) -> Text:
    if code_of(e) == sqlite3.SQLITE_CANTOPEN:  # SQLite does not say why: try to create a file beside it
        try:
            with tempfile.TemporaryFile(dir=file.parent):
                pass
        except OSError as refused:
            return _system_error(refused, file)
    return say(COMPLAINTS.get(code_of(e), "storage.damaged"), file=str(file), why=str(e))


def code_of(e: sqlite3.Error) -> int:
    """The primary error code, without SQLite's extended part."""
    return getattr(e, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF


def is_damage(e: sqlite3.Error) -> bool:
    """Whether the content is damaged, rather than the disk, the permissions or the timing being at fault."""
    return code_of(e) not in COMPLAINTS


def is_no_database(e: sqlite3.Error) -> bool:
    """Whether the file does not even begin like a SQLite file."""
    return code_of(e) == sqlite3.SQLITE_NOTADB


@contextmanager
def _damage_as_error() -> Iterator[None]:
    """Raises `sqlite3.DatabaseError` also for damage that shows as another error: a message that quotes
    damaged names cannot be decoded, and a damaged length makes SQLite request too much memory."""
    try:
        yield
    except UnicodeDecodeError as e:
        raise sqlite3.DatabaseError(e.object.decode("utf-8", "replace")) from e
    except MemoryError as e:
        bytearray(A_LOT)  # raises MemoryError again if memory really is short
        raise sqlite3.DatabaseError("out of memory") from e


class _Cursor(sqlite3.Cursor):
    def __next__(self) -> Any:
        with _damage_as_error():
            return super().__next__()

    def fetchone(self) -> Any:
        with _damage_as_error():
            return super().fetchone()

    def fetchall(self) -> list[Any]:
        with _damage_as_error():
            return super().fetchall()


class JournalConnection(sqlite3.Connection):
    """A connection that reports damage as `sqlite3.DatabaseError`."""

    def execute(self, *statement: Any) -> sqlite3.Cursor:
        """Run one statement."""
        with _damage_as_error():
            return self.cursor(_Cursor).execute(*statement)
