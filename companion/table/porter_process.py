"""Starts and ends the porter, the process that phones reach: root's side does it on a machine of our own,
elsewhere it is our child."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from companion.errors import StorageTrouble
from companion.table import requests

PORT = 8411
"""Where phones reach the porter, unless `COMPANION_PORT` says otherwise."""
SOCKET = "phones.sock"
FIRST, LONGEST = 2.0, 60.0
"""Seconds after which a porter that is not there is started, and at most after a failure."""


def socket_folder(data: Path) -> Path:
    """Where the socket is: beside the journal, or on a machine of our own where the porter may reach it."""
    return Path(os.environ.get("COMPANION_PHONES", data))


class PorterProcess:
    """The porter as a child of this process; one that ended is started again, each time later. `options` are
    those of its command line."""

    def __init__(self, folder: Path, options: tuple[str, ...] = ()) -> None:
        self.folder, self.options = folder, options
        self.child: subprocess.Popen[bytes] | None = None
        self._next, self._pause = 0.0, FIRST

    def begin(self, at: float) -> None:
        """Phones are on from now: a porter of before a crash may still come back first."""
        self._next, self._pause = at + FIRST / 2, FIRST
        if requests.may_ask():
            with suppress(StorageTrouble):
                requests.ask("phones-on")

    def end(self) -> None:
        """Phones are off."""
        if requests.may_ask():
            with suppress(StorageTrouble):
                requests.ask("phones-off")
        if self.child is not None:
            self.child.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.child.wait(3)
            self.child.kill()
            self.child.wait()
            self.child = None

    def due(self) -> float | None:
        """When `missing` must be called again while no porter is connected."""
        return None if requests.may_ask() else self._next

    def missing(self, at: float) -> None:
        """No porter is connected: start one, if it is time."""
        if requests.may_ask() or at < self._next:
            return
        running = self.child is not None and self.child.poll() is None
        if not running:
            self.child = self._start()
            self._pause = min(LONGEST, 2 * self._pause)
        self._next = at + self._pause

    def _start(self) -> subprocess.Popen[bytes]:
        port = os.environ.get("COMPANION_PORT", str(PORT))
        command = (
            sys.executable,
            "-P",
            "-m",
            "companion.porter",
            "--child",
            "--port",
            port,
            *self.options,
            SOCKET,
        )
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "LANG") if name in os.environ}
        kept["PYTHONPATH"] = str(Path(__file__).resolve().parents[2])
        return subprocess.Popen(
            command, cwd=self.folder, env=kept, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
