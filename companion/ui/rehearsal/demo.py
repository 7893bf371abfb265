"""A demonstration in the window: bots hold cards to a virtual camera and tap what has no card."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from kivy.clock import Clock

from companion.app import CompanionApp
from companion.core.autoplay import next_answer
from companion.core.game import Bots, Game, Setup, game, showcase
from companion.core.questions import Answer
from companion.core.session import Answered
from companion.core.words import say
from companion.recognition.virtual_cards import Cards
from companion.table.camera_feed import NONE, CameraFeed
from companion.table.proposals import Seen
from companion.table.settings import Settings
from companion.ui.toolkit.camera_picture import NEW, CameraPicture, Framed
from companion.ui.toolkit.kit import Part
from vision.camera import Camera
from vision.virtual import PRESETS, VirtualTable

SPEED = 0.7
"""Answers per second."""

PATIENCE = 6.0
"""Seconds after which somebody would put a card down and tap instead."""

PIXELS = (1280, 720)
CAMERA = "virtual"
PRESET, SEED, SEATS = "good-lamp", 8, ("Ania", "Bartek", "Celina")
"""What a demonstration from the first screen looks like."""

TICK = 0.1
BREATH = 0.8
"""Seconds a card that was read is still held up, so that people see it."""


class Demo:
    """Bots at the table. `step` lets them do what is due; nothing in here waits."""

    def __init__(
        self,
        app: CompanionApp,
        game: Game,
        seed: int,
        cards: Cards | None,
        speed: float = SPEED,
        clock: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE,
    ) -> None:
        self.app, self.game, self.cards, self.clock = app, game, cards, clock
        self.pause, self.patience = (1 / speed if speed > 0 else 0.0), patience
        self.random = Random(seed)
        self.read = self.tapped = 0
        self._bots: Bots | None = None
        self._due: Answer | None = None
        self._held: str | None = None
        self._entries = 0
        self._moments: int | None = None
        self._since = clock()
        self._over = False
        self._shown: CameraPicture | None = None

    def step(self) -> None:
        """Go on by as little as is due now."""
        desk = self.app.desk
        if self._over or desk.play is None or self.app.screen.name != "table" or desk.session.paused:
            return
        if self._bots is None:
            self._bots = bots = self.game.bots(desk.session.setup, self.random)
            bots.follow(desk.session.state, desk.session.news)
        if self._taken_over():
            self._over = True
            self._put_down()
        elif self._due is not None:
            self._wait_for(self._due)
        elif desk.session.over:
            self._over = True
            self.app.dismiss()
            self.app.go("score")
        elif self.clock() - self._since >= self.pause:
            self._begin(next_answer(desk.session.state, self._bots, self.random))

    def _taken_over(self) -> bool:
        """Whether somebody who looks on has taken part: the bots do not know those cards, so it is their play now."""
        moments = self.app.desk.session.moments
        if self._moments is None or len(moments) == self._moments:
            return False
        entry = moments[self._moments].entry if len(moments) > self._moments else None
        return self._due is None or entry is None or entry.deed != Answered(self._due)

    def _begin(self, answer: Answer) -> None:
        """Show the card of an answer to the camera, or tap it if it has none."""
        session = self.app.desk.session
        question = next(
            q for q in self.app.desk.questions() if (q.seat, q.slug) == (answer.seat, answer.slug)
        )
        option = question.option(answer.option)
        self._due, self._entries, self._since = answer, session.entries, self.clock()
        self._moments = len(session.moments)
        component = None if option is None else option.component
        if self.cards is None or component is None or component in session.game.on_table(session.state):
            self._tap(answer)
            return
        self._held, self.app.holder = component, answer.seat
        self.app.heed()
        self.cards.hold_up(component, answer.seat)

    def _wait_for(self, due: Answer) -> None:
        session = self.app.desk.session
        waited = self.clock() - self._since
        if session.entries > self._entries:
            if self._held is not None and waited < min(BREATH, self.pause):
                return
            self._done()
        elif self._held is not None and waited > self.patience:
            self._put_down()
            self.app.dismiss()
            self._tap(due)

    def _tap(self, answer: Answer) -> None:
        self.tapped += 1
        self.app.desk.propose(answer, seen=Seen(self.app.desk.session))  # bots look at no screen

    def _done(self) -> None:
        self.read += self._held is not None
        self._put_down()
        self._due, self._since = None, self.clock()
        self._moments = len(self.app.desk.session.moments)
        self._follow()

    def _put_down(self) -> None:
        if self._held is not None and self.cards is not None:
            self.cards.put_down(self._held, self.app.holder)
        self._held = self.app.holder = None

    def _follow(self) -> None:
        state = self.app.desk.session.state
        if self._bots is not None:
            self._bots.follow(state, self.app.desk.session.news)

    def picture(self) -> Part:
        """What the camera sees now, for the table."""
        self._shown = CameraPicture()
        self.show()
        return self._shown

    def show(self) -> None:
        """Bring the picture up to date; only what is held up is framed, or soon there would be nothing but frames."""
        look = self.app.lookout.latest()
        if look is None or self._shown is None or self.app.screen.name != "table":
            return
        lying = self.cards.lying if self.cards is not None else frozenset()
        new = [Framed(s.text, s.corners, NEW) for s in look.sightings if s.text not in lying]
        self._shown.see(look.frame.picture, new)


def run(
    folder: Path, game: Game, setup: Setup, seed: int, camera: str, speed: float, language: str | None
) -> None:
    """Show a whole game and its score, and stay until the window is closed."""
    table = None if camera == "none" else VirtualTable(PRESETS[camera], seed, size=PIXELS)
    app = CompanionApp(folder, _feed(table))
    app.desk.settings = Settings(camera=CAMERA if table is not None else NONE)
    app.show(lambda app: _begin(app, game, setup, seed, table, speed), language)


def inside(app: CompanionApp) -> None:
    """Show a game in this window until people come home: their own table is left as it is meanwhile."""
    rules = game(showcase().id)
    table = VirtualTable(PRESETS[PRESET], SEED, size=PIXELS)
    folder = tempfile.TemporaryDirectory(prefix="companion-demo-", ignore_cleanup_errors=True)
    events: list[Any] = []

    def over() -> None:
        for event in events:
            event.cancel()
        folder.cleanup()

    app.visit(Path(folder.name), _feed(table), CAMERA, over)
    events += _begin(app, rules, Setup(rules.id, SEATS), SEED, table, SPEED)
    app.tell(say("ui.demonstration-how"))


def _begin(
    app: CompanionApp, rules: Game, setup: Setup, seed: int, table: VirtualTable | None, speed: float
) -> list[Any]:
    """Let bots sit down; what goes on by itself from now on."""
    demo = Demo(app, rules, seed, None if table is None else Cards(rules, table), speed)
    app.desk.start(rules, setup)
    if table is not None:
        app.watching = demo.picture
    return [
        Clock.schedule_interval(lambda _: demo.step(), TICK if speed < 1 / TICK else 0),
        Clock.schedule_interval(lambda _: demo.show(), TICK),
    ]


def _feed(table: VirtualTable | None) -> CameraFeed:
    """What looks through this camera, whatever it is called."""

    def only(source: str) -> Camera:
        assert table is not None
        return table

    return CameraFeed(time.monotonic, only)
