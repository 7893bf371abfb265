"""Inputs from the keyboard: command lines, and lines typed at a table."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from companion import cli
from companion.core.game import games
from companion.core.words import plain
from companion.errors import BAD_INPUT, BUG, DEVICE, DONE, STORAGE, DataTrouble
from companion.terminal.any_time_commands import COMMANDS
from tests.command_line import TOOLS, main
from tests.inputs.judging import FuzzedInput, harmless

QUICK = (
    "plays",
    "replay",
    "export",
    "check",
    "score",
    "odds",
    "wiring",
    "binder",
    "replay-log",
    "scan",
    "play",
)
"""Commands that end by themselves and soon; of the others only the words are read."""


class Hearing(io.TextIOWrapper):
    """Standard output or error, kept."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), "utf-8")

    @property
    def heard(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode()  # type: ignore[attr-defined, no-any-return]


def said(words: list[str], typed: bytes, folder: Path) -> tuple[int, str, str]:
    """How a command ends that is typed in this folder, and what it says."""
    home = {"COMPANION_HOME": str(folder / "home"), "COMPANION_SCREEN": "none", "COMPANION_LANGUAGE": "en"}
    out, err, before = Hearing(), Hearing(), os.getcwd()
    stdin = io.TextIOWrapper(io.BytesIO(typed), "utf-8")
    os.chdir(folder)
    try:
        with (
            mock.patch.dict(os.environ, home),
            mock.patch.object(sys, "stdin", stdin),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            try:
                code = main(words)
            except SystemExit as end:
                code = int(end.code or 0)
    finally:
        os.chdir(before)
    return code, out.heard, err.heard


def judged(code: int, out: str, err: str) -> None:
    """No bug, and every refusal says why; raises what a refusal says."""
    assert code != BUG, err[-2000:]
    assert "Traceback" not in err, err[-2000:]
    assert harmless(out + err), repr({letter for letter in out + err if not harmless(letter)})
    assert code in (DONE, BAD_INPUT, STORAGE, DEVICE)
    if code:
        assert (out + err).strip(), "no sentence"
        raise DataTrouble(plain((err or out)[:5000]))


def open_command(data: bytes, folder: Path) -> None:
    """A command line, its words on lines; only commands that end by themselves are carried out."""
    words = [word.decode("utf-8", "surrogateescape") for word in data.split(b"\n")[:20]]
    if any("/" in word or ".." in word or word == "-" for word in words):
        return  # a fuzzer must not write where people's files are
    if not set(words) & set(QUICK) or set(words) & ({*cli.COMMANDS, *TOOLS.commands} - set(QUICK)):
        words = [*words, "--help"]
    judged(*said(words, b"", folder))


def commands() -> Iterator[bytes]:
    game = next(iter(games()))
    for line in (
        "plays",
        "check --repair",
        "replay 1 --language pl",
        "export 1 --format json",
        f"score {game} --schema",
        f"score {game} gone.json --json",
        "wiring --seats 3 --svg plan.svg",
        f"binder check {game}",
        f"play {game} --text --seats A,B",
        f"labels {game} --only x --out y.pdf",
    ):
        yield line.replace(" ", "\n").encode()


def open_line(data: bytes, folder: Path) -> None:
    """Lines typed at a table of the game that the first one names by its number."""
    first, _, typed = data.partition(b"\n")
    ids = list(games())
    rules = games()[ids[sum(first) % len(ids)]]
    names = ",".join(f"P{n}" for n in range(rules.box.seats[0]))
    judged(*said(["play", rules.id, "--text", "--seats", names], typed[:2000], folder))


def lines() -> Iterator[bytes]:
    words = "\n".join(word for of in COMMANDS.values() for word in of if word not in COMMANDS["quit"])
    for n in range(len(games())):
        yield bytes([n]) + b"\n1\n\n2\n\nundo\nfix chips p0 = 3\nhistory\n" + words.encode()
        yield bytes([n]) + b"\n1\n1\n1\n1\n1\n1\n1\n1\nscore\nundo 3\nredo 2\nmap\n"


INPUTS = (
    FuzzedInput(
        "command",
        open_command,
        commands,
        tuple(f"\n{name}".encode() for name in (*cli.COMMANDS, *TOOLS.commands)),
    ),
    FuzzedInput("line", open_line, lines, tuple(f"\n{name}".encode() for name in COMMANDS)),
)
