"""Two maps: the technology board with its lines, and the exploration board with ships and bases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.core.components import Component
from companion.core.faces import Sign, Signs
from companion.core.views import LinkView, MapView, PlaceView, TokenView
from companion.core.words import Text, plain, say
from companion.games.beyond.faces import short
from companion.games.beyond.prerequisites import before
from companion.games.beyond.state import BeyondState
from companion.games.beyond.things import (
    BASIC_ACTIONS,
    CARD_PLACES,
    DEEP_SPACE,
    LEVEL,
    SOL,
    SPACES,
    YARDS,
    Side,
    TreeBoard,
    ids,
)

ACROSS, DOWN = 2.9, 1.6
"""Between the middles of cards on the technology board."""

SYSTEMS: dict[str, tuple[float, float]] = {
    SOL: (0.0, 0.0),
    "a1": (3.0, 1.6),
    "a2": (3.0, -1.6),
    "yard-1": (6.0, 3.0),
    "yard-2": (6.0, -3.0),
    "yard-3": (6.0, 0.0),
    "yard-4": (9.0, 0.0),
    "b1": (9.0, 2.4),
    "b2": (9.0, -2.4),
    DEEP_SPACE: (12.0, 0.0),
}
"""Where locations are drawn: nobody told how the board prints them, so this is only who lies nearer to Sol."""

PRINTED: tuple[Signs, ...] = (
    (Sign("technology", "I"),),
    (Sign("ore", "2"), Sign("technology", "II")),
    (Sign("ship", "1"), Sign("jump")),
    (Sign("population"), Sign("ore", "+1")),
)
"""The four basic actions as signs."""


def tree_map(state: BeyondState) -> MapView:
    """Basic Spacefaring and guilds at the left, then the four columns of technologies with the lines that are known."""
    places = (*_printed(state), *(_technology(state, space) for space in LEVEL))
    links = tuple(LinkView(other, space) for space in LEVEL for other in before(state, space))
    return MapView("tree", say("beyond.map.tree"), places, links=links)


def _row(n: int, of: int) -> float:
    return DOWN * ((of - 1) / 2 - n)


def _printed(state: BeyondState) -> Iterator[PlaceView]:
    rows = len(BASIC_ACTIONS) + len(ids("guilds"))
    for n, action in enumerate(BASIC_ACTIONS):
        prefix = f"{state.basic.id}:{action}:"
        pawns = tuple(_pawn(k) for k, who in enumerate(state.seats) if who.pawn.startswith(prefix))
        notes = (say(f"beyond.basic.{action}"),)
        yield PlaceView(
            f"basic-{action}",
            0.0,
            _row(n, rows),
            state.basic.called,
            plain(""),
            shape="card",
            tokens=pawns,
            corners=PRINTED[n],
            notes=notes,
        )
    for n, guild in enumerate(ids("guilds")):
        card = state.guild(guild)
        open_ = guild in state.guilds
        corners: Signs = () if open_ else (Sign("guild", dim=True),)
        pawns = tuple(_pawn(k) for k, who in enumerate(state.seats) if who.pawn.startswith(f"{guild}:"))
        yield PlaceView(
            guild,
            0.0,
            _row(len(BASIC_ACTIONS) + n, rows),
            card.called,
            short(card) or card.called if open_ else plain(""),
            component=guild,
            shape="card",
            tokens=pawns,
            corners=corners,
            notes=(say("beyond.map.guild-open" if open_ else "beyond.map.guild-covered", guild=card.called),),
        )


def _pawn(seat: int) -> TokenView:
    return TokenView(Sign("action"), 1, seat)


def _technology(state: BeyondState, space: str) -> PlaceView:
    level, node = LEVEL[space], state.node(space)
    column: tuple[str, ...] = SPACES[level]
    x, y = (
        ACROSS * level,
        _row(column.index(space), len(column)) * (8 / len(column) if level > 1 else 2),
    )
    name = state.technology(node.card).called if node.card else say(f"beyond.place.{space}")
    cubes = tuple(TokenView(Sign("population"), 1, seat) for seat in node.seats)
    pawns = tuple(
        _pawn(k) for k, who in enumerate(state.seats) if node.card and who.pawn.startswith(f"{node.card}:")
    )
    types = state.technology(node.card).types if node.card else ()
    corners = tuple(Sign(kind) for kind in sorted(types)) if types else ()
    who = tuple(say("beyond.view.name", name=state.seats[seat].name) for seat in node.seats)
    notes: tuple[Text, ...] = (say("beyond.map.researched", names=who),) if who else ()
    return PlaceView(
        space,
        x,
        y,
        name,
        name,
        component=node.card,
        shape="card",
        tokens=(*cubes, *pawns),
        corners=corners,
        notes=notes if node.card else (*notes, say("beyond.undiscovered")),
    )


def space_map(state: BeyondState) -> MapView:
    """Locations with ships by level and bases, and the lines that are known."""
    places = tuple(_location(state, place) for place in state.locations)
    pairs = {tuple(sorted((one, other))) for one, others in state.routes.items() for other in others}
    links = tuple(LinkView(one, other) for one, other in sorted(pairs))
    legend = (Sign("ship"), Sign("base"), Sign("food"), Sign("ore-disc"), Sign("strength"))
    return MapView("space", say("beyond.map.space"), places, links=links, legend=legend)


def _location(state: BeyondState, place: str) -> PlaceView:
    system = state.systems.get(place, "")
    x, y = SYSTEMS[place]
    base = state.bases.get(place)
    tokens = [
        TokenView(Sign("ship", str(level)), n, seat)
        for seat, who in enumerate(state.seats)
        for level, n in sorted(Counter(ship.level for ship in who.ships if ship.at == place).items())
    ]
    if base is not None:
        symbol = {"food": "food", "ore": "ore-disc", "marker": "marker"}[base.disc]
        tokens.append(TokenView(Sign(symbol), 1, base.seat))
    corners: list[Sign] = []
    if place in state.controllable:
        corners += [Sign("food" if kind == "food" else "ore-disc") for kind in state.specialisations(place)]
    if system and state.system(system).strength:
        corners.append(Sign("strength", str(state.system(system).strength)))
    name = state.system(system).called if system else say(f"beyond.place.{place}")
    return PlaceView(
        place,
        x,
        y,
        name,
        name,
        component=system,
        shape="disc",
        seat=None if base is None else base.seat,
        tokens=tuple(tokens),
        corners=tuple(corners),
        notes=tuple(_told(state, place)),
    )


def _told(state: BeyondState, place: str) -> Iterator[Text]:
    yield state.place(place)
    controller = state.controller(place)
    if controller is not None:
        yield say("beyond.map.controls", name=state.seats[controller].name)
    for who in state.seats:
        if strength := who.strength(place):
            yield say("beyond.map.strength", name=who.name, n=strength)


def chart(component: Component, field: str) -> tuple[PlaceView, ...]:
    """The places on which lines of a board are drawn."""
    if isinstance(component, TreeBoard) and field.startswith("lines"):
        level = int(field[-1])
        return tuple(_blank(space) for space in (*SPACES[level - 1], *SPACES[level]))
    if isinstance(component, Side) and field == "routes":
        yards = YARDS[: len(component.yards)] if component.yards else YARDS
        return tuple(
            PlaceView(place, *SYSTEMS[place], say(f"beyond.place.{place}"), _short(place), shape="disc")
            for place in (SOL, DEEP_SPACE, *CARD_PLACES, *yards)
        )
    return ()


def _short(place: str) -> Text:
    """What a location is called where there is little room."""
    return plain(place.upper()) if place in CARD_PLACES else say(f"beyond.place.{place}")


def _blank(space: str) -> PlaceView:
    column: tuple[str, ...] = SPACES[LEVEL[space]]
    name = say(f"beyond.place.{space}")
    y = _row(column.index(space), len(column)) * (8 / len(column) if LEVEL[space] > 1 else 2)
    return PlaceView(space, ACROSS * LEVEL[space], y, name, name, shape="card")
