"""The power fails while an answer is being written: at every sector, torn, and with sectors out of order.

Between two of its syncs SQLite promises nothing about what is on the disk. So the writes of a transaction are
split at its syncs, in order: the header of a restarted log, the log, the pages it is checkpointed into. Of
the part under way any sectors may have arrived; of the parts before, all; of those after, none.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from msgspec import Struct

from companion.core.autoplay import any_answer
from companion.core.binder import Binder
from companion.core.journal import EntryRow, Journal
from companion.core.play import Play
from companion.core.repair import verify
from companion.core.sqlite_file import side_file
from companion.core.store import Proof, Store
from workshop.fault_injection.desk_session import BEGIN, any_setup
from workshop.fault_injection.faults import Fault, FaultTrial, Survived, expect

SECTOR = 512
HEAD = 32
"""Bytes of the log's header, which identifies it; synced before anything else is written."""
ANSWERS = 8
SHUFFLES = 8
FOLDED = 8
"""Pages after which the log is checkpointed: much more often than usual, so that it happens in every trial."""


class Files(Struct, frozen=True):
    """What is on the disk: the journal and its log."""

    db: bytes
    log: bytes

    @staticmethod
    def of(path: Path) -> Files:
        """The files as they are now."""
        return Files(path.read_bytes(), side_file(path, "-wal").read_bytes())

    def put(self, path: Path) -> None:
        """Write these files, as after a power cut: what SQLite keeps in memory is gone."""
        path.write_bytes(self.db)
        side_file(path, "-wal").write_bytes(self.log)
        side_file(path, "-shm").unlink(missing_ok=True)


def mixed(before: bytes, after: bytes, arrived: set[int], torn: int | None, at: int) -> bytes:
    """The file if only these sectors of the change have arrived, and of one sector only its first bytes."""
    found = bytearray(before.ljust(len(after), b"\0"))
    for sector in arrived:
        found[sector * SECTOR : (sector + 1) * SECTOR] = after[sector * SECTOR : (sector + 1) * SECTOR]
    if torn is not None:
        begin = torn * SECTOR
        found[begin : begin + at] = after[begin : begin + at]
    longest = max((n + 1 for n in (*arrived, *(() if torn is None else (torn,)))), default=0) * SECTOR
    return bytes(found[: max(len(before), min(longest, len(after)))])


def changed(before: bytes, after: bytes) -> list[int]:
    """The sectors in which they differ."""
    ends = range(-(-max(len(before), len(after)) // SECTOR))
    return [n for n in ends if before[n * SECTOR : (n + 1) * SECTOR] != after[n * SECTOR : (n + 1) * SECTOR]]


def halves(before: bytes, after: bytes, random: Random) -> Iterator[bytes]:
    """Every prefix of a change, some torn within a sector, some with sectors in random order."""
    sectors = changed(before, after)
    for n in range(len(sectors) + 1):
        yield mixed(before, after, set(sectors[:n]), None, 0)
        if n < len(sectors):
            yield mixed(before, after, set(sectors[:n]), sectors[n], random.randrange(1, SECTOR))
    for _ in range(SHUFFLES + len(sectors) if sectors else 0):
        arrived = {sector for sector in sectors if random.random() < 0.5}
        left = [sector for sector in sectors if sector not in arrived]
        torn = random.choice(left) if left else None
        yield mixed(before, after, arrived, torn, random.randrange(1, SECTOR))


def cuts(before: Files, after: Files, random: Random) -> Iterator[Files]:
    """Every state in which a power cut may leave the files between these two."""
    log = before.log
    if log[:HEAD] != after.log[:HEAD]:
        head = after.log[:HEAD] + log[HEAD:]
        yield from (Files(before.db, half) for half in halves(log, head, random))
        log = head
    yield from (Files(before.db, half) for half in halves(log, after.log, random))
    yield from (Files(half, after.log) for half in halves(before.db, after.db, random))


class OnDisk(Struct, frozen=True):
    """What a transaction left on the disk, and how many entries there are then."""

    files: Files
    entries: int


class Watched(Store):
    """A journal file that records what every transaction left."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.states: list[OnDisk] = []

    @contextmanager
    def writing(self, proof: Proof | None = None) -> Iterator[sqlite3.Connection]:
        """A transaction; recorded once it is on the disk."""
        whole = not self._writes
        with super().writing(proof) as db:
            yield db
            (entries,) = db.execute("SELECT count(*) FROM entry").fetchone()
        if whole:
            self.states.append(OnDisk(Files.of(self.path), entries))


def written(trial: FaultTrial) -> tuple[list[OnDisk], tuple[EntryRow, ...], int]:
    """A play of some answers: what each transaction left, its entries, and its number."""
    with Watched(trial.path) as store:
        journal, binder = Journal(store), Binder(store)
        rules, setup = any_setup(trial.random)
        play = Play.start(rules, setup, journal, binder, BEGIN)
        with store.writing() as db:
            db.execute(f"PRAGMA wal_autocheckpoint = {FOLDED}")
        del store.states[:-1]
        while play.session.entries < ANSWERS and not play.session.over:
            play.answer(any_answer(play.session, trial.random), BEGIN + play.session.entries)
        return store.states, journal.load(play.id).rows, play.id


def _cut(trial: FaultTrial) -> Survived:
    """Cut the power in the middle of one transaction of a play, in every way."""
    states, rows, play = written(trial)
    which = trial.random.randrange(len(states) - 1)
    return Survived(cut(trial, states[which], states[which + 1], rows, play))


def cut(trial: FaultTrial, before: OnDisk, after: OnDisk, rows: tuple[EntryRow, ...], play: int) -> int:
    """Cut the power between these two states, in every way; returns how many ways there are."""
    copy, times = trial.folder / "cut.db", 0
    for state in cuts(before.files, after.files, trial.random):
        state.put(copy)
        times += 1
        with Store(copy) as store:
            found = Journal(store).load(play).rows
        there = len(found)
        expect(there >= before.entries, f"cut {times}: only {there} of {before.entries} entries are there")
        expect(found == rows[:there], f"cut {times}: an entry is another than was confirmed")
        expect(there <= after.entries, f"cut {times}: {there - before.entries} entries nobody confirmed")
        expect(not verify(copy).problems, f"cut {times}: {verify(copy).problems}")
    _goes_on(copy, play, rows[after.entries - 1], after.entries - 1)
    return times


def _goes_on(path: Path, play: int, row: EntryRow, place: int) -> None:
    """After the last cut, which lost nothing, the play goes on."""
    with Store(path) as store:
        journal = Journal(store)
        expect(journal.load(play).rows[place] == row, "what was written whole is not there")
        resumed = Play.resume(play, journal, Binder(store))
        expect(resumed.divergence is None, "it leads to another table")
        resumed.reopen(BEGIN + 100)
        expect(resumed.session.entries > place, "it does not go on")


FAULTS = (Fault("power-cut", _cut),)
