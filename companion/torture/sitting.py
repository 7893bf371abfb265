"""A table without a screen: a desk with its clerk, and everything told at it."""

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
from companion.table.desk import AtOnce, Desk, Event
from companion.table.proposals import Outcome, PlayNow, Signal
from companion.torture.faults import expect
from companion.torture.ledger import Ledger

NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")
BEGIN = 1_800_000_000.0


def any_setup(random: Random) -> tuple[Game, Setup]:
    """Any game there is, with as many people as it takes."""
    rules = random.choice(list(games().values()))
    return rules, Setup(rules.id, NAMES[: random.choice(rules.box.seats)])


class Sitting:
    """People at a desk; the one thread of whoever tries a fault is the screen's."""

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
        """In the clerk's thread: it is confirmed from now on."""
        if isinstance(event, PlayNow):
            self._play = event.id
            self.ledger.confirm(event.id, event.session)
        elif isinstance(event, Outcome) and event.changed:
            self.ledger.confirm(self._play, event.session)

    def _heard(self, event: Event) -> None:
        if isinstance(event, Outcome):
            self.outcomes.append(event)
        trouble = event.trouble if isinstance(event, Outcome) else event
        if isinstance(trouble, Trouble):
            self.told.append(trouble.text)

    def pump(self) -> bool:
        """Be told the next thing, as a frame of the screen would; false if there is none."""
        try:
            self._posted.get_nowait()()
        except queue.Empty:
            return False
        return True

    def settle(self) -> None:
        """Let everything that was asked for happen, and be told."""
        self.desk.clerk.settle()
        while self.pump():
            self.desk.clerk.settle()

    def play(self, random: Random, answers: int = 0) -> None:
        """Begin any play, and give some answers."""
        rules, setup = any_setup(random)
        self.desk.start(rules, setup)
        self.settle()
        self.answer(random, answers)

    def resume(self, play: int) -> None:
        """Go on with this play."""
        self.desk.resume(play)
        self.settle()

    def answer(self, random: Random, answers: int = 1) -> None:
        """Answer anything so often, unless it is over."""
        for _ in range(answers):
            if self.session.over:
                return
            self.now += 3.0
            self.do(any_answer(self.session, random))

    def answer_surely(self, random: Random) -> None:
        """The play must go on: an answer is taken, or what was done last is taken back."""
        before = self.session.entries
        self.answer(random)
        if self.session.over and self.session.entries == before:
            self.desk.undo()
            self.settle()
        expect(self.session.entries > before, f"the play does not go on: {self.told[-1:]}")

    def do(self, signal: Signal) -> None:
        """Propose this, and let it happen."""
        self.desk.propose(signal)
        self.settle()

    @property
    def session(self) -> Session:
        """The play that is on."""
        return self.desk.session

    @property
    def id(self) -> int:
        """Its number."""
        assert self.desk.play is not None
        return self.desk.play.id


@contextmanager
def sitting(folder: Path, ledger: Ledger | None = None) -> Iterator[Sitting]:
    """A desk in this folder, closed in the end."""
    made = Sitting(folder, ledger or Ledger())
    try:
        yield made
    finally:
        made.desk.clerk.stop()
