"""The flow file as values: every word that may be in it, with its bounds.

There are no expressions. What these words cannot say is a button that people press when it has happened.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from companion.core.words import Text, named, plain

ID, RANGE = "^[a-z][a-z0-9-]{0,29}$", "^[1-9][0-9]?-([1-9][0-9]?)?$"
"""Patterns of an id and of a range of rounds. `file.py` checks them: msgspec 0.22 crashes on types with a pattern."""
Id = Annotated[str, Meta(extra_json_schema={"pattern": ID})]
"""Small letters, digits and hyphens: an id is also a word people can read."""
ShortText = Annotated[str, Meta(min_length=1, max_length=120)]
Amount = Annotated[int, Meta(ge=-9999, le=9999)]
AtLeastOne = Annotated[int, Meta(ge=1, le=99)]
Seconds = Annotated[int, Meta(ge=1, le=3600)]
BySeats = Annotated[dict[str, Amount], Meta(min_length=1, max_length=12)]
"""A number for each number of seats: `{ 2 = 24, 3 = 36 }`."""

MOST_PHASES = MOST_COUNTED = 40
MOST_SEATS = 12
LONGEST_ORDER = 8
"""With more turns than that in a round, the seats take them in turn."""


class ByCounter(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The seat with the most or the least of a counter begins."""

    most: Id = ""
    least: Id = ""


class TurnsOf(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Each seat has as many turns as its counter says, or as the number of seats says."""

    counter: Id = ""
    seats: Annotated[dict[str, AtLeastOne], Meta(max_length=12)] = field(default_factory=dict)


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
    | Annotated[str, Meta(max_length=5, extra_json_schema={"pattern": RANGE})]
)
"""Some rounds: a list, or a range such as "2-" or "2-4"."""


PhasePicks = Annotated[tuple[Id, ...], Meta(max_length=20)]
"""Some of the phases, or the same for each number of seats: `{ 2 = ["a", "b"], 3 = ["a"] }`."""


class FlowPhase(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One phase of a round: who does something, in which order, and what to remember."""

    id: Id
    say: Annotated[tuple[ShortText, ...], Meta(max_length=8)] = ()
    who: Literal["all", "table"] | None = None
    turns: Turns | None = None
    passed: Literal["out", "back", "may-react"] = "out"
    others: bool = False
    picks: PhasePicks | Annotated[dict[str, PhasePicks], Meta(min_length=1, max_length=12)] = ()
    count: Annotated[tuple[Id, ...], Meta(max_length=20)] = ()
    rounds: SomeRounds | None = None
    when: Literal["picked"] | None = field(default=None, name="if")
    soft: Seconds | None = None

    def picks_of(self, seats: int) -> tuple[str, ...]:
        """The phases that can be picked at a table of this size; a size that is missing is reported elsewhere."""
        return self.picks.get(str(seats), ()) if isinstance(self.picks, dict) else self.picks

    @property
    def every_pick(self) -> frozenset[str]:
        """The phases that can be picked at some table."""
        lists = self.picks.values() if isinstance(self.picks, dict) else (self.picks,)
        return frozenset(id for ids in lists for id in ids)

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
    """A supply on the table; what seats take from it goes `into` a counter of theirs. Those who get more than
    is left are given something else: the pool stays empty, the counter goes on."""

    id: Id
    start: Amount | BySeats
    into: Id = ""

    def full(self, seats: int) -> int:
        """How much there is at the beginning."""
        return _by_seats(self.start, seats)


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
    points: Amount | None = None
    """For each one: 1 if nothing is said and there is no `lookup`."""
    max: Annotated[int, Meta(ge=1, le=999)] = 300
    lookup: Annotated[tuple[tuple[Amount, Amount], ...], Meta(max_length=20)] = ()
    times: Annotated[int, Meta(ge=1, le=8)] = 1

    def worth(self, n: int) -> int:
        """The points for this number: by the table of the flow, or so many each."""
        if not self.lookup:
            return n * (1 if self.points is None else self.points)
        return next((points for least, points in reversed(self.lookup) if n >= least), 0)


class FlowTie(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is compared when points are equal: the seat with more of it wins, or that with the least."""

    ask: Id = ""
    least: Id = ""

    @property
    def id(self) -> str:
        """What is compared."""
        return self.ask or self.least

    def rated(self, n: int) -> int:
        """A number so that more of it wins."""
        return n if self.ask else -n


class FlowClock(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Clocks that never rule: `soft` is when the lamp breathes, `tokens` are extensions of each seat."""

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

    def places(self, seats: int) -> int:
        """How often each seat is in the order of a round: as many turns as it has, if the order is asked and not
        too long to be told."""
        turns = [phase.turns for phase in self.phase if phase.turns is not None]
        if self.start != "ask-order" or len(turns) != 1:
            return 1
        (told,) = turns
        each = told.seats.get(str(seats), 1) if isinstance(told, TurnsOf) else told
        return each if isinstance(each, int) and each * seats <= LONGEST_ORDER else 1

    @property
    def has_turns(self) -> bool:
        """Whether seats ever act one after the other, so that it matters who begins."""
        return any(phase.turns is not None for phase in self.phases)

    def counted_in(self, phase: FlowPhase) -> tuple[str, ...]:
        """What can be counted in a phase: what it names, and what no phase names."""
        into = {pool.into for pool in self.pool}
        every = (*(counter.id for counter in self.counter), *(pool.id for pool in self.pool))
        named = (id for id in phase.count if id in every)
        return (*named, *(id for id in every if id not in self._named | into))

    @property
    def _named(self) -> set[str]:
        return {id for one in self.phases for id in one.count}

    @property
    def buttons(self) -> tuple[str, ...]:
        """Everything people report by a button."""
        return tuple(dict.fromkeys(one.button for end in self.end for one in end.conditions if one.button))

    def buttons_in(self, phase: FlowPhase) -> tuple[str, ...]:
        """The buttons of a phase: those that its `count` names, and those that no phase names."""
        return tuple(id for id in self.buttons if id in phase.count or id not in self._named)

    @property
    def most_rounds(self) -> int | None:
        """The most rounds there can be; None if something else ends the play."""
        return max(self.rounds.values()) if isinstance(self.rounds, dict) else self.rounds

    def last_round(self, seats: int) -> int | None:
        """How many rounds are played; None if something else ends the play."""
        return None if self.rounds is None else _by_seats(self.rounds, seats)


def _by_seats(told: int | dict[str, int], seats: int) -> int:
    return told if isinstance(told, int) else told[str(seats)]


def readable(id: str) -> str:
    """An id as a word: "take-income" is "Take income". A sentence stays as it is."""
    return id if " " in id else (id[0].upper() + id[1:]).replace("-", " ")
