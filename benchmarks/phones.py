"""Phones: latency with twelve of them, memory, floods. Random input: `phones_fuzz.py`.

    .venv/bin/python benchmarks/phones.py
    .venv/bin/python benchmarks/phones.py --eclipse 1000

Needs Debian's chromium. Twelve pages in one browser show one table on this machine; a bot taps on one, and the
time is taken until the last page has the table after it in its DOM. Everything is on loopback.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from benchmarks.report import reported  # noqa: E402
from companion.core.autoplay import next_answer  # noqa: E402
from companion.core.game import Setup, games  # noqa: E402
from companion.core.questions import Answer  # noqa: E402
from companion.core.session import Session  # noqa: E402
from tests.phones.live import LOOPBACK, LiveTable, chromium, phone, sit  # noqa: E402

NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")
PHONES = 12

WATCH = """() => {
  window.seen = {};
  const note = () => { window.seen[document.documentElement.dataset.version] ??= Date.now(); };
  new MutationObserver(note).observe(document.documentElement, { attributes: true });
  note();
}"""
SEEN = """async (version) => {
  while (!(version in window.seen)) await new Promise((done) => setTimeout(done, 1));
  const at = window.seen[version];
  window.seen = { [version]: at };
  return at;
}"""
TAP = """async ([slug, option]) => {
  const find = () => [...document.querySelectorAll(`section[data-slug="${slug}"] .option`)]
    .find((button) => button.dataset.option === option);
  while (document.querySelector('[aria-disabled="true"]')) await new Promise((done) => setTimeout(done, 1));
  const button = find();
  if (!button) return 0;
  const at = Date.now();
  button.click();
  return at;
}"""


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def resident(pid: int) -> float:
    """Megabytes in memory."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1000


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


class TableBots:
    """Bots that answer at a live table."""

    def __init__(self, table: LiveTable, seed: int) -> None:
        self.table, self.random, self.known = table, random.Random(seed), 0
        self.bots = table.desk.session.game.bots(table.desk.session.setup, self.random)

    def next(self) -> Answer | None:
        """What a bot answers now; none when the play is over."""
        session = self.table.desk.session
        for moment in session.moments[self.known :]:
            self.bots.follow(moment.state, moment.state.news)
        self.known = len(session.moments)
        return None if session.over else next_answer(session.state, self.bots, self.random)

    def propose(self, answer: Answer) -> None:
        """Answer at the table, and wait until it is done."""
        session = self.table.desk.session
        self.table.desk.propose(answer)
        self.moved(session)

    def moved(self, session: Session) -> None:
        """Wait until the table is another than this."""
        self.table.wait(lambda: self.table.desk.session is not session)


def latency(game: str, seats: int, most: int) -> None:
    """Twelve phones at one table: how long from a tap on one until all show it."""
    with folder() as at, chromium(at) as browser:
        table = LiveTable(at)
        table.play(Setup(game, NAMES[:seats]))
        pages = [phone(browser, ("en", "pl")[n % 2]) for n in range(PHONES)]
        for n, page in enumerate(pages):
            sit(table, page, n % seats)
            page.evaluate(WATCH)
        bots, elsewhere = TableBots(table, 5), 0
        last: list[float] = []
        own: list[float] = []
        while len(last) < most and (answer := bots.next()) is not None:
            session = table.desk.session
            version = table.version()
            for page in pages:
                page.evaluate(SEEN, version)
            tapped = pages[answer.seat or 0].evaluate(TAP, [answer.slug, answer.option])
            if not tapped:  # a form, or several dice: told at the table
                bots.propose(answer)
                elsewhere += 1
                continue
            bots.moved(session)
            after = [page.evaluate(SEEN, table.version()) - tapped for page in pages]
            last.append(max(after))
            own.append(after[answer.seat or 0])
        over = table.desk.session.over
        porter = table.porter.child
        assert porter is not None
        print(
            f"| {game}, {seats} seats{', to its end' if over else ''} | {len(last)} | {elsewhere} "
            f"| {percentile(own, 0.5):.0f} | {percentile(last, 0.5):.0f} | {percentile(last, 0.95):.0f} "
            f"| {percentile(last, 0.99):.0f} | {resident(porter.pid):.0f} |",
            flush=True,
        )
        table.close()


