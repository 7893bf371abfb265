"""A hall of 500 tables with everything that goes wrong: `python benchmarks/hall.py`.

Real: rules, journals, each table's side of the hall, publishers, a Mosquitto, the hall's process, its pages in
Chromium. Not real: tables share processes, publishers too, bots play, all on one machine and without TLS.
"""

from __future__ import annotations

import argparse
import heapq
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

sys.path[0] = str(Path(__file__).parent.parent)

from benchmarks.report import reported  # noqa: E402
from tests.hall.hall_process import environment  # noqa: E402
from tests.hall.postgresql import LACKING, REASON, PostgreSQL  # noqa: E402
from tests.hall.simulation import HallPlan, Simulation, memory  # noqa: E402
from tests.hall.truth import Truth  # noqa: E402
from tests.phones.live import chromium  # noqa: E402

ABOUT = """\
Real: rules and journals with every entry synced, each table's own side of the hall, the publishers' code with a socket
and a connection per table, one Mosquitto, the hall's process with SQLite, 50 streams of the board, a page in Chromium.
Not real: tables share processes, and so do their publishers; answers are those of bots; everything is on one machine,
on loopback and without TLS. One table in four plays four times as fast as the others.

Faults: the broker is killed, and keeps nothing on disk; a power cut kills tables and publishers while they play; a
network that carries nothing; messages to the hall that come twice or behind others; every write of the hall to a file
is refused, as on a full disk; its process is killed; the clocks of two in ten tables are wrong by an hour.
"""
MOST_TOLD = 20
WIDE = {"width": 1920, "height": 1080}
TIMED = """() => {
  window.took = [];
  const add = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (type, told, ...more) {
    return add.call(this, type, (event) => {
      const begun = performance.now();
      told(event);
      window.took.push(performance.now() - begun);
    }, ...more);
  };
}"""
DRAWN = """() => {
  const found = [window.took, performance.getEntriesByName("board").map((one) => one.duration)];
  window.took = [];
  performance.clearMeasures();
  return found;
}"""


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0.0


