"""Lets bots play many games and prints the results."""

from __future__ import annotations

import argparse
import time
from typing import Any

from rich.table import Table

from companion.commands.shared import Help, Options, choices, names, print_json, shower, variants_argument
from companion.core import autoplay
from companion.core.game import Game, Setup, game
from companion.core.words import count, decimal, say
from companion.errors import DONE, DataTrouble
from companion.texts import render

MOST = 100_000
"""Maximum number of games: hours, even for the fastest; all results are kept in memory until the end."""


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which game, how often, and how many bots."""
    parser.add_argument("game", help=t("game"))
    parser.add_argument("--games", type=int, default=10, metavar="N", help=t("games"))
    parser.add_argument("--players", type=int, default=2, metavar="P", help=t("players"))
    parser.add_argument("--seed", type=int, default=1, metavar="S", help=t("seed"))
    variants_argument(parser, t)
    parser.add_argument("--json", action="store_true", help=t("json"))


def run(options: Options) -> int:
    """Let bots play many games and print the results."""
    rules = game(options.game)
    setup = Setup(rules.id, names(options.players), choices(options, rules))
    if options.games < 1:
        raise DataTrouble(say("cli.no-games"))
    if options.games > MOST:
        raise DataTrouble(say("cli.many-games", most=str(MOST)))
    began = time.perf_counter()
    results = [_bot_game(rules, setup, options.seed + n) for n in range(options.games)]
    seconds = time.perf_counter() - began
    if options.json:
        print_json({"game": rules.id, "seconds": round(seconds, 3), "games": results})
        return DONE
    show = shower(options)
    table = Table()
    for key in ("seed", "rounds", "answers", "scores", "winners"):
        table.add_column(render(say(f"ui.bots-{key}"), options.language))
    for result in results:
        scores = ", ".join(f"{name} {total}" for name, total in result["scores"].items())
        winners = ", ".join(result["winners"])
        table.add_row(str(result["seed"]), str(result["rounds"]), str(result["answers"]), scores, winners)
    show.console.print(table)
    show.say(count("ui.bots-played", len(results), rate=decimal(len(results) / seconds)))
    return DONE


def _bot_game(rules: Game, setup: Setup, seed: int) -> dict[str, Any]:
    """Play one game; an impossible table is a bug and ends everything."""
    answers = -1
    for state, _ in autoplay.play(rules, setup, seed):
        answers += 1
        problems = rules.check(state)
        assert not problems, f"seed {seed}, answer {answers}: {problems}"
    sheet = rules.sheet(state)
    return {
        "seed": seed,
        "rounds": rules.view(state).round,
        "answers": answers,
        "scores": {seat.name: seat.total for seat in sheet.seats},
        "winners": list(sheet.winners),
    }
