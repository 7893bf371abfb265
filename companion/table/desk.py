"""The desk behind the screens: the play that is on, the settings, and every deed people can do. No Kivy in here.

Threads. Whatever is proposed goes to the clerk's thread, which owns the journal and the door into the play. What came
of it is told twice, as frozen values: *at once*, in the clerk's thread, to those who cannot wait for a screen (lamps);
and then in the screen's thread, where everything else in here is read and changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.binder import Binder
from companion.core.components import Facts, Value
from companion.core.game import Game, Setup
from companion.core.hands import chores
from companion.core.journal import Journal, PlayRow
from companion.core.new_components import as_offered, naming
from companion.core.parting import Parting
from companion.core.play import Play
from companion.core.questions import Answer, Option, Question
from companion.core.session import Corrected, Paused, Redone, Resumed, Retold, Session, Undone, Went
from companion.core.words import News, Text, say
from companion.errors import Trouble
from companion.recognition.zones import Zone
from companion.results.unplayed import usable
from companion.table import backups, standing
from companion.table import settings as settings_file
from companion.table.background import Clerk
from companion.table.camera_feed import CameraFeed
from companion.table.marks import MARKS, Mark, marks_for
from companion.table.proposals import Confirmed, Door, Heed, Outcome, PlayNow, Seen, Signal, name_of, news_of
from companion.table.settings import Person, Settings
from companion.texts import render, usual_language

PAGE = 30
"""So many plays are shown at once."""


class NoPlay(Struct, frozen=True):
    """No play stands open any more."""


class Changed(Struct, frozen=True):
    """Something beside the play is another now: the settings, or which plays there are."""


class RulesParted(Struct, frozen=True):
    """Today's rules part from a play people wanted to go on with."""

    id: int
    parting: Parting


Event = Outcome | PlayNow | RulesParted | Changed | Trouble
"""What the screens are told."""

AtOnce = Outcome | PlayNow | NoPlay | Settings
"""What is told in whatever thread it happens."""


