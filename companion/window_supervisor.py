"""Restarts the window when it crashes: the process people started only waits; the window runs in a child
process.

A service manager that monitors the program (`NOTIFY_SOCKET`) restarts it itself, so no process is put in
between.
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
from typing import Any

from companion.core.words import Text, count, say
from companion.errors import BUG, DEVICE
from companion.ui import start

CRASHES, WITHIN = 3, 60.0
"""After this many crashes within this many seconds it is not restarted."""

LIVED = 10.0
"""Seconds; a window that fails with exit code `BUG` after at least this time had been usable, so it is restarted."""

DEADLY = {
    signal.SIGSEGV,
    signal.SIGBUS,
    signal.SIGABRT,
    signal.SIGILL,
    signal.SIGFPE,
    signal.SIGSYS,
    signal.SIGKILL,
}
"""Signals that mean a crash, not a request to end; SIGKILL is also what a machine short of memory sends."""

DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG

crashes = 0
"""How often the window crashed before this one was opened."""
kept = False
"""Whether we already are the supervised child."""


def supervise(clock: Callable[[], float] = time.monotonic) -> int | None:
    """Returns None in the process that should open the window; in the waiting process it returns the final
    exit code."""
    global crashes, kept
    if kept or "NOTIFY_SOCKET" in os.environ:
        return None
    recent: deque[float] = deque()
    shown = _has_display()
    with _EndRequests() as orders:
        while True:
            began = clock()
            sys.stdout.flush()
            sys.stderr.flush()
            parent, child = os.getpid(), orders.fork()
            if child == 0:
                kept = True
                _die_with_parent(parent)
                return None
            status = _wait_for(child)
            lived = clock() - began
            if orders.last is not None and died(status, lived):  # before it could obey
                return _ended(-orders.last)
            if shown and died(status, LIVED) and not _has_display():  # a new window could not be seen
                _say(say("cli.display-gone"))
                return DEVICE
            if not died(status, lived):
                return _ended(status)
            crashes += 1
            recent.append(clock())
            while recent[0] <= recent[-1] - WITHIN:
                recent.popleft()
            if len(recent) >= CRASHES:
                _say(count("cli.window-crashed", len(recent)))
                return BUG


class _EndRequests:
    """Requests to end, from the first window to the last: they are passed on to the window and remembered.

    A terminal sends Ctrl-C to the window as well, so we ignore it here.
    """

    ENDING = (signal.SIGTERM, signal.SIGHUP)

    def __init__(self) -> None:
        self.last: int | None = None
        self._child = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> _EndRequests:
        for number in self.ENDING:
            self._before[number] = signal.signal(number, self._pass_on)
        self._before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.SIG_IGN)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def fork(self) -> int:
        """Like `os.fork`; no signal is lost meanwhile, and the child gets the original handlers."""
        signal.pthread_sigmask(signal.SIG_BLOCK, self.ENDING)
        try:
            self._child = os.fork()
            if self._child == 0:
                self.__exit__()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, self.ENDING)
        if self._child and self.last is not None:
            _send(self._child, self.last)
        return self._child

    def _pass_on(self, number: int, _: object) -> None:
        self.last = number
        if self._child:
            _send(self._child, number)


def _has_display() -> bool:
    return start.has_display(os.environ) and start.answers(os.environ)


def died(status: int, lived: float) -> bool:
    """Whether a program with this status, after this many seconds, crashed rather than was closed."""
    if status < 0:
        return -status in DEADLY
    return status == BUG and lived >= LIVED


def _wait_for(child: int) -> int:
    """How the child ended: its exit code, or the signal as a negative number."""
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _send(child: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(child, number)


def _ended(status: int) -> int:
    """End as the child did, so that our parent sees the same."""
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return abs(status)


def _die_with_parent(parent: int) -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:  # the parent died before prctl took effect, so nothing would ever end us
        os.kill(os.getpid(), signal.SIGKILL)


def _say(text: Text) -> None:
    from companion.texts import render, usual_language

    print(render(text, usual_language()), file=sys.stderr)
