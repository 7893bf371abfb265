"""The score of Lantern: a point for each oil."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.sheet import Line, SeatSheet, Sheet


def score(oil: Mapping[str, int]) -> Sheet:
    """The sheet of so much oil for each seat, by name; whoever has most of it wins, and equals win together."""
    best = max(oil.values())
    seats = tuple(
        SeatSheet(
            name, n, 1 + sum(other > n for other in oil.values()), (Line("oil", n, measures={"oil": n}),)
        )
        for name, n in oil.items()
    )
    first = tuple(name for name, n in oil.items() if n == best)
    return Sheet("lantern", seats, first, first if len(first) > 1 else ())
