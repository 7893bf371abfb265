"""Starts a new play, in the window or at this terminal."""

from __future__ import annotations

import argparse

from companion.commands.shared import (
    Help,
    Options,
    can_open_window,
    choices,
    journal,
    panel_argument,
    seats_of,
    shower,
    variants_argument,
    window,
)
from companion.core.game import Setup, game
from companion.core.play import Play
from companion.core.words import say
from companion.terminal.play_loop import asking, at_the_table


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which game, who plays, and which variants and devices."""
    parser.add_argument("game", help=t("game"))
    parser.add_argument("--seats", metavar="ANIA,BARTEK", help=t("seats"))
    variants_argument(parser, t)
    parser.add_argument("--camera", metavar="SOURCE", help=t("play-camera"))
    parser.add_argument("--text", action="store_true", help=t("text"))
    panel_argument(parser, t)


def run(options: Options) -> int:
    """Start a new play, in the window or at this terminal."""
    rules = game(options.game)
    if can_open_window(options):
        wished = choices(options, rules)
        seats = () if options.seats is None else seats_of(options, rules)
        if options.seats is not None:
            rules.start(Setup(rules.id, seats, wished))  # refuses an impossible set-up before a window opens
        return window(options, lambda app: app.go("new", game=rules, seats=seats, wished=wished))
    seats = seats_of(options, rules)
    setup = rules.complete(Setup(rules.id, seats, choices(options, rules)))
    show = shower(options)
    with journal() as (kept, binder), asking(rules, show, options.camera, seats) as ask:
        started = Play.start(rules, setup, kept, binder, options.clock())
        show.say(say("ui.play-number", n=started.id))
        show.checklist(say("ui.setting-up"), rules.checklist(setup))
        return at_the_table(started, show, ask, options.clock)
