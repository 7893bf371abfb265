"""A demonstration in the window: bots hold cards to a virtual camera, and tap what has no card.

No form has to be filled in: the box is a sample box with invented values, stored with the play in a temporary
folder.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from kivy.base import EventLoop
from kivy.clock import Clock

from companion.app import CompanionApp
from companion.core.agenda import open_asks
from companion.core.binder import Binder
from companion.core.entries import Answered
from companion.core.game import Bots, Game, Setup
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.questions import Answer, Option, Question
from companion.core.words import say
from companion.recognition import reading
from companion.recognition.virtual_cards import Cards
from companion.table.camera_feed import CameraFeed
from companion.table.signals import SeenState
from companion.ui.demo.pace import WHOLE, Pace, total
from companion.ui.guide import Guide
from companion.ui.toolkit.camera_picture import NEW, Framed
from vision.camera import Camera
from vision.virtual import PRESETS, VirtualTable
from vision.watcher import Reads

PATIENCE = 3.0
"""Seconds after which a bot puts a card down and taps instead."""

READING = 1.0
"""Answers that take less than this many seconds are tapped: a card could not be held up and read in time."""

MISSED = 2
"""This many answers are tapped after a card was not read in time, because the machine is busy."""

POINTED = 0.5
"""Seconds for which a hand points at something before it is touched; less if many answers follow."""

HURRIED = 0.3
"""Answers that take less than this many seconds are given without a hand; a slow machine would not show it."""

TOUCHED = 3.0
"""Seconds for which bots wait after somebody touched the screen: they may want to look, or to take over."""

ASLEEP = 30.0
"""A step later than this many seconds means the machine was suspended, not busy."""

LOOKS = 0.1
PIXELS = (1280, 720)
CAMERA = "virtual"
PRESET, SEATS = "good-lamp", ("Ania", "Bartek", "Celina")
"""The defaults of a demonstration."""


class Demo:
    """Bots at the table. `step` does what is due; nothing in here blocks."""

    def __init__(
        self,
        app: CompanionApp,
        game: Game,
        seed: int,
        cards: Cards | None,
        pace: Pace | None = None,
        clock: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE,
        leave: Callable[[], Any] | None = None,
    ) -> None:
        self.app, self.game, self.cards, self.clock = app, game, cards, clock
        self.pace, self.patience = pace, patience
        self.random = Random(seed)
        self.read = self.tapped = 0
        self.people: set[int] = set()
        """Seats that people have taken over."""
        self.guide = app.guide = Guide(app, self.stop_or_go, leave or app.home)
        self.guide.pictured = cards is not None
        self._bots: Bots | None = None
        self._due: Answer | None = None
        self._held: str | None = None
        self._proposed = False
        self._moments = self._entries = 0
        self._now = self._last = clock()
        self._spent = self._begun = self._lasts = 0.0
        self._touched = -TOUCHED
        self._unread = 0
        self._confused = False
        """Whether people did something the bots cannot follow."""
        self._over = False

    # Progress

    def stop_or_go(self) -> None:
        """Toggle pause."""
        self.guide.paused = not self.guide.paused
        self._touched = -TOUCHED
        self.app.show_guide()

    def step(self) -> None:
        """Do what is due now."""
        if self._waits():
            return
        session = self.app.desk.session
        if self._bots is None:
            self._bots = bots = self.game.bots(session.setup, self.random)
            bots.careful = True
            bots.follow(session.state, session.news)
            self._moments, self._entries = len(session.moments), session.entries
        if session.entries != self._entries:
            self._something_happened()
        if self.guide.paused:
            self.app.show_guide()
        elif session.over and self._due is None:
            self._end()
        elif self._due is None:
            self._begin()
        if self._due is None or self._over:
            return
        pointed = 0.0 if self._lasts < HURRIED else min(POINTED, 0.6 * self._lasts)
        if not self._proposed and self._spent - self._begun >= pointed:
            self._do(self._due)
        elif self._held is not None and self._spent - self._begun > self._lasts + self.patience:
            self._unread = MISSED
            self._put_down()
            self.app.dismiss()
            self._tap(self._due)
        elif self._spent - self._begun > self._lasts + 3 * self.patience and not self.app.desk.answering:
            self._due = None  # it was refused: something else was faster

    def _waits(self) -> bool:
        """Whether to wait now. Time counts as spent except while paused, away or touched."""
        self._last, self._now = self._now, self.clock()
        desk = self.app.desk
        if any(event.is_touch for event in EventLoop.touches):
            self._touched = self._now
        away = desk.play is None or self.app.screen.name != "table" or self.app.asked is not None
        waits = self._over or away or self.guide.paused or desk.session.paused or self.guide.large
        if waits or self._now - self._touched < TOUCHED:
            self.app.show_play(True)
            return True
        self._spent += min(self._now - self._last, ASLEEP)
        return self.app.front.in_a_moment

    def _something_happened(self) -> None:
        """Handle a change of the play: the answer that was due, or a viewer's action. A viewer who answers
        takes over that seat; any other action pauses the demonstration."""
        session, due = self.app.desk.session, self._due
        new = [moment.entry for moment in session.moments[self._moments :]]
        deeds = [entry.deed for entry in new if entry is not None and not entry.same_deed]
        ours = due is not None and Answered(due) in deeds
        if ours and len(session.moments) > self._moments and self._spent - self._begun < self._lasts:
            return  # time to look at the result
        theirs = [deed for deed in deeds if deed != Answered(due or Answer(None, "", ""))]
        for deed in theirs:
            if isinstance(deed, Answered) and deed.answer.seat is not None:
                self.people.add(deed.answer.seat)
        undone = len(session.moments) - self._moments < session.entries - self._entries
        if undone or any(not isinstance(deed, Answered) for deed in theirs):
            self.guide.paused = self._confused = True
        self._confused |= bool(self.people)
        self.read += ours and self._held is not None
        self._put_down()
        self._due, self._moments, self._entries = None, len(session.moments), session.entries
        self._follow()

    def _follow(self) -> None:
        """Tell the bots what happened. They know only their own cards, so they follow people's moves as far
        as they can."""
        assert self._bots is not None
        try:
            self._bots.follow(self.app.desk.session.state, self.app.desk.session.news)
        except (AssertionError, LookupError, ValueError):
            if not self._confused:
                raise

    def _end(self) -> None:
        self._over = True
        self.app.show_play(True)
        self.app.dismiss()
        self.guide.line, self.guide.hint, self.guide.pointed = self._t("ui.demo-over"), self._hint(), ()
        self.app.go("score")

    # One answer

    def _begin(self) -> None:
        """Choose the next answer, announce it and point at it."""
        session = self.app.desk.session
        if any(question.only is not None for question in self.app.desk.questions()):
            return  # the clerk is about to answer it
        asks = [ask for _, ask in open_asks(session.state)]
        free = [ask for ask in asks if ask.seat not in self.people]
        if not free:
            name = session.setup.seats[asks[0].seat or 0]
            line = self._t("ui.demo-yours", who=name)
            if line != self.guide.line:
                self.guide.tell(line, self._t("ui.demo-yours-how"))
            return
        ask = self.random.choice(free)
        question = next(
            (q for q in self.app.desk.questions() if (q.seat, q.slug) == (ask.seat, ask.slug)), None
        )
        if question is None:  # the clerk is still working
            return
        answer = Answer(ask.seat, ask.slug, self._chosen(question))
        self._due, self._proposed, self._begun = answer, False, self._spent
        self._lasts, shown = self._time_for(question)
        self.app.show_play(shown)
        if not shown:
            return
        option = question.option(answer.option)
        component = None if option is None else option.component
        slow = self.pace is None or self._lasts >= READING
        self._unread -= self._unread > 0
        alone = (
            sum(one.component == component for one in question.options) == 1
        )  # else people are asked which
        seen = self.cards is not None and slow and alone and component is not None and not self._unread
        seen = (
            seen and self.app.camera_feed.latest() is not None
        )  # a camera that is still being opened reads nothing
        if seen and component not in self.game.on_table(session.state):
            self._hold_up(component, answer.seat)
        self.guide.tell(self._line(question, answer, option), self._hint(), pointed(question, answer, option))

    def _time_for(self, question: Question) -> tuple[float, bool]:
        """How many seconds its answer takes, and whether it is shown at all."""
        if self.pace is None:
            return 0.0, True
        weight = self.pace.weigh(self.app.desk.session, question)
        shown = self.pace.shows(weight, self._spent)
        self.app.camera_feed.wait_for_scan(
            not self.pace.catching_up
        )  # reading takes most of a slow machine's time
        return (self.pace.seconds(weight, self._spent) if shown else 0.0), shown

    def _chosen(self, question: Question) -> str:
        """The bots' answer; if people's cards confused them, the most sensible one."""
        assert self._bots is not None
        state = self.app.desk.session.state
        if not self._confused:
            return self._bots.choose(state, question)
        try:
            chosen = self._bots.choose(state, question)
        except Exception:  # they look for cards that people have
            chosen = ""
        if question.dice is not None or question.form is not None or question.option(chosen) is not None:
            return chosen
        return question.options[
            0 if question.has_default else self.random.randrange(len(question.options))
        ].id

    def _hold_up(self, component: str | None, seat: int | None) -> None:
        assert component is not None
        assert self.cards is not None
        self._held, self.app.holder, self._proposed = component, seat, True
        self.app.update_scan_mode()
        self.cards.hold_up(component, seat)

    def _do(self, answer: Answer) -> None:
        self._proposed = True
        self._tap(answer)

    def _tap(self, answer: Answer) -> None:
        self.tapped += 1
        self.guide.pointed = ()  # the next page does not have these targets
        self.app.desk.propose(answer, seen=SeenState(self.app.desk.session))  # bots do not look at a screen

    def _put_down(self) -> None:
        if self._held is not None and self.cards is not None:
            self.cards.put_down(self._held, self.app.holder)
        self._held = self.app.holder = None

    # Texts

    def _t(self, key: str, **args: Any) -> str:
        return self.app.desk.words(say(key, **args))

    def _line(self, question: Question, answer: Answer, option: Option | None) -> str:
        """Who does what, and how it is read."""
        desk = self.app.desk
        if question.dice is not None:
            what = answer.option.replace(question.dice.rest, "").replace(",", " ").strip() or "–"
            return self._t("ui.demo-dice", what=what)
        what = desk.words(option.text) if option is not None else ""
        if question.seat is None:
            return self._t("ui.demo-camera-table" if self._held else "ui.demo-table", what=what)
        who = desk.session.setup.seats[question.seat]
        return self._t("ui.demo-camera" if self._held else "ui.demo-tap", who=who, what=what)

    def _hint(self) -> str:
        return self._t("ui.demo-sample" if self.game.sample() else "ui.demo-hint")

    def show(self) -> None:
        """Update the camera's picture; only held cards are framed, because the table has too many labels."""
        look = self.app.camera_feed.latest()
        if look is None or not self.guide.shown or not self.app.shows_play:
            return
        lying = self.cards.lying if self.cards is not None else frozenset()
        new = [Framed(s.text, s.corners, NEW) for s in look.sightings if s.text not in lying]
        self.guide.see(look.frame.picture, new)


