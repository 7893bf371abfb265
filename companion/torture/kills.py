"""Kill -9 at any moment of a terminal, a window, and the keeper's window: a child plays and prints what is confirmed.

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
from companion.table import standing
from companion.torture.faults import Fault, NotHere, Ordeal, Survived, expect
from companion.torture.ledger import Ledger
from companion.torture.sitting import sitting
from companion.ui import start

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300.0
"""Seconds without a word after which a child is taken for dead."""

LONGEST = {"play": 25, "terminal": 25, "window": 12}
"""Lines after which a child is killed at the latest."""


def environ(folder: Path) -> dict[str, str]:
    """What a child finds around it: a home of its own, and a window nobody paints."""
    usual = {k: v for k, v in os.environ.items() if not k.startswith(("SDL_", "KIVY_", "COMPANION_"))}
    usual.pop("NOTIFY_SOCKET", None)
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    unseen = {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy", "KIVY_GL_BACKEND": "mock"}
    return {**usual, **unseen, "COMPANION_HOME": str(folder), "PYTHONPATH": path, "LANG": "C.UTF-8"}


def run_until_killed(folder: Path, kind: str, random: Random) -> tuple[list[str], bool]:
    """Every line a child could finish before it was killed, and whether it had ended by itself."""
    wanted = 0 if random.random() < 0.05 else random.randint(1, LONGEST[kind])
    spin = random.randrange(2_000_000 if not wanted else 60_000)
    command = [sys.executable, "-P", "-m", "companion.torture.players", kind, str(random.getrandbits(32))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environ(folder)) as child:
        assert child.stdout is not None
        said = b""
        while said.count(b"\n") < wanted:
            if not select.select([child.stdout], [], [], PATIENCE)[0]:
                child.kill()
                expect(False, f"a {kind} said nothing for {PATIENCE} s")
            more = child.stdout.read1()  # type: ignore[attr-defined]
            if not more:
                break
            said += more
        for _ in range(spin):
            pass  # not sleeping: moments shorter than the clock can wait for
        child.kill()
        said += child.stdout.read()
    expect(child.returncode in (0, -signal.SIGKILL), f"a {kind} ended with {child.returncode}")
    return said.decode().split("\n")[:-1], child.returncode == 0


def kill_once(folder: Path, kind: str, random: Random, ledger: Ledger) -> tuple[int, int]:
    """One child, one kill, one look at the journal; how many entries it confirmed, and how many more there are."""
    lines, _ = run_until_killed(folder, kind, random)
    for line in lines:
        play, entries, body = line.split(" ", 2)
        ledger.confirm_entry(int(play), int(entries) - 1, body.encode())
    more = ledger.check(folder / "journal.db", under_way=True)
    ledger.take_over(folder / "journal.db")
    return len(lines), more


def killed(kind: str, kills: int) -> Fault:
    """The same plays go on after every kill."""

    def attempt(ordeal: Ordeal) -> Survived:
        if kind == "window" and (lacking := start.lacking()):
            raise NotHere(" ".join(lacking))
        ledger = Ledger()
        for _ in range(kills):
            kill_once(ordeal.folder, kind, ordeal.random, ledger)
        return Survived(kills)

    return Fault(f"kill-{kind}", attempt)


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


def _until(true: Callable[[], object], child: subprocess.Popen[str]) -> None:
    """Wait for it."""
    end = time.monotonic() + PATIENCE
    while not true():
        expect(child.poll() is None, f"the program ended with {child.returncode}")
        expect(time.monotonic() < end, "the window never came back")
        time.sleep(0.05)


def _kill_window(child: subprocess.Popen[str], before: int) -> int:
    """Kill the window that was opened after this one."""
    _until(lambda: children(child.pid) not in ([], [before]), child)
    (window,) = children(child.pid)
    os.kill(window, signal.SIGKILL)
    return window


def _kept(ordeal: Ordeal) -> Survived:
    """The window dies at the table: it comes back there. Again at once: it comes back at home, then no more."""
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
        _until(lambda: entries() >= before + 1, child)  # it opened where it was, and let the clocks go on
        first = _kill_window(child, 0)
        _until(lambda: standing.read(ordeal.folder) is None, child)  # twice within a minute: people decide
        _kill_window(child, _kill_window(child, first))
        _, said = child.communicate(timeout=PATIENCE)
    expect(child.returncode == 1, f"the program ended with {child.returncode}")
    expect("within a minute" in said, f"it said no more than {said!r}")
    after = entries()
    expect(after - before <= 4, f"{after - before} entries nobody gave")
    return Survived(3)


FAULTS = (killed("play", 2), killed("terminal", 2), killed("window", 2), Fault("kill-kept", _kept))
