"""Where a table of New Frontiers is in its flow, so that people can go on with turns and pools only."""

from companion.core.flow.state import LightPosition
from companion.games.frontiers.state import FrontiersState
from companion.games.frontiers.steps.round import NextSelection, SelectAction

BUTTONS = ("developments", "colonies", "colonists")


def light(state: FrontiersState) -> LightPosition:
    """The turn of the seat that selects an action or whose action is resolved; the order is that of the track."""
    selecting = any(isinstance(step, NextSelection | SelectAction) for step in state.agenda)
    seats = range(len(state.seats))
    selected = [state.seat_of(one.disc) for one in state.selected]
    seat = state.selector
    if seat is None and state.next_disc is not None:
        seat = state.seat_of(state.next_disc)
    taken = tuple(selected.count(n) - (n == state.selector) for n in seats)
    return LightPosition(
        round=state.round,
        phase="action" if selecting else "",
        seat=seat,
        order=tuple(map(state.seat_of, state.track)),
        taken=taken,
        table={"pool": max(0, state.pool)},
        pressed=tuple(why for why in state.ending if why in BUTTONS),
    )
