"""Where a table of Eclipse is in its flow, so that people can go on with turns and pools only."""

from companion.core.agenda import open_asks
from companion.core.flow.state import LightPosition
from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.steps.round import EndTurn, FinishTurn, NextTurn, Turn

PHASES = ("action", "combat", "upkeep", "cleanup")


def light(state: EclipseState) -> LightPosition:
    """The phase, and in the action phase the seat that acts; a reaction belongs to nobody's turn, so that the
    next seat that has not passed is named instead."""
    if state.phase == "setup":
        return LightPosition(round=0)
    seats = state.seats
    out = tuple(n for n, seat in enumerate(seats) if seat.out)
    passed = tuple(n for n, seat in enumerate(seats) if seat.passed and not seat.out)
    if state.passed_first in passed:
        passed = (state.passed_first, *(n for n in passed if n != state.passed_first))
    acting = state.phase == "action"
    return LightPosition(
        round=state.round,
        phase=state.phase if state.phase in PHASES else "",
        seat=next((n for n in state.clockwise(_acting(state)) if not seats[n].passed), None)
        if acting
        else None,
        order=tuple(state.clockwise(state.first)),
        passed=passed if acting else (),
        passes=() if acting else passed or _first_to_pass(state),
        out=out,
    )


def _acting(state: EclipseState) -> int:
    """The seat whose turn it is; the step that ends its turn knows it even while others are asked."""
    for step in state.agenda:
        if isinstance(step, Turn | FinishTurn | EndTurn):
            return step.seat
        if isinstance(step, NextTurn):
            return step.seat + 1
    return next((ask.seat for _, ask in open_asks(state) if ask.seat is not None), state.first)


def _first_to_pass(state: EclipseState) -> tuple[int, ...]:
    """After clean-up nobody has passed any more, but the marker says who was first."""
    return () if state.passed_first is None else (state.passed_first,)
