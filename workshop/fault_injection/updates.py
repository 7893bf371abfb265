"""The real updater on a machine made of files, during a play: versions that start, that crash, that change
the journal's file, the rollback, and a power cut at any moment of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

from companion.core.sqlite_file import VERSION
from companion.core.words import Text
from workshop.fault_injection.child_processes import PATIENCE, ROOT
from workshop.fault_injection.desk_session import desk_session
from workshop.fault_injection.faults import Fault, FaultTrial, NotHere, Survived, expect
from workshop.fault_injection.ledger import Ledger

UPDATER = ROOT / "deploy" / "raspberrypi" / "companion_update.py"

SET_UP = """set_up() {
    mkdir -p "$here/.venv/bin" "$here/.setup"
    printf '#!/bin/sh\\nexit 0\\n' >"$here/.venv/bin/python"
    chmod +x "$here/.venv/bin/python"
}
"""

FAKES = {
    # A running play is asked to stop, and waited for. The version that starts changes the journal's file if
    # its note says so, and comes up or crashes.
    "systemctl": """case "$1" in stop|restart)
    echo stopped >"$MACHINE/service"
    while [ -e "$MACHINE/playing" ]; do sleep 0.02; done ;;
esac
case "$1" in
restart)
    note=$(cat "$MACHINE/opt/tabletop-companion/current/note")
    case "$note" in *newer*)
        "$PYTHON" -c "import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute('PRAGMA user_version = {NEWER}')" "$MACHINE/var/lib/tabletop-companion/journal.db" ;;
    esac
    case "$note" in *crashes*) echo crashed >"$MACHINE/service"; exit 1 ;; esac
    echo running >"$MACHINE/service" ;;
