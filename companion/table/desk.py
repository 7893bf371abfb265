"""The desk behind the screens: the open play, the settings, and every deed people can do. No Kivy in here.

Threads. Every proposal goes to the clerk's thread, which owns the journal and the signal intake. The outcome
is reported twice, as frozen values: *at once*, in the clerk's thread, to listeners that cannot wait for a
screen (lamps); then in the screen's thread, where everything else in here is read and changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.binder import Binder
from companion.core.components import Facts, Value
from companion.core.entries import (
    Corrected,
    FactCorrected,
    Lightened,
    Paused,
    Redone,
    Resumed,
    SeatLeft,
    Undone,
)
from companion.core.flow.game import game_of
from companion.core.game import Game, Setup, full_game
from companion.core.journal import Journal, PlayRow
from companion.core.new_components import as_offered, naming
from companion.core.play import Play
from companion.core.questions import Answer, Option, Question
from companion.core.replay_divergence import Divergence
from companion.core.session import Session
from companion.core.tasks import hand_tasks
from companion.core.words import News, Text, say
from companion.errors import Trouble
from companion.recognition.zones import Zone
from companion.results.score_only import usable
from companion.table import backups, open_play
from companion.table import settings as settings_file
from companion.table.background import Clerk
from companion.table.camera_feed import CameraFeed
from companion.table.counting import Entered, TableCounted
from companion.table.marks import MARKS, Mark, marks_for, marks_of
from companion.table.settings import Person, Settings
from companion.table.signal_intake import SignalIntake, name_of, news_of
from companion.table.signals import Confirmed, Outcome, PlayNow, Proposal, ScanMode, SeenState
from companion.texts import render, usual_language

PAGE = 30
"""How many plays one page of the list shows."""


class NoPlay(Struct, frozen=True):
    """No play is open any more."""


class Changed(Struct, frozen=True):
    """Something besides the play has changed: the settings, or the list of plays."""


class RulesDiverged(Struct, frozen=True):
    """Today's rules diverge from a play people wanted to continue."""

    id: int
    divergence: Divergence


DeskEvent = Outcome | PlayNow | RulesDiverged | Changed | Trouble
"""Events for the screens."""


class TasksTicked(Struct, frozen=True):
    """The hand tasks that people have ticked off by now."""

    keys: frozenset[tuple[int, str]]


AtOnce = Outcome | PlayNow | NoPlay | Settings | TasksTicked | TableCounted
"""Events reported in the thread in which they happen."""


_ACTED_ON: ContextVar[tuple[SeenState | None] | None] = ContextVar("acted_on", default=None)
"""What the screen showed to the person who acts now, if it is known to differ from what it shows now."""


