"""A play that survives a power cut: every deed is in the journal before anybody sees its effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

import msgspec
from msgspec.structs import replace

from companion.core import session as sessions
from companion.core.binder import Binder, Taught
from companion.core.components import Facts, Value, fact_of
from companion.core.derived_facts import DerivedFacts, Revelations, undone, unsaid
from companion.core.entries import (
    Answered,
    Entry,
    FactCorrected,
    Undone,
    decode_entry,
    encode_entry,
    rules_of,
)
from companion.core.fact_values import ONCE
from companion.core.flow.game import game_of
from companion.core.game import Game, Setup, boxes, called
from companion.core.journal import EntryRow, Journal, PlayRow, StoredPlay
from companion.core.questions import Answer
from companion.core.replay_divergence import Divergence, Replayed, follow
from companion.core.session import Session
from companion.core.words import say
from companion.errors import DataTrouble, NotNow, StorageTrouble, Trouble


class Play:
    """A journaled session. If a method raises, because of the session or the journal, nothing has changed."""

    def __init__(
        self,
        id: int,
        session: Session,
        journal: Journal,
        binder: Binder,
        divergence: Divergence | None = None,
    ) -> None:
        self.id = id
        self.session = session
        self.divergence = divergence
        """Why the session is not where the play was left; None once people continue from here."""
        self._journal = journal
        self._binder = binder
        self._revelations = Revelations(session.game)
        # A power cut may have come between an undo and removing the facts it had revealed.
        self._kept: DerivedFacts = self._revelations.after((*session.moments, *session.ahead))
        self._synced: DerivedFacts | None = None
        self._known: Facts = {}
        with suppress(StorageTrouble):  # damaged facts must not stop an intact play
            lacking = {taught.key for taught in missing_in_binder(session, binder.history(session.game.id))}
            self._known = {key: one for key, one in session.state.taught.items() if key not in lacking}

    @classmethod
    def start(cls, rules: Game, setup: Setup, journal: Journal, binder: Binder, at: float) -> Play:
        """A new play, with everything the owner of the box has taught."""
        setup = rules.agreed(setup)
        if len({called(name) for name in setup.seats}) < len(
            setup.seats
        ):  # an old play with such names still opens
            raise DataTrouble(say("core.bad-setup", game=rules.box.name), (say("core.bad-names"),))
        store_missed_facts(rules.id, journal, binder)
        setup = replace(setup, facts=rules.usable(setup, binder.facts(rules.id)))
        session = sessions.begin(rules, setup, at)
        id = journal.create(msgspec.json.encode(setup), rules.id, ", ".join(setup.seats), at)
        return cls(id, session, journal, binder)

    @classmethod
    def resume(cls, id: int, journal: Journal, binder: Binder) -> Play:
        """A play as it was when it ended or was cut off, or as far as today's rules agree with it."""
        reading = read(journal.load(id))
        return cls(id, reading.session, journal, binder, reading.divergence)

    def answer(self, answer: Answer, at: float, same_deed: bool = False) -> None:
        """Answer a question; with `same_deed` it belongs to the previous deed and is undone with it."""
        self._keep(self.session.answer(answer, at, same_deed), at)

    def correct(self, counter: str, value: int, at: float, by: str = "") -> None:
        """Correct a counter."""
        self._keep(self.session.correct(counter, value, at, by), at)

    def correct_fact(self, fact: str, value: Value, at: float, by: str = "") -> None:
        """Correct a printed value, in this play from now on and in all later ones."""
        self._keep(self.session.correct_fact(fact, value, at, by), at)

    def undo(self, steps: int, at: float) -> None:
        """Take back the last answers and corrections."""
        self._keep(self.session.undo(steps, at), at)

    def redo(self, steps: int, at: float) -> None:
        """Redo what was taken back."""
        self._keep(self.session.redo(steps, at), at)

    def lighten(self, flow: str, at: float) -> None:
        """Go on with turns and pools only, by this flow."""
        self._keep(self.session.lighten(flow, at), at)

    def pause(self, at: float) -> None:
        """Stop the clocks."""
        self._keep(self.session.pause(at), at)

    def unpause(self, at: float) -> None:
        """Restart the clocks."""
        self._keep(self.session.resume(at), at)

    def set_away(self, seat: int, away: bool, at: float) -> None:
        """A player has left the table, or is back."""
        self._keep(self.session.set_away(seat, away, at), at)

    def reopen(self, at: float) -> None:
        """Return to a play after the program was off; that time counts for nobody's clock.

        If today's rules diverge from the play, it continues from there; a finished play stays as it was.
        """
        if self.divergence is not None:
            if self.divergence.sheet is not None:
                return
            self._write(self.session.diverge(self.divergence.entries, at), self.divergence.entries, at)
            self.divergence = None
        if not self.session.paused and not self.session.over:
            self.pause(self.session.at)
        if self.session.paused:
            self.unpause(at)

    def _keep(self, session: Session, at: float) -> None:
        """Write a deed and the facts it taught in one transaction; if that fails, the deed did not happen."""
        if self.divergence is not None:
            raise NotNow(self.divergence.text)
        before, heard = self.session, (self._known, self._kept, self._synced)
        try:
            with self._journal.together():
                self._write(session, before.entries, at)
                if isinstance(self.session.last and self.session.last.deed, Undone):
                    self._take_back(before, at)
                self._teach(before, at)
                self._reveal()
        except BaseException:
            self.session, (self._known, self._kept, self._synced) = before, heard
            raise

    def _write(self, session: Session, entries: int, at: float) -> None:
        """Journal the deed that led to this session as entry number `entries`; only then adopt the session."""
        session = session.sealed()
        assert session.last is not None
        self._journal.append(self.id, entries, at, encode_entry(session.last), over=session.over)
        self.session = session

    def _teach(self, before: Session, at: float) -> None:
        """Hand new facts to the binder, except those meant for this play only.

        If that fails, they are still in the play: the next deed or the next start tries again.
        """
        state = self.session.state
        news = {
            key: value
            for key, value in state.taught.items()
            if key not in state.once and self._known.get(key) != value
        }
        told = []
        for key, value in news.items():
            earlier = before.state.taught.get(key) == value and entry_that_taught(self.session, key)
            told.append(taught_in(self.session, key, earlier.at if earlier else at))
        if told:
            with suppress(StorageTrouble):
                self._binder.keep(tuple(told))
                self._known = {**self._known, **news}

    def _reveal(self) -> None:
        """Store in the binder what the answers reveal, and remove what undone answers had revealed.

        If that fails, the next deed or the next start tries again: it follows from the journal.
        """
        state, game = self.session.state, self.session.game.id
        found = self._revelations.after(self.session.moments)
        found = {key: one for key, one in found.items() if key not in state.once}
        if found == self._synced:
            return
        with suppress(StorageTrouble):
            history = self._binder.history(game)
            back = undone({key: one for key, one in self._kept.items() if found.get(key) != one}, history)
            latest = {taught.key: taught for taught in (*history, *back)}
            if news := (*back, *unsaid(game, found, latest)):
                self._binder.keep(news)
            self._kept = self._synced = found

    def _take_back(self, before: Session, at: float) -> None:
        """A corrected fact that was undone does not hold in later plays either.

        A fact that was asked for is not removed: it will be asked again, and until then the answer is better
        than nothing.
        """
        state, game = self.session.state, self.session.game.id
        undone = [moment.entry for moment in before.moments[len(self.session.moments) :]]
        deeds = [entry.deed for entry in undone if entry is not None]
        for key, times in Counter(deed.fact for deed in deeds if isinstance(deed, FactCorrected)).items():
            with suppress(StorageTrouble):
                self._binder.take_back(game, key, before.state.taught[key], times, at)
                known = {other: value for other, value in self._known.items() if other != key}
                if key in state.taught and key not in state.once:
                    known[key] = state.taught[key]
                self._known = known


