"""The flow file as values: every word that may be in it, with its bounds.

There are no expressions. What these words cannot say is a button that people press when it has happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from companion.core.words import Text, named, plain

Id = Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,29}$")]
"""Small letters, digits and hyphens: an id is also a word people can read."""
ShortText = Annotated[str, Meta(min_length=1, max_length=120)]
Amount = Annotated[int, Meta(ge=-9999, le=9999)]
AtLeastOne = Annotated[int, Meta(ge=1, le=99)]
Seconds = Annotated[int, Meta(ge=1, le=3600)]
BySeats = Annotated[dict[str, Amount], Meta(min_length=1, max_length=12)]
"""A number for each number of seats: `{ 2 = 24, 3 = 36 }`."""

MOST_PHASES = MOST_COUNTED = 40
MOST_SEATS = 12


class ByCounter(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The seat with the most or the least of a counter begins."""

    most: Id = ""
    least: Id = ""


class TurnsOf(Struct, frozen=True, forbid_unknown_fields=True):
    """Each seat has as many turns as its counter says."""

    counter: Id


class MoreRounds(Struct, frozen=True, forbid_unknown_fields=True):
    """So many rounds follow the one in which the end came."""

    rounds: AtLeastOne


Turns = (
    AtLeastOne
    | Annotated[tuple[AtLeastOne, ...], Meta(min_length=1, max_length=99)]
    | Literal["pass"]
    | TurnsOf
)
"""So many turns each, by round, until all pass, or as a counter says."""
SomeRounds = (
    Annotated[tuple[AtLeastOne, ...], Meta(min_length=1, max_length=99)]
    | Annotated[str, Meta(pattern="^[1-9][0-9]?-([1-9][0-9]?)?$")]
)
"""Some rounds: a list, or a range such as "2-" or "2-4"."""


