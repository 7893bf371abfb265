"""Starts a new play, in the window or at this terminal."""

from __future__ import annotations

import argparse
import os

from msgspec import UNSET, UnsetType

from companion.commands.shared import (
    Help,
    Options,
    can_open_window,
    choices,
    given,
    journal,
    panel_argument,
    seats_of,
    shower,
    variants_argument,
    window,
)
from companion.core.flow.file import flow_in
from companion.core.flow.game import flow_game, shipped_flow
from companion.core.flow.library import accept, flows
from companion.core.game import Game, Setup, game
from companion.core.play import Play
from companion.core.positions import quoted
from companion.core.sqlite_file import default_path
from companion.core.words import say
from companion.errors import DataTrouble, Unknown
from companion.terminal.play_loop import asking, at_the_table


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which game, who plays, and which variants and devices."""
    parser.add_argument("game", nargs="?", help=t("game"))
    depth = parser.add_mutually_exclusive_group()
    depth.add_argument("--light", action="store_true", help=t("light"))
    depth.add_argument("--flow", metavar="FILE", help=t("play-flow"))
    parser.add_argument("--seats", metavar="ANIA,BARTEK", help=t("seats"))
    variants_argument(parser, t)
    parser.add_argument("--camera", metavar="SOURCE", help=t("play-camera"))
    parser.add_argument("--text", action="store_true", help=t("text"))
    panel_argument(parser, t)


def run(options: Options) -> int:
    """Start a new play, in the window or at this terminal."""
    rules, flow = _rules(options)
    if can_open_window(options):
        wished = choices(options, rules)
        seats = () if options.seats is None else seats_of(options, rules)
        if options.seats is not None:
            rules.start(Setup(rules.id, seats, wished))  # refuses an impossible set-up before a window opens
        text = "" if flow is UNSET else flow
        return window(options, lambda app: app.go("new", game=rules, seats=seats, wished=wished, flow=text))
    seats = seats_of(options, rules)
    setup = rules.complete(Setup(rules.id, seats, choices(options, rules), flow=flow))
    show = shower(options)
    with journal() as (kept, binder), asking(rules, show, options.camera, seats) as ask:
        started = Play.start(rules, setup, kept, binder, options.clock())
        show.say(say("ui.play-number", n=started.id))
        show.checklist(say("ui.setting-up"), rules.checklist(setup))
        return at_the_table(started, show, ask, options.clock)


def _rules(options: Options) -> tuple[Game, str | UnsetType]:
    """The game to play, and the flow of a light play; raises `Trouble` if there is none."""
    if options.flow is not None:
        text = accept(given(options.flow))
        if options.game not in (None, flow_in(text).id):
            raise DataTrouble(say("flow.another-game", game=quoted(options.game), name=flow_in(text).name))
        return flow_game(text), text
    if options.game is None:
        raise DataTrouble(say("cli.no-game"))
    if not options.light:
        return game(options.game), UNSET
    found = shipped_flow(options.game) or _by_id(options.game)
    if found is None:
        raise Unknown(say("flow.no-flow", game=quoted(options.game)))
    return flow_game(found), found


def _by_id(id: str) -> str | None:
    """A flow of another game by its id."""
    known = flows(default_path(os.environ).parent)
    return next((one.text for one in known if one.trouble is None and one.flow.id == id), None)
