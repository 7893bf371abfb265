"""Tells systemd that we are ready and alive: its notification protocol, without its library.

Only a round trip counts as a sign of life: the window sends the clerk an empty job, and its return to the
window is the sign. If the window or the clerk hangs, systemd hears nothing and restarts us; every confirmed
answer is in the journal.
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
"""How many signs of life are sent within systemd's timeout."""


class Watchdog:
    """Tells systemd, if it asks for that, that the window is ready, alive, or ending.

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
        """The first frame is on the screen."""
        self._tell("READY=1")

    def stopping(self) -> None:
        """The program is ending as requested."""
        self._tell("STOPPING=1")

    def tick(self, clerk: Clerk) -> None:
        """Now and then, make a round trip to the clerk and back."""
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
            line.setblocking(False)  # never wait for a system that does not listen
            line.sendto(words.encode(), self._address)


def _address(given: str) -> str | None:
    """The socket of systemd: a path, or an abstract name, which begins with an @."""
    if given[:1] not in ("/", "@"):
        return None
    return "\0" + given[1:] if given.startswith("@") else given


def _patience(environ: Mapping[str, str]) -> float:
    """systemd's timeout in seconds; 0 if it has none."""
    try:
        meant = int(environ.get("WATCHDOG_PID", os.getpid())) == os.getpid()
        return int(environ.get("WATCHDOG_USEC", "0")) / 1e6 if meant else 0.0
    except ValueError:
        return 0.0
