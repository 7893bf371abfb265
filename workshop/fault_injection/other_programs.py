"""Another program changes or locks the journal's files during a play."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from companion.core.autoplay import any_answer
from companion.core.entries import Undone
from companion.core.sqlite_file import side_file
from companion.core.words import Text
from workshop.fault_injection.desk_session import DeskSession, desk_session
from workshop.fault_injection.faults import Fault, FaultTrial, Survived, expect
from workshop.fault_injection.ledger import Ledger

ANSWERS = 4


def _refused(table: DeskSession, trial: FaultTrial) -> tuple[Text, ...]:
    """Try to answer: the table stays as it was, and people are told why."""
    before = table.session
    table.told.clear()
    table.do(Undone(1) if before.over else any_answer(before, trial.random))
    expect(table.session is before, "what cannot have been written has happened")
    expect(table.told, "nobody was told that nothing can be written")
    return tuple(table.told)


def _moved(trial: FaultTrial) -> Survived:
    """The journal is moved away, or replaced by another; then it is back."""
    ledger, told = Ledger(), dict[str, Text]()
    aside = trial.folder / "aside.db"
    with desk_session(trial.folder, ledger) as table:
        table.play(trial.random, ANSWERS)
        for other in (None, b"", b"another journal" * 300):
            trial.path.rename(aside)
            if other is not None:
                trial.path.write_bytes(other)
            told |= {text.key: text for text in _refused(table, trial)}
            expect(other is None or trial.path.read_bytes() == other, "somebody else's file was changed")
            trial.path.unlink(missing_ok=True)
            aside.rename(trial.path)
            table.answer_surely(trial.random)
    ledger.check(trial.path)
    return Survived(3, tuple(told.values()))


def _locked(trial: FaultTrial) -> Survived:
    """Another program starts a write transaction and does not end it."""
    ledger = Ledger()
    with desk_session(trial.folder, ledger) as table:
        table.play(trial.random, ANSWERS)
        with closing(sqlite3.connect(trial.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            told = _refused(table, trial)
            other.execute("ROLLBACK")
        expect([text.key for text in told] == ["storage.locked"], f"told instead: {told}")
        table.answer_surely(trial.random)
    ledger.check(trial.path)
    return Survived(1, told)


def _log_gone(trial: FaultTrial) -> Survived:
    """SQLite's files beside the journal are deleted during a play; later answers survive even if the program
    is killed."""
    ledger = Ledger()
    with desk_session(trial.folder, ledger) as table:
        table.play(trial.random, ANSWERS)
        for ending in ("-wal", "-shm"):
            side_file(trial.path, ending).unlink()
        table.answer_surely(trial.random)
        table.answer_surely(trial.random)
        copy = trial.folder / "killed"
        copy.mkdir()
        for ending in ("", "-wal"):  # what a kill would leave
            if side_file(trial.path, ending).exists():
                side_file(copy / "journal.db", ending).write_bytes(side_file(trial.path, ending).read_bytes())
        ledger.check(copy / "journal.db")
        table.answer_surely(trial.random)
    ledger.check(trial.path)
    return Survived()


FAULTS = (
    Fault("journal-moved", _moved),
    Fault("journal-locked", _locked),
    Fault("journal-log-gone", _log_gone),
)
