"""Where hexes with flat tops stand, how far one is from the next, and which sides of two touch. No Kivy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

ROOT3 = math.sqrt(3)
SIDES = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""The neighbour beyond each side, clockwise from the top."""

Point = tuple[float, float]
Hex = tuple[int, int]
"""Axial coordinates."""


def middle(hex: Hex) -> Point:
    """The middle of a hex, by its radius; upwards is above."""
    q, r = hex
    return 1.5 * q, -ROOT3 * (r + q / 2)


def corners(at: Point, radius: float) -> list[Point]:
    """The six corners round a point."""
    turns = (n * math.pi / 3 for n in range(6))
    return [(at[0] + radius * math.cos(turn), at[1] + radius * math.sin(turn)) for turn in turns]


def side(at: Point, radius: float, direction: int) -> Point:
    """The middle of a side."""
    angle = outwards(direction)
    away = radius * ROOT3 / 2
    return at[0] + away * math.cos(angle), at[1] + away * math.sin(angle)


def outwards(direction: int) -> float:
    """The angle at which a side lies."""
    return math.pi / 2 - direction * math.pi / 3


def beyond(hex: Hex, direction: int) -> Hex:
    """The neighbour beyond a side."""
    dq, dr = SIDES[direction % 6]
    return hex[0] + dq, hex[1] + dr


def turned(edges: Sequence[bool], by: int) -> tuple[bool, ...]:
    """The open sides of a hex that is turned clockwise by so many sixths."""
    return tuple(edges[(n - by) % 6] for n in range(6)) if edges else ()


def box(hexes: Iterable[Hex]) -> tuple[float, float, float, float]:
    """Left, low, right and high of whole hexes, by their radius."""
    found = [middle(hex) for hex in hexes] or [(0.0, 0.0)]
    xs, ys = [x for x, _ in found], [y for _, y in found]
    return min(xs) - 1, min(ys) - ROOT3 / 2, max(xs) + 1, max(ys) + ROOT3 / 2


def dashes(points: Sequence[Point], thick: float, each: int = 4) -> tuple[list[float], list[int]]:
    """A broken line round these corners as triangles: vertices and indices, as a mesh wants them."""
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
