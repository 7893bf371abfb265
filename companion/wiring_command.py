"""What `companion wiring` does: the plan of what goes to which pin."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.core.words import say
from companion.errors import DONE, DataTrouble, StorageTrouble
from companion.panel_words import text_of, wiring
from companion.texts import render
from devices.table import toml
from devices.wiring import svg, text
from devices.words import Words


def show_wiring(options: argparse.Namespace) -> int:
    """Print or draw the plan (`table seats counters svg toml language`)."""
    table = wiring(options.table, options.seats, counters=options.counters)

    def words(sentence: Words) -> str:
        return render(text_of(sentence), options.language)

    wanted = {options.svg: svg(table, words), options.toml: toml(table)}
    files = {file: contents for file, contents in wanted.items() if file is not None}
    for file, contents in files.items():
        write(file, contents)
        if file != "-":
            print(render(say("panel.written", file=file), options.language))
    if not files:
        print(text(table, words), end="")
    return DONE


def write(name: str, contents: str) -> None:
    """Put it into this file, `-` being the terminal. An owner's own wiring is never overwritten."""
    if name == "-":
        sys.stdout.write(contents)
        return
    file = Path(name)
    try:
        if file.suffix == ".toml" and file.exists():
            raise DataTrouble(say("panel.is-there", file=name))
        file.write_text(contents, encoding="utf-8")
    except (OSError, ValueError) as e:
        if isinstance(e, DataTrouble):
            raise
        why = (e.strerror if isinstance(e, OSError) else None) or str(e)
        raise StorageTrouble(say("panel.cannot-write", file=name, why=why)) from e