class Desk:
    """Deeds go to the clerk; when one is done, everybody who listens is told, and the screens show what is true."""

    def __init__(self, clerk: Clerk, settings_at: Path, clock: Callable[[], float]) -> None:
        self.clerk, self.clock = clerk, clock
        self._door = Door()  # the clerk's: no other thread looks at it
        self._settings_at = settings_at
        self._at_once: tuple[Callable[[AtOnce], None], ...] = ()
        self._listeners: tuple[Callable[[Event], None], ...] = ()
        self._kept = self._settings = settings_file.load(settings_at)
        self.play: PlayNow | None = None
        self.plays: tuple[PlayRow, ...] = ()
        """The newest plays, a page of them, the oldest first."""
        self.all_plays = 0
        """How many plays there are."""
        self.running: PlayRow | None = None
        """The play to go on with: of those not over the one people were at last, answered or not."""
        self.last_setup: Setup | None = None
        """What the table people were at last began with: the same people may want to play again."""
        self.news: tuple[News, ...] = ()
        self.ticked: frozenset[tuple[int, str]] = frozenset()
        """What hands have done of their list, as people say."""
        self.random: Random = SystemRandom()
        self.seen: Seen | None = None
        """What the screen shows: that is what whoever touches it means."""
        self._answering: set[tuple[int | None, str]] = set()
        self._offered: tuple[PlayNow | None, tuple[Question, ...]] = (None, ())

    # Who is told

    def listen(self, heard: Callable[[Event], None]) -> None:
        """Tell this one, in the screen's thread, everything that happens."""
        self._listeners = (*self._listeners, heard)

    def listen_at_once(self, heard: Callable[[AtOnce], None]) -> None:
        """Tell this one what is true from now on, in whatever thread that becomes so; and what is true now."""
        self._at_once = (*self._at_once, heard)
        heard(self._settings)
        heard(NoPlay() if self.play is None else self.play)

    def _tell(self, event: Event) -> None:
        for heard in self._listeners:
            heard(event)

    def _tell_at_once(self, event: AtOnce) -> None:
        for heard in self._at_once:
            heard(event)

    # What is true now

    @property
    def settings(self) -> Settings:
        """What this table likes."""
        return self._settings

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self._settings = settings
        self._tell_at_once(settings)

    @property
    def language(self) -> str:
        """The language people read here."""
        return self.settings.language or usual_language()

    def words(self, text: Text) -> str:
        """A sentence in that language."""
        return render(text, self.language)

    def say(self, key: str, **args: Any) -> str:
        """The sentence `key` in that language."""
        return self.words(say(key, **args))

    @property
    def session(self) -> Session:
        """The play that is on; there must be one."""
        assert self.play is not None
        return self.play.session

    def questions(self) -> tuple[Question, ...]:
        """All open questions: a rule may think about one for a while, so the clerk built them, once per change."""
        assert self.play is not None
        return self.play.questions

    def offered(self) -> tuple[Question, ...]:
        """All open questions as people are shown them: with one new tile instead of all nobody has told anything of."""
        assert self.play is not None
        if self._offered[0] is not self.play:
            shown = tuple(as_offered(self.session, question) for question in self.play.questions)
            self._offered = (self.play, shown)
        return self._offered[1]

    def marks(self, names: tuple[str, ...] | None = None) -> tuple[Mark, ...]:
        """The marks of the seats of this play, or of these people."""
        return marks_for(self.session.setup.seats if names is None else names, self.settings.people)

    def name_of(self, component: str) -> Text:
        """What is printed on a component."""
        return name_of(self.session, component)

    # Deeds around plays

    def look_up_plays(self) -> None:
        """Find out again which plays there are."""

        def found(looked_up: _LookedUp) -> None:
            self.plays, self.all_plays = looked_up.plays, looked_up.all_plays
            self.running, self.last_setup = looked_up.running, looked_up.last_setup
            self._tell(Changed())

        self.clerk.do(lambda journal, binder: _plays(journal), found, self._trouble)

    def look_up_facts(self, rules: Game, found: Callable[[Facts], Any]) -> None:
        """Find out what the owner taught about a box, names included."""
        self.clerk.do(lambda journal, binder: usable(rules, binder.facts(rules.id)), found, self._trouble)

    def keep_facts(self, rules: Game, facts: Facts, by: str) -> None:
        """Keep what was told about a box while a finished table was counted, so that nobody is asked again."""
        if facts:
            at = self.clock()
            self.clerk.do(
                lambda journal, binder: binder.learn(rules.id, facts, at, by), lambda _: None, self._trouble
            )

    def start(self, rules: Game, setup: Setup) -> None:
        """Begin a new play; everybody is told when it is there."""
        at = self.clock()
        self.begin(lambda journal, binder: Play.start(rules, setup, journal, binder, at))

    def resume(self, id: int, agreed: bool = False) -> None:
        """Go on with a play; everybody is told when it is there.

        Where today's rules part from it that is told instead, until people agreed to go on from there.
        """
        at = self.clock()

        def job(journal: Journal, binder: Binder) -> Play:
            play = Play.resume(id, journal, binder)
            if agreed or play.parting is None:
                play.wake(at)
            return play

        self.begin(job)

    def begin(self, job: Callable[[Journal, Binder], Play]) -> None:
        """Go on with the play this job of the clerk's gives."""

        def enter(journal: Journal, binder: Binder) -> PlayNow | RulesParted:
            play = job(journal, binder)
            if play.parting is not None:
                return RulesParted(play.id, play.parting)
            begun = self._door.enter(play)
            standing.opened(self._settings_at.parent, play.id)
            self._tell_at_once(begun)
            _look_at(begun.session)
            return begun

        self.clerk.do(enter, self._begun, self._trouble)

    def _begun(self, begun: PlayNow | RulesParted) -> None:
        if isinstance(begun, PlayNow):
            self.play, self.news, self.ticked = begun, begun.session.state.news, frozenset()
            self._answering.clear()
        self._tell(begun)

    def leave(self) -> None:
        """Put the play aside; it is in the journal."""
        self.play, self.news = None, ()
        self._answering.clear()

        def job(journal: Journal, binder: Binder) -> None:
            self._door.leave()
            standing.closed(self._settings_at.parent)
            self._tell_at_once(NoPlay())

        self.clerk.do(job, lambda _: None, self._trouble)
        self.look_up_plays()

    def survived(self) -> None:
        """A play that was come back to after a fall has not led to another one."""
        folder = self._settings_at.parent
        self.clerk.do(lambda journal, binder: standing.survived(folder), lambda _: None, self._trouble)

    # Signals

    def restore(
        self, backup: Path, then: Callable[[backups.Restored], Any], fails: Callable[[Trouble], Any]
    ) -> None:
        """Go on with the journal and the settings of a backup; `then` is told where ours are kept."""
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
        signal: Signal,
        echo: Text | None = None,
        seen: Seen | None = None,
        taken: Callable[[], object] = lambda: None,
    ) -> None:
        """Somebody touches, shows, presses or turns something. What it means is decided when its turn comes, so any
        thread may call this; `echo` is told if it is accepted, `taken` called by the clerk once it is written. What its
        maker had `seen` is what the screen shows, unless somebody knows better: nothing else is answered, set right or
        taken back.

        A question is not answered again by hand while a slow disk is still at the first answer, unless it is asked
        several times in a row: then each touch is a pick, and they are written one after another.
        """
        at, asked = self.clock(), frozenset[tuple[int | None, str]]()
        if isinstance(signal, Answer | Confirmed | Corrected | Undone | Redone):
            seen = seen or self.seen
        if isinstance(signal, Answer | Confirmed) and not _is_pick(signal, seen):
            answers = (signal,) if isinstance(signal, Answer) else signal.answers
            asked = frozenset((answer.seat, answer.slug) for answer in answers)
            if asked <= self._answering:
                return
            self._answering |= asked

        def outcomes() -> Iterable[Outcome]:
            written = False
            for outcome in self._door.propose(signal, at, seen):
                accepted = outcome.how == "accepted"
                written |= accepted
                yield replace(outcome, text=echo) if accepted and echo is not None else outcome
            if written:
                taken()

        self._let_in(outcomes, lambda: self._answering.difference_update(asked))

    @contextmanager
    def having_seen(self, seen: Seen | None) -> Iterator[None]:
        """Whatever is proposed in here was meant for this, though the screen may show something else by now."""
        shown, self.seen = self.seen, seen
        try:
            yield
        finally:
            if self.seen is seen:  # and nothing new is shown
                self.seen = shown

    def look(self, camera: CameraFeed) -> None:
        """Labels came before the camera: let them in. The camera's thread calls this."""
        at = self.clock()

        def outcomes() -> Iterable[Outcome]:
            play = self._door.play
            if play is None:
                camera.news()  # what is shown without a play is past
                return
            seats = seats_in(play.session.setup.seats, self._settings.zones)
            for news in camera.camera_news(play.session.game, seats):
                yield from self._door.see(news, at)

        self._let_in(outcomes)

    def heed(self, heed: Heed) -> None:
        """Cards before the camera mean something from now on, or wait, or nobody asks."""
        at = self.clock()
        self._let_in(lambda: self._door.heed(heed, at))

    def _let_in(
        self, outcomes: Callable[[], Iterable[Outcome]], after: Callable[[], None] = lambda: None
    ) -> None:
        """Let the clerk do this, and tell of each outcome as soon as it is there."""

        def job(journal: Journal, binder: Binder) -> None:
            try:
                for outcome in outcomes():
                    self._tell_at_once(outcome)
                    _look_at(outcome.session)
                    self.clerk.post(partial(self._came, outcome))
            finally:
                self.clerk.post(after)

        self.clerk.do(job, lambda _: None, self._trouble)

    def _came(self, outcome: Outcome) -> None:
        if self.play is None:
            return  # people have left meanwhile
        if outcome.changed:
            self.play = replace(self.play, session=outcome.session, questions=outcome.questions)
            self.news = news_of(outcome.session)
        self._tell(outcome)

    def _trouble(self, trouble: Trouble) -> None:
        self._tell(trouble)

    def tick_off(self, chore: tuple[int, str]) -> None:
        """Hands have done this."""
        self.ticked |= {chore}

    # Deeds in a play

    def throw(self, question: Question, told: tuple[str, ...] = ()) -> None:
        """Let chance decide about the dice that were not told."""
        assert question.dice is not None
        self.propose(Answer(question.seat, question.slug, question.dice.thrown(self.random, told)))

    def correct(self, counter: str, value: int, by: str = "") -> None:
        """Set a counter right."""
        self.propose(Corrected(counter, value, by))

    def retell(self, fact: str, value: Value, by: str = "") -> None:
        """Set right what is printed on a component."""
        self.propose(Retold(fact, value, by))

    def name_new(self, component: str, name: str) -> None:
        """Give a new tile its name; it has it from now on, in every play."""
        self.propose(naming(component, name, self.language))

    def undo(self, steps: int = 0, seen: Seen | None = None) -> None:
        """Take back so many answers and corrections, or else the last thing somebody did."""
        self.propose(Undone(steps or self.session.last_deed), seen=seen)

    def redo(self, steps: int = 0) -> None:
        """Do again so many of those that were taken back, or else the first thing."""
        self.propose(Redone(steps or self.session.next_deed))

    def pause(self) -> None:
        """Let the clocks stand still."""
        self.propose(Paused())

    def go_on(self) -> None:
        """Let the clocks go on."""
        self.propose(Resumed())

    def went(self, seat: int, away: bool) -> None:
        """A player leaves the table, or is back."""
        self.propose(Went(seat, away))

    # Settings

    def for_now(self, **changes: Any) -> None:
        """Change settings for this time only."""
        self.settings = replace(self.settings, **changes)

    def change(self, **changes: Any) -> None:
        """Change settings and keep them."""
        self.for_now(**changes)
        kept = self._kept = replace(self._kept, **changes)
        at = self._settings_at
        self.clerk.do(lambda journal, binder: settings_file.save(at, kept), lambda _: None, self._trouble)
        self._tell(Changed())

    def remember(self, people: tuple[Person, ...]) -> None:
        """Keep who played, the latest first."""
        names = {person.name for person in people}
        others = tuple(person for person in self.settings.people if person.name not in names)
        self.change(people=(*people, *others)[: settings_file.MOST_PEOPLE])


