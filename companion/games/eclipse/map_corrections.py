"""Counters of the map that can be corrected: where a hex lies, its rotation, and everything on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core.counters import Correctable, choice
from companion.core.words import Text, say
from companion.errors import NotNow
from companion.games.eclipse.component_types import SHIPS, sectors
from companion.games.eclipse.geometry import CENTRE_PLACE, around, coordinates, direction_to, ring_of
from companion.games.eclipse.state import EclipseState, Sector, kinds_for, put_ships
from companion.games.eclipse.steps.cubes import places, put_cube, take_cube
from companion.games.eclipse.steps.explore import PlaceHex, TurnUp, fresh_sector

NOWHERE = 0
EDGE = 50
"""Larger than the distance of any place from the centre."""


def number_of(place: str) -> int:
    """The stable number of a place, as stored in journals."""
    q, r = coordinates(place)
    return 1 + (q + EDGE) * (2 * EDGE + 1) + (r + EDGE)


def place_of(number: int) -> str:
    """The place with this number."""
    q, r = divmod(number - 1, 2 * EDGE + 1)
    return f"{q - EDGE},{r - EDGE}"


def counters(state: EclipseState) -> Iterator[Correctable]:
    """Everything about each hex on the map, and where other hexes could be placed."""
    for place, sector in sorted(state.map.items(), key=lambda item: item[1].facts.number):
        group = state.where(place)
        for counter in _on_hex(state, place, sector):
            yield replace(counter, group=group)
    for id in sorted(_loose(state)):
        yield replace(_lies(state, id, None), group=say("eclipse.counter.not-on-map"))


def _on_hex(state: EclipseState, place: str, sector: Sector) -> Iterator[Correctable]:
    where = state.where(place)
    if place != CENTRE_PLACE:
        yield _lies(state, sector.hex, place)
        ways = [(r, say(f"eclipse.way.{r}")) for r in range(6)]
        yield choice(f"turn:{place}", None, say("eclipse.counter.turn", sector=where), sector.rotation, ways)
    for index in range(len(state.seats)):
        yield from _disc(state, place, sector, index)
    yield from _cubes(state, place, sector)
    if sector.facts.ancients:
        text = say("eclipse.counter.ancients", sector=where)
        yield Correctable(f"ancients:{place}", None, text, sector.ancients, 0, sector.facts.ancients)
    there = {
        "gcds": place == CENTRE_PLACE,
        "discovery": sector.facts.discovery,
        "orbital": True,
        "monolith": True,
    }
    for what, possible in there.items():
        if possible:
            text = say(f"eclipse.counter.{what}", sector=where)
            yield Correctable(f"{what}:{place}", None, text, int(getattr(sector, what)), 0, 1)
    for index in range(len(state.seats)):
        yield from _ships(state, place, sector, index)


def _disc(state: EclipseState, place: str, sector: Sector, index: int) -> Iterator[Correctable]:
    """Put a disc on a sector without one, or take it off a sector without cubes."""
    if not sector.population and sector.owner in (None, index):
        text = say("eclipse.counter.disc", seat=state.name(index), sector=state.where(place))
        yield Correctable(f"disc:{index}:{place}", None, text, int(sector.owner == index), 0, 1)


def _cubes(state: EclipseState, place: str, sector: Sector) -> Iterator[Correctable]:
    if sector.owner is None:
        return
    for n, (square, taken) in enumerate(sector.squares):
        what = say(f"eclipse.square.{square.replace('*', '-advanced')}")
        text = say(
            "eclipse.counter.cube", seat=state.name(sector.owner), square=what, sector=state.where(place)
        )
        yield Correctable(f"cube:{place}:{n}", None, text, int(taken), 0, 1)


def _ships(state: EclipseState, place: str, sector: Sector, index: int) -> Iterator[Correctable]:
    fleet = sector.fleet(index)
    for ship in SHIPS:
        here = fleet.ships.get(ship, 0) if fleet else 0
        what = say(f"eclipse.ship.{ship}")
        text = say("eclipse.counter.ships", seat=state.name(index), ship=what, sector=state.where(place))
        most = here + state.ships_left(index, ship)
        yield Correctable(f"ships:{index}:{ship}:{place}", None, text, here, 0, most)


# Where a hex lies


def _lies(state: EclipseState, id: str, now: str | None) -> Correctable:
    """Where a hex lies: its current place, any free place of its ring next to another hex, or not on the map."""
    hex = sectors()[id]
    ring = "middle" if hex.ring == "home" else hex.ring
    free = [place for place in _free(state, now) if ring_of(place) == ring]
    names = [(number_of(place), _beside(state, place, now)) for place in ([now] if now else []) + free]
    if hex.ring != "home":
        names.insert(0, (NOWHERE, say("eclipse.counter.nowhere")))
    text = say("eclipse.counter.lies", sector=state.called(id))
    return choice(f"hex:{id}", None, text, number_of(now) if now else NOWHERE, names)


def _free(state: EclipseState, without: str | None) -> list[str]:
    """Free places next to a hex, ignoring the hex to be moved."""
    beside = (place for lying in state.map if lying != without for place in around(lying))
    return list(dict.fromkeys(place for place in beside if place not in state.map))


def _beside(state: EclipseState, place: str, without: str | None) -> Text:
    """A place in words, by the hexes it touches."""
    touching = [other for other in around(place) if other in state.map and other != without]
    return say(
        "eclipse.counter.beside",
        beside=tuple(
            say("eclipse.beside", sector=state.where(t), way=say(f"eclipse.way.{direction_to(t, place)}"))
            for t in touching[:2]
        ),
    )


def _loose(state: EclipseState) -> Iterator[str]:
    """Hexes that may be placed: those in a stack or discarded."""
    for stack in state.stacks.values():
        yield from stack.discards
        yield from stack.unseen if stack.left else ()


def _correct_hex(state: EclipseState, id: str, to: str | None) -> EclipseState:
    """The table with a hex at this place, or off the map."""
    now = next((place for place, sector in state.map.items() if sector.hex == id), None)
    if now == to:
        return state
    if any(isinstance(step, TurnUp | PlaceHex) for step in state.agenda):
        raise NotNow(say("eclipse.why.exploring"))
    for place in (now, to):
        _not_played_at(state, place)
    if now is None and to is not None:
        return _drawn(state, id).with_sector(to, fresh_sector(state, id))
    assert now is not None
    sector = state.map[now]
    if to is None and (sector.owner is not None or sector.fleets):
        raise NotNow(say("eclipse.why.not-empty", sector=state.where(now)))
    moved = {to if place == now else place: there for place, there in state.map.items()}
    state = replace(state, map={place: there for place, there in moved.items() if place is not None})
    return state if to is not None else _discarded(state, id)


def _drawn(state: EclipseState, id: str) -> EclipseState:
    """The table with a hex taken from its stack or from the discards."""
    ring = sectors()[id].ring
    stack = state.stacks[ring]
    if id in stack.discards:
        stack = replace(stack, discards=tuple(d for d in stack.discards if d != id))
    else:
        stack = replace(stack, unseen=tuple(u for u in stack.unseen if u != id), left=stack.left - 1)
    return replace(state, stacks={**state.stacks, ring: stack})


def _discarded(state: EclipseState, id: str) -> EclipseState:
    ring = sectors()[id].ring
    stack = state.stacks[ring]
    stack = replace(stack, discards=(*stack.discards, id))
    return replace(state, stacks={**state.stacks, ring: stack})


def _not_played_at(state: EclipseState, place: str | None) -> None:
    """Raises `NotNow` if a step on the agenda is about this place: nothing may change there now."""
    if place is not None and place in set(_words(msgspec.to_builtins(state.agenda))):
        where = state.where(place) if place in state.map else say("eclipse.counter.this-place")
        raise NotNow(say("eclipse.why.played-there", sector=where))


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _words(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _words(part)


# Correcting


def correct(state: EclipseState, what: str, rest: str, value: int) -> EclipseState | None:
    """The table with one counter of the map corrected; None if it is not a counter of the map."""
    if what == "hex":
        return _correct_hex(state, rest, None if value == NOWHERE else place_of(value))
    if what == "turn":
        _not_played_at(state, rest)
        return state.with_sector(rest, replace(state.map[rest], rotation=value))
    if what == "ancients":
        _not_played_at(state, rest)
        return state.with_sector(rest, replace(state.map[rest], ancients=value))
    if what in ("gcds", "discovery", "monolith"):
        _not_played_at(state, rest)
        return state.with_sector(rest, replace(state.map[rest], **{what: bool(value)}))
    if what == "orbital":
        return _correct_orbital(state, rest, bool(value))
    if what == "cube":
        place, _, square = rest.rpartition(":")
        return _correct_cube(state, place, int(square), bool(value))
    if what == "disc":
        seat, _, place = rest.partition(":")
        return state.with_sector(place, replace(state.map[place], owner=int(seat) if value else None))
    if what == "ships":
        number, word, place = rest.split(":")
        ship = next(s for s in SHIPS if s == word)
        fleet = state.map[place].fleet(int(number))
        here = fleet.ships.get(ship, 0) if fleet else 0
        return put_ships(state, place, int(number), ship, value - here)
    return None


def _correct_orbital(state: EclipseState, place: str, there: bool) -> EclipseState:
    """An orbital adds one square; to remove it, the square must be empty."""
    sector = state.map[place]
    if sector.orbital == there:
        return state
    _not_played_at(state, place)
    if there:
        return state.with_sector(place, replace(sector, orbital=True, cubes=(*sector.cubes, False)))
    if sector.cubes[-1]:
        raise NotNow(say("eclipse.why.cube-on-orbital", sector=state.where(place)))
    return state.with_sector(place, replace(sector, orbital=False, cubes=sector.cubes[:-1]))


def _correct_cube(state: EclipseState, place: str, square: int, there: bool) -> EclipseState:
    """Put a cube on a square or take it off, from or to a track that can give or take it."""
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
