"""Cards shown to a slow machine: how many are accepted, how soon, and whether there are invented answers.

    nice .venv/bin/python benchmarks/slow_shows.py --films 9 --hours 0.3=10 1.0=3 --jobs 2 --seed 71 \\
        --results FILE --report docs/reports/slow-shows.md

Drawn films (tests/films) on a machine with part of a core: frames that come while it processes an earlier one
are lost (tests/films/slow_machine.py). Labels are read from the ground truth. `--films` short films of shows
alone for each game measure how soon they are accepted; `--hours` of evenings at a part of a core measure
invented answers. The report is rewritten after every film and says how many of the planned films it covers,
so a run that was stopped early has one too; the same command resumes it, as long as the commit is the same.
Needs no camera and no display.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import math
import os
import platform
import statistics
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import cv2
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


class FilmJob(Struct, frozen=True):
    """One film before one machine; a short one of shows alone, or an evening."""

    game: str
    seed: int
    share: float
    short: bool


class FilmResult(Struct, frozen=True):
    """What came of one film."""

    job: FilmJob
    seconds: float
    expected: int
    delays: tuple[float, ...]
    missed: tuple[tuple[str, float, str], ...]
    unasked: tuple[tuple[str, float, str], ...]
    commit: str


def watched(job: FilmJob) -> FilmResult:
    """What came of a film."""
    film = evening(job.game, job.seed, MINUTES, kinds=SHOWS if job.short else ())
    verdict = judge(film, watch(film, eyes=True, share=job.share))
    if verdict.unasked or verdict.missed:
        print(f"{job}: unasked {verdict.unasked} missed {verdict.missed}", flush=True)
    return FilmResult(
        job, verdict.seconds, verdict.expected, verdict.delays, verdict.missed, verdict.unasked, commit()
    )


@functools.cache
def commit() -> str:
    """The version that watches; one with changes that are not committed says so."""
    asked = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def row(share: float, results: list[FilmResult]) -> str:
    """A line of the report."""
    delays, long = sorted(d for r in results for d in r.delays), sum(r.seconds for r in results) / 3600
    expected, unasked = sum(r.expected for r in results), sum(len(r.unasked) for r in results)
    if not delays:
        return f"| {share:.1f} | {long:.1f} | {unasked} | 0 of {expected} | | | | |"
    soon = sum(delay <= WITHIN[share] for delay in delays)
    late = delays[math.ceil(0.98 * len(delays)) - 1]
    return (
        f"| {share:.1f} | {long:.1f} | {unasked} | {len(delays)} of {expected} | {soon} of {expected} within "
        f"{WITHIN[share]} s | {statistics.median(delays):.2f} s | {late:.2f} s | {delays[-1]:.2f} s |"
    )


HEAD = """| part of a core | hours | invented answers | shows taken | in time | median | 98 % within | slowest |
|---:|---:|---:|---:|---:|---:|---:|---:|"""


def report(results: list[FilmResult], planned: list[FilmJob]) -> str:
    """The tables of the report."""
    parts = []
    for short, what in ((True, "Short films of shows alone"), (False, "Evenings")):
        of = [result for result in results if result.job.short == short]
        shares = sorted({job.share for job in planned if job.short == short}, reverse=True)
        rows = [row(share, [r for r in of if r.job.share == share]) for share in shares]
        if rows:
            seeds, all_ = [r.job.seed for r in of], sum(job.short == short for job in planned)
            games = ", ".join(sorted({r.job.game for r in of}))
            which = f"seeds {min(seeds)} to {max(seeds)} of {games}" if of else "none yet"
            told = f"{what}, {len(of)} of {all_} planned films, {which}:"
            parts.append("\n".join([told, "", HEAD, *rows]))
    for result in results:
        for what, found in (("Invented", result.unasked), ("Missed", result.missed)):
            parts += [
                f"{what}: {result.job.game} {result.job.seed} at {result.job.share}: {one}" for one in found
            ]
    return "\n\n".join(parts)


def hours(told: str) -> tuple[float, float]:
    """A part of a core, and hours of evenings there: "0.3=10"."""
    share, _, of = told.partition("=")
    if float(share) not in WITHIN:
        raise ValueError(share)
    return float(share), float(of)


def jobs_of(told: argparse.Namespace) -> list[FilmJob]:
    """All films, those of every kind spread evenly: a run that is ended early has some of each."""
    first = told.seed * 100_000
    kinds = [
        [FilmJob(game, first + n, share, True) for n in range(told.films) for game in told.games]
        for share in (told.shares if told.films else ())
    ]
    for share, long in told.hours:
        films = range(round(long * 60 / MINUTES))
        kinds.append([FilmJob(told.games[n % len(told.games)], first + n, share, False) for n in films])
    placed = [(n / len(jobs), job) for jobs in kinds for n, job in enumerate(jobs)]
    return [job for _, job in sorted(placed, key=lambda one: one[0])]


def main() -> None:
    """Watch all films and tell what came of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", nargs="+", choices=GAMES, default=GAMES)
    parser.add_argument("--shares", nargs="+", type=float, choices=[*WITHIN], default=[*WITHIN])
    parser.add_argument("--films", type=int, default=4, help="short films of each game")
    parser.add_argument(
        "--hours", nargs="+", type=hours, default=[], help="evenings of all games: 0.3=10 1.0=3"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--results", type=Path, help="a file in which the result of each film is kept")
    parser.add_argument("--report", type=Path, help="write the tables there, with date, commit and machine")
    parser.add_argument(
        "--tell", action="store_true", help="watch nothing, only write the report of the results"
    )
    told = parser.parse_args()
    planned = jobs_of(told)
    lines = told.results.read_bytes().splitlines() if told.results and told.results.exists() else []
    kept = {result.job: result for result in (msgspec.json.decode(line, type=FilmResult) for line in lines)}
    if told.tell:
        (of,) = {result.commit for result in kept.values()}  # one version, or there is nothing to tell
        told.report.write_text(page([*kept.values()], planned, of), encoding="utf-8")
        return
    results = [kept[job] for job in planned if job in kept and kept[job].commit == commit()]
    known = {result.job for result in results}
    # One thread each: on a busy machine OpenCV's own threads wait for one another.
    with ProcessPoolExecutor(told.jobs, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        for done in as_completed([pool.submit(watched, job) for job in planned if job not in known]):
            results.append(done.result())
            if told.results is not None:
                with told.results.open("ab") as file:
                    file.write(msgspec.json.encode(results[-1]) + b"\n")
            if told.report is not None:
                told.report.write_text(page(results, planned, commit()), encoding="utf-8")
    if told.report is not None:
        told.report.write_text(page(results, planned, commit()), encoding="utf-8")
    print(report(results, planned))


def page(results: list[FilmResult], planned: list[FilmJob], version: str) -> str:
    """The whole report."""
    when = datetime.datetime.now(datetime.UTC).date()
    about = f"{when}, commit {version}, {platform.machine()} with {os.cpu_count()} cores, "
    about += f"Python {platform.python_version()}."
    return f"{INTRODUCTION}\n{about}\n\n{report(results, planned)}\n"


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
