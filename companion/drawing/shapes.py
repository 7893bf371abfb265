"""The shapes of seats: never told apart by colour alone."""

from __future__ import annotations

import math

CORNERS = {"triangle": 3, "square": 4, "diamond": 4, "hexagon": 6, "circle": 40}
TURN = {"square": math.pi / 4, "hexagon": 0.0}
LARGER = {"square": 1.25, "triangle": 1.3, "star": 1.2}
"""Correction factors: these shapes look smaller than a circle of the same radius."""


def outline(shape: str, x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """The corners of a shape round a point."""
    radius *= LARGER.get(shape, 1.0)
    if shape == "star":
        tips = [(radius if n % 2 == 0 else radius * 0.55, math.pi / 2 + n * math.pi / 5) for n in range(10)]
        return [(x + r * math.cos(a), y + r * math.sin(a)) for r, a in tips]
    corners = CORNERS[shape]
    drop = radius * 0.12 if shape == "triangle" else 0.0
    first = TURN.get(shape, math.pi / 2)
    angles = [first + 2 * math.pi * n / corners for n in range(corners)]
    return [(x + radius * math.cos(a), y - drop + radius * math.sin(a)) for a in angles]
