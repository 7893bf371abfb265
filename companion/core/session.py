"""The timeline of one play: answers, corrections, undo, redo, pause and thinking time.

A session is an immutable value. Every deed gives the next session, whose `last` is the entry to be journaled;
the caller writes it to the journal before showing the new session to anybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec import UNSET, Struct
from msgspec.structs import replace

from companion.core.agenda import advance, open_asks, question_of, questions, retake, take, waited_for
from companion.core.components import Catalogue, Value, fact_of
from companion.core.counters import Correctable
from companion.core.digest import digest
from companion.core.entries import (
    Answered,
    Corrected,
    Deed,
    Diverged,
    Entry,
    FactCorrected,
    Lightened,
    Paused,
    Redone,
    Resumed,
    SeatLeft,
    Summary,
    Undone,
    entries_that_count,
)
from companion.core.flow.game import flow_game, lightened
from companion.core.forms import field_words
from companion.core.game import Game, Setup
from companion.core.questions import Answer, Question
from companion.core.views import View
from companion.core.words import News, Text, count, of_seat, plain, say
from companion.errors import NotNow, Unknown

T = TypeVar("T")


class Moment(Struct, frozen=True):
    """A table and the entry that led to it; the first moment has no entry."""

    state: Any
    entry: Entry | None = None


LONGEST_THOUGHT = 6 * 3600.0
"""In seconds; if more time has passed, the clock was changed, and nobody was thinking."""

MOST_VIEWS = 32
_VIEWS: dict[int, tuple[Any, View]] = {}
_COUNTERS: dict[int, tuple[Any, tuple[Correctable, ...]]] = {}
"""Caches of the last views and counters: both are expensive, and several callers need them after each answer. Keyed by
the id of a state; the state is kept too, so that its id cannot be reused."""

_answered: tuple[tuple[Moment, ...], Counter[tuple[int | None, str]]] = ((), Counter())
"""The last timeline whose answers were counted, and how often each question was answered."""


def _counted(moments: tuple[Moment, ...]) -> Counter[tuple[int | None, str]]:
    """How often each question of a timeline was answered; every option of a page asks for it."""
    global _answered
    known = _answered  # another thread may replace it
    if known[0] is not moments:
        deeds = (moment.entry.deed for moment in moments if moment.entry is not None)
        answers = (deed.answer for deed in deeds if isinstance(deed, Answered))
        known = _answered = moments, Counter((answer.seat, answer.slug) for answer in answers)
    return known[1]


def _cached(known: dict[int, tuple[Any, T]], state: Any, make: Callable[[Any], T]) -> T:
    found = known.get(id(state))
    if found is None:
        if len(known) >= MOST_VIEWS:
            known.clear()
        found = known[id(state)] = (state, make(state))
    return found[1]


class Session(Struct, frozen=True):
    """A play so far."""

    game: Game
    setup: Setup
    moments: tuple[Moment, ...]
    ahead: tuple[Moment, ...] = ()
    entries: int = 0
    last: Entry | None = None
    at: float = 0.0
    paused: bool = False
    away: frozenset[int] = frozenset()
    """Seats whose players have left the table."""
    thought: tuple[float, ...] = ()
    before: tuple[float, ...] = ()
    """What each seat had thought when the open questions were asked."""
    played: float = 0.0
    """Seconds played, without pauses."""
    parted: bool = False
    """Whether entries were dropped because changed rules did not agree with them."""
    full: Game | None = None
    """The game with all its rules, if the play has become a light one."""

    @property
    def state(self) -> Any:
        """The table now."""
        return self.moments[-1].state

    @property
    def over(self) -> bool:
        """Whether the play is over: no question is open."""
        return not self.state.agenda

    @property
    def catalogue(self) -> Catalogue[Any]:
        """Everything that can lie on this table, with all facts taught before the play and in it."""
        return self.game.catalogue(self.setup, self.state.taught)

    @property
    def view(self) -> View:
        """The table as shown; cached per state."""
        return _cached(_VIEWS, self.state, self.game.view)

    def view_before(self, n: int) -> View:
        """The table as shown before the deed that led to the `n`-th moment."""
        return _cached(_VIEWS, self.moments[n - 1].state, self.game_at(n - 1).view)

    def game_at(self, n: int) -> Game:
        """The game whose rules the `n`-th moment obeys: the play may have become a light one later."""
        if self.full is None:
            return self.game
        entries = (moment.entry for moment in self.moments[: n + 1])
        light = any(entry is not None and isinstance(entry.deed, Lightened) for entry in entries)
        return self.game if light else self.full

    def as_of(self, n: int) -> Session:
        """The play as it was at the `n`-th moment."""
        moments = self.moments[: n + 1]
        return replace(self, moments=moments, ahead=(), **self._played_by(moments))

    def questions(self) -> tuple[Question, ...]:
        """All open questions, derived from the table."""
        return questions(self.state)

    def times(self, seat: int | None, slug: str) -> int:
        """How often this seat answered this question so far; it may come again, as Settle follows Develop."""
        return _counted(self.moments)[seat, slug]

    def follows(self, seen: Session) -> bool:
        """Whether everything done until `seen` is still in the timeline."""
        n = len(seen.moments)
        return len(self.moments) >= n and self.moments[n - 1] is seen.moments[-1]

    def asks_still(self, seen: Session, seat: int | None, slug: str) -> bool:
        """Whether the question that was open at `seen` is still open, and not a later one that looks the same."""
        if seen.moments is self.moments:
            return True
        was_open = any((ask.seat, ask.slug) == (seat, slug) for _, ask in open_asks(seen.state))
        since = (moment.entry for moment in self.moments[len(seen.moments) :])
        deeds = (entry.deed for entry in since if entry is not None)
        return (
            was_open
            and self.follows(seen)
            and not any(
                isinstance(deed, Answered) and (deed.answer.seat, deed.answer.slug) == (seat, slug)
                for deed in deeds
            )
        )

    def counters(self) -> tuple[Correctable, ...]:
        """Everything that can be corrected by hand; cached per state."""
        return _cached(_COUNTERS, self.state, self.game.counters)

    def asked(self, question: Question) -> Text:
        """A question with the name of the seat it is for."""
        return question.text if question.seat is None else of_seat(self._name(question.seat), question.text)

    def answer(self, answer: Answer, at: float, same_deed: bool = False) -> Session:
        """The play after this answer; raises `Unknown` or `NotNow` if it is not offered."""
        return self._go_on(take(self.state, answer), Answered(answer), at, same_deed)

    def correct(self, counter: str, value: int, at: float, by: str = "") -> Session:
        """The play with one counter corrected; raises if there is no such counter or the value is impossible."""
        known = {c.id: c for c in self.counters()}
        if counter not in known:
            raise Unknown(say("core.unknown-counter", id=counter))
        bounds = known[counter]
        if value not in bounds.values:
            if bounds.names:
                known_names = tuple(name for _, name in bounds.names)
                raise NotNow(say("core.counter-names", counter=bounds.text, value=value, names=known_names))
            low, high = str(bounds.low), str(bounds.high)
            raise NotNow(say("core.counter-bounds", counter=bounds.text, value=value, low=low, high=high))
        corrected = self._corrected(counter, value)
        problems = self.game.check(corrected)
        if problems:
            raise NotNow(
                say(
                    "core.correction-impossible",
                    counter=bounds.text,
                    value=bounds.called(value),
                    problems=problems,
                )
            )
        return self._go_on(corrected, Corrected(counter, value, by), at, self._corrects_again(counter, by))

    def correct_fact(self, fact: str, value: Value, at: float, by: str = "") -> Session:
        """The play with a printed value corrected from here on; raises if that value cannot be printed there.

        What was done with the old value stays: people correct it on the table, and with counters here.
        """
        id, field = fact_of(fact)
        component = self.catalogue[id]
        wrong = next(iter(self.game.bad_facts({fact: value}, self.state.taught)), None)
        if wrong is not None:
            raise NotNow(wrong)
        state = self._fact_corrected(fact, value)
        problems = self.game.check(state)
        if problems:
            text = field_words(self.game.id, field)
            told = self.game.fact_text(component, field, value)
            raise NotNow(
                say(
                    "core.retold-impossible",
                    component=component.called,
                    field=text,
                    value=told,
                    problems=problems,
                )
            )
        return self._go_on(state, FactCorrected(fact, value, by), at)

    def lighten(self, flow: str, at: float) -> Session:
        """The play going on with turns and pools only; undo leads back."""
        state = lightened(self.game, self.state, self.setup.seats, flow)
        return self._go_on(state, Lightened(flow), at)

    def _corrects_again(self, counter: str, by: str) -> bool:
        """Whether the same person has just set the same counter: stepping it to its value is one deed."""
        last = self.moments[-1].entry
        before = None if last is None else last.deed
        return isinstance(before, Corrected) and (before.counter, before.by) == (counter, by)

    def undo(self, steps: int, at: float) -> Session:
        """The play with the last `steps` answers and corrections taken back."""
        if not 1 <= steps < len(self.moments):
            raise NotNow(count("core.nothing-to-undo", len(self.moments) - 1))
        kept, back = self.moments[:-steps], self.moments[-steps:]
        return self._entered(
            Undone(steps), at, **self._played_by(kept), moments=kept, ahead=(*back, *self.ahead)
        )

    def deeds(self) -> tuple[tuple[int, int], ...]:
        """The first and the last moment of every deed, in order."""
        begins = [n for n, moment in enumerate(self.moments) if n and not _same_deed(moment)]
        ends = (n - 1 for n in (*begins[1:], len(self.moments)))
        return tuple(zip(begins, ends, strict=False))

    @property
    def news(self) -> tuple[News, ...]:
        """All news of the last deed."""
        return tuple(item for moment in self.moments[-max(1, self.last_deed) :] for item in moment.state.news)

    @property
    def last_deed(self) -> int:
        """The number of answers and corrections in the last deed; 0 if nothing can be undone."""
        return _together(reversed(self.moments[1:]))

    @property
    def next_deed(self) -> int:
        """The number of answers and corrections in the deed that would be redone first."""
        following = (n for n, moment in enumerate(self.ahead) if n and not _same_deed(moment))
        return next(following, len(self.ahead))

    def redo(self, steps: int, at: float) -> Session:
        """The play with the next `steps` undone answers and corrections redone."""
        if not 1 <= steps <= len(self.ahead):
            raise NotNow(count("core.nothing-to-redo", len(self.ahead)))
        again, ahead = self.ahead[:steps], self.ahead[steps:]
        moments = (*self.moments, *again)
        return self._entered(Redone(steps), at, **self._played_by(moments), moments=moments, ahead=ahead)

    def pause(self, at: float) -> Session:
        """The play with the clocks stopped."""
        if self.paused:
            raise NotNow(say("core.paused-already"))
        return self._entered(Paused(), at, paused=True)

    def resume(self, at: float) -> Session:
        """The play with the clocks running."""
        if not self.paused:
            raise NotNow(say("core.not-paused"))
        return self._entered(Resumed(), at, paused=False)

    def set_away(self, seat: int, away: bool, at: float) -> Session:
        """The play with a player away, or back; at least one must stay."""
        if seat not in range(len(self.setup.seats)):
            raise Unknown(say("core.no-such-seat", seat=seat + 1))
        if (seat in self.away) == away:
            key = "core.away-already" if away else "core.not-away"
            raise NotNow(say(key, seat=self.setup.seats[seat]))
        left = self.away | {seat} if away else self.away - {seat}
        if len(left) == len(self.setup.seats):
            raise NotNow(say("core.somebody-must-stay"))
        return self._entered(SeatLeft(seat, away), at, away=left)

    def diverge(self, of: int, at: float) -> Session:
        """The play continued from here although `of` entries were journaled: those after this moment no
        longer count."""
        return replace(self, entries=of + 1, last=Entry(at, Diverged(self.entries, of)), parted=True)

    def sealed(self) -> Session:
        """The same, with the digest, the rules number and the result stored in the entry to be journaled."""
        assert self.last is not None
        sheet = self.game.sheet(self.state) if self.over else None
        summary = self.summary() if self.over else None
        last = replace(
            self.last, digest=digest(self.state), rules=self.game.box.rules, sheet=sheet, summary=summary
        )
        return replace(self, last=last)

    def summary(self) -> Summary:
        """What statistics need of this play besides its sheet."""
        deeds = [moment.entry.deed for moment in self.moments if moment.entry is not None]
        known = self.catalogue
        openings = dict[int, str]()
        for deed in deeds:
            if isinstance(deed, Answered) and deed.answer.seat is not None and deed.answer.option in known:
                openings.setdefault(deed.answer.seat, deed.answer.option)
        return Summary(
            played=self.played,
            thought=self.thought,
            rounds=self.view.round,
            corrections=sum(isinstance(deed, Corrected | FactCorrected) for deed in deeds),
            openings=tuple(openings.get(seat, "") for seat in range(len(self.setup.seats))),
            light=self.full is not None or self.setup.flow is not UNSET,
            parted=self.parted,
        )

    def thinking(self, at: float) -> tuple[float, ...]:
        """Seconds the table has waited for each seat until `at`, without pauses."""
        passed = at - self.at
        if self.paused or not 0.0 < passed <= LONGEST_THOUGHT:
            return self.thought
        waited = waited_for(self.state)
        return tuple(
            seconds + passed if seat in waited else seconds for seat, seconds in enumerate(self.thought)
        )

    def thinking_now(self, at: float) -> tuple[float, ...]:
        """Seconds the table has waited for each seat since the open questions were asked."""
        whole = self.thinking(at)
        return tuple(now - was for now, was in zip(whole, self.before or (0.0,) * len(whole), strict=True))

    def story(self) -> tuple[Text, ...]:
        """One sentence per answer and correction; secrets stay secret until revealed."""
        return tuple(self.sentence(n) for n in range(1, len(self.moments)))

    def sentence(self, n: int, question: Question | None = None) -> Text:
        """What led to the `n`-th moment; the raw entry where today's rules have no words for it. `question` is
        what was asked, if the caller has it: building it is expensive."""
        entry = self.moments[n].entry
        assert entry is not None
        try:
            return self._told(n, entry.deed, question)
        except (
            Exception
        ):  # an answer under other rules, or one that was never offered: a replay does not check that
            return _as_written(entry.deed)

    def _told(self, n: int, deed: Deed, question: Question | None) -> Text:
        before = self.moments[n - 1].state
        if isinstance(deed, Corrected):
            counter = next(c for c in self.game_at(n - 1).counters(before) if c.id == deed.counter)
            key = "ui.corrected-by" if deed.by else "ui.corrected"
            return say(key, counter=counter.text, value=counter.called(deed.value), by=deed.by)
        if isinstance(deed, FactCorrected):
            id, field = fact_of(deed.fact)
            component = self.game.catalogue(self.setup, before.taught)[id]
            key = "ui.retold-by" if deed.by else "ui.retold"
            text, told = field_words(self.game.id, field), self.game.fact_text(component, field, deed.value)
            return say(key, component=component.called, field=text, value=told, by=deed.by)
        if isinstance(deed, Lightened):
            return say("ui.lightened")
        assert isinstance(deed, Answered)
        question = question or self.question_before(n)
        assert question is not None
        if question.secret and self._still_secret(n):
            return say("ui.ready", seat=self._name(question.seat))
        chosen = question.words(deed.answer.option, self.game.means) or plain(deed.answer.option)
        return say("ui.answered", question=self.asked(question), option=chosen)

    def question_before(self, n: int) -> Question | None:
        """The question whose answer led to the `n`-th moment; None if it was not an answer."""
        entry = self.moments[n].entry
        if entry is None or not isinstance(entry.deed, Answered):
            return None
        return question_of(self.moments[n - 1].state, entry.deed.answer)

    def _still_secret(self, n: int) -> bool:
        """Whether the choice made at this moment has not been revealed yet: a reveal always produces news."""
        return not any(moment.state.news for moment in self.moments[n:])

    def _name(self, seat: int | None) -> str:
        return "" if seat is None else self.setup.seats[seat]

    def _corrected(self, counter: str, value: int) -> Any:
        return advance(replace(self.game.correct(self.state, counter, value), news=()))

    def _fact_corrected(self, fact: str, value: Value) -> Any:
        once = tuple(other for other in self.state.once if other != fact)
        taught = {**self.state.taught, fact: value}
        return advance(replace(self.state, taught=taught, once=once, news=()))

    def _go_on(self, state: Any, deed: Deed, at: float, same_deed: bool = False) -> Session:
        moments = (*self.moments, Moment(state, Entry(at, deed, same_deed=same_deed)))
        game = self._played_by(moments) if isinstance(deed, Lightened) else {}
        return self._entered(deed, at, same_deed, **game, moments=moments, ahead=())

    def _played_by(self, moments: tuple[Moment, ...]) -> dict[str, Any]:
        """The game whose rules apply after these moments: a play may become a light one, and be taken back."""
        full = self.full or self.game
        deeds = (moment.entry.deed for moment in reversed(moments) if moment.entry is not None)
        flow = next((deed.flow for deed in deeds if isinstance(deed, Lightened)), None)
        if flow is None:
            return {"game": full, "full": None}
        return {"game": flow_game(flow), "full": full}

    def _entered(self, deed: Deed, at: float, same_deed: bool = False, **changes: Any) -> Session:
        thought = self.thinking(at)
        passed = 0.0 if self.paused else at - self.at
        # A clock set back a little must not make time run backwards in the play; after a large change (a
        # machine that learns the date in mid-play) time starts again.
        now = at if abs(at - self.at) > LONGEST_THOUGHT else max(at, self.at)
        entered = replace(
            self,
            entries=self.entries + 1,
            last=Entry(at, deed, same_deed=same_deed),
            at=now,
            thought=thought,
            played=self.played + (passed if 0.0 < passed <= LONGEST_THOUGHT else 0.0),
            **changes,
        )
        same = entered.state is self.state or open_asks(entered.state) == open_asks(self.state)
        return entered if same else replace(entered, before=thought)

    def repeat(self, entry: Entry) -> Session:
        """Repeat a journaled entry that was accepted before, without checking whether it is allowed."""
        deed, at = entry.deed, entry.at
        match deed:
            case Answered(answer):
                return self._go_on(retake(self.state, answer), deed, at, entry.same_deed)
            case Corrected(counter, value):
                return self._go_on(self._corrected(counter, value), deed, at, entry.same_deed)
            case FactCorrected(fact, told):
                return self._go_on(self._fact_corrected(fact, told), deed, at, entry.same_deed)
            case Undone(steps):
                return self.undo(steps, at)
            case Redone(steps):
                return self.redo(steps, at)
            case Paused():
                return self.pause(at)
            case Resumed():
                return self.resume(at)
            case SeatLeft(seat, away):
                return self.set_away(seat, away, at)
            case Diverged(_, of):
                return self.diverge(of, at)
            case Lightened(flow):
                return self.lighten(flow, at)


def _same_deed(moment: Moment) -> bool:
    return moment.entry is not None and moment.entry.same_deed


def _together(backwards: Iterable[Moment]) -> int:
    """How many of these, from the last one backwards, belong to one deed."""
    n = 0
    for n, moment in enumerate(backwards, 1):
        if not _same_deed(moment):
            return n
    return n


def begin(game: Game, setup: Setup, at: float) -> Session:
    """A new play."""
    setup = game.complete(setup)
    return Session(game, setup, (Moment(game.start(setup)),), at=at, thought=(0.0,) * len(setup.seats))


def replay(game: Game, setup: Setup, at: float, entries: Iterable[Entry]) -> Session:
    """The play these journaled entries lead to."""
    session, last = begin(game, setup, at), None
    for entry in entries_that_count(entries):
        session = session.repeat(entry)
        last = entry
    return replace(session, last=last)


def _as_written(deed: Deed) -> Text:
    if isinstance(deed, Corrected):
        key = "ui.corrected-by" if deed.by else "ui.corrected"
        return say(key, counter=plain(deed.counter), value=plain(str(deed.value)), by=deed.by)
    if isinstance(deed, FactCorrected):
        key, (id, field) = "ui.retold-by" if deed.by else "ui.retold", fact_of(deed.fact)
        return say(key, component=id, field=plain(field), value=plain(str(deed.value)), by=deed.by)
    if isinstance(deed, Lightened):
        return say("ui.lightened")
    assert isinstance(deed, Answered)
    return say("ui.answered", question=plain(deed.answer.slug), option=plain(deed.answer.option))
