"""Injects every fault, in a folder of its own, and reports the results."""

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
    from workshop.fault_injection.faults import FaultResult

LONGEST = 7 * 24 * 60
"""Upper limit for the duration, in minutes."""


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """For how long, and where."""
    parser.add_argument("--minutes", type=float, default=1.0, metavar="N", help=t("faults-minutes"))
    parser.add_argument("--seed", type=int, default=1, metavar="S", help=t("seed"))
    parser.add_argument("--folder", metavar="DISK", help=t("faults-folder"))
    parser.add_argument("--json", action="store_true", help=t("json"))


def run(options: Options) -> int:
    """Try every fault until the time is up; the exit code is 1 if one of them did harm."""
    from companion.table.warm_up import warm_up
    from workshop.fault_injection.all_faults import FAULTS
    from workshop.fault_injection.faults import inject

    if not 0 <= options.minutes <= LONGEST:
        raise DataTrouble(say("cli.faults-bad-minutes", most=LONGEST))
    if options.folder is not None and not Path(options.folder).is_dir():
        raise DataTrouble(say("score.no-file", file=options.folder))
    warm_up()
    folder = _room(options.folder)
    try:
        with ending_in_order():
            results = inject(FAULTS, folder, 60 * options.minutes, options.seed)
    finally:
        with suppress(OSError):  # it is kept if it holds a failed trial
            folder.rmdir()
    good = all(result.good for result in results)
    if options.json:
        print_json([_plain(result) for result in results])
    else:
        _show(results, folder, options)
    return DONE if good else BUG


def _room(where: str | None) -> Path:
    """A new folder on the disk that was asked for."""
    try:
        return Path(tempfile.mkdtemp(prefix="companion-faults-", dir=where))
    except OSError as e:
        raise StorageTrouble(say("cli.faults-no-room", folder=where or "TMPDIR", why=files.why(e))) from e


@contextmanager
def ending_in_order() -> Iterator[None]:
    """If we are ended by a signal, also end what we have started: supervised windows, hanging voices."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    heeded = [number for number, handler in before.items() if handler is not signal.SIG_IGN]  # nohup
    for number in heeded:
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        for number in heeded:
            signal.signal(number, before[number])


def _plain(result: FaultResult) -> dict[str, object]:
    return {
        "fault": result.fault.name,
        "done": render(result.fault.done, "en"),
        "judged": render(result.fault.judged, "en"),
        "tried": result.tried,
        "survived": result.survived,
        "seconds": round(result.seconds, 1),
        "seen": [render(text, "en") for text in result.seen.values()],
        "harm": result.wrong,
        "not_here": result.not_here,
    }


def _show(results: tuple[FaultResult, ...], folder: Path, options: Options) -> None:
    show = shower(options)
    table = Table()
    for key in ("fault", "tried", "survived", "seen"):
        table.add_column(
            show.words(say(f"fault.column-{key}")),
            justify="right" if key in ("tried", "survived") else "left",
        )
    for result in results:
        seen = "; ".join(text.key for text in result.seen.values()) or show.words(say("fault.nothing-seen"))
        seen = show.words(say("fault.not-here", why=result.not_here)) if result.not_here else seen
        table.add_row(show.words(result.fault.done), str(result.tried), str(result.survived), seen)
    show.console.print(table)
    for result in results:
        for wrong in result.wrong:
            show.say(say("fault.harm", fault=result.fault.done, what=wrong), "red")
    tried, survived = sum(result.tried for result in results), sum(result.survived for result in results)
    if tried == survived:
        show.say(say("fault.fine", tried=tried), "green")
    else:
        show.say(say("fault.not-fine", tried=tried, harm=tried - survived, folder=str(folder)), "red")
