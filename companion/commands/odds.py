"""The odds of a battle in a file, for whichever game knows about odds."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

from companion.commands.shared import Help, Options, given, print_json
from companion.core.game import games
from companion.core.parts import OddsAnswer
from companion.core.positions import parse, quoted
from companion.core.words import plain, say
from companion.errors import DONE, Unknown
from companion.results.output import Output
from companion.texts import render


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which game, and the battle."""
    parser.add_argument("game", help=t("game"))
    parser.add_argument("file", metavar="FILE", help=t("battle"))
    parser.add_argument("--json", action="store_true", help=t("json"))


def run(options: Options) -> int:
    """Tell the odds of what a file (`-`: standard input) says; raises `Trouble` with everything that is wrong."""
    maker = _maker(options.game)
    answer = maker(parse(given(options.file)))
    if options.json:
        print_json(answer.plain())
    else:
        screen = Output(sys.stdout)
        for sentence in answer.told():
            screen.print(render(sentence, options.language), markup=False, highlight=False)
    return DONE


def _maker(id: str) -> Callable[[dict[str, Any]], OddsAnswer]:
    known = {game.id: game.odds for game in games().values() if game.odds is not None}
    if id not in known:
        raise Unknown(say("odds.unknown-game", game=quoted(id), known=tuple(map(plain, known))))
    return known[id]
