"""Scoring shared by all games: adding up lines, ranking seats, finding the winners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from scoring.sheet import Line, SeatSheet, Sheet


class Tally(Struct, frozen=True):
    """One seat's lines before ranking; `tie` is compared, in order, when totals are equal."""

    name: str
    lines: tuple[Line, ...]
    tie: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        """What the lines add up to."""
        return sum(line.points for line in self.lines)


def ranks(scores: Sequence[Any]) -> tuple[int, ...]:
    """Places as in a competition: equal scores share a place, and the places after it stay empty (1, 1, 3)."""
    return tuple(1 + sum(other > own for other in scores) for own in scores)


def sheet_of(game: str, tallies: Sequence[Tally]) -> Sheet:
    """The sheet of these seats: best total first, then the tie-break; still equal means a shared victory."""
    totals = [tally.total for tally in tallies]
    places = ranks([(total, tally.tie) for total, tally in zip(totals, tallies, strict=True)])
    best = max(totals, default=0)
    leading = tuple(tally.name for tally, total in zip(tallies, totals, strict=True) if total == best)
    seats = tuple(
        SeatSheet(tally.name, total, rank, tally.lines, tally.tie)
        for tally, total, rank in zip(tallies, totals, places, strict=True)
    )
    winners = tuple(seat.name for seat in seats if seat.rank == 1)
    return Sheet(game, seats, winners, leading if len(leading) > 1 else ())
