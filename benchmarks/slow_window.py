"""Cards shown to the real program with part of a core: `sudo .venv/bin/python benchmarks/slow_window.py`.

    sudo nice -n -10 .venv/bin/python benchmarks/slow_window.py --shares 1.0 0.4 0.3 --films 10 --seed 1

The program runs in a real X window (Xvfb) in a control group that gets this part of one core, drawing included.
A network camera outside the group shows it drawn films in which hands bring cards (tests/films), at 25 pictures
a second and with the time each was taken; every picture is drawn before. The play is in the journal as the film
needs it. A show is *taken* if its answer is in the journal, and nobody touches anything; its time counts from
when the card is still and can be read to when the answer is written.
"""

from __future__ import annotations

import argparse
import bisect
import math
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import cv2
import msgspec

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from benchmarks.slow import confine  # noqa: E402
from benchmarks.slow_shows import GAMES, MINUTES, SHOWS, WITHIN  # noqa: E402
from companion.core.agenda import questions  # noqa: E402
from companion.core.binder import Binder  # noqa: E402
from companion.core.entries import Answered  # noqa: E402
from companion.core.journal import Journal  # noqa: E402
from companion.core.play import Play  # noqa: E402
from companion.core.session import Session  # noqa: E402
from companion.core.store import Store  # noqa: E402
from companion.recognition import reading  # noqa: E402
from companion.table.settings import Settings  # noqa: E402
from tests.films.evenings import FilmedEvening, evening  # noqa: E402
from tests.films.judging import Verdict, judge  # noqa: E402
from tests.films.slow_machine import FRAME  # noqa: E402
from tests.ui import real  # noqa: E402
from workshop.film_replay import Happening  # noqa: E402
from workshop.films.film import frames  # noqa: E402

WATCHED, AFTER = 3.0, 2.0
"""Seconds for which the table is watched before the film begins, and after its end."""


class FilmCamera(BaseHTTPRequestHandler):
    """A network camera that shows a film, or its first picture until the film begins."""

    times: ClassVar[list[float]]
    pictures: ClassVar[list[bytes]]
    began: ClassVar[float]

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
        self.end_headers()
        due = time.time()
        try:
            while True:
                now = time.time()
                picture = self.pictures[max(0, bisect.bisect(self.times, now - self.began) - 1)]
                head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n"
                self.wfile.write(f"{head}X-Timestamp: {now:.6f}\r\n\r\n".encode() + picture + b"\r\n")
                due = max(due + FRAME, now)
                time.sleep(max(0.0, due - time.time()))
        except OSError:
            return  # the reader has hung up

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def filming(film: FilmedEvening) -> Iterator[tuple[str, type[FilmCamera]]]:
    """A camera that shows this film, and its address."""
    drawn = [
        (one.at, cv2.imencode(".jpg", one.picture)[1].tobytes()) for one in frames(film.film, quick=FRAME)
    ]
    told = {"times": [at for at, _ in drawn], "pictures": [data for _, data in drawn], "began": math.inf}
    camera = type("Camera", (FilmCamera,), told)
    server = ThreadingHTTPServer(("127.0.0.1", 0), camera)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/video", camera
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def journaled(home: Path, session: Session) -> None:
    """Write this play to a journal of its own."""
    with Store(home / "journal.db") as store:
        play = Play.start(session.game, session.setup, Journal(store), Binder(store), 0.0)
        for moment in session.moments:
            if moment.entry is not None:
                assert isinstance(moment.entry.deed, Answered)
                play.answer(moment.entry.deed.answer, 0.0, moment.entry.same_deed)
        assert play.session.state == session.state


def answered(session: Session, first: int, began: float) -> Iterator[Happening]:
    """What was answered since the film began, by the journal."""
    texts = reading.book(session.game).texts
    for n, moment in enumerate(session.moments[first:], first):
        entry = moment.entry
        if entry is None or not isinstance(entry.deed, Answered) or entry.same_deed:
            continue
        answer = entry.deed.answer
        before = questions(session.moments[n - 1].state)
        asked = next(one for one in before if (one.seat, one.slug) == (answer.seat, answer.slug))
        option = asked.option(answer.option)
        assert option is not None
        labels = tuple(text for piece, text in texts.items() if piece.component == option.component)
        yield Happening(entry.at - began, "answer", labels, (answer,))


def family(pid: int) -> list[int]:
    """A process and all it has started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in family(int(child)))]


def processor(pids: list[int]) -> float:
    """Seconds of processor these have used."""
    stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / os.sysconf("SC_CLK_TCK")


def watched(game: str, seed: int, share: float) -> tuple[Verdict, float]:
    """What came of a film, and the part of a core the program used meanwhile."""
    film = evening(game, seed, MINUTES, kinds=SHOWS)
    group = confine(share)
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            filming(film) as (address, camera),
            real.screen(Path(folder)) as program,
        ):
            journaled(program.home, film.session)
            settings = Settings(camera=address, zones=film.zones, spot=film.spot, moments=False)
            (program.home / "settings.json").write_bytes(msgspec.json.encode(settings))
            program.start("resume", "1", LAYOUT_FAULTS="")
            program.until(lambda shown: shown["screen"] == "table" and shown["looked"])
            assert program.process is not None
            pids = family(program.process.pid)
            for pid in pids:
                (group / "cgroup.procs").write_text(str(pid))
            time.sleep(WATCHED)
            first, used, began = len(program.session().moments), processor(pids), time.time()
            camera.began = began
            time.sleep(film.film.length + AFTER)
            used = (processor(pids) - used) / (time.time() - began)
            happened = [*answered(program.session(), first, began)]
    finally:
        group.rmdir()
    return judge(film, happened), used


def row(share: float, of: list[tuple[Verdict, float]]) -> str:
    """One line of the table."""
    all_ = sum((verdict for verdict, _ in of), Verdict())
    delays = sorted(all_.delays) or [math.nan]
    soon = sum(delay <= WITHIN[share] for delay in delays)
    return (
        f"| {share:.1f} | {len(all_.delays)} of {all_.expected} | {soon} of {all_.expected} within {WITHIN[share]} s | "
        f"{statistics.median(delays):.2f} s | {delays[-1]:.2f} s | {len(all_.unasked)} | "
        f"{statistics.mean(used for _, used in of):.2f} of a core |"
    )


def main() -> None:
    """Measure at every part of a core."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shares", nargs="+", type=float, choices=[*WITHIN], default=[*WITHIN])
    parser.add_argument("--films", type=int, default=5, help="for each part of a core")
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    rows = []
    for share in told.shares:
        of = []
        for n in range(told.films):
            game, seed = GAMES[n % len(GAMES)], told.seed * 100_000 + n
            of.append(watched(game, seed, share))
            for what, found in (("not taken", of[-1][0].missed), ("invented", of[-1][0].unasked)):
                print(
                    *(f"{what}: {game} {seed} at {share}: {one}\n" for one in found),
                    sep="",
                    end="",
                    flush=True,
                )
            print(f"{game} {seed} at {share}: {[round(delay, 2) for delay in of[-1][0].delays]}", flush=True)
        rows.append(row(share, of))
    print("| part of a core | shows taken | in time | median | slowest | invented answers | processor used |")
    print("|---:|---:|---:|---:|---:|---:|---|")
    print(*rows, sep="\n", flush=True)
    print(f"load of this machine: {' '.join(f'{load:.1f}' for load in os.getloadavg())}")


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
