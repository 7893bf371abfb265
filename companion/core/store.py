"""The one SQLite file: opening it, checking it, and reporting what is wrong with it.

Reading never changes the file and works where nothing can be written; writing creates the file when needed.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from threading import RLock
from typing import Any, Self

from companion.core.file_swap import finish
from companion.core.files import PRIVATE, keep_private, make_folder, sync_folder
from companion.core.sqlite_errors import JournalConnection, code_of, is_damage, storage_errors
from companion.core.words import say
from companion.errors import StorageTrouble

APPLICATION = 0x7AB1E70B
"""Marks the file as ours (`PRAGMA application_id`)."""

# Not STRICT: a file made here must open with SQLite 3.34, which does not know the keyword.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE play (
            id INTEGER PRIMARY KEY,
            game TEXT NOT NULL,
            title TEXT NOT NULL,
            setup BLOB NOT NULL CHECK (typeof(setup) = 'blob'),
            created REAL NOT NULL,
            last_at REAL NOT NULL,
            entries INTEGER NOT NULL,
            finished REAL,
            head BLOB NOT NULL
        )""",
        """CREATE TABLE entry (
            play INTEGER NOT NULL REFERENCES play (id),
            seq INTEGER NOT NULL,
            at REAL NOT NULL,
            body BLOB NOT NULL CHECK (typeof(body) = 'blob'),
            sum BLOB NOT NULL,
            PRIMARY KEY (play, seq)
        ) WITHOUT ROWID""",
        """CREATE TABLE fact (
            seq INTEGER PRIMARY KEY,
            body BLOB NOT NULL CHECK (typeof(body) = 'blob'),
            sum BLOB NOT NULL
        )""",
    ),
)
"""The statements that lead from each version of the file to the next; version 1 is after the first."""

VERSION = len(MIGRATIONS)
PATIENCE = 2.0
"""Seconds to wait for another program to finish writing."""


def default_path(environ: Mapping[str, str]) -> Path:
    """The default path of the journal."""
    if home := environ.get("COMPANION_HOME"):
        return Path(home) / "journal.db"
    data = Path(environ.get("XDG_DATA_HOME", ""))
    if not data.is_absolute():  # also if it is unset: relative paths must be ignored
        try:
            data = Path(environ.get("HOME") or Path.home()) / ".local" / "share"
        except RuntimeError as e:
            raise StorageTrouble(say("storage.no-home")) from e
    return data / "tabletop-companion" / "journal.db"


def checksum(*values: object) -> bytes:
    """An eight-byte checksum of these values, including their types."""
    return blake2b(repr(values).encode(), digest_size=8).digest()


def side_file(path: Path, ending: str) -> Path:
    """The side file with this suffix, such as `-wal`."""
    return path.with_name(path.name + ending)


def real(path: Path) -> Path:
    """The real path: SQLite keeps its side files there, not beside a link to it."""
    return Path(os.path.realpath(path))


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
                with _transaction(self._writer, "BEGIN", _roll_back):
                    yield self._writer
            else:
                reader = open_to_read(self.path, self._patience)
                _make_private(self.path)
                reader.execute("PRAGMA writable_schema = OFF")  # do not trust a truncated file
                with closing(reader), _transaction(reader, "BEGIN", _roll_back):
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
                with _transaction(db, "BEGIN IMMEDIATE", self._commit):
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
            _roll_back(db)
            if not self._proofs or not self._is_there():
                raise

    def _is_there(self) -> bool:
        """Whether a failed commit is in the file after all; only reopening it shows what the next start will
        find.

        Raises `StorageTrouble` if that cannot be determined.
        """
        try:
            self.close()
            with closing(_open_on_a_failing_disk(self.path, self._patience)) as db:
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


@contextmanager
def _transaction(
    connection: sqlite3.Connection, begin: str, end: Callable[[sqlite3.Connection], object]
) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
        end(connection)
    finally:
        _roll_back(connection)


def _roll_back(connection: sqlite3.Connection) -> None:
    # After Ctrl-C between a block and its end the connection is already closed, and nothing is left to do. A
    # failing disk is reported by the statement that failed; SQLite has rolled back by then.
    with suppress(sqlite3.Error):
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def open_to_write(path: Path, patience: float = PATIENCE) -> sqlite3.Connection:
    """The file ready for writing, created or migrated; a file that is not ours is not touched."""
    open_to_read(path, patience).close()
    if _is_read_only(path):
        raise StorageTrouble(say("storage.read-only", file=str(path)))
    make_folder(path.parent)  # not the target of a link: its disk may not be plugged in
    path = real(path)
    _born_private(path)
    connection = connect(path, "mode=rw", patience)
    try:
        # In WAL mode EXTRA equals FULL; before that, it makes the creation of the file durable as well.
        connection.execute("PRAGMA synchronous = EXTRA")
        connection.execute("PRAGMA foreign_keys = ON")
        migrate(connection)
        connection.execute("PRAGMA journal_mode = WAL")
    except BaseException:
        connection.close()
        raise
    return connection


def _born_private(path: Path) -> None:
    """Create the empty file if there is none: SQLite would make it readable for everybody; side files get the
    same mode."""
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE))
        sync_folder(path.parent)


