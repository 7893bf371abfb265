"""The sheet: every point with its reason, for each seat, and who won."""

from __future__ import annotations

from msgspec import Struct, field


class Line(Struct, frozen=True):
    """Points from one source, and how many each component earned.

    `measures` holds what is counted besides components (`{"chips": 9}`, `{"military": 4}`): it explains
    points that no single component earned.
    """

    what: str
    points: int
    because: dict[str, int] = field(default_factory=dict)
    measures: dict[str, int] = field(default_factory=dict)


class SeatSheet(Struct, frozen=True):
    """One seat's lines, total and place; `tie` is compared, in order, when totals are equal."""

    name: str
    total: int
    rank: int
    lines: tuple[Line, ...]
    tie: tuple[int, ...] = ()


class Sheet(Struct, frozen=True):
    """The result of a table; `tied` names the seats with the best total when there is more than one."""

    game: str
    seats: tuple[SeatSheet, ...]
    winners: tuple[str, ...]
    tied: tuple[str, ...] = ()
    names: dict[str, dict[str, str] | str] = field(default_factory=dict)
    """The names people gave to components, by language, or one for all. Stored with the sheet, so that it
    reads the same later."""

    @property
    def outcome(self) -> tuple[tuple[str, int, int], ...]:
        """Each seat's points and place: two scorings of one table must agree on it, however they explain it."""
        return tuple((seat.name, seat.total, seat.rank) for seat in self.seats)
