"""What cannot lie on a finished table of Transgalactica, whatever is printed on it."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from companion.core.positions import quoted
from companion.core.words import Text, plain, say
from companion.games.transgalactica.position_ids import known, unknown
from companion.games.transgalactica.state import NIGHTMARE
from companion.games.transgalactica.things import CREW, LONGEST, OUTPOSTS, TRADE, Mission, Planet, Technology
from scoring.transgalactica import TRACKS

if TYPE_CHECKING:
    from companion.games.transgalactica.position import Seat, Table

OBJECTIVES = 2
"""Secret objectives everybody is dealt (rule 29)."""
LAID_OUT = 3
"""Technologies of each level in one play (rule 18)."""
CENTRE = "central"
PIRATES = 6
HELD = 999
"""The pool counts as without end (rule 6)."""
LOWEST, HIGHEST = -99, 999
"""Points on the track; military may take more than there are (rule 182)."""

MOST: dict[str, int] = {"pirates": PIRATES, "credits": HELD, "senate": CREW}
LEVELS: dict[str, int] = {track: TRADE if track == "trade" else LONGEST for track in TRACKS}

Named = Sequence[tuple[str, "Seat"]]
"""The seats, and how each is called."""


def seat_problems(where: str, seat: Seat, table: Table) -> Iterator[Text]:
    """What is wrong with one seat."""
    yield from _number_problems(where, seat)
    yield from _objective_problems(where, seat)
    yield from _outpost_problems(where, seat, table)
    yield from _technology_problems(where, seat, table)
    yield from _mission_problems(where, seat, table)


def _number_problems(where: str, seat: Seat) -> Iterator[Text]:
    if not LOWEST <= seat.track_vp <= HIGHEST:
        yield _number(where, "track_vp", seat.track_vp, LOWEST, HIGHEST)
    for field, most in MOST.items():
        if not 0 <= (n := getattr(seat, field)) <= most:
            yield _number(where, field, n, 0, most)
    for kind in seat.resources.__struct_fields__:
        if not 0 <= (n := getattr(seat.resources, kind)) <= HELD:
            yield _number(where, f"resources.{kind}", n, 0, HELD)
    for track, most in LEVELS.items():
        if not 0 <= (n := getattr(seat.levels, track)) <= most:
            yield _number(where, f"levels.{track}", n, 0, most)


def _number(where: str, field: str, n: int, least: int, most: int) -> Text:
    return say("transgalactica.position.number", seat=where, field=field, n=n, least=least, most=most)


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
    planets = [planet for planet, _ in map(parted, seat.outposts)]
    if NIGHTMARE in planets:
        yield say("transgalactica.position.nightmare-outpost", seat=where)
    yield from _unknown(where, (planet for planet in planets if planet != NIGHTMARE), "outposts")
    yield from _twice(where, (planet for planet in planets if planet in known("outposts")))
    if len(planets) > OUTPOSTS:
        yield say("transgalactica.position.outposts", seat=where, n=len(planets), most=OUTPOSTS)
    if CENTRE not in planets and all(planet in known("outposts") for planet in planets):
        yield say("transgalactica.position.no-centre", seat=where, id=CENTRE)
    for planet, slot in map(parted, seat.outposts):
        if slot and planet in known("outposts") and place_of(table.box[planet], slot) is None:
            yield say("transgalactica.position.no-slot", seat=where, planet=quoted(planet), slot=quoted(slot))
    wild = sum(_is_wild(table, planet) for planet in set(planets))
    if 0 <= seat.senate <= CREW < seat.senate + wild:
        yield say("transgalactica.position.crew", seat=where, n=seat.senate + wild, most=CREW)


def parted(word: str) -> tuple[str, str]:
    """A thing and the detail behind its colon; nothing if there is none."""
    thing, _, detail = word.partition(":")
    return thing, detail


def place_of(planet: object, slot: str) -> int | None:
    """Which printed place is meant, the first being 0; none if there is no such place."""
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
    """Development markers a trade level brought to the hold (rule 117)."""
    return 2 + (trade + 1) // 2


def _mission_problems(where: str, seat: Seat, table: Table) -> Iterator[Text]:
    missions = [mission for mission, _ in map(parted, seat.missions)]
    yield from _unknown(where, missions, "missions")
    yield from _twice(where, missions)
    for mission, chosen in map(parted, seat.missions):
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
    """What no seat does wrong alone."""
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
    """Cards of which there is one: whoever has it, nobody else does."""
    for field in ("objectives", "missions"):
        owners: dict[str, list[str]] = {}
        for where, seat in seats:
            for id in dict.fromkeys(thing for thing, _ in map(parted, getattr(seat, field))):
                owners.setdefault(id, []).append(where)
        for id, who in owners.items():
            if len(who) > 1 and id in known(field):
                yield say("transgalactica.position.single", id=quoted(id), seats=tuple(map(plain, who)))


def _laid_out(table: Table) -> Iterator[Text]:
    """Three technologies of each level are laid out, and no others are ever marked (rule 18)."""
    laid = table.position.technologies
    yield from _unknown("technologies", laid, "technologies")
    yield from _twice("technologies", laid)
    cards = {*laid, *(id for seat in table.position.seats for id in seat.technologies)}
    levels = Tally(card.level for id in cards if isinstance(card := table.box.by_id.get(id), Technology))
    for level, n in sorted(levels.items()):
        if n > LAID_OUT:
            yield say("transgalactica.position.level", n=n, level=level, most=LAID_OUT)


def _crowded(seats: Named, table: Table) -> Iterator[Text]:
    """Outposts beyond the places of a planet: on action planets, and with the technology for it only (rule 150)."""
    there: dict[str, list[Seat]] = {}
    slots: Tally[str] = Tally()
    for _, seat in seats:
        for id, slot in dict(map(parted, seat.outposts)).items():
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
        if times > 1 and parted(place)[0] in known("outposts"):
            yield say("transgalactica.position.same-slot", slot=quoted(place))


def shares(seat: Seat, table: Table) -> bool:
    """Whether a seat may do without a place on action planets (rule 150)."""
    cards = (table.box.by_id.get(id) for id in seat.technologies)
    return any(isinstance(card, Technology) and card.rule == "full-planets" for card in cards)
