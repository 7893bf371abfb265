"""Everything about a play as JSON."""

from __future__ import annotations

import argparse

import msgspec

from companion.commands.shared import Help, Options, journal, print_json
from companion.core.play import read, replaying
from companion.errors import DONE
from companion.results import sheets
from companion.texts import render


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which play, and in which form."""
    parser.add_argument("play", type=int, help=t("play-number"))
    parser.add_argument("--format", choices=("json",), default="json", help=t("format"))


def run(options: Options) -> int:
    """Print everything about a play as JSON: its set-up, every entry, the table and the sheet."""
    with journal() as (kept, _):
        stored = kept.load(options.play)
        with replaying(options.play):
            exported = kept.export(options.play)
    with replaying(options.play):
        reading = read(stored)
        exported["state"] = msgspec.to_builtins(reading.session.state)
        exported["sheet"] = sheets.result(reading.sheet, options.language)
        exported["story"] = [render(sentence, options.language) for sentence in reading.session.story()]
    if reading.divergence is not None:  # state and story end where today's rules diverge from the play
        exported["parted"] = {
            "kept": reading.divergence.kept,
            "answer": reading.divergence.answer,
            "told": render(reading.divergence.text, options.language),
        }
    print_json(exported)
    return DONE