is-active) grep -q running "$MACHINE/service" ;;
esac""".replace("{NEWER}", str(VERSION + 1)),
    "runuser": "exit 0",
    "sync": "exit 0",
    "git": "exit 128",
}


class Machine:
    """A Raspberry Pi with the companion installed, as files in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.root, self.said = folder, folder / "machine", ""
        self.base = self.root / "opt" / "tabletop-companion"
        self.data = self.root / "var" / "lib" / "tabletop-companion"
        self.data.mkdir(parents=True)
        (folder / "bin").mkdir()
        for name, does in FAKES.items():
            program = folder / "bin" / name
            program.write_text(f"#!/bin/sh\n{does}\n")
            program.chmod(0o755)
        expect(self.update(self.version("first")) == 0, "the first version is not installed")

    def version(self, note: str) -> str:
        """The source of a version with this note."""
        tree = self._folder / "sources" / note
        files = {
            "pyproject.toml": 'version = "1"\n',
            "uv.lock": "",
            "companion/__main__.py": "",
            "note": note,
        }
        for path, text in {**files, "deploy/setup.sh": SET_UP}.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(text)
        return str(tree)

    @contextmanager
    def updating(self, *words: str) -> Iterator[subprocess.Popen[bytes]]:
        """Run the updater in the background."""
        around = {
            "PATH": f"{self._folder / 'bin'}:{os.environ.get('PATH', '/usr/bin:/bin')}",
            "MACHINE": str(self.root),
            "PYTHON": sys.executable,
            "COMPANION_PREFIX": str(self.root),
            "COMPANION_UPDATE_STANDS": "0",
        }
        with subprocess.Popen(
            [sys.executable, "-S", str(UPDATER), *words],
            env=around,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as updater:
            try:
                yield updater
            finally:
                with suppress(ProcessLookupError):  # it has ended
                    os.killpg(updater.pid, signal.SIGKILL)  # with every program it started
                assert updater.stdout is not None
                # Returns once all of them are gone: one that is still dying may hold the lock or write a
                # file.
                self.said = updater.stdout.read().decode(errors="replace")

    def update(self, *words: str) -> int:
        """Run the updater to its end; returns its exit code."""
        with self.updating(*words) as updater:
            return updater.wait(timeout=PATIENCE)

    @property
    def note(self) -> str:
        """The note of the version that would be started now."""
        return (self.base / "current" / "note").read_text()

    def check(self) -> None:
        """Nothing is half done: the current version is complete, and no partial version is left over."""
        expect((self.base / "current" / ".whole").exists(), "what runs is no whole version")
        expect(not (self.base / "switching").exists(), "it still stands between two versions")
        left = [path.name for path in (self.base / "versions").iterdir() if path.name.startswith(".")]
        expect(not left, f"half a version lies about: {left}")
        service = self.root / "service"
        expect("running" in service.read_text(), f"the service is {service.read_text().strip()}")


def _played(machine: Machine, ledger: Ledger, random: Random, answers: int = 2) -> None:
    """Continue the play with the current version."""
    with desk_session(machine.data, ledger) as table:
        if ledger.confirmed(1):
            table.resume(1)
        else:
            table.play(random)
        expect(table.desk.play is not None, f"after it the play does not open: {table.told}")
        for _ in range(answers):
            table.answer_surely(random)


def _meanwhile(machine: Machine, ledger: Ledger, random: Random, *words: str) -> int:
    """Run the updater while people go on answering, until their version is stopped; returns its exit code."""
    playing, service = machine.root / "playing", machine.root / "service"
    playing.touch()
    with machine.updating(*words) as updater:
        try:
            with desk_session(machine.data, ledger) as table:
                table.resume(1)
                while updater.poll() is None and "stopped" not in service.read_text():
                    table.answer_surely(random)
        finally:
            playing.unlink()
        return updater.wait(timeout=PATIENCE)


def _here() -> None:
    if not UPDATER.is_file():
        raise NotHere("this installation has no updater")


def _there_and_back(trial: FaultTrial) -> Survived:
    """A version that starts, one that crashes, one that changes the journal's file and crashes, and the rollback."""
    _here()
    machine, ledger, random = Machine(trial.folder), Ledger(), trial.random
    _played(machine, ledger, random, 3)
    deeds = [
        (machine.version("second"), 0, "second"),
        (machine.version("crashes"), 3, "second"),
        (machine.version("newer-crashes"), 3, "second"),
        ("--rollback", 0, "first"),
    ]
    for words, code, note in deeds:
        ended = _meanwhile(machine, ledger, random, words)
        expect(ended == code, f"{words} ended with {ended}")
        expect(machine.note == note, f"{machine.note} runs instead of {note}")
        machine.check()
        ledger.check(machine.data / "journal.db")
        _played(machine, ledger, random)
    return Survived(len(deeds))


def _file_changed(trial: FaultTrial) -> Survived:
    """A newer version changes the journal's file, and people roll back later: all answers up to then are
    there, and the newer journal is kept beside it."""
    _here()
    machine, ledger, random = Machine(trial.folder), Ledger(), trial.random
    journal = machine.data / "journal.db"
    _played(machine, ledger, random, 3)
    ended = _meanwhile(machine, ledger, random, machine.version("newer"))
    expect(ended == 0, "the newer version is not installed")
    told = _refused(machine)
    newer = journal.read_bytes()
    expect(machine.update("--rollback") == 0, "there is no way back")
    machine.check()
    ledger.check(journal)
    aside = sorted(machine.data.glob("journal.newer-*.db"))
    expect(aside and aside[-1].stat().st_size >= len(newer), "the newer journal is not kept")
    _played(machine, ledger, random)
    return Survived(2, told)


def _refused(machine: Machine) -> tuple[Text, ...]:
    """What this version says about the journal of a newer one."""
    with desk_session(machine.data) as table:
        table.resume(1)
        expect(table.desk.play is None, "a newer version's journal was opened")
        return tuple(table.told)


def _plug_pulled(trial: FaultTrial) -> Survived:
    """The power is cut at any moment of an update or a rollback; at the next start a complete version runs."""
    _here()
    machine, ledger, random, times = Machine(trial.folder), Ledger(), trial.random, 6
    _played(machine, ledger, random, 3)
    takes = _seconds(lambda: machine.update(machine.version("second")))
    for number in range(times):
        source = machine.version(random.choice(("", "newer-", "crashes-", "newer-crashes-")) + str(number))
        words = (source,) if random.random() < 0.7 else ("--rollback",)
        with machine.updating(*words) as updater:
            _wait(updater, random.uniform(0, takes))
        started = machine.update("--settle")
        expect(started == 0, f"at the next start it ended with {started}: {machine.said}")
        (machine.root / "service").write_text("running")  # the machine starts the current version
        machine.check()
        expect("crashes" not in machine.note, f"{machine.note} runs, which never came up")
        if "newer" in machine.note:  # it started, and people roll back by hand
            expect(machine.update("--rollback") == 0, "there is no way back")
        ledger.check(machine.data / "journal.db")
        _played(machine, ledger, random)
    return Survived(times)


def _seconds(deed: Callable[[], object]) -> float:
    began = time.monotonic()
    deed()
    return time.monotonic() - began


def _wait(program: subprocess.Popen[bytes], seconds: float) -> None:
    try:
        program.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return


FAULTS = (
    Fault("update-real", _there_and_back),
    Fault("update-file", _file_changed),
    Fault("update-cut", _plug_pulled),
)
