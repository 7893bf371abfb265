"""The app without people: for pictures of every screen, and for tests. Its clock advances only when told to."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from kivy.base import EventLoop, ExceptionManager, runTouchApp
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.input.motionevent import MotionEvent
from kivy.uix.widget import Widget

from companion import app
from companion.core.autoplay import next_answer
from companion.core.binder import Binder
from companion.core.flow.game import flow_game
from companion.core.game import Game, Setup, games
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.questions import Answer
from companion.core.session import Session
from companion.core.words import Text
from companion.table.camera_feed import CameraFeed
from companion.table.settings import Settings
from companion.ui.demo.demo import inside
from companion.ui.hall_on_screen import HallOnScreen
from companion.ui.phones_on_screen import PhonesOnScreen
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.kit import Scroll, Tap, Words
from companion.ui.toolkit.symbols import Drawn
from companion.ui.toolkit.touches import TWICE
from vision.camera import Frame
from vision.face_reader import LabelsAndFaces
from vision.label_news import Brought, LabelNews
from vision.virtual import VirtualTable
from vision.worker import Glance
from workshop.screens.layout_watch import photograph

BEGIN = 1_800_000_000.0
SECONDS = 7.0
"""How long a bot thinks."""

QUIET = Settings(language="en", camera="none", moments=False)


class Finger(MotionEvent):
    """A touch at a place of the window."""

    def __init__(self, x: float, y: float) -> None:
        width, height = Window.size
        super().__init__(
            "rehearsal", 1, {"x": x / (width - 1.0), "y": y / (height - 1.0)}, is_touch=True, type_id="touch"
        )
        self.profile = ["pos"]

    def depack(self, args: Any) -> None:
        self.sx, self.sy = args["x"], args["y"]
        super().depack(args)


class Posed(CameraFeed):
    """A camera that sees what the test says."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(clock)
        self.coming: list[LabelNews] = []
        self.look: Glance | None = None
        self.wrong: Text | None = None
        self.table: VirtualTable | None = None

    def made_up(self) -> VirtualTable | None:
        return self.table

    def trouble(self) -> Text | None:
        return self.wrong

    def watch(self, source: str) -> None:
        self.source = source

    def news(self) -> tuple[LabelNews, ...]:
        coming, self.coming = tuple(self.coming), []
        return coming

    def latest(self) -> Glance | None:
        return self.look

    def see(self, picture: Any, reader: LabelsAndFaces, at: float) -> None:
        """Take this picture; every label in it has just appeared."""
        sightings = reader.read(picture)
        self.look = Glance(Frame(picture, at), sightings)
        self.coming += [Brought(sighting, at) for sighting in sightings]
        self.wake()


