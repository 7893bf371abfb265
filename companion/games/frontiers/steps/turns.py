"""Whose turn it is to resolve an action: side by side, or one after another where something may run short (p. 10)."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.agenda import Step, together
from companion.games.frontiers.powers import GainAlways, Told
from companion.games.frontiers.state import FrontiersState
from companion.games.frontiers.steps.tellings import MOST
from scoring.frontiers import Phase


def turns(
    state: FrontiersState, steps: Callable[[int], tuple[Step, ...]], *, one_by_one: bool
) -> tuple[Step, ...]:
    """Every seat's part of an action; one by one they go from the selector on."""
    order = state.order()
    if one_by_one:
        return tuple(step for seat in order for step in steps(seat))
    return (together({seat: steps(seat) for seat in order}),)


def colonists_always(state: FrontiersState, seat: int, phase: Phase) -> int:
    """The most colonists a seat's powers may give in this action, whatever it does."""
    sure = sum(p.n for _, p in state.having(seat, GainAlways) if p.phase == phase and p.gain == "colonists")
    told = sum(power.phase == phase for _, power in state.having(seat, Told))
    return sure + MOST["colonists"] * told
