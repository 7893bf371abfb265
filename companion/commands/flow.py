"""Your own game in one file: check it, write an example, list the flows, print their JSON Schema."""

from __future__ import annotations

import argparse
import importlib.resources
import os
from pathlib import Path

from companion.commands.shared import Help, Options, given, print_json, shower, write_text
from companion.core.flow.file import flow_in, schema
from companion.core.flow.library import accept, flows
from companion.core.store import default_path
from companion.core.words import count, plain, say
from companion.errors import DONE, DataTrouble


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """What to do, and with which file."""
    parser.add_argument("what", choices=("check", "new", "list", "schema"), help=t("flow-what"))
    parser.add_argument("file", nargs="?", metavar="FILE", help=t("flow-file"))


def run(options: Options) -> int:
    """Check a flow, write an example, or list what can be played."""
    if options.what == "schema":
        print_json(schema())
    elif options.what == "new":
        write_text(options.file or "-", example())
    elif options.what == "list":
        _list(options)
    else:
        _check(options)
    return DONE


def example() -> str:
    """A commented flow to start from."""
    return (importlib.resources.files("companion") / "flows" / "example.txt").read_text("utf-8")


def _check(options: Options) -> None:
    """Raises `DataTrouble` with every problem and its line."""
    if options.file is None:
        raise DataTrouble(say("flow.no-file"))
    flow = flow_in(accept(given(options.file)))
    show = shower(options)
    show.say(count("flow.good", len(flow.phases), name=flow.name))
    if flow.source is None:
        show.say(say("flow.check-with-box"), "dim")


def _list(options: Options) -> None:
    show = shower(options)
    for known in flows(default_path(os.environ).parent):
        place = say("flow.shipped") if known.file is None else plain(_short(known.file))
        if known.trouble is None:
            seats = tuple(plain(str(n)) for n in known.flow.seats)
            show.say(say("flow.listed", name=known.name, id=known.flow.id, seats=seats, place=place))
        else:
            show.say(say("flow.listed-bad", name=known.name, place=place, why=known.trouble.text), "red")


def _short(path: Path) -> str:
    """A path as people write it."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
