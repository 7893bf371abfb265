"""Bots play every game with every number of players and every variant; writes docs/reports/bot-campaign.md.

    nice .venv/bin/python benchmarks/bot_campaign.py                     40 games for each number of players
    .venv/bin/python benchmarks/bot_campaign.py --games 4 --only race    a quick run, printed only

Variants are drawn at random for each game, so that they occur in all combinations. If a game asks for printed
values, every other game is played with an untaught box, the others with one made up for the tests. After
every answer the table is checked, and compared with the bots' own cards, cubes and tokens, which move only as
the news say. A game that fails is listed with its seed. The exit code is 1 if one failed.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct, field

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from companion.core import autoplay  # noqa: E402
from companion.core.components import Facts  # noqa: E402
from companion.core.game import Game, Setup, games  # noqa: E402
from tests.games.beyond.made_up_box import made_up_box  # noqa: E402
from tests.games.frontiers.made_up_box import FACTS  # noqa: E402
from tests.games.transgalactica.made_up_box import facts as transgalactica  # noqa: E402

REPORT = ROOT / "docs" / "reports" / "bot-campaign.md"
NAMES = ("Ania", "Bartek", "Celina", "Darek", "Ewa", "Filip")


class Campaign(Struct):
    """The games of one number of players."""

    rules: Game
    seats: int
    rounds: list[int] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    best: list[int] = field(default_factory=list)
    shared: int = 0
    """Games with more than one winner."""
    variants: Counter[tuple[str, str]] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)


def play(campaign: Campaign, seed: int, facts: Facts) -> None:
    """One game, with variants that its seed chooses."""
    rules, random = campaign.rules, Random(seed)
    chosen = {
        v.id: random.choice([value for value in v.values if v.allowed(value, campaign.seats)])
        for v in rules.box.variants
    }
    setup = Setup(rules.id, NAMES[: campaign.seats], chosen, facts=facts)
    answers = -1
    state: Any = None
    try:
        for state, _ in autoplay.play(rules, setup, seed):
            answers += 1
            assert not (problems := rules.check(state)), problems
        sheet = rules.sheet(state)
        for seat in sheet.seats:
            assert sum(line.points for line in seat.lines) == seat.total, seat
    except Exception as error:  # a campaign goes on: the page tells which game broke
        campaign.failed.append(f"seed {seed}, {chosen}, answer {answers}: {type(error).__name__}: {error}")
        return
    totals = [seat.total for seat in sheet.seats]
    campaign.rounds.append(rules.view(state).round)
    campaign.answers.append(answers)
    campaign.totals += totals
    campaign.best.append(max(totals))
    campaign.shared += len(sheet.winners) > 1
    campaign.variants.update(chosen.items())


def row(campaign: Campaign) -> str:
    """A line of the table."""
    failed = len(campaign.failed)
    head = (campaign.rules.box.name, campaign.seats, len(campaign.rounds) + failed, failed)
    spreads = map(spread, (campaign.rounds, campaign.answers, campaign.totals, campaign.best))
    return f"| {' | '.join(map(str, (*head, *spreads, campaign.shared)))} |"


def spread(numbers: list[int]) -> str:
    """The middle, and the ends."""
    return f"{statistics.median(numbers):.0f} ({min(numbers)} to {max(numbers)})" if numbers else ""


def report(found: list[Campaign], took: float) -> str:
    """The figures as a page."""
    head = subprocess.run(
        ["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    whole = sum(len(one.rounds) + len(one.failed) for one in found)
    checked = sum(sum(one.answers) for one in found)
    words = [
        "# Games of bots",
        "",
        "For anybody who changes a rule: does every game still end, with every number of players and every variant,",
        "and is the table right after every answer? Bots answer at random among sensible options and move their cards,",
        "cubes and tokens only as they are told. Their points say nothing about how well people play.",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, commit {head.stdout.strip() or 'unknown'}, {platform.machine()}, Python"
        f" {platform.python_version()}, by `benchmarks/bot_campaign.py`: {whole} games, {checked} answers,",
        f"{sum(len(one.failed) for one in found)} games that failed, {took / 60:.0f} minutes of processor time.",
        "Where printed values are asked for, every other game has a box nobody taught.",
        "",
        "Each column: the middle game (least to most).",
        "",
        "| game | players | games | failed | rounds | answers | points of a seat | points of the best | shared wins |",
        "|---|---:|---:|---:|---|---|---|---|---:|",
        *map(row, found),
        "",
        "## Variants",
        "",
        "In how many games each value was played; they are drawn at random for every game.",
        "",
        "| game | variant | games |",
        "|---|---|---|",
    ]
    for rules in dict.fromkeys(one.rules.id for one in found):
        ours = [one for one in found if one.rules.id == rules]
        counted = sum((one.variants for one in ours), Counter[tuple[str, str]]())
        for variant in ours[0].rules.box.variants:
            told = ", ".join(f"{value} {counted[variant.id, value]}" for value in variant.values)
            words.append(f"| {ours[0].rules.box.name} | {variant.id} | {told} |")
    failed = [f"* {one.rules.box.name}, {one.seats} players: {line}" for one in found for line in one.failed]
    return "\n".join((*words, *(("", "## Failed", "", *failed) if failed else ()), ""))


def main() -> int:
    """Play, and write the page if everything was played."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="for each game and number of players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one game")
    options = parser.parse_args()
    boxes = {"frontiers": FACTS, "beyond": made_up_box(), "transgalactica": transgalactica()}
    found = []
    for rules in games().values():
        for seats in rules.box.seats if options.only in (None, rules.id) else ():
            found.append(campaign := Campaign(rules, seats))
            for n in range(options.games):
                play(campaign, options.seed + n, boxes.get(rules.id, {}) if n % 2 else {})
            print(row(campaign), *campaign.failed, sep="\n", flush=True)
    if options.only is None:
        REPORT.write_text(report(found, time.process_time()))
    return int(any(one.failed for one in found))


if __name__ == "__main__":
    sys.exit(main())
