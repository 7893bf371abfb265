"""A desk without a screen: outcomes are delivered when a test says so, and all messages are kept."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from companion.core.game import Setup, games
from companion.core.questions import Answer, Question
from companion.core.session import Session
from companion.core.words import Text
from companion.errors import Trouble
from companion.recognition import reading
from companion.table.background import clerk
from companion.table.camera_feed import CameraFeed
from companion.table.desk import AtOnce, Changed, Desk, DeskEvent
from companion.table.signals import Outcome, PlayNow, Proposal
from companion.table.voice import Voice
from devices.speech import Speech
from tests.patience import PATIENCE
from vision.label_news import Brought, LabelNews, Left, Noticed
from vision.sightings import Sighting

RACE = games()["race"]
SETUP = Setup("race", ("Ania", "Bartek"))


class HeldLabels(CameraFeed):
    """A camera before which a test holds labels."""

    def __init__(self) -> None:
        super().__init__(lambda: 0.0)
        self.coming: list[LabelNews] = []

    def news(self) -> tuple[LabelNews, ...]:
        coming, self.coming = tuple(self.coming), []
        return coming

    def show(self, *components: str, at: float = 1.0, seat: int | None = None) -> None:
        """Hold these up, all in one picture."""
        self.coming += self.labels(*components, at=at, seat=seat)
        self.wake()

    def lie(self, *components: str, at: float = 1.0) -> None:
        """Nobody was seen to bring these; they lie there."""
        self.coming += [Noticed(brought.sighting, at) for brought in self.labels(*components)]
        self.wake()

    def take_away(self, *components: str, at: float = 1.0) -> None:
        """These are out of sight now."""
        self.coming += [Left(brought.sighting.text, at) for brought in self.labels(*components)]
        self.wake()

    def labels(self, *components: str, at: float = 1.0, seat: int | None = None) -> list[Brought]:
        """The labels of these coming into one picture; of a player's own set, theirs."""
        book = reading.book(RACE)
        texts = [
            next(
                text
                for piece, text in book.texts.items()
                if piece.component == component and (seat is None or piece.copy == seat + 1)
            )
            for component in components
        ]
        return [Brought(Sighting(text, ((0.0, 0.0),) * 4, "zxing", 1.0, 1.0), at) for text in texts]


class ListeningDesk:
    """A desk at which somebody listens."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.posted: list[Callable[[], None]] = []
        self.outcomes: list[Outcome] = []
        self.begun: list[PlayNow] = []
        self.told: list[tuple[str, str]] = []
        self.heard: list[str] = []
        self.at_once: list[AtOnce] = []
        self.threads: set[str] = set()
        self.changes = 0
        self.now = 100.0
        self.desk = Desk(
            clerk(folder / "journal.db", self.posted.append), folder / "settings.json", lambda: self.now
        )
        self.voice = Voice()
        self.voice.sound = self.heard.append
        self.voice.speech = Speech(found="none")
        self.camera = HeldLabels()
        self.camera.listen(lambda: self.desk.take_camera_news(self.camera))
        self.desk.listen(self._told)
        self.desk.listen_at_once(self._at_once)
        self.at_once.clear()

    def _told(self, event: DeskEvent) -> None:
        match event:
            case Outcome():
                self.outcomes.append(event)
                self.voice.outcome(self.desk, event)
                self._keep(event.text, event.how)
            case PlayNow():
                self.begun.append(event)
            case Changed():
                self.changes += 1
            case Trouble():
                self._keep(event.text, "refused")

    def _keep(self, text: Text | None, how: str) -> None:
        if text is not None:
            self.told.append((text.key, how))

    def _at_once(self, event: AtOnce) -> None:
        self.threads.add(threading.current_thread().name)
        self.at_once.append(event)

    def settle(self) -> None:
        """Let everything that was asked for happen, and be told."""
        self.desk.clerk.settle()
        while self.posted:
            self.posted.pop(0)()
            self.desk.clerk.settle()

    def play(self, setup: Setup = SETUP) -> None:
        """Begin a play."""
        self.desk.start(games()[setup.game], setup)
        self.settle()

    def do(self, *signals: Proposal) -> None:
        """Do these, and forget what came of it."""
        for signal in signals:
            self.desk.propose(signal)
            self.settle()
        self.outcomes.clear()
        self.told.clear()
        self.heard.clear()
        self.at_once.clear()
        self.threads.clear()

    @property
    def session(self) -> Session:
        return self.desk.session

    def question(self, seat: int | None = None) -> Question:
        """What is asked first, or of this seat."""
        return next(q for q in self.desk.questions() if seat is None or q.seat == seat)

    def first(self) -> Answer:
        """The first option of what is asked first."""
        question = self.question()
        return Answer(question.seat, question.slug, question.options[0].id)

    def hold_up_the_disk(self) -> threading.Event:
        """Keep the clerk busy until this is set."""
        goes_on = threading.Event()
        self.desk.clerk.do(lambda journal, binder: goes_on.wait(PATIENCE), lambda _: None, lambda _: None)
        return goes_on

    def start_worlds(self) -> None:
        """Both have their start world, and choose actions in secret."""
        self.do(
            *(Answer(n, "race.start-world", world) for n, world in enumerate(("new-sparta", "old-earth")))
        )

    def settling(self) -> None:
        """Both have chosen to settle: each is asked what, with passing as the usual answer."""
        self.start_worlds()
        self.do(Answer(0, "race.action", "settle"), Answer(1, "race.action", "settle"))
