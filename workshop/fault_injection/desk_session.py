"""A table without a screen: a desk with its clerk, recording everything it reports."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from companion.core.autoplay import any_answer
from companion.core.game import Game, Setup, games
from companion.core.session import Session
from companion.core.words import Text
from companion.errors import Trouble
from companion.table.background import clerk
from companion.table.desk import AtOnce, Desk, DeskEvent
from companion.table.signals import Outcome, PlayNow, Proposal
from workshop.fault_injection.faults import expect
from workshop.fault_injection.ledger import Ledger

NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")
BEGIN = 1_800_000_000.0


def any_setup(random: Random) -> tuple[Game, Setup]:
    """A random game with a valid number of players."""
    rules = random.choice(list(games().values()))
    return rules, Setup(rules.id, NAMES[: random.choice(rules.box.seats)])


class DeskSession:
    """People at a desk; the calling thread plays the screen's part."""

    def __init__(self, folder: Path, ledger: Ledger) -> None:
        self.ledger, self.now = ledger, BEGIN
        self._posted: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.told: list[Text] = []
        self.outcomes: list[Outcome] = []
        self._play = 0
        self.desk = Desk(
            clerk(folder / "journal.db", self._posted.put), folder / "settings.json", lambda: self.now
        )
        self.desk.listen(self._heard)
        self.desk.listen_at_once(self._at_once)

    def _at_once(self, event: AtOnce) -> None:
        """Runs in the clerk's thread: from now on it is confirmed."""
        if isinstance(event, PlayNow):
            self._play = event.id
            self.ledger.confirm(event.id, event.session)
        elif isinstance(event, Outcome) and event.changed:
            self.ledger.confirm(self._play, event.session)

    def _heard(self, event: DeskEvent) -> None:
        if isinstance(event, Outcome):
            self.outcomes.append(event)
        trouble = event.trouble if isinstance(event, Outcome) else event
        if isinstance(trouble, Trouble):
            self.told.append(trouble.text)

    def pump(self) -> bool:
        """Take the next report, as a frame of the screen would; false if there is none."""
        try:
            self._posted.get_nowait()()
        except queue.Empty:
            return False
        return True

    def settle(self) -> None:
        """Let everything that was asked for happen, and take all reports."""
        self.desk.clerk.settle()
        while self.pump():
            self.desk.clerk.settle()

    def play(self, random: Random, answers: int = 0) -> None:
        """Begin a random play, and give some answers."""
        rules, setup = any_setup(random)
        self.desk.start(rules, setup)
        self.settle()
        self.answer(random, answers)

    def resume(self, play: int) -> None:
        """Continue this play."""
        self.desk.resume(play)
        self.settle()

    def answer(self, random: Random, answers: int = 1) -> None:
        """Give this many random answers, unless the play is over."""
        for _ in range(answers):
            if self.session.over:
                return
            self.now += 3.0
            self.do(any_answer(self.session, random))

    def answer_surely(self, random: Random) -> None:
        """The play must go on: an answer is accepted, or the last deed is undone."""
        before = self.session.entries
        self.answer(random)
        if self.session.over and self.session.entries == before:
            self.desk.undo()
            self.settle()
        expect(self.session.entries > before, f"the play does not go on: {self.told[-1:]}")

    def do(self, signal: Proposal) -> None:
        """Propose this signal, and let it happen."""
        self.desk.propose(signal)
        self.settle()

    @property
    def session(self) -> Session:
        """The current play."""
        return self.desk.session

    @property
    def id(self) -> int:
        """Its number."""
        assert self.desk.play is not None
        return self.desk.play.id


@contextmanager
def desk_session(folder: Path, ledger: Ledger | None = None) -> Iterator[DeskSession]:
    """A desk in this folder, closed at the end."""
    made = DeskSession(folder, ledger or Ledger())
    try:
        yield made
    finally:
        made.desk.clerk.stop()
