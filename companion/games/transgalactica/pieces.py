"""The simulated table of the bots, moved only by instructions: holds, markers, workers, tokens, cards."""

from __future__ import annotations

from collections import Counter

from companion.core.components import Catalogue, Component
from companion.core.words import Text, component_of
from companion.games.transgalactica.component_types import (
    CAPTAINS,
    CREW,
    MAIN_TRACKS,
    MARKERS,
    OUTPOSTS,
    ids,
)
from companion.games.transgalactica.effects import STUFF
from companion.games.transgalactica.state import TransState

BANK = 1000
PREFIX = "transgalactica.do."
WORKING = "transgalactica.name."


class Fleet:
    """The pieces of one seat."""

    def __init__(self, captains: int) -> None:
        self.hold: Counter[str] = Counter()
        self.points = 0
        self.at = dict.fromkeys(MAIN_TRACKS, 0)
        self.captains, self.captains_out, self.spare = captains, 0, CAPTAINS - captains
        self.crew, self.crew_out, self.capsules, self.gone, self.senate = 1, 0, CREW - 1, 0, 0
        self.lieutenant, self.lieutenant_out = 0, 0
        self.panel, self.map = OUTPOSTS, 0
        self.markers, self.trade_markers, self.marked = 2, MARKERS - 2, 0
        self.trade = 0

    def count(self) -> int:
        """All its pieces, wherever they are."""
        people = (self.captains, self.captains_out, self.spare, self.crew, self.crew_out, self.capsules)
        rest = (self.gone, self.senate, self.panel, self.map, self.markers, self.trade_markers, self.marked)
        return self.hold.total() + sum(people) + sum(rest)


