"""Lets every call of a write fail in turn, and compares the reported result with the file afterwards.

    LD_PRELOAD=SHIM python -m tests.failing_calls SHIM STEP WAY...     prints JSON, one line for each way to fail

`build` makes the shim from `failing_calls.c`. STEP 1 tries every call, STEP 7 every seventh.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.core.binder import Binder, Taught
from companion.core.journal import Journal
from companion.core.store import Store
from companion.errors import StorageTrouble

SOURCE = Path(__file__).with_suffix(".c")
FILES, MEMORY = 1, 2
NEVER = 1 << 30
WAYS = {
    "a file call, once (EIO)": (FILES, 1, errno.EIO),
    "a file call and all after it (EIO)": (FILES, NEVER, errno.EIO),
    "a file call, once (ENOSPC)": (FILES, 1, errno.ENOSPC),
    "an allocation, once": (MEMORY, 1, errno.ENOMEM),
    "an allocation and the 20 after it": (MEMORY, 21, errno.ENOMEM),
}
KEPT, REFUSED, UNSURE, CRASHED = "told as kept", "told as refused", "told that nobody can say", "crashed"
QUICK = tuple(way for way, (_, times, _) in WAYS.items() if times == 1)
"""Those that need no patience: on a disk that stays broken SQLite tries again for seconds."""
LIES = "lies"
"""What was told is not what is there, or only half of it is."""

FACT = Taught(game="lantern", component="moth", field="light", value=3, at=5.0)


def build(folder: Path) -> Path | None:
    """The shim; none where there is no C compiler, or nothing can be put before a program's own calls."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        return None
    shim = folder / "failing_calls.so"
    command = [compiler, "-O1", "-shared", "-fPIC", "-o", shim, SOURCE, "-ldl"]
    return shim if subprocess.run(command, capture_output=True).returncode == 0 else None


def sweep(shim: Path, step: int, ways: Sequence[str] = tuple(WAYS)) -> list[dict[str, Any]]:
    """What came of it, for each moment of a write and each way to fail."""
    environ = {**os.environ, "LD_PRELOAD": str(shim), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "tests.failing_calls", str(shim), str(step), *ways]
    done = subprocess.run(command, env=environ, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


# In the process with the shim


def write(store: Store, play: int) -> None:
    """An answer that teaches something, as a play writes it."""
    journal, binder = Journal(store), Binder(store)
    with journal.together():
        journal.append(play, 1, 5.0, b"{}")
        binder.keep((FACT,))


MOMENTS: dict[str, Callable[[Store, int], None]] = {
    "the first write after a start": lambda store, play: None,
    "a later write": lambda store, play: Binder(store).teach("race", "gem-world", "cost", 5, 2.0),
}
"""What has been done before the write that fails."""


def attempt(
    path: Path, play: int, before: Callable[[Store, int], None], shim: Any, how: tuple[int, int, int, int]
) -> tuple[str, int]:
    """In a child: what it was told, and how many calls there were. It ends as if killed."""
    kind, n, times, code = how
    read, tell = os.pipe()
    child = os.fork()
    if child == 0:
        store = Store(path, patience=0.0)
        before(store, play)
        shim.arm(kind, n, times, code)
        try:
            write(store, play)
            word = KEPT
        except StorageTrouble as trouble:
            word = UNSURE if trouble.text.key == "storage.unsure" else REFUSED
        except BaseException:
            word = CRASHED
        shim.disarm()
        os.write(tell, f"{word}|{shim.calls(kind)}".encode())
        if n % 2:  # every other one closes its file
            store.close()
        os._exit(0)
    os.close(tell)
    with os.fdopen(read) as told:
        word, _, calls = told.read().partition("|")
    os.waitpid(child, 0)
    return word or CRASHED, int(calls or 0)


def is_there(path: Path, play: int) -> bool | None:
    """Whether what was written is in the file; None for half of it."""
    with Store(path) as store:
        entries, facts = len(Journal(store).entries(play)), Binder(store).facts("lantern")
    assert entries in (1, 2)
    return None if (entries == 2) != (facts == {"moth.light": 3}) else entries == 2


def failures(shim: Any, step: int, ways: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Every way to fail at every moment, with how often what was told."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Store(folder / "whole" / "journal.db") as store:
            play = Journal(store).create(b"{}", "lantern", "Ania, Bartek", 0.0)
            Journal(store).append(play, 0, 1.0, b"{}")
        for moment, before in MOMENTS.items():
            for way in ways:
                kind, times, code = WAYS[way]
                found: Counter[str] = Counter()
                wrong: list[str] = []
                n, calls = 0, 1
                while n < calls:
                    shutil.rmtree(folder / "tried", ignore_errors=True)
                    shutil.copytree(folder / "whole", folder / "tried")
                    path = folder / "tried" / "journal.db"
                    if n == 0:
                        _, calls = attempt(path, play, before, shim, (kind, NEVER, 1, code))
                        shutil.rmtree(folder / "tried")
                        shutil.copytree(folder / "whole", folder / "tried")
                    word, _ = attempt(path, play, before, shim, (kind, n, times, code))
                    there = is_there(path, play)
                    found[word] += 1
                    if there is None or there != {KEPT: True, REFUSED: False}.get(word, there):
                        wrong.append(f"call {n}: {word}, there: {there}")
                    n += step
                yield {"moment": moment, "way": way, "calls": calls, "told": dict(found), LIES: wrong}


if __name__ == "__main__":
    for line in failures(ctypes.CDLL(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]):
        print(json.dumps(line), flush=True)
