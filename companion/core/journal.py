"""The journal: every answer of every play, appended and never changed.

An entry is durable when `append` returns. Its checksum is chained to the previous one, the first to the
set-up: reading detects a flipped byte, a missing or a reordered entry, and everything before it is still
good.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.annotations import Annotator
from companion.core.sqlite_errors import is_damage
from companion.core.store import Store, checksum, one
from companion.core.words import Text, count, say
from companion.errors import StorageTrouble, Unknown


class EntryRow(Struct, frozen=True):
    """One entry; `seq` is the number of entries before it."""

    seq: int
    at: float
    body: bytes


class PlayRow(Struct, frozen=True):
    """A play in the list of plays; `finished` is when it ended, if it has."""

    id: int
    game: str
    title: str
    created: float
    last_at: float
    entries: int
    finished: float | None = None


class Ending(Struct, frozen=True):
    """A play with its last entry, which has the result of a finished play; unchecked, for lists and figures."""

    play: PlayRow
    body: bytes


class StoredPlay(Struct, frozen=True):
    """A play as far as it can be read; `whole` if nothing is missing."""

    play: PlayRow
    setup: bytes
    rows: tuple[EntryRow, ...]
    whole: bool = True

    @property
    def usable(self) -> bool:
        """Whether at least the set-up is known to be right."""
        return self.whole or bool(self.rows)

    def problem(self, file: str) -> Text:
        """The message for a play that is not whole."""
        if self.rows:
            return count("storage.play-damaged", len(self.rows), play=self.play.id, file=file)
        return say("storage.play-lost", play=self.play.id, file=file)


class Journal:
    """All plays in one file."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.annotations = Annotator(store)

    def let_go(self) -> None:
        """Close the file, so that another can replace it; it is reopened when next needed."""
        self._store.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """A transaction: everything written inside, also by the binder, is stored by one write, or none of it."""
        with self._store.writing():
            yield

    def create(self, setup: bytes, game: str, title: str, at: float) -> int:
        """Create a play; returns its number, which people type to return to it."""

        def is_there(db: sqlite3.Connection) -> bool:
            return bool(db.execute("SELECT setup FROM play WHERE id = ?", (play.id,)).fetchone() == (setup,))

        with self._store.writing(is_there) as db:
            (last,) = db.execute("SELECT max(id) FROM play").fetchone()
            play = PlayRow((last or 0) + 1, game, title, float(at), float(at), 0)
            insert(db, StoredPlay(play, setup, ()))
        return play.id

    def append(self, play: int, seq: int, at: float, body: bytes, *, over: bool = False) -> None:
        """Add one entry; `over` says whether it ended the play.

        It is on disk when this returns or, inside `together`, when that ends.

        If it raises, nothing has changed.
        """

        def is_there(db: sqlite3.Connection) -> bool:
            query = "SELECT at, body FROM entry WHERE play = ? AND seq = ?"
            return bool(db.execute(query, (play, seq)).fetchone() == (float(at), body))

        with self._store.writing(is_there) as db:
            entries, head = self._one(db, "SELECT entries, head FROM play WHERE id = ?", play)
            if seq != entries:
                raise StorageTrouble(say("storage.other-writer", play=play, file=str(self._store.path)))
            row = EntryRow(seq, float(at), body)
            head = _insert_row(db, play, row, head)
            ended = "coalesce(finished, last_at)" if over else "NULL"
            db.execute(
                "UPDATE play SET entries = ?, last_at = ?, head = ? WHERE id = ?",
                (seq + 1, row.at, head, play),
            )
            db.execute(f"UPDATE play SET finished = {ended} WHERE id = ?", (play,))

    def plays(self, most: int | None = None, skip: int = 0) -> tuple[PlayRow, ...]:
        """Every play that is not deleted, the oldest first; or only the newest `most` without the very newest `skip`.

        It does not check for damage: only `load` does.
        """
        query = f"SELECT {_COLUMNS} FROM play WHERE {_SHOWN} ORDER BY id DESC LIMIT ? OFFSET ?"
        return self._rows(query, self._deleted(), -1 if most is None else most, skip)[::-1]

    def running(self, game: str | None = None) -> PlayRow | None:
        """The most recently used play that is not over, of this game or of any."""
        return self._last_of("finished IS NULL AND game = coalesce(?, game)", game)

    def latest(self) -> PlayRow | None:
        """The most recently used play, over or not."""
        return self._last_of("TRUE")

    def _last_of(self, those: str, *given: str | None) -> PlayRow | None:
        found = self._rows(
            f"SELECT {_COLUMNS} FROM play WHERE {_SHOWN} AND {those} ORDER BY last_at DESC, id DESC LIMIT 1",
            self._deleted(),
            *given,
        )
        return found[0] if found else None

    def played(self) -> dict[str, int]:
        """The number of plays of every game that was ever played."""
        with self._store.reading() as db:
            query = f"SELECT game, count(*) FROM play WHERE {_SHOWN} GROUP BY game"
            return dict(db.execute(query, (self._deleted(),)).fetchall())

    def _deleted(self) -> str:
        """The numbers of deleted plays as JSON; damaged annotations must not hide the list of plays."""
        try:
            return str(sorted(self.annotations.now().deleted))
        except StorageTrouble:
            return "[]"

    def _rows(self, query: str, *given: int | str | None) -> tuple[PlayRow, ...]:
        with self._store.reading() as db:
            found = db.execute(query, given).fetchall()
            self._store.distrust(db, "play")
        try:
            return msgspec.convert(
                [dict(zip(PlayRow.__struct_fields__, row, strict=True)) for row in found], tuple[PlayRow, ...]
            )
        except msgspec.ValidationError as e:
            raise StorageTrouble(say("storage.damaged", file=str(self._store.path), why=str(e))) from e

    def load(self, play: int) -> StoredPlay:
        """A whole play in one go; raises `StorageTrouble` if any of it is damaged."""
        with self._store.reading() as db:
            self._one(db, "SELECT 1 FROM play WHERE id = ?", play)
            stored = read_play(db, play)
        if not stored.whole:
            raise StorageTrouble(stored.problem(str(self._store.path)))
        return stored

    def newest(self, first: int, last: int) -> dict[int, bytes]:
        """The last entry of every play in this range of numbers, without checking checksums: for the list of
        plays."""
        query = (
            "SELECT id, body FROM play JOIN entry ON play = id AND seq = entries - 1 WHERE id BETWEEN ? AND ?"
        )
        with self._store.reading() as db:
            return dict(db.execute(query, (first, last)).fetchall())

    def endings(self, after: int = 0, most: int | None = None) -> tuple[Ending, ...]:
        """The plays with higher numbers than `after`, in order, each with its last entry; checks no checksums."""
        query = (
            f"SELECT {_COLUMNS}, ifnull(body, x'') FROM play LEFT JOIN entry ON play = id AND seq = entries - 1"
            " WHERE id > ? ORDER BY id LIMIT ?"
        )
        with self._store.reading() as db:
            found = db.execute(query, (after, -1 if most is None else most)).fetchall()
        return tuple(Ending(PlayRow(*columns), body) for *columns, body in found)

    def telling(self, game: str) -> tuple[tuple[int, EntryRow], ...]:
        """Every entry that may have taught a fact, with the number of its play."""
        query = (
            "SELECT play, seq, at, body FROM entry WHERE play IN (SELECT id FROM play WHERE game = ?)"
            " AND (instr(body, CAST(? AS BLOB)) OR instr(body, CAST(? AS BLOB))) ORDER BY play, seq"
        )
        with self._store.reading() as db:
            found = db.execute(query, (game, '"core.fact"', '"retell"')).fetchall()
        return tuple((play, EntryRow(*row)) for play, *row in found)

    def setup(self, play: int) -> bytes:
        """The set-up of a play."""
        return self.load(play).setup

    def setup_unchecked(self, play: int) -> bytes:
        """The set-up of a play without checking its checksums: for lists and figures."""
        with self._store.reading() as db:
            return bytes(self._one(db, "SELECT setup FROM play WHERE id = ?", play)[0])

    def entries(self, play: int) -> tuple[EntryRow, ...]:
        """Every entry of a play, in order."""
        return self.load(play).rows

    def rows_from(self, play: int, seq: int, most: int) -> tuple[PlayRow, bytes, tuple[EntryRow, ...]]:
        """A play, its set-up, and at most so many of its entries from this one on; checks no checksums."""
        query = "SELECT seq, at, body FROM entry WHERE play = ? AND seq >= ? ORDER BY seq LIMIT ?"
        with self._store.reading() as db:
            setup, *columns = self._one(db, f"SELECT setup, {_COLUMNS} FROM play WHERE id = ?", play)
            rows = tuple(EntryRow(*row) for row in db.execute(query, (play, seq, most)))
        return PlayRow(*columns), bytes(setup), rows

    def export(self, play: int) -> dict[str, Any]:
        """Everything about a play, ready to be written as JSON."""
        stored = self.load(play)
        return {
            "format": "tabletop-companion play",
            "version": 1,
            **msgspec.structs.asdict(stored.play),
            "setup": msgspec.json.decode(stored.setup),
            "entries": [
                {"seq": row.seq, "at": row.at, "body": msgspec.json.decode(row.body)} for row in stored.rows
            ],
        }

    def _one(self, db: sqlite3.Connection, query: str, play: int) -> Any:
        """The row a query finds for a play; raises `Unknown` if there is none."""
        found = db.execute(query, (play,)).fetchone() if 0 < play < 2**63 else None
        if found is None:
            self._store.distrust(db, "play")
            raise Unknown(say("storage.no-such-play", play=str(play)))
        return found


