"""Where hexes lie and how wormholes connect them.

A place is "q,r" (axial, flat tops). Direction 0 is up, then clockwise; a hex rotated by r has its printed
edge k in direction (k + r) mod 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from companion.games.eclipse.component_types import Ring, SectorHex

DIRECTIONS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
CENTRE_PLACE = "0,0"
HOMES: dict[int, tuple[tuple[int, int], ...]] = {
    2: ((0, 0), (3, 0)),
    3: ((0, 0), (2, 5), (4, 1)),
    4: ((1, 1), (2, 1), (4, 1), (5, 1)),
    5: ((0, 0), (1, 0), (2, 1), (4, 1), (5, 5)),
    6: ((0, 0), (1, 1), (2, 5), (3, 0), (4, 1), (5, 5)),
}
"""Start layouts (p. 5): the direction from the centre and the rotation of each home sector, clockwise."""


@cache
def coordinates(place: str) -> tuple[int, int]:
    """The axial coordinates of a place."""
    q, r = place.split(",")
    return int(q), int(r)


@cache
def step(place: str, direction: int, n: int = 1) -> str:
    """The place `n` hexes away in a direction."""
    q, r = coordinates(place)
    dq, dr = DIRECTIONS[direction % 6]
    return f"{q + n * dq},{r + n * dr}"


@cache
def around(place: str) -> tuple[str, ...]:
    """The six neighbours, by direction."""
    return tuple(step(place, direction) for direction in range(6))


@cache
def distance(a: str, b: str = CENTRE_PLACE) -> int:
    """The distance between two places, in hexes."""
    (q1, r1), (q2, r2) = coordinates(a), coordinates(b)
    q, r = q1 - q2, r1 - r2
    return max(abs(q), abs(r), abs(q + r))


def direction_to(place: str, neighbour: str) -> int:
    """In which direction a neighbour lies."""
    return around(place).index(neighbour)


def ring_of(place: str) -> Ring:
    """The stack a place is explored from: two rings around the centre, everything beyond is outer (p. 7)."""
    rings: tuple[Ring, ...] = ("centre", "inner", "middle")
    away = distance(place)
    return rings[away] if away < len(rings) else "outer"


def opens(hex: SectorHex, rotation: int, direction: int) -> bool:
    """Whether a hex with this rotation has a wormhole in this direction."""
    return (direction - rotation) % 6 in hex.wormholes


def mouths(hex: SectorHex, rotation: int) -> Iterator[int]:
    """The directions in which a hex with this rotation has wormholes."""
    return (direction for direction in range(6) if opens(hex, rotation, direction))


def joined(a: bool, b: bool, generator: bool) -> bool:
    """Whether an edge can be passed: wormholes on both sides, with a Wormhole Generator on one (pp. 9, 10, 14)."""
    return (a or b) if generator else (a and b)


def home_place(seats: int, nth: int) -> tuple[str, int]:
    """Where the home sector of the nth seat lies, and its rotation."""
    direction, rotation = HOMES[seats][nth]
    return step(CENTRE_PLACE, direction, 2), rotation
