"""The whole program under a system that starts it again: killed, or found hanging, at any moment.

We are the system: we listen to its signs of life, end it, and start it as its service file says.
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
from companion.table import standing
from companion.table.error_log import FALLS
from companion.table.settings import Settings
from companion.table.standing import Standing
from companion.texts import render
from companion.torture.faults import Fault, NotHere, Ordeal, Survived, expect
from companion.torture.kills import KILLS, NURSERIES, SHARE, moment, settle, until_killed
from companion.torture.ledger import Ledger
from companion.torture.nursery import PATIENCE, Child, nursery
from companion.ui import start

IMPATIENT = 400_000
"""Microseconds after which this system would lose patience."""
FELL, AGAIN = say("ui.fell"), say("ui.fell-again")


class Signs:
    """Where a service tells the system how it is doing."""

    def __init__(self) -> None:
        self.address = f"@companion-torture-{os.getpid()}"
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind("\0" + self.address[1:])
        self._heard: list[str] = []

    def heard(self) -> list[str]:
        """Everything it said so far."""
        while select.select([self._line], [], [], 0)[0]:
            self._heard.append(self._line.recv(1000).decode())
        return self._heard

    def wait_for(self, word: str, child: Child) -> None:
        """Raises `Harm` if it does not come."""
        end = time.monotonic() + PATIENCE
        while word not in self.heard():
            expect(child.alive and time.monotonic() < end, f"a service never said {word}")
            select.select([self._line], [], [], 0.5)

    def close(self) -> None:
        """Listen no more."""
        self._line.close()


@contextmanager
def signs() -> Iterator[Signs]:
    """Listen to one life of a service."""
    heard = Signs()
    try:
        yield heard
    finally:
        heard.close()


def _expected(stood: Standing | None, again: bool) -> Text | None:
    """What people are to be told when it is there again."""
    return None if stood is None else AGAIN if again else FELL


def _forget_the_last_fall(ordeal: Ordeal) -> bool:
    """Mostly the falls are far apart; says whether this one is not. However long this machine took since the last."""
    stood = standing.read(ordeal.folder)
    if stood is None or stood.again is None:
        return False
    soon = ordeal.random.random() < 0.3
    stood = replace(stood, again=time.time() if soon else None)
    files.write(ordeal.folder / standing.FILE, msgspec.json.encode(stood))
    return soon


def _live(ordeal: Ordeal, ledger: Ledger) -> Text | None:
    """One life of the service: it comes back where it was, says so once, plays, and is ended."""
    random, again = ordeal.random, _forget_the_last_fall(ordeal)
    stood, written = standing.read(ordeal.folder), _fallen(ordeal.folder)
    number = random.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGABRT))
    with (
        signs() as heard,
        nursery(NURSERIES["service"]).child(
            "service",
            ordeal.folder,
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
    judge_end(code, number, _fallen(ordeal.folder)[len(written) :])
    expected = _expected(stood, again)
    if lines or told != "told ":
        words = "" if expected is None else render(expected, "en")
        expect(told == f"told {words}", f"people were told {told[5:]!r} instead of {words!r}")
    if lines and stood is not None and not again:
        expect(
            lines[0].startswith(f"{stood.play} "), f"play {stood.play} stood open; it opened {lines[0][:40]}"
        )
    settle(ordeal.folder, lines, ledger)
    return expected


def judge_end(code: int, number: int, fell: str) -> None:
    """It ended as it was told to, and if it fell, what was written down says where.

    Python writes down where its other threads are while they run, and now and then falls over that: then it was falling
    already, and all that can be asked for is that this was begun.
    """
    falling = number == signal.SIGABRT and code == -signal.SIGSEGV
    expect(falling or code in (0, -number), f"the service ended with {code}")
    if falling or code == -signal.SIGABRT:
        expect(fell.startswith("Fatal Python error: Aborted"), f"it fell, and {FALLS} says nothing")
        expect("most recent call first" in fell, f"{FALLS} does not say where it fell")


def _fallen(folder: Path) -> str:
    file = folder / FALLS
    return file.read_text() if file.exists() else ""


def _service(ordeal: Ordeal) -> Survived:
    if lacking := start.lacking():
        raise NotHere(" ".join(lacking))
    files.write(ordeal.folder / "settings.json", msgspec.json.encode(Settings(camera="none")))
    ledger, seen = Ledger(), []
    for _ in range(KILLS):
        seen.append(_live(ordeal, ledger))
    return Survived(KILLS, tuple(text for text in seen if text is not None))


FAULTS = (Fault("kill-service", _service, SHARE),)
