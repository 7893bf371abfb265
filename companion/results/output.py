"""A console that prints words unchanged, and does not fail when its reader (a pipe) goes away."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import IO

from rich.console import Console

WIDEST = 1000
"""Maximum width in characters: no terminal is wider, and filling such a width takes long."""


class Output(Console):
    """A console without markup or emoji: names may contain brackets and colons."""

    def __init__(self, file: IO[str] | None = None) -> None:
        super().__init__(
            file=file, highlight=False, markup=False, emoji=False, _environ=_believed(os.environ)
        )

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _believed(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment's terminal variables, without implausible sizes."""
    return {
        name: value
        for name, value in environ.items()
        if name not in ("COLUMNS", "LINES") or (value.isdecimal() and len(value) < 5 and int(value) <= WIDEST)
    }
