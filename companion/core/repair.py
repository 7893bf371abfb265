"""Finds damage in the journal file, and saves what is good.

Repairing never destroys anything: the damaged file is kept beside the new one.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

from msgspec import Struct

from companion.core.annotations import (
    AnnotationEntry,
    annotations_problem,
    insert_annotations,
    read_annotations,
)
from companion.core.binder import Taught, facts_problem, insert_facts, read_facts
from companion.core.file_swap import swap
from companion.core.files import create, damaged_name, sync
from companion.core.journal import StoredPlay, insert, read_play
from companion.core.sqlite_errors import is_damage, is_no_database, storage_errors
from companion.core.sqlite_file import connect, journal_file, migrate, open_new, open_to_read, real, side_file
from companion.core.store import keys
from companion.core.words import Text, say
from companion.errors import StorageTrouble

SIDES = ("-wal", "-journal")
"""Suffixes of files beside a journal that may hold answers."""
STATEMENTS = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"


class Report(Struct, frozen=True):
    """What is wrong with a file, what can be read from it, and where a repair kept the damaged one."""

    problems: tuple[Text, ...]
    plays: int
    entries: int
    facts: int
    kept: str | None = None


class Salvage(Struct, frozen=True):
    """Everything good in a file, and everything wrong with it."""

    plays: tuple[StoredPlay, ...]
    facts: tuple[Taught, ...]
    annotations: tuple[AnnotationEntry, ...]
    problems: tuple[Text, ...]

    def report(self, kept: Path | None = None) -> Report:
        """The same as numbers."""
        entries = sum(len(stored.rows) for stored in self.plays)
        return Report(self.problems, len(self.plays), entries, len(self.facts), str(kept) if kept else None)


def verify(path: Path, shown: Path | None = None) -> Report:
    """Read everything and report what is wrong; changes nothing. `shown` is the file's name in messages."""
    shown = shown or path
    with storage_errors(shown):
        if (strange := _shape(path, shown)) is not None:
            return Report((strange,), 0, 0, 0)
        return _salvage(path, shown).report()


def repair(path: Path) -> Report:
    """Replace a damaged file by a new one with everything that is good; the damaged one is kept beside it.

    Raises `StorageTrouble` and changes nothing if another program uses the file, or it is not a journal at
    all. This program must have closed it. A link stays a link: its target is repaired.
    """
    with storage_errors(path):
        if not (report := verify(path)).problems:
            return report
        path = real(path)
        with _exclusively(path):
            kept = damaged_name(path)
            _keep(path, kept, _copy)
            salvage = _salvage(kept, path)
            side_file(kept, "-shm").unlink(missing_ok=True)
            swap(path, _written(side_file(path, ".new"), salvage))
        return salvage.report(kept)


def replace_journal(path: Path, new: Path, aside: Path) -> bool:
    """Replace our file by a complete one, and keep ours and its side files as `aside`; returns whether there
    was one. Ours may be damaged; nothing changes if another program uses it or the disk fails."""
    with storage_errors(path):
        _merge_side_files(path)
        with _exclusively(path) if path.exists() else nullcontext():
            kept = _keep(path, aside, _second_name)
            try:
                swap(path, new)
            except BaseException:
                if new.exists() and all(
                    side_file(path, ending).exists() for ending in kept
                ):  # nothing happened
                    _forget(aside, kept)
                raise
    return bool(kept)


def _salvage(source: Path, shown: Path) -> Salvage:
    """Everything readable; `shown` is the file's name in messages."""
    try:
        with closing(open_to_read(source)) as db:
            db.execute("BEGIN")
            plays, facts, annotations, problems = _read(db, str(shown))
            structure = _structure(db, str(shown))
            problems += [*structure, *_opening_errors(source, str(shown))]
            return Salvage(plays, facts, annotations, tuple(problems))
    except sqlite3.Error as e:
        if not is_damage(e):
            raise
        return Salvage((), (), (), (say("storage.damaged", file=str(shown), why=str(e)),))


