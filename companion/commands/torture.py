"""Everything that can go wrong at a table, done on purpose in a folder of its own, and what came of it."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from companion.commands.shared import Help, Options, print_json, shower
from companion.core.words import say
from companion.errors import BUG, DONE, DataTrouble
from companion.texts import render

if TYPE_CHECKING:
    from companion.torture.faults import Tally

LONGEST = 7 * 24 * 60
"""Minutes nobody means to wait."""


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """For how long, and where."""
    parser.add_argument("--minutes", type=float, default=1.0, metavar="N", help=t("torture-minutes"))
    parser.add_argument("--seed", type=int, default=1, metavar="S", help=t("seed"))
    parser.add_argument("--folder", metavar="DISK", help=t("torture-folder"))
    parser.add_argument("--json", action="store_true", help=t("json"))


def run(options: Options) -> int:
    """Try every fault until the time is up; the exit code is 1 if one of them did harm."""
    from companion.table.readiness import make_ready
    from companion.torture.every import FAULTS
    from companion.torture.faults import torture

    if not 0 <= options.minutes <= LONGEST:
        raise DataTrouble(say("cli.torture-bad-minutes", most=LONGEST))
    if options.folder is not None and not Path(options.folder).is_dir():
        raise DataTrouble(say("score.no-file", file=options.folder))
    make_ready()
    folder = Path(tempfile.mkdtemp(prefix="companion-torture-", dir=options.folder))
    tallies = torture(FAULTS, folder, 60 * options.minutes, options.seed)
    good = all(tally.good for tally in tallies)
    if good:
        folder.rmdir()
    if options.json:
        print_json([_plain(tally) for tally in tallies])
    else:
        _show(tallies, folder, options)
    return DONE if good else BUG


def _plain(tally: Tally) -> dict[str, object]:
    return {
        "fault": tally.fault.name,
        "done": render(tally.fault.done, "en"),
        "judged": render(tally.fault.judged, "en"),
        "tried": tally.tried,
        "survived": tally.survived,
        "seconds": round(tally.seconds, 1),
        "seen": [render(text, "en") for text in tally.seen.values()],
        "harm": tally.wrong,
        "not_here": tally.not_here,
    }


def _show(tallies: tuple[Tally, ...], folder: Path, options: Options) -> None:
    show = shower(options)
    table = Table()
    for key in ("fault", "tried", "survived", "seen"):
        table.add_column(
            show.words(say(f"torture.column-{key}")),
            justify="right" if key in ("tried", "survived") else "left",
        )
    for tally in tallies:
        seen = "; ".join(text.key for text in tally.seen.values()) or show.words(say("torture.nothing-seen"))
        seen = show.words(say("torture.not-here", why=tally.not_here)) if tally.not_here else seen
        table.add_row(show.words(tally.fault.done), str(tally.tried), str(tally.survived), seen)
    show.console.print(table)
    for tally in tallies:
        for wrong in tally.wrong:
            show.say(say("torture.harm", fault=tally.fault.done, what=wrong), "red")
    tried, survived = sum(tally.tried for tally in tallies), sum(tally.survived for tally in tallies)
    if tried == survived:
        show.say(say("torture.fine", tried=tried), "green")
    else:
        show.say(say("torture.not-fine", tried=tried, harm=tried - survived, folder=str(folder)), "red")