def _is_pick(signal: Answer | Confirmed, seen: Seen | None) -> bool:
    """Whether this answers a question that was seen to be asked several times in a row."""
    question = seen.question(signal) if isinstance(signal, Answer) and seen is not None else None
    return question is not None and question.tally is not None


class _LookedUp(Struct, frozen=True):
    plays: tuple[PlayRow, ...]
    all_plays: int
    running: PlayRow | None
    last_setup: Setup | None


def _plays(journal: Journal) -> _LookedUp:
    """The newest plays and how many there are, the one to go on with, and what the one people were at last began with
    if that can be read. However many there are, this takes no longer."""
    rows, all_plays, running = journal.plays(PAGE), sum(journal.played().values()), journal.running()
    last, setup = journal.latest(), None
    if last is not None:
        with suppress(Trouble, msgspec.DecodeError):
            setup = msgspec.json.decode(journal.setup(last.id), type=Setup)
    return _LookedUp(rows, all_plays, running, setup)


def seats_in(names: tuple[str, ...], zones: dict[str, Zone]) -> tuple[tuple[Zone, int], ...]:
    """The parts of the picture that belong to these people, by seat."""
    folded = (name.casefold() for name in names)
    return tuple((zones[name], seat) for seat, name in enumerate(folded) if name in zones)


def look_of(mark: Mark) -> int:
    """Which of the marks this is."""
    return next(n for n, known in enumerate(MARKS) if known.shape == mark.shape)


def option_words(desk: Desk, option: Option) -> tuple[str, str]:
    """An option's words and its detail."""
    return desk.words(option.text), "" if option.detail is None else desk.words(option.detail)


def _look_at(session: Session) -> None:
    """Have ready what every screen asks of a table, so that no frame waits for it."""
    with suppress(Exception):  # a bug: whoever shows it says so
        _ = session.view, chores(session)
