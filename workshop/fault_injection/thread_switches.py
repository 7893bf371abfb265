"""Forces thread switches in the middle of a line, at moments that chance alone would almost never hit.

Python switches threads only now and then, even at its shortest interval. Here every step of our own code
where threads meet may delay its thread until the others have gone on for a while, as on a busy machine.
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
WATCHED = ("companion/table/", "vision/worker.py", "vision/camera_health.py")
"""Where threads meet: docs/architecture.md, "What crosses threads"."""

OFTEN = 0.1
"""How often a step delays its thread the first time it is reached, and then ever more rarely: so every step
gets its turn, not only the frequent ones."""
FARTHEST = 400
"""At most this many steps of other threads during a delay."""
PATIENCE = 0.005
"""Seconds after which we assume that no other thread can go on."""


class Switches:
    """Delays threads at random moments."""

    def __init__(self, seed: int, often: float) -> None:
        self._random, self._often = Random(seed), often
        self._watched: dict[str, bool] = {}
        self._steps = 0
        self._taken: dict[tuple[CodeType, int], int] = {}
        self.times = 0
        """How often a thread was delayed."""

    def called(self, frame: FrameType, event: str, given: Any) -> Any:
        """Trace a called function if it is in `WATCHED`."""
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
    """Every thread started within, and our own, is switched in the middle of our lines."""
    switches, before = Switches(seed, often), sys.gettrace()
    threading.settrace(switches.called)
    sys.settrace(switches.called)
    try:
        yield switches
    finally:
        sys.settrace(before)
        threading.settrace(before)
