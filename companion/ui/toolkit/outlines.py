"""Outlines of places on a map, and dashed lines round them. No Kivy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from companion.core.hexes import ROOT3, HexPoint, outwards
from companion.core.views import PlaceShape

CARD = 0.6
"""The height of a card relative to its width."""
TALL: dict[PlaceShape, float] = {"hex": ROOT3 / 2, "disc": 1.0, "card": CARD}
"""The distance from the middle of a place to its upper rim, relative to its radius."""
ROUND = 40
"""The number of corners that approximate a disc."""


def around(shape: PlaceShape, at: HexPoint, radius: float) -> list[HexPoint]:
    """The corners of a place's outline."""
    if shape == "card":
        high = radius * CARD
        return [(at[0] + x * radius, at[1] + y * high) for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    n = 6 if shape == "hex" else ROUND
    turns = (k * 2 * math.pi / n for k in range(n))
    return [(at[0] + radius * math.cos(turn), at[1] + radius * math.sin(turn)) for turn in turns]


def side(at: HexPoint, radius: float, direction: int) -> HexPoint:
    """The middle of a side of a hex."""
    angle = outwards(direction)
    away = radius * ROOT3 / 2
    return at[0] + away * math.cos(angle), at[1] + away * math.sin(angle)


def inside(shape: PlaceShape, at: HexPoint, radius: float, point: HexPoint) -> bool:
    """Whether this point is inside the place."""
    across, down = abs(point[0] - at[0]), abs(point[1] - at[1])
    if shape == "card":
        return across < radius and down < radius * CARD
    return math.hypot(across, down) < radius * 0.9


def box(places: Iterable[tuple[PlaceShape, HexPoint]]) -> tuple[float, float, float, float]:
    """The bounding box of places (left, low, right, high), in units of their radius."""
    found = list(places) or [("hex", (0.0, 0.0))]
    xs = [at[0] for _, at in found]
    low = min(at[1] - TALL[shape] for shape, at in found)
    high = max(at[1] + TALL[shape] for shape, at in found)
    return min(xs) - 1, low, max(xs) + 1, high


def dashes(points: Sequence[HexPoint], thick: float) -> tuple[list[float], list[int]]:
    """A dashed line round these corners as triangles: vertices and indices of a mesh."""
    each = 4 if len(points) <= 6 else 1
    vertices: list[float] = []
    indices: list[int] = []
    for (x, y), (u, v) in zip(points, (*points[1:], points[0]), strict=True):
        long = math.dist((x, y), (u, v)) or 1.0
        across = ((v - y) / long * thick / 2, -(u - x) / long * thick / 2)
        for n in range(each):
            first, last = (n + 0.2) / each, (n + 0.8) / each
            ends = [(x + (u - x) * share, y + (v - y) * share) for share in (first, last)]
            at = len(vertices) // 4
            for (a, b), way in ((ends[0], 1), (ends[0], -1), (ends[1], -1), (ends[1], 1)):
                vertices += [a + way * across[0], b + way * across[1], 0, 0]
            indices += [at, at + 1, at + 2, at, at + 2, at + 3]
    return vertices, indices
