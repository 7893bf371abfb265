"""Prints or draws the wiring plan: what is connected to which pin."""

from __future__ import annotations

import argparse

from companion.commands.shared import Help, Options, write_text
from companion.core.words import say
from companion.errors import DONE
from companion.table.panel_words import text_of, wiring
from companion.texts import render
from devices.wiring import svg, text
from devices.wiring_config import toml
from devices.words import Sentence


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Whose wiring, and the output file."""
    parser.add_argument("--seats", type=int, metavar="N", help=t("wired-seats"))
    parser.add_argument("--counters", action="store_true", help=t("counters"))
    parser.add_argument("--table", metavar="FILE", help=t("table"))
    parser.add_argument("--svg", metavar="FILE", help=t("svg"))
    parser.add_argument("--toml", metavar="FILE", help=t("toml"))


def run(options: Options) -> int:
    """Print or draw the wiring plan."""
    table = wiring(options.table, options.seats, counters=options.counters)

    def words(sentence: Sentence) -> str:
        return render(text_of(sentence), options.language)

    wanted = {options.svg: svg(table, words), options.toml: toml(table)}
    files = {file: contents for file, contents in wanted.items() if file is not None}
    for file, contents in files.items():
        write_text(file, contents)
        if file != "-":
            print(render(say("panel.written", file=file), options.language))
    if not files:
        print(text(table, words), end="")
    return DONE
