"""The odds of a battle in a file, for whichever game knows about odds (its `odds.py`)."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol, cast

import companion.games
from companion.commands.shared import Help, Options, print_json
from companion.core.words import Text, plain, say
from companion.errors import DONE, Unknown
from companion.results.output import Output
from companion.results.positions import bytes_of, parse, quoted
from companion.texts import render


class Answer(Protocol):
    """Odds, for programs and for people."""

    def plain(self) -> dict[str, Any]:
        """As plain values for JSON."""

    def told(self) -> Iterable[Text]:
        """In sentences."""


class Oddsmaker(Protocol):
    """What a game's `odds.py` provides."""

    def odds_of(self, raw: dict[str, Any]) -> Answer:
        """The odds of what these plain JSON values say; raises `DataTrouble` with all problems."""


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which game, and the battle."""
    parser.add_argument("game", help=t("game"))
    parser.add_argument("file", metavar="FILE", help=t("battle"))
    parser.add_argument("--json", action="store_true", help=t("json"))


def run(options: Options) -> int:
    """Tell the odds of what a file (`-`: standard input) says; raises `Trouble` with everything that is wrong."""
    maker = _maker(options.game)
    path = options.file
    answer = maker.odds_of(parse(sys.stdin.buffer.read() if path == "-" else bytes_of(Path(path))))
    if options.json:
        print_json(answer.plain())
    else:
        screen = Output(sys.stdout)
        for sentence in answer.told():
            screen.print(render(sentence, options.language), markup=False, highlight=False)
    return DONE


def _maker(game: str) -> Oddsmaker:
    known = [
        module.name
        for module in pkgutil.iter_modules(companion.games.__path__)
        if importlib.util.find_spec(f"companion.games.{module.name}.odds")
    ]
    if game not in known:
        raise Unknown(say("odds.unknown-game", game=quoted(game), known=tuple(map(plain, known))))
    return cast(Oddsmaker, importlib.import_module(f"companion.games.{game}.odds"))
