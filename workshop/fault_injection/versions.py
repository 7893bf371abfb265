"""Journals of every earlier schema, and programs of other versions in the middle of a play."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from msgspec.structs import replace

from companion.core.game import boxes, games
from companion.core.journal import Journal
from companion.core.play import read
from companion.core.repair import verify
from companion.core.sqlite_file import VERSION, side_file
from companion.core.store import Store
from companion.errors import StorageTrouble
from workshop.fault_injection.desk_session import desk_session
from workshop.fault_injection.faults import Fault, FaultTrial, Survived, expect
from workshop.fault_injection.ledger import Ledger

SCHEMAS = Path(__file__).parent / "schemas"
"""One journal of each schema there ever was, written by the program of that time: NUMBER[-WHAT].db.gz."""


def schemas() -> list[Path]:
    """All of these files."""
    return sorted(SCHEMAS.glob("*.db.gz"))


def _earlier(trial: FaultTrial) -> Survived:
    """Every earlier journal is read without being changed, and its plays go on."""
    for file in schemas():
        folder = trial.folder / file.name
        folder.mkdir()
        path, old = folder / "journal.db", gzip.decompress(file.read_bytes())
        path.write_bytes(old)
        with Store(path) as store:
            stored = {row.id: Journal(store).load(row.id) for row in Journal(store).plays()}
        expect(stored, f"{file.name}: no plays are found")
        expect(path.read_bytes() == old, f"{file.name}: reading changed it")
        open_ones = [id for id, play in stored.items() if not read(play).session.over]
        with desk_session(folder) as table:
            for play in open_ones:
                table.resume(play)
                table.answer_surely(trial.random)
        with Store(path) as store:
            for id, before in stored.items():
                rows = Journal(store).load(id).rows
                expect(rows[: len(before.rows)] == before.rows, f"{file.name}: play {id} is another now")
        expect(not verify(path).problems, f"{file.name}: {verify(path).problems}")
    return Survived(len(schemas()))


@contextmanager
def _another_number(id: str, by: int) -> Iterator[None]:
    """A version of the program whose rules have another number but are the same."""
    before = games()[id]
    changed = replace(before, box=replace(before.box, rules=before.box.rules + by))
    games()[id], boxes()[id] = changed, changed.box
    try:
        yield
    finally:
        games()[id], boxes()[id] = before, before.box


def _update(trial: FaultTrial) -> Survived:
    """An update during a play, then back to the earlier version: each time the play goes on from the same table."""
    ledger = Ledger()
    with desk_session(trial.folder, ledger) as table:
        table.play(trial.random, 4)
        play, game = table.id, table.session.game.id
    for by in (1, 0, 2):
        with _another_number(game, by), desk_session(trial.folder, ledger) as table:
            table.resume(play)
            expect(table.desk.play is not None, f"with rules number +{by} it does not open: {table.told}")
            table.answer_surely(trial.random)
    ledger.check(trial.path)
    return Survived(3)


def _newer(trial: FaultTrial) -> Survived:
    """A newer version has changed the file, then people go back to this one: the file is refused and not touched."""
    ledger = Ledger()
    with desk_session(trial.folder, ledger) as table:
        table.play(trial.random, 4)
        play = table.id
    with closing(sqlite3.connect(trial.path)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = trial.path.read_bytes()
    with desk_session(trial.folder) as table:
        table.resume(play)
        told = tuple(table.told)
        expect(table.desk.play is None, "a play of a newer version was opened")
        expect([text.key for text in told] == ["storage.newer-version"], f"told instead: {told}")
    expect(trial.path.read_bytes() == before, "a newer version's journal was changed")
    expect(
        not side_file(trial.path, "-wal").exists() or not side_file(trial.path, "-wal").stat().st_size,
        "touched",
    )
    with closing(sqlite3.connect(trial.path)) as db:
        db.execute(f"PRAGMA user_version = {VERSION}")
    ledger.check(trial.path)
    try:
        with Store(trial.path) as store:
            Journal(store).load(play)
    except StorageTrouble as trouble:
        expect(False, f"the newer version cannot read it any more: {trouble}")
    return Survived(1, told)


FAULTS = (
    Fault("earlier-schema", _earlier),
    Fault("update", _update),
    Fault("newer-file", _newer),
)
