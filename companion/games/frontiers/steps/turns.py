"""How seats resolve an action: in parallel, or one after another if the order may matter (p. 10)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from companion.core.agenda import Step, together
from companion.games.frontiers.powers import Gain, GainAlways, Told, amount
from companion.games.frontiers.state import FrontiersState, InOrder
from companion.games.frontiers.steps.tellings import MOST
from scoring.frontiers import Phase

Most = Callable[[FrontiersState, int, Gain], int]
"""The most of something that a seat may gain in an action."""


def resolve(
    state: FrontiersState, steps: Callable[[int], tuple[Step, ...]], why: InOrder | None, *after: Step
) -> FrontiersState:
    """Let every seat resolve its part: one by one from the selector on if there is a reason `why`, otherwise
    in parallel."""
    order = state.order()
    if why is None:
        return state.push(together({seat: steps(seat) for seat in order}), *after)
    parts = (step for seat in order for step in steps(seat))
    return replace(state, in_order=why).push(*parts, *after)


def why_in_order(
    state: FrontiersState, most: Most, *, ends: bool = False, short: bool = False
) -> InOrder | None:
    """Why an action is resolved in order, if it must be: it may end the play, or something may run short."""
    if not state.ending and (ends or 0 < state.pool <= _all(state, most, "points")):
        return "end"
    return "short" if short or _all(state, most, "colonists") > state.supply else None


def _all(state: FrontiersState, most: Most, what: Gain) -> int:
    return sum(most(state, seat, what) for seat in range(len(state.seats)))


def always(state: FrontiersState, seat: int, what: Gain, phase: Phase) -> int:
    """The most of something that a seat's powers may give in this action, whatever the seat does."""
    sure = sum(amount(p, what) for _, p in state.having(seat, GainAlways) if p.phase == phase)
    told = sum(power.phase == phase for _, power in state.having(seat, Told))
    return sure + MOST[what] * told
