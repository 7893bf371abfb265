"""Reads the labels in pictures."""

from __future__ import annotations

import argparse

from companion.commands.shared import Help, Options, print_json, taught_box
from companion.core.game import games
from companion.core.words import count
from companion.errors import DONE, DataTrouble


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which pictures."""
    parser.add_argument("pictures", nargs="+", metavar="PICTURE", help=t("pictures"))
    parser.add_argument("--any", action="store_true", help=t("any"))
    parser.add_argument("--json", action="store_true", help=t("json"))


def run(options: Options) -> int:
    """Print the labels in pictures."""
    from companion.recognition import reading
    from companion.terminal.label_lines import named_in, plain_read, print_reads

    reader = None  # learning every label takes seconds: only once there is a picture to read
    rows, problems = [], []
    for path in options.pictures:
        try:
            picture = reading.picture(path)
        except DataTrouble as trouble:
            problems.append(trouble.text)
            continue
        reader = reader or reading.reader(*reading.labelled())
        reader.forget()
        found = reader.read_any(picture) if options.any else reader.read(picture)
        rows += [(path, reading.of(sighting)) for sighting in found]
    boxes = {id: taught_box(games()[id]) for id in {read.game for _, read in rows} if id is not None}
    rows = [(path, named_in(boxes[read.game], read) if read.game else read) for path, read in rows]
    if options.json:
        print_json([{"picture": path, **plain_read(read, options.language)} for path, read in rows])
    else:
        print_reads(rows, options.language)
    if problems:
        raise DataTrouble(count("see.unreadable", len(problems)), tuple(problems))
    return DONE
