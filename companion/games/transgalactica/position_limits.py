"""Finished tables of Transgalactica that are impossible whatever the components print."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from companion.core.positions import quoted
from companion.core.table_files import out_of_bounds
from companion.core.words import Text, plain, say
from companion.games.transgalactica.component_types import (
    CREW,
    LONGEST,
    OUTPOSTS,
    TRADE,
    Mission,
    Planet,
    Technology,
)
from companion.games.transgalactica.position_ids import known, unknown
from companion.games.transgalactica.state import NIGHTMARE
from scoring.transgalactica import TRACKS

if TYPE_CHECKING:
    from companion.games.transgalactica.position import Seat, Table

OBJECTIVES = 2
"""Secret objectives dealt to each player (rule 29)."""
LAID_OUT = 3
"""Technologies of each level in one play (rule 18)."""
CENTRE = "central"
PIRATES = 6
HELD = 999
"""An upper limit: the pool counts as unlimited (rule 6)."""
LOWEST, HIGHEST = -99, 999
"""Limits of points on the track; military losses can make them negative (rule 182)."""

LEVELS: dict[str, int] = {track: TRADE if track == "trade" else LONGEST for track in TRACKS}

Named = Sequence[tuple[str, "Seat"]]
"""The seats with their names."""


def seat_problems(where: str, seat: Seat, table: Table) -> Iterator[Text]:
    """What is wrong with one seat."""
    yield from _number_problems(where, seat)
    yield from _objective_problems(where, seat)
    yield from _outpost_problems(where, seat, table)
    yield from _technology_problems(where, seat, table)
    yield from _mission_problems(where, seat, table)


def _number_problems(where: str, seat: Seat) -> Iterator[Text]:
    for of, before, fields in (
        (seat, "", ("track_vp", "pirates", "credits", "senate")),
        (seat.resources, "resources.", ()),
        (seat.levels, "levels.", TRACKS),
    ):
        for wrong in out_of_bounds(of, *fields):
            bounds = {"n": wrong.n, "least": wrong.least, "most": wrong.most}
            yield say("transgalactica.position.number", seat=where, field=f"{before}{wrong.field}", **bounds)


def _twice(where: str, things: Iterable[str]) -> Iterator[Text]:
    for id, times in Tally(things).items():
        if times > 1:
            yield say("transgalactica.position.twice", seat=where, id=quoted(id))


def _objective_problems(where: str, seat: Seat) -> Iterator[Text]:
    yield from _unknown(where, seat.objectives, "objectives")
    yield from _twice(where, seat.objectives)
    if len(seat.objectives) != OBJECTIVES:
        n = len(seat.objectives)
        yield say("transgalactica.position.objectives", seat=where, n=n, wanted=OBJECTIVES)


def _unknown(where: str, things: Iterable[str], field: str) -> Iterator[Text]:
    yield from (unknown(where, id, field) for id in dict.fromkeys(things) if id not in known(field))


def _outpost_problems(where: str, seat: Seat, table: Table) -> Iterator[Text]:
    planets = [planet for planet, _ in map(split_id, seat.outposts)]
    if NIGHTMARE in planets:
        yield say("transgalactica.position.nightmare-outpost", seat=where)
    yield from _unknown(where, (planet for planet in planets if planet != NIGHTMARE), "outposts")
    yield from _twice(where, (planet for planet in planets if planet in known("outposts")))
    if len(planets) > OUTPOSTS:
        yield say("transgalactica.position.outposts", seat=where, n=len(planets), most=OUTPOSTS)
    if CENTRE not in planets and all(planet in known("outposts") for planet in planets):
        yield say("transgalactica.position.no-centre", seat=where, id=CENTRE)
    for planet, slot in map(split_id, seat.outposts):
        if slot and planet in known("outposts") and place_of(table.box[planet], slot) is None:
            yield say("transgalactica.position.no-slot", seat=where, planet=quoted(planet), slot=quoted(slot))
    wild = sum(_is_wild(table, planet) for planet in set(planets))
    if 0 <= seat.senate <= CREW < seat.senate + wild:
        yield say("transgalactica.position.crew", seat=where, n=seat.senate + wild, most=CREW)


def split_id(word: str) -> tuple[str, str]:
    """A component and the detail after its colon, which may be empty."""
    thing, _, detail = word.partition(":")
    return thing, detail


def place_of(planet: object, slot: str) -> int | None:
    """The index of a printed place, counted from 0; None if there is no such place."""
    assert isinstance(planet, Planet)
    n = int(slot) if slot.isascii() and slot.isdecimal() and len(slot) < 3 else 0
    return n - 1 if 1 <= n <= planet.room else None


def _is_wild(table: Table, planet: str) -> bool:
    found = table.box.by_id.get(planet)
    return isinstance(found, Planet) and found.type == "wild"


def _technology_problems(where: str, seat: Seat, table: Table) -> Iterator[Text]:
    yield from _unknown(where, seat.technologies, "technologies")
    yield from _twice(where, seat.technologies)
    marked, trade = set(seat.technologies) & {*known("technologies")}, seat.levels.trade
    if 0 <= trade <= TRADE and len(marked) > markers(trade):
        n = len(marked)
        yield say("transgalactica.position.markers", seat=where, n=n, trade=trade, most=markers(trade))
    laid = table.position.technologies
    for id in sorted(marked - {*laid}) if laid else ():
        yield say("transgalactica.position.not-laid-out", seat=where, id=quoted(id))


def markers(trade: int) -> int:
    """Development markers in the hold at a trade level (rule 117)."""
    return 2 + (trade + 1) // 2


def _mission_problems(where: str, seat: Seat, table: Table) -> Iterator[Text]:
    missions = [mission for mission, _ in map(split_id, seat.missions)]
    yield from _unknown(where, missions, "missions")
    yield from _twice(where, missions)
    for mission, chosen in map(split_id, seat.missions):
        card = table.box.by_id.get(mission)
        if chosen and isinstance(card, Mission) and chosen not in card.types:
            types = tuple(say(f"transgalactica.types.{type}") for type in card.types)
            yield say(
                "transgalactica.position.no-type",
                seat=where,
                mission=quoted(mission),
                type=quoted(chosen),
                types=types,
            )


# The table as a whole


def shared_problems(seats: Named, table: Table) -> Iterator[Text]:
    """Problems between seats."""
    yield from _single(seats)
    yield from _laid_out(table)
    yield from _crowded(seats, table)
    pirates = sum(max(0, seat.pirates) for _, seat in seats)
    if pirates > len(seats) + 1 and all(seat.pirates <= PIRATES for _, seat in seats):
        yield say("transgalactica.position.pirates", n=pirates, players=len(seats), most=len(seats) + 1)
    dreaming = tuple(plain(where) for where, seat in seats if seat.nightmare)
    if len(dreaming) > 1:
        yield say("transgalactica.position.nightmares", seats=dreaming)


def _single(seats: Named) -> Iterator[Text]:
    """Cards that exist once can only belong to one seat."""
    for field in ("objectives", "missions"):
        owners: dict[str, list[str]] = {}
        for where, seat in seats:
            for id in dict.fromkeys(thing for thing, _ in map(split_id, getattr(seat, field))):
                owners.setdefault(id, []).append(where)
        for id, who in owners.items():
            if len(who) > 1 and id in known(field):
                yield say("transgalactica.position.single", id=quoted(id), seats=tuple(map(plain, who)))


def _laid_out(table: Table) -> Iterator[Text]:
    """Three technologies of each level are laid out; no others can be marked (rule 18)."""
    laid = table.position.technologies
    yield from _unknown("technologies", laid, "technologies")
    yield from _twice("technologies", laid)
    cards = {*laid, *(id for seat in table.position.seats for id in seat.technologies)}
    levels = Tally(card.level for id in cards if isinstance(card := table.box.by_id.get(id), Technology))
    for level, n in sorted(levels.items()):
        if n > LAID_OUT:
            yield say("transgalactica.position.level", n=n, level=level, most=LAID_OUT)


def _crowded(seats: Named, table: Table) -> Iterator[Text]:
    """Outposts beyond the places of a planet; only a technology allows them, on action planets (rule 150)."""
    there: dict[str, list[Seat]] = {}
    slots: Tally[str] = Tally()
    for _, seat in seats:
        for id, slot in dict(map(split_id, seat.outposts)).items():
            there.setdefault(id, []).append(seat)
            slots[f"{id}:{slot}"] += bool(slot)
    for id, owners in there.items():
        planet = table.box.by_id.get(id)
        if not isinstance(planet, Planet) or not planet.places or id in (CENTRE, NIGHTMARE):
            continue
        allowed = planet.type == "action"
        extra = sum(allowed and shares(seat, table) for seat in owners)
        if len(owners) > planet.places + extra:
            yield say("transgalactica.position.crowded", planet=quoted(id), n=len(owners), most=planet.places)
    for place, times in slots.items():
        if times > 1 and split_id(place)[0] in known("outposts"):
            yield say("transgalactica.position.same-slot", slot=quoted(place))


def shares(seat: Seat, table: Table) -> bool:
    """Whether a seat may place outposts on action planets that are full (rule 150)."""
    cards = (table.box.by_id.get(id) for id in seat.technologies)
    return any(isinstance(card, Technology) and card.rule == "full-planets" for card in cards)
