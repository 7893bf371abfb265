"""The map as everybody sees it: what lies in each sector, in signs and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from companion.core.views import FreePlace, PlaceView, SpotView, TokenView
from companion.core.words import Text, count, say
from companion.games.eclipse.geometry import around, coordinates, direction_to, mouths
from companion.games.eclipse.state import EclipseState, Sector
from companion.games.eclipse.things import RESOURCES, SHIPS

COLOURS = {
    "money": "#F0A03C",
    "science": "#F29AC0",
    "materials": "#C79A6B",
    "gray": "#C9D0DA",
    "orbital": "#8FB7E8",
}
LYING = ("gcds", "discovery", "orbital", "monolith")


def place_view(state: EclipseState, place: str) -> PlaceView:
    """A sector as it lies there, turned."""
    sector = state.map[place]
    q, r = coordinates(place)
    open_sides = set(mouths(sector.facts, sector.rotation))
    return PlaceView(
        id=place,
        q=q,
        r=r,
        component=sector.hex,
        name=sector.facts.name,
        label=sector.facts.name.split()[0] if sector.facts.name[0].isdigit() else "",
        seat=sector.owner,
        edges=tuple(direction in open_sides for direction in range(6)),
        tokens=tuple(_tokens(sector)),
        spots=tuple(_spots(sector)),
        notes=tuple(facts(state, place)),
    )


def free_places(state: EclipseState) -> Iterator[FreePlace]:
    """Where a sector can be put down: round those that lie there."""
    near = dict.fromkeys(place for lying in state.map for place in around(lying))
    return (FreePlace(place, *coordinates(place)) for place in near if place not in state.map)


def _tokens(sector: Sector) -> Iterator[TokenView]:
    for fleet in sector.fleets:
        for ship, n in fleet.ships.items():
            yield TokenView(say(f"eclipse.map.{ship}"), n, fleet.seat)
    if sector.ancients:
        yield TokenView(say("eclipse.map.ancient"), sector.ancients)
    for name in LYING:
        if getattr(sector, name):
            yield TokenView(say(f"eclipse.map.{name}"))


def _spots(sector: Sector) -> Iterator[SpotView]:
    for square, taken in sector.squares:
        kind = square.removesuffix("*")
        yield SpotView(say(f"eclipse.map.{kind}"), COLOURS[kind], taken, square.endswith("*"))


def spots(squares: Iterable[str]) -> tuple[Text, ...]:
    """Population squares in words, alike ones together."""
    named = [(say(f"eclipse.spot.{s.replace('*', '-advanced')}"), n) for s, n in Counter(squares).items()]
    return tuple(say("eclipse.spots", n=n, spot=spot) if n > 1 else spot for spot, n in named)


def legend() -> Iterator[Text]:
    """What the signs stand for."""
    for name in (*SHIPS, "ancient", *LYING):
        yield say("eclipse.legend", sign=say(f"eclipse.map.{name}"), what=say(f"eclipse.legend.{name}"))
    for kind in (*RESOURCES, "gray"):
        yield say("eclipse.legend-square", sign=say(f"eclipse.map.{kind}"), what=say(f"eclipse.spot.{kind}"))
    yield say("eclipse.legend.squares")


def badges(state: EclipseState, place: str) -> Iterator[Text]:
    """What lies on a sector besides its disc."""
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
    """Everything about a sector: what lies there, its population squares, where its wormholes lead."""
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
