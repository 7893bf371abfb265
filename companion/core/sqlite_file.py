"""Opens the one SQLite file: where it is, which tables it has, for reading, for writing, or new.

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
from pathlib import Path

from companion.core.file_swap import finish
from companion.core.files import PRIVATE, make_folder, sync_folder
from companion.core.sqlite_errors import JournalConnection, code_of, is_damage
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
    (
        """CREATE TABLE annotation (
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


def side_file(path: Path, ending: str) -> Path:
    """The side file with this suffix, such as `-wal`."""
    return path.with_name(path.name + ending)


def real(path: Path) -> Path:
    """The real path: SQLite keeps its side files there, not beside a link to it."""
    return Path(os.path.realpath(path))


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


def open_on_a_failing_disk(path: Path, patience: float) -> sqlite3.Connection:
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
    with transaction(connection, "BEGIN IMMEDIATE", lambda db: db.execute("COMMIT")):
        # Read again: another program may have been faster.
        for statements in MIGRATIONS[_pragma(connection, "user_version") :]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")


@contextmanager
def transaction(
    connection: sqlite3.Connection, begin: str, end: Callable[[sqlite3.Connection], object]
) -> Iterator[None]:
    """Begin with this statement, end so; if that fails, everything is rolled back."""
    connection.execute(begin)
    try:
        yield
        end(connection)
    finally:
        roll_back(connection)


def roll_back(connection: sqlite3.Connection) -> None:
    """Undo what was not committed."""
    # After Ctrl-C between a block and its end the connection is already closed, and nothing is left to do. A
    # failing disk is reported by the statement that failed; SQLite has rolled back by then.
    with suppress(sqlite3.Error):
        if connection.in_transaction:
            connection.execute("ROLLBACK")
