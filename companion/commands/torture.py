"""Everything that can go wrong at a table, done on purpose in a folder of its own, and what came of it."""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from companion.commands.shared import Help, Options, print_json, shower
from companion.core import files
from companion.core.words import say
from companion.errors import BUG, DONE, DataTrouble, StorageTrouble
from companion.texts import render

if TYPE_CHECKING:
    from companion.torture.faults import Toll

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
    folder = _room(options.folder)
    try:
        with ending_in_order():
            tolls = torture(FAULTS, folder, 60 * options.minutes, options.seed)
    finally:
        with suppress(OSError):  # what did harm is in it
            folder.rmdir()
    good = all(toll.good for toll in tolls)
    if options.json:
        print_json([_plain(toll) for toll in tolls])
    else:
        _show(tolls, folder, options)
    return DONE if good else BUG


def _room(where: str | None) -> Path:
    """A folder of its own, on the disk that was asked for."""
    try:
        return Path(tempfile.mkdtemp(prefix="companion-torture-", dir=where))
    except OSError as e:
        raise StorageTrouble(say("cli.torture-no-room", folder=where or "TMPDIR", why=files.why(e))) from e


@contextmanager
def ending_in_order() -> Iterator[None]:
    """Whoever ends us ends what we have started, too: windows under their keepers, voices that hang."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    heeded = [number for number, handler in before.items() if handler is not signal.SIG_IGN]  # nohup
    for number in heeded:
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        for number in heeded:
            signal.signal(number, before[number])


def _plain(toll: Toll) -> dict[str, object]:
    return {
        "fault": toll.fault.name,
        "done": render(toll.fault.done, "en"),
        "judged": render(toll.fault.judged, "en"),
        "tried": toll.tried,
        "survived": toll.survived,
        "seconds": round(toll.seconds, 1),
        "seen": [render(text, "en") for text in toll.seen.values()],
        "harm": toll.wrong,
        "not_here": toll.not_here,
    }


def _show(tolls: tuple[Toll, ...], folder: Path, options: Options) -> None:
    show = shower(options)
    table = Table()
    for key in ("fault", "tried", "survived", "seen"):
        table.add_column(
            show.words(say(f"torture.column-{key}")),
            justify="right" if key in ("tried", "survived") else "left",
        )
    for toll in tolls:
        seen = "; ".join(text.key for text in toll.seen.values()) or show.words(say("torture.nothing-seen"))
        seen = show.words(say("torture.not-here", why=toll.not_here)) if toll.not_here else seen
        table.add_row(show.words(toll.fault.done), str(toll.tried), str(toll.survived), seen)
    show.console.print(table)
    for toll in tolls:
        for wrong in toll.wrong:
            show.say(say("torture.harm", fault=toll.fault.done, what=wrong), "red")
    tried, survived = sum(toll.tried for toll in tolls), sum(toll.survived for toll in tolls)
    if tried == survived:
        show.say(say("torture.fine", tried=tried), "green")
    else:
        show.say(say("torture.not-fine", tried=tried, harm=tried - survived, folder=str(folder)), "red")
