"""How long the odds of battles take, and how far estimates are off: `python benchmarks/odds.py`."""

from __future__ import annotations

import signal
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import mean, quantiles

sys.path[0] = str(Path(__file__).parent.parent)  # run as a script, scoring.py here would hide the package

from msgspec import to_builtins  # noqa: E402

from companion.core.parts import OutOfTime  # noqa: E402
from companion.games.eclipse.odds import estimated, odds  # noqa: E402
from companion.games.eclipse.odds_dice import DiceGroup, Fleet, TooLarge  # noqa: E402

NONE = (0, 0, 0)
FLEETS: dict[str, Fleet] = {
    "6 ships as printed": (
        DiceGroup("int", 3, 3, 0, 0, 0, (1, 0, 0)),
        DiceGroup("cru", 2, 2, 1, 1, 0, (1, 0, 0)),
        DiceGroup("dre", 1, 1, 2, 1, 0, (2, 0, 0)),
    ),
    "6 ships, hulls and shields": (
        DiceGroup("int", 3, 3, 1, 0, 0, (1, 0, 0)),
        DiceGroup("cru", 2, 2, 3, 1, 1, (2, 0, 0)),
        DiceGroup("dre", 1, 1, 5, 1, 1, (3, 0, 0)),
    ),
    "6 ships, two colours of dice": (
        DiceGroup("int", 3, 3, 1, 0, 0, (1, 0, 0)),
        DiceGroup("cru", 2, 2, 3, 1, 0, (1, 1, 0)),
        DiceGroup("dre", 1, 1, 5, 1, 0, (0, 2, 0)),
    ),
    "6 ships, two colours, three shields": (
        DiceGroup("int", 3, 3, 1, 0, 0, (1, 0, 0)),
        DiceGroup("cru", 2, 2, 3, 1, 1, (1, 1, 0)),
        DiceGroup("dre", 1, 1, 5, 1, 2, (0, 2, 0)),
    ),
    "6 ships with missiles": (
        DiceGroup("cru", 4, 3, 2, 1, 0, (1, 0, 0), (0, 2, 0)),
        DiceGroup("dre", 2, 3, 3, 1, 0, (2, 0, 0), (0, 2, 0)),
    ),
    "6 large ships": (
        DiceGroup("cru", 4, 3, 3, 1, 0, (1, 0, 0), NONE),
        DiceGroup("dre", 2, 3, 6, 1, 0, (2, 0, 0), NONE),
    ),
    "6 large ships, two colours": (
        DiceGroup("cru", 4, 3, 3, 1, 0, (1, 0, 0), NONE),
        DiceGroup("dre", 2, 3, 5, 1, 0, (0, 2, 0), NONE),
    ),
}


def drawn_fleet(random: Random) -> Fleet:
    """One to three types of ships with random parts."""
    return tuple(
        DiceGroup(
            type,
            n=random.randint(1, 4 if type in ("int", "cru") else 2),
            init=random.randint(0, 4),
            hull=random.randint(0, 4),
            comp=random.randint(0, 3),
            shield=random.randint(0, 2),
            cannons=(random.randint(0, 2), random.choice((0, 0, 1)), random.choice((0, 0, 0, 1))),
            missiles=random.choice((NONE, NONE, (0, random.randint(1, 2), 0))),
        )
        for type in random.sample(("int", "cru", "dre", "sba"), random.randint(1, 3))
    )


def drawn_ancients(random: Random) -> Fleet:
    """Ancients or the defence system, or something like them."""
    cannons = random.choice(((2, 0, 0), (1, 1, 0), (0, 0, 1), (4, 0, 0)))
    return (
        DiceGroup("npc", random.randint(1, 3), random.randint(0, 3), random.randint(1, 6), 1, 0, cannons),
    )


def drawn_battles(seed: int, number: int) -> Iterator[tuple[Fleet, Fleet]]:
    """Random battles; in one of five the defenders are not players."""
    random = Random(seed)
    for _ in range(number):
        attacker = drawn_fleet(random)
        yield attacker, drawn_ancients(random) if random.random() < 0.2 else drawn_fleet(random)


def giving_up(seconds: float) -> Callable[[], None]:
    """Raises after this much processor time."""
    end = time.process_time() + seconds

    def breathe() -> None:
        if time.process_time() > end:
            raise OutOfTime

    return breathe


def times() -> None:
    """Each fleet against one like it."""
    for name, fleet in FLEETS.items():
        wall, cpu = time.perf_counter(), time.process_time()
        found = odds(fleet, fleet)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(f"{name:38} {found.attacker_win:.12f}  {wall:5.2f} s, of the processor {cpu:5.2f} s")


def errors(seed: int, number: int, seconds: float) -> None:
    """Estimates of random battles beside their exact odds."""
    off, stated, unsolved, took = [], [], 0, 0.0
    for attacker, defender in drawn_battles(seed, number):
        began = time.process_time()
        guess = estimated(attacker, defender)
        took += time.process_time() - began
        try:
            exact = odds(attacker, defender, breathe=giving_up(seconds))
        except (TooLarge, OutOfTime):
            unsolved += 1
            continue
        off.append(abs(guess.attacker_win - exact.attacker_win))
        stated.append(guess.error)
    within = sum(a <= b for a, b in zip(off, stated, strict=True))
    points = [100 * quantiles(off, n=100)[n - 1] for n in (50, 90, 95, 99)]
    print(
        f"{number} random battles (seed {seed}): {len(off)} exact within {seconds:g} s, {unsolved} only estimated"
    )
    print(f"estimates within their stated error: {within} of {len(off)} ({100 * within / len(off):.1f} %)")
    print(
        f"stated error: {100 * min(stated):.1f} to {100 * max(stated):.1f} points, mean {100 * mean(stated):.1f}"
    )
    print(
        "error in points: "
        + ", ".join(f"{n} % below {p:.1f}" for n, p in zip((50, 90, 95, 99), points, strict=True))
    )
    print(
        f"largest error: {100 * max(off):.1f} points; an estimate takes {took / number:.2f} s of the processor"
    )


def slow_solver(seed: int, number: int, seconds: float) -> None:
    """How many of the same battles a solver without our savings solves in the same time: the one of the tests."""
    from tests.games.eclipse.plain_odds import win

    def late(*_: object) -> None:
        raise OutOfTime

    signal.signal(signal.SIGVTALRM, late)
    solved = 0
    for attacker, defender in drawn_battles(seed, number):
        battle = {"attacker": to_builtins(attacker), "defender": to_builtins(defender)}
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        try:
            win(battle, waste=False)
            solved += 1
        except (OutOfTime, RecursionError):
            pass
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    print(f"the slow solver of the tests, within {seconds:g} s each: {solved} of {number}")


def main() -> None:
    """Print times, errors, and what the solver is worth."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=200, help="random battles to estimate")
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="of the processor for exact odds of a random battle"
    )
    options = parser.parse_args()
    times()
    errors(options.seed, options.pairs, options.seconds)
    slow_solver(options.seed, options.pairs, options.seconds)


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
