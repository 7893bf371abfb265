"""What can be set right by hand, and what a table can never look like."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from companion.core.agenda import Step, Together
from companion.core.game import Counter
from companion.core.words import Text, plain, say
from companion.errors import Unknown
from companion.games.eclipse import things
from companion.games.eclipse.state import EclipseState, Seat, Sector, kinds_for, put_ships
from companion.games.eclipse.steps.cubes import ChooseTrack, ReturnCubes, places, put_cube, take_cube
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
        yield from _technologies(state, index, seat)
    for place, sector in state.map.items():
        for index in range(len(state.seats)):
            yield from _ships(state, place, sector, index)
            yield from _disc(state, place, sector, index)
        yield from _cubes(state, place, sector)
    for id, tech in technologies().items():
        here = state.offered.get(id, 0)
        text = say("eclipse.counter.offered", technology=plain(tech.name))
        yield Counter(f"offered:{id}", None, text, here, 0, here + state.in_bag(id))


def _technologies(state: EclipseState, index: int, seat: Seat) -> Iterator[Counter]:
    """Tiles on a seat's tracks; what is printed on its board stays."""
    for id, tech in technologies().items():
        here = state.has(index, id)
        if id not in state.species(index).technologies and (here or state.in_bag(id) > 0):
            text = say("eclipse.counter.technology", seat=seat.name, technology=plain(tech.name))
            yield Counter(f"technology:{index}:{id}", index, text, int(here), 0, 1)


def _ships(state: EclipseState, place: str, sector: Sector, index: int) -> Iterator[Counter]:
    fleet = sector.fleet(index)
    for ship in SHIPS:
        here = fleet.ships.get(ship, 0) if fleet else 0
        if here or sector.owner == index:
            what = say(f"eclipse.ship.{ship}")
            text = say("eclipse.counter.ships", seat=state.name(index), ship=what, sector=state.where(place))
            most = here + state.ships_left(index, ship)
            yield Counter(f"ships:{index}:{ship}:{place}", index, text, here, 0, most)


def _disc(state: EclipseState, place: str, sector: Sector, index: int) -> Iterator[Counter]:
    """A disc on a sector that is nobody's, or off one without cubes."""
    if not sector.population and sector.owner in (None, index):
        text = say("eclipse.counter.disc", seat=state.name(index), sector=state.where(place))
        yield Counter(f"disc:{index}:{place}", index, text, int(sector.owner == index), 0, 1)


def _cubes(state: EclipseState, place: str, sector: Sector) -> Iterator[Counter]:
    if sector.owner is None:
        return
    for n, (square, taken) in enumerate(sector.squares):
        what = say(f"eclipse.square.{square.replace('*', '-advanced')}")
        text = say(
            "eclipse.counter.cube", seat=state.name(sector.owner), square=what, sector=state.where(place)
        )
        yield Counter(f"cube:{place}:{n}", sector.owner, text, int(taken), 0, 1)


def _board(state: EclipseState, index: int, seat: Seat) -> Iterator[Counter]:
    for kind in RESOURCES:
        text = say("eclipse.counter.stock", seat=seat.name, kind=say(f"eclipse.kind.{kind}"))
        yield Counter(f"{kind}:{index}", index, text, seat.stock.of(kind), 0, STORAGE)
    turned = say("eclipse.counter.colonised", seat=seat.name)
    yield Counter(f"colonised:{index}", index, turned, seat.colonised, 0, state.species(index).colony_ships)
    if state.phase == "end":
        return
    if len(state.seats) >= things.DIPLOMACY_FROM:
        text = say("eclipse.counter.traitor", seat=seat.name)
        yield Counter(f"traitor:{index}", index, text, int(state.traitor == index), 0, 1)
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
    if what == "cube":
        place, _, square = rest.rpartition(":")
        return _correct_cube(state, place, int(square), bool(value))
    index, _, rest = rest.partition(":")
    seat = int(index)
    if what == "ships":
        word, place = rest.split(":")
        ship = next(s for s in SHIPS if s == word)
        fleet = state.map[place].fleet(seat)
        here = fleet.ships.get(ship, 0) if fleet else 0
        return put_ships(state, place, seat, ship, value - here)
    if what == "disc":
        return state.with_sector(rest, replace(state.map[rest], owner=seat if value else None))
    if what == "technology":
        return _correct_technology(state, seat, rest, bool(value))
    if what == "traitor":
        return replace(state, traitor=seat if value else None if state.traitor == seat else state.traitor)
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


