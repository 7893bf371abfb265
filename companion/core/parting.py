"""Where today's rules part from a play: what was played stays true, whatever is mended in the rules later."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.core import session as sessions
from companion.core.digest import digest
from companion.core.game import Game, Setup
from companion.core.session import Entry, Session
from companion.core.words import Text, say
from scoring.sheet import Sheet


class Parting(Struct, frozen=True):
    """Today's rules agree with only the first `kept` of a play's `entries`, or count its points otherwise.

    `answer` is the first answer or correction they do not agree with, as history counts them; `sheet` is the result
    a play that was over had.
    """

    kept: int
    entries: int
    answer: int
    sheet: Sheet | None = None

    @property
    def text(self) -> Text:
        """The sentence people get to know it by."""
        if self.sheet is None:
            return say("core.parted", n=self.answer)
        if self.kept == self.entries:
            return say("core.counted-otherwise")
        return say("core.played-otherwise", n=self.answer)


class Replayed(Struct, frozen=True):
    """A journaled play as far as today's rules agree with it; `parting` if that is not to its end."""

    session: Session
    parting: Parting | None = None

    @property
    def over(self) -> bool:
        """Whether the play has ended, by the rules it was played with."""
        return self.session.over if self.parting is None else self.parting.sheet is not None

    @property
    def sheet(self) -> Sheet:
        """The result the play had, or the points it has so far."""
        kept = None if self.parting is None else self.parting.sheet
        return self.session.game.sheet(self.session.state) if kept is None else kept


def follow(game: Game, setup: Setup, at: float, entries: Sequence[Entry]) -> Replayed:
    """The play these entries lead to, compared with what was true after each of them.

    Raises whatever the rules raise if the entries are from before that was kept.
    """
    session = sessions.begin(game, setup, at)
    newest = entries[-1] if entries else None
    for entry in sessions.standing(entries):
        try:
            after = session.repeat(entry)
            agreed = not entry.digest or digest(after.state) == entry.digest
        except Exception:  # rules that changed may stumble over an old answer in any way
            if newest is None or not newest.digest:
                raise
            agreed = False
        if not agreed:
            return _parted(session, entries)
        session = after
    if newest is not None and newest.sheet is not None and not _same(session, newest.sheet):
        return _parted(session, entries)
    return Replayed(replace(session, last=newest))


def _parted(session: Session, entries: Sequence[Entry]) -> Replayed:
    return Replayed(session, Parting(session.entries, len(entries), len(session.moments), entries[-1].sheet))


def _same(session: Session, sheet: Sheet) -> bool:
    """Whether for today's rules this table is the end as well, and they count it as it was counted then."""
    try:
        return session.over and session.game.sheet(session.state).outcome == sheet.outcome
    except Exception:  # the same as above
        return False
