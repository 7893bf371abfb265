"""Geometry of hexes with flat tops on a map: their centres, sides and neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence

ROOT3 = math.sqrt(3)
HexPoint = tuple[float, float]


def middle(q: int, r: int) -> HexPoint:
    """The centre of the hex at axial coordinates, in units of its radius; y grows upwards."""
    return 1.5 * q, -ROOT3 * (r + q / 2)


def outwards(direction: int) -> float:
    """The angle of a side; sides are counted clockwise from the top."""
    return math.pi / 2 - direction * math.pi / 3


def neighbour(at: HexPoint, direction: int) -> HexPoint:
    """The centre of the neighbour behind a side."""
    angle = outwards(direction)
    return at[0] + ROOT3 * math.cos(angle), at[1] + ROOT3 * math.sin(angle)


def turned(edges: Sequence[bool], by: int) -> tuple[bool, ...]:
    """The open sides of a hex after turning it clockwise by `by` sixths."""
    return tuple(edges[(n - by) % 6] for n in range(6)) if edges else ()
