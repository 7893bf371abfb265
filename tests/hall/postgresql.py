"""A real PostgreSQL in a folder of its own, on a socket only, as an unprivileged user."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

_PLACES = [str(place) for place in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
_PATH = ":".join((os.environ.get("PATH", ""), *_PLACES))
INITDB, PG_CTL = shutil.which("initdb", path=_PATH), shutil.which("pg_ctl", path=_PATH)
LACKING = None in (INITDB, PG_CTL)
REASON = (
    "several halls are tried with a real PostgreSQL; missing: postgresql (sudo apt-get install postgresql)"
)


class PostgreSQL:
    """A server that can be stopped and started again; `address` is what the hall is given."""

    def __init__(self) -> None:
        self._user = self._unprivileged()
        self.folder = Path(tempfile.mkdtemp(prefix="hall-", dir="/tmp"))  # sockets have short names
        if self._user is not None:
            shutil.chown(self.folder, self._user)
        name = self._user or pwd.getpwuid(os.geteuid()).pw_name
        self.address = f"postgresql:///postgres?host={self.folder}&user={name}"
        self._run(INITDB, "-D", "data", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")

    @staticmethod
    def _unprivileged() -> str | None:
        """PostgreSQL refuses to run as root."""
        if os.geteuid() != 0:
            return None
        known = {entry.pw_name for entry in pwd.getpwall()}
        return "postgres" if "postgres" in known else "nobody"

    def _run(self, program: str | None, *words: str, check: bool = True) -> None:
        assert program is not None
        command: Sequence[str] = (program, *words)
        done = subprocess.run(
            command,
            cwd=self.folder,
            user=self._user,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # the server would keep a pipe open
            stderr=subprocess.DEVNULL,
            check=False,
        )
        assert not check or done.returncode == 0, (command, self._log())

    def _log(self) -> str:
        log = self.folder / "log"
        return log.read_text() if log.exists() else ""

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c fsync=off"
        self._run(PG_CTL, "-D", "data", "-w", "-t", "600", "-l", "log", "-o", options, "start")

    def stop(self) -> None:
        """Stop it; connections are cut."""
        self._run(PG_CTL, "-D", "data", "-w", "-m", "immediate", "stop", check=False)

    def remove(self) -> None:
        """Stop it and remove its folder."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
