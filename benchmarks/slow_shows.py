"""Cards shown to a slow machine: how many are taken, how soon, and whether anything is answered that nobody showed.

    nice .venv/bin/python benchmarks/slow_shows.py --films 20 --hours 10 --jobs 2 --results FILE
    .venv/bin/python benchmarks/slow_shows.py --films 0 --results FILE --report docs/reports/slow-shows.md

Drawn films (tests/films) before a machine with a part of a core: frames that come while it looks at an earlier one are
lost (tests/films/slow_machine.py). Labels are read by the truth. `--films` short films of shows alone for each game
tell how soon they are taken; `--hours` of evenings tell what nobody showed. What is in the file of results is not
watched again, so a run can be cut short and taken up. Needs no camera and no display.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import os
import platform
import statistics
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import msgspec
from msgspec import Struct

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from tests.films.evenings import evening  # noqa: E402
from tests.films.judging import judge  # noqa: E402
from tests.films.program import watch  # noqa: E402

GAMES = ("beyond", "eclipse", "frontiers", "race", "transgalactica")
WITHIN = {1.0: 0.5, 0.4: 0.8, 0.3: 1.2}
"""Parts of a core, and seconds within which a show is to be taken there."""
SHOWS = ("show",) * 5
MINUTES = 6.0
"""Of a film of an evening."""


class Job(Struct, frozen=True):
    """One film before one machine; a short one of shows alone, or an evening."""

    game: str
    seed: int
    share: float
    short: bool


class Result(Struct, frozen=True):
    """What came of one film."""

    job: Job
    seconds: float
    expected: int
    delays: tuple[float, ...]
    missed: tuple[tuple[str, float, str], ...]
    unasked: tuple[tuple[str, float, str], ...]
    commit: str


def watched(job: Job) -> Result:
    """What came of a film."""
    film = evening(job.game, job.seed, MINUTES, kinds=SHOWS if job.short else ())
    verdict = judge(film, watch(film, eyes=True, share=job.share))
    if verdict.unasked or verdict.missed:
        print(f"{job}: unasked {verdict.unasked} missed {verdict.missed}", flush=True)
    return Result(
        job, verdict.seconds, verdict.expected, verdict.delays, verdict.missed, verdict.unasked, commit()
    )


@functools.cache
def commit() -> str:
    """The version that watches."""
    asked = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def row(share: float, results: list[Result]) -> str:
    """A line of the report."""
    delays, hours = sorted(d for r in results for d in r.delays), sum(r.seconds for r in results) / 3600
    expected, unasked = sum(r.expected for r in results), sum(len(r.unasked) for r in results)
    soon = sum(delay <= WITHIN[share] for delay in delays)
    late = delays[int(0.98 * (len(delays) - 1))]
    return (
        f"| {share:.1f} | {hours:.1f} | {unasked} | {len(delays)} of {expected} | {soon} of {expected} within "
        f"{WITHIN[share]} s | {statistics.median(delays):.2f} s | {late:.2f} s | {delays[-1]:.2f} s |"
    )


HEAD = """| part of a core | hours | invented answers | shows taken | in time | median | 98 % within | slowest |
|---:|---:|---:|---:|---:|---:|---:|---:|"""


def report(results: list[Result]) -> str:
    """The tables of the report."""
    parts = []
    for short, what in ((True, "Short films of shows alone"), (False, "Evenings")):
        of = [result for result in results if result.job.short == short]
        shares = sorted({result.job.share for result in of}, reverse=True)
        rows = [row(share, [result for result in of if result.job.share == share]) for share in shares]
        if rows:
            first, last = min(r.job.seed for r in of), max(r.job.seed for r in of)
            parts.append("\n".join([f"{what}, seeds {first} to {last} of five games:", "", HEAD, *rows]))
    return "\n\n".join(parts)


def main() -> None:
    """Watch all films and tell what came of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", nargs="+", choices=GAMES, default=GAMES)
    parser.add_argument("--shares", nargs="+", type=float, choices=[*WITHIN], default=[*WITHIN])
    parser.add_argument("--films", type=int, default=4, help="short films of each game")
    parser.add_argument("--hours", type=float, default=0.0, help="of evenings, of all games together")
    parser.add_argument("--evenings-at", nargs="+", type=float, choices=[*WITHIN], default=[0.3])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--results", type=Path, help="a file in which the result of each film is kept")
    parser.add_argument("--report", type=Path, help="write the tables there, with date, commit and machine")
    told = parser.parse_args()
    first, evenings = told.seed * 100_000, round(told.hours * 60 / MINUTES)
    jobs = [
        Job(game, first + n, share, True)
        for n in range(told.films)
        for game in told.games
        for share in told.shares
    ]
    jobs += [
        Job(told.games[n % len(told.games)], first + n, share, False)
        for n in range(evenings)
        for share in told.evenings_at
    ]
    lines = told.results.read_bytes().splitlines() if told.results and told.results.exists() else []
    results = [msgspec.json.decode(line, type=Result) for line in lines]
    known = {result.job for result in results}
    with ProcessPoolExecutor(told.jobs) as pool:
        for result in pool.map(watched, [job for job in jobs if job not in known]):
            results.append(result)
            if told.results is not None:
                with told.results.open("ab") as file:
                    file.write(msgspec.json.encode(result) + b"\n")
    tables = report(results)
    print(tables)
    if told.report is not None:
        when = datetime.datetime.now(datetime.UTC).date()
        commits = ", ".join(sorted({result.commit for result in results}))
        about = f"{when}, commit {commits}, {platform.machine()} with {os.cpu_count()} cores, "
        about += f"Python {platform.python_version()}."
        told.report.write_text(f"{INTRODUCTION}\n{about}\n\n{tables}\n", encoding="utf-8")


INTRODUCTION = """# Cards shown to a slow machine

How many cards that people show are taken, and how soon, if the program has only a part of a core. For anybody who
changes the camera's thread, the reader or the tracker.

`benchmarks/slow_shows.py` draws the films and models the machine: decoding, reading and judging a picture take what was
measured at 1920x1080 on a whole core (`tests/films/slow_machine.py`), divided by the part; frames that come meanwhile
are lost. The time counts from when the card is still and can be read to when its answer is written. Labels are read by
the truth.
"""


if __name__ == "__main__":
    main()
