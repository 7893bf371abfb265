"""Lists the plays in the journal, the newest last, next to the prompt."""

from __future__ import annotations

import argparse

from rich.table import Table

from companion.commands.shared import Help, Options, journal, shower
from companion.core.game import showcase
from companion.core.play import divergence_of, game_name, suspects
from companion.core.words import count, say
from companion.errors import DONE
from companion.texts import written_time

NEWEST = 50
"""How many plays are listed unless all are asked for."""


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Whether to list older plays too."""
    parser.add_argument("--all", action="store_true", help=t("all-plays"))


def run(options: Options) -> int:
    """List the newest plays in the journal, or all of them."""
    show = shower(options)
    with journal() as (kept, _):
        rows = kept.plays(None if options.all else NEWEST)
        older = sum(kept.played().values()) - len(rows)
        names = {row.id: game_name(kept, row) for row in rows}
        diverged = {play for play in suspects(kept, rows) if divergence_of(kept, play) is not None}
    if not rows:
        show.say(say("ui.no-plays", game=showcase().id))
        return DONE
    table = Table()
    for key in ("number", "game", "seats", "begun", "entries", "state"):
        table.add_column(show.words(say(f"ui.plays-{key}")), no_wrap=key != "game")
    for row in rows:
        name = names[row.id]
        begun = written_time(row.created, "%Y-%m-%d %H:%M")
        state = say("ui.play-over" if row.finished is not None else "ui.play-running")
        if row.id in diverged:
            state = say("ui.play-diverged", state=state)
        table.add_row(str(row.id), name, row.title, begun, str(row.entries), show.words(state))
    if older:
        show.say(count("ui.plays-older-ones", older))
    show.console.print(table)
    return DONE