def memory(on: bool) -> float:
    """The app's memory after a whole Race by bots, with twelve phones or with none."""
    with folder() as at:
        table = LiveTable(at)
        table.play(Setup("race", NAMES[:4])) if on else table.desk.start(
            games()["race"], Setup("race", NAMES[:4])
        )
        table.wait(lambda: table.desk.play is not None)
        streams = [stream(table, n) for n in range(PHONES)] if on else []
        bots = TableBots(table, 5)
        while (answer := bots.next()) is not None:
            bots.propose(answer)
            for one in streams:
                with suppress(BlockingIOError):
                    while one.recv(1 << 20):
                        pass
        found = resident(os.getpid())
        for one in streams:
            one.close()
        table.close()
        return found


def stream(table: LiveTable, n: int) -> socket.socket:
    """An open stream, as a phone has one."""
    host, port = table.side.now.addresses[0], table.side.now.port
    made = socket.create_connection((host, port))
    language = ("en", "pl")[n % 2]
    head = (
        f"GET /events?language={language} HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: phone={n:032x}\r\n\r\n"
    )
    made.sendall(head.encode())
    made.setblocking(False)
    return made


def flood() -> None:
    """Too many streams, connections that say nothing, and too many answers; with the usual limits."""
    with folder() as at:
        table = LiveTable(at, LOOPBACK)
        table.play(Setup("race", NAMES[:4]))
        assert table.porter.child is not None
        pid, host, port = table.porter.child.pid, table.side.now.addresses[0], table.side.now.port
        before = resident(pid)
        statuses: Counter[str] = Counter()
        streams = [stream(table, n) for n in range(1000)]
        for one in streams:
            one.setblocking(True)
            statuses[one.recv(12).decode()[9:] or "closed"] += 1
        print(f"1,000 streams of one address: {dict(statuses)}")
        idle = [socket.create_connection((host, port)) for _ in range(500)]
        began = time.perf_counter()
        for one in idle:
            one.settimeout(30)
            with suppress(OSError):
                one.recv(1)
        print(f"500 connections that say nothing: all closed after {time.perf_counter() - began:.1f} s")
        for one in (*streams, *idle):
            one.close()
        found = Counter(say(host, port, b'{"kind":"undo","version":"x"}', "/say") for _ in range(1000))
        print(f"1,000 answers of one device: {dict(found)} (409: refused by the table, 429: too often)")
        print(f"memory of the porter: {before:.0f} MB before, {resident(pid):.0f} MB after")
        table.desk.for_now(phones=False)
        child = table.porter
        table.wait(lambda: not table.side.now.on)
        deadline = time.monotonic() + 10
        while child.child is not None and time.monotonic() < deadline:
            time.sleep(0.05)
        with socket.socket() as probe:
            listens = probe.connect_ex((host, port)) == 0
        print(f"switched off: {'something listens' if listens else 'nothing listens'}")
        table.close()


def say(host: str, port: int, body: bytes, path: str) -> int:
    connection = http.client.HTTPConnection(host, port, timeout=30)
    ours = f"{host}:{port}"
    headers = {
        "Host": ours,
        "Origin": f"http://{ours}",
        "Cookie": f"phone={1:032x}",
        "Content-Type": "application/json",
    }
    connection.request("POST", path, body, headers)
    status = connection.getresponse().status
    connection.close()
    return status


def main() -> int:
    """Everything, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--race", type=int, default=1000, help="at most so many taps in Race")
    parser.add_argument("--eclipse", type=int, default=150, help="at most so many taps in Eclipse")
    parser.add_argument("--memory", choices=("on", "off"), help="only this, for the figure of one process")
    given = parser.parse_args()
    if given.memory:
        print(f"{memory(given.memory == 'on'):.1f}")
        return 0
    print("Milliseconds from a tap on one phone until pages show it; twelve phones in one Chromium.")
    print("Aim: 95% within 250, 99% within 500.\n")
    print("| play | taps | told at the table | own phone, half | last phone, half | 95% | 99% | porter, MB |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    latency("race", 4, given.race)
    latency("eclipse", 6, given.eclipse)
    found = {}
    for on in ("off", "on"):
        words = [sys.executable, str(Path(__file__)), "--memory", on]
        found[on] = float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    print(f"\nmemory of the app after a Race of four: {found['off']:.0f} MB without phones, ", end="")
    print(
        f"{found['on']:.0f} MB with twelve ({found['on'] - found['off']:+.0f}; aim: at most +15)", flush=True
    )
    flood()
    return 0


if __name__ == "__main__":
    sys.exit(reported(main))
