"""A play that survives a power cut: every deed is in the journal before anybody sees what it did."""

from __future__ import annotations

from contextlib import suppress

import msgspec
from msgspec.structs import replace

from companion.core import session as sessions
from companion.core.binder import Binder
from companion.core.components import Facts
from companion.core.game import Game, Setup, game
from companion.core.journal import Journal, StoredPlay
from companion.core.questions import Answer
from companion.core.session import Session
from companion.core.words import say
from companion.errors import StorageTrouble, Trouble


class Play:
    """A journaled session. What raises, be it the session or the journal, has changed nothing."""

    def __init__(self, id: int, session: Session, journal: Journal, binder: Binder) -> None:
        self.id = id
        self.session = session
        self._journal = journal
        self._binder = binder
        self._known: Facts = {}
        with suppress(StorageTrouble):  # damaged facts must not keep a play that is whole from going on
            # What the binder heard of before it need not hear again: the owner may have said otherwise since.
            heard = {taught.key for taught in binder.history(session.game.id)}
            self._known = {key: value for key, value in session.state.taught.items() if key in heard}

    @classmethod
    def start(cls, rules: Game, setup: Setup, journal: Journal, binder: Binder, at: float) -> Play:
        """A new play, with everything the owner of the box has taught us."""
        setup = replace(rules.complete(setup), facts=binder.facts(rules.id))
        session = sessions.begin(rules, setup, at)
        id = journal.create(msgspec.json.encode(setup), rules.id, ", ".join(setup.seats), at)
        return cls(id, session, journal, binder)

    @classmethod
    def resume(cls, id: int, journal: Journal, binder: Binder) -> Play:
        """A play as it was when it was left, or cut off."""
        return cls(id, load(journal.load(id)), journal, binder)

    def answer(self, answer: Answer, at: float) -> None:
        """Answer a question."""
        self._keep(self.session.answer(answer, at), at)

    def correct(self, counter: str, value: int, at: float, by: str = "") -> None:
        """Set a counter right."""
        self._keep(self.session.correct(counter, value, at, by), at)

    def undo(self, steps: int, at: float) -> None:
        """Take back the last answers and corrections."""
        self._keep(self.session.undo(steps, at), at)

    def redo(self, steps: int, at: float) -> None:
        """Do again what was taken back."""
        self._keep(self.session.redo(steps, at), at)

    def pause(self, at: float) -> None:
        """Let thinking time stand still."""
        self._keep(self.session.pause(at), at)

    def go_on(self, at: float) -> None:
        """Let thinking time go on."""
        self._keep(self.session.resume(at), at)

    def wake(self, at: float) -> None:
        """Come back to a play after the program was off: nobody was thinking meanwhile."""
        if not self.session.paused and not self.session.over:
            self.pause(self.session.at)
        if self.session.paused:
            self.go_on(at)

    def _keep(self, session: Session, at: float) -> None:
        """Journal the deed that led to this session; only then it becomes ours."""
        assert session.last is not None
        body = sessions.encode(session.last)
        self._journal.append(self.id, self.session.entries, at, body, over=session.over)
        self.session = session
        self._teach(at)

    def _teach(self, at: float) -> None:
        """Hand new facts to the binder, except those meant for this play only.

        Should that fail, they are in the play, and the next deed tries again.
        """
        state = self.session.state
        for key, value in state.taught.items():
            if key not in state.once and self._known.get(key) != value:
                component, _, field = key.rpartition(".")
                with suppress(StorageTrouble):
                    self._binder.teach(self.session.game.id, component, field, value, at)
                    self._known[key] = value


def load(stored: StoredPlay) -> Session:
    """The session a stored play leads to; a play this version cannot replay is said so, and stays as it is."""
    try:
        setup = msgspec.json.decode(stored.setup, type=Setup)
        entries = [sessions.decode(row.body) for row in stored.rows]
        return sessions.replay(game(setup.game), setup, stored.play.created, entries)
    except (msgspec.DecodeError, Trouble, LookupError, ValueError) as e:
        raise StorageTrouble(say("core.cannot-replay", play=stored.play.id, why=str(e))) from e