def _correct_cube(state: EclipseState, place: str, square: int, there: bool) -> EclipseState:
    """A cube on a square or off it, from or to a track that can give or take it."""
    sector = state.map[place]
    if sector.owner is None or sector.cubes[square] == there:
        return state
    cubes = tuple(there if n == square else taken for n, taken in enumerate(sector.cubes))
    kind = sector.squares[square][0]
    if there:
        giving = [k for k in kinds_for(kind) if state.seats[sector.owner].tracks.of(k)]
        kinds = giving or list(kinds_for(kind))
        state = take_cube(state, sector.owner, kinds[0])
    else:
        state = put_cube(state, sector.owner, places(state, sector.owner, kind)[0], "tracks")
    return state.with_sector(place, replace(sector, cubes=cubes))


def _correct_technology(state: EclipseState, seat: int, id: str, there: bool) -> EclipseState:
    """A tile from the bag onto a track, or back, with the discs it brings."""
    who = state.seats[seat]
    if (id in who.technologies) == there:
        return state
    owned = (*who.technologies, id) if there else tuple(t for t in who.technologies if t != id)
    discs = technologies()[id].discs if there else -technologies()[id].discs
    return state.with_seat(seat, replace(who, technologies=owned, discs=who.discs + discs))


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
    elif any(_lies(state, tile) > state.used.get(tile.id, 0) for tile in things.discoveries().values()):
        yield say("eclipse.problem.tiles")
    elif any(n > things.discoveries()[id].copies for id, n in state.used.items()):
        yield say("eclipse.problem.tiles")
    if state.ancients_left() < 0:
        yield say("eclipse.problem.ancients")
    if state.stacks:
        yield from _supply_problems(state)


def _lies(state: EclipseState, tile: things.Discovery) -> int:
    """How often the part of a discovery lies on blueprints or beside a board."""
    boards = [(*seat.spare, *chain(*seat.upgrades.values())) for seat in state.seats]
    return sum(board.count(tile.part) for board in boards if tile.part is not None)


def _seat_problems(state: EclipseState, index: int, seat: Seat) -> Iterator[Text]:
    cubes = cubes_of(state, index)
    if cubes != CUBES_OF_A_SEAT:
        yield say("eclipse.problem.cubes", seat=seat.name, n=cubes)
    if any(not 0 <= seat.tracks.of(kind) <= things.CUBES_OF_A_TRACK for kind in RESOURCES):
        yield say("eclipse.problem.track", seat=seat.name)
    board = state.species(index)
    brought = sum(technologies()[id].discs for id in seat.technologies if id not in board.technologies)
    if state.discs_on_track(index) < 0 or seat.discs != board.discs + brought:
        yield say("eclipse.problem.discs", seat=seat.name)
    fleets = [sector.fleet(index) for sector in state.map.values()]
    ghosts = any(n < 1 for fleet in fleets if fleet for n in fleet.ships.values())
    if ghosts or any(state.ships_left(index, ship) < 0 for ship in SHIPS):
        yield say("eclipse.problem.ships", seat=seat.name)
    if any(not 0 <= seat.stock.of(kind) <= STORAGE for kind in RESOURCES):
        yield say("eclipse.problem.stock", seat=seat.name)
    if any(state.in_category(index, category) > TRACK_LENGTH for category in CATEGORIES):
        yield say("eclipse.problem.technologies", seat=seat.name)
    if not 0 <= seat.colonised <= board.colony_ships:
        yield say("eclipse.problem.colony-ships", seat=seat.name)
    if not board.track.fits(len(seat.partners), seat.reputation):
        yield say("eclipse.problem.reputation", seat=seat.name)


def _supply_problems(state: EclipseState) -> Iterator[Text]:
    if any(state.in_bag(id) < 0 for id in technologies()):
        yield say("eclipse.problem.technology-tiles")
    lying = [sector.hex for sector in state.map.values()]
    for ring, stack in state.stacks.items():
        full = len(things.sectors_of(ring)) if ring != "outer" else things.OUTER_SECTORS[len(state.seats)]
        placed = sum(things.sectors()[id].ring == ring for id in lying)
        held = sum(things.sectors()[id].ring == ring for id in in_hand(state))
        seen = {*lying, *in_hand(state), *stack.discards}
        if stack.left + len(stack.discards) + placed + held != full or seen & set(stack.unseen):
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
