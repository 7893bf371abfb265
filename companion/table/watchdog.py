"""Telling the system that started us that we are there and alive: systemd's protocol, without its library.

Only a round trip counts as a sign of life: the window asks the clerk for nothing at all, and what he gives back to the
window is the sign. A window that hangs asks no more, a clerk who hangs does not answer, and either way the system
hears nothing and starts us anew; every confirmed answer is in the journal.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from companion.table.background import Clerk

OFTEN = 4
"""So many signs of life are given within the time after which the system would lose patience."""


class Watchdog:
    """Tells systemd, if it asks to be told, that the window is there, that it lives, and that it ends.

    Everything here happens in the window's thread.
    """

    def __init__(
        self, environ: Mapping[str, str] = os.environ, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._address = _address(environ.get("NOTIFY_SOCKET", ""))
        self._every = _patience(environ) / OFTEN
        self._clock = clock
        self._next = clock()
        self._waiting = False

    def ready(self) -> None:
        """The first picture is on the screen."""
        self._tell("READY=1")

    def stopping(self) -> None:
        """We were asked to end, and do."""
        self._tell("STOPPING=1")

    def tick(self, clerk: Clerk) -> None:
        """Now and then, a round trip to the clerk and back."""
        if self._address is None or not self._every or self._waiting or self._clock() < self._next:
            return
        self._next, self._waiting = self._clock() + self._every, True
        clerk.do(lambda *_: None, self._alive, self._alive)

    def _alive(self, _: Any) -> None:
        self._waiting = False
        self._tell("WATCHDOG=1")

    def _tell(self, words: str) -> None:
        if self._address is None:
            return
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)  # nobody waits for a system that does not listen
            line.sendto(words.encode(), self._address)


def _address(given: str) -> str | None:
    """Where the system listens: a file, or a name without one, which begins with an @."""
    if given[:1] not in ("/", "@"):
        return None
    return "\0" + given[1:] if given.startswith("@") else given


def _patience(environ: Mapping[str, str]) -> float:
    """Seconds after which the system takes silence for death; 0 where it does not care."""
    try:
        meant = int(environ.get("WATCHDOG_PID", os.getpid())) == os.getpid()
        return int(environ.get("WATCHDOG_USEC", "0")) / 1e6 if meant else 0.0
    except ValueError:
        return 0.0