class FlowPhase(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One phase of a round: who does something, in which order, and what to remember."""

    id: Id
    say: Annotated[tuple[ShortText, ...], Meta(max_length=8)] = ()
    who: Literal["all", "table"] | None = None
    turns: Turns | None = None
    passed: Literal["out", "back", "may-react"] = "out"
    others: bool = False
    picks: Annotated[tuple[Id, ...], Meta(max_length=20)] = ()
    count: Annotated[tuple[Id, ...], Meta(max_length=20)] = ()
    rounds: SomeRounds | None = None
    when: Literal["picked"] | None = field(default=None, name="if")
    soft: Seconds | None = None

    def in_round(self, round: int) -> bool:
        """Whether this phase belongs to a round."""
        if isinstance(self.rounds, str):
            first, _, last = self.rounds.partition("-")
            return int(first) <= round <= int(last or 99_999)
        return self.rounds is None or round in self.rounds


class FlowCounter(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A number that is kept, for each seat or for the table."""

    id: Id
    of: Literal["seat", "table"] = "seat"
    start: Amount = 0
    range: tuple[Amount, Amount] | None = None
    step: AtLeastOne = 1

    @property
    def low(self) -> int:
        """The smallest possible value."""
        return min(0, self.start) if self.range is None else self.range[0]

    @property
    def high(self) -> int:
        """The largest possible value."""
        return 999 if self.range is None else self.range[1]


class FlowPool(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A supply on the table; what seats take from it goes `into` a counter of theirs. `extra` is what the box
    still has for those who must get more than is left."""

    id: Id
    start: Amount | BySeats
    into: Id = ""
    extra: Amount | BySeats = 0

    def full(self, seats: int) -> int:
        """How much there is at the beginning."""
        return _by_seats(self.start, seats)

    def more(self, seats: int) -> int:
        """How much can be taken when it is empty."""
        return _by_seats(self.extra, seats)


class FlowCondition(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A pool is empty, a counter is at the end of its range, or somebody pressed a button."""

    pool: Id = ""
    counter: Id = ""
    button: Id = ""

    @property
    def id(self) -> str:
        """What it is about."""
        return self.pool or self.counter or self.button


class FlowEnd(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One way in which the play ends: any, or all, of its conditions hold."""

    any: Annotated[tuple[FlowCondition, ...], Meta(max_length=8)] = ()
    all: Annotated[tuple[FlowCondition, ...], Meta(max_length=8)] = ()
    then: Literal["now", "round", "equal-turns"] | MoreRounds = "round"
    warn: Annotated[int, Meta(ge=0, le=999)] = 0

    @property
    def conditions(self) -> tuple[FlowCondition, ...]:
        """All of its conditions."""
        return self.any + self.all


class FlowScore(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line of the sheet: a counter, or a number that is asked for at the end."""

    id: Id
    counter: Id = ""
    points: Amount = 1
    max: Annotated[int, Meta(ge=1, le=999)] = 300
    lookup: Annotated[tuple[tuple[Amount, Amount], ...], Meta(max_length=20)] = ()
    times: Annotated[int, Meta(ge=1, le=8)] = 1

    def worth(self, n: int) -> int:
        """The points for this number: by the table of the flow, or so many each."""
        if not self.lookup:
            return n * self.points
        return next((points for least, points in reversed(self.lookup) if n >= least), 0)


class FlowTie(Struct, frozen=True, forbid_unknown_fields=True):
    """What is compared when points are equal: the seat with more of it wins."""

    ask: Id


class FlowClock(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Clocks that never rule: they count up, or down from a budget; `soft` is when the lamp breathes."""

    mode: Literal["up", "budget"] = "up"
    soft: Seconds | None = None
    tokens: Annotated[int, Meta(ge=0, le=9)] = 0


FlowWords = dict[str, dict[str, ShortText]]
"""Language -> id or sentence -> what it is called."""


class GameFlow(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A whole flow."""

    id: Id
    name: Annotated[str, Meta(min_length=1, max_length=40)]
    seats: Annotated[tuple[Annotated[int, Meta(ge=1, le=MOST_SEATS)], ...], Meta(min_length=1, max_length=12)]
    phase: Annotated[tuple[FlowPhase, ...], Meta(min_length=1, max_length=MOST_PHASES)]
    rounds: AtLeastOne | BySeats | None = None
    start: Literal["stay", "next", "first-pass", "pass-order", "marker", "ask-order"] | ByCounter = "next"
    counter: Annotated[tuple[FlowCounter, ...], Meta(max_length=MOST_COUNTED)] = ()
    pool: Annotated[tuple[FlowPool, ...], Meta(max_length=MOST_COUNTED)] = ()
    end: Annotated[tuple[FlowEnd, ...], Meta(max_length=8)] = ()
    closing: Annotated[tuple[FlowPhase, ...], Meta(max_length=MOST_PHASES)] = ()
    score: Annotated[tuple[FlowScore, ...], Meta(max_length=MOST_COUNTED)] = ()
    tie: Annotated[tuple[FlowTie, ...], Meta(max_length=4)] = ()
    clock: FlowClock | None = None
    source: ShortText | None = None
    """Where its numbers come from; without it people are told to check it with their box."""
    words: FlowWords = field(default_factory=dict)
    """What an id, or a sentence of `say`, is called in each language."""

    def word(self, id: str) -> Text:
        """What an id or a sentence of `say` is called: in the reader's language, else in English, else as it is."""
        known = {language: words[id] for language, words in self.words.items() if id in words}
        return named(id, {"en": readable(id)} | known) if known else plain(readable(id))

    @property
    def phases(self) -> tuple[FlowPhase, ...]:
        """Every phase, of a round and after the end."""
        return (*self.phase, *self.closing)

    def phase_of(self, id: str) -> FlowPhase:
        """The phase with this id."""
        return next(phase for phase in self.phases if phase.id == id)

    def counted(self, of: Literal["seat", "table"]) -> tuple[FlowCounter, ...]:
        """The counters of seats, or of the table."""
        return tuple(counter for counter in self.counter if counter.of == of)

    @property
    def has_turns(self) -> bool:
        """Whether seats ever act one after the other, so that it matters who begins."""
        return any(phase.turns is not None for phase in self.phases)

    def counted_in(self, phase: FlowPhase) -> tuple[str, ...]:
        """What can be counted in a phase: what it names, and what no phase names."""
        named = {id for one in self.phases for id in one.count}
        into = {pool.into for pool in self.pool}
        every = (*(counter.id for counter in self.counter), *(pool.id for pool in self.pool))
        return (*phase.count, *(id for id in every if id not in named | into))

    @property
    def buttons(self) -> Iterator[str]:
        """Everything people report by a button."""
        return (one.button for end in self.end for one in end.conditions if one.button)

    def last_round(self, seats: int) -> int | None:
        """How many rounds are played; None if something else ends the play."""
        return None if self.rounds is None else _by_seats(self.rounds, seats)


def _by_seats(told: int | dict[str, int], seats: int) -> int:
    return told if isinstance(told, int) else told[str(seats)]


def readable(id: str) -> str:
    """An id as a word: "take-income" is "Take income". A sentence stays as it is."""
    return id if " " in id else (id[0].upper() + id[1:]).replace("-", " ")
