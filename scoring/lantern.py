"""The score of Lantern: a point for each oil."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.count import Tally, sheet_of
from scoring.sheet import Line, Sheet


def score(oil: Mapping[str, int]) -> Sheet:
    """The sheet of so much oil for each seat, by name; whoever has most of it wins, and equals win together."""
    return sheet_of(
        "lantern", [Tally(name, (Line("oil", n, measures={"oil": n}),)) for name, n in oil.items()]
    )
