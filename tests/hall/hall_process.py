"""A hall as a process, and its organiser."""

from __future__ import annotations

import http.client
import json
import os
import re
import resource
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
KEY = re.compile(r"\b[a-z0-9]{4}(?:-[a-z0-9]{4}){3}\b")


def environment() -> dict[str, str]:
    """For programs of ours."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "COMPANION_SCREEN": "none", "LANG": "C.UTF-8"}


class HallProcess:
    """`companion hall`, which can be killed and started again at the same port."""

    def __init__(self, name: str, database: str, port: int) -> None:
        self.name, self.database, self.port = name, database, port
        self.process: subprocess.Popen[str] | None = None
        self._cookie = ""

    def start(self, broker: int) -> None:
        """Start it, and wait until it listens and has told its key."""
        self._words = [sys.executable, "-m", "companion", "hall", "--name", self.name]
        self._words += [
            "--broker",
            f"127.0.0.1:{broker}",
            "--database",
            self.database,
            "--port",
            str(self.port),
        ]
        self.process = subprocess.Popen(
            self._words, env=environment() | {"PYTHONUNBUFFERED": "1"}, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        said = []
        for line in self.process.stdout:
            said.append(line)
            if key := KEY.search(line):
                break
        else:
            raise AssertionError(f"the hall does not start: {''.join(said)}")
        self._reading = threading.Thread(target=self._rest, daemon=True)
        self._reading.start()
        self._key = key[0]
        self._cookie = ""

    def _rest(self) -> None:
        assert self.process is not None
        assert self.process.stdout is not None
        with self.process.stdout as stream:
            stream.read()

    def kill(self) -> None:
        """End it without a word."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self._reading.join()
            self.process = None

    def full_disk(self, full: bool) -> None:
        """While the disk is full, no file of the hall can be written."""
        assert self.process is not None
        _, hard = resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (1 if full else hard, hard))

    # What a browser does

    def ask(self, path: str, body: Any = None) -> bytes:
        """What the hall answers; with a body, it is posted."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Cookie": self._cookie} if self._cookie else {}
        if body is not None:
            headers |= {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        try:
            given = None if body is None else json.dumps(body)
            connection.request("GET" if body is None else "POST", path, given, headers)
            response = connection.getresponse()
            said = response.read()
            assert response.status == 200, (path, response.status, said[:300])
            if cookie := response.headers["Set-Cookie"]:
                self._cookie = cookie.partition(";")[0]
            return said
        finally:
            connection.close()

    def organise(self, do: str, **what: Any) -> None:
        """The organiser does something."""
        self._sign_in()
        self.ask("/organiser/do", {"do": do, **what})

    def everything(self) -> Any:
        """The day as the organiser exports it."""
        self._sign_in()
        return json.loads(self.ask("/organiser/export/hall.json"))

    def now(self) -> Any:
        """What the organiser's page shows."""
        self._sign_in()
        return json.loads(self.ask("/organiser/now.json"))

    def _sign_in(self) -> None:
        if not self._cookie:
            self.ask("/organiser/key", {"key": self._key})