_SHOWN = "id NOT IN (SELECT value FROM json_each(?))"
_COLUMNS = ", ".join(PlayRow.__struct_fields__)


def read_play(db: sqlite3.Connection, id: int) -> StoredPlay:
    """An existing play, up to its first damaged entry."""
    query = f"SELECT setup, head, {_COLUMNS} FROM play WHERE id = ?"
    setup, head, *columns = one(db, query, id)
    play = PlayRow(*columns)
    rows, end = _good_rows(db, id, _seed(play, setup))
    last_at = rows[-1].at if rows else play.created
    whole = (play.entries, play.last_at, head) == (len(rows), last_at, end)
    whole = whole and isinstance(play.finished, float | None)
    if not whole:
        play = replace(play, entries=len(rows), last_at=last_at, finished=None)
    return StoredPlay(play, setup, rows, whole)


def _good_rows(db: sqlite3.Connection, play: int, link: bytes) -> tuple[tuple[EntryRow, ...], bytes]:
    """The entries before the first damaged one, and the last checksum of their chain; empty if there is damage."""
    rows: list[EntryRow] = []
    try:
        for *columns, found in db.execute(
            "SELECT seq, at, body, sum FROM entry WHERE play = ? ORDER BY seq", (play,)
        ):
            row = EntryRow(*columns)
            if row.seq != len(rows) or found != _link(link, row):
                return tuple(rows), b""
            rows.append(row)
            link = found
    except sqlite3.Error as e:
        if not is_damage(e):
            raise
        return tuple(rows), b""
    return tuple(rows), link


def insert(db: sqlite3.Connection, stored: StoredPlay) -> None:
    """Write a play with all its entries."""
    play = stored.play
    db.execute(
        f"INSERT INTO play ({_COLUMNS}, setup, head) VALUES (?, ?, ?, ?, ?, ?, ?, ?, x'')",
        (*msgspec.structs.astuple(play), stored.setup),
    )
    head = _seed(play, stored.setup)
    for row in stored.rows:
        head = _insert_row(db, play.id, row, head)
    db.execute("UPDATE play SET head = ? WHERE id = ?", (head, play.id))


def _insert_row(db: sqlite3.Connection, play: int, row: EntryRow, link: bytes) -> bytes:
    link = _link(link, row)
    db.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", (play, row.seq, row.at, row.body, link))
    return link


def _seed(play: PlayRow, setup: bytes) -> bytes:
    """The start of a play's checksum chain."""
    return checksum(play.id, play.game, play.title, play.created, setup)


def _link(link: bytes, row: EntryRow) -> bytes:
    """The checksum of an entry, chained to the previous checksum `link`."""
    return checksum(link, row.seq, row.at, row.body)