def _read(
    db: sqlite3.Connection, file: str
) -> tuple[tuple[StoredPlay, ...], tuple[Taught, ...], tuple[AnnotationEntry, ...], list[Text]]:
    plays, problems = [], []
    ids, _ = keys(db, "play", "id")
    for id in ids:
        try:
            stored = read_play(db, id)
        except sqlite3.Error as e:
            if not is_damage(e):
                raise
            problems.append(say("storage.play-lost", play=id, file=file))
            continue
        if not stored.whole:
            problems.append(stored.problem(file))
        if stored.usable:
            plays.append(stored)
    facts, whole = read_facts(db)
    if not whole:
        problems.append(facts_problem(len(facts), file))
    annotations, whole = read_annotations(db)
    if not whole:
        problems.append(annotations_problem(len(annotations), file))
    return tuple(plays), facts, annotations, problems


def _structure(db: sqlite3.Connection, file: str) -> Iterator[Text]:
    """What SQLite itself finds wrong; a lost page may hold plays that no other check would miss."""
    try:
        for (found,) in db.execute("PRAGMA integrity_check(5)"):
            if found != "ok":
                yield say("storage.damaged", file=file, why=found)
        for _ in db.execute("PRAGMA foreign_key_check"):
            yield say("storage.stray-entries", file=file)
            return
    except sqlite3.Error as e:
        if not is_damage(e):
            raise
        yield say("storage.damaged", file=file, why=str(e))


def _opening_errors(source: Path, file: str) -> Iterator[Text]:
    """Errors that only normal opening meets, because it trusts the file's own header, such as its length;
    salvaging does not."""
    try:
        with closing(open_to_read(source)) as db:
            db.execute("PRAGMA writable_schema = OFF")
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as e:
        if not is_damage(e):
            raise
        yield say("storage.damaged", file=file, why=str(e))


def _shape(path: Path, shown: Path) -> Text | None:
    """The message if the tables differ from ours: data in them could be lost, so they are not read."""
    try:
        with closing(open_to_read(path, shown=shown)) as db, closing(open_new()) as ours:
            same = db.execute(STATEMENTS).fetchall() == ours.execute(STATEMENTS).fetchall()
    except sqlite3.Error as e:
        if not is_damage(e):
            raise
        return say("storage.damaged", file=str(shown), why=str(e))
    return None if same else say("storage.damaged", file=str(shown), why=say("storage.other-tables"))


@contextmanager
def _exclusively(path: Path) -> Iterator[None]:
    """Holds the file exclusively: no other program has it open, and none can open it until this ends."""
    # SQLite holds a shared lock on these bytes of the file for as long as it has it open.
    # We must not let SQLite open it meanwhile: when it closes the file, this lock is gone too.
    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 510, 0x40000002)
        except OSError as e:
            raise StorageTrouble(say("storage.locked", file=str(path), why=str(e))) from e
        yield


def _merge_side_files(path: Path) -> None:
    """Merge a file's side files into it, as far as they can be read."""
    if not journal_file(path).exists():
        return  # opening it would create it, and discard the side files
    try:
        with closing(connect(path, "mode=rw")) as db:
            db.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as e:
        if not is_damage(e) and not is_no_database(e):
            raise


def _keep(path: Path, kept: Path, again: Callable[[Path, Path], object]) -> list[str]:
    """Give a file and its side files a second name too, all or none; returns the suffixes that exist."""
    made: list[str] = []
    try:
        for ending in (*SIDES, ""):
            if side_file(path, ending).exists():
                again(side_file(path, ending), side_file(kept, ending))
                made.append(ending)
    except BaseException:
        _forget(kept, made)
        raise
    return made


def _forget(kept: Path, endings: Iterable[str]) -> None:
    for ending in endings:
        side_file(kept, ending).unlink(missing_ok=True)


def _copy(path: Path, copy: Path) -> None:
    with path.open("rb") as source, create(copy) as target:
        try:
            shutil.copyfileobj(source, target)
            sync(target)
        except BaseException:
            copy.unlink(missing_ok=True)
            raise


def _second_name(path: Path, name: Path) -> None:
    """The same file under another name; a copy if the file system has no hard links, as on USB sticks."""
    try:
        os.link(path, name)
    except OSError:
        _copy(path, name)


def _written(new: Path, salvage: Salvage) -> Path:
    """A new file with everything that is good, synced to disk."""
    new.unlink(missing_ok=True)
    create(new).close()
    try:
        with closing(connect(new, "mode=rw")) as db:
            db.execute("PRAGMA synchronous = EXTRA")
            migrate(db)
            db.execute("BEGIN")
            for stored in salvage.plays:
                insert(db, stored)
            insert_facts(db, salvage.facts)
            insert_annotations(db, salvage.annotations)
            db.execute("COMMIT")
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    return new