class Desk:
    """Deeds go to the clerk; when one is done, all listeners are told, and the screens show the new state."""

    def __init__(self, clerk: Clerk, settings_at: Path, clock: Callable[[], float]) -> None:
        self.clerk, self.clock = clerk, clock
        self._intake = SignalIntake()  # the clerk's: no other thread touches it
        self._settings_at = settings_at
        self._at_once: tuple[Callable[[AtOnce], None], ...] = ()
        self._listeners: tuple[Callable[[DeskEvent], None], ...] = ()
        self._kept = self._settings = settings_file.load(settings_at)
        self.play: PlayNow | None = None
        self.plays: tuple[PlayRow, ...] = ()
        """The newest plays, one page, the oldest first."""
        self.all_plays = 0
        """The number of all plays."""
        self.running: PlayRow | None = None
        """The play to continue: the most recently used one that is not over."""
        self.game_names: dict[str, str] = {}
        """The names of games that only a flow describes, by id."""
        self.last_setup: Setup | None = None
        """The set-up of the most recently used play: the same people may want to play again."""
        self.news: tuple[News, ...] = ()
        self.ticked: frozenset[tuple[int, str]] = frozenset()
        """The hand tasks that people ticked off."""
        self.random: Random = SystemRandom()
        self.seen: SeenState | None = None
        """What the screen shows: a touch is understood as meant for that."""
        self.entered: Callable[[Entered], None] = lambda entry: None
        """Takes what people enter elsewhere while the screen counts a finished table."""
        self._answering: set[tuple[int | None, str]] = set()
        self._offered: tuple[PlayNow | None, tuple[Question, ...]] = (None, ())

    # Listeners

    def listen(self, heard: Callable[[DeskEvent], None]) -> None:
        """Report every event to this listener, in the screen's thread."""
        self._listeners = (*self._listeners, heard)

    def listen_at_once(self, heard: Callable[[AtOnce], None]) -> None:
        """Report events to this listener in the thread in which they happen; it gets the current state first."""
        self._at_once = (*self._at_once, heard)
        heard(self._settings)
        heard(NoPlay() if self.play is None else self.play)

    def tell_play(self, heard: Callable[[AtOnce], None]) -> None:
        """Tell this listener, in the clerk's thread, which play is open there now; without its questions."""

        def job(journal: Journal, binder: Binder) -> None:
            play = self._intake.play
            heard(NoPlay() if play is None else PlayNow(play.id, play.session, ()))

        self.clerk.do(job, lambda _: None, self._trouble)

    def read_journal(self, job: Callable[[Journal], None]) -> None:
        """Let the clerk run a job that only reads."""
        self.clerk.do(lambda journal, binder: job(journal), lambda _: None, self._trouble)

    def _tell(self, event: DeskEvent) -> None:
        for heard in self._listeners:
            heard(event)

    def _tell_at_once(self, event: AtOnce) -> None:
        for heard in self._at_once:
            heard(event)

    # Current state

    @property
    def settings(self) -> Settings:
        """The settings of this table."""
        return self._settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self._settings = settings
        self._tell_at_once(settings)

    @property
    def language(self) -> str:
        """The current language."""
        return self.settings.language or usual_language()

    def words(self, text: Text) -> str:
        """A sentence in the current language."""
        return render(text, self.language)

    def say(self, key: str, **args: Any) -> str:
        """The sentence `key` in the current language."""
        return self.words(say(key, **args))

    @property
    def session(self) -> Session:
        """The session of the open play; there must be one."""
        assert self.play is not None
        return self.play.session

    @property
    def answering(self) -> bool:
        """Whether an answer is still being written: a busy machine may take seconds."""
        return bool(self._answering)

    def questions(self) -> tuple[Question, ...]:
        """All open questions; the clerk builds them once per change, as a rule may take a while to compute one."""
        assert self.play is not None
        return self.play.questions

    def offered(self) -> tuple[Question, ...]:
        """All open questions as shown to people: with one new tile instead of all unknown components."""
        assert self.play is not None
        if self._offered[0] is not self.play:
            shown = tuple(as_offered(self.session, question) for question in self.play.questions)
            self._offered = (self.play, shown)
        return self._offered[1]

    def marks(self, names: tuple[str, ...] | None = None) -> tuple[Mark, ...]:
        """The marks of the seats of this play, or of these people."""
        here = self.play is not None and names in (None, self.session.setup.seats)
        if names is None or here:
            return marks_of(self.session, self.settings.people)
        return marks_for(names, self.settings.people)

    def name_of(self, component: str) -> Text:
        """The name of a component."""
        return name_of(self.session, component)

    # Starting and leaving plays

    def look_up_plays(self) -> None:
        """Update the list of plays."""

        def found(looked_up: _LookedUp) -> None:
            self.plays, self.all_plays = looked_up.plays, looked_up.all_plays
            self.running, self.last_setup = looked_up.running, looked_up.last_setup
            self.game_names |= looked_up.names
            self._tell(Changed())

        self.clerk.do(lambda journal, binder: _plays(journal), found, self._trouble)

    def look_up_facts(self, rules: Game, found: Callable[[Facts], Any]) -> None:
        """Look up the facts the owner taught about a box, names included."""
        self.clerk.do(lambda journal, binder: usable(rules, binder.facts(rules.id)), found, self._trouble)

    def keep_facts(self, rules: Game, facts: Facts, by: str) -> None:
        """Store facts that people gave while counting a finished table, so that nobody is asked again."""
        if facts:
            at = self.clock()
            self.clerk.do(
                lambda journal, binder: binder.learn(rules.id, facts, at, by), lambda _: None, self._trouble
            )

    def start(self, rules: Game, setup: Setup) -> None:
        """Start a new play; listeners are told when it is ready."""
        at = self.clock()
        self.begin(lambda journal, binder: Play.start(rules, setup, journal, binder, at))

    def resume(self, id: int, agreed: bool = False) -> None:
        """Resume a play; listeners are told when it is ready.

        If today's rules diverge from it, they are told that instead, unless people `agreed` to continue from
        there.
        """
        at = self.clock()

        def job(journal: Journal, binder: Binder) -> Play:
            play = Play.resume(id, journal, binder)
            if agreed or play.divergence is None:
                play.reopen(at)
            return play

        self.begin(job)

    def begin(self, job: Callable[[Journal, Binder], Play]) -> None:
        """Open the play that this job of the clerk's returns."""

        def enter(journal: Journal, binder: Binder) -> PlayNow | RulesDiverged:
            play = job(journal, binder)
            if play.divergence is not None:
                return RulesDiverged(play.id, play.divergence)
            begun = self._intake.enter(play)
            open_play.opened(self._settings_at.parent, play.id)
            self._tell_at_once(begun)
            _precompute(begun.session)
            return begun

        self.clerk.do(enter, self._begun, self._trouble)

    def _begun(self, begun: PlayNow | RulesDiverged) -> None:
        if isinstance(begun, PlayNow):
            self.play, self.news, self.ticked = begun, begun.session.state.news, frozenset()
            self._answering.clear()
        self._tell(begun)

    def leave(self) -> None:
        """Put the play aside; it is in the journal."""
        self.play, self.news = None, ()
        self._answering.clear()

        def job(journal: Journal, binder: Binder) -> None:
            self._intake.leave()
            open_play.closed(self._settings_at.parent)
            self._tell_at_once(NoPlay())

        self.clerk.do(job, lambda _: None, self._trouble)
        self.look_up_plays()

    def forget_crash(self) -> None:
        """A play resumed after a crash has not crashed again."""
        folder = self._settings_at.parent
        self.clerk.do(lambda journal, binder: open_play.forget_crash(folder), lambda _: None, self._trouble)

    # Signals

    def restore(
        self, backup: Path, then: Callable[[backups.Restored], Any], fails: Callable[[Trouble], Any]
    ) -> None:
        """Replace the journal and the settings by those of a backup; `then` gets the place where ours are kept."""
        self.leave()
        ours = self._settings_at.with_name(backups.JOURNAL)

        def job(journal: Journal, binder: Binder) -> backups.Restored:
            journal.let_go()
            return backups.restore(backup, ours)

        def restored(done: backups.Restored) -> None:
            self.settings = self._kept = settings_file.load(self._settings_at)
            self.look_up_plays()
            then(done)

        self.clerk.do(job, restored, fails)

    def propose(
        self,
        signal: Proposal,
        echo: Text | None = None,
        seen: SeenState | None = None,
        taken: Callable[[], object] = lambda: None,
        at: float | None = None,
    ) -> bool:
        """Somebody taps, shows, presses or turns something. Its meaning is decided when its turn comes, so
        any thread may call this; `echo` is shown if it is accepted, `taken` is called by the clerk once it is
        written. `seen` is what the person saw, by default what the screen shows: nothing else is answered,
        corrected or undone.

        While a slow disk is still writing an answer, a second answer to the same question is ignored, unless
        the question is asked several times in a row: then each tap is a pick, and they are written one after
        another. Returns whether it was not ignored.
        """
        at = self.clock() if at is None else at
        asked = frozenset[tuple[int | None, str]]()
        if isinstance(signal, Answer | Confirmed | Corrected | Undone | Redone | Lightened):
            acted_on = _ACTED_ON.get()
            seen = seen or (self.seen if acted_on is None else acted_on[0])
        if isinstance(signal, Answer | Confirmed) and not _is_pick(signal, seen):
            answers = (signal,) if isinstance(signal, Answer) else signal.answers
            asked = frozenset((answer.seat, answer.slug) for answer in answers)
            if asked <= self._answering:
                return False
            self._answering |= asked

        def outcomes() -> Iterable[Outcome]:
            written = False
            for outcome in self._intake.propose(signal, at, seen):
                accepted = outcome.how == "accepted"
                written |= accepted
                yield replace(outcome, text=echo) if accepted and echo is not None else outcome
            if written:
                taken()

        self._propose_in_background(outcomes, lambda: self._answering.difference_update(asked))
        return True

    @contextmanager
    def acting_on(self, seen: SeenState | None) -> Iterator[None]:
        """Proposals in here were meant for this state, though the screen may show another by now."""
        before = _ACTED_ON.set((seen,))
        try:
            yield
        finally:
            _ACTED_ON.reset(before)

    def take_camera_news(self, camera: CameraFeed) -> None:
        """Labels appeared in view of the camera: process them. The camera's thread calls this."""
        at = self.clock()

        def outcomes() -> Iterable[Outcome]:
            play = self._intake.play
            if play is None:
                camera.news()  # cards shown without a play are dropped
                return
            seats = seats_in(play.session.setup.seats, self._settings.zones)
            for news in camera.camera_news(play.session.game, seats):
                yield from self._intake.see(news, at)

        self._propose_in_background(outcomes)

    def set_scan_mode(self, mode: ScanMode) -> None:
        """From now on cards in view of the camera are understood, wait, or are ignored."""
        at = self.clock()
        self._propose_in_background(lambda: self._intake.set_scan_mode(mode, at))

    def _propose_in_background(
        self, outcomes: Callable[[], Iterable[Outcome]], after: Callable[[], None] = lambda: None
    ) -> None:
        """Let the clerk do this, and report each outcome as soon as it is there."""

        def job(journal: Journal, binder: Binder) -> None:
            try:
                for outcome in outcomes():
                    self._tell_at_once(outcome)
                    _precompute(outcome.session)
                    self.clerk.post(partial(self._after_outcome, outcome))
            finally:
                self.clerk.post(after)

        self.clerk.do(job, lambda _: None, self._trouble)

    def _after_outcome(self, outcome: Outcome) -> None:
        if self.play is None:
            return  # people have left meanwhile
        if outcome.changed:
            self.play = replace(self.play, session=outcome.session, questions=outcome.questions)
            self.news = news_of(outcome.session)
        self._tell(outcome)

    def _trouble(self, trouble: Trouble) -> None:
        self._tell(trouble)

    def tick_off(self, chore: tuple[int, str]) -> None:
        """This task has been done on the table."""
        self.ticked |= {chore}
        self._tell_at_once(TasksTicked(self.ticked))

    def tick_off_elsewhere(self, chore: tuple[int, str]) -> None:
        """The same, by somebody who is not at this screen."""
        self.tick_off(chore)
        self._tell(Changed())

    def show_count(self, counted: TableCounted) -> None:
        """A finished table is being counted at the screen, or is not any more."""
        self._tell_at_once(counted)

    # Deeds in a play

    def throw(self, question: Question, told: tuple[str, ...] = ()) -> None:
        """Roll the dice that were not given by people."""
        assert question.dice is not None
        self.propose(Answer(question.seat, question.slug, question.dice.thrown(self.random, told)))

    def correct(self, counter: str, value: int, by: str = "") -> None:
        """Correct a counter."""
        self.propose(Corrected(counter, value, by))

    def correct_fact(self, fact: str, value: Value, by: str = "") -> None:
        """Correct a printed value of a component."""
        self.propose(FactCorrected(fact, value, by))

    def name_new(self, component: str, name: str) -> None:
        """Name a new tile, in this play and all later ones."""
        self.propose(naming(component, name, self.language))

    def undo(self, steps: int = 0, seen: SeenState | None = None) -> None:
        """Take back this many answers and corrections, by default the last deed."""
        self.propose(Undone(steps or self.session.last_deed), seen=seen)

    def redo(self, steps: int = 0) -> None:
        """Redo this many undone answers and corrections, by default the next deed."""
        self.propose(Redone(steps or self.session.next_deed))

    def pause(self) -> None:
        """Stop the clocks."""
        self.propose(Paused())

    def unpause(self) -> None:
        """Restart the clocks."""
        self.propose(Resumed())

    def slept(self, seconds: float) -> None:
        """The machine was asleep for so long until now: that time counts for nobody's clock."""
        if self.play is not None and not self.session.paused and not self.session.over:
            self.propose(Paused(), at=self.clock() - seconds)
            self.propose(Resumed())

    def set_away(self, seat: int, away: bool) -> None:
        """A player leaves the table, or is back."""
        self.propose(SeatLeft(seat, away))

    def lighten(self, flow: str) -> None:
        """Go on with turns and pools only, by this flow."""
        self.propose(Lightened(flow))

    # Settings

    def for_now(self, **changes: Any) -> None:
        """Change settings for this run only."""
        self.settings = replace(self.settings, **changes)

    def change(self, **changes: Any) -> None:
        """Change settings and save them."""
        self.for_now(**changes)
        kept = self._kept = replace(self._kept, **changes)
        at = self._settings_at
        self.clerk.do(lambda journal, binder: settings_file.save(at, kept), lambda _: None, self._trouble)
        self._tell(Changed())

    def remember(self, people: tuple[Person, ...]) -> None:
        """Save who played, the latest first."""
        names = {person.name for person in people}
        others = tuple(person for person in self.settings.people if person.name not in names)
        self.change(people=(*people, *others)[: settings_file.MOST_PEOPLE])


