"""Runs a command as people type it: the companion's own, or a developers' tool."""

from __future__ import annotations

from collections.abc import Sequence

from companion import cli
from workshop.__main__ import TOOLS


def is_tool(words: Sequence[str]) -> bool:
    """Whether the command among these words is a developers' tool."""
    return any(word in TOOLS.commands for word in words[:3])


def main(words: Sequence[str]) -> int:
    """Run the command and return its exit code."""
    return cli.main(list(words), TOOLS) if is_tool(words) else cli.main(list(words))
