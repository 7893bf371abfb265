"""The one SQLite file in use: transactions, and what is reported when one of them fails."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from threading import RLock
from typing import Any, Self

from companion.core.files import keep_private
from companion.core.sqlite_errors import is_damage, storage_errors
from companion.core.sqlite_file import (
    PATIENCE,
    open_on_a_failing_disk,
    open_to_read,
    open_to_write,
    real,
    roll_back,
    side_file,
    transaction,
)
from companion.core.words import say
from companion.errors import StorageTrouble


def checksum(*values: object) -> bytes:
    """An eight-byte checksum of these values, including their types."""
    return blake2b(repr(values).encode(), digest_size=8).digest()


def _make_private(path: Path) -> None:
    """Make the file private: earlier versions let everybody read it."""
    for ending in ("", "-wal", "-shm"):
        keep_private(side_file(real(path), ending))


Proof = Callable[[sqlite3.Connection], bool]
"""Checks whether what was written is in the file."""


class Store:
    """The file, used by one thread at a time; other programs may read and write it too."""

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        self.path = path
        self._patience = patience
        self._lock = RLock()
        self._writer: sqlite3.Connection | None = None
        self._writes = False
        self._proofs: list[Proof] = []
        self._file: tuple[int, int] | None = None
        self._log: tuple[int, int] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; it is reopened when needed."""
        with self._lock:
            writer, self._writer, self._log = self._writer, None, None
            if writer is not None:
                writer.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A consistent snapshot of the file, unaffected by other writers."""
        with self._lock, storage_errors(self.path):
            if self._writer is not None and self._writes:
                yield self._writer
            elif self._writer is not None:
                with transaction(self._writer, "BEGIN", roll_back):
                    yield self._writer
            else:
                reader = open_to_read(self.path, self._patience)
                _make_private(self.path)
                reader.execute("PRAGMA writable_schema = OFF")  # do not trust a truncated file
                with closing(reader), transaction(reader, "BEGIN", roll_back):
                    yield reader

    @contextmanager
    def writing(self, proof: Proof | None = None) -> Iterator[sqlite3.Connection]:
        """A transaction: what is done inside is on disk when this ends, or was never done.

        Inside another `writing` it is a savepoint: if only this part fails, the rest can still be committed.
        `proof` checks whether what was written is in the file; it is called if the disk fails during the
        commit, when the result is uncertain.
        """
        with self._lock, storage_errors(self.path):
            if self._writes:
                with self._part(proof) as db:
                    yield db
                return
            db = self._ready()
            self._writes, self._proofs = True, [proof] if proof else []
            try:
                with transaction(db, "BEGIN IMMEDIATE", self._commit):
                    yield db
            finally:
                self._writes = False
            self._rescue()

    def _ready(self) -> sqlite3.Connection:
        """The writing connection, checked to belong to the file that has our path now."""
        if self._writer is None:
            before = _identity(self.path)
            self._writer = open_to_write(self.path, self._patience)
            _make_private(self.path)
            self._file = before or _identity(self.path)
        if _identity(self.path) != self._file:
            # SQLite would keep writing to a file that no longer has a name.
            raise StorageTrouble(say("storage.moved", file=str(self.path)))
        return self._writer

    @contextmanager
    def _part(self, proof: Proof | None) -> Iterator[sqlite3.Connection]:
        """A savepoint: a part of the transaction that can fail alone."""
        assert self._writer is not None
        self._writer.execute("SAVEPOINT part")
        try:
            yield self._writer
            self._writer.execute("RELEASE part")
        except BaseException:
            # A failing disk ends the whole transaction at once: then there is nothing to roll back or commit.
            with suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK TO part")
                self._writer.execute("RELEASE part")
            raise
        if proof is not None:
            self._proofs.append(proof)

    def _commit(self, db: sqlite3.Connection) -> None:
        """Commit; if that fails, find out whether it is in the file all the same."""
        try:
            db.execute("COMMIT")
        except sqlite3.ProgrammingError:
            raise
        except (sqlite3.Error, MemoryError):
            roll_back(db)
            if not self._proofs or not self._is_there():
                raise

    def _is_there(self) -> bool:
        """Whether a failed commit is in the file after all; only reopening it shows what the next start will
        find.

        Raises `StorageTrouble` if that cannot be determined.
        """
        try:
            self.close()
            with closing(open_on_a_failing_disk(self.path, self._patience)) as db:
                return all(proof(db) for proof in self._proofs)
        except (sqlite3.Error, OSError, MemoryError) as e:
            with suppress(sqlite3.Error):
                self.close()
            raise StorageTrouble(say("storage.unsure", file=str(self.path), why=str(e))) from e

    def _rescue(self) -> None:
        """If somebody deleted SQLite's log, its content lasts only as long as this program: move it into the
        file.

        The transaction is already committed, so a failure here must not be reported as a failed write.
        """
        if self._writer is None:  # reopened when next needed
            return
        with suppress(sqlite3.Error, OSError, MemoryError):  # tried again after the next answer
            log = _identity(side_file(real(self.path), "-wal"))
            if self._log is None or log == self._log:
                self._log = log
                return
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self.close()

    def distrust(self, db: sqlite3.Connection, table: str) -> None:
        """Raises `StorageTrouble` if this table may hold more rows than were found: damage can hide rows."""
        (found,) = db.execute(f"PRAGMA quick_check({table})").fetchone()
        if found != "ok":
            raise StorageTrouble(say("storage.damaged", file=str(self.path), why=found))


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def keys(db: sqlite3.Connection, table: str, key: str) -> tuple[list[int], bool]:
    """The keys of a table in order, read from both ends if the middle is damaged; and whether these are all."""
    found: list[int] = []
    for order in ("ASC", "DESC"):
        try:
            for (next_,) in db.execute(f"SELECT {key} FROM {table} ORDER BY {key} {order}"):
                found.append(next_)
            break
        except sqlite3.Error as e:
            if not is_damage(e):
                raise
    in_order = sorted(set(found))
    return in_order, in_order == found


def one(db: sqlite3.Connection, query: str, key: int) -> tuple[Any, ...]:
    """The row with a key that must exist."""
    found: tuple[Any, ...] | None = db.execute(query, (key,)).fetchone()
    if found is None:
        raise sqlite3.DatabaseError(f"row {key} cannot be found")
    return found
