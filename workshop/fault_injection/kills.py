"""Kill -9 at any moment of a terminal, a window, a service, and the supervised window: a child plays and
prints what is confirmed.

The parent kills it, checks the journal through a new handle, and lets another child continue the same play.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from companion.core.journal import Journal
from companion.core.store import Store
from companion.table import open_play
from companion.ui import start
from companion.window_supervisor import CRASHES
from workshop.fault_injection.child_processes import PATIENCE, Child, environ, fork_server
from workshop.fault_injection.desk_session import desk_session
from workshop.fault_injection.faults import Fault, FaultTrial, NotHere, Survived, expect
from workshop.fault_injection.ledger import Ledger

LONGEST = {"play": 25, "terminal": 25, "window": 12, "service": 12}
"""Lines after which a child is killed at the latest."""

SERVERS = {"play": "plain", "terminal": "plain", "window": "window", "service": "window"}
"""Which server forks each kind of child."""

ENDS = {
    "plain": (signal.SIGKILL, signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM),
    "window": (signal.SIGKILL,),
}
"""The signals that end a child; Ctrl-C raises an exception in the middle of any line."""

SHARE = 4.0
"""Kills take longer than other faults, and only many of them are conclusive."""

KILLS = 8
"""Kills in a row before a new journal is begun."""

LIVES, CLOCKS = 5, 2
"""Crashes at the table, each more than a minute after the last, until that is enough; and the entries written
when a play comes back: the clocks stopped, and run again."""


def until_killed(child: Child, lines: int, random: Random, number: int = signal.SIGKILL) -> list[str]:
    """Send a child this signal a moment after so many lines; returns every line it finished."""
    said = b""
    while said.count(b"\n") < lines:
        expect(select.select([child.said], [], [], PATIENCE)[0], f"a child said nothing for {PATIENCE} s")
        more = child.said.read1()  # type: ignore[attr-defined]
        if not more:
            break
        said += more
    for _ in range(random.randrange(60_000 if lines else 2_000_000)):
        pass  # busy wait: shorter than any sleep
    child.send(number)
    end = time.monotonic() + PATIENCE
    while True:
        left = end - time.monotonic()
        over = left < 0 or not select.select([child.said], [], [], left)[0]
        expect(not over, f"a child goes on {PATIENCE} s after signal {number}")
        more = child.said.read1()  # type: ignore[attr-defined]
        if not more:
            break
        said += more
    return said.decode().split("\n")[:-1]


def moment(kind: str, random: Random) -> int:
    """After how many lines a child is killed: sometimes before it has printed anything."""
    return 0 if random.random() < 0.05 else random.randint(1, LONGEST[kind])


def kill_once(folder: Path, kind: str, random: Random, ledger: Ledger) -> tuple[int, int]:
    """One child, one kill, one check of the journal; returns how many entries were confirmed, and how many
    more there are."""
    number = random.choice(ENDS[SERVERS[kind]])
    with fork_server(SERVERS[kind]).child(kind, folder, random.getrandbits(32)) as child:
        lines = until_killed(child, moment(kind, random), random, number)
        code = child.ended()
    expect(code in (0, -number), f"a {kind} ended with {code}")
    return check_confirmed(folder, lines, ledger)


def check_confirmed(folder: Path, lines: list[str], ledger: Ledger) -> tuple[int, int]:
    """Check the journal against what a child confirmed; from then on its contents count as confirmed."""
    for line in lines:
        play, entries, body = line.split(" ", 2)
        ledger.confirm_entry(int(play), int(entries) - 1, body.encode())
    more = ledger.check(folder / "journal.db", under_way=True)
    ledger.take_over(folder / "journal.db")
    return len(lines), more


def killed(kind: str) -> Fault:
    """A fault that kills again and again while the same plays go on."""

    def attempt(trial: FaultTrial) -> Survived:
        if SERVERS[kind] == "window" and (lacking := start.lacking()):
            raise NotHere(" ".join(lacking))
        ledger = Ledger()
        for _ in range(KILLS):
            kill_once(trial.folder, kind, trial.random, ledger)
        return Survived(KILLS)

    return Fault(f"kill-{kind}", attempt, SHARE)


# The window under its supervisor


def children(pid: int) -> list[int]:
    """The child processes of this one."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


