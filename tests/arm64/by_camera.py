"""A whole two-player game whose cards are known only from pictures, kept in a journal; it must be the same on
every machine.

    by_camera.py GAME SEED [ANSWERS]

Prints the play as `export` does, with every entry and the sheet, and how many cards were read; compare the
output of two machines. Pictures are small and few: an emulated machine needs seconds for each.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from random import Random

from companion.core.autoplay import next_answer
from companion.core.binder import Binder
from companion.core.game import Setup, game
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.store import Store
from companion.core.words import say
from companion.results import sheets
from companion.terminal.demo_camera import DemoCamera
from companion.terminal.watch import seen

SIZE, FPS = (640, 480), 5.0


def main(name: str, seed: int, most: int = 10_000) -> None:
    """Play, so many answers at most, and tell."""
    rules, random, at = game(name), Random(seed), 0.0
    eyes = DemoCamera(rules, "good-lamp", seed, SIZE, FPS)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "journal.db") as store:
        setup = rules.complete(Setup(rules.id, ("Ania", "Bartek")))
        play = Play.start(rules, setup, journal := Journal(store), Binder(store), at)
        bots = rules.bots(play.session.setup, random)
        bots.follow(play.session.state, play.session.state.news)
        shown = unread = 0
        while not play.session.over and at < most:
            answer = next_answer(play.session.state, bots, random)
            before = eyes.frames
            answer, told_of, _ = seen(play.session, answer, eyes)
            shown += eyes.frames > before
            unread += told_of == say("see.unread")
            at += 1.0
            play.answer(answer, at)
            bots.follow(play.session.state, play.session.state.news)
        told = journal.export(play.id)
        told["sheet"] = sheets.result(rules.sheet(play.session.state), "en")
    json.dump(told, sys.stdout, indent=1)
    print(f"\n{shown} cards shown, {unread} of them not read")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
