"""A camera that freezes, sends garbage, floods, or vanishes: nobody shows a card, so no answer may come of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from companion.core.words import Text
from companion.recognition import reading
from companion.table.camera_feed import CameraFeed
from companion.torture.faults import Fault, NotHere, Ordeal, Survived, expect
from companion.torture.ledger import Ledger
from companion.torture.sitting import BEGIN, Sitting, sitting
from vision.camera_watch import Live, Picture
from vision.codebook import Codebook
from vision.decode import Reader
from vision.virtual import PRESETS, shoot, spread
from vision.worker import Worker

LABELS = 12
PACE = 1 / 15
Next = Callable[[Random, int], Picture | None]


def _lying(table: Sitting) -> tuple[str, ...]:
    """Labels that lie on the table: first those whose cards would be an answer now."""
    texts = reading.book(table.session.game).texts
    asked = [option.component for question in table.desk.questions() for option in question.options]
    answers = [text for piece, text in texts.items() if piece.component in asked]
    return tuple(dict.fromkeys([*answers, *texts.values()]))[:LABELS]


@lru_cache(20)
def _eyes(texts: tuple[str, ...]) -> tuple[Reader, Picture]:
    """A reader of these labels, and a table on which they lie; both take a while to make."""
    shot = shoot(spread(texts, 1), PRESETS["good-lamp"], 1, size=(1280, 720))
    return Reader(Codebook(texts)), shot.picture


class BadLine:
    """An open line to a camera; `coming` gives each picture, nothing for a damaged one, or raises what a driver may."""

    def __init__(self, ordeal: Ordeal, coming: Next) -> None:
        self._random, self._coming, self._number = ordeal.random, coming, 0

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
    """The camera of a desk, looked through when somebody says so rather than in a thread."""

    def __init__(self, worker: Worker, clock: Callable[[], float]) -> None:
        super().__init__(clock)
        self._worker = worker


def _before(table: Sitting, ordeal: Ordeal, coming: Next, looks: int) -> tuple[Text, ...]:
    """Let this camera look at the table so often; what people are told of it in the end."""
    game = table.session.game
    if game.box.label is None:
        return ()
    reader, _ = _eyes(_lying(table))
    live = Live("torture", lambda: BadLine(ordeal, coming), lambda: table.now, start=False)
    worker = Worker(live, reader, lambda: table.now, lambda: table.desk.look(feed))
    worker.wait_for_scan(True)
    feed = Feed(worker, lambda: table.now)
    health: dict[str, Text] = {}
    for _ in range(looks):
        table.now += PACE
        live.step()
        worker.look()
        worker.check()
        table.settle()
        if (trouble := feed.trouble()) is not None:
            health[trouble.key] = trouble
    live.close()
    return tuple(health.values())


def _camera(coming: Callable[[Picture], Next], looks: int, complains: bool) -> Callable[[Ordeal], Survived]:
    """A fault of this camera: no answer comes of it, and the play goes on by hand."""

    def attempt(ordeal: Ordeal) -> Survived:
        ledger = Ledger()
        with sitting(ordeal.folder, ledger) as table:
            for _ in range(20):
                table.play(ordeal.random, 2)
                if table.session.game.box.label is not None and not table.session.over:
                    break
            else:
                raise NotHere("no game has labels")
            before = table.session
            seen = _before(table, ordeal, coming(_eyes(_lying(table))[1]), looks)
            expect(table.session is before, "an answer nobody gave")
            expect(seen or not complains, "nobody was told that the camera does not work")
            table.answer_surely(ordeal.random)
        ledger.check(ordeal.path)
        return Survived(1, seen)

    return attempt


def _frozen(picture: Picture) -> Next:
    """The same picture for ever."""
    return lambda random, number: picture


def _garbage(picture: Picture) -> Next:
    """Noise, pictures of odd shapes and sorts, shuffled rows, nothing."""

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
    """Pictures for a moment, then a line that breaks again and again."""

    def coming(random: Random, number: int) -> Picture:
        if number > 4:
            raise OSError(19, "No such device")
        return picture

    return coming


def _silent(picture: Picture) -> Next:
    """A moment of pictures, then the line is open but no picture is whole any more."""
    return lambda random, number: picture if number < 4 else None


def _flood(ordeal: Ordeal) -> Survived:
    """A hundred pictures for each one we can look at: only the newest counts, nothing piles up."""
    ledger = Ledger()
    with sitting(ordeal.folder, ledger) as table:
        table.play(ordeal.random, 2)
        now = [BEGIN]
        noise = np.zeros((48, 64, 3), dtype=np.uint8)
        live = Live("torture", lambda: BadLine(ordeal, lambda *_: noise), lambda: now[0], start=False)
        for _ in range(2000):
            now[0] += 0.001
            live.step()
        newest, more = live.read(), live.read()
        expect(newest is not None and now[0] - newest.at < 0.2, "the newest picture is an old one")
        expect(more is None, "pictures pile up")
        table.answer_surely(ordeal.random)
    ledger.check(ordeal.path)
    return Survived()


FAULTS = (
    Fault("camera-frozen", _camera(_frozen, 12, complains=False)),
    Fault("camera-garbage", _camera(_garbage, 25, complains=False)),
    Fault("camera-vanishes", _camera(_vanishing, 20, complains=True)),
    Fault("camera-silent", _camera(_silent, 40, complains=True)),
    Fault("camera-floods", _flood),
)