class Rehearsal:
    """One app in one window; there can be only one in a process.

    Errors in the window are raised here, unless `forgiving` is true: then the app shows what it shows people.
    Frames are `drawn` only to measure how long that takes.
    """

    def __init__(self, folder: Path, camera_feed: CameraFeed | None = None, drawn: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.now = self._touched = BEGIN
        self.asleep = 0.0
        """How long the machine has been asleep."""
        self.camera_feed = camera_feed or Posed(self.clock)
        self.app = app.CompanionApp(folder, self.camera_feed, clock=self.clock, awake=self._awake)
        self.app.desk.settings = QUIET
        self.app.demonstrate_game = partial(inside, self.app)
        self.app.touches.when = lambda touch: getattr(touch, "came", self._touched)
        self.app.layouts.now = lambda: self._touched
        self.forgiving = False
        app.LONGEST_TOUCH = math.inf  # whether a finger rests is told, not left to the real clock
        self._fell: list[BaseException] = []
        self._usual_on_crash = self.app.on_crash
        self.app.__dict__["on_crash"] = self._on_crash
        Clock._max_fps = 0  # no waiting for the next frame
        if not drawn:
            Window.on_draw = lambda: None  # nothing is drawn either, except for a picture
        Window.close = lambda: None  # closing the window of one app would blind the next
        self.app._run_prepare()
        runTouchApp(embedded=True)
        self.settle()

    @property
    def screen(self) -> Any:
        """The current screen, of whatever type: a rehearsal may use its internals."""
        return self.app.screen

    @property
    def posed(self) -> Posed:
        """The camera that sees what the test says."""
        assert isinstance(self.camera_feed, Posed)
        return self.camera_feed

    def _on_crash(self, error: BaseException) -> None:
        self._fell.append(error)
        self._usual_on_crash(error)

    def fresh(self, folder: Path) -> None:
        """Start over with another folder, as if the program had just been opened."""
        self.app.screen.leave()
        self.app.desk.clerk.stop()
        self.now, self.forgiving, self._fell[:] = BEGIN, False, []
        self.app.camera_feed = self.camera_feed = Posed(self.clock)
        self.app.phones = PhonesOnScreen(self.app)
        self.app.hall = HallOnScreen(self.app)
        self.app.open_folder(folder, self.clock)
        self.app.desk.settings = QUIET
        self.app.go("home")
        self.app.desk.look_up_plays()
        self.settle()

    def play(self, game: str, names: Sequence[str], answers: int = 0, seed: int = 1, **choices: str) -> None:
        """Begin a play in which bots have already answered this many questions."""
        self._play(games()[game], Setup(game, tuple(names), choices), answers, seed)

    def play_flow(self, flow: str, names: Sequence[str], answers: int = 0, seed: int = 1) -> None:
        """Begin a light play by the text of a flow."""
        rules = flow_game(flow)
        self._play(rules, Setup(rules.id, tuple(names), flow=flow), answers, seed)

    def _play(self, rules: Game, setup: Setup, answers: int, seed: int) -> None:
        self._random = Random(seed)

        def job(journal: Journal, binder: Binder) -> Play:
            play = Play.start(rules, setup, journal, binder, self.now)
            self._bots, self._followed = rules.bots(play.session.setup, self._random), 0
            self._follow(play.session)
            for _ in range(answers):
                self.now += SECONDS
                play.answer(self._next(play.session), self.now)
                self._follow(play.session)
            return play

        self.app.desk.begin(job)
        self.settle()
        self._follow(self.app.desk.session)

    def _follow(self, session: Session) -> None:
        """Let the bots act on all news since their last turn."""
        if self._followed > len(session.moments):  # something was undone
            self._followed = len(session.moments)
        news = tuple(item for moment in session.moments[self._followed :] for item in moment.state.news)
        if self._followed < len(session.moments):
            self._followed = len(session.moments)
            self._bots.follow(session.state, news)

    def play_on(self, answers: int = 1) -> None:
        """Let the bots answer this many more questions, through the desk."""
        desk = self.app.desk
        for _ in range(answers):
            self.now += SECONDS
            desk.propose(self._next(desk.session))
            self.settle()
            self._follow(desk.session)

    def play_until(self, reached: Callable[[Session], bool], most: int = 1000) -> None:
        """Let the bots answer, off screen, until something is reached, then show the table."""
        desk = self.app.desk

        def job(journal: Journal, binder: Binder) -> Play:
            play = desk._intake.play
            assert play is not None
            for _ in range(most):
                if reached(play.session):
                    return play
                self.now += SECONDS
                play.answer(self._next(play.session), self.now)
                self._follow(play.session)
            raise AssertionError("the bots never came there")

        desk.begin(job)
        self.settle()
        self._follow(desk.session)

    def _next(self, session: Session) -> Answer:
        return next_answer(session.state, self._bots, self._random)

    def _awake(self) -> float:
        return self.now - self.asleep

    def clock(self) -> float:
        """The time of the rehearsal."""
        return self.now

    def frames(self, n: int = 1) -> None:
        """Run the window for this many frames."""
        for _ in range(n):
            EventLoop.idle()
            if self._fell and not self.forgiving:
                raise self._fell.pop()

    def settle(self) -> None:
        """Let everything that was asked for happen."""
        for _ in range(3):
            self.app.desk.clerk.settle()
            self.frames(1)
            self.app.tick()  # not left to the real clock
            self.frames(1)

    def settle_beside(self) -> None:
        """Wait for the screen's jobs in the thread pool, and for what follows from them."""
        self.settle()
        idle = False
        while not idle:
            idle = not self.app.thread_pool.busy
            self.app.thread_pool.settle()
            self.settle()  # also what a job that had just ended led to
            idle = idle and not self.app.thread_pool.busy

    def resize(self, width: int, height: int) -> None:
        """Resize the window."""
        Window.size = (width, height)
        self.frames(3)
        self.app.refresh()
        self.frames(2)

    def change(self, **changes: Any) -> None:
        """Change settings."""
        self.app.desk.change(**changes)
        self.settle()

    def taps(self) -> dict[str, Tap]:
        """Everything that can be touched, by name."""
        return {tap.name: tap for tap in walk(self.app.stage) if isinstance(tap, Tap)}

    def words(self) -> list[str]:
        """Every sentence on the screen, and the words on faces and beside symbols."""
        return [part.text for part in walk(self.app.stage) if isinstance(part, Words | Drawn)]

    def tap(self, name: str) -> None:
        """Touch something by its name, where it is now."""
        self.reveal(self.taps()[name])
        self.frames(1)  # only what has been drawn can be touched
        self.touch(*self.middle(self.taps()[name]))
        self.settle()

    def reveal(self, part: Widget) -> None:
        """Scroll until a part can be seen."""
        parent = part.parent
        while parent is not None and not isinstance(parent, Scroll):
            parent = parent.parent if parent is not self.app.stage else None
        if parent is not None:
            parent.scroll_to(part, padding=0, animate=False)
            self.frames(2)

    def middle(self, part: Widget) -> tuple[float, float]:
        """Where the middle of a part is in the window."""
        return part.to_window(*part.center)

    def touch(self, x: float, y: float, twice: bool = False) -> None:
        """A finger comes down and goes up again; `twice` if this is the second half of one touch."""
        self._touched += TWICE / 2 if twice else 10 * TWICE
        finger = Finger(x, y)
        finger.came = self._touched
        self._dispatch("begin", finger)
        self.frames(1)
        self._dispatch("end", finger)
        self.frames(2)

    def _dispatch(self, what: str, finger: Finger) -> None:
        try:
            EventLoop.post_dispatch_input(what, finger)
        except Exception as e:  # as the window's own loop does
            if ExceptionManager.handle_exception(e) == ExceptionManager.RAISE:
                raise

    def shoot(self, file: Path) -> None:
        """Save what the window shows as a picture."""
        from kivy.animation import Animation

        Animation.cancel_all(self.app.stage)
        for part in self.app.stage.children:
            Animation.cancel_all(part)
            part.opacity = 1.0
        self.frames(2)
        photograph(file)
