"""The sheet: every point with its reason, for each seat, and who won."""

from __future__ import annotations

from msgspec import Struct, field


class Line(Struct, frozen=True):
    """Points from one source, and which components earned how much of them.

    `measures` holds what is counted besides components (`{"chips": 9}`, `{"military": 4}`): it explains points that
    no single component earned.
    """

    what: str
    points: int
    because: dict[str, int] = field(default_factory=dict)
    measures: dict[str, int] = field(default_factory=dict)


class SeatSheet(Struct, frozen=True):
    """One seat's lines and where they lead."""

    name: str
    total: int
    rank: int
    lines: tuple[Line, ...]
    tie: int = 0


class Sheet(Struct, frozen=True):
    """The result of a table; `tied` says that equal totals were decided, or shared, by the tie-break."""

    game: str
    seats: tuple[SeatSheet, ...]
    winners: tuple[str, ...]
    tied: bool = False
