"""The galaxy as a map: planets as discs, routes with their energy, ships, outposts and pirates on them."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.agenda import waited_for
from companion.core.components import Component
from companion.core.faces import Sign, Spot
from companion.core.views import LinkView, MapView, PlaceView, TokenView
from companion.core.words import Text, plain, say
from companion.games.transgalactica.component_types import CENTRE, Board, Planet
from companion.games.transgalactica.faces import TYPES, face
from companion.games.transgalactica.state import TransState

CENTRAL = "central"


def galaxy(state: TransState) -> tuple[MapView, ...]:
    """The map of this play, once it is known."""
    board = state.board
    if not board.sketch:
        return ()
    where = dict(spots(board))
    places = tuple(_place(state, space, *where[space]) for space in board.spaces)
    links = tuple(
        LinkView(route.one, route.other, str(route.energy))
        for route in board.routes or ()
        if route.one in where and route.other in where and route.one != route.other
    )
    kinds = (TYPES[type] for type in ("action", "mining", "wild"))
    legend = (*kinds, Sign("energy"), Sign("ship"), Sign("outpost"), Sign("pirates"), Sign("bonus-basic"))
    text = say("transgalactica.view.galaxy")
    return (MapView("galaxy", text, places, links=links, legend=legend, board=True),)


def spots(board: Board) -> Iterator[tuple[str, tuple[float, float]]]:
    """The position of each space, with the centre as the origin."""
    yield CENTRE, (0.0, 0.0)
    for space, at in zip(board.spaces[1:], board.sketch or (), strict=False):
        yield space, (float(at.x), float(at.y))


def _place(state: TransState, space: str, x: float, y: float) -> PlaceView:
    id = state.planets.get(space, "")
    planet = state.planet(id) if id else None
    tokens = [
        TokenView(Sign("ship"), seat.ships.count(space), n)
        for n, seat in enumerate(state.seats)
        if space in seat.ships
    ]
    if id:
        tokens += [
            TokenView(Sign("outpost"), 1, n, mark=True)
            for n, seat in enumerate(state.seats)
            if id in seat.planets
        ]
        if id in state.pirates:
            tokens.append(TokenView(Sign("pirates")))
        if id in state.rewards and planet is not None:
            tokens.append(TokenView(Sign("bonus-basic" if planet.base else "bonus-advanced")))
    name = state.name(planet.id) if planet else plain(space)
    asked = _whose(state, space)
    return PlaceView(
        id=space,
        x=x,
        y=y,
        name=name,
        label=name,
        component=id,
        shape="disc",
        seat=asked,
        tokens=tuple(tokens),
        spots=() if planet is None else _slots(state, planet),
        corners=() if planet is None else face(planet).corners,
        notes=tuple(_notes(state, id)),
        short=None if planet is None else face(planet).short,
        kinds=() if planet is None else (TYPES[planet.type],),
        tints=() if planet is None else planet.colours or ("plain",),
        active=asked is not None,
    )


def _whose(state: TransState, space: str) -> int | None:
    """The seat whose colour marks a space, even on a small map: the one being asked, if its ship is there."""
    asked = [seat for seat in waited_for(state) if seat is not None and space in state.seats[seat].ships]
    return asked[0] if len(asked) == 1 else None


def _slots(state: TransState, planet: Planet) -> tuple[Spot, ...]:
    taken = state.slots_taken(planet.id)
    return tuple(Spot(Sign("slot"), taken=n in taken) for n in range(len(planet.demands)))


def _notes(state: TransState, planet: str) -> Iterator[Text]:
    if not planet:
        return
    yield state.name(planet)
    for seat in state.seats:
        if planet in seat.planets:
            yield say("transgalactica.view.outpost-of", name=seat.name)
    if planet in state.pirates:
        token = state.pirates[planet]
        yield state.name(token) if token else say("transgalactica.view.pirates")


def chart(component: Component, field: str) -> tuple[PlaceView, ...]:
    """The places between which routes are drawn, and those of the sketch so far."""
    if not isinstance(component, Board) or field not in ("routes", "sketch"):
        return ()
    return tuple(
        PlaceView(space, x, y, plain(space), plain("" if space == CENTRE else space), shape="disc")
        for space, (x, y) in spots(component)
    )
