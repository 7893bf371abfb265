"""Where today's rules diverge from a play: what was played stays valid, even if the rules are fixed later."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.core import session as sessions
from companion.core.agenda import State, may_wait
from companion.core.digest import digest
from companion.core.entries import Entry, entries_that_count
from companion.core.game import Game, Setup
from companion.core.session import Session
from companion.core.words import Text, say
from scoring.sheet import Sheet


class Divergence(Struct, frozen=True):
    """Today's rules agree only with the first `kept` of a play's `entries`, or score it differently.

    `answer` is the first answer or correction they disagree with, numbered as in the history; `sheet` is the
    stored result, if the play was over.
    """

    kept: int
    entries: int
    answer: int
    sheet: Sheet | None = None

    @property
    def text(self) -> Text:
        """The message for people."""
        if self.sheet is None:
            return say("core.diverged", n=self.answer)
        if self.kept == self.entries:
            return say("core.counted-otherwise")
        return say("core.played-otherwise", n=self.answer)


class Replayed(Struct, frozen=True):
    """A journaled play as far as today's rules agree with it; `divergence` if they do not agree to its end."""

    session: Session
    divergence: Divergence | None = None

    @property
    def over(self) -> bool:
        """Whether the play has ended, by the rules it was played with."""
        return self.session.over if self.divergence is None else self.divergence.sheet is not None

    @property
    def sheet(self) -> Sheet:
        """The stored result of the play, or its points so far."""
        kept = None if self.divergence is None else self.divergence.sheet
        return self.session.game.sheet(self.session.state) if kept is None else kept


def follow(game: Game, setup: Setup, at: float, entries: Sequence[Entry]) -> Replayed:
    """Replay these entries and compare the table with the digest of each.

    Raises what the rules raise if the entries are older than digests.
    """
    session = sessions.begin(game, setup, at)
    newest = entries[-1] if entries else None
    for entry in entries_that_count(entries):
        try:
            after = session.repeat(entry)
            agreed = not entry.digest or agree(after.state, entry.digest)
        except Exception:  # changed rules may fail on an old answer in any way
            if newest is None or not newest.digest:
                raise
            agreed = False
        if not agreed:
            return _diverged(session, entries)
        session = after
    if newest is not None and newest.sheet is not None and not _same(session, newest.sheet):
        return _diverged(session, entries)
    return Replayed(replace(session, last=newest))


def agree(state: State, recorded: str) -> bool:
    """Whether this table has the recorded digest. Not compared where older rules waited for an answer that today's
    ask for later, or ran ahead of a question that may wait: the tables are equal again after that."""
    return digest(state) == recorded or bool(state.asked_formerly()) or may_wait(state) is not None


def _diverged(session: Session, entries: Sequence[Entry]) -> Replayed:
    return Replayed(
        session, Divergence(session.entries, len(entries), len(session.moments), entries[-1].sheet)
    )


def _same(session: Session, sheet: Sheet) -> bool:
    """Whether today's rules also end the play here, with the same result."""
    try:
        return session.over and session.game.sheet(session.state).outcome == sheet.outcome
    except Exception:  # as above
        return False
