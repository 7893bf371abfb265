"""Beyond the Sun: the eleven steps of scoring and the tie-breaks (p. 11).

Unknown printed values are `None` here: they score nothing, their line says so, and `untold` names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from scoring.count import Tally, sheet_of
from scoring.sheet import Line, Sheet

Counted = Literal[
    "colonised",
    "controlled",
    "shipyards",
    "technologies",
    "level-1",
    "level-2",
    "level-3",
    "level-4",
    "private",
    "science",
    "economy",
    "military",
    "commerce",
    "automation",
    "food-removed",
    "ore-removed",
    "symbols",
    "ships",
    "strength",
    "achievements",
    "population",
    "ore",
]
"""What a card may count of its owner: systems colonised, locations controlled, shipyard systems among them,
technologies (including private ones, unless a level is named), automation levels, discs removed from a
track, printed specialisation symbols of controlled and colonised systems, ships and their levels, and so
on."""


class Formula(Struct, frozen=True, tag_field="does", tag="formula", kw_only=True):
    """What a '?' is worth: a base, plus points for every few of something, up to a maximum."""

    base: Annotated[int, Meta(ge=0, le=9)] = 0
    points: Annotated[int, Meta(ge=1, le=5)] = 1
    per: Counted = "colonised"
    each: Annotated[int, Meta(ge=1, le=6)] = 1
    most: Annotated[int, Meta(ge=0, le=20)] = 0
    """0 means no limit."""

    def worth(self, n: int) -> int:
        """The points if there are `n` of what it counts."""
        points = self.base + self.points * (n // self.each)
        return min(points, self.most) if self.most else points


Worth = int | Formula | None
"""What a card gives: points, a '?' with its meaning, or None if it is unknown."""

Level = Literal[1, 2, 3, 4]
LEVELS: tuple[Level, ...] = get_args(Level)
PER_LEVEL: dict[Level, int] = {1: 1, 2: 2, 3: 3}
"""Points for a technology on the tree; private ones give the same (steps 1 to 4)."""
TRACK = 8
"""Discs on each production track at the start."""
AUTOMATION = 7
"""Levels with printed points; each further level gives one (step 6)."""
OPEN_SPACE = ("sol", "deep-space")
"""The locations that cannot be controlled (step 9)."""


class Seat(Struct, frozen=True, kw_only=True):
    """One faction at the time of scoring; what is missing in `others` is unknown."""

    name: str
    technologies: Mapping[str, Level] = field(default_factory=dict)
    """Those of levels I to III with its cube on the tree, by id."""
    private: Mapping[str, Level] = field(default_factory=dict)
    level_4: Mapping[str, Worth] = field(default_factory=dict)
    automation: int = 0
    """The level reached: how many discs lie there, including markers."""
    track: tuple[int, ...] | None = None
    """The points printed below the seven levels of its board."""
    systems: Mapping[str, Worth] = field(default_factory=dict)
    """The systems it colonised."""
    bases: tuple[str, ...] = ()
    """Where its bases lie on the exploration board, including markers that represent one."""
    strength: Mapping[str, int] = field(default_factory=dict)
    """The total level of its ships, by location."""
    events: Mapping[str, Worth] = field(default_factory=dict)
    achievements: Mapping[str, int | None] = field(default_factory=dict)
    """The points of the slots its discs lie on."""
    food_left: int | None = None
    ore_left: int | None = None
    """Discs still on the growth track and on the ore track."""
    population: int | None = None
    ore: int | None = None
    others: Mapping[Counted, int] = field(default_factory=dict)
    """What a '?' may count that cannot be derived from the other fields."""
    unnamed: Mapping[str, int] = field(default_factory=dict)
    """How many more there are whose card is unknown: `level-1` to `level-3`, `private-2`, `private-3`,
    `bases`, `systems`, `level-4`."""
    without_card: int = 0
    """Technologies of level 4 whose space has no card, because none was found: they count, but print no points."""
    given: Mapping[str, int] = field(default_factory=dict)
    """Points of a whole step that the players counted themselves."""

    def more(self, what: str) -> int:
        """How many there are whose card is unknown."""
        return self.unnamed.get(what, 0)

    def count(self, what: Counted) -> int | None:
        """How many it has of something a '?' counts; None if unknown."""
        counts: dict[Counted, int | None] = {
            "colonised": len(self.systems) + self.more("systems"),
            "controlled": len(self.bases) + self.more("bases"),
            "level-1": self.of_level(1),
            "level-2": self.of_level(2),
            "level-3": self.of_level(3),
            "level-4": self.of_level(4),
            "private": self.private_in_all,
            "technologies": self.technologies_in_all,
            "automation": self.automation,
            "food-removed": None if self.food_left is None else TRACK - self.food_left,
            "ore-removed": None if self.ore_left is None else TRACK - self.ore_left,
            "achievements": len(self.achievements),
            "population": self.population,
            "ore": self.ore,
        }
        return counts.get(what, self.others.get(what))

    def of_level(self, level: Level) -> int:
        """How many technologies of a level it has on the tree."""
        if level == 4:
            return len(self.level_4) + self.without_card + self.more("level-4")
        return sum(own == level for own in self.technologies.values()) + self.more(f"level-{level}")

    @property
    def private_in_all(self) -> int:
        """How many private technologies it has."""
        return len(self.private) + self.more("private-2") + self.more("private-3")

    @property
    def technologies_in_all(self) -> int:
        """How many technologies it has, private ones too."""
        return sum(map(self.of_level, LEVELS)) + self.private_in_all

    def worth(self, printed: Worth) -> int | None:
        """The points of a card for this faction; None if unknown."""
        if isinstance(printed, Formula):
            n = self.count(printed.per)
            return None if n is None else printed.worth(n)
        return printed


class Untold(Struct, frozen=True):
    """What cannot be scored yet: a card of a step, and what its '?' counts; or the step as a whole."""

    step: str
    card: str | None = None
    per: Counted | None = None


def score(seats: Sequence[Seat]) -> Sheet:
    """The sheet of these factions; ties are broken by discs left on the tracks, population, ore."""
    strongest = {place: max(seat.strength.get(place, 0) for seat in seats) for place in OPEN_SPACE}
    return sheet_of("beyond", [Tally(seat.name, tuple(_lines(seat, strongest)), tie(seat)) for seat in seats])


def tie(seat: Seat) -> tuple[int, int, int]:
    """The tie-break, in order: the larger value wins (rules 197 to 199)."""
    return -(_left(seat.food_left) + _left(seat.ore_left)), seat.population or 0, seat.ore or 0


def _left(discs: int | None) -> int:
    return TRACK if discs is None else discs


def _lines(seat: Seat, strongest: Mapping[str, int]) -> Iterator[Line]:
    """The eleven steps, in the rulebook's order."""
    for level in PER_LEVEL:
        yield _level_line(seat, level)
    yield _private_line(seat)
    yield _card_line(seat, "level-4", seat.level_4)
    yield _automation_line(seat)
    yield _card_line(seat, "systems", seat.systems)
    yield Line(
        "bases", len(seat.bases) + seat.more("bases"), dict.fromkeys(seat.bases, 1), _unnamed(seat, "bases")
    )
    held = {place: 1 for place, most in strongest.items() if 0 < seat.strength.get(place, 0) == most}
    # Without any ship there, no faction is the strongest (rule 194).
    yield Line(
        "open-space",
        len(held),
        held,
        {f"at-{place}": n for place, n in seat.strength.items() if place in held},
    )
    yield _card_line(seat, "events", seat.events)
    yield _card_line(seat, "achievements", seat.achievements)


