"""Ship designs: the printed blueprint of a species' board, and the tiles on it (pp. 6, 13)."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from companion.games.eclipse.component_types import (
    SHIPS,
    Blueprint,
    Die,
    Ship,
    ShipPart,
    parts,
    printed,
    species,
)
from companion.games.eclipse.state import EclipseState


class Design(Struct, frozen=True):
    """All values of a ship type: the sums over its parts."""

    initiative: int = 0
    computer: int = 0
    shield: int = 0
    hull: int = 0
    movement: int = 0
    produced: int = 0
    consumed: int = 0
    cannons: tuple[Die, ...] = ()
    missiles: tuple[Die, ...] = ()

    @property
    def energy(self) -> int:
        """Energy left; if negative, the ship is illegal."""
        return self.produced - self.consumed


ANCIENT = Design(initiative=2, computer=1, hull=1, cannons=("yellow", "yellow"))
GCDS = Design(initiative=0, computer=1, hull=7, cannons=("yellow", "yellow", "yellow", "yellow"))


def blueprint(state: EclipseState, seat: int, ship: Ship) -> Blueprint:
    """A ship as printed on the board of a seat."""
    return printed().blueprints[state.species(seat).blueprints][ship]


def fitted(state: EclipseState, seat: int, ship: Ship) -> tuple[str, ...]:
    """The part in effect in each slot of a ship (empty: none)."""
    return covered(blueprint(state, seat, ship), state.seats[seat].upgrades.get(ship, ()))


def covered(blueprint: Blueprint, tiles: tuple[str, ...]) -> tuple[str, ...]:
    """The parts of a blueprint with these tiles on its slots."""
    tiles = tiles or ("",) * len(blueprint.slots)
    return tuple(tile or slot for tile, slot in zip(tiles, blueprint.slots, strict=True))


def design(state: EclipseState, seat: int, ship: Ship) -> Design:
    """The current values of one of a seat's ship types."""
    return measure(blueprint(state, seat, ship), fitted(state, seat, ship))


@cache
def measure(blueprint: Blueprint, slots: tuple[str, ...]) -> Design:
    """The values of a blueprint with these parts."""
    built: list[ShipPart] = [parts()[id] for id in slots if id]
    return Design(
        initiative=blueprint.initiative + sum(p.initiative for p in built),
        computer=blueprint.computer + sum(p.computer for p in built),
        shield=sum(p.shield for p in built),
        hull=sum(p.hull for p in built),
        movement=sum(p.movement for p in built),
        produced=blueprint.energy + sum(p.energy for p in built if p.energy > 0),
        consumed=-sum(p.energy for p in built if p.energy < 0),
        cannons=tuple(die for p in built if p.kind == "cannon" for die in p.dice),
        missiles=tuple(die for p in built if p.kind == "missile" for die in p.dice),
    )


def sound(ship: Ship, design: Design) -> bool:
    """Whether a ship is legal: enough energy, and a drive, except for starbases, which must have none (p. 13)."""
    return design.energy >= 0 and (design.movement > 0) == (ship != "starbase")


def start_upgrades(id: str) -> dict[Ship, tuple[str, ...]]:
    """The initial upgrades of a species: no tiles on any blueprint."""
    plans = printed().blueprints[species()[id].blueprints]
    return {ship: ("",) * len(plans[ship].slots) for ship in SHIPS}
