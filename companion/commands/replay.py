"""Prints a recorded play from its beginning to its current state."""

from __future__ import annotations

import argparse

from companion.commands.shared import Help, Options, journal, shower
from companion.core.play import read, replaying
from companion.errors import DONE
from companion.terminal.watch import print_play


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which play."""
    parser.add_argument("play", type=int, help=t("play-number"))


def run(options: Options) -> int:
    """Print a recorded play from its beginning to its current state."""
    with journal() as (kept, _):
        stored = kept.load(options.play)
    with replaying(options.play):
        print_play(read(stored), shower(options))
    return DONE
