"""How fast whole games are, and what is most expensive in them: `python benchmarks/bots.py`.

Nothing here waits for a disk, so processor time is measured, independent of other load on the machine.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from companion.core import autoplay, power_orders  # noqa: E402
from companion.core.agenda import Ask, open_asks  # noqa: E402
from companion.core.game import Game, Setup, game  # noqa: E402
from companion.games.race.consuming import best_order, consume_powers  # noqa: E402
from companion.games.race.steps.consume import ChooseConsume  # noqa: E402

NAMES = ("Ania", "Bartek", "Celina", "Darek")
AGAIN = 20
"""So many of the slowest are measured again, so that a moment when the machine was busy is not taken for one."""


def setups(rules: Game) -> dict[str, Setup]:
    """Every number of players, and the advanced game."""
    found = {f"{n} players": Setup(rules.id, NAMES[:n]) for n in rules.box.seats}
    found["2 players, advanced"] = Setup(rules.id, NAMES[:2], {"actions": "advanced"})
    return found


def speed(rules: Game, what: str, setup: Setup, games: int) -> None:
    """Print how many games a second, and how long one takes."""
    times, answers = [], 0
    for seed in range(games):
        before = time.process_time()
        answers += sum(answer is not None for _, answer in autoplay.play(rules, setup, seed))
        times.append((time.process_time() - before) * 1000)
    p99 = statistics.quantiles(times, n=100)[98]
    print(
        f"{what}: {len(times) * 1000 / sum(times):.1f} games/s, {answers * 1000 / sum(times):.0f} answers/s; "
        f"a game: median {statistics.median(times):.0f} ms, p99 {p99:.0f} ms"
    )


def milliseconds(run: Callable[[], object]) -> float:
    """How long one run takes."""
    before = time.process_time()
    run()
    return (time.process_time() - before) * 1000


def slowest(what: str, found: list[tuple[str, Callable[[], object]]]) -> None:
    """Print how long these take, and which of them is the slowest, measured again at its best of five."""
    times = [milliseconds(run) for _, run in found]
    slowest = sorted(range(len(found)), key=lambda n: -times[n])[:AGAIN]
    best = {n: min(milliseconds(found[n][1]) for _ in range(5)) for n in slowest}
    worst = max(best, key=lambda n: best[n])
    p99 = statistics.quantiles(times, n=100)[98]
    print(
        f"{what}: median {statistics.median(times):.2f} ms, p99 {p99:.2f} ms, "
        f"slowest {best[worst]:.2f} ms ({found[worst][0]}); {len(found)} in all"
    )


def asks(rules: Game, games: int) -> list[tuple[Any, Ask]]:
    """Every question of many games, with the table it is asked at."""
    found = []
    for setup in setups(rules).values():
        for seed in range(games):
            for state, _ in autoplay.play(rules, setup, seed):
                found += [(state, ask) for _, ask in open_asks(state)]
    return found


def _question(state: Any, ask: Ask) -> tuple[str, Callable[[], object]]:
    def asked() -> object:
        power_orders.best_order.cache_clear()
        power_orders.every_result.cache_clear()
        return ask.ask(state)

    return f"{ask.slug} with {len(ask.ask(state).options)} options", asked


def _order(state: Any, ask: ChooseConsume) -> tuple[str, Callable[[], object]]:
    powers = sum(1 for _ in consume_powers(state, ask.seat)) - len(ask.used)
    goods = len(state.seats[ask.seat].goods)

    def searched() -> object:
        power_orders.best_order.cache_clear()
        return best_order(state, ask.seat, ask.used)

    return f"{powers} powers, {goods} goods", searched


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50, help="games of each kind")
    options = parser.parse_args()
    rules = game("race")
    for what, setup in setups(rules).items():
        speed(rules, what, setup, options.games)
    found = asks(rules, options.games)
    slowest("building a question", [_question(state, ask) for state, ask in found])
    power_orders = [_order(state, ask) for state, ask in found if isinstance(ask, ChooseConsume)]
    slowest("finding the best order to consume", power_orders)


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
