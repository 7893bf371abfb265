"""This table in a hall: its credentials, the switches, and how things are."""

from __future__ import annotations

import argparse

from msgspec.structs import replace

from companion.commands.shared import Help, Options, given
from companion.core.words import Text, say
from companion.errors import DONE
from companion.table import hall_memory
from companion.table.settings import load, save, settings_path
from companion.texts import render, shown


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Credentials, or a switch."""
    parser.add_argument("file", nargs="?", metavar="FILE", help=t("hall-table-file"))
    parser.add_argument("--hall", choices=("on", "off"), help=t("hall-table-switch"))
    parser.add_argument("--home-assistant", choices=("on", "off"), help=t("hall-table-home"))
    parser.add_argument("--forget", action="store_true", help=t("hall-table-forget"))


def run(options: Options) -> int:
    """Do what is asked for, and say how things are."""

    def tell(text: Text) -> None:
        print(render(text, options.language))

    path = settings_path()
    folder = path.parent
    if options.file is not None:
        taken = hall_memory.take(folder, given(options.file))
        tell(say("hall-table.taken", title=shown(taken.title), hall=taken.hall))
    if options.forget:
        hall_memory.forget(folder)
    kept = load(path)
    switched = replace(
        kept,
        hall=kept.hall if options.hall is None else options.hall == "on",
        home_assistant=kept.home_assistant
        if options.home_assistant is None
        else options.home_assistant == "on",
    )
    if switched != kept:
        save(path, switched)
    found = hall_memory.credentials(folder)
    if found is None:
        tell(say("hall-table.no-credentials"))
    else:
        named = say("hall-table.table-of", title=shown(found.title), hall=found.hall, host=shown(found.host))
        tell(named)
    tell(say("hall-table.switch-is", on=say("hall-table.is-on" if switched.hall else "hall-table.is-off")))
    home = say("hall-table.is-on" if switched.home_assistant else "hall-table.is-off")
    tell(say("hall-table.home-is", on=home))
    return DONE
