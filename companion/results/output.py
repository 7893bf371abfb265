"""A console that shows words as they are, and does not mind when its reader goes away."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import IO

from rich.console import Console

WIDEST = 1000
"""Letters; nobody has a wider terminal, and filling one takes long."""


class Output(Console):
    """Names may hold brackets and colons: nothing in them is markup, and nothing is an emoji."""

    def __init__(self, file: IO[str] | None = None) -> None:
        super().__init__(
            file=file, highlight=False, markup=False, emoji=False, _environ=_believed(os.environ)
        )

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _believed(environ: Mapping[str, str]) -> dict[str, str]:
    """What is told about the terminal, without a size nobody can have."""
    return {
        name: value
        for name, value in environ.items()
        if name not in ("COLUMNS", "LINES") or (value.isdecimal() and len(value) < 5 and int(value) <= WIDEST)
    }
