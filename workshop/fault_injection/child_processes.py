"""Fast child processes: a server that has imported everything waits, and each child is a fork of it.

Starting a program takes seconds, which would allow only a few kills; a fork takes a moment, and is killed
while it plays.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import BinaryIO

import msgspec
from msgspec import Struct

from workshop.fault_injection.faults import expect

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300.0
"""Seconds without output after which a child counts as dead."""

DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
LONGEST = 100_000


def environ(folder: Path) -> dict[str, str]:
    """The environment of a child: a home of its own, and an off-screen window that draws nothing."""
    usual = {k: v for k, v in os.environ.items() if not k.startswith(("SDL_", "KIVY_", "COMPANION_"))}
    usual.pop("NOTIFY_SOCKET", None)
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    unseen = {"SDL_VIDEODRIVER": "offscreen", "SDL_AUDIODRIVER": "dummy", "KIVY_GL_BACKEND": "mock"}
    return {**usual, **unseen, "COMPANION_HOME": str(folder), "PYTHONPATH": path, "LANG": "C.UTF-8"}


class ChildTask(Struct, frozen=True):
    """What a child is to do, and in which folder."""

    kind: str
    seed: int
    environ: dict[str, str]


class Child:
    """A program that runs until it is killed or ends; `said` is the file of its output."""

    def __init__(self, pid: int, said: BinaryIO, line: socket.socket) -> None:
        self.pid, self.said, self._line = pid, said, line
        self._ended: int | None = None

    def send(self, number: int) -> None:
        """Send it a signal. The pid cannot belong to another process: it stays reserved until somebody asks
        how it ended."""
        if self._ended is None:
            os.kill(self.pid, number)

    @property
    def alive(self) -> bool:
        """Whether it has not ended yet."""
        return self._ended is None and Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2][1] != "Z"

    def ended(self) -> int:
        """Wait for its end; returns its exit code, or the signal as a negative number."""
        if self._ended is None:
            self._line.send(b"how did it end?")
            expect(select.select([self._line], [], [], PATIENCE)[0], "a child does not end")
            self._ended = int(self._line.recv(LONGEST))
        return self._ended


class ForkServer:
    """A server process whose forks are the children, one at a time."""

    def __init__(self, module: str, *words: str) -> None:
        self._home = tempfile.TemporaryDirectory(prefix="companion-fork_server-")
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._server = subprocess.Popen(
                [sys.executable, "-P", "-m", module, str(theirs.fileno()), *words],
                env=environ(Path(self._home.name)),
                pass_fds=[theirs.fileno()],
            )

    @contextmanager
    def child(self, kind: str, folder: Path, seed: int, **more: str) -> Iterator[Child]:
        """A child that plays in this way in this folder, with `more` added to its environment; it is ended on
        leaving the block."""
        reading, writing = os.pipe()
        with open(reading, "rb") as said:
            try:
                task = ChildTask(kind, seed, {**environ(folder), **more})
                socket.send_fds(self._line, [msgspec.json.encode(task)], [writing])
            finally:
                os.close(writing)
            expect(select.select([self._line], [], [], PATIENCE)[0], "no child is born")
            born = Child(int(self._line.recv(LONGEST)), said, self._line)
            try:
                yield born
            finally:
                with suppress(ProcessLookupError):
                    born.send(signal.SIGKILL)
                born.ended()

    def close(self) -> None:
        """End the server; no more children."""
        self._line.close()
        self._server.kill()
        self._server.wait()
        self._home.cleanup()


@cache
def fork_server(kind: str) -> ForkServer:
    """The server of this kind: "window" has loaded everything a window needs."""
    made = ForkServer("workshop.fault_injection.child_processes", kind)
    atexit.register(made.close)
    return made


# The server process


def serve(line: socket.socket, kind: str) -> None:
    """Load everything, then fork a child on each request; ends when the requesting side is gone."""
    from companion.table.warm_up import warm_up
    from workshop.fault_injection import players

    warm_up()
    if kind == "window":
        players.load_window()
    while True:
        asked, descriptors, _, _ = socket.recv_fds(line, LONGEST, 1)
        if not asked:
            return
        child = fork_child(msgspec.json.decode(asked, type=ChildTask), descriptors[0])
        os.close(descriptors[0])
        line.send(b"%d" % child)
        if not line.recv(LONGEST):
            return
        line.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def fork_child(task: ChildTask, output: int) -> int:
    """Fork a child that plays. SIGINT is blocked until the child can handle it, because background processes
    ignore it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    child = os.fork()
    if child == 0:
        _live(task, output)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    return child


def _live(task: ChildTask, output: int) -> None:
    from workshop.fault_injection import players

    code = 0
    try:
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        os.dup2(output, 1)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - until the end
        for name in set(os.environ) - set(task.environ):
            del os.environ[name]
        os.environ.update(task.environ)
        players.play(task.kind, Random(task.seed))
    except SystemExit as end:
        code = int(end.code or 0)
    except KeyboardInterrupt:
        code = 0  # as on the command line
    except BaseException:
        traceback.print_exc()
        code = 1
    finally:
        os._exit(code)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2])