def pointed(question: Question, answer: Answer, option: Option | None) -> tuple[str, ...]:
    """The names of touch targets for this answer, most likely first: the option, its place, the way to it."""
    names: list[str] = []
    if question.dice is not None:
        names = [f"option-{face}" for face in answer.option.split(",")]
    elif option is not None:
        id = option.id
        names = [f"target-{id}", f"option-{id}-{answer.seat}", f"option-{id}"]
        names += [f"place-{option.place}"] if option.place is not None else []
        names += ["lay"] if option.turn is not None else []
        names += ["choose"]
    return tuple(names)


def run(
    folder: Path,
    game: Game | None,
    setup: Callable[[Game], Setup],
    seed: int | None,
    camera: str,
    seconds: float | None,
    language: str | None,
) -> None:
    """Open a window for demonstrations, starting with this one; it stays until it is closed."""
    app = CompanionApp(folder, CameraFeed(time.monotonic))
    app.first_screen = "demonstrations"
    app.demonstrate_game = lambda chosen: inside(app, chosen, setup(chosen), seed, camera, seconds)
    show = app.demonstrate_game
    app.show(lambda app: None if game is None else show(game), language)


def inside(
    app: CompanionApp,
    rules: Game,
    setup: Setup | None = None,
    seed: int | None = None,
    camera: str = PRESET,
    seconds: float | None = WHOLE,
) -> Demo:
    """Show a game in this window until people go home; their own table is left as it is."""
    seed = rules.demo_seed if seed is None else seed
    table = None if camera == "none" else VirtualTable(PRESETS[camera], seed, size=PIXELS)
    folder = tempfile.TemporaryDirectory(prefix="companion-demo-", ignore_cleanup_errors=True)
    events: list[Any] = []

    def over() -> None:
        for event in events:
            event.cancel()
        folder.cleanup()

    app.visit(Path(folder.name), DemoFeed(rules, table), CAMERA if table is not None else "none", over)
    demo = begin(app, rules, setup or Setup(rules.id, SEATS), seed, table, seconds)
    events += [
        Clock.schedule_interval(lambda _: demo.step(), 0),
        Clock.schedule_interval(lambda _: demo.show(), LOOKS),
    ]
    return demo


