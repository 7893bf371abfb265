"""A hall with simulated tables: every process there is, the organiser, and what goes wrong."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from companion.hall.pairing import table_sizes
from companion.hall.standings import Mode
from companion.hall_messages import TableCredentials
from companion.table import hall_memory
from tests.hall.hall_process import ROOT, HallProcess, environment
from tests.hall.mosquitto import Mosquitto, free_port
from tests.hall.network import AccessPoint, LoopNetwork, Scrambler, Spectator
from tests.hall.table_group import GroupPlan
from tests.hall.truth import Truth
from tests.patience import PATIENCE

HOUR = 3600.0


class HallPlan(Struct, frozen=True):
    """How large a hall is, and how fast its tables play."""

    players: int
    groups: int = 1
    game: str = "race"
    pace: float = 1.0
    slow: float = 1.0
    """How much slower three of four tables are."""
    away: int = 0
    """How many tables of the first group reach the broker by an access point that can vanish."""
    wrong_clocks: bool = False
    scrambled: float = 0.0
    """Which share of events comes twice, and which late."""
    spectators: int = 1
    halls: int = 1
    """Halls that share one database and one broker; groups of tables belong to them in turn."""
    seed: int = 1
    mode: Mode = "heats"

    @property
    def tables(self) -> int:
        """As many as the hall needs for its players."""
        return len(table_sizes(self.players))


class TableGroup:
    """Two processes: tables, and their publishers. A power cut takes both."""

    def __init__(self, folder: Path, group: GroupPlan) -> None:
        self.folder, self.tables = folder, len(group.tables)
        (folder / "group.json").write_bytes(msgspec.json.encode(group))
        self.processes: list[subprocess.Popen[str]] = []
        self.connections: list[tuple[float, int]] = []
        """How many publishers were at the broker, and since when."""

    def start(self) -> None:
        """Start the tables and the publishers."""
        words = [sys.executable, "-m"]
        self.processes = [
            subprocess.Popen(
                [*words, "tests.hall.table_group", str(self.folder)], cwd=ROOT, env=environment(), text=True
            ),
            subprocess.Popen(
                [*words, "tests.hall.publisher_pool", str(self.folder)],
                cwd=ROOT,
                env=environment(),
                stdout=subprocess.PIPE,
                text=True,
            ),
        ]
        self._reading = threading.Thread(target=self._read, args=(self.processes[1],), daemon=True)
        self._reading.start()

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as told:
            for line in told:
                at, connected = line.split()
                self.connections.append((float(at), int(connected)))

    def kill(self) -> None:
        """The power is cut."""
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()
        if self.processes:
            self._reading.join()
            self.connections.append((time.monotonic(), 0))
        self.processes = []

    @property
    def connected(self) -> int:
        return self.connections[-1][1] if self.connections else 0


class Simulation:
    """Everything that runs."""

    def __init__(self, folder: Path, plan: HallPlan, database: str = "") -> None:
        self.folder, self.plan, self.random = folder, plan, Random(plan.seed)
        (folder / "broker").mkdir()
        self.broker = Mosquitto(folder / "broker")
        self.broker.start()
        self.network = LoopNetwork()
        self.scrambler = Scrambler(self.network, self.broker.port, self.random, plan.scrambled)
        self.access_point = AccessPoint(self.network, self.broker.port)
        database = database or str(folder / "hall.db")
        self.halls = [HallProcess(f"hall-{n}", database, free_port()) for n in range(plan.halls)]
        for hall in self.halls:
            hall.start(self.scrambler.port)
        self.hall = self.halls[0]
        self.groups = [self._group(n) for n in range(plan.groups)]
        self.head: dict[str, Any] = {}
        self.board: dict[str, dict[str, Any]] = {}
        self.shown: dict[str, list[tuple[float, Any]]] = {}
        """By table, what the board showed, and since when."""
        self.spectators = [Spectator(self.hall.port, self._told)]
        self.spectators += [Spectator(self.hall.port) for _ in range(plan.spectators - 1)]
        for spectator in self.spectators:
            self.network.begin(spectator.run())

    def _group(self, n: int) -> TableGroup:
        plan, folder = self.plan, self.folder / f"group-{n}"
        folder.mkdir()
        hall = self.halls[n % plan.halls].name
        names = [f"table-{t + 1}" for t in range(plan.tables) if t % plan.groups == n]
        clocks = dict.fromkeys(names, 0.0)
        for at, name in enumerate(names):
            if plan.wrong_clocks and at % 10 < 2:
                clocks[name] = HOUR if at % 10 else -HOUR
            port = self.access_point.port if n == 0 and at < plan.away else self.broker.port
            credentials = TableCredentials(hall, name.capitalize(), "127.0.0.1", port, name, tls=False)
            (folder / name).mkdir()
            hall_memory.take(folder / name, msgspec.json.encode(credentials))
        return TableGroup(folder, GroupPlan(plan.game, clocks, plan.pace, plan.slow, plan.seed))

    @property
    def table_folders(self) -> dict[tuple[str, str], Path]:
        """Where the tables' journals are, by hall and table."""
        return {
            (self.halls[n % self.plan.halls].name, path.name): path
            for n, group in enumerate(self.groups)
            for path in sorted(group.folder.iterdir())
            if path.is_dir()
        }

    # What happens

    def begin(self) -> None:
        """A day, its tables and players; the tables start."""
        plan = self.plan
        self.hall.organise("begin", title="Simulated day", mode=plan.mode, planned=4, game=plan.game)
        if plan.halls == 1:
            self.hall.organise("place-many", count=plan.tables, word="Table", companion=True)
        else:
            for hall, table in self.table_folders:
                self.hall.organise("place", hall=hall, table=table, title=table.capitalize())
        for one in self.halls:
            self.wait(partial(_has_a_day, one), "every hall has the day")
        self.names = {f"P{n}": str(n) for n in range(1, plan.players + 1)}
        self.hall.organise("enter-many", names=list(self.names), agreed=True)
        for group in self.groups:
            group.start()
        self.wait(lambda: self.connected == plan.tables, "all tables are at the broker")

    def pair(self) -> None:
        """The next round begins."""
        self.hall.organise("pair")

    def wait(self, until: Callable[[], object], what: str, most: float = PATIENCE) -> float:
        """Wait until this is so; returns how long it took. Fails at once if something that runs has crashed."""
        began = time.monotonic()
        while not until():
            known = f"{what}; the board has {self.head}, {self.board}"
            assert time.monotonic() < began + most, f"not within {most:.0f} s: {known}"
            processes = [process for group in self.groups for process in group.processes]
            processes += [hall.process for hall in self.halls if hall.process is not None]
            assert all(process.poll() is None for process in processes), f"a process has ended before {known}"
            self.network.check()
            time.sleep(0.05)
        return time.monotonic() - began

    @property
    def connected(self) -> int:
        """How many publishers are at the broker."""
        return sum(group.connected for group in self.groups)

    def kill_broker(self, away: float = 0.0) -> None:
        """It is gone for so long, and has forgotten everything."""
        self.broker.kill()
        time.sleep(away)
        self.broker.start()

    def restart_hall(self) -> None:
        """The hall's process is killed and started again."""
        self.hall.kill()
        self.hall.start(self.scrambler.port)

    def await_results(self, round: int, most: float = PATIENCE) -> float:
        """Wait until all results of this round are official, and no event lacks."""

        def all_there() -> bool:
            shown = list(self.board.values())
            return (
                len(shown) == self.plan.tables
                and all(row.get("result") == "official" for row in shown)
                and self.head.get("round") == round
                and all(hall.now()["lacks"] == 0 for hall in self.halls)
            )

        return self.wait(all_there, f"all results of round {round}", most)

    def stop_playing(self) -> None:
        """Nobody does anything any more."""
        for group in self.groups:
            group.processes[0].send_signal(signal.SIGUSR1)
        time.sleep(2)

    def truth(self) -> Truth:
        """What the journals say; nobody may be playing."""
        return Truth(self.table_folders, self.names, self.plan.mode)

    def differences(self, truth: Truth, most: float = PATIENCE) -> list[str]:
        """How the day at each hall still differs from what the journals say, after this time."""
        until = time.monotonic() + most
        while True:
            found = [
                f"{hall.name}: {difference}"
                for hall in self.halls
                for difference in truth.differences(hall.everything())
            ]
            if not found or time.monotonic() > until:
                return found
            time.sleep(1)

    def close(self) -> None:
        """End every process."""
        for group in self.groups:
            group.kill()
        for hall in self.halls:
            hall.kill()
        self.broker.kill()
        self.network.close()

    # The board, as the first spectator sees it

    def _told(self, at: float, kind: str, value: Any) -> None:
        if kind == "whole":
            self.head, self.board = {}, {}
        self.head = self.head | value.get("head", {})
        for name, row in value.get("tables", {}).items():
            now = self.board[name] = self.board.get(name, {}) | row
            seats = tuple((points, "w" in signs) for _, points, signs in now["seats"])
            self.shown.setdefault(name, []).append((at, (now["round"], seats)))

    def delays(self, since: float, until: float) -> list[float]:
        """Seconds from each entry in a journal until the board showed it, or a later one of that table; of entries
        of this time that changed what the board shows."""
        found = []
        for table, deeds in self.deeds().items():
            shown, before, at = self.shown.get(table, []), None, 0
            steps = []
            for deed in deeds:
                face = _face(deed[4])
                if face != before:
                    steps.append((deed[0], face))
                before = face
            for came, face in shown:
                ahead = [n for n in range(at, len(steps)) if steps[n][0] <= came and steps[n][1] == face]
                if ahead:
                    found += [came - made for made, _ in steps[at : ahead[0] + 1] if since <= made < until]
                    at = ahead[0] + 1
        return found

    def deeds(self) -> dict[str, list[Any]]:
        """By table, what was written down of its deeds."""
        found: dict[str, list[Any]] = {}
        for n, group in enumerate(self.groups):
            hall = self.halls[n % self.plan.halls].name
            for file in group.folder.glob("deeds-*.jsonl"):
                for line in file.read_text().splitlines():
                    try:
                        deed = json.loads(line)
                    except json.JSONDecodeError:
                        continue  # the power was cut
                    found.setdefault(f"{hall}/{deed[1]}", []).append(deed)
        return {table: sorted(deeds) for table, deeds in found.items()}


def _has_a_day(hall: HallProcess) -> bool:
    return bool(hall.now()["open"])


def _face(told: Any) -> Any:
    round, seats = told
    return round, tuple(tuple(seat) for seat in seats)


def memory(pid: int, most: bool = False) -> float:
    """Megabytes in memory, now or at most."""
    word = "VmHWM" if most else "VmRSS"
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(word)).split()[1]) / 1000
