"""How long a table will still play: from the hall's own finished plays, or no figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import median

from msgspec import Struct

ENOUGH = 5
"""Fewer finished plays give no figure."""


class FinishedPlay(Struct, frozen=True):
    """How long a play took, without pauses, in seconds of its own table's clock."""

    game: str
    seats: int
    began: Mapping[int, float]
    """When each round began."""
    played: float


class Estimate(Struct, frozen=True):
    """What is left, in seconds. Between `low` and `high` were eight of ten finished plays."""

    median: float
    low: float
    high: float
    plays: int


def remaining(
    finished: Iterable[FinishedPlay], game: str, round: int, seats: int, *, into: float = 0.0
) -> Estimate | None:
    """What a table has left that has been in this round for `into` seconds.

    Only plays of the same game with as many seats count, and only those that had this round.
    """
    left = sorted(
        max(0.0, play.played - play.began[round] - into)
        for play in finished
        if play.game == game and play.seats == seats and round in play.began
    )
    if len(left) < ENOUGH:
        return None
    cut = len(left) // 10
    return Estimate(median(left), left[cut], left[-1 - cut], len(left))


def ends_last(estimates: Mapping[str, Estimate]) -> str | None:
    """The table that will probably end last."""
    return max(estimates, key=lambda table: (estimates[table].median, table), default=None)
