"""Where a hall keeps what it heard and what its organiser decided: SQLite, or PostgreSQL, in SQL both understand.

Several halls may write to one PostgreSQL: heard events and results belong to a hall, decisions to the day, which
all halls share. Every write is one transaction; after an error the connection is made again at the next call.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from companion.core import files
from companion.core.words import plain, say
from companion.errors import DataTrouble, StorageTrouble, Trouble

POSTGRESQL = ("postgresql://", "postgres://")
PATIENCE = 5
"""Seconds until a database that does not answer counts as away."""
APPLICATION = 0x7AB1E70C
"""Marks a SQLite file as a hall's (`PRAGMA application_id`)."""
TABLES = (
    """CREATE TABLE IF NOT EXISTS decisions (
        day TEXT NOT NULL, number BIGINT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (day, number))""",
    """CREATE TABLE IF NOT EXISTS events (
        hall TEXT NOT NULL, desk TEXT NOT NULL, day TEXT NOT NULL, play BIGINT NOT NULL, number BIGINT NOT NULL,
        body TEXT NOT NULL, PRIMARY KEY (hall, desk, day, play, number))""",
    """CREATE TABLE IF NOT EXISTS results (
        hall TEXT NOT NULL, desk TEXT NOT NULL, day TEXT NOT NULL, play BIGINT NOT NULL,
        body TEXT NOT NULL, PRIMARY KEY (hall, desk, day, play))""",
    """CREATE TABLE IF NOT EXISTS reached (
        hall TEXT NOT NULL, desk TEXT NOT NULL, day TEXT NOT NULL, play BIGINT NOT NULL, round BIGINT NOT NULL,
        game TEXT NOT NULL, seats BIGINT NOT NULL, played DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (hall, desk, day, play, round))""",
    """CREATE TABLE IF NOT EXISTS changes (
        day TEXT NOT NULL PRIMARY KEY, value BIGINT NOT NULL)""",
)
"""`desk` is a table's name in topics (`table` is a word of SQL). `changes` tells one hall that another has written."""


class Taken(Exception):
    """Somebody else has decided in the meantime: read again, and try again."""


class StoredEvent(NamedTuple):
    """One entry of a table's play."""

    desk: str
    day: str
    play: int
    number: int
    body: str


class StoredResult(NamedTuple):
    """The newest result of a table's play."""

    desk: str
    day: str
    play: int
    body: str


class Reached(NamedTuple):
    """How long a play had taken when it reached a round; round 0 stands for its end."""

    desk: str
    day: str
    play: int
    round: int
    game: str
    seats: int
    played: float


class _Database(Protocol):
    """What SQLite's and PostgreSQL's connections have in common."""

    def cursor(self) -> Any: ...
    def commit(self) -> None: ...
    def rollback(self) -> None: ...
    def close(self) -> None: ...


