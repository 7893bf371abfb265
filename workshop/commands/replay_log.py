"""Replays games recorded by another engine through our rules and compares them after every phase."""

from __future__ import annotations

import argparse
import gzip
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from companion.commands.shared import Help, Options, print_json
from companion.core import files
from companion.core.positions import quoted
from companion.core.words import count, plain, say
from companion.errors import BAD_INPUT, DONE, DataTrouble, Unknown
from companion.texts import render
from workshop.race_log import LogReport, replay_log

LOGS = {"race": replay_log}
"""The replay function for each game's logs; a second game would bring a module of its own."""

MOST_BYTES, MOST_LINES = 100_000_000, 100_000
"""Limits for all games in a file, unpacked: more than a thousand evenings."""


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """Which file, and of which game."""
    parser.add_argument("file", metavar="FILE", help=t("log"))
    parser.add_argument("--game", default="race", metavar="GAME", help=t("log-game"))
    parser.add_argument("--json", action="store_true", help=t("json"))


def run(options: Options) -> int:
    """Replay games recorded by another engine through our rules and print every difference."""
    replay_one = _replayer(options.game)
    reports = []
    for number, line in _lines(options.file):
        try:
            reports.append(replay_one(msgspec.json.decode(line, type=dict[str, Any])))
        except Exception as e:  # a log is foreign data and may contain anything
            why = f"no {e}" if isinstance(e, KeyError) else str(e) or type(e).__name__
            raise DataTrouble(say("cli.bad-log", file=options.file, line=number, why=why)) from e
    wrong = [mismatch for report in reports for mismatch in report.mismatches]
    answers, checks = sum(r.answers for r in reports), sum(r.checks for r in reports)
    if options.json:
        summary = {
            "games": len(reports),
            "answers": answers,
            "checks": checks,
            "mismatches": [str(mismatch) for mismatch in wrong],
        }
        print_json(summary)
    else:
        for mismatch in wrong:
            print(mismatch)
        replayed = count("ui.log-replayed", len(reports), answers=answers, checks=checks, wrong=len(wrong))
        print(render(replayed, options.language))
    return BAD_INPUT if wrong or not reports else DONE


def _replayer(id: str) -> Callable[[dict[str, Any]], LogReport]:
    """The replay function for the logs of this game."""
    if id not in LOGS:
        raise Unknown(say("cli.no-logs", game=quoted(id), known=tuple(map(plain, LOGS))))
    return LOGS[id]


def _lines(name: str) -> Iterator[tuple[int, bytes]]:
    """The non-empty lines of a file, with their numbers; only one of them is in memory at a time."""
    try:
        with _stream(name) as stream:
            number, size = 0, 0
            while line := stream.readline(files.MOST + 1):
                number, size = number + 1, size + len(line)
                if len(line) > files.MOST:
                    raise DataTrouble(say("cli.long-log-line", file=name, line=number))
                if size > MOST_BYTES or number > MOST_LINES:
                    raise files.too_large(name, MOST_BYTES)
                if line.strip():
                    yield number, line
    except (OSError, EOFError, ValueError, zlib.error) as e:
        if isinstance(e, DataTrouble):
            raise
        raise DataTrouble(say("core.bad-file", file=name, why=files.why(e))) from e


@contextmanager
def _stream(name: str) -> Iterator[BinaryIO]:
    """The file, or standard input, decompressed if necessary."""
    if name == "-":
        yield sys.stdin.buffer
        return
    with files.open_file(Path(name)) as file:
        yield cast(BinaryIO, gzip.GzipFile(fileobj=file)) if name.endswith(".gz") else file