def open_to_read(path: Path, patience: float = PATIENCE, shown: Path | None = None) -> sqlite3.Connection:
    """The file for reading only, even where nothing can be written; a missing file reads like an empty one.

    `shown` is its name in messages.
    """
    path = journal_file(path)
    shown = shown or path
    if _is_new(path):
        return open_new()
    connection = _open_beside_others(path, shown, patience) or _open_where_nothing_can_be_written(path, shown)
    if _pragma(connection, "user_version") == VERSION:
        return connection
    with closing(connection):
        return _in_memory(connection)


def journal_file(path: Path) -> Path:
    """The real path of the journal; raises `StorageTrouble` if it is not a regular file, and `OSError` if a
    link leads to a disk that is not plugged in: otherwise it would look as if nobody had ever played."""
    where = real(path)
    finish(where)  # a repair may have been interrupted
    try:
        mode = where.stat().st_mode
    except FileNotFoundError as e:
        if os.path.lexists(path.parent) and not where.parent.exists():
            raise e
        return where
    if not stat.S_ISREG(mode):
        raise StorageTrouble(say("storage.not-ours", file=str(path)))
    return where


def _open_beside_others(path: Path, shown: Path, patience: float) -> sqlite3.Connection | None:
    """The usual way to read, while others may write; None if SQLite would need side files it cannot create."""
    if _is_read_only(path) and not side_file(path, "-shm").exists():
        return None
    try:
        return _trusted(path, "mode=ro", shown, patience)
    except sqlite3.Error as e:
        if code_of(e) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
        return None


def _open_where_nothing_can_be_written(path: Path, shown: Path) -> sqlite3.Connection:
    """Open a file that SQLite refuses because it cannot create its side files."""
    unfinished = [ending for ending in ("-wal", "-journal") if _size(side_file(path, ending))]
    if not unfinished:
        return _trusted(path, "mode=ro&immutable=1", shown)
    # The newest answers are in the side file and would be missed: combine both elsewhere.
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        for ending in ("", *unfinished):
            shutil.copyfile(side_file(path, ending), side_file(copy, ending))
        with closing(_trusted(copy, "mode=rw", shown)) as connection:
            return _in_memory(connection)


def _open_on_a_failing_disk(path: Path, patience: float) -> sqlite3.Connection:
    """The file for reading only, even if the disk refuses to create side files."""
    try:
        return open_to_read(path, patience)
    except sqlite3.Error:
        return _open_where_nothing_can_be_written(journal_file(path), path)


def open_new() -> sqlite3.Connection:
    """An empty database of this version, in memory; nothing is written."""
    return _in_memory(None)


def _in_memory(source: sqlite3.Connection | None) -> sqlite3.Connection:
    """A migrated in-memory copy of a file that we may not or need not change."""
    memory = _connect(":memory:", PATIENCE)
    try:
        if source is not None:
            source.backup(memory)
        migrate(memory)
    except BaseException:
        memory.close()
        raise
    return memory


def _is_new(path: Path) -> bool:
    if _size(path):
        return False
    if _size(side_file(path, "-wal")):
        # SQLite would delete the orphaned log, and the answers in it.
        raise StorageTrouble(say("storage.lost", file=str(path), rest=str(side_file(path, "-wal"))))
    return True


def _is_read_only(path: Path) -> bool:
    """SQLite must not open a read-only file: it would make its side files read-only too, and block later writing."""
    effective = os.access in os.supports_effective_ids
    return path.exists() and not os.access(path, os.W_OK, effective_ids=effective)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def connect(path: Path, how: str, patience: float = PATIENCE) -> sqlite3.Connection:
    """A connection to the file, without any checks."""
    return _connect(f"{path.absolute().as_uri()}?{how}", patience)


def _connect(name: str, patience: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        name,
        uri=True,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,
        factory=JournalConnection,
    )
    # Decode a damaged name with replacement characters instead of raising a decoding error.
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return connection


def _trusted(path: Path, how: str, shown: Path, patience: float = PATIENCE) -> sqlite3.Connection:
    """A connection to a file that is ours and not of a newer version; `shown` is its name in messages."""
    connection = connect(path, how, patience)
    try:
        # Lets a repair read what is left of a truncated file.
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("PRAGMA cell_size_check = ON")
        version = _pragma(connection, "user_version")
        strange = _pragma(connection, "application_id") != APPLICATION or _does_by_itself(connection)
        # A file without pages: the program was killed while creating it, and everything was rolled back.
        if strange and _pragma(connection, "page_count"):
            raise StorageTrouble(say("storage.not-ours", file=str(shown)))
        if version > VERSION:
            raise StorageTrouble(say("storage.newer-version", file=str(shown)))
    except BaseException:
        connection.close()
        raise
    return connection


def _does_by_itself(connection: sqlite3.Connection) -> bool:
    """Whether the file has triggers or views, which would run on reading or writing: our files never have any."""
    try:
        query = "SELECT count(*) FROM sqlite_master WHERE type IN ('trigger', 'view')"
        return bool(connection.execute(query).fetchone()[0])
    except sqlite3.Error as e:
        if not is_damage(e):
            raise
        return False  # reported by the next read


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file up to this version, all or nothing."""
    if _pragma(connection, "user_version") == VERSION:
        return
    with _transaction(connection, "BEGIN IMMEDIATE", lambda db: db.execute("COMMIT")):
        # Read again: another program may have been faster.
        for statements in MIGRATIONS[_pragma(connection, "user_version") :]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")


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
