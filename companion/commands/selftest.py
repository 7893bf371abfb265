"""Tests whether this version works on this machine. Everything runs on a copy; nothing of yours is changed."""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from companion.commands.check import tell_games, unplayable_and_diverged
from companion.commands.shared import Help, Options, shower
from companion.core.files import is_there
from companion.core.journal import Journal
from companion.core.repair import verify
from companion.core.sqlite_file import default_path
from companion.core.store import Store
from companion.core.words import Text, count, say
from companion.errors import DEVICE, DONE, STORAGE
from companion.table import backups
from companion.terminal.show import Shower

PATIENCE = 300.0
"""Seconds within which a window must open and respond, however slow the machine."""

SIGNS = ("READY=1", "WATCHDOG=1")


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Whether to skip the window."""
    parser.add_argument("--no-window", action="store_true", help=t("selftest-no-window"))


def run(options: Options) -> int:
    """Read every game, migrate a copy of the journal to this version, and open an invisible window."""
    show = shower(options)
    tell_games(show)
    with tempfile.TemporaryDirectory(prefix="companion-selftest-") as folder:
        problems = _journal(Path(folder), options, show)
        for problem in problems:
            show.say(problem, "red")
        if problems:
            return STORAGE
        if not options.no_window and not _window_lives(Path(folder)):
            show.say(say("selftest.no-window", seconds=f"{PATIENCE:.0f}"), "red")
            return DEVICE
    show.say(say("ui.check-fine"), "green")
    return DONE


def _journal(folder: Path, options: Options, show: Shower) -> list[Text]:
    """What goes wrong when a copy of the journal is migrated to this version."""
    journal = default_path(os.environ)
    if not is_there(journal):
        return []
    copy = backups.back_up(journal, folder, options.clock()).rename(folder / "home") / journal.name
    with Store(copy) as store:
        with store.writing():
            pass  # the first write migrates it
        unplayable, _ = unplayable_and_diverged(Journal(store))
    report = verify(copy)
    show.say(count("ui.check-journal", report.plays, file=str(journal), entries=report.entries))
    return [*report.problems, *unplayable]


def _window_lives(folder: Path) -> bool:
    """Whether the program draws its first frame in an invisible window and then sends a sign of life."""
    home, address = folder / "home", folder / "notify"
    home.mkdir(exist_ok=True)
    environ = {
        **os.environ,
        "COMPANION_HOME": str(home),
        "COMPANION_SCREEN": "window",
        "SDL_VIDEODRIVER": "offscreen",
        "SDL_AUDIODRIVER": "dummy",
        "NOTIFY_SOCKET": str(address),
        "WATCHDOG_USEC": "1000000",
    }
    environ.pop("WATCHDOG_PID", None)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(address))
        line.settimeout(PATIENCE)
        program = subprocess.Popen(
            [sys.executable, "-P", "-m", "companion"], env=environ, stdout=subprocess.DEVNULL
        )
        try:
            return all(_told(line, sign, program) for sign in SIGNS)
        finally:
            program.kill()
            program.wait()


def _told(line: socket.socket, sign: str, program: subprocess.Popen[bytes]) -> bool:
    """Whether this sign arrives before the program ends or the timeout passes."""
    line.settimeout(1.0)
    for _ in range(int(PATIENCE)):
        try:
            if line.recv(4096).decode() == sign:
                return True
        except TimeoutError:
            if program.poll() is not None:
                return False
    return False
