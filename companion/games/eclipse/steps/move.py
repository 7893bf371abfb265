"""Move (p. 14): ships move through wormholes, as far as their drives reach; each enemy ship pins one ship."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from companion.core.agenda import Ask
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, count, plain, say
from companion.games.eclipse.component_types import SHIPS, SectorHex, Ship, sectors
from companion.games.eclipse.species import design
from companion.games.eclipse.state import EclipseState, put_ships, tell_deed
from companion.games.eclipse.steps.diplomacy import attack
from companion.games.eclipse.steps.free import InTurn

DONE = "done"


def may_leave(state: EclipseState, seat: int, place: str, ships: int) -> bool:
    """Whether one of `ships` ships may leave: one ship stays for each enemy ship, and the GCDS pins all."""
    return not state.map[place].gcds and ships - 1 >= state.enemies(place, seat)


def routes(state: EclipseState, seat: int, ship: Ship, start: str) -> dict[str, tuple[str, ...]]:
    """Every sector a ship can reach with one move, with the path that attacks the fewest partners.

    Paths of the same length are found in map order, so the same table always offers the same path.
    """
    movement = design(state, seat, ship).movement
    if not movement or not may_leave(state, seat, start, state.map[start].ships(seat)):
        return {}
    best: dict[str, tuple[int, tuple[str, ...]]] = {start: (0, (start,))}
    queue: deque[tuple[str, tuple[str, ...], int]] = deque([(start, (start,), 0)])
    while queue:
        here, way, broken = queue.popleft()
        if len(way) > movement or (here != start and not _passes(state, seat, here)):
            continue
        for there in state.reach(here, seat):
            if there in way:
                continue
            cost = broken + sum(
                partner in state.seats[seat].partners for partner in hosts(state, seat, there)
            )
            if there not in best or cost < best[there][0]:
                best[there] = (cost, (*way, there))
                queue.append((there, (*way, there), cost))
    return {place: way for place, (_, way) in best.items() if place != start}


def _passes(state: EclipseState, seat: int, place: str) -> bool:
    """Whether a ship that arrives here may go on: ships already here count as the pinned ones."""
    return may_leave(state, seat, place, state.map[place].ships(seat) + 1)


def stuck(state: EclipseState, seat: int) -> Iterator[Text]:
    """Sectors this seat's ships cannot leave, and why."""
    for place, sector in state.map.items():
        fleet = sector.fleet(seat)
        if fleet is None or not any(design(state, seat, ship).movement for ship in fleet.ships):
            continue
        if not may_leave(state, seat, place, fleet.size):
            yield say("eclipse.why.pinned", sector=state.where(place))
        elif not any(state.reach(place, seat)):
            yield say("eclipse.why.no-way-out", sector=state.where(place))


def why_out_of_reach(state: EclipseState, seat: int, ship: Ship, start: str, goal: SectorHex) -> Text:
    """Why a ship cannot reach a sector: it is too far, ships block every path, or no wormhole leads there."""
    far = {start: 0}
    free = {start: 0}
    for found, barred in ((far, False), (free, True)):
        queue = deque([start])
        while queue:
            here = queue.popleft()
            if barred and here != start and not _passes(state, seat, here):
                continue
            for there in state.reach(here, seat):
                if there not in found:
                    found[there] = found[here] + 1
                    queue.append(there)
    place = next((place for place, sector in state.map.items() if sector.hex == goal.id), "")
    if place == start:
        return say("eclipse.why.is-there", sector=state.called(goal.id))
    if place in free:
        reach = design(state, seat, ship).movement
        return count("eclipse.why.too-far", free[place], sector=state.called(goal.id), reach=reach)
    return say(
        "eclipse.why.barred" if place in far else "eclipse.why.no-wormhole", sector=state.called(goal.id)
    )


def hosts(state: EclipseState, seat: int, place: str) -> list[int]:
    """The seats attacked by a ship that enters: all with a disc or ships there (p. 11)."""
    sector = state.map[place]
    there = {fleet.seat for fleet in sector.fleets} | {sector.owner}
    return sorted(other for other in there if other is not None and other != seat)


