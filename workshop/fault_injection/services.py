"""The whole program as a service that is killed, or hangs, at any moment and is restarted.

This module plays systemd: it listens to the signs of life, ends the program, and starts it as its service
file says.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.core import files
from companion.core.words import Text, say
from companion.table import open_play
from companion.table.error_log import CRASHES
from companion.table.open_play import OpenPlay
from companion.table.settings import Settings
from companion.texts import render
from companion.ui import start
from workshop.fault_injection.child_processes import PATIENCE, Child, fork_server
from workshop.fault_injection.faults import Fault, FaultTrial, NotHere, Survived, expect
from workshop.fault_injection.kills import KILLS, SERVERS, SHARE, check_confirmed, moment, until_killed
from workshop.fault_injection.ledger import Ledger

IMPATIENT = 400_000
"""Microseconds without a sign of life after which the watchdog would act."""
CRASHED, AGAIN = say("ui.crashed"), say("ui.crashed-again")


class LifeSigns:
    """The socket on which a service reports its state to the system."""

    def __init__(self) -> None:
        self.address = f"@companion-faults-{os.getpid()}"
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind("\0" + self.address[1:])
        self._heard: list[str] = []

    def heard(self) -> list[str]:
        """All messages so far."""
        while select.select([self._line], [], [], 0)[0]:
            self._heard.append(self._line.recv(1000).decode())
        return self._heard

    def wait_for(self, word: str, child: Child) -> None:
        """Wait for this message; raises `Harm` if it does not come."""
        end = time.monotonic() + PATIENCE
        while word not in self.heard():
            expect(child.alive and time.monotonic() < end, f"a service never said {word}")
            select.select([self._line], [], [], 0.5)

    def close(self) -> None:
        """Stop listening."""
        self._line.close()


@contextmanager
def signs() -> Iterator[LifeSigns]:
    """Listen to one run of a service."""
    heard = LifeSigns()
    try:
        yield heard
    finally:
        heard.close()


def _expected(stood: OpenPlay | None, again: bool) -> Text | None:
    """The message people should see after the restart."""
    return None if stood is None else AGAIN if again else CRASHED


def _maybe_forget_crash(trial: FaultTrial) -> bool:
    """Make crashes mostly far apart, however long this machine took since the last; true if this one is soon
    after it."""
    stood = open_play.read(trial.folder)
    if stood is None or stood.again is None:
        return False
    soon = trial.random.random() < 0.3
    stood = replace(stood, again=time.time() if soon else None)
    files.write(trial.folder / open_play.FILE, msgspec.json.encode(stood))
    return soon


def _live(trial: FaultTrial, ledger: Ledger) -> Text | None:
    """One run of the service: it comes back where it was, says so once, plays, and is ended."""
    random, again = trial.random, _maybe_forget_crash(trial)
    stood, written = open_play.read(trial.folder), _crash_log(trial.folder)
    number = random.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGABRT))
    with (
        signs() as heard,
        fork_server(SERVERS["service"]).child(
            "service",
            trial.folder,
            random.getrandbits(32),
            NOTIFY_SOCKET=heard.address,
            WATCHDOG_USEC=str(IMPATIENT),
        ) as child,
    ):
        wanted = 1 + moment("service", random)
        if wanted > 2:
            heard.wait_for("READY=1", child)
            heard.wait_for("WATCHDOG=1", child)
        told, *lines = until_killed(child, wanted, random, number) or ["told "]
        code = child.ended()
    judge_end(code, number, _crash_log(trial.folder)[len(written) :])
    expected = _expected(stood, again)
    if lines or told != "told ":
        words = "" if expected is None else render(expected, "en")
        expect(told == f"told {words}", f"people were told {told[5:]!r} instead of {words!r}")
    if lines and stood is not None and not again:
        expect(
            lines[0].startswith(f"{stood.play} "), f"play {stood.play} stood open; it opened {lines[0][:40]}"
        )
    check_confirmed(trial.folder, lines, ledger)
    return expected


def judge_end(code: int, number: int, log: str) -> None:
    """It ended by the signal it got; if it crashed, the crash log says where.

    Python writes the stacks of its other threads while they run, and sometimes crashes in doing so. It was
    crashing anyway, so then the log need only have been begun.
    """
    falling = number == signal.SIGABRT and code == -signal.SIGSEGV
    expect(falling or code in (0, -number), f"the service ended with {code}")
    if falling or code == -signal.SIGABRT:
        expect(log.startswith("Fatal Python error: Aborted"), f"it crashed, and {CRASHES} says nothing")
        expect("most recent call first" in log, f"{CRASHES} does not say where it crashed")


def _crash_log(folder: Path) -> str:
    file = folder / CRASHES
    return file.read_text() if file.exists() else ""


def _service(trial: FaultTrial) -> Survived:
    if lacking := start.lacking():
        raise NotHere(" ".join(lacking))
    files.write(trial.folder / "settings.json", msgspec.json.encode(Settings(camera="none")))
    ledger, seen = Ledger(), []
    for _ in range(KILLS):
        seen.append(_live(trial, ledger))
    return Survived(KILLS, tuple(text for text in seen if text is not None))


FAULTS = (Fault("kill-service", _service, SHARE),)
