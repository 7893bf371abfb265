"""Everything at once, with threads that change places as often as Python can: starts, resumes, undo, presses, cards,
another camera, another panel.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from random import Random

import numpy as np

from companion.core.autoplay import any_answer
from companion.core.game import games
from companion.core.understand import Press
from companion.recognition import reading
from companion.table.camera_feed import NONE, CameraFeed
from companion.table.proposals import Heed
from companion.table.seat_panel import SeatPanel
from companion.table.wired import imagined
from companion.torture.faults import Fault, Ordeal, Survived, expect
from companion.torture.ledger import Ledger
from companion.torture.sitting import Sitting, any_setup, sitting
from devices.simulator import Simulator
from vision.camera_watch import Frame, Health, Picture
from vision.sightings import Sighting

ROUNDS = 120
SHORTEST = 1e-6
"""Seconds a thread may run Python before another does; Python takes nothing shorter in earnest."""


class Flicker:
    """A camera whose every picture is another one, and which is pulled out now and then."""

    def __init__(self, seed: int) -> None:
        self._random, self._number = Random(seed), count()

    def read(self) -> Frame | None:
        """The next picture."""
        if self._random.random() < 0.2:
            return None
        picture = np.full((36, 64), self._random.randrange(60, 200), dtype=np.uint8)
        return Frame(picture, next(self._number) / 15)

    def health(self) -> Health:
        """Well, or not."""
        return Health(self._random.random() < 0.9, what="" if self._random.random() < 0.9 else "gone")

    def close(self) -> None:
        """Nothing to let go."""


class Fancies:
    """A reader that sees any labels in any picture."""

    def __init__(self) -> None:
        self._random = Random(5)
        self._texts = [
            text for game in reading.labelled() for text in list(reading.book(game).texts.values())[:20]
        ]

    def read(self, picture: Picture, *, waiting: bool = True) -> tuple[Sighting, ...]:
        """Some labels at some place."""
        shown = self._random.sample(self._texts, min(2, len(self._texts)))
        x, y = self._random.random() * 60, self._random.random() * 30
        corners = ((x, y), (x + 4, y), (x + 4, y + 4), (x, y + 4))
        return tuple(Sighting(text, corners, "zxing", 1.0, 1.0) for text in shown)


class FancyFeed(CameraFeed):
    """The camera of the desk, with such a reader."""

    def _reader(self) -> Fancies:
        return Fancies()


@contextmanager
def hurried() -> Iterator[list[str]]:
    """Threads change places all the time; what any of them falls over is kept."""
    fell: list[str] = []
    before, usual = sys.getswitchinterval(), threading.excepthook
    threading.excepthook = lambda what: fell.append(f"{what.thread and what.thread.name}: {what.exc_value!r}")
    sys.setswitchinterval(SHORTEST)
    try:
        yield fell
    finally:
        sys.setswitchinterval(before)
        threading.excepthook = usual


def _unplug(simulator: Simulator, random: Random) -> None:
    """Pull parts of the panel out, or plug them in."""
    for chip in simulator.pins.chips:
        chip.plugged = random.random() < 0.5
    simulator.lines.gone = {None} if random.random() < 0.5 else set()


def _deeds(
    table: Sitting, feed: CameraFeed, simulator: Simulator, random: Random
) -> tuple[Callable[[], object], ...]:
    """Whatever a screen does; none of it waits for the one before."""
    desk = table.desk

    def answer() -> None:
        if desk.play is not None and not desk.session.over:
            desk.propose(any_answer(desk.session, random))

    def undo() -> None:
        if desk.play is not None and desk.session.story():
            desk.undo()

    def resume() -> None:
        if desk.plays:
            desk.resume(random.choice(desk.plays).id)

    return (
        *(answer,) * 6,
        *(undo,) * 2,
        *(resume,) * 2,
        lambda: desk.start(*any_setup(random)),
        desk.look_up_plays,
        lambda: desk.leave() if random.random() < 0.2 else None,
        lambda: desk.play is not None and (desk.go_on if desk.session.paused else desk.pause)(),
        lambda: desk.heed(Heed(random.choice(("now", "later", "never")))),
        lambda: desk.change(volume=random.randrange(100)),
        lambda: feed.watch(random.choice(("one", "other", NONE))),
        lambda: feed.wait_for_scan(random.random() < 0.7),
        lambda: (feed.latest(), feed.trouble(), feed.made_up()),
        lambda: feed.mark_spot(None),
        lambda: _unplug(simulator, random),
        table.pump,
        table.pump,
    )


def _hurry(ordeal: Ordeal) -> Survived:
    """Many deeds from four threads; nobody falls, and what was confirmed is what the journal has."""
    ledger, stop = Ledger(), threading.Event()
    games()
    with hurried() as fell, sitting(ordeal.folder, ledger) as table:
        feed = FancyFeed(lambda: table.now, lambda source: Flicker(len(source)))
        feed.listen(lambda: table.desk.look(feed))
        simulator = Simulator(imagined(), 0.0)
        panel = SeatPanel(table.desk, simulator, lambda who, gesture: None)
        panel.start()

        def press() -> None:
            random = Random(9)
            while not stop.wait(0.0005):
                table.desk.propose(Press(random.randrange(6)))
                panel.wake()

        hands = threading.Thread(target=press, name="hands", daemon=True)
        hands.start()
        deeds = _deeds(table, feed, simulator, ordeal.random)
        try:
            for _ in range(ROUNDS):
                ordeal.random.choice(deeds)()
        finally:
            stop.set()
            hands.join()
            feed.stop()
            panel.stop()
        table.settle()
        expect(not fell, f"a thread fell: {fell[:3]}")
        unforeseen = [text for text in table.told if text.key.startswith("storage.")]
        expect(not unforeseen, f"the disk was in order, but people were told {unforeseen[:3]}")
    ledger.check(ordeal.path)
    return Survived(ROUNDS)


FAULTS = (Fault("threads", _hurry),)