def processor(pid: int) -> float:
    """Seconds of processor a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Memory:
    """The most that broker and hall had in memory."""

    def __init__(self, hall: Simulation) -> None:
        self._hall, self.broker, self.hall = hall, 0.0, 0.0

    def look(self) -> None:
        broker, hall = self._hall.broker.process, self._hall.hall.process
        if broker is not None:
            self.broker = max(self.broker, memory(broker.pid, most=True))
        if hall is not None:
            self.hall = max(self.hall, memory(hall.pid, most=True))


@contextmanager
def simulated(plan: HallPlan, database: str = "") -> Iterator[Simulation]:
    with tempfile.TemporaryDirectory() as made:
        simulation = Simulation(Path(made), plan, database)
        try:
            yield simulation
        finally:
            simulation.close()


def sleep(seconds: float, memory: Memory) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(1.0, left))
        memory.look()


def calm(hall: Simulation, used: Memory, seconds: float) -> None:
    """Nothing goes wrong: delays, messages, and the page."""
    hall.wait(
        lambda: sum(row["round"] > 0 for row in list(hall.board.values())) == hall.plan.tables, "all play"
    )
    sleep(10, used)
    began, messages = time.monotonic(), hall.scrambler.messages
    follower = hall.spectators[0]
    events, size = follower.events, follower.bytes
    running = [process.pid for process in (hall.broker.process, hall.hall.process) if process is not None]
    before = list(map(processor, running))
    page_figures(hall, seconds)
    used.look()
    took = time.monotonic() - began
    broker, server = (
        100 * (processor(pid) - first) / took for pid, first in zip(running, before, strict=True)
    )
    deeds = sum(began <= deed[0] < began + took for deeds in hall.deeds().values() for deed in deeds)
    delays = hall.delays(began, began + took - 5)
    print("| without faults | |")
    print("|---|---|")
    print(f"| tables at the broker | {hall.connected} |")
    print(f"| entries in journals | {deeds / took:.0f} a second |")
    print(f"| messages to the hall | {(hall.scrambler.messages - messages) / took:.0f} a second |")
    print(f"| changes of the board | {(follower.events - events) / took:.1f} a second |")
    print(f"| to each spectator | {(follower.bytes - size) / took / 1000:.0f} KB a second |")
    print(f"| processor of the broker, of the hall | {broker:.0f} %, {server:.0f} % of a core |")
    print(f"| load of this machine, with {os.cpu_count()} cores | {os.getloadavg()[0]:.0f} |")
    for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99)):
        print(f"| from a journal to the board, {name} | {percentile(delays, share):.2f} s |")
    print(f"| measured on | {len(delays)} entries that changed the board |\n", flush=True)


def page_figures(hall: Simulation, seconds: float) -> None:
    """The board at 1080p in Chromium, for so long."""
    with tempfile.TemporaryDirectory() as profile, chromium(Path(profile)) as browser:
        page = browser.new_context(viewport=WIDE).new_page()
        page.add_init_script(f"({TIMED})()")
        page.goto(f"http://127.0.0.1:{hall.hall.port}/")
        page.wait_for_selector("#tables > li")
        page.wait_for_timeout(2000)
        page.evaluate(DRAWN)
        page.wait_for_timeout(1000 * seconds)
        took, drawn = page.evaluate(DRAWN)
        tools = page.context.new_cdp_session(page)
        tools.send("HeapProfiler.collectGarbage")
        tools.send("Performance.enable")
        metrics = {one["name"]: one["value"] for one in tools.send("Performance.getMetrics")["metrics"]}
        shown = page.locator("#tables > li").count()
    print("| the board in Chromium, 1080p | |")
    print("|---|---|")
    print(f"| tables shown at once | {shown} of {hall.plan.tables} |")
    print(f"| script for a message, p50, most | {percentile(took, 0.5):.1f}, {max(took):.1f} ms |")
    print(f"| script for drawing, p50, most | {percentile(drawn, 0.5):.1f}, {max(drawn):.1f} ms |")
    print(f"| JavaScript's heap | {metrics['JSHeapUsedSize'] / 1e6:.1f} MB |")
    print(f"| other spectators meanwhile | {len(hall.spectators)} |\n", flush=True)


class Chaos:
    """What goes wrong, and when."""

    def __init__(self, hall: Simulation, used: Memory) -> None:
        self._hall, self._used = hall, used
        self._due: list[tuple[float, int, str, Callable[[], None]]] = []

    def at(self, seconds: float, what: str, do: Callable[[], None]) -> None:
        heapq.heappush(self._due, (seconds, len(self._due), what, do))

    def run(self) -> None:
        began = time.monotonic()
        while self._due:
            seconds, _, what, do = heapq.heappop(self._due)
            sleep(max(0.0, began + seconds - time.monotonic()), self._used)
            do()
            print(f"  {time.monotonic() - began:5.0f} s: {what}", flush=True)


def chaos(hall: Simulation, used: Memory, options: argparse.Namespace) -> None:
    """The broker is killed again and again, and meanwhile everything else happens."""
    made, gap = Chaos(hall, used), options.gap
    for n in range(options.kills):
        away = 0.2 + 3 * hall.random.random()
        made.at(gap * (n + 1), f"broker killed, back after {away:.1f} s", partial(hall.kill_broker, away))
    whole = gap * (options.kills + 1)
    out = options.away_seconds
    made.at(0.1 * whole, f"{hall.plan.away} tables lose the network", lambda: hall.access_point.switch(False))
    made.at(0.1 * whole + out, "they have it again", lambda: hall.access_point.switch(True))
    for n, share in enumerate((0.25, 0.5, 0.75)):
        group = hall.groups[1 + n % (len(hall.groups) - 1)]
        made.at(share * whole, f"power cut at {group.tables} tables", group.kill)
        made.at(share * whole + 4, "power is back", group.start)
    made.at(0.6 * whole, "the hall's disk is full", lambda: hall.hall.full_disk(True))
    made.at(0.6 * whole + options.disk_seconds, "there is room again", lambda: hall.hall.full_disk(False))
    made.at(0.85 * whole, "the hall's process is killed and started again", hall.restart_hall)
    made.run()


def storm(hall: Simulation) -> None:
    """All publishers lose the broker at once, and come back."""
    hall.wait(lambda: hall.connected == hall.plan.tables, "all are back after the faults", 900)
    hall.broker.kill()
    hall.wait(lambda: hall.connected == 0, "all are gone", 120)
    hall.broker.start()
    took = hall.wait(lambda: hall.connected == hall.plan.tables, "all are back", 120)
    print(f"\nReconnect storm: {hall.plan.tables} publishers back {took:.1f} s after the broker.", flush=True)


def publisher_memory() -> float:
    """A publisher as a process of its own, with one table."""
    with simulated(HallPlan(players=4, pace=0.5)) as hall:
        hall.begin()
        hall.pair()
        (table,) = hall.table_folders.values()
        pool = hall.groups[0].processes.pop()
        pool.kill()  # a process of its own takes its place
        pool.wait()
        words = [sys.executable, "-m", "companion.publisher", "hall.sock"]
        process = subprocess.Popen(words, cwd=table, env=environment())
        try:
            hall.await_results(1, 300)
            found = memory(process.pid)
        finally:
            process.kill()
            process.wait()
    return found


def two_halls() -> None:
    """Two halls share one standing in a PostgreSQL; the broker is killed once."""
    if LACKING:
        print(f"\nTwo halls in one PostgreSQL: not measured. {REASON}")
        return
    server = PostgreSQL()
    try:
        server.start()
        with simulated(HallPlan(80, groups=2, pace=0.5, halls=2, scrambled=0.05), server.address) as hall:
            hall.begin()
            hall.pair()
            time.sleep(10)
            hall.kill_broker(2)
            hall.await_results(1, 600)
            truth = hall.truth()
            found = hall.differences(truth, 0)
            tables, events = hall.plan.tables, len(truth.events)
            print(
                f"\nTwo halls in one PostgreSQL, {tables} tables, {events:,} events, the broker killed once:"
            )
            print(f"{len(found)} differences at either hall.", *found[:MOST_TOLD], sep="\n", flush=True)
    finally:
        server.remove()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2000)
    parser.add_argument(
        "--groups", type=int, default=5, help="processes with tables, and as many with publishers"
    )
    parser.add_argument("--pace", type=float, default=4.0, help="seconds between two deeds of a fast table")
    parser.add_argument("--slow", type=float, default=4.0, help="how much slower three of four tables are")
    parser.add_argument("--more", type=float, default=240.0, help="seconds of play after the faults")
    parser.add_argument("--calm", type=float, default=60.0, help="seconds without faults")
    parser.add_argument("--kills", type=int, default=20, help="how often the broker is killed")
    parser.add_argument("--gap", type=float, default=12.0, help="seconds between two kills")
    parser.add_argument("--away", type=int, default=50, help="tables that lose the network")
    parser.add_argument("--away-seconds", type=float, default=90.0)
    parser.add_argument("--disk-seconds", type=float, default=15.0)
    parser.add_argument("--spectators", type=int, default=50)
    options = parser.parse_args()
    began = time.monotonic()
    print(ABOUT)
    print(f"A publisher's process with one table: {publisher_memory():.0f} MB.\n", flush=True)
    plan = HallPlan(
        players=options.players,
        groups=options.groups,
        pace=options.pace,
        slow=options.slow,
        away=options.away,
        wrong_clocks=True,
        scrambled=0.05,
        spectators=options.spectators,
    )
    with simulated(plan) as hall:
        used = Memory(hall)
        hall.begin()
        hall.pair()
        calm(hall, used, options.calm)
        since = time.monotonic()
        chaos(hall, used, options)
        until = time.monotonic()
        storm(hall)
        sleep(options.more, used)
        hall.stop_playing()
        truth = hall.truth()
        began_to_settle = time.monotonic()
        found = hall.differences(truth, 300)
        settled = time.monotonic() - began_to_settle
        used.look()
        print_end(hall, used, truth, found, hall.delays(since, until), settled)
    two_halls()
    print(f"\nTook {(time.monotonic() - began) / 60:.0f} minutes.")
    return 1 if found else 0


def print_end(
    hall: Simulation, used: Memory, truth: Truth, found: list[str], delays: list[float], settled: float
) -> None:
    """What came of it."""
    way, kept = hall.scrambler, hall.hall.now()
    middle, slow = percentile(delays, 0.5), percentile(delays, 0.99)
    print("\n| after all faults | |")
    print("|---|---|")
    print(
        f"| tables, finished plays, players | {hall.plan.tables}, {truth.finished}, {hall.plan.players:,} |"
    )
    print(f"| entries and beginnings of plays in the tables' journals | {len(truth.events):,} |")
    print(
        f"| messages to the hall, doubled, held back | {way.messages:,}, {way.doubled:,}, {way.reordered:,} |"
    )
    print(f"| the hall's events and standing differ from the journals in | {len(found)} places |")
    print(f"| until then, after the last entry | {settled:.0f} s |")
    print(f"| messages the hall ignored | {kept['ignored'] or 'none'} |")
    print(f"| from a journal to the board with all faults, p50, p99 | {middle:.1f}, {slow:.1f} s |")
    print(f"| most memory of the broker | {used.broker:.1f} MB |")
    print(f"| most memory of the hall | {used.hall:.0f} MB |")
    for line in found[:MOST_TOLD]:
        print(f"| difference | {line} |")


if __name__ == "__main__":
    sys.exit(reported(main))
