"""What can be set right by hand, and what a table can never look like."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.agenda import Step, Together
from companion.core.game import Counter
from companion.core.words import Text, plain, say
from companion.errors import Unknown
from companion.games.eclipse import things
from companion.games.eclipse.state import EclipseState, Seat, put_ships
from companion.games.eclipse.steps.cubes import ChooseTrack, ReturnCubes
from companion.games.eclipse.steps.explore import PlaceHex, TurnUp
from companion.games.eclipse.steps.research import TRACK_LENGTH
from companion.games.eclipse.things import CATEGORIES, RESOURCES, SHIPS, STORAGE, technologies

CUBES_OF_A_SEAT = 3 * things.CUBES_OF_A_TRACK


def counters(state: EclipseState) -> tuple[Counter, ...]:
    """Every number that can be corrected, once the map is laid out."""
    return tuple(_counters(state)) if state.round else ()


def _counters(state: EclipseState) -> Iterator[Counter]:
    for index, seat in enumerate(state.seats):
        yield from _board(state, index, seat)
    for place, sector in state.map.items():
        for index in range(len(state.seats)):
            fleet = sector.fleet(index)
            for ship in SHIPS:
                here = fleet.ships.get(ship, 0) if fleet else 0
                if here or sector.owner == index:
                    text = say(
                        "eclipse.counter.ships",
                        seat=state.name(index),
                        ship=say(f"eclipse.ship.{ship}"),
                        sector=state.where(place),
                    )
                    most = here + state.ships_left(index, ship)
                    yield Counter(f"ships:{index}:{ship}:{place}", index, text, here, 0, most)
    for id, tech in technologies().items():
        here = state.offered.get(id, 0)
        text = say("eclipse.counter.offered", technology=plain(tech.name))
        yield Counter(f"offered:{id}", None, text, here, 0, here + state.in_bag(id))


def _board(state: EclipseState, index: int, seat: Seat) -> Iterator[Counter]:
    for kind in RESOURCES:
        text = say("eclipse.counter.stock", seat=seat.name, kind=say(f"eclipse.kind.{kind}"))
        yield Counter(f"{kind}:{index}", index, text, seat.stock.of(kind), 0, STORAGE)
    turned = say("eclipse.counter.colonised", seat=seat.name)
    yield Counter(f"colonised:{index}", index, turned, seat.colonised, 0, state.species(index).colony_ships)
    if state.phase == "end":
        return
    most = seat.reputation + state.reputation_left()
    text = say("eclipse.counter.reputation", seat=seat.name)
    yield Counter(f"reputation:{index}", index, text, seat.reputation, 0, most)
    text = say("eclipse.counter.kept", seat=seat.name)
    yield Counter(f"kept:{index}", index, text, seat.kept, 0, seat.kept + state.discoveries_left())


def correct(state: EclipseState, counter: str, value: int) -> EclipseState:
    """The table with one counter set right."""
    what, _, rest = counter.partition(":")
    if what == "offered":
        offered = {**state.offered, rest: value}
        return replace(state, offered={id: n for id, n in offered.items() if n})
    if what == "ships":
        index, word, place = rest.split(":")
        ship = next(s for s in SHIPS if s == word)
        fleet = state.map[place].fleet(int(index))
        here = fleet.ships.get(ship, 0) if fleet else 0
        return put_ships(state, place, int(index), ship, value - here)
    seat = int(rest)
    who = state.seats[seat]
    for kind in RESOURCES:
        if what == kind:
            return state.with_seat(seat, replace(who, stock=who.stock.add(kind, value - who.stock.of(kind))))
    if what == "colonised":
        return state.with_seat(seat, replace(who, colonised=value))
    if what == "reputation":
        return state.with_seat(seat, replace(who, reputation=value))
    if what == "kept":
        return state.with_seat(seat, replace(who, kept=value))
    raise Unknown(say("core.unknown-counter", id=counter))


def check(state: EclipseState) -> tuple[Text, ...]:
    """Everything impossible about a table; empty along legal play."""
    return tuple(_problems(state))


def _problems(state: EclipseState) -> Iterator[Text]:
    for index, seat in enumerate(state.seats):
        if not seat.species:
            continue
        yield from _seat_problems(state, index, seat)
    if state.discoveries_left() < 0 or state.reputation_left() < 0 or state.structures_left() < 0:
        yield say("eclipse.problem.tiles")
    if state.ancients_left() < 0:
        yield say("eclipse.problem.ancients")
    if state.stacks:
        yield from _supply_problems(state)


def _seat_problems(state: EclipseState, index: int, seat: Seat) -> Iterator[Text]:
    cubes = cubes_of(state, index)
    if cubes != CUBES_OF_A_SEAT:
        yield say("eclipse.problem.cubes", seat=seat.name, n=cubes)
    if any(not 0 <= seat.tracks.of(kind) <= things.CUBES_OF_A_TRACK for kind in RESOURCES):
        yield say("eclipse.problem.track", seat=seat.name)
    if state.discs_on_track(index) < 0:
        yield say("eclipse.problem.discs", seat=seat.name)
    if any(state.ships_left(index, ship) < 0 for ship in SHIPS):
        yield say("eclipse.problem.ships", seat=seat.name)
    if any(not 0 <= seat.stock.of(kind) <= STORAGE for kind in RESOURCES):
        yield say("eclipse.problem.stock", seat=seat.name)
    if any(state.in_category(index, category) > TRACK_LENGTH for category in CATEGORIES):
        yield say("eclipse.problem.technologies", seat=seat.name)
    if not state.species(index).track.fits(len(seat.partners), seat.reputation):
        yield say("eclipse.problem.reputation", seat=seat.name)


def _supply_problems(state: EclipseState) -> Iterator[Text]:
    if any(state.in_bag(id) < 0 for id in technologies()):
        yield say("eclipse.problem.technology-tiles")
    lying = {sector.hex for sector in state.map.values()}
    for ring, stack in state.stacks.items():
        full = len(things.sectors_of(ring)) if ring != "outer" else things.OUTER_SECTORS[len(state.seats)]
        placed = sum(things.sectors()[id].ring == ring for id in lying)
        held = sum(things.sectors()[id].ring == ring for id in in_hand(state))
        if stack.left + len(stack.discards) + placed + held != full:
            yield say("eclipse.problem.hexes", ring=say(f"eclipse.ring.{ring}"))


def cubes_of(state: EclipseState, seat: int) -> int:
    """All cubes of a seat: on tracks, in graveyards, on the map, with ambassadors, and on their way back."""
    who = state.seats[seat]
    on_map = sum(sector.population for sector in state.map.values() if sector.owner == seat)
    abroad = sum(seat in other.partners for other in state.seats)
    coming = sum(
        len(step.squares) if isinstance(step, ReturnCubes) else 1
        for step in _agenda(state.agenda)
        if isinstance(step, ReturnCubes | ChooseTrack) and step.seat == seat
    )
    return who.tracks.total + who.graveyard.total + on_map + abroad + coming


def in_hand(state: EclipseState) -> list[str]:
    """Hexes that were turned up and are not placed yet."""
    return [id for s in _agenda(state.agenda) if isinstance(s, TurnUp | PlaceHex) for id in s.drawn]


def _agenda(agenda: tuple[Step, ...]) -> Iterator[Step]:
    """Every step on an agenda, in branches too."""
    for step in agenda:
        if isinstance(step, Together):
            for branch in step.branches:
                yield from _agenda(branch.agenda)
        else:
            yield step
