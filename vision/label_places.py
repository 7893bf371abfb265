"""Where a label is, and what it means if it is seen somewhere else. Pure."""

from __future__ import annotations

import math

from msgspec import Struct

from vision.labels import MODULES
from vision.sightings import Sighting
from vision.sweep import middle

HERE, ELSEWHERE, NEARER = 1.0, 5.0, 1.25
"""In sides of the label: up to which distance a card still lies where it lay, and from which it is clearly
elsewhere. The third: how many times larger a label is if the card was lifted towards the camera."""
PILE_SIDES, GROWN, PILE_TURNED = 0.5, 1.1, 0.2
"""Largest differences between two labels of a pile: distance in sides, ratio of sizes, rotation in radians."""


class Place(Struct, frozen=True):
    """Where a label is: its middle and the length of its side in pixels, and its rotation."""

    x: float
    y: float
    side: float
    turn: float = 0.0

    def sides_to(self, other: Place) -> float:
        """The distance to another place, in sides of the label."""
        return math.hypot(self.x - other.x, self.y - other.y) / max(1.0, self.side)

    def here(self, other: Place) -> bool:
        """Whether a label seen there lies here."""
        return self.sides_to(other) < HERE and self.as_near(other)

    def in_one_pile(self, other: Place) -> bool:
        """Whether a label there can be on the next card of the same pile; hands never align so exactly."""
        turned = abs(math.remainder(self.turn - other.turn, math.tau))
        grown = max(other.side / self.side, self.side / other.side)
        return self.sides_to(other) < PILE_SIDES and grown < GROWN and turned < PILE_TURNED

    def elsewhere(self, other: Place) -> bool:
        """Whether a label seen there was clearly taken away from here."""
        return self.sides_to(other) > ELSEWHERE or not self.as_near(other)

    def as_near(self, other: Place) -> bool:
        return other.side < NEARER * self.side


def place_of(sighting: Sighting) -> Place:
    """Where a sighting is."""
    x, y = middle(sighting)
    (ax, ay), (bx, by) = sighting.corners[:2]
    return Place(x, y, MODULES * sighting.module, math.atan2(by - ay, bx - ax))