# What a play taught


def entry_that_taught(session: Session, key: str) -> Entry | None:
    """The entry that set the current value of a fact in this play; None if it was known before."""
    value, entry = session.state.taught[key], None
    for moment in reversed(session.moments):
        if moment.state.taught.get(key) != value:
            return entry
        entry = moment.entry
    return entry


def told_by(session: Session, key: str) -> str:
    """The name of the seat that taught a fact in this play; all names if the whole table was asked."""
    entry = entry_that_taught(session, key)
    deed = None if entry is None else entry.deed
    if isinstance(deed, FactCorrected):
        return deed.by
    seat = deed.answer.seat if isinstance(deed, Answered) else None
    return ", ".join(session.setup.seats) if seat is None else session.setup.seats[seat]


def taught_in(session: Session, key: str, at: float) -> Taught:
    """The statement for the binder about a fact this play taught at that time."""
    component, field = fact_of(key)
    value, by = session.state.taught[key], told_by(session, key)
    return Taught(game=session.game.id, component=component, field=field, value=value, at=at, by=by)


def missing_in_binder(session: Session, history: Sequence[Taught]) -> tuple[Taught, ...]:
    """The facts this play taught that are missing in the binder: no statement about them then or since."""
    last = last_mentioned(history)
    latest = {taught.key: taught.value for taught in history}
    found = []
    for key, value in session.state.taught.items():
        entry = entry_that_taught(session, key)
        if entry is None or key in session.state.once or latest.get(key) == value:
            continue
        if key not in last or last[key] < entry.at:
            found.append(taught_in(session, key, entry.at))
    return tuple(sorted(found, key=lambda taught: taught.at))


