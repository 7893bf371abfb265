"""A console that shows words as they are, and does not mind when its reader goes away."""

from __future__ import annotations

from typing import IO

from rich.console import Console


class Output(Console):
    """Names may hold brackets and colons: nothing in them is markup, and nothing is an emoji."""

    def __init__(self, file: IO[str] | None = None) -> None:
        super().__init__(file=file, highlight=False, markup=False, emoji=False)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError
