"""Your own game in one file: check it, write an example, list the flows, print their JSON Schema."""

from __future__ import annotations

import argparse
import importlib.resources
import os
from pathlib import Path

from companion.commands.shared import Help, Options, given, print_json, shower, write_text
from companion.core.flow.file import flow_in, schema
from companion.core.flow.library import accept, flows
from companion.core.sqlite_file import default_path
from companion.core.words import count, plain, say
from companion.errors import DONE, DataTrouble


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """What to do, and with which file."""
    parser.add_argument("what", nargs="?", choices=("check", "new", "list", "schema"), help=t("flow-what"))
    parser.add_argument("file", nargs="?", metavar="FILE", help=t("flow-file"))


def run(options: Options) -> int:
    """Check a flow, write an example, or list what can be played."""
    if options.what == "schema":
        print_json(schema())
    elif options.what == "new":
        _new(options)
    elif options.what == "list":
        _list(options)
    elif options.what == "check":
        _check(options)
    else:
        raise DataTrouble(say("flow.what"))
    return DONE


def example() -> str:
    """A commented flow to start from."""
    return (importlib.resources.files("companion") / "flows" / "example.txt").read_text("utf-8")


def _new(options: Options) -> None:
    """Write the example, and say what to do next."""
    write_text(options.file or "-", example())
    if options.file not in (None, "-"):
        shower(options).say(say("flow.written", file=options.file))


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
