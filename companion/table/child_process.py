"""Starts and ends another process of ours that has the network: root's side does it on a machine of our own,
elsewhere it is our child."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from companion.errors import StorageTrouble
from companion.table import requests

FIRST, LONGEST = 2.0, 60.0
"""Seconds after which a process that is not there is started, and at most after a failure."""


class ChildProcess:
    """A child of this process, in `folder`, where its socket is. One that ended is started again, each time
    later. `on` and `off` are what root's side is asked instead."""

    def __init__(self, folder: Path, on: requests.SystemRequest, off: requests.SystemRequest) -> None:
        self.folder, self._on, self._off = folder, on, off
        self.child: subprocess.Popen[bytes] | None = None
        self._next, self._pause = 0.0, FIRST

    def begin(self, at: float) -> None:
        """It is wanted from now on: one of before a crash may still come back first."""
        self._next, self._pause = at + FIRST / 2, FIRST
        if requests.may_ask():
            with suppress(StorageTrouble):
                requests.ask(self._on)

    def end(self) -> None:
        """It is wanted no more."""
        if requests.may_ask():
            with suppress(StorageTrouble):
                requests.ask(self._off)
        if self.child is not None:
            self.child.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.child.wait(3)
            self.child.kill()
            self.child.wait()
            self.child = None

    def due(self) -> float | None:
        """When `missing` must be called again while it is not connected."""
        return None if requests.may_ask() else self._next

    def missing(self, at: float) -> None:
        """It is not connected: start it, if it is time."""
        if requests.may_ask() or at < self._next:
            return
        running = self.child is not None and self.child.poll() is None
        if not running:
            self.child = self._start()
            self._pause = min(LONGEST, 2 * self._pause)
        self._next = at + self._pause

    def words(self) -> tuple[str, ...]:
        """What follows `python -m` on its command line."""
        raise NotImplementedError

    def _start(self) -> subprocess.Popen[bytes]:
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "LANG") if name in os.environ}
        kept["PYTHONPATH"] = str(Path(__file__).resolve().parents[2])
        return subprocess.Popen(
            (sys.executable, "-P", "-m", *self.words()),
            cwd=self.folder,
            env=kept,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
