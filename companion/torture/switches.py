"""Threads that change places in the middle of a line, at moments nobody would meet by waiting for them.

Python itself changes threads only now and then, even in the greatest hurry. Here every step of our own code where
threads meet may hold its thread back until the others have gone on for a while, as a busy machine would.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
WATCHED = ("companion/table/", "vision/worker.py", "vision/camera_watch.py")
"""Where threads meet: docs/architecture.md, "What crosses threads"."""

OFTEN = 0.1
"""How often a step holds its thread back when it is taken for the first time, and then more and more seldom: so every
step there is has its turn, and not only those that are taken all the time."""
FARTHEST = 400
"""So many steps of others at most, meanwhile."""
PATIENCE = 0.005
"""Seconds after which there are no others that could go on."""


class Switches:
    """Holds threads back, each at moments of its own chance."""

    def __init__(self, seed: int, often: float) -> None:
        self._random, self._often = Random(seed), often
        self._watched: dict[str, bool] = {}
        self._steps = 0
        self._taken: dict[tuple[CodeType, int], int] = {}
        self.times = 0
        """How often a thread was held back."""

    def called(self, frame: FrameType, event: str, given: Any) -> Any:
        """Follow what is called if it is where threads meet."""
        file = frame.f_code.co_filename
        watched = self._watched.get(file)
        if watched is None:
            inside = file.removeprefix(f"{ROOT}/")
            watched = self._watched[file] = inside.startswith(WATCHED)
        if not watched:
            return None
        frame.f_trace_opcodes = True
        return self._step

    def _step(self, frame: FrameType, event: str, given: Any) -> Any:
        if event == "opcode":
            self._steps += 1
            step = (frame.f_code, frame.f_lasti)
            taken = self._taken[step] = self._taken.get(step, 0) + 1
            if self._random.random() * taken < self._often:
                self._hold_back()
        return self._step

    def _hold_back(self) -> None:
        self.times += 1
        others, end = self._steps + self._random.randrange(1, FARTHEST), time.monotonic() + PATIENCE
        while self._steps < others and time.monotonic() < end:
            time.sleep(0.0004)


@contextmanager
def switched(seed: int, often: float = OFTEN) -> Iterator[Switches]:
    """Every thread that is started within changes places with the others in the middle of our lines, and so do we."""
    switches, before = Switches(seed, often), sys.gettrace()
    threading.settrace(switches.called)
    sys.settrace(switches.called)
    try:
        yield switches
    finally:
        sys.settrace(before)
        threading.settrace(before)