def movable(state: EclipseState, seat: int) -> Iterator[tuple[Ship, str]]:
    """Every ship type and sector from which a ship can move."""
    for place, sector in state.map.items():
        fleet = sector.fleet(seat)
        if fleet is None or not may_leave(state, seat, place, fleet.size):
            continue
        for ship in SHIPS:
            if fleet.ships.get(ship) and design(state, seat, ship).movement and any(state.reach(place, seat)):
                yield ship, place


class Move(InTurn, Struct, frozen=True, tag="move"):
    """Which ship moves? `left` is how many moves are left; the same ship may move again."""

    seat: int
    left: int
    slug: ClassVar[str] = "eclipse.move"

    def choices(self, state: EclipseState) -> Question:
        text = count("eclipse.ask.move", self.left)
        options = [
            Option(
                f"{ship}:{place}",
                say("eclipse.option.ship-at", ship=say(f"eclipse.ship.{ship}"), sector=state.where(place)),
                state.map[place].hex,
                say("eclipse.reaches", n=design(state, self.seat, ship).movement),
                place,
                signs=(Sign(ship), Sign("drive", str(design(state, self.seat, ship).movement))),
            )
            for ship, place in movable(state, self.seat)
        ]
        done = Option(DONE, say("eclipse.option.done"))
        notes = tuple(stuck(state, self.seat))
        return Question(self.slug, self.seat, text, (*options, done), has_default=False, notes=notes)

    def choose(self, state: EclipseState, option: str) -> EclipseState:
        if option == DONE:
            return state
        ship, place = option.split(":")
        return state.push(MoveTo(self.seat, _ship(ship), place, self.left))

    def why_not(self, state: EclipseState, component: str) -> Text:
        hex = sectors().get(component)
        if hex is None:
            return say("eclipse.why.not-a-hex")
        return say("eclipse.why.no-ship-to-move", sector=state.called(component))


class MoveTo(Ask, Struct, frozen=True, tag="move-to"):
    """Where to? The option names the whole path."""

    seat: int
    ship: Ship
    start: str
    left: int
    slug: ClassVar[str] = "eclipse.move-to"

    def ask(self, state: EclipseState) -> Question:
        text = say("eclipse.ask.move-to", ship=say(f"eclipse.ship.{self.ship}"))
        options = tuple(
            Option(
                ">".join(way), state.where(place), state.map[place].hex, _way(state, self.seat, way), place
            )
            for place, way in routes(state, self.seat, self.ship, self.start).items()
        )
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        if self.left > 1:
            state = state.push(Move(self.seat, self.left - 1))
        return go(state, self.seat, self.ship, tuple(option.split(">")))

    def is_obsolete(self, state: EclipseState) -> bool:
        fleet = state.map[self.start].fleet(self.seat)
        gone = fleet is None or not fleet.ships.get(self.ship)
        return gone or not routes(state, self.seat, self.ship, self.start)

    def why_not(self, state: EclipseState, component: str) -> Text:
        hex = sectors().get(component)
        if hex is None:
            return say("eclipse.why.not-a-hex")
        return why_out_of_reach(state, self.seat, self.ship, self.start, hex)


def _way(state: EclipseState, seat: int, way: tuple[str, ...]) -> Text:
    """The sectors on a path, and the seats it attacks."""
    attacked = dict.fromkeys(other for place in way[1:] for other in hosts(state, seat, place))
    betrayed = [other for other in attacked if other in state.seats[seat].partners]
    steps = tuple(state.where(place) for place in way)
    if betrayed:
        names = tuple(plain(state.name(other)) for other in betrayed)
        return say("eclipse.way-betrays", way=steps, seats=names)
    return say("eclipse.way-of", way=steps)


def go(state: EclipseState, seat: int, ship: Ship, way: tuple[str, ...]) -> EclipseState:
    """The table after a ship moved along this path; entering a partner's sector is an attack."""
    for place in way[1:]:
        for other in hosts(state, seat, place):
            state = attack(state, seat, other)
    state = put_ships(put_ships(state, way[0], seat, ship, -1), way[-1], seat, ship)
    steps = tuple(state.where(place) for place in way)
    return tell_deed(state, seat, say("eclipse.moves", ship=say(f"eclipse.ship.{ship}"), way=steps))


def _ship(word: str) -> Ship:
    return next(ship for ship in SHIPS if ship == word)
