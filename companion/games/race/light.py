"""Where a table of Race is in its flow, so that people can go on with turns and pools only."""

from companion.core.flow.state import LightPosition
from companion.games.race.state import TABLEAU_END, RaceState


def light(state: RaceState) -> LightPosition:
    """The phase that is played; before the actions are revealed, people choose."""
    at = state.phases.index(state.phase) + 1 if state.phase in state.phases else 0
    full = any(len(seat.tableau) >= TABLEAU_END for seat in state.seats)
    return LightPosition(
        round=state.round,
        phase=state.phase or "choose",
        picked=state.phases[:at],
        counters={"chips": tuple(seat.chips for seat in state.seats)},
        pressed=("twelve-cards",) if full else (),
    )
