"""A disk that is full, slow, read-only, or failing."""

from __future__ import annotations

import os
import resource
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from companion.core.binder import Binder
from companion.core.journal import Journal
from companion.core.questions import Answer
from companion.core.sqlite_file import side_file
from companion.table.signals import SeenState
from workshop.fault_injection.desk_session import DeskSession, desk_session
from workshop.fault_injection.faults import Fault, FaultTrial, Survived, expect
from workshop.fault_injection.ledger import Ledger

NOBODY = 65534
ANSWERS = 6


@contextmanager
def unprivileged() -> Iterator[None]:
    """Run as a user bound by file modes; root may write anything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def modes(modes: dict[Path, int]) -> Iterator[None]:
    """Give files and folders these modes, and run as a user bound by them."""
    for path, mode in modes.items():
        path.chmod(mode)
    try:
        with unprivileged():
            yield
    finally:
        for path in modes:
            path.chmod(0o777)


@contextmanager
def no_file_longer(size: int) -> Iterator[None]:
    """A disk that fails when a file would grow larger than this."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)


def in_clerk(table: DeskSession, job: Callable[[Journal], None]) -> None:
    """Run this in the clerk's thread, where the journal is open."""
    table.desk.clerk.do(
        lambda journal, binder: job(journal), lambda _: None, lambda trouble: table.told.append(trouble.text)
    )
    table.settle()


def pages_left(journal: Journal, pages: int) -> None:
    """Let the journal grow by at most this many pages."""
    with journal._store.writing() as db:
        (now,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {now + pages}")


def _refused(table: DeskSession, trial: FaultTrial, answers: int = 40) -> None:
    """Answer until the disk refuses one; the table is then as it was before that answer."""
    table.told.clear()
    for _ in range(answers):
        before = table.session
        table.answer(trial.random)
        if table.told and table.told[-1].key.startswith("storage."):
            expect(table.session is before, "what was refused has happened")
            return
        if table.session.over:
            table.desk.undo(len(table.session.moments) - 1)
            table.settle()


@contextmanager
def _full(table: DeskSession, trial: FaultTrial) -> Iterator[None]:
    """A disk without free space."""
    in_clerk(table, lambda journal: pages_left(journal, 0))
    yield
    in_clerk(table, lambda journal: pages_left(journal, 10_000))


@contextmanager
def _failing(table: DeskSession, trial: FaultTrial) -> Iterator[None]:
    """A disk that fails somewhere in the next writes."""
    size = max(side_file(trial.path, "-wal").stat().st_size, trial.path.stat().st_size)
    with no_file_longer(size + trial.random.randrange(8000)):
        yield


def refusing(
    broken: Callable[[DeskSession, FaultTrial], AbstractContextManager[None]], told_as: str
) -> Callable[[FaultTrial], Survived]:
    """People answer while the disk is broken, until it refuses an answer and they are told so; then they go on."""

    def attempt(trial: FaultTrial) -> Survived:
        ledger = Ledger()
        with desk_session(trial.folder, ledger) as table:
            table.play(trial.random, ANSWERS)
            with broken(table, trial):
                _refused(table, trial)
            told = tuple(text for text in table.told if text.key.startswith(told_as))
            expect(told, f"people were told {table.told} instead of {told_as}")
            table.answer_surely(trial.random)
        ledger.check(trial.path)
        return Survived(1, told)

    return attempt


def _read_only(trial: FaultTrial) -> Survived:
    ledger = Ledger()
    with desk_session(trial.folder, ledger) as table:
        table.play(trial.random, ANSWERS)
        play = table.id
    above = [folder for folder in trial.folder.parents if folder.stat().st_uid == os.getuid()]
    rights = {folder: folder.stat().st_mode for folder in above if not folder.stat().st_mode & 0o001}
    for folder in rights:
        folder.chmod(0o711)
    try:
        with modes({trial.path: 0o444, trial.folder: 0o555}), desk_session(trial.folder, ledger) as table:
            table.desk.look_up_plays()
            table.settle()
            expect([row.id for row in table.desk.plays] == [play], "plays are not listed any more")
            table.resume(play)
            told = tuple(table.told)
            expect(told, "a read-only disk was not told of")
    finally:
        for folder, mode in rights.items():
            folder.chmod(mode)
    ledger.check(trial.path)
    with desk_session(trial.folder, ledger) as table:
        table.resume(play)
        table.answer_surely(trial.random)
    ledger.check(trial.path)
    return Survived(1, told)


def _slow(trial: FaultTrial) -> Survived:
    """Somebody taps again and again while the first answer, or an undo, is still being written."""
    ledger = Ledger()
    with desk_session(trial.folder, ledger) as table:
        table.play(trial.random, ANSWERS)
        goes_on = threading.Event()
        table.desk.seen = SeenState(table.session)

        def wait(journal: Journal, binder: Binder) -> None:
            goes_on.wait(10)

        table.outcomes.clear()
        table.desk.clerk.do(wait, lambda _: None, lambda trouble: table.told.append(trouble.text))
        taps = trial.random.randint(2, 9)
        for question in table.desk.questions()[:1]:
            for _ in range(taps):
                option = trial.random.choice(question.options)
                table.desk.propose(Answer(question.seat, question.slug, option.id))
        goes_on.set()
        table.settle()
        alone = sum(outcome.changed for outcome in table.outcomes)
        expect(alone <= 1, f"{alone} answers came of one question")
        goes_on.clear()
        deed, before = table.session.last_deed, table.session
        table.desk.seen = SeenState(before)
        table.desk.clerk.do(wait, lambda _: None, lambda trouble: table.told.append(trouble.text))
        for _ in range(taps):
            table.desk.undo()
        goes_on.set()
        table.settle()
        back = len(before.moments) - len(table.session.moments)
        expect(back == deed, f"{back} answers were taken back, and {deed} were one deed")
        table.desk.seen = None
        table.answer_surely(trial.random)
    ledger.check(trial.path)
    return Survived(taps)


FAULTS = (
    Fault("disk-full", refusing(_full, "storage.full")),
    Fault("disk-failing", refusing(_failing, "storage.")),
    Fault("disk-read-only", _read_only),
    Fault("disk-slow", _slow),
)
