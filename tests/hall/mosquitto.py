"""A real Mosquitto on loopback, as a table and a hall find it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
from pathlib import Path
from typing import IO

MOSQUITTO = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
REASON = "halls are tried with a real broker; missing: mosquitto (sudo apt-get install mosquitto)"


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


class Mosquitto:
    """A broker that can be killed and started again at the same port; `listener` are more lines of its listener.

    It keeps nothing on disk: what it had retained is gone after a kill, as after the loss of its disk.
    """

    def __init__(self, folder: Path, *listener: str) -> None:
        self.folder, self.port = folder, free_port()
        self._listener = listener or ("allow_anonymous true",)
        self.process: subprocess.Popen[str] | None = None

    def listeners(self) -> list[str]:
        """The lines of its configuration about whom it lets in."""
        return [f"listener {self.port} 127.0.0.1", *self._listener]

    def start(self) -> None:
        """Start it, and wait until it listens."""
        assert MOSQUITTO is not None
        lines = [
            *self.listeners(),
            *("persistence false", "max_queued_messages 100000", "log_dest stderr"),
            *("log_type error", "log_type warning", "log_type information"),
            *(("user root",) if os.geteuid() == 0 else ()),
        ]
        config = self.folder / "mosquitto.conf"
        config.write_text("\n".join(lines) + "\n")
        self.process = subprocess.Popen(
            [MOSQUITTO, "-c", str(config)], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        assert self.process.stderr is not None
        said = []
        for line in self.process.stderr:
            said.append(line)
            if line.rstrip().endswith("running"):
                break
        else:
            raise AssertionError(f"Mosquitto does not start: {''.join(said)}")
        self._reading = threading.Thread(target=_read_all, args=(self.process.stderr,), daemon=True)
        self._reading.start()

    def kill(self) -> None:
        """End it without a word, as a power cut does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self._reading.join()
            self.process = None


def _read_all(stream: IO[str]) -> None:
    with stream:
        stream.read()