def _is_pick(signal: Answer | Confirmed, seen: SeenState | None) -> bool:
    """Whether this answers a question that, as seen, is asked several times in a row."""
    question = seen.question(signal) if isinstance(signal, Answer) and seen is not None else None
    return question is not None and question.tally is not None


class _LookedUp(Struct, frozen=True):
    plays: tuple[PlayRow, ...]
    all_plays: int
    running: PlayRow | None
    last_setup: Setup | None
    names: dict[str, str]


def _plays(journal: Journal) -> _LookedUp:
    """The newest plays and the number of all, the one to resume, and the set-up of the most recently used one
    if readable. It takes no longer for many plays."""
    rows, all_plays, running = journal.plays(PAGE), sum(journal.played().values()), journal.running()
    last, setup = journal.latest(), None
    if last is not None:
        with suppress(Trouble, msgspec.DecodeError):
            setup = msgspec.json.decode(journal.setup(last.id), type=Setup)
    names = flow_names(journal, rows if running is None else (*rows, running))
    return _LookedUp(rows, all_plays, running, setup, names)


def flow_names(journal: Journal, rows: Iterable[PlayRow]) -> dict[str, str]:
    """The names of the games among these plays that only a flow describes, by id."""
    found: dict[str, str] = {}
    for row in rows:
        if full_game(row.game) is None and row.game not in found:
            with suppress(Trouble, msgspec.DecodeError):
                setup = msgspec.json.decode(journal.setup(row.id), type=Setup)
                found[row.game] = game_of(setup).box.name
    return found


def seats_in(names: tuple[str, ...], zones: dict[str, Zone]) -> tuple[tuple[Zone, int], ...]:
    """The parts of the picture that belong to these people, by seat."""
    folded = (name.casefold() for name in names)
    return tuple((zones[name], seat) for seat, name in enumerate(folded) if name in zones)


def mark_index(mark: Mark) -> int:
    """The index of this mark in `MARKS`."""
    return next(n for n, known in enumerate(MARKS) if known.shape == mark.shape)


def option_words(desk: Desk, option: Option) -> tuple[str, str]:
    """An option's words and its detail."""
    return desk.words(option.text), "" if option.detail is None else desk.words(option.detail)


def _precompute(session: Session) -> None:
    """Compute what every screen needs of a table, so that no frame waits for it."""
    with suppress(Exception):  # a bug: reported where it is shown
        _ = session.view, hand_tasks(session)
