"""The odds of a battle in a file, for whichever game knows about odds."""

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
"""What works out the odds of a game's battles; it calls what it is given now and then, which may raise."""

PATIENCE, LONGEST = 60, 3600
"""Seconds of processor for exact odds: how many there are usually, and at the most."""


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
    """Tell the odds of what a file (`-`: standard input) says; raises `Trouble` with everything that is wrong."""
    if not 0 <= options.patience <= LONGEST:
        raise DataTrouble(say("cli.odds-bad-patience", most=LONGEST))
    maker = _maker(options.game)
    answer = worked_out(maker, parse(given(options.file)), options.patience)
    if options.json:
        print_json(answer.plain())
    else:
        screen = Output(sys.stdout)
        for sentence in answer.told():
            screen.print(render(sentence, options.language), markup=False, highlight=False)
    return DONE


def worked_out(maker: Maker, battle: dict[str, Any], seconds: float) -> OddsAnswer:
    """The odds of this battle: exact ones if they take no more than so many seconds of processor.

    Millions of small values are made and none of them holds itself: Python's search for garbage among them would find
    none, a fifth of the time, and nobody can give up while it searches.
    """
    searched = gc.isenabled()
    gc.disable()
    try:
        return maker(battle, patience(seconds))
    except DataTrouble as trouble:
        raise trouble.with_traceback(None) from None  # it would hold all of them, for the next search
    finally:
        if searched:
            gc.enable()


def patience(seconds: float, clock: Callable[[], float] = time.process_time) -> Callable[[], None]:
    """Something to call now and then: raises `OutOfTime` once it took so many seconds of processor."""
    end = clock() + seconds

    def breathe() -> None:
        if clock() > end:
            raise OutOfTime

    return breathe


def _maker(id: str) -> Maker:
    known = {game.id: game.odds for game in games().values() if game.odds is not None}
    if id not in known:
        raise Unknown(say("odds.unknown-game", game=quoted(id), known=tuple(map(plain, known))))
    return known[id]