class Pieces:
    """Everything on the table of some seats."""

    def __init__(self, seats: int, captains: int, box: Catalogue[Component]) -> None:
        self.fleets = [Fleet(captains) for _ in range(seats)]
        self.bank: Counter[str] = Counter(dict.fromkeys(STUFF, BANK))
        loose = (*ids("tokens"), *ids("pirates"), *ids("missions"))
        self.where: dict[str, str] = dict.fromkeys(loose, "table")

    def count(self) -> int:
        """The number of pieces, wherever they lie."""
        return self.bank.total() + sum(fleet.count() for fleet in self.fleets) + len(self.where)

    def do(self, seat: int | None, deed: Text) -> None:
        """Carry out one instruction; raises AssertionError if it is impossible or not implemented."""
        name = deed.key.removeprefix(PREFIX).replace("-", "_").replace(".", "_")
        method = getattr(self, f"_{name}", None)
        if method is None and seat is not None:
            verb, _, what = name.partition("_")
            method = getattr(self, f"_{verb}_of", None)
            assert method is not None, f"nobody knows how to do {deed.key}"
            method(seat, what, deed)
            return
        assert method is not None, f"nobody knows how to do {deed.key}"
        method(seat, deed)

    def _id(self, deed: Text, what: str) -> str:
        called = deed.args[what]
        assert isinstance(called, Text)
        return called.key.removeprefix(WORKING) if called.key.startswith(WORKING) else component_of(called)

    def _move(self, seat: int | None, id: str, place: str) -> None:
        assert self.where[id] in ("table", f"seat-{seat}"), f"{id} is somebody's"
        self.where[id] = place

    # The hold and the markers

    def _take_of(self, seat: int, what: str, deed: Text) -> None:
        n = deed.n or 0
        self.bank[what] -= n
        self.fleets[seat].hold[what] += n

    def _pay_of(self, seat: int, what: str, deed: Text) -> None:
        n = deed.n or 0
        self.fleets[seat].hold[what] -= n
        self.bank[what] += n
        assert self.fleets[seat].hold[what] >= 0

    def _score(self, seat: int, deed: Text) -> None:
        self.fleets[seat].points += deed.n or 0

    def _lose(self, seat: int, deed: Text) -> None:
        self.fleets[seat].points -= deed.n or 0

    def _marker_of(self, seat: int, track: str, deed: Text) -> None:
        at = int(str(deed.args["at"]))
        assert self.fleets[seat].at[track] + 1 == at  # type: ignore[index]
        self.fleets[seat].at[track] = at  # type: ignore[index]

    def _unlock(self, seat: int, deed: Text) -> None:
        fleet = self.fleets[seat]
        fleet.trade += 1
        assert fleet.trade == deed.args["n"]
        fleet.trade_markers -= 1
        fleet.markers += 1

    def _fleet(self, seat: int, deed: Text) -> None:
        self.fleets[seat].trade += 1
        self._move(seat, self._id(deed, "token"), f"seat-{seat}")

    _fleet_mined = _fleet

    def _mark(self, seat: int, deed: Text) -> None:
        self.fleets[seat].markers -= 1
        self.fleets[seat].marked += 1
        assert self.fleets[seat].markers >= 0

    # Workers

    def _place_of(self, seat: int, worker: str, deed: Text) -> None:
        fleet = self.fleets[seat]
        if worker == "captain":
            fleet.captains -= 1
            fleet.captains_out += 1
        elif worker == "crew":
            fleet.crew -= 1
            fleet.crew_out += 1
        else:
            fleet.lieutenant -= 1
            fleet.lieutenant_out += 1
        assert min(fleet.captains, fleet.crew, fleet.lieutenant) >= 0

    def _mobilise(self, seat: int, deed: Text) -> None:
        self.fleets[seat].capsules -= deed.n or 0
        self.fleets[seat].crew += deed.n or 0
        assert self.fleets[seat].capsules >= 0

    def _capsule(self, seat: int, deed: Text) -> None:
        self.fleets[seat].crew -= deed.n or 0
        self.fleets[seat].capsules += deed.n or 0

    def _discard_crew(self, seat: int, deed: Text) -> None:
        self.fleets[seat].crew -= 1
        self.fleets[seat].gone += 1

    def _senate(self, seat: int, deed: Text) -> None:
        self.fleets[seat].crew -= 1
        self.fleets[seat].senate += 1

    def _lieutenant(self, seat: int, deed: Text) -> None:
        """The crew member goes to the box; the lieutenant replaces it and is not counted as a piece."""
        fleet = self.fleets[seat]
        fleet.crew -= 1
        fleet.gone += 1
        fleet.lieutenant = 1

    def _recall(self, seat: int, deed: Text) -> None:
        fleet = self.fleets[seat]
        fleet.captains, fleet.captains_out = fleet.captains + fleet.captains_out, 0
        fleet.crew, fleet.crew_out = fleet.crew + fleet.crew_out, 0
        fleet.lieutenant, fleet.lieutenant_out = fleet.lieutenant + fleet.lieutenant_out, 0

    # Outposts, tokens and cards

    def _outpost(self, seat: int, deed: Text) -> None:
        self.fleets[seat].panel -= 1
        self.fleets[seat].map += 1
        assert self.fleets[seat].panel >= 0

    def _keep(self, seat: int, deed: Text) -> None:
        self._move(seat, self._id(deed, "token"), f"seat-{seat}")

    _token = _bank = _mined = _start = _pirates = _pirates_mined = _keep

    def _wealth(self, seat: int, deed: Text) -> None:
        self._move(seat, self._id(deed, "token"), "box")

    def _discard_token(self, seat: int, deed: Text) -> None:
        self._move(seat, self._id(deed, "token"), "box")

    def _mission(self, seat: int, deed: Text) -> None:
        self._move(seat, self._id(deed, "mission"), f"seat-{seat}")

    def _complete(self, seat: int, deed: Text) -> None:
        assert self.where[self._id(deed, "mission")] == f"seat-{seat}"

    def _nothing(self, seat: int | None, deed: Text) -> None:
        """Instructions that move only markers and tiles, which are not counted."""

    _ship = _turn_over = _ability = _priority = _refill = _round = _nothing

    def compare(self, state: TransState) -> None:
        """Raises AssertionError if the pieces differ from the state."""
        for n, (fleet, seat) in enumerate(zip(self.fleets, state.seats, strict=True)):
            assert {what: fleet.hold[what] for what in STUFF} == {what: getattr(seat, what) for what in STUFF}
            assert fleet.points == seat.vp, (fleet.points, seat.vp)
            assert fleet.at == {track: getattr(seat, track) for track in MAIN_TRACKS}
            assert (fleet.captains, fleet.captains_out) == (seat.captains_here, seat.captains_out)
            assert (fleet.crew, fleet.crew_out) == (seat.crew, seat.crew_out)
            assert (fleet.capsules, fleet.gone, fleet.senate) == (
                seat.capsules,
                seat.gone,
                state.seats_taken(n),
            )
            assert fleet.map == len(seat.outposts)
            assert fleet.markers == seat.markers
            assert fleet.trade in (seat.trade, seat.trade - 1)  # a fleet token is being entered
            mine = {*seat.mining, *seat.fleet, *seat.pirates, *seat.log, *seat.missions}
            mine |= {held.token for held in (*seat.tokens, *seat.bank)}
            assert {id for id, place in self.where.items() if place == f"seat-{n}"} == mine
