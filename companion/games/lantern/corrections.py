"""Counters that can be corrected, and checks for impossible tables."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.counters import Correctable
from companion.core.words import Text, say
from companion.games.lantern.state import OIL, LanternState


def check(state: LanternState) -> tuple[Text, ...]:
    """Everything impossible about a table."""
    return (say("lantern.wrong.too-much-oil"),) if state.pool < 0 else ()


def counters(state: LanternState) -> tuple[Correctable, ...]:
    """The oil of each seat, as counters."""
    return tuple(
        Correctable(f"oil:{seat}", seat, say("lantern.oil"), n, 0, OIL) for seat, n in enumerate(state.oil)
    )


def correct(state: LanternState, counter: str, value: int) -> LanternState:
    """The table with one seat's oil corrected."""
    seat = int(counter.partition(":")[2])
    return replace(state, oil=tuple(value if s == seat else o for s, o in enumerate(state.oil)))
