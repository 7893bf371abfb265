"""Transgalactica: the track, one objective, end-of-game technologies, credits, resources (p. 23, 27, 29)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from scoring.count import Tally, sheet_of
from scoring.sheet import Line, Sheet

Colour = Literal["yellow", "green", "purple", "grey"]
COLOURS: tuple[Colour, ...] = ("yellow", "green", "purple", "grey")
MissionType = Literal["commercial", "war", "cultural"]
MISSION_TYPES: tuple[MissionType, ...] = ("commercial", "war", "cultural")
Track = Literal["technology", "military", "production", "politics", "trade"]
TRACKS: tuple[Track, ...] = ("technology", "military", "production", "politics", "trade")
RAISED: tuple[Track, ...] = ("technology", "politics")
"""The levels that one technology raises above their markers (rule 152)."""
RESOURCES = ("energy", "mineral", "alien")
RESOURCES_PER_POINT = 3
NIGHTMARE = "technological-nightmare"

Counted = Literal[
    "outposts:map",
    "outposts:yellow",
    "outposts:green",
    "outposts:purple",
    "outposts:grey",
    "outposts:trade-level",
    "technologies",
    "markers",
    "missions",
    "missions:commercial",
    "missions:war",
    "missions:cultural",
    "pirates",
    "resources",
    "level:technology",
    "level:military",
    "level:production",
    "level:politics",
    "level:trade",
    "objective",
]
"""What a card counts: outposts (of a colour, or where trade is required), cards, tokens, levels, or units of
another card."""


class Per(Struct, frozen=True):
    """Points for each unit counted, up to `most` points if a card has a limit."""

    of: Counted
    points: int = 1
    most: int | None = None


class Objective(Struct, frozen=True):
    """An objective: all its terms together, or one of them if the card says "or"."""

    id: str
    terms: tuple[Per, ...]
    either: bool = False


class Technology(Struct, frozen=True, kw_only=True):
    """A technology a seat has marked, with all players' markers on it; `end` is what it counts at the end."""

    id: str
    markers: int = 1
    end: tuple[Per, ...] = ()
    raises: bool = False
    """Whether the levels of technology and politics are one above their markers."""


class Mission(Struct, frozen=True):
    """A completed mission. With two types it counts as the `chosen` one, or as either if none is chosen."""

    id: str
    types: tuple[MissionType, ...]
    chosen: MissionType | None = None


class Outpost(Struct, frozen=True, kw_only=True):
    """An outpost by its planet; a multicolour planet has all four colours."""

    planet: str
    colours: frozenset[str] = frozenset()
    planet_asks_trade: bool = False
    """Whether a trade level is printed at any place of the planet."""
    slot_asks_trade: bool = False
    """Whether one is printed at this outpost's own place."""


class Seat(Struct, frozen=True, kw_only=True):
    """What counts for one seat; levels are those of the markers."""

    name: str
    track: int = 0
    objectives: tuple[Objective, ...] = ()
    technologies: tuple[Technology, ...] = ()
    missions: tuple[Mission, ...] = ()
    outposts: tuple[Outpost, ...] = ()
    nightmare: bool = False
    """Whether this seat has the planet Technological Nightmare in front of it (rule 167)."""
    pirates: int = 0
    credits: int = 0
    energy: int = 0
    mineral: int = 0
    alien: int = 0
    mixed: int = 0
    """Resources of unknown kind."""
    technology: int = 0
    military: int = 0
    production: int = 0
    politics: int = 0
    trade: int = 0

    @property
    def resources(self) -> int:
        """Resources of all kinds together; credits do not count (rule 10)."""
        return self.energy + self.mineral + self.alien + self.mixed


