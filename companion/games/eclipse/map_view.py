"""The public map: what lies in each sector, in signs and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from companion.core.faces import Face, Sign
from companion.core.hexes import middle
from companion.core.views import FreePlace, MapView, PlaceView, TokenView
from companion.core.words import Text, count, say
from companion.games.eclipse.component_types import RESOURCES, SHIPS, Ring, SectorHex
from companion.games.eclipse.faces import face, number_of
from companion.games.eclipse.geometry import around, coordinates, direction_to, mouths, ring_of
from companion.games.eclipse.signs import square_spots
from companion.games.eclipse.state import EclipseState, Sector

LYING = ("gcds", "discovery", "orbital", "monolith")
STACKS: dict[Ring, str] = {"centre": "", "inner": "I", "middle": "II", "outer": "III", "home": ""}


def galaxy(state: EclipseState) -> MapView:
    """Every sector on the map, and the places where more can be added."""
    return MapView(
        "galaxy",
        say("eclipse.map"),
        tuple(place_view(state, place) for place in state.map),
        tuple(free_places(state)),
        legend=tuple(legend()),
    )


_LAST: dict[str, tuple[tuple[object, ...], PlaceView]] = {}
"""The last view of each place, with everything it depends on: an answer changes only a few of the thirty."""


def place_view(state: EclipseState, place: str) -> PlaceView:
    """A sector on the map, rotated."""
    names = tuple(seat.name for seat in state.seats)
    depends = (state.map[place], *(state.map.get(near) for near in around(place)), names, state.taught)
    known = _LAST.get(place)
    if known is None or known[0] != depends:
        known = _LAST[place] = (depends, _place_view(state, place))
    return known[1]


def _place_view(state: EclipseState, place: str) -> PlaceView:
    sector = state.map[place]
    x, y = middle(*coordinates(place))
    open_sides = set(mouths(sector.facts, sector.rotation))
    return PlaceView(
        id=place,
        x=x,
        y=y,
        component=sector.hex,
        name=state.where(place),
        label=number_of(sector.facts),
        seat=sector.owner,
        edges=tuple(direction in open_sides for direction in range(6)),
        tokens=tuple(_tokens(sector)),
        spots=tuple(square_spots(sector.squares)),
        corners=face(sector.facts).corners,
        notes=tuple(facts(state, place)),
    )


def free_places(state: EclipseState) -> Iterator[FreePlace]:
    """Where a sector can be added, next to those on the map; each names its stack."""
    near = dict.fromkeys(place for lying in state.map for place in around(lying))
    return (
        FreePlace(place, *middle(*coordinates(place)), STACKS[ring_of(place)])
        for place in near
        if place not in state.map
    )


def _tokens(sector: Sector) -> Iterator[TokenView]:
    for fleet in sector.fleets:
        for ship, n in fleet.ships.items():
            yield TokenView(Sign(ship), n, fleet.seat)
    if sector.ancients:
        yield TokenView(Sign("ancient"), sector.ancients)
    for name in LYING:
        if getattr(sector, name):
            yield TokenView(Sign(name))


def turned_face(hex: SectorHex, rotation: int) -> Face:
    """The face of a hex with this rotation."""
    open_sides = set(mouths(hex, rotation))
    return replace(face(hex), edges=tuple(direction in open_sides for direction in range(6)))


def spots(squares: Iterable[str]) -> tuple[Text, ...]:
    """Population squares in words, equal ones together."""
    named = [(say(f"eclipse.spot.{s.replace('*', '-advanced')}"), n) for s, n in Counter(squares).items()]
    return tuple(say("eclipse.spots", n=n, spot=spot) if n > 1 else spot for spot, n in named)


def legend() -> Iterator[Sign]:
    """The signs to explain in the legend."""
    yield from map(Sign, (*SHIPS, "ancient", *LYING, "points", "artifact"))
    yield from (Sign(kind, tint=kind) for kind in (*RESOURCES, "gray"))


def badges(state: EclipseState, place: str) -> Iterator[Text]:
    """Everything on a sector except its disc."""
    sector = state.map[place]
    if sector.population:
        yield count("eclipse.badge.cubes", sector.population)
    yield from _pieces(state, sector)


def _pieces(state: EclipseState, sector: Sector) -> Iterator[Text]:
    for fleet in sector.fleets:
        ships = tuple(
            say("eclipse.badge.ships", n=n, ship=say(f"eclipse.ship.{ship}"))
            for ship, n in fleet.ships.items()
        )
        yield say("eclipse.badge.fleet", seat=state.name(fleet.seat), ships=ships)
    if sector.ancients:
        yield count("eclipse.badge.ancients", sector.ancients)
    for name in LYING:
        if getattr(sector, name):
            yield say(f"eclipse.badge.{name}")


def facts(state: EclipseState, place: str) -> Iterator[Text]:
    """Everything about a sector: its pieces, its population squares, where its wormholes lead."""
    sector = state.map[place]
    yield from _pieces(state, sector)
    for key, wanted in (("cubes-on", True), ("free-squares", False)):
        squares = [square for square, taken in sector.squares if taken == wanted]
        if squares:
            yield say(f"eclipse.fact.{key}", squares=spots(squares))
    if sector.facts.artifact:
        yield say("eclipse.hex.artifact")
    yield count("eclipse.fact.points", sector.facts.points)
    joined = tuple(state.where(n) for n in around(place) if n in state.map and state.connected(place, n))
    if joined:
        yield say("eclipse.fact.joined", sectors=joined)
    open_sides = set(mouths(sector.facts, sector.rotation))
    unknown = tuple(
        say(f"eclipse.way.{direction_to(place, n)}")
        for n in around(place)
        if n not in state.map and direction_to(place, n) in open_sides
    )
    if unknown:
        yield say("eclipse.fact.unexplored", ways=unknown)
