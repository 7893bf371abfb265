"""The time from reading a card to its effect: written, and shown.

    .venv/bin/python benchmarks/signal_latency.py                   300 cards
    .venv/bin/python benchmarks/signal_latency.py --cards 1000

Needs no display. Bots play Race in a window; every answer that has a card is handed over by a thread in place
of the camera's, exactly as `vision.worker.Worker` does it: the label's news into the queue, then `wake`. The
window's loop runs at 60 frames a second, as it does for people. The time is measured until the screen has
been rebuilt from the table after the card, and split by stage. The journal is on a real disk.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from companion.ui import start  # noqa: E402

os.environ.update(SDL_VIDEODRIVER="offscreen", SDL_AUDIODRIVER="dummy")

PARTS = ("taken up", "understood", "written", "next questions", "brought to the screen", "shown", "in all")
FRAME = 1 / 60


class Stamps:
    """When a card passed each hand, by the same clock in every thread."""

    def __init__(self) -> None:
        self.at: dict[str, float] = {}
        self.shown = threading.Event()

    def now(self, what: str) -> None:
        """It is here now."""
        self.at[what] = time.perf_counter()

    def times(self) -> tuple[float, ...]:
        """Seconds of each of the `PARTS`."""
        hands = [self.at[what] for what in ("read", "clerk", "write", "kept", "acted", "came", "shown")]
        return (*(b - a for a, b in pairwise(hands)), hands[-1] - hands[0])


def watch(stamps: Stamps) -> None:
    """Take the time at every hand-over, without changing what is done."""
    usual_see, usual_append, usual_act = SignalIntake.see, Journal.append, signal_intake.act
    usual_came, usual_refresh = CompanionApp._show_outcome, CompanionApp.refresh

    def see(self: Any, cards: Any, at: float) -> Any:
        stamps.now("clerk")
        return usual_see(self, cards, at)

    def append(self: Any, *entry: Any, **how: Any) -> None:
        stamps.now("write")
        usual_append(self, *entry, **how)
        stamps.now("kept")

    def act(*given: Any) -> Any:
        outcome = usual_act(*given)
        stamps.now("acted")
        return outcome

    def came(self: Any, outcome: Any) -> None:
        stamps.now("came")
        usual_came(self, outcome)

    def refresh(self: Any) -> None:
        usual_refresh(self)
        stamps.now("shown")
        stamps.shown.set()

    SignalIntake.see, Journal.append, signal_intake.act = see, append, act
    CompanionApp._show_outcome, CompanionApp.refresh = came, refresh


class CardBench:
    """A window at which bots sit; a thread beside it is the camera."""

    def __init__(self, folder: Path) -> None:
        self.rehearsal = Rehearsal(folder, drawn=True)
        self.stamps = Stamps()
        watch(self.stamps)

    def game(self, seed: int, most: int) -> list[tuple[float, ...]]:
        """One game: the times of its cards."""
        r, found = self.rehearsal, []
        r.fresh(r.app.folder.parent / f"game-{seed}")
        r.play("race", ("Ania", "Bartek", "Celina"), seed=seed)
        desk = r.app.desk
        while not desk.session.over and len(found) < most:
            answer = r._next(desk.session)
            question = next(q for q in desk.questions() if (q.seat, q.slug) == (answer.seat, answer.slug))
            option = question.option(answer.option)
            card = None if option is None else option.component
            lies = card in desk.session.game.on_table(desk.session.state)
            r.app.shown_by = lambda seat=answer.seat: seat
            r.app.update_scan_mode()
            before = desk.session.entries
            if card is None or lies:
                desk.propose(answer)
                r.settle()
            else:
                found.append(self._show(card, answer.seat))
                r.settle()
            assert desk.session.entries > before, "a card was lost"
            r._follow(desk.session)  # forced answers may have followed
        return found

    def _show(self, card: str, seat: int | None) -> tuple[float, ...]:
        book = reading.book(games()["race"])
        copy = (seat or 0) + 1
        texts = {piece: text for piece, text in book.texts.items() if piece.component == card}
        text = texts.get(Piece(card, copy)) or next(iter(texts.values()))
        news = Brought(Sighting(text, ((0.0, 0.0),) * 4, "zxing", 1.0, 1.0), time.monotonic())
        camera_feed, stamps = self.rehearsal.camera_feed, self.stamps
        stamps.shown.clear()

        def camera() -> None:
            time.sleep(FRAME * 3 * RANDOM.random())  # a card is read at any moment of a frame
            stamps.now("read")
            camera_feed.coming.append(news)
            camera_feed.wake()

        reading_it = threading.Thread(target=camera, name="vision")
        reading_it.start()
        while not stamps.shown.is_set():
            self.rehearsal.frames(1)
        reading_it.join()
        return stamps.times()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cards", type=int, default=300)
    parser.add_argument("--folder", default=str(ROOT), help="on the disk for the journal")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        start.prepare(Path(name))
        _import()
        bench, found, seed = CardBench(Path(name) / "app"), [], 1
        Clock._max_fps = 60  # a rehearsal waits for no frame; people's windows do
        start.disable_automatic_gc()
        while len(found) < options.cards:
            found += bench.game(seed, options.cards - len(found))
            seed += 1
        print(f"from a card read to its effect seen, {len(found)} cards, load {os.getloadavg()[0]:.1f}; ms")
        for n, part in enumerate(PARTS):
            times = sorted(1000 * took[n] for took in found)
            p99 = times[int(0.99 * (len(times) - 1))]
            print(
                f"  {part:22} median {statistics.median(times):6.2f}  p99 {p99:7.2f}  worst {times[-1]:7.2f}"
            )


def _import() -> None:
    """Kivy's window is made when it is imported, and must be prepared before."""
    global \
        Brought, \
        Clock, \
        CompanionApp, \
        SignalIntake, \
        Journal, \
        Piece, \
        RANDOM, \
        Rehearsal, \
        Sighting, \
        games, \
        signal_intake
    global reading
    from random import Random

    from kivy.clock import Clock

    from companion.app import CompanionApp
    from companion.core.game import games
    from companion.core.journal import Journal
    from companion.recognition import reading
    from companion.recognition.labels import Piece
    from companion.table import signal_intake
    from companion.table.signal_intake import SignalIntake
    from vision.label_news import Brought
    from vision.sightings import Sighting
    from workshop.screens.rehearsal import Rehearsal

    RANDOM = Random(1)


if __name__ == "__main__":
    from benchmarks.report import reported

    code = reported(main)
    sys.stdout.flush()
    os._exit(code)