def _unnamed(seat: Seat, *what: str) -> dict[str, int]:
    return {f"more-{one}": seat.more(one) for one in what if seat.more(one)}


def _level_line(seat: Seat, level: Level) -> Line:
    name, each = f"level-{level}", PER_LEVEL[level]
    because = {id: each for id, own in seat.technologies.items() if own == level}
    return Line(name, each * seat.of_level(level), because, _unnamed(seat, name))


def _private_line(seat: Seat) -> Line:
    because = {id: PER_LEVEL[level] for id, level in seat.private.items()}
    more = PER_LEVEL[2] * seat.more("private-2") + PER_LEVEL[3] * seat.more("private-3")
    return Line("private", sum(because.values()) + more, because, _unnamed(seat, "private-2", "private-3"))


def _automation_line(seat: Seat) -> Line:
    """All points up to the level reached, and one for each level above the seventh (step 6)."""
    measures = {"automation": seat.automation} if seat.automation else {}
    if "automation" in seat.given:
        return Line(
            "automation", seat.given["automation"], {}, {**measures, "counted": seat.given["automation"]}
        )
    above = max(0, seat.automation - AUTOMATION)
    if seat.track is None and seat.automation:
        return Line("automation", above, {}, {**measures, "untold": 1})
    return Line("automation", sum((seat.track or ())[: seat.automation]) + above, {}, measures)


def _card_line(seat: Seat, step: str, cards: Mapping[str, Worth]) -> Line:
    """The points of cards with printed points; for a '?', also what it counted."""
    if step in seat.given:
        return Line(step, seat.given[step], {}, {"counted": seat.given[step]})
    worth = {id: seat.worth(printed) for id, printed in cards.items()}
    because = {id: points for id, points in worth.items() if points is not None}
    counted: Iterable[Counted] = (printed.per for printed in cards.values() if isinstance(printed, Formula))
    measures = {f"per-{per}": n for per in counted if (n := seat.count(per)) is not None}
    if step == "level-4" and seat.without_card:
        measures["without-card"] = seat.without_card
    untold = len(worth) - len(because) + seat.more(step)
    return Line(step, sum(because.values()), because, {**measures, "untold": untold} if untold else measures)


def without(seat: Seat, step: str) -> Seat:
    """The same faction without the points entered for a step."""
    return replace(seat, given={other: n for other, n in seat.given.items() if other != step})


def untold(seat: Seat) -> tuple[Untold, ...]:
    """Everything that must be entered before this faction can be scored."""
    steps: dict[str, Mapping[str, Worth]] = {
        "level-4": seat.level_4,
        "systems": seat.systems,
        "events": seat.events,
        "achievements": seat.achievements,
    }
    found = [
        Untold(step, id, printed.per if isinstance(printed, Formula) else None)
        for step, cards in steps.items()
        for id, printed in cards.items()
        if step not in seat.given and seat.worth(printed) is None
    ]
    found += [Untold(step) for step in steps if seat.more(step) and step not in seat.given]
    if seat.automation > 0 and seat.track is None and "automation" not in seat.given:
        found.append(Untold("automation"))
    return tuple(found)
