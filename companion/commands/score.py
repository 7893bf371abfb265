"""Scores a final position and explains the score."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import msgspec

from companion.commands.shared import Help, Options, bytes_of, choices, journal, taught, variants_argument
from companion.core import files
from companion.core.components import Facts
from companion.core.game import Game, game
from companion.core.words import Text, say
from companion.errors import BAD_INPUT, DONE, DataTrouble, PlayerTrouble, Unknown
from companion.results.sheets import positions_of, print_sheet, result, score_position
from companion.texts import render


def arguments(parser: argparse.ArgumentParser, t: Help) -> None:
    """The position: a file, or pictures and typed answers."""
    parser.add_argument("game", help=t("game"))
    parser.add_argument("file", nargs="?", metavar="FILE", help=t("position"))
    parser.add_argument("--json", action="store_true", help=t("json"))
    parser.add_argument("--jsonl", action="store_true", help=t("jsonl"))
    parser.add_argument("--schema", action="store_true", help=t("schema"))
    parser.add_argument("--sweep", nargs="+", metavar="[NAME=]PICTURES", help=t("sweeps"))
    parser.add_argument("--seats", metavar="ANIA,BARTEK", help=t("seats"))
    parser.add_argument("--zone", nargs="+", metavar="NAME=ZONE", help=t("zones"))
    variants_argument(parser, t)


def run(options: Options) -> int:
    """Print the score sheet of a final position."""
    game(options.game)
    if options.schema:
        return print_schema(options.game, options.language, sys.stdout, sys.stderr)
    if options.jsonl:
        return score_jsonl(sys.stdin.buffer, sys.stdout.buffer, options.language)
    if options.sweep or options.seats is not None:
        return _score_told(options)
    if options.file is None:
        raise DataTrouble(say("cli.no-position"))
    return score_file(
        options.file,
        as_json=options.json,
        language=options.language,
        stdin=sys.stdin.buffer,
        out=sys.stdout,
        err=sys.stderr,
    )


def _score_told(options: Options) -> int:
    from companion.terminal.told_position import told_position

    position = told_position(options, choices(options, game(options.game)), taught)
    code = score_file(
        "-",
        as_json=options.json,
        language=options.language,
        stdin=io.BytesIO(msgspec.json.encode(position)),
        out=sys.stdout,
        err=sys.stderr,
    )
    if code == DONE:
        _learn(options.game, position, options.clock())
    return code


def _learn(id: str, position: dict[str, Any], at: float) -> None:
    """Keep facts that people told about the box, so that they are not asked again; creates no journal for
    anything else."""
    facts = positions_of(id).told(position)
    if facts:
        with journal() as (_, binder):
            binder.learn(id, facts, at, ", ".join(seat["name"] for seat in position["seats"]))


def score_file(path: str, *, as_json: bool, language: str, stdin: BinaryIO, out: TextIO, err: TextIO) -> int:
    """Score the position in a file (`-` is `stdin`): the sheet goes to `out`, all problems to `err`."""
    try:
        data = files.read_stream(stdin, "-") if path == "-" else bytes_of(Path(path))
        sheet = score_position(data, taught)
    except (DataTrouble, PlayerTrouble) as trouble:
        for line in _told(trouble, language):
            print(line, file=err)
        return trouble.exit_code
    if as_json:
        out.write(msgspec.json.format(msgspec.json.encode(result(sheet, language)), indent=2).decode() + "\n")
    else:
        print_sheet(sheet, language, out)
    return DONE


def score_jsonl(stdin: BinaryIO, stdout: BinaryIO, language: str) -> int:
    """Score one position per line and write one result per line at once; a bad line gets an `error` in its
    place.

    Reading stops after a line that is too long, because the start of the next line is unknown.
    """
    code = DONE
    encode = msgspec.json.Encoder().encode
    told: dict[str, Facts] = {}

    def known(rules: Game) -> Facts:
        if rules.id not in told:
            told[rules.id] = taught(rules)
        return told[rules.id]

    while (line := stdin.readline(files.MOST + 1)) and len(line) <= files.MOST:
        try:
            answer = result(score_position(line, known), language)
        except (DataTrouble, PlayerTrouble) as trouble:
            answer = {"error": " ".join(render(text, language) for text in _problems(trouble))}
            code = BAD_INPUT
        stdout.write(encode(answer) + b"\n")
        stdout.flush()
    if line:
        raise files.too_large("-")
    return code


def print_schema(id: str, language: str, out: TextIO, err: TextIO) -> int:
    """Print the JSON Schema of a game's positions."""
    try:
        schema = positions_of(id).schema()
    except (DataTrouble, Unknown) as trouble:
        print(render(trouble.text, language), file=err)
        return trouble.exit_code
    out.write(msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n")
    return DONE


def _problems(trouble: DataTrouble | PlayerTrouble) -> tuple[Text, ...]:
    return trouble.problems if isinstance(trouble, DataTrouble) else (trouble.text,)


def _told(trouble: DataTrouble | PlayerTrouble, language: str) -> Iterator[str]:
    yield render(trouble.text, language)
    for problem in _problems(trouble):
        if problem is not trouble.text:
            yield f"- {render(problem, language)}"
