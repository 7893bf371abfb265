"""Kill -9 at any moment of a terminal, a window, a service, and the keeper's window: a child plays and prints what is
confirmed.

The parent kills it, looks at the journal through a new handle, and lets another child go on with the same play.
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
from companion.keeper import FALLS
from companion.table import standing
from companion.torture.faults import Fault, NotHere, Ordeal, Survived, expect
from companion.torture.ledger import Ledger
from companion.torture.nursery import PATIENCE, Child, environ, nursery
from companion.torture.sitting import sitting
from companion.ui import start

LONGEST = {"play": 25, "terminal": 25, "window": 12, "service": 12}
"""Lines after which a child is killed at the latest."""

NURSERIES = {"play": "plain", "terminal": "plain", "window": "window", "service": "window"}
"""Where each kind of child is born."""

ENDS = {
    "plain": (signal.SIGKILL, signal.SIGKILL, signal.SIGKILL, signal.SIGINT, signal.SIGTERM),
    "window": (signal.SIGKILL,),
}
"""What ends a child; Ctrl-C is an exception in the middle of any line."""

SHARE = 4.0
"""Kills take longer than other faults, and only many of them say anything."""

KILLS = 8
"""So many, one after another, before another journal is begun."""

LIVES, CLOCKS = 5, 2
"""Falls at the table, each more than a minute after the last, until that is enough; entries that coming back writes:
the clocks stood still, and go on."""


def until_killed(child: Child, lines: int, random: Random, number: int = signal.SIGKILL) -> list[str]:
    """Send a child this signal a moment after so many lines; every line it could finish."""
    said = b""
    while said.count(b"\n") < lines:
        expect(select.select([child.said], [], [], PATIENCE)[0], f"a child said nothing for {PATIENCE} s")
        more = child.said.read1()  # type: ignore[attr-defined]
        if not more:
            break
        said += more
    for _ in range(random.randrange(60_000 if lines else 2_000_000)):
        pass  # not sleeping: moments shorter than the clock can wait for
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
    """After how many lines a child is killed: now and then before it has said anything."""
    return 0 if random.random() < 0.05 else random.randint(1, LONGEST[kind])


def kill_once(folder: Path, kind: str, random: Random, ledger: Ledger) -> tuple[int, int]:
    """One child, one kill, one look at the journal; how many entries it confirmed, and how many more there are."""
    number = random.choice(ENDS[NURSERIES[kind]])
    with nursery(NURSERIES[kind]).child(kind, folder, random.getrandbits(32)) as child:
        lines = until_killed(child, moment(kind, random), random, number)
        code = child.ended()
    expect(code in (0, -number), f"a {kind} ended with {code}")
    return settle(folder, lines, ledger)


def settle(folder: Path, lines: list[str], ledger: Ledger) -> tuple[int, int]:
    """Hold what a child confirmed against the journal; from then on that is what people know."""
    for line in lines:
        play, entries, body = line.split(" ", 2)
        ledger.confirm_entry(int(play), int(entries) - 1, body.encode())
    more = ledger.check(folder / "journal.db", under_way=True)
    ledger.take_over(folder / "journal.db")
    return len(lines), more


def killed(kind: str) -> Fault:
    """The same plays go on after every kill."""

    def attempt(ordeal: Ordeal) -> Survived:
        if NURSERIES[kind] == "window" and (lacking := start.lacking()):
            raise NotHere(" ".join(lacking))
        ledger = Ledger()
        for _ in range(KILLS):
            kill_once(ordeal.folder, kind, ordeal.random, ledger)
        return Survived(KILLS)

    return Fault(f"kill-{kind}", attempt, SHARE)


# The window under its keeper


def children(pid: int) -> list[int]:
    """The programs this one has started."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


@contextmanager
def program(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The companion as `./run` starts it, without words."""
    command = [sys.executable, "-P", "-m", "companion", "--language", "en"]
    with subprocess.Popen(command, env=environ(folder), stderr=subprocess.PIPE, text=True) as child:
        try:
            yield child
        finally:
            child.kill()


def _until(true: Callable[[], object], child: subprocess.Popen[str], what: str) -> None:
    """Wait until it is so."""
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
    """Kill the window until it comes back at home, for it fell twice within a minute; how many, and which was the last.

    Whether it was within a minute is asked of the program: a busy machine may take longer to open a window.
    """
    lives = window = 0
    while (stood := standing.read(folder)) is not None and lives < LIVES:
        lives, window = lives + 1, _kill_window(child, window)
        fell, last = time.time(), stood.again or 0.0
        _until(lambda stood=stood: standing.read(folder) != stood, child, "it comes back")  # type: ignore[misc]
        if (again := standing.read(folder)) is None:
            expect(fell - last < standing.SOON, "it fell once within a minute, and is left at home")
        else:
            apart = (again.again or 0.0) - last
            expect(apart >= standing.SOON, f"it fell twice within {apart:.0f} s, and is at the table again")
    return lives, window


def _kill_until_it_ends(child: subprocess.Popen[str], before: int) -> int:
    """Kill every window as soon as it is born; how many there were until nobody opened another."""
    falls, end = 0, time.monotonic() + PATIENCE
    while child.poll() is None:
        expect(time.monotonic() < end, f"windows are opened for {PATIENCE} s, whatever becomes of them")
        if (born := children(child.pid)) not in ([], [before]):
            (before,) = born
            os.kill(before, signal.SIGKILL)
            falls += 1
        time.sleep(0.01)
    return falls


def _kept(ordeal: Ordeal) -> Survived:
    """The window dies at the table: it comes back there. Again within a minute: it comes back at home, then no more."""
    if lacking := start.lacking():
        raise NotHere(" ".join(lacking))
    ledger = Ledger()
    with sitting(ordeal.folder, ledger) as table:
        table.play(ordeal.random, 3)
        play = table.id
    standing.opened(ordeal.folder, play)

    def entries() -> int:
        with Store(ordeal.path) as store:
            return len(Journal(store).load(play).rows)

    before = entries()
    with program(ordeal.folder) as child:
        # it opens where it was, and lets the clocks go on
        _until(lambda: entries() > before, child, "the play goes on")
        lives, window = _kill_at_the_table(child, ordeal.folder)
        falls = lives + _kill_until_it_ends(child, window)
        _, said = child.communicate(timeout=PATIENCE)
    expect(child.returncode == 1, f"the program ended with {child.returncode}")
    expect("within a minute" in said, f"it said no more than {said!r}")
    expect(falls >= FALLS, f"it was not opened again after {falls} falls")
    expect(falls == FALLS or lives > 1, f"it was opened again after {falls - 1} falls within a minute")
    after = entries()
    expect(after - before <= CLOCKS * lives, f"{after - before} entries nobody gave")
    ledger.take_over(ordeal.path)
    ledger.check(ordeal.path)
    return Survived(falls)


FAULTS = (killed("play"), killed("terminal"), killed("window"), Fault("kill-kept", _kept))
