"""Where a table of Beyond the Sun is in its flow, so that people can go on with turns and pools only."""

from companion.core.flow.state import LightPosition
from companion.games.beyond.state import BeyondState


def light(state: BeyondState) -> LightPosition:
    """The turn of the active seat; its three phases are one turn."""
    if state.phase == "setup":
        return LightPosition(round=0)
    order = state.clockwise(state.first)
    before = order[: order.index(state.active)]
    return LightPosition(
        round=state.round,
        phase="" if state.phase == "over" else "turn",
        seat=state.active,
        order=order,
        taken=tuple(int(n in before) for n in range(len(state.seats))),
        table={"achievements": max(0, state.goal - state.claimed)},
        last_round=state.ending + 1 if state.ending and state.round > state.ending else None,
    )
