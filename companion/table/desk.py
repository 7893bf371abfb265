"""The desk behind the screens: the play that is on, the settings, and every deed people can do. No Kivy in here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from msgspec.structs import replace

from companion.core.agenda import waited_for
from companion.core.binder import Binder
from companion.core.game import Game, Setup
from companion.core.journal import Journal, PlayRow
from companion.core.parting import Parting
from companion.core.play import Play
from companion.core.questions import Answer, Option, Question
from companion.core.scans import Scans
from companion.core.session import Answered, Corrected, Redone, Session
from companion.core.understand import (
    Accept,
    Choose,
    Known,
    Meaning,
    Press,
    Refuse,
    Sighted,
    Signal,
    understand,
)
from companion.core.words import News, Text, plain, say
from companion.errors import Trouble
from companion.table import settings as settings_file
from companion.table.clerk import Clerk
from companion.table.marks import MARKS, Mark, marks_for
from companion.table.settings import Person, Settings
from companion.texts import render, usual_language

Tell = Callable[[Text, str], None]
"""Tells people a sentence; the second word says how it went: accepted, known, refused, turn, end-near, over, info."""


class Desk:
    """Deeds go to the clerk; when one is done, `changed` is called and the screens show what is true now."""

    def __init__(self, clerk: Clerk, settings_at: Path, clock: Callable[[], float]) -> None:
        self.clerk, self.clock = clerk, clock
        self._settings_at = settings_at
        self.settings: Settings = settings_file.load(settings_at)
        self._kept = self.settings
        self.play: Play | None = None
        self.plays: tuple[PlayRow, ...] = ()
        self.news: tuple[News, ...] = ()
        self.sights, self.cards = Scans(), tuple[Sighted, ...]()
        self.random: Random = SystemRandom()
        self._pending = 0
        self._answering: set[tuple[int | None, str]] = set()
        self._by_press: dict[int, int] = {}
        self._before: Session | None = None
        self._asked: tuple[Session, tuple[Question, ...]] | None = None
        self._troubled: Text | None = None
        self.relieved: Callable[[Text], None] = lambda text: None
        """Told when a deed succeeds after one that failed: what was wrong is wrong no more."""
        self.changed: Callable[[], None] = lambda: None
        self.tell: Tell = lambda text, how: None
        self.offer: Callable[[Choose], None] = lambda choice: None
        self.began: Callable[[], None] = lambda: None
        self.parted: Callable[[int, Parting], None] = lambda id, parting: None
        self.heard: Callable[[str], None] = lambda kind: None
        self.refused: Callable[[int | None], None] = lambda seat: None

    # What is true now

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
        """All open questions; a rule may think about one for a while, so they are asked for once per change."""
        session = self.session
        if self._asked is None or self._asked[0] is not session:
            self._asked = (session, session.questions())
        return self._asked[1]

    @property
    def running(self) -> PlayRow | None:
        """The play to go on with: the newest that is not over."""
        unfinished = [row for row in self.plays if row.finished is None and row.entries]
        return unfinished[-1] if unfinished else None

    def marks(self, names: tuple[str, ...] | None = None) -> tuple[Mark, ...]:
        """The marks of the seats of this play, or of these people."""
        return marks_for(self.session.setup.seats if names is None else names, self.settings.people)

    # Deeds around plays

    def look_up_plays(self) -> None:
        """Find out again which plays there are."""

        def found(rows: tuple[PlayRow, ...]) -> None:
            self.plays = rows
            self.changed()

        self.clerk.do(lambda journal, binder: journal.plays(), found, self._trouble)

    def start(self, rules: Game, setup: Setup) -> None:
        """Begin a new play; `began` is called when it is there."""
        at = self.clock()
        self.clerk.do(
            lambda journal, binder: Play.start(rules, setup, journal, binder, at), self._begun, self._trouble
        )

    def resume(self, id: int, agreed: bool = False) -> None:
        """Go on with a play; `began` is called when it is there.

        Where today's rules part from it `parted` is called instead, until people agreed to go on from there.
        """
        at = self.clock()

        def job(journal: Journal, binder: Binder) -> Play:
            play = Play.resume(id, journal, binder)
            if agreed or play.parting is None:
                play.wake(at)
            return play

        self.clerk.do(job, self._begun, self._trouble)

    def _begun(self, play: Play) -> None:
        if play.parting is not None:
            self.parted(play.id, play.parting)
            return
        self.play, self.news = play, play.session.state.news
        self.sights, self.cards = Scans(), ()
        self._answering.clear()
        self._before = play.session
        self.clerk.after()
        self.began()

    def leave(self) -> None:
        """Put the play aside; it is in the journal."""
        self.play, self.news = None, ()
        self.look_up_plays()

    # Deeds in a play

    def answer(self, answer: Answer) -> None:
        """Answer a question; not again while a slow disk is still at the first answer."""
        asked = (answer.seat, answer.slug)
        if asked in self._answering:
            return
        self._answering.add(asked)
        self._deed(lambda play, at: play.answer(answer, at), lambda: self._answering.discard(asked))

    def throw(self, question: Question, told: tuple[str, ...] = ()) -> None:
        """Let chance decide about the dice that were not told."""
        assert question.dice is not None
        self.answer(Answer(question.seat, question.slug, question.dice.thrown(self.random, told)))

    def correct(self, counter: str, value: int, by: str = "") -> None:
        """Set a counter right."""
        self._deed(lambda play, at: play.correct(counter, value, at, by))

    def undo(self, steps: int = 1) -> None:
        """Take back the last answers and corrections."""
        self._deed(lambda play, at: play.undo(steps, at))

    def redo(self, steps: int = 1) -> None:
        """Do again what was taken back."""
        self._deed(lambda play, at: play.redo(steps, at))

    def pause(self) -> None:
        """Let the clocks stand still."""
        self._deed(lambda play, at: play.pause(at))

    def go_on(self) -> None:
        """Let the clocks go on."""
        self._deed(lambda play, at: play.go_on(at))

    def _deed(self, deed: Callable[[Play, float], None], after: Callable[[], None] = lambda: None) -> None:
        play, at = self.play, self.clock()
        if play is None:
            after()
            return

        def job(journal: Journal, binder: Binder) -> tuple[Session, tuple[Question, ...]]:
            deed(play, at)
            return play.session, play.session.questions()  # a rule may think longer than a frame may take

        def done(asked: tuple[Session, tuple[Question, ...]]) -> None:
            self._pending -= 1
            self._asked = asked
            after()
            if self.play is play:
                self._done(play)

        def fails(trouble: Trouble) -> None:
            self._pending -= 1
            after()
            self._trouble(trouble)

        self._pending += 1
        self.clerk.do(job, done, fails)

    def _done(self, play: Play) -> None:
        last = play.session.last
        if last is not None and isinstance(last.deed, Answered | Corrected | Redone):
            self.news = play.session.state.news
        else:
            self.news = ()
        if self._troubled is not None:
            self.relieved(self._troubled)
            self._troubled = None
        self._sound(play.session)
        self.changed()

    def _sound(self, session: Session) -> None:
        """What is worth hearing about what just became true."""
        before, self._before = self._before, session
        kind = turning(before, session)
        if kind:
            self.heard(kind)

    def _trouble(self, trouble: Trouble) -> None:
        self._troubled = trouble.text
        self.tell(trouble.text, "refused")

    # Buttons

    def press(self, seat: int) -> None:
        """A seat's button. What it means is decided when its turn comes, so this may be called by any thread."""
        play, at = self.play, self.clock()
        if play is not None:
            self.clerk.do(lambda journal, binder: self._press(play, seat, at), self._pressed, self._trouble)

    def _press(self, play: Play, seat: int, at: float) -> tuple[Play, Meaning]:
        meaning = understand(play.session, Press(seat))
        if isinstance(meaning, Accept):
            play.answer(meaning.answer, at)
            self._by_press[seat] = play.session.entries
        else:
            self._by_press.pop(seat, None)
            self.refused(seat)
        return play, meaning

    def _pressed(self, outcome: tuple[Play, Meaning]) -> None:
        play, meaning = outcome
        if isinstance(meaning, Refuse):
            self.tell(meaning.trouble.text, "refused")
        elif self.play is play:
            self.heard("accepted")
            self._done(play)

    def take_back_press(self, seat: int, then: Callable[[], None]) -> None:
        """A second press followed at once: the first one meant nothing by itself, so what it answered is undone."""
        play, at = self.play, self.clock()
        if play is None:
            return

        def job(journal: Journal, binder: Binder) -> None:
            if self._by_press.pop(seat, None) == play.session.entries:
                play.undo(1, at)

        def done(_: Any) -> None:
            self._done(play)
            then()

        self.clerk.do(job, done, self._trouble)

    # Signals

    def see(self, cards: tuple[Sighted, ...]) -> None:
        """Cards came into one picture: those that are scans wait for their turn, the others are ticked."""
        self.sights, seen = self.sights.come(self.session, cards)
        if seen.trouble is not None:
            self.tell(seen.trouble.text, "refused")
        elif len(seen.lying) == 1 and not seen.scans:
            self.tell(say("ui.lies-there", name=self.name_of(seen.lying[0])), "known")
        self.cards += seen.scans

    def next_card(self) -> Sighted | None:
        """The next scan, once everything before it is done: what it means depends on that."""
        if self._pending or not self.cards:
            return None
        card, *others = self.cards
        self.cards = tuple(others)
        return card

    def signal(self, signal: Signal) -> str:
        """What a scan or a button means now is done, offered or told; the word says which."""
        if self.play is None:
            return "info"
        match understand(self.session, signal):
            case Accept(answer):
                self.tell(self._accepted(signal, answer), "accepted")
                self.answer(answer)
                return "accepted"
            case Choose() as choice:
                self.offer(choice)
                return "choose"
            case Known(component):
                self.tell(say("ui.lies-there", name=self.name_of(component)), "known")
                return "known"
            case Refuse(trouble):
                self.refused(signal.seat)
                self.tell(trouble.text, "refused")
                return "refused"

    def _accepted(self, signal: Signal, answer: Answer) -> Text:
        """What an accepted signal is echoed with; a secret card must not be named."""
        question = next(q for q in self.questions() if (q.seat, q.slug) == (answer.seat, answer.slug))
        if question.secret or not isinstance(signal, Sighted):
            return say("ui.got-it")
        return say("ui.read", name=self.name_of(signal.component))

    def name_of(self, component: str) -> Text:
        """What is printed on a component."""
        return plain(self.session.catalogue[component].name)

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
        self.changed()

    def remember(self, people: tuple[Person, ...]) -> None:
        """Keep who played, the latest first."""
        names = {person.name for person in people}
        others = tuple(person for person in self.settings.people if person.name not in names)
        self.change(people=(*people, *others)[:40])


def turning(before: Session | None, after: Session) -> str:
    """The sound of a change: the play is over, its end has come near, or it is somebody else's turn."""
    if before is None or before is after:
        return ""
    if after.over:
        return "" if before.over else "over"
    alerts = [session.game.view(session.state).alerts for session in (before, after)]
    if alerts[1] and not alerts[0]:
        return "end-near"
    return "turn" if waited_for(after.state) - waited_for(before.state) - {None} else ""


def look_of(mark: Mark) -> int:
    """Which of the marks this is."""
    return next(n for n, known in enumerate(MARKS) if known.shape == mark.shape)


def option_words(desk: Desk, option: Option) -> tuple[str, str]:
    """An option's words and its detail."""
    return desk.words(option.text), "" if option.detail is None else desk.words(option.detail)