class HallStorage:
    """One database; calls must not overlap. Raises `StorageTrouble` if the database is away or the disk is full."""

    def __init__(self, address: str | Path, hall: str) -> None:
        self._address, self._hall = address, hall
        self._database: _Database | None = None
        self._is_postgresql = isinstance(address, str)
        if isinstance(address, str) and not address.startswith(POSTGRESQL):
            raise DataTrouble(say("hall.bad-database"))
        with self._transaction() as cursor:
            for table in TABLES:
                cursor.execute(table)

    def close(self) -> None:
        """Close the connection; the next call would open another."""
        if self._database is not None:
            with suppress(Exception):
                self._database.close()
            self._database = None

    # What tables said

    def keep(
        self, events: Iterable[StoredEvent], results: Iterable[StoredResult], reached: Iterable[Reached]
    ) -> None:
        """Keep all of it or nothing. Events known already stay; results replace the earlier ones of their play."""
        results = list(results)
        with self._transaction() as cursor:
            self._many(
                cursor,
                "INSERT INTO events (hall, desk, day, play, number, body) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                events,
            )
            self._many(
                cursor,
                "INSERT INTO results (hall, desk, day, play, body) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (hall, desk, day, play) DO UPDATE SET body = excluded.body",
                results,
            )
            self._many(
                cursor,
                "INSERT INTO reached (hall, desk, day, play, round, game, seats, played)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                reached,
            )
            for day in sorted({result.day for result in results}):
                self._changed(cursor, day)

    def numbers(self, day: str) -> Iterator[tuple[str, int, int]]:
        """(table, play, number) of all events of this hall's day."""
        yield from self._rows(
            "SELECT desk, play, number FROM events WHERE hall = ? AND day = ? ORDER BY desk, play, number",
            (self._hall, day),
        )

    def events(self, day: str) -> list[tuple[str, str, int, int, str]]:
        """(hall, table, play, number, body) of all halls' events of a day, in order."""
        return self._rows(
            "SELECT hall, desk, play, number, body FROM events WHERE day = ? ORDER BY hall, desk, play, number",
            (day,),
        )

    def results(self, day: str) -> list[tuple[str, str, int, str]]:
        """(hall, table, play, body) of all halls' results of a day."""
        return self._rows(
            "SELECT hall, desk, play, body FROM results WHERE day = ? ORDER BY hall, desk, play", (day,)
        )

    def reached(self) -> list[tuple[str, str, str, int, int, str, int, float]]:
        """(hall, table, day, play, round, game, seats, played) of every play that finished, on any day."""
        return self._rows(
            "SELECT r.hall, r.desk, r.day, r.play, r.round, r.game, r.seats, r.played FROM reached r JOIN reached f"
            " ON f.hall = r.hall AND f.desk = r.desk AND f.day = r.day AND f.play = r.play AND f.round = 0"
            " ORDER BY r.hall, r.desk, r.day, r.play, r.round",
            (),
        )

    # What the organiser decided

    def decide(self, day: str, first: int, bodies: Sequence[str]) -> None:
        """Append decisions, the first as this number of its day; raises `Taken` if somebody was faster."""
        with self._transaction() as cursor:
            sql = self._sql(
                "INSERT INTO decisions (day, number, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            )
            for number, body in enumerate(bodies, start=first):
                cursor.execute(sql, (day, number, body))
                if cursor.rowcount != 1:
                    raise Taken
            self._changed(cursor, day)

    def decisions(self, day: str, after: int = -1) -> list[tuple[int, str]]:
        """(number, body) of a day's decisions after this number, in order."""
        return self._rows(
            "SELECT number, body FROM decisions WHERE day = ? AND number > ? ORDER BY number", (day, after)
        )

    def newest_day(self) -> str | None:
        """The day that was begun last."""
        rows = self._rows("SELECT max(day) FROM decisions", ())
        return None if not rows or rows[0][0] is None else str(rows[0][0])

    def changed(self, day: str) -> int:
        """A number that grows whenever any hall writes a decision or a result of this day."""
        rows = self._rows("SELECT value FROM changes WHERE day = ?", (day,))
        return int(rows[0][0]) if rows else 0

    def _changed(self, cursor: Any, day: str) -> None:
        cursor.execute(
            self._sql(
                "INSERT INTO changes (day, value) VALUES (?, 1)"
                " ON CONFLICT (day) DO UPDATE SET value = changes.value + 1"
            ),
            (day,),
        )

    # The connection

    def _many(self, cursor: Any, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        prepared = [(self._hall, *row) for row in rows]
        if prepared:
            cursor.executemany(self._sql(sql), prepared)

    def _rows(self, sql: str, given: Sequence[Any]) -> list[Any]:
        with self._transaction() as cursor:
            cursor.execute(self._sql(sql), given)
            return list(cursor.fetchall())

    def _sql(self, sql: str) -> str:
        return sql.replace("?", "%s") if self._is_postgresql else sql

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        """A cursor; what it did is committed, or rolled back if anything fails."""
        import psycopg

        try:
            if self._database is None:
                self._database = self._opened()
            cursor = self._database.cursor()
            yield cursor
            self._database.commit()
        except BaseException as e:
            if isinstance(e, Taken) and self._database is not None:
                self._database.rollback()
                raise
            self.close()  # a broken connection must not be used again, and closing rolls back
            if isinstance(e, sqlite3.Error | psycopg.Error | OSError) and not isinstance(e, Trouble):
                raise StorageTrouble(say("hall.storage-away", why=plain(_first_line(e)))) from e
            raise

    def _opened(self) -> _Database:
        if isinstance(self._address, Path):
            return _sqlite(self._address)
        import psycopg

        return psycopg.connect(self._address, connect_timeout=PATIENCE, application_name="companion hall")


def _sqlite(path: Path) -> sqlite3.Connection:
    """The file, made for its owner only if it is not there; raises `StorageTrouble` if it is not a hall's."""
    files.make_folder(path.parent)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, files.PRIVATE))
    connection = sqlite3.connect(path, timeout=PATIENCE, check_same_thread=False)
    try:
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            if connection.execute("PRAGMA page_count").fetchone()[0]:
                raise StorageTrouble(say("hall.not-a-hall", file=str(path)))
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def _first_line(error: Exception) -> str:
    """What a database says is wrong; never its address, which may hold a password."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:200]
