"""The score of Lantern: one point per oil."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.count import Tally, sheet_of
from scoring.sheet import Line, Sheet


def score(oil: Mapping[str, int]) -> Sheet:
    """The sheet for this much oil per seat, by name; the seat with the most wins, and ties share the victory."""
    return sheet_of(
        "lantern", [Tally(name, (Line("oil", n, measures={"oil": n}),)) for name, n in oil.items()]
    )
