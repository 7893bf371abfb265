"""Where hexes with flat tops lie on a map, and what lies beyond their sides."""

from __future__ import annotations

import math
from collections.abc import Sequence

ROOT3 = math.sqrt(3)
Point = tuple[float, float]


def middle(q: int, r: int) -> Point:
    """The middle of the hex at axial coordinates, by its radius; upwards is above."""
    return 1.5 * q, -ROOT3 * (r + q / 2)


def outwards(direction: int) -> float:
    """The angle at which a side lies; sides are counted clockwise from the top."""
    return math.pi / 2 - direction * math.pi / 3


def beyond(at: Point, direction: int) -> Point:
    """The middle of the neighbour beyond a side."""
    angle = outwards(direction)
    return at[0] + ROOT3 * math.cos(angle), at[1] + ROOT3 * math.sin(angle)


def turned(edges: Sequence[bool], by: int) -> tuple[bool, ...]:
    """The open sides of a hex that is turned clockwise by so many sixths."""
    return tuple(edges[(n - by) % 6] for n in range(6)) if edges else ()
