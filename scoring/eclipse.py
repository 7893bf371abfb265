"""Eclipse: reputation, ambassadors, sectors, discoveries, monoliths, technology tracks, treason, species (p. 25)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct, field

from scoring.count import Tally, sheet_of
from scoring.sheet import Line, Sheet

DISCOVERY, MONOLITH, AMBASSADOR, TRAITOR, BONUS = 2, 3, 1, -2, 1
TRACK = (0, 0, 0, 0, 1, 2, 3, 5)
"""Points by the number of technologies on one track."""


class Seat(Struct, frozen=True, kw_only=True):
    """What counts for one seat; `sectors` has the printed points of sectors with its disc, `tracks` the
    numbers of tiles."""

    name: str
    reputation: tuple[int, ...] = ()
    ambassadors: int = 0
    sectors: Mapping[str, int] = field(default_factory=dict)
    monoliths: tuple[str, ...] = ()
    discoveries: int = 0
    tracks: Mapping[str, int] = field(default_factory=dict)
    traitor: bool = False
    bonus: Literal["sectors", "ancients"] | None = None
    resources: int = 0
    """Money, science and materials in store, which break ties."""


def score(seats: Sequence[Seat], ancients: int = 0) -> Sheet:
    """The sheet of these seats, with this many Ancient ships left on the map."""
    tallies = [Tally(seat.name, tuple(_lines(seat, ancients)), (seat.resources,)) for seat in seats]
    return sheet_of("eclipse", tallies)


def _lines(seat: Seat, ancients: int) -> Iterator[Line]:
    tiles: dict[str, int] = {}
    for value in sorted(seat.reputation):
        tiles[f"reputation-{value}"] = tiles.get(f"reputation-{value}", 0) + value
    yield Line("reputation", sum(seat.reputation), tiles)
    yield Line("ambassadors", AMBASSADOR * seat.ambassadors, {}, _counted("ambassadors", seat.ambassadors))
    yield Line("sectors", sum(seat.sectors.values()), dict(seat.sectors))
    yield Line("discoveries", DISCOVERY * seat.discoveries, {}, _counted("discoveries", seat.discoveries))
    on = dict.fromkeys(seat.monoliths, MONOLITH)
    yield Line("monoliths", sum(on.values()), on)
    for category, tiles_on_track in seat.tracks.items():
        points = TRACK[tiles_on_track]
        yield Line(f"technologies-{category}", points, {}, _counted("technologies", tiles_on_track))
    if seat.traitor:
        yield Line("traitor", TRAITOR)
    if seat.bonus == "sectors":
        yield Line("bonus-sectors", BONUS * len(seat.sectors), dict.fromkeys(seat.sectors, BONUS))
    if seat.bonus == "ancients":
        yield Line("bonus-ancients", BONUS * ancients, {}, _counted("ancients", ancients))


def _counted(what: str, n: int) -> dict[str, int]:
    return {what: n} if n else {}