class Readings(Struct, frozen=True, kw_only=True):
    """What the rulebook leaves open about final scoring; the first value of each is the default."""

    either: Literal["better", "both"] = "better"
    """Rule 194: an "or" counts its better side, or both."""
    hoard: Literal["resources", "whole"] = "resources"
    """Rule 195: the 12 points limit the resources of that objective, or all it gives."""
    two_types: Literal["one", "both"] = "one"
    """Rule 130: a mission of two types counts as the one its owner chooses, or as both."""
    nightmare: Literal["aside", "outpost", "colours"] = "aside"
    """Rule 167: the Technological Nightmare is not an outpost, or it is one on a planet of all colours, or it
    counts only where a colour is required and is not an outpost on the map."""
    trade_planets: Literal["planet", "place"] = "planet"
    """Rule 197: an outpost counts by its planet, or only at a place with a trade level."""
    offices: Literal["levels", "markers"] = "levels"
    """Rule 152: the end counts the raised levels, or the markers."""
    condition: Literal["unit", "thing"] = "unit"
    """Rule 199: 2 points for every unit counted, or not for levels and resources."""


USUAL = Readings()


class Part(Struct, frozen=True):
    """What a card gives: points by component, other measures, and the number of units."""

    points: int
    units: int
    things: int
    """Units that are components or tokens, not levels or resources."""
    because: dict[str, int]
    measures: dict[str, int]


NOTHING = Part(0, 0, 0, {}, {})


def score(seats: Sequence[Seat], readings: Readings = USUAL) -> Sheet:
    """The sheet of these seats; equal totals share the place (rule 193)."""
    return sheet_of("transgalactica", [Tally(seat.name, tuple(_lines(seat, readings))) for seat in seats])


