"""Hours of drawn evenings shown to the program: invented answers, accepted shows, and how soon.

    .venv/bin/python benchmarks/films.py --hours 10 --game race --seed 1
    .venv/bin/python benchmarks/films.py --film 17 --game race --save /tmp/film   that film as a folder of pictures

    .venv/bin/python benchmarks/films.py --hours 100 --game race --eyes               labels are read by the truth
    .venv/bin/python benchmarks/films.py --hours 10 --game race --faces               cards have art and no labels

Needs no camera and no display. Every film is a play by bots at some moment, with the cards that lie there,
arms, hands, dealing, tidying up and camera faults, and a few cards really shown. See tests/films.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from tests.films.evenings import evening  # noqa: E402
from tests.films.judging import Verdict, judge  # noqa: E402
from tests.films.program import watch  # noqa: E402
from workshop.films.film import save  # noqa: E402


def tell(verdict: Verdict) -> None:
    """The table of a campaign."""
    hours = verdict.seconds / 3600
    print(f"hours {hours:.2f}   events {verdict.events.total()}")
    print(f"invented answers {len(verdict.unasked)}   per hour {len(verdict.unasked) / hours:.2f}")
    for kind, n in sorted(verdict.events.items()):
        wrong = sum(during == kind for during, _, _ in verdict.unasked)
        print(f"    {kind:18} {n:5} times {wrong:4} invented answers {wrong / hours:7.2f} per hour")
    delays = sorted(verdict.delays)
    share = len(delays) / verdict.expected if verdict.expected else 1.0
    print(f"shows {verdict.expected}   taken {len(delays)} ({share:.1%})", end="")
    if delays:
        late = delays[min(len(delays) - 1, int(len(delays) * 0.99))]
        soon, later = (sum(delay <= limit for delay in delays) / verdict.expected for limit in (0.5, 0.7))
        print(f"   delay median {statistics.median(delays):.2f} s, p99 {late:.2f} s", end="")
        print(f", within 0.5 s {soon:.1%}, 0.7 s {later:.1%}", end="")
    print()
    missed = [kind for kind, _, _ in verdict.missed]
    print("missed:", ", ".join(f"{kind} {missed.count(kind)}" for kind in sorted(set(missed))) or "none")
    for what, n in (
        ("offers", verdict.offers),
        ("refusals", verdict.refusals),
        ("disturbed", verdict.disturbed),
    ):
        print(f"{what} per hour {n / hours:.1f}", end="   ")
    print()


def main() -> None:
    """Watch films until there are enough hours of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--game", choices=("beyond", "eclipse", "frontiers", "race", "transgalactica"), default="race"
    )
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=6.0, help="of each film")
    parser.add_argument("--film", type=int, help="only the film with this seed")
    parser.add_argument("--save", type=Path, help="write that film there instead of watching it")
    parser.add_argument(
        "--eyes", action="store_true", help="labels are read by the truth: quick, for many hours"
    )
    parser.add_argument("--nasty", action="store_true", help="mostly what happens seldom")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--faces", action="store_true", help="cards have art and no labels")
    told = parser.parse_args()
    if told.save is not None:
        save(
            evening(told.game, told.film or told.seed, told.minutes, nasty=told.nasty, faces=told.faces).film,
            told.save,
        )
        return
    whole, began, seed = Verdict(), time.process_time(), (told.film or told.seed * 100_000)
    while whole.seconds < told.hours * 3600:
        shown = evening(told.game, seed, told.minutes, nasty=told.nasty, faces=told.faces)
        verdict = judge(shown, watch(shown, eyes=told.eyes))
        whole += verdict
        if told.verbose or verdict.unasked or verdict.missed:
            took = " ".join(f"{delay:.2f}" for delay in verdict.delays)
            print(
                f"film {seed}: {verdict.seconds:.0f} s, unasked {verdict.unasked} missed {verdict.missed} took {took}",
                flush=True,
            )
        seed += 1
        if told.film is not None:
            break
    tell(whole)
    print(f"processor {time.process_time() - began:.0f} s")


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
