"""Opens the window again when it dies. The process people started only waits; the window lives in a child of it.

A service that is told how its program is doing (`NOTIFY_SOCKET`) starts it again itself and wants no one between.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress

FALLS, WITHIN = 3, 60.0
"""After so many falls within so many seconds it is not tried again."""

LIVED = 10.0
"""Seconds after which a window that ended with an error of its own was one people had seen."""

BUG = 1
DEADLY = {
    signal.SIGSEGV,
    signal.SIGBUS,
    signal.SIGABRT,
    signal.SIGILL,
    signal.SIGFPE,
    signal.SIGSYS,
    signal.SIGKILL,
}
"""Signals nobody sends to a program that is to end in peace; the last is what a machine short of memory sends."""

DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG

falls = 0
"""How often the window died before this one was opened."""
kept = False
"""Whether somebody waits for us already."""


def stand_by(clock: Callable[[], float] = time.monotonic) -> int | None:
    """Nothing in the process that shall open the window; in the one that waits for it, in the end, the exit code."""
    global falls, kept
    if kept or "NOTIFY_SOCKET" in os.environ:
        return None
    recent: deque[float] = deque()
    while True:
        began = clock()
        sys.stdout.flush()
        sys.stderr.flush()
        parent, child = os.getpid(), os.fork()
        if child == 0:
            kept = True
            _die_with(parent)
            return None
        status = _wait_for(child)
        if not died(status, clock() - began):
            return _ended(status)
        falls += 1
        recent.append(clock())
        while recent[0] <= recent[-1] - WITHIN:
            recent.popleft()
        if len(recent) >= FALLS:
            _give_up(len(recent))
            return BUG


def died(status: int, lived: float) -> bool:
    """Whether a program that ended so, after so many seconds, fell rather than was closed."""
    if status < 0:
        return -status in DEADLY
    return status == BUG and lived >= LIVED


def _wait_for(child: int) -> int:
    """How the child ended: its exit code, or the signal as a negative number. What ends us, ends the child."""
    before = {}
    for number in (signal.SIGTERM, signal.SIGHUP):
        before[number] = signal.signal(number, lambda number, _: _send(child, number))
    before[signal.SIGINT] = signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # a terminal sends it to the child, too
    try:
        _, status = os.waitpid(child, 0)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return os.waitstatus_to_exitcode(status)


def _send(child: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(child, number)


def _ended(status: int) -> int:
    """End as the child did: whoever waits for us shall see the same."""
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return abs(status)


def _die_with(parent: int) -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:  # it died before we could say so, and nobody would ever end us
        os.kill(os.getpid(), signal.SIGKILL)


def _give_up(times: int) -> None:
    from companion.core.words import count
    from companion.texts import render, usual_language

    print(render(count("cli.window-fell", times), usual_language()), file=sys.stderr)
