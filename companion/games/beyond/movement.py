"""Distances between locations, and control after a move (rules 127 to 130). Pure."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.beyond.component_types import DEEP_SPACE, SOL
from companion.games.beyond.control import controller
from companion.games.beyond.operations import FastJumps
from companion.games.beyond.state import BeyondState, Ship


def reach(state: BeyondState, seat: int, start: str, points: int) -> dict[str, int]:
    """Every other location a ship of this faction can reach with these points, and the points needed.

    With Wormhole Technology one point leads anywhere, except from Sol and Deep Space: there the first point
    only leads to a neighbour.
    """
    if state.has(seat, FastJumps):
        near = state.routes.get(start, ())
        held_up = start in (SOL, DEEP_SPACE)
        far = 2 if near else points + 1
        costs = {p: 1 if not held_up or p in near else far for p in state.locations if p != start}
        return {place: cost for place, cost in costs.items() if cost <= points}
    found, edge = {start: 0}, [start]
    for step in range(1, points + 1):
        edge = [p for place in edge for p in state.routes.get(place, ()) if p not in found]
        found |= dict.fromkeys(edge, step)
    return {place: cost for place, cost in found.items() if cost}


def control_after(state: BeyondState, place: str, seat: int, ships: Iterable[Ship]) -> int | None:
    """Who would control a location if one faction had these ships."""
    strengths = {other: state.seats[other].strength(place) for other in state.others(seat)}
    strengths[seat] = sum(ship.level for ship in ships if ship.at == place)
    return controller(state.controller(place), strengths)
