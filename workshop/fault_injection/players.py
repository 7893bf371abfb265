"""What a child process does until it is killed: it plays at random and prints every entry once it is
confirmed.

COMPANION_HOME says where the journal is. The newest unfinished play continues; without one, a new play
begins.
"""

from __future__ import annotations

import io
import os
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from companion.core.autoplay import any_answer
from companion.core.binder import Binder
from companion.core.entries import encode_entry
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.session import Session
from companion.core.sqlite_file import default_path
from companion.core.store import Store
from companion.errors import NotNow, PlayerTrouble
from companion.table.signals import Outcome, PlayNow
from workshop.fault_injection.desk_session import BEGIN, any_setup


def tell(play: int, session: Session) -> None:
    """Print that this is confirmed."""
    if session.last is not None:
        say(f"{play} {session.entries} {encode_entry(session.last).decode()}")


def say(line: str) -> None:
    """Write in one call: two threads may print, and a line cut off by a kill does not count."""
    os.write(1, f"{line}\n".encode())


def _open(journal: Journal, binder: Binder, random: Random) -> Play:
    running = journal.running()
    if running is not None:
        return Play.resume(running.id, journal, binder)
    rules, setup = any_setup(random)
    return Play.start(rules, setup, journal, binder, BEGIN)


def in_no_surface(path: Path, random: Random) -> None:
    """Directly on the play, without a surface: answers, corrections, undo, redo, pauses."""
    with Store(path) as store:
        play = _open(Journal(store), Binder(store), random)
        while not play.session.over or random.random() < 0.5:
            before = play.session
            _do_anything(play, random)
            if play.session is not before:
                tell(play.id, play.session)


def _do_anything(play: Play, random: Random) -> None:
    """Mostly an answer; sometimes a correction, an undo, a redo or a pause."""
    session, at = play.session, BEGIN + play.session.entries
    chance = random.random()
    try:
        if session.over or chance < 0.05:
            play.undo(random.randint(1, 4), at)
        elif chance < 0.09:
            play.redo(random.randint(1, 2), at)
        elif chance < 0.12 and session.counters():
            counter = random.choice(session.counters())
            play.correct(counter.id, random.randint(counter.low, counter.high), at, session.setup.seats[0])
        elif chance < 0.15:
            (play.unpause if session.paused else play.pause)(at)
        else:
            play.answer(any_answer(session, random), at)
    except NotNow:
        pass


def at_a_terminal(path: Path, random: Random) -> None:
    """Through the terminal's table: types numbers, and sometimes a word."""
    from companion.results.output import Output
    from companion.terminal.show import Shower
    from companion.terminal.table import TextTable

    with Store(path) as store:
        play = _open(Journal(store), Binder(store), random)
        seen = [play.session]

        def ask(prompt: str) -> str:
            if play.session is not seen[0]:
                seen[0] = play.session
                tell(play.id, play.session)
            return (
                random.choice(("undo", "pause", "redo", "score"))
                if random.random() < 0.1
                else str(random.randint(1, 6))
            )

        shown = io.StringIO()
        table = TextTable(
            play, Shower(Output(shown), "en"), ask, lambda: BEGIN + play.session.entries, random
        )
        while not play.session.over:
            try:
                table.run()
            except PlayerTrouble:
                continue


# The window


def load_window() -> None:
    """Load everything a window needs, and the window itself."""
    from companion.ui import start

    start.prepare(default_path(os.environ).parent)
    from companion import app  # noqa: F401


class RandomTaps:
    """Plays in the window, one deed per frame, and prints each entry as soon as it is confirmed."""

    def __init__(self, random: Random) -> None:
        self._random, self._play = random, 0

    def listen_to(self, app: Any) -> None:
        """Begin to listen."""
        app.desk.listen(self._opened)
        app.desk.listen_at_once(self._confirmed)

    def _opened(self, event: object) -> None:
        """Prints a play that was opened before we listened."""
        if isinstance(event, PlayNow):
            self._play = event.id
            tell(event.id, event.session)

    def _confirmed(self, event: object) -> None:
        if isinstance(event, PlayNow):
            self._play = event.id
            tell(event.id, event.session)
        elif isinstance(event, Outcome) and event.changed:
            tell(self._play, event.session)

    def step(self, app: Any) -> None:
        """Tap something."""
        if app.desk.play is None:
            return
        if app.desk.session.over:
            app.stop()
        elif self._random.random() < 0.1:
            app.undo()
        else:
            app.desk.propose(any_answer(app.desk.session, self._random))


def in_a_window(path: Path, random: Random) -> None:
    """Through the window's loop and the desk, by taps; after a kill it opens where it was."""
    load_window()
    from kivy.clock import Clock

    from companion import app as window
    from companion.app import CompanionApp
    from companion.table import open_play

    fingers = RandomTaps(random)

    def begin(app: CompanionApp) -> None:
        app.desk.for_now(camera="none")
        fingers.listen_to(app)
        stood = open_play.read(path.parent)
        if stood is not None:
            app.desk.resume(stood.play)
        else:
            app.desk.start(*any_setup(random))
        Clock.schedule_interval(lambda _: fingers.step(app), 0)

    window.run(begin, camera="none")


HOME = 12
"""Frames the window stays at home before a play is continued or begun."""


def as_a_service(path: Path, random: Random) -> None:
    """The whole program, as systemd starts it; prints its first message to people, then plays by taps."""
    load_window()
    from kivy.app import App
    from kivy.clock import Clock

    fingers, frames = RandomTaps(random), [0]

    def frame(_: float) -> None:
        app: Any = App.get_running_app()
        if app is None or not app.stack:
            return
        frames[0] += 1
        if frames[0] == 1:
            fingers.listen_to(app)
            say(f"told {app.message[0] if app.message else ''}")
        if app.desk.play is not None:
            fingers.step(app)
        elif frames[0] == HOME and app.desk.running is not None:
            app.desk.resume(app.desk.running.id)
        elif frames[0] == HOME:
            app.desk.start(*any_setup(random))

    Clock.schedule_interval(frame, 0)
    sys.argv = ["companion", "--language", "en"]
    runpy.run_module("companion", run_name="__main__", alter_sys=True)


SURFACES: dict[str, Callable[[Path, Random], Any]] = {
    "play": in_no_surface,
    "terminal": at_a_terminal,
    "window": in_a_window,
    "service": as_a_service,
}


def play(kind: str, random: Random) -> None:
    """Play in this way until killed."""
    SURFACES[kind](default_path(os.environ), random)