@contextmanager
def program(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The companion as `./run` starts it, without arguments."""
    command = [sys.executable, "-P", "-m", "companion", "--language", "en"]
    with subprocess.Popen(command, env=environ(folder), stderr=subprocess.PIPE, text=True) as child:
        try:
            yield child
        finally:
            child.kill()


def _until(true: Callable[[], object], child: subprocess.Popen[str], what: str) -> None:
    """Wait until this is true."""
    end = time.monotonic() + PATIENCE
    while not true():
        expect(child.poll() is None, f"{what}: the program ended with {child.returncode}")
        expect(time.monotonic() < end, f"{what}: not within {PATIENCE} s")
        time.sleep(0.05)


def _kill_window(child: subprocess.Popen[str], before: int) -> int:
    """Kill the window that was opened after this one."""
    _until(lambda: children(child.pid) not in ([], [before]), child, "a window is opened")
    (window,) = children(child.pid)
    os.kill(window, signal.SIGKILL)
    return window


def _kill_at_the_table(child: subprocess.Popen[str], folder: Path) -> tuple[int, int]:
    """Kill the window until it comes back at home, because it crashed twice within a minute; returns how many
    windows were killed, and the last one.

    The program itself says whether it was within a minute: a busy machine may take longer to open a window.
    """
    lives = window = 0
    while (stood := open_play.read(folder)) is not None and lives < LIVES:
        lives, window = lives + 1, _kill_window(child, window)
        crashed_at, last = time.time(), stood.again or 0.0
        _until(lambda stood=stood: open_play.read(folder) != stood, child, "it comes back")  # type: ignore[misc]
        if (again := open_play.read(folder)) is None:
            expect(crashed_at - last < open_play.SOON, "it crashed once within a minute, and is left at home")
        else:
            apart = (again.again or 0.0) - last
            expect(
                apart >= open_play.SOON, f"it crashed twice within {apart:.0f} s, and is at the table again"
            )
    return lives, window


def _kill_until_it_ends(child: subprocess.Popen[str], before: int) -> int:
    """Kill every window as soon as it starts; returns how many there were until no other was opened."""
    crashes, end = 0, time.monotonic() + PATIENCE
    while child.poll() is None:
        expect(time.monotonic() < end, f"windows are opened for {PATIENCE} s, whatever becomes of them")
        if (born := children(child.pid)) not in ([], [before]):
            (before,) = born
            os.kill(before, signal.SIGKILL)
            crashes += 1
        time.sleep(0.01)
    return crashes


def _kept(trial: FaultTrial) -> Survived:
    """The window crashes at the table: it comes back there. Again within a minute: it comes back at home,
    then not at all."""
    if lacking := start.lacking():
        raise NotHere(" ".join(lacking))
    ledger = Ledger()
    with desk_session(trial.folder, ledger) as table:
        table.play(trial.random, 3)
        play = table.id
    open_play.opened(trial.folder, play)

    def entries() -> int:
        with Store(trial.path) as store:
            return len(Journal(store).load(play).rows)

    before = entries()
    with program(trial.folder) as child:
        # it opens where it was, and resumes the clocks
        _until(lambda: entries() > before, child, "the play goes on")
        lives, window = _kill_at_the_table(child, trial.folder)
        # one window more came back at the table if that was enough of them: it may write before it is killed
        resumed = lives + (open_play.read(trial.folder) is not None)
        crashes = lives + _kill_until_it_ends(child, window)
        _, said = child.communicate(timeout=PATIENCE)
    expect(child.returncode == 1, f"the program ended with {child.returncode}")
    expect("within a minute" in said, f"it said no more than {said!r}")
    expect(crashes >= CRASHES, f"it was not opened again after {crashes} crashes")
    expect(
        crashes == CRASHES or lives > 1, f"it was opened again after {crashes - 1} crashes within a minute"
    )
    after = entries()
    expect(after - before <= CLOCKS * resumed, f"{after - before} invented entries")
    ledger.take_over(trial.path)
    ledger.check(trial.path)
    return Survived(crashes)


FAULTS = (killed("play"), killed("terminal"), killed("window"), Fault("kill-kept", _kept))