def last_mentioned(history: Sequence[Taught]) -> dict[str, float]:
    """When each fact was last mentioned."""
    last: dict[str, float] = {}
    for taught in history:
        last[taught.key] = max(taught.at, last.get(taught.key, taught.at))
    return last


def store_missed_facts(game: str, journal: Journal, binder: Binder) -> None:
    """Store facts that plays of this game taught while the binder could not be written; they follow from the
    journal."""
    with suppress(StorageTrouble):  # unreadable facts are reported where they are needed
        history = binder.history(game)
        last = last_mentioned(history)
        said = max(last.values(), default=float("-inf"))
        plays = [play for play, row in journal.telling(game) if _may_be_missing(row, last, said)]
        for play in dict.fromkeys(plays):
            with suppress(StorageTrouble):  # a play this version cannot replay
                binder.keep(missing_in_binder(read(journal.load(play)).session, binder.history(game)))


def _may_be_missing(row: EntryRow, last: Mapping[str, float], said: float) -> bool:
    """Whether this entry may have taught a fact the binder lacks; for an answer, the entry does not say which
    fact."""
    try:
        deed = decode_entry(row.body).deed
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    if isinstance(deed, FactCorrected):
        return deed.fact not in last or last[deed.fact] < row.at
    return isinstance(deed, Answered) and not deed.answer.option.startswith(ONCE) and said < row.at


def game_name(journal: Journal, row: PlayRow) -> str:
    """The name of a play's game; that of somebody's own game is in the flow the play keeps."""
    if row.game in boxes():
        return boxes()[row.game].name
    try:
        return game_of(msgspec.json.decode(journal.setup(row.id), type=Setup)).box.name
    except (Trouble, msgspec.DecodeError):
        return row.game


def read(stored: StoredPlay) -> Replayed:
    """The session of a stored play, checked to be showable; raises `StorageTrouble` if it cannot be replayed."""
    with replaying(stored.play.id):
        setup = msgspec.json.decode(stored.setup, type=Setup)
        entries = [decode_entry(row.body) for row in stored.rows]
        found = follow(game_of(setup), setup, stored.play.created, entries)
        _build_all_views(found.session)
        return found


@contextmanager
def replaying(play: int) -> Iterator[None]:
    """Turns any error while replaying a play into a `StorageTrouble`; the play itself stays in the journal."""
    try:
        yield
    except OSError:  # for example a closed output pipe; rules touch no files
        raise
    except Exception as e:
        raise StorageTrouble(say("core.cannot-replay", play=play, why=str(e) or type(e).__name__)) from e


def _build_all_views(session: Session) -> None:
    """Build once everything that is shown of a table, so that a table that cannot be shown fails here."""
    rules, state = session.game, session.state
    session.questions(), session.counters(), rules.view(state), rules.on_table(state), rules.sheet(state)


def suspects(journal: Journal, plays: Sequence[PlayRow]) -> tuple[int, ...]:
    """Those of these plays, the oldest first, whose last entry has another rules number than today's; only
    `read` finds out whether they diverge."""
    if not plays:
        return ()
    bodies = journal.newest(plays[0].id, plays[-1].id)
    newest = {play: rules_of(body) for play, body in bodies.items()}
    today = {id: box.rules for id, box in boxes().items()}
    return tuple(
        row.id
        for row in plays
        if newest.get(row.id) and row.game in today and newest[row.id] != today[row.game]
    )


def divergence_of(journal: Journal, play: int) -> Divergence | None:
    """Where today's rules diverge from a play; None for a play that cannot be read."""
    try:
        return read(journal.load(play)).divergence
    except StorageTrouble:
        return None