def _lines(seat: Seat, readings: Readings) -> Iterator[Line]:
    yield Line("track", seat.track, {}, {"track": seat.track})
    chosen, gives = scored_objective(seat, readings)
    if chosen:
        yield Line(chosen.id, gives.points, gives.because, gives.measures)
    for technology in seat.technologies:
        if technology.end:
            part = _sum(_count(term, seat, readings, objective=gives) for term in technology.end)
            yield Line(technology.id, part.points, part.because, part.measures)
    yield Line("credits", seat.credits, {}, {"credits": seat.credits})
    kinds = {kind: n for kind in RESOURCES if (n := getattr(seat, kind))}
    kinds |= {"resources": seat.mixed} if seat.mixed else {}
    yield Line("resources", seat.resources // RESOURCES_PER_POINT, {}, kinds)
    if len(seat.objectives) > 1:
        worth = {objective.id: best_side(objective, seat, readings)[0] for objective in seat.objectives}
        yield Line("choice", 0, {}, dict(sorted(worth.items(), key=lambda item: -item[1])))


# The objective


def scored_objective(seat: Seat, readings: Readings = USUAL) -> tuple[Objective | None, Part]:
    """The objective that gives most, including technologies that depend on it, and what it gives (rule 200)."""
    best: tuple[Objective | None, Part] = (None, NOTHING)
    most = None
    for objective in seat.objectives:
        worth, part = best_side(objective, seat, readings)
        if most is None or worth > most:
            most, best = worth, (objective, part)
    return best


def best_side(objective: Objective, seat: Seat, readings: Readings = USUAL) -> tuple[int, Part]:
    """What an objective is worth together with technologies that depend on it, and what it gives itself."""
    parts = [_whole(terms, seat, readings) for terms in _sides(objective, readings)]
    worth = [part.points + _on_top(part, seat, readings) for part in parts]
    best = worth.index(max(worth))
    return worth[best], parts[best]


def _sides(objective: Objective, readings: Readings) -> tuple[tuple[Per, ...], ...]:
    """All terms of a card, or each side of its "or" (rule 194)."""
    if objective.either and readings.either == "better":
        return tuple((term,) for term in objective.terms)
    return (objective.terms,)


def _whole(terms: Sequence[Per], seat: Seat, readings: Readings) -> Part:
    """All these terms together; a limit applies to its term, or to the card (rule 195)."""
    limits = [term.most for term in terms if term.most is not None]
    if not limits or readings.hoard == "resources":
        return _sum(_count(term, seat, readings) for term in terms)
    room, parts = min(limits), []
    for term in terms:
        part = _count(Per(term.of, term.points, room), seat, readings)
        room -= part.points
        parts.append(part)
    return _sum(parts)


def _on_top(gives: Part, seat: Seat, readings: Readings) -> int:
    """What technologies add for every unit of the scored objective (rule 159)."""
    return sum(
        _count(term, seat, readings, objective=gives).points
        for technology in seat.technologies
        for term in technology.end
        if term.of == "objective"
    )


# Counting


def _sum(parts: Iterable[Part]) -> Part:
    points = units = things = 0
    because: dict[str, int] = {}
    measures: dict[str, int] = {}
    for part in parts:
        points, units, things = points + part.points, units + part.units, things + part.things
        for id, n in part.because.items():
            because[id] = because.get(id, 0) + n
        measures |= part.measures
    return Part(points, units, things, because, measures)


def _count(term: Per, seat: Seat, readings: Readings, objective: Part = NOTHING) -> Part:
    """What one term gives: by component if components are counted, otherwise as a measure."""
    room = None if term.most is None else term.most // term.points
    components = _components(term.of, seat, readings)
    if components is not None:
        return _of_components(components, term.points, room)
    if term.of == "objective":
        n = objective.units if readings.condition == "unit" else objective.things
    else:
        n = _number(term.of, seat, readings)
    units = n if room is None else min(n, room)
    things = units if term.of == "pirates" else 0
    return Part(term.points * units, units, things, {}, {term.of.replace(":", "-"): n})


def _of_components(components: dict[str, int], points: int, room: int | None) -> Part:
    because = {}
    left = sum(components.values()) if room is None else room
    for id, n in components.items():
        if counted := min(n, left):
            because[id] = points * counted
            left -= counted
    units = sum(because.values()) // points
    return Part(points * units, units, units, because, {})


def _components(of: Counted, seat: Seat, readings: Readings) -> dict[str, int] | None:
    """The counted components, mostly once each; None if no components are counted."""
    sort, _, which = of.partition(":")
    if sort == "technologies":
        return {technology.id: 1 for technology in seat.technologies}
    if sort == "markers":
        return {technology.id: technology.markers for technology in seat.technologies}
    if sort == "missions":
        return {mission.id: 1 for mission in seat.missions if _is_type(which, mission, readings)}
    if sort == "outposts":
        outposts = _outposts(seat, readings, coloured=which in COLOURS)
        return {outpost.planet: 1 for outpost in outposts if _fits(which, outpost, readings)}
    return None


def _outposts(seat: Seat, readings: Readings, *, coloured: bool) -> tuple[Outpost, ...]:
    counts = readings.nightmare == "outpost" or (readings.nightmare == "colours" and coloured)
    if not seat.nightmare or not counts:
        return seat.outposts
    return (*seat.outposts, Outpost(planet=NIGHTMARE, colours=frozenset(COLOURS)))


def _fits(which: str, outpost: Outpost, readings: Readings) -> bool:
    if which == "map":
        return True
    if which == "trade-level":
        by_planet = readings.trade_planets == "planet"
        return outpost.planet_asks_trade if by_planet else outpost.slot_asks_trade
    return which in outpost.colours


def _is_type(which: str, mission: Mission, readings: Readings) -> bool:
    """Whether a mission counts as this type. Only one objective is scored, so a mission without a chosen type
    simply counts for it (rules 130, 200)."""
    if not which:
        return True
    if mission.chosen is None or readings.two_types == "both":
        return which in mission.types
    return which == mission.chosen


def _number(of: Counted, seat: Seat, readings: Readings) -> int:
    sort, _, track = of.partition(":")
    n: int = getattr(seat, track or sort)
    raised = readings.offices == "levels" and track in RAISED
    return n + any(technology.raises for technology in seat.technologies) if raised else n
