"""Long work tells how far it is, and stops when people want it to."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.words import say
from companion.errors import Stopped

GoOn = Callable[[int, int], bool]
"""Told how much is done, and of how much; the answer is whether to go on."""


def always(done: int, total: int) -> bool:
    """Go on whatever happens."""
    return True


def step(go_on: GoOn, done: int, total: int) -> None:
    """Report progress; raises `Stopped` if people do not want to go on."""
    if not go_on(done, total):
        raise Stopped(say("core.stopped"))
