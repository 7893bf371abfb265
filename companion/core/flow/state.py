"""The table of a light play: who has the turn, what was counted, and whether the end has come."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from companion.core.agenda import State
from companion.core.flow.format import FlowCondition, FlowCounter, FlowEnd, FlowPool, GameFlow, MoreRounds


class FlowSeat(Struct, frozen=True, omit_defaults=True):
    """One seat: its counters, and the numbers told at the end by line of the sheet."""

    name: str
    counters: dict[str, int] = field(default_factory=dict)
    told: dict[str, tuple[int, ...]] | None = None
    ties: tuple[int, ...] = ()
    extensions: int = 0
    """How many extensions of its clock it has used."""


class LightPosition(Struct, frozen=True, kw_only=True):
    """Where a play with all rules is in its flow: enough to go on as a light play."""

    round: int
    """0 before the first round: then the flow begins at its beginning."""
    phase: str = ""
    """Empty after the last phase: then only the score is left."""
    seat: int | None = None
    """Whose turn it is; None in a phase of everybody."""
    order: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()
    """How many turns each seat has had in this phase."""
    passed: tuple[int, ...] = ()
    passes: tuple[int, ...] = ()
    picked: tuple[str, ...] = ()
    marker: int | None = None
    out: tuple[int, ...] = ()
    """The seats that play no more."""
    counters: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The counters of seats, by id."""
    table: dict[str, int] = field(default_factory=dict)
    """The counters of the table and pools without an owner, by id."""
    pressed: tuple[str, ...] = ()
    last_round: int | None = None
    closing: bool = False


class FlowState(State, frozen=True, kw_only=True):
    """The table of a light play."""

    flow: GameFlow
    game: str
    seats: tuple[FlowSeat, ...]
    table: dict[str, int] = field(default_factory=dict)
    """The counters of the table, and what is left in pools that belong to nobody."""
    round: int = 0
    phase: str = ""
    order: tuple[int, ...] = ()
    """The seats in the order of their turns in this round; a seat that may have two turns in a row is there
    for each of its turns."""
    passed: tuple[int, ...] = ()
    """The seats that have passed in this phase, in the order of passing."""
    passes: tuple[int, ...] = ()
    """The same for the last phase of this round in which people pass."""
    picked: tuple[str, ...] = ()
    pressed: tuple[str, ...] = ()
    """The buttons of end conditions that people pressed."""
    marker: int | None = None
    """The seat that took the start marker in this round."""
    out: tuple[int, ...] = ()
    """The seats that play no more."""
    last_round: int | None = None
    asked: bool = False
    """Whether anybody was asked in this round."""
    closing: bool = False
    """Whether the end has come and the closing phases are played."""
    finished: dict[str, Any] | None = None
    """The finished table as people told it, for the full scorer."""

    # Counters and pools

    def value(self, id: str, seat: int | None = None) -> int:
        """A counter of a seat or of the table, or what is left in a pool."""
        if seat is not None:
            return self.seats[seat].counters[id]
        pool = self.pool(id)
        if pool is not None and pool.into:
            start = self.counter(pool.into).start
            taken = sum(one.counters[pool.into] - start for one in self.seats)
            return pool.full(len(self.seats)) - taken
        return self.table[id]

    def having(self, id: str, value: int, seat: int | None = None) -> FlowState:
        """The same table with a counter, or a pool of its own, set to this value."""
        if seat is None:
            return replace(self, table={**self.table, id: value})
        mine = self.seats[seat]
        return self.having_seat(seat, replace(mine, counters={**mine.counters, id: value}))

    def having_seat(self, n: int, seat: FlowSeat) -> FlowState:
        """The same table with one seat replaced."""
        return replace(self, seats=(*self.seats[:n], seat, *self.seats[n + 1 :]))

    def counter(self, id: str) -> FlowCounter:
        """The counter with this id."""
        return next(counter for counter in self.flow.counter if counter.id == id)

    def pool(self, id: str) -> FlowPool | None:
        """The pool with this id, if it is one."""
        return next((pool for pool in self.flow.pool if pool.id == id), None)

    def room(self, id: str) -> tuple[int, int]:
        """The bounds of a counter, or of a pool of the table."""
        pool = self.pool(id)
        if pool is not None:
            return 0, pool.full(len(self.seats))
        counter = self.counter(id)
        return counter.low, counter.high

    # The end

    def distance(self, one: FlowCondition) -> int:
        """How far a condition is from being true; 0 if it is."""
        if one.pool:
            return max(0, self.value(one.pool))
        if one.button:
            return int(one.button not in self.pressed)
        counter = self.counter(one.counter)
        values = (
            [self.table[counter.id]]
            if counter.of == "table"
            else [seat.counters[counter.id] for seat in self.seats]
        )
        return -(-(counter.high - max(values)) // counter.step)

    def nearness(self, end: FlowEnd) -> int:
        """How far an end is; 0 if it has come."""
        distances = [self.distance(one) for one in end.conditions]
        return min(distances) if end.any else sum(distances)

    def is_near(self, end: FlowEnd) -> bool:
        """Whether to warn of an end; a button that nobody pressed says nothing about how far it is."""
        told = [self.distance(one) for one in end.conditions if not one.button]
        if not told or not self.nearness(end):
            return False
        return (min(told) if end.any else sum(told)) <= end.warn

    def reached(self) -> Iterator[FlowEnd]:
        """The ends that have come."""
        return (end for end in self.flow.end if self.nearness(end) == 0)

    @property
    def ends_now(self) -> bool:
        """Whether the play stops at once."""
        return not self.closing and any(end.then == "now" for end in self.reached())

    @property
    def ends_with_equal_turns(self) -> bool:
        """Whether the play stops as soon as all had the same number of turns."""
        return not self.closing and any(end.then == "equal-turns" for end in self.reached())

    @property
    def final_round(self) -> int | None:
        """The last round, as far as it is certain by now."""
        known = [self.flow.last_round(len(self.seats))]
        for end in self.reached():
            more = end.then.rounds if isinstance(end.then, MoreRounds) else 0
            known.append(self.last_round if more and self.last_round is not None else self.round + more)
        return min((n for n in known if n is not None), default=None)
