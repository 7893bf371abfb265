"""The cost of an untaught box: whole plays by bots, and how much they are asked, by how much is taught.

    .venv/bin/python benchmarks/boxes.py                 20 plays for each number of players and each box
    .venv/bin/python benchmarks/boxes.py --games 500
    .venv/bin/python benchmarks/boxes.py --game beyond

After every answer the table is checked, and the bots count their pieces. The taught box is made up for tests.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from companion.core import autoplay  # noqa: E402
from companion.core.agenda import questions  # noqa: E402
from companion.core.components import Facts  # noqa: E402
from companion.core.game import Game, Setup, game  # noqa: E402
from tests.games.beyond.made_up_box import made_up_box  # noqa: E402
from tests.games.frontiers.made_up_box import FACTS  # noqa: E402
from tests.games.transgalactica.made_up_box import facts as transgalactica  # noqa: E402

NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa")
FACT = "core.fact"
BOXES: dict[str, Callable[[], Facts]] = {
    "beyond": made_up_box,
    "frontiers": lambda: FACTS,
    "transgalactica": transgalactica,
}
"""The games whose box is not known from end to end, each with a box made up for tests."""
SORTS = ("untaught", "half", "taught")


def boxes(id: str) -> dict[str, Facts]:
    """Nothing taught, half of the components, all of them."""
    facts = BOXES[id]()
    tiles = sorted({key.rpartition(".")[0] for key in facts})
    half = set(Random(1).sample(tiles, len(tiles) // 2))
    told = {key: value for key, value in facts.items() if key.rpartition(".")[0] in half}
    return dict(zip(SORTS, ({}, told, dict(facts)), strict=True))


class AskedInPlays:
    """What plays of one sort asked."""

    def __init__(self) -> None:
        self.plays = self.choices = self.pages = self.rounds = 0
        self.ends: Counter[str] = Counter()

    def add(self, rules: Game, setup: Setup, seed: int) -> None:
        """Play once; raises AssertionError if the table is impossible, or the news does not add up."""
        self.plays += 1
        state, before = None, None
        for state, answer in autoplay.play(rules, setup, seed):
            assert not rules.check(state), (setup, seed, rules.check(state))
            if answer is not None and before is not None:
                only = {(q.seat, q.slug) for q in questions(before) if q.only is not None}
                self.pages += answer.slug == FACT
                self.choices += answer.slug != FACT and (answer.seat, answer.slug) not in only
            before = state
        assert state is not None
        self.rounds += rules.view(state).round
        ending = getattr(state, "ending", ())
        self.ends.update(ending if isinstance(ending, tuple) else ("goal" if ending else "stopped",))


def main() -> None:
    """Play with each box and print what was asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20, help="for each number of players and each box")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--game", choices=tuple(BOXES), default="frontiers")
    parser.add_argument("--box", choices=SORTS, help="only with this one")
    told = parser.parse_args()
    rules = game(told.game)
    print(
        f"{'box':10}{'players':>8}{'plays':>7}{'rounds':>8}{'choices':>9}{'pages':>7}   a play; and how they ended"
    )
    for box, facts in boxes(rules.id).items():
        if told.box not in (None, box):
            continue
        for seats in rules.box.seats:
            asked = AskedInPlays()
            for n in range(told.games):
                values = {v.id: v.values[n % len(v.values)] for v in rules.box.variants if v.id != "edition"}
                choices = {
                    v.id: values[v.id] for v in rules.box.variants if v.allowed(values.get(v.id, ""), seats)
                }
                setup = Setup(rules.id, NAMES[:seats], choices, facts)
                asked.add(rules, rules.complete(setup), told.seed + n)
            n = asked.plays
            figures = f"{asked.rounds / n:8.1f}{asked.choices / n:9.1f}{asked.pages / n:7.1f}"
            print(f"{box:10}{seats:8}{n:7}{figures}   {dict(asked.ends)}", flush=True)


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
