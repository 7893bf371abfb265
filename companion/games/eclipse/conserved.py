"""Checks for impossible tables: cubes, discs, ships, tiles and hexes are conserved."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from companion.core.agenda import Step, Together
from companion.core.words import Text, say
from companion.games.eclipse import component_types
from companion.games.eclipse.component_types import CATEGORIES, RESOURCES, SHIPS, technologies
from companion.games.eclipse.state import EclipseState, Seat
from companion.games.eclipse.steps.cubes import ChooseTrack, ReturnCubes
from companion.games.eclipse.steps.explore import PlaceHex, TurnUp
from companion.games.eclipse.steps.research import TRACK_LENGTH

CUBES_OF_A_SEAT = 3 * component_types.CUBES_OF_A_TRACK


def check(state: EclipseState) -> tuple[Text, ...]:
    """Everything impossible about a table; legal play never leads to any of it."""
    return tuple(_problems(state))


def _problems(state: EclipseState) -> Iterator[Text]:
    for index, seat in enumerate(state.seats):
        if not seat.species:
            continue
        yield from _seat_problems(state, index, seat)
    if state.discoveries_left() < 0 or state.reputation_left() < 0 or state.structures_left() < 0:
        yield say("eclipse.problem.tiles")
    elif any(
        lies(state, tile) > state.used.get(tile.id, 0) for tile in component_types.discoveries().values()
    ):
        yield say("eclipse.problem.tiles")
    elif any(n > component_types.discoveries()[id].copies for id, n in state.used.items()):
        yield say("eclipse.problem.tiles")
    if state.ancients_left() < 0:
        yield say("eclipse.problem.ancients")
    if state.stacks:
        yield from _supply_problems(state)


def lies(state: EclipseState, tile: component_types.Discovery) -> int:
    """How many copies of a discovery's part lie on blueprints or beside a board."""
    boards = [(*seat.spare, *chain(*seat.upgrades.values())) for seat in state.seats]
    return sum(board.count(tile.part) for board in boards if tile.part is not None)


def _seat_problems(state: EclipseState, index: int, seat: Seat) -> Iterator[Text]:
    cubes = cubes_of(state, index)
    if cubes != CUBES_OF_A_SEAT:
        yield say("eclipse.problem.cubes", seat=seat.name, n=cubes)
    if any(not 0 <= seat.tracks.of(kind) <= state.track_room for kind in RESOURCES):
        yield say("eclipse.problem.track", seat=seat.name)
    board = state.species(index)
    brought = sum(technologies()[id].discs for id in seat.technologies if id not in board.technologies)
    if state.discs_on_track(index) < 0 or seat.discs != board.discs + brought:
        yield say("eclipse.problem.discs", seat=seat.name)
    fleets = [sector.fleet(index) for sector in state.map.values()]
    ghosts = any(n < 1 for fleet in fleets if fleet for n in fleet.ships.values())
    if ghosts or any(state.ships_left(index, ship) < 0 for ship in SHIPS):
        yield say("eclipse.problem.ships", seat=seat.name)
    if any(not 0 <= seat.stock.of(kind) <= state.storage for kind in RESOURCES):
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
        outer = component_types.OUTER_SECTORS[len(state.seats)]
        full = outer if ring == "outer" else len(component_types.sectors_of(ring))
        placed = sum(component_types.sectors()[id].ring == ring for id in lying)
        held = sum(component_types.sectors()[id].ring == ring for id in in_hand(state))
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
    """Hexes that were turned up and not yet placed."""
    return [id for s in _agenda(state.agenda) if isinstance(s, TurnUp | PlaceHex) for id in s.drawn]


def _agenda(agenda: tuple[Step, ...]) -> Iterator[Step]:
    """Every step on an agenda, including those in branches."""
    for step in agenda:
        if isinstance(step, Together):
            for branch in step.branches:
                yield from _agenda(branch.agenda)
        else:
            yield step
