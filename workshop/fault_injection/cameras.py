"""A camera that freezes, sends garbage, floods, or vanishes. No card is shown, so none of it may give an answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from companion.core.words import Text
from companion.recognition import reading
from companion.table.camera_feed import CameraFeed
from vision.camera_health import Live, Picture
from vision.codebook import Codebook
from vision.decode import Reader
from vision.virtual import PRESETS, shoot, spread
from vision.worker import Worker
from workshop.fault_injection.desk_session import BEGIN, DeskSession, desk_session
from workshop.fault_injection.faults import Fault, FaultTrial, NotHere, Survived, expect
from workshop.fault_injection.ledger import Ledger

LABELS = 12
PACE = 1 / 15
Next = Callable[[Random, int], Picture | None]


def _lying(table: DeskSession) -> tuple[str, ...]:
    """Labels that lie on the table: first those whose cards would be an answer now."""
    texts = reading.book(table.session.game).texts
    asked = [option.component for question in table.desk.questions() for option in question.options]
    answers = [text for piece, text in texts.items() if piece.component in asked]
    return tuple(dict.fromkeys([*answers, *texts.values()]))[:LABELS]


@lru_cache(20)
def _eyes(texts: tuple[str, ...]) -> tuple[Reader, Picture]:
    """A reader of these labels, and a table on which they lie; both are expensive to make."""
    shot = shoot(spread(texts, 1), PRESETS["good-lamp"], 1, size=(1280, 720))
    return Reader(Codebook(texts)), shot.picture


class BadLine:
    """An open connection to a camera; `coming` returns each picture, None for a damaged one, or raises as a
    driver may."""

    def __init__(self, trial: FaultTrial, coming: Next) -> None:
        self._random, self._coming, self._number = trial.random, coming, 0

    def grab(self) -> bool:
        self._number += 1
        return True

    def picture(self) -> Picture | None:
        return self._coming(self._random, self._number)

    def stamp(self) -> float | None:
        return None

    def close(self) -> None:
        pass


class Feed(CameraFeed):
    """The camera of a desk, read on demand rather than in a thread."""

    def __init__(self, worker: Worker, clock: Callable[[], float]) -> None:
        super().__init__(clock)
        self._worker = worker


def _before(table: DeskSession, trial: FaultTrial, coming: Next, looks: int) -> tuple[Text, ...]:
    """Let this camera watch the table for so many looks; returns what people are told about it in the end."""
    game = table.session.game
    if game.box.label is None:
        return ()
    reader, _ = _eyes(_lying(table))
    live = Live("faults", lambda: BadLine(trial, coming), lambda: table.now, start=False)
    worker = Worker(live, reader, lambda: table.now, lambda: table.desk.take_camera_news(feed))
    worker.wait_for_scan(True)
    feed = Feed(worker, lambda: table.now)
    health: dict[str, Text] = {}
    for _ in range(looks):
        table.now += PACE
        live.step()
        worker.process_newest()
        worker.check()
        table.settle()
        if (trouble := feed.trouble()) is not None:
            health[trouble.key] = trouble
    live.close()
    return tuple(health.values())


def _camera(
    coming: Callable[[Picture], Next], looks: int, complains: bool
) -> Callable[[FaultTrial], Survived]:
    """A fault of this camera: it gives no answer, and the play goes on by hand."""

    def attempt(trial: FaultTrial) -> Survived:
        ledger = Ledger()
        with desk_session(trial.folder, ledger) as table:
            for _ in range(20):
                table.play(trial.random, 2)
                if table.session.game.box.label is not None and not table.session.over:
                    break
            else:
                raise NotHere("no game has labels")
            before = table.session
            seen = _before(table, trial, coming(_eyes(_lying(table))[1]), looks)
            expect(table.session is before, "an invented answer")
            expect(seen or not complains, "nobody was told that the camera does not work")
            table.answer_surely(trial.random)
        ledger.check(trial.path)
        return Survived(1, seen)

    return attempt


def _frozen(picture: Picture) -> Next:
    """The same picture for ever."""
    return lambda random, number: picture


def _garbage(picture: Picture) -> Next:
    """Noise, pictures of odd shapes and types, shuffled rows, nothing."""

    def coming(random: Random, number: int) -> Any:
        dice = np.random.default_rng(random.getrandbits(32))
        shape = (random.choice((1, 2, 37, 240)), random.choice((1, 3, 41, 320)))
        made: tuple[Callable[[], Any], ...] = (
            lambda: None,
            lambda: dice.integers(0, 256, (*shape, 3), dtype=np.uint8),
            lambda: dice.integers(0, 256, shape, dtype=np.uint8),
            lambda: dice.integers(0, 65536, shape, dtype=np.uint16),
            lambda: dice.random((*shape, 4)).astype(np.float32) * 300,
            lambda: dice.permutation(picture),
            lambda: np.zeros_like(picture),
            lambda: np.roll(picture, random.randrange(600), axis=1)[: random.randrange(20, 300)],
        )
        return random.choice(made)()

    return coming


def _vanishing(picture: Picture) -> Next:
    """Pictures for a moment, then a connection that breaks again and again."""

    def coming(random: Random, number: int) -> Picture:
        if number > 4:
            raise OSError(19, "No such device")
        return picture

    return coming


def _silent(picture: Picture) -> Next:
    """Pictures for a moment, then an open connection without a single whole picture."""
    return lambda random, number: picture if number < 4 else None


def _flood(trial: FaultTrial) -> Survived:
    """A hundred pictures for each one we can process: only the newest counts, nothing piles up."""
    ledger = Ledger()
    with desk_session(trial.folder, ledger) as table:
        table.play(trial.random, 2)
        now = [BEGIN]
        noise = np.zeros((48, 64, 3), dtype=np.uint8)
        live = Live("faults", lambda: BadLine(trial, lambda *_: noise), lambda: now[0], start=False)
        for _ in range(2000):
            now[0] += 0.001
            live.step()
        newest, more = live.read(), live.read()
        expect(newest is not None and now[0] - newest.at < 0.2, "the newest picture is an old one")
        expect(more is None, "pictures pile up")
        table.answer_surely(trial.random)
    ledger.check(trial.path)
    return Survived()


FAULTS = (
    Fault("camera-frozen", _camera(_frozen, 12, complains=False)),
    Fault("camera-garbage", _camera(_garbage, 25, complains=False)),
    Fault("camera-vanishes", _camera(_vanishing, 20, complains=True)),
    Fault("camera-silent", _camera(_silent, 40, complains=True)),
    Fault("camera-floods", _flood),
)
