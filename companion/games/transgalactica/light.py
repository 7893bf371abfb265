"""Where a table of Transgalactica is in its flow, so that people can go on with turns and pools only."""

from companion.core.flow.state import LightPosition
from companion.games.transgalactica.state import TransState


def light(state: TransState) -> LightPosition:
    """The phase, and in the action phase the active seat; those who passed are the last in the order before it."""
    if state.phase == "setup":
        return LightPosition(round=0)
    seat = state.active if state.phase == "actions" else None
    before = () if seat is None else tuple(reversed(state.after(seat)))
    return LightPosition(
        round=state.round,
        phase="" if state.phase == "end" else state.phase,
        seat=seat,
        order=state.order,
        passed=tuple(reversed(before[: state.passed])),
    )
