"""The odds of a battle in a file, for whichever game knows about odds (its `odds.py`)."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TextIO, cast

import msgspec

import companion.games
from companion.core.words import Text, plain, say
from companion.errors import DONE, Unknown
from companion.positions import parse, quoted
from companion.score_command import bytes_of
from companion.terminal.screen import Screen
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


def odds_of_file(game: str, path: str, *, as_json: bool, language: str, stdin: BinaryIO, out: TextIO) -> int:
    """Tell the odds of what a file (`-` is `stdin`) says; raises `Trouble` with everything that is wrong."""
    maker = _maker(game)
    answer = maker.odds_of(parse(stdin.read() if path == "-" else bytes_of(Path(path))))
    if as_json:
        out.write(msgspec.json.format(msgspec.json.encode(answer.plain()), indent=2).decode() + "\n")
    else:
        screen = Screen(out)
        for sentence in answer.told():
            screen.print(render(sentence, language), markup=False, highlight=False)
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
