"""A play that survives a power cut: every deed is in the journal before anybody sees what it did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

import msgspec
from msgspec.structs import replace

from companion.core import session as sessions
from companion.core.binder import Binder, Taught
from companion.core.components import Facts, Value, fact_of
from companion.core.fact_values import ONCE
from companion.core.game import Game, Setup, boxes, called, game
from companion.core.journal import EntryRow, Journal, PlayRow, StoredPlay
from companion.core.parting import Parting, Replayed, follow
from companion.core.questions import Answer
from companion.core.revelations import Found, Revelations, undone, unsaid
from companion.core.session import Entry, Retold, Session, Undone
from companion.core.words import say
from companion.errors import DataTrouble, NotNow, StorageTrouble


class Play:
    """A journaled session. What raises, be it the session or the journal, has changed nothing."""

    def __init__(
        self, id: int, session: Session, journal: Journal, binder: Binder, parting: Parting | None = None
    ) -> None:
        self.id = id
        self.session = session
        self.parting = parting
        """Why the session is not where the play was left, until people go on from here."""
        self._journal = journal
        self._binder = binder
        self._revelations = Revelations(session.game)
        # A power cut may have come between taking back and forgetting what that had revealed.
        self._kept: Found = self._revelations.after((*session.moments, *session.ahead))
        self._synced: Found | None = None
        self._known: Facts = {}
        with suppress(StorageTrouble):  # damaged facts must not keep a play that is whole from going on
            lacking = {taught.key for taught in unheard(session, binder.history(session.game.id))}
            self._known = {key: one for key, one in session.state.taught.items() if key not in lacking}

    @classmethod
    def start(cls, rules: Game, setup: Setup, journal: Journal, binder: Binder, at: float) -> Play:
        """A new play, with everything the owner of the box has taught us."""
        setup = rules.agreed(setup)
        if len({called(name) for name in setup.seats}) < len(
            setup.seats
        ):  # an old play with such names still opens
            raise DataTrouble(say("core.bad-setup", game=rules.box.name), (say("core.bad-names"),))
        catch_up(rules.id, journal, binder)
        setup = replace(setup, facts=rules.usable(setup, binder.facts(rules.id)))
        session = sessions.begin(rules, setup, at)
        id = journal.create(msgspec.json.encode(setup), rules.id, ", ".join(setup.seats), at)
        return cls(id, session, journal, binder)

    @classmethod
    def resume(cls, id: int, journal: Journal, binder: Binder) -> Play:
        """A play as it was when it was left, or cut off, or as far as today's rules agree with it."""
        reading = read(journal.load(id))
        return cls(id, reading.session, journal, binder, reading.parting)

    def answer(self, answer: Answer, at: float, along: bool = False) -> None:
        """Answer a question; `along` with the deed before, with which it will be taken back."""
        self._keep(self.session.answer(answer, at, along), at)

    def correct(self, counter: str, value: int, at: float, by: str = "") -> None:
        """Set a counter right."""
        self._keep(self.session.correct(counter, value, at, by), at)

    def retell(self, fact: str, value: Value, at: float, by: str = "") -> None:
        """Set a printed value right, in this play from now on and in every later one."""
        self._keep(self.session.retell(fact, value, at, by), at)

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

    def went(self, seat: int, away: bool, at: float) -> None:
        """A player has left the table, or is back."""
        self._keep(self.session.went(seat, away, at), at)

    def wake(self, at: float) -> None:
        """Come back to a play after the program was off: nobody was thinking meanwhile.

        If today's rules part from the play, it goes on from there; one that was over stays as it was.
        """
        if self.parting is not None:
            if self.parting.sheet is not None:
                return
            self._write(self.session.part(self.parting.entries, at), self.parting.entries, at)
            self.parting = None
        if not self.session.paused and not self.session.over:
            self.pause(self.session.at)
        if self.session.paused:
            self.go_on(at)

    def _keep(self, session: Session, at: float) -> None:
        """Write a deed and what the binder should hear of it, in one: the journal decides whether it happened."""
        if self.parting is not None:
            raise NotNow(self.parting.text)
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
        """Journal the deed that led to this session after so many entries; only then it becomes ours."""
        session = session.sealed()
        assert session.last is not None
        self._journal.append(self.id, entries, at, sessions.encode(session.last), over=session.over)
        self.session = session

    def _teach(self, before: Session, at: float) -> None:
        """Hand new facts to the binder, except those meant for this play only.

        Should that fail, they are in the play: the next deed tries again, or the next start.
        """
        state = self.session.state
        news = {
            key: value
            for key, value in state.taught.items()
            if key not in state.once and self._known.get(key) != value
        }
        told = []
        for key, value in news.items():
            earlier = before.state.taught.get(key) == value and teller(self.session, key)
            told.append(taught_in(self.session, key, earlier.at if earlier else at))
        if told:
            with suppress(StorageTrouble):
                self._binder.keep(tuple(told))
                self._known = {**self._known, **news}

    def _reveal(self) -> None:
        """Let the binder keep what the answers reveal, and forget what answers revealed that were taken back.

        Should that fail, the next deed tries again, or the next start: it follows from the journal.
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
        """What was set right by mistake and taken back does not hold in later plays either.

        A fact that was asked for is asked for again instead, and until then what was told is better than nothing.
        """
        state, game = self.session.state, self.session.game.id
        undone = [moment.entry for moment in before.moments[len(self.session.moments) :]]
        deeds = [entry.deed for entry in undone if entry is not None]
        for key, times in Counter(deed.fact for deed in deeds if isinstance(deed, Retold)).items():
            with suppress(StorageTrouble):
                self._binder.take_back(game, key, before.state.taught[key], times, at)
                known = {other: value for other, value in self._known.items() if other != key}
                if key in state.taught and key not in state.once:
                    known[key] = state.taught[key]
                self._known = known


# What a play told


def teller(session: Session, key: str) -> Entry | None:
    """The entry that told a fact in this play, as it is now; none if it was known before."""
    value, entry = session.state.taught[key], None
    for moment in reversed(session.moments):
        if moment.state.taught.get(key) != value:
            return entry
        entry = moment.entry
    return entry


def told_by(session: Session, key: str) -> str:
    """The name of the seat that told a fact in this play, the names of all if the table was asked."""
    entry = teller(session, key)
    deed = None if entry is None else entry.deed
    if isinstance(deed, Retold):
        return deed.by
    seat = deed.answer.seat if isinstance(deed, sessions.Answered) else None
    return ", ".join(session.setup.seats) if seat is None else session.setup.seats[seat]


def taught_in(session: Session, key: str, at: float) -> Taught:
    """What the binder should hear of a fact this play told at that time."""
    component, field = fact_of(key)
    value, by = session.state.taught[key], told_by(session, key)
    return Taught(game=session.game.id, component=component, field=field, value=value, at=at, by=by)


def unheard(session: Session, history: Sequence[Taught]) -> tuple[Taught, ...]:
    """What this play told and the binder never heard: nothing was said about it at that time, nor since."""
    last = newest_words(history)
    latest = {taught.key: taught.value for taught in history}
    found = []
    for key, value in session.state.taught.items():
        entry = teller(session, key)
        if entry is None or key in session.state.once or latest.get(key) == value:
            continue
        if key not in last or last[key] < entry.at:
            found.append(taught_in(session, key, entry.at))
    return tuple(sorted(found, key=lambda taught: taught.at))


def newest_words(history: Sequence[Taught]) -> dict[str, float]:
    """When something was last said about each fact."""
    last: dict[str, float] = {}
    for taught in history:
        last[taught.key] = max(taught.at, last.get(taught.key, taught.at))
    return last


def catch_up(game: str, journal: Journal, binder: Binder) -> None:
    """Let the binder hear what plays of this game told while it could not be written: it follows from the journal."""
    with suppress(StorageTrouble):  # facts that cannot be read are told by whoever needs them
        history = binder.history(game)
        last = newest_words(history)
        said = max(last.values(), default=float("-inf"))
        plays = [play for play, row in journal.telling(game) if _may_be_unheard(row, last, said)]
        for play in dict.fromkeys(plays):
            with suppress(StorageTrouble):  # one this version cannot replay
                binder.keep(unheard(read(journal.load(play)).session, binder.history(game)))


def _may_be_unheard(row: EntryRow, last: Mapping[str, float], said: float) -> bool:
    """Whether this entry told something the binder may not have heard; an answer does not say about what."""
    try:
        deed = sessions.decode(row.body).deed
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    if isinstance(deed, Retold):
        return deed.fact not in last or last[deed.fact] < row.at
    return isinstance(deed, sessions.Answered) and not deed.answer.option.startswith(ONCE) and said < row.at


def read(stored: StoredPlay) -> Replayed:
    """The session a stored play leads to, which can be shown; a play this version cannot replay is said so, and stays
    as it is."""
    with replaying(stored.play.id):
        setup = msgspec.json.decode(stored.setup, type=Setup)
        entries = [sessions.decode(row.body) for row in stored.rows]
        found = follow(game(setup.game), setup, stored.play.created, entries)
        _look_at(found.session)
        return found


@contextmanager
def replaying(play: int) -> Iterator[None]:
    """Whatever the answers of a play do to today's rules becomes a sentence: the play is in the journal."""
    try:
        yield
    except OSError:  # whoever reads what is told has gone, say; rules touch no files
        raise
    except Exception as e:
        raise StorageTrouble(say("core.cannot-replay", play=play, why=str(e) or type(e).__name__)) from e


def _look_at(session: Session) -> None:
    """Build once all that is shown of a table: rules may have led to one that nobody can show."""
    rules, state = session.game, session.state
    session.questions(), session.counters(), rules.view(state), rules.on_table(state), rules.sheet(state)


def suspects(journal: Journal, plays: Sequence[PlayRow]) -> tuple[int, ...]:
    """Those of these plays, the oldest first, that were last touched with rules of another number than today's;
    whether they part, `read` finds out."""
    if not plays:
        return ()
    bodies = journal.newest(plays[0].id, plays[-1].id)
    newest = {play: sessions.rules_of(body) for play, body in bodies.items()}
    today = {id: box.rules for id, box in boxes().items()}
    return tuple(
        row.id
        for row in plays
        if newest.get(row.id) and row.game in today and newest[row.id] != today[row.game]
    )


def parting_of(journal: Journal, play: int) -> Parting | None:
    """Where today's rules part from a play; a play that cannot be read is nothing the list of plays tells of."""
    try:
        return read(journal.load(play)).parting
    except StorageTrouble:
        return None
