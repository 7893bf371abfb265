"""Many tables in one process: real rules and journals, bots, and each table's own side of its hall.

    python -m tests.hall.table_group FOLDER

The folder has `group.json`, and a folder with credentials for each table. A table begins a play when the hall
assigns players to it, and all of them confirm its result; after SIGUSR1 nobody plays any more. Each deed is written
down in `deeds-*.jsonl`: when it was in the journal, by a clock that all processes share, and what the board should
show of it.
"""

from __future__ import annotations

import heapq
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import msgspec
from msgspec import Struct

from companion.core import autoplay
from companion.core.binder import Binder
from companion.core.game import Setup, games
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.questions import Answer
from companion.core.session import Session
from companion.core.store import Store
from companion.hall_messages import Assignment
from companion.table.assigned_seats import names_of
from companion.table.hall_side import HallSide
from companion.table.settings import Settings
from companion.table.signals import Done, Outcome, PlayNow
from tests.hall.wired import NoPublisher

STOPPED = threading.Event()
PAUSES, UNDONE = 0.02, 0.04
"""How many deeds are a pause, and how many of the others an undo with a redo after it."""


class GroupPlan(Struct):
    """What a process with tables is told."""

    game: str
    tables: dict[str, float]
    """By name: how wrong the clock is."""
    pace: float
    """Seconds between two deeds of a table, on average."""
    slow: float
    """How much slower three of four tables are."""
    seed: int
    threads: int = 2


def face(session: Session) -> tuple[Any, ...]:
    """What the board shows of a table."""
    live = not session.paused and not session.over
    seats = tuple((seat.points, bool(seat.waiting and live)) for seat in session.view.seats)
    return session.view.round, seats


class BotTable:
    """One table. Everything but `hall_says` runs in its clerk's thread."""

    def __init__(self, folder: Path, wrong: float, group: GroupPlan, clerk: GroupClerk) -> None:
        self.name, self.wrong, self.group, self.clerk = folder.name, wrong, group, clerk
        self.random = Random(f"{group.seed}/{folder.name}/{time.monotonic()}")
        store = Store(folder / "journal.db")
        self.journal, self.binder = Journal(store), Binder(store)
        self.play: Play | None = None
        slow = crc32(folder.name.encode()) % 4
        self.pace = group.pace * (group.slow if slow else 1)
        self.answers: list[Answer] = []
        """What the bots answer in this play, undone or not."""
        self.plays = 0
        self.side = HallSide(
            folder,
            Settings(),
            lambda job: clerk.do(lambda: job(self.journal)),
            lambda job: job(),
            self.wall,
            publisher=NoPublisher(folder),
        )
        self.side.changed = self.hall_says

    def wall(self) -> float:
        """The table's own clock."""
        return time.time() + self.wrong

    def begin(self) -> None:
        """The app starts: the last play goes on."""
        if plays := self.journal.plays():
            self.plays = len(plays)
            self._open(Play.resume(plays[-1].id, self.journal, self.binder))
            assert self.play is not None
            if not self.play.session.over:
                self._do(lambda play, at: play.reopen(at))
        self.side.start()
        self.clerk.later(self, self.random.uniform(0, 2 * self.pace))

    def hall_says(self) -> None:
        """In the thread of the table's side: there are new players, or a result to confirm."""
        assignment, result = self.side.now.assignment, self.side.now.result
        if assignment is not None and assignment.players:
            self.clerk.do(lambda: self._sit_down(assignment))
        if result is not None:
            for seat in result.open:
                self.side.confirm(seat, True)

    def _sit_down(self, assignment: Assignment) -> None:
        if self.plays >= assignment.round or (self.play is not None and not self.play.session.over):
            return
        self.plays += 1
        game = games()[self.group.game]
        setup = game.agreed(Setup(self.group.game, names_of(assignment)))
        self._open(Play.start(game, setup, self.journal, self.binder, self.wall()))
        self.clerk.later(self, self.random.uniform(0, 2 * self.pace))

    def _open(self, play: Play) -> None:
        self.play, session = play, play.session
        seed = crc32(f"{self.group.seed}/{self.name}/{play.id}".encode())
        self.answers = [answer for _, answer in autoplay.play(session.game, session.setup, seed) if answer]
        self.clerk.note(self, play)
        self.side.hear(PlayNow(play.id, play.session, ()))

    def deed(self) -> None:
        """Somebody does something."""
        if self.play is None or self.play.session.over:
            return
        chance = self.random.random()
        if chance < PAUSES:
            self._do(lambda play, at: play.pause(at))
            self._do(lambda play, at: play.unpause(at))
        elif chance < PAUSES + UNDONE and len(self.play.session.moments) > 2:
            self._do(lambda play, at: play.undo(1, at))
            self._do(lambda play, at: play.redo(1, at))
        elif self.play.session.ahead:  # the power was cut between the two
            self._do(lambda play, at: play.redo(1, at))
        else:
            answer = self.answers[len(self.play.session.moments) - 1]
            self._do(lambda play, at: play.answer(answer, at))
        self.clerk.later(self, self.random.uniform(0, 2 * self.pace))

    def _do(self, deed: Callable[[Play, float], object]) -> None:
        assert self.play is not None
        before = self.play.session
        deed(self.play, self.wall())
        self.clerk.note(self, self.play)
        self.side.hear(Outcome(None, Done(), before, self.play.session, ()))


class GroupClerk(threading.Thread):
    """The thread to which the journals of some tables belong."""

    def __init__(self, notes: Path) -> None:
        super().__init__(daemon=True)
        self._jobs: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self._due: list[tuple[float, str, BotTable]] = []
        self._notes = notes.open("a", buffering=1)

    def do(self, job: Callable[[], object]) -> None:
        """Do this soon; any thread may ask."""
        self._jobs.put(job)

    def later(self, table: BotTable, seconds: float) -> None:
        """The next deed of this table."""
        heapq.heappush(self._due, (time.monotonic() + seconds, table.name, table))

    def note(self, table: BotTable, play: Play) -> None:
        """This is in the journal now."""
        at, session = time.monotonic(), play.session
        row = (at, table.name, play.id, session.entries, face(session))
        self._notes.write(msgspec.json.encode(row).decode() + "\n")

    def run(self) -> None:
        while True:
            wait = max(0.0, self._due[0][0] - time.monotonic()) if self._due else None
            with suppress(queue.Empty):
                self._jobs.get(timeout=wait)()
                continue
            table = heapq.heappop(self._due)[2]
            if not STOPPED.is_set():
                table.deed()


def main() -> None:
    def broken(told: threading.ExceptHookArgs) -> None:
        threading.__excepthook__(told)
        os._exit(1)

    threading.excepthook = broken
    signal.signal(signal.SIGUSR1, lambda *_: STOPPED.set())
    folder = Path(sys.argv[1])
    group = msgspec.json.decode((folder / "group.json").read_bytes(), type=GroupPlan)
    clerks = [GroupClerk(folder / f"deeds-{n}.jsonl") for n in range(group.threads)]
    for n, (name, wrong) in enumerate(group.tables.items()):
        clerk = clerks[n % len(clerks)]
        clerk.do(BotTable(folder / name, wrong, group, clerk).begin)
    for clerk in clerks:
        clerk.start()
    while True:
        signal.pause()


if __name__ == "__main__":
    main()
