"""Beyond the Sun: what is counted at the end (p. 11)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Counted = Literal[
    "colonised",
    "controlled",
    "shipyards",
    "technologies",
    "level-1",
    "level-2",
    "level-3",
    "level-4",
    "private",
    "science",
    "economy",
    "military",
    "commerce",
    "automation",
    "food-removed",
    "ore-removed",
    "symbols",
    "ships",
    "strength",
    "achievements",
    "population",
    "ore",
]
"""What a card may count of its owner: systems colonised, locations controlled, shipyard systems among them, technologies
(private ones included, except where a level is named), automation levels, discs gone from a track, printed
specialisation symbols of controlled and colonised systems, ships and their levels, and so on."""


class Formula(Struct, frozen=True, tag_field="does", tag="formula", kw_only=True):
    """What a '?' is worth: so much, and so much more for every few of something, but never more than the most."""

    base: Annotated[int, Meta(ge=0, le=9)] = 0
    points: Annotated[int, Meta(ge=1, le=5)] = 1
    per: Counted = "colonised"
    each: Annotated[int, Meta(ge=1, le=6)] = 1
    most: Annotated[int, Meta(ge=0, le=20)] = 0
    """Nothing means that there is no limit."""
