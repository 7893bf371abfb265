"""Continues a play."""

from __future__ import annotations

import argparse

from companion.commands.shared import Help, Options, can_open_window, journal, panel_argument, shower, window
from companion.core.game import showcase
from companion.core.play import Play
from companion.core.words import say
from companion.errors import DONE, NotNow
from companion.terminal.play_loop import asking, at_the_table, goes_on


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which play, and with which devices."""
    parser.add_argument("play", type=int, nargs="?", help=t("play-number"))
    parser.add_argument("--camera", metavar="SOURCE", help=t("play-camera"))
    parser.add_argument("--text", action="store_true", help=t("text"))
    panel_argument(parser, t)


def run(options: Options) -> int:
    """Continue a play, by default the newest one that is not over."""
    with journal() as (kept, binder):
        number = options.play
        if number is None:
            running = kept.running()
            if running is None:
                raise NotNow(say("ui.nothing-to-resume", game=showcase().id))
            number = running.id
        resumed = Play.resume(number, kept, binder)
        if not can_open_window(options):
            show = shower(options)
            names = resumed.session.setup.seats
            with asking(resumed.session.game, show, options.camera, names) as ask:
                if resumed.divergence is not None and not goes_on(resumed.divergence, show, ask):
                    return DONE
                resumed.reopen(options.clock())
                show.say(say("ui.resumed", n=number, answers=resumed.session.entries))
                return at_the_table(resumed, show, ask, options.clock)
    return window(options, lambda app: app.desk.resume(number))