def begin(
    app: CompanionApp,
    rules: Game,
    setup: Setup,
    seed: int,
    table: VirtualTable | None,
    seconds: float | None = WHOLE,
    clock: Callable[[], float] = time.monotonic,
) -> Demo:
    """Let bots play with a sample box; the length of the play is computed in the background."""
    pace = None if seconds is None else Pace(seconds)
    demo = Demo(app, rules, seed, None if table is None else Cards(rules, table), pace, clock)
    facts, at = rules.sample(), app.desk.clock()
    by = app.desk.say("ui.demo-box")

    def job(journal: Journal, binder: Binder) -> Play:
        if facts:
            binder.learn(rules.id, facts, at, by)
        return Play.start(rules, setup, journal, binder, at)

    app.desk.begin(job)
    if pace is not None:
        known = Setup(setup.game, setup.seats, setup.choices, facts)
        app.thread_pool.do(
            partial(total, rules, known, seed), partial(setattr, pace, "total"), lambda trouble: None
        )
    return demo


class DemoFeed(CameraFeed):
    """Uses this camera, whatever its name, and knows the labels of one game only."""

    def __init__(self, game: Game, table: VirtualTable | None) -> None:
        super().__init__(time.monotonic, lambda source: self._only())
        self._game, self._table = game, table

    def _only(self) -> Camera:
        assert self._table is not None
        return self._table

    def _reader(self) -> Reads:
        return reading.reader(self._game)
