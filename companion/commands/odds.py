"""The odds of a battle described in a file, for every game that can compute odds."""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable
from typing import Any

from companion.commands.shared import Help, Options, given, print_json
from companion.core.game import games
from companion.core.parts import OddsAnswer, OutOfTime
from companion.core.positions import parse, quoted
from companion.core.words import plain, say
from companion.errors import DONE, DataTrouble, Unknown
from companion.results.output import Output
from companion.texts import render

Maker = Callable[[dict[str, Any], Callable[[], object]], OddsAnswer]
"""Computes the odds of a game's battle; it regularly calls the function it is given, which may raise to stop it."""

PATIENCE, LONGEST = 60, 3600
"""Seconds of processor time for exact odds: the default, and the maximum."""


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which game, and the battle."""
    parser.add_argument("game", help=t("game"))
    parser.add_argument("file", metavar="FILE", help=t("battle"))
    parser.add_argument(
        "--patience",
        type=float,
        default=PATIENCE,
        metavar="S",
        help=t(say("cli.odds-patience", seconds=PATIENCE)),
    )
    parser.add_argument("--json", action="store_true", help=t("json"))


def run(options: Options) -> int:
    """Print the odds of the battle in a file (`-`: standard input); raises `Trouble` with everything that is wrong."""
    if not 0 <= options.patience <= LONGEST:
        raise DataTrouble(say("cli.odds-bad-patience", most=LONGEST))
    maker = _maker(options.game)
    answer = worked_out(maker, parse(given(options.file)), options.patience)
    if options.json:
        print_json(answer.plain())
    else:
        screen = Output(sys.stdout)
        for sentence in answer.sentences():
            screen.print(render(sentence, options.language), markup=False, highlight=False)
    return DONE


def worked_out(maker: Maker, battle: dict[str, Any], seconds: float) -> OddsAnswer:
    """The odds of this battle, exact if that takes at most this many seconds of processor time.

    The garbage collector is off meanwhile: millions of small values are made, none of them in a cycle, so it
    would find nothing, take a fifth of the time, and delay giving up.
    """
    searched = gc.isenabled()
    gc.disable()
    try:
        return maker(battle, patience(seconds))
    except DataTrouble as trouble:
        raise trouble.with_traceback(None) from None  # it would keep all values alive
    finally:
        if searched:
            gc.enable()


def patience(seconds: float, clock: Callable[[], float] = time.process_time) -> Callable[[], None]:
    """A function to call regularly: it raises `OutOfTime` after this many seconds of processor time."""
    end = clock() + seconds

    def breathe() -> None:
        if clock() >= end:
            raise OutOfTime

    return breathe


def _maker(id: str) -> Maker:
    known = {game.id: game.odds for game in games().values() if game.odds is not None}
    if id not in known:
        raise Unknown(say("odds.unknown-game", game=quoted(id), known=tuple(map(plain, known))))
    return known[id]
