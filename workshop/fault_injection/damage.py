"""Damaged bytes in the journal: one bit, the structure of a page, a whole page, a missing end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from companion.core.autoplay import any_answer
from companion.core.binder import Binder
from companion.core.journal import Journal, StoredPlay
from companion.core.play import Play
from companion.core.repair import repair, verify
from companion.core.store import Store
from companion.errors import StorageTrouble
from workshop.fault_injection.desk_session import BEGIN, any_setup
from workshop.fault_injection.faults import Fault, FaultTrial, Survived, expect

PAGE = 4096
PLAYS, ANSWERS = 4, 10
Damage = Callable[[bytes, Random], bytes]


def flip(data: bytes, random: Random) -> bytes:
    """Flip one bit."""
    where = random.randrange(len(data))
    return data[:where] + bytes([data[where] ^ 1 << random.randrange(8)]) + data[where + 1 :]


def flip_structure(data: bytes, random: Random) -> bytes:
    """Change a byte of a page's structure."""
    where = random.randrange(len(data) // PAGE) * PAGE + random.randrange(24)
    return data[:where] + random.randbytes(1) + data[where + 1 :]


def spoil_page(data: bytes, random: Random) -> bytes:
    """Overwrite a whole page."""
    where = random.randrange(len(data) // PAGE) * PAGE
    return data[:where] + random.choice([bytes(PAGE), random.randbytes(PAGE)]) + data[where + PAGE :]


def truncate(data: bytes, random: Random) -> bytes:
    """Cut the file off at a random place."""
    return data[: random.randrange(1, len(data))]


DAMAGES: tuple[Damage, ...] = (flip, flip_structure, spoil_page, truncate)


def _fill(trial: FaultTrial) -> dict[int, StoredPlay]:
    with Store(trial.path) as store:
        journal, binder = Journal(store), Binder(store)
        for n in range(PLAYS):
            rules, setup = any_setup(trial.random)
            play = Play.start(rules, setup, journal, binder, BEGIN + n)
            while play.session.entries < ANSWERS and not play.session.over:
                play.answer(any_answer(play.session, trial.random), BEGIN + n)
        return {row.id: journal.load(row.id) for row in journal.plays()}


def _damaged(trial: FaultTrial) -> Survived:
    plays, told, times = _fill(trial), {}, 0
    whole = trial.path.read_bytes()
    for damage in DAMAGES:
        times += 1
        for file in trial.folder.iterdir():
            file.unlink()
        damaged = damage(whole, trial.random)
        trial.path.write_bytes(damaged)
        readable = _believed(trial.path, plays)
        expect(trial.path.read_bytes() == damaged, "reading changed a damaged file")
        try:
            report = repair(trial.path)
        except StorageTrouble as trouble:
            expect(damaged[:100] != whole[:100], f"{damage.__name__}: not repaired: {trouble}")
            expect(trial.path.read_bytes() == damaged, "a refused repair changed the file")
            told[trouble.text.key] = trouble.text
            continue
        told |= {problem.key: problem for problem in report.problems}
        if report.kept is None:
            expect(readable == set(plays), f"{damage.__name__}: damage was not found")
        else:
            expect(Path(report.kept).read_bytes() == damaged, "the damaged file was not kept")
            _mended(trial.path, plays, readable)
    return Survived(times, tuple(told.values()))


def _believed(path: Path, plays: dict[int, StoredPlay]) -> set[int]:
    """Every play reads as it was, or raises; returns the plays that can be read."""
    readable = set()
    with Store(path) as store:
        for play, before in plays.items():
            with suppress(StorageTrouble):
                stored = Journal(store).load(play)
                expect((stored.setup, stored.rows) == (before.setup, before.rows), "damage was believed")
                readable.add(play)
    return readable


def _mended(path: Path, plays: dict[int, StoredPlay], readable: set[int]) -> None:
    """After the repair the file is sound, nothing readable was lost, and a shortened play is a prefix of the
    original."""
    expect(not verify(path).problems, "a repaired file is not sound")
    with Store(path) as store:
        journal = Journal(store)
        found = {row.id: journal.load(row.id) for row in journal.plays()}
        expect(readable <= set(found), "a repair lost a play that could be read")
        for play, stored in found.items():
            rows = plays[play].rows
            kept = rows if play in readable else rows[: len(stored.rows)]
            expect(stored.rows == kept, "a repair made up an entry")


FAULTS = (Fault("damaged", _damaged),)
