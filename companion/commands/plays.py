"""All plays in the journal."""

from __future__ import annotations

import argparse

from rich.table import Table

from companion.commands.shared import Help, Options, journal, shower
from companion.core.game import games, showcase
from companion.core.play import parting_of, suspects
from companion.core.words import say
from companion.errors import DONE
from companion.texts import written_time


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Nothing more."""


def run(options: Options) -> int:
    """All plays in the journal."""
    show = shower(options)
    with journal() as (kept, _):
        rows = kept.plays()
        parted = {play for play in suspects(kept) if parting_of(kept, play) is not None}
    if not rows:
        show.say(say("ui.no-plays", game=showcase().id))
        return DONE
    table = Table()
    for key in ("number", "game", "seats", "begun", "entries", "state"):
        table.add_column(show.words(say(f"ui.plays-{key}")), no_wrap=key != "game")
    for row in rows:
        name = games()[row.game].box.name if row.game in games() else row.game
        begun = written_time(row.created, "%Y-%m-%d %H:%M")
        state = say("ui.play-over" if row.finished is not None else "ui.play-running")
        if row.id in parted:
            state = say("ui.play-parted", state=state)
        table.add_row(str(row.id), name, row.title, begun, str(row.entries), show.words(state))
    show.console.print(table)
    return DONE
