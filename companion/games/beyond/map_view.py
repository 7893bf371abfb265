"""Two maps: the technology board with its lines, and the exploration board with ships and bases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.core.components import Component
from companion.core.faces import Sign, Signs
from companion.core.views import LinkView, MapView, PlaceView, TokenView
from companion.core.words import Text, count, plain, say
from companion.games.beyond.component_types import (
    BASIC_ACTIONS,
    CARD_PLACES,
    DEEP_SPACE,
    LEVEL,
    SOL,
    SPACES,
    WITH_EVENTS,
    YARDS,
    Side,
    TreeBoard,
    ids,
)
from companion.games.beyond.effect_signs import action_signs
from companion.games.beyond.faces import BASIC, UNTOLD, short
from companion.games.beyond.prerequisites import before
from companion.games.beyond.state import BeyondState

COLUMNS: tuple[tuple[float, float], ...] = ((87, 174), (258, 152), (430, 156), (599, 146), (740, 100))
"""The technology board: centre and width of its columns, Basic Spacefaring first, then the four levels."""
ROWS, GAP = 354.0, 4.0
"""The height of the columns, and the gap between two cards."""
HIGHEST = 56.0
"""The maximum height of actions, guilds and technologies of level IIII."""

SYSTEMS: dict[str, tuple[float, float]] = {
    SOL: (0.0, 0.0),
    "a1": (3.0, 1.6),
    "a2": (3.0, -1.6),
    "yard-1": (6.0, 3.0),
    "yard-2": (6.0, -3.0),
    "yard-3": (6.0, 0.0),
    "yard-4": (9.0, 0.0),
    "b1": (9.0, 3.0),
    "b2": (9.0, -3.0),
    DEEP_SPACE: (12.0, 0.0),
}
"""Where locations are drawn: the printed layout is unknown, only the distance from Sol has a meaning."""

ROOMY = 1
"""If more guilds than this are open, covered guilds get no card of their own."""
LOCATION = (2.6, 2.8)
BODY = (2.9, 3.4)
"""The drawn size of systems, and of Sol and Deep Space."""

KINDS: dict[str, Sign] = {
    "research-1": Sign("technology"),
    "research-2": Sign("technology"),
    "build-jump": Sign("ship"),
    "recruit-ore": Sign("population"),
}
"""The symbols of the basic actions."""


def tree_map(state: BeyondState) -> MapView:
    """Basic Spacefaring and guilds at the left, then the four columns of technologies with the known lines."""
    places = (*_printed(state), *(_technology(state, space) for space in LEVEL))
    links = tuple(LinkView(other, space) for space in LEVEL for other in before(state, space))
    return MapView("tree", say("beyond.map.tree"), places, links=links, board=True)


def _row(n: int, of: int, highest: float = ROWS) -> tuple[float, float]:
    """The centre and height of the n-th card in a column of `of` cards."""
    step = ROWS / of
    return ROWS / 2 - step * (n + 0.5), min(highest, step - GAP)


def _printed(state: BeyondState) -> Iterator[PlaceView]:
    covered = [guild for guild in ids("guilds") if guild not in state.guilds]
    shown = bool(covered) and len(state.guilds) <= ROOMY
    rows = len(BASIC_ACTIONS) + len(state.guilds) + shown
    x, wide = COLUMNS[0]
    for n, action in enumerate(BASIC_ACTIONS):
        y, high = _row(n, rows)
        name = say(f"beyond.basic.{action}")
        yield PlaceView(
            f"basic-{action}",
            x,
            y,
            name,
            name,
            shape="card",
            tokens=_pawns(state, f"{state.basic.id}:{action}:"),
            corners=BASIC[action],
            notes=(state.basic.called,),
            short=say(f"beyond.basic-short.{action}"),
            kinds=(KINDS[action],),
            tints=("board",),
            wide=wide,
            high=high,
        )
    for n, guild in enumerate(state.guilds):
        y, high = _row(len(BASIC_ACTIONS) + n, rows)
        card = state.guild(guild)
        yield PlaceView(
            guild,
            x,
            y,
            card.called,
            card.called,
            component=guild,
            shape="card",
            tokens=_pawns(state, f"{guild}:"),
            corners=_done(card.actions),
            notes=(say("beyond.map.guild-open", guild=card.called),),
            short=short(card),
            kinds=(Sign("guild"),),
            tints=("guild",),
            wide=wide,
            high=high,
        )
    if shown:
        y, high = _row(rows - 1, rows)
        name = count("beyond.map.covered", len(covered))
        named = tuple(say("beyond.map.guild-covered", guild=state.guild(guild).called) for guild in covered)
        yield PlaceView(
            "guilds",
            x,
            y,
            name,
            name,
            shape="card",
            notes=named,
            kinds=(Sign("guild"),),
            wide=wide,
            high=high,
            covered=True,
        )


def _pawns(state: BeyondState, prefix: str) -> tuple[TokenView, ...]:
    """The pawns on the spaces of an action or a card."""
    seats = (seat for seat, who in enumerate(state.seats) if who.pawn.startswith(prefix))
    return tuple(TokenView(Sign("action"), 1, seat) for seat in seats)


def _done(actions: object) -> Signs:
    """The signs of a card's actions, without their spaces."""
    if not isinstance(actions, tuple):
        return ()
    return tuple(sign for action in actions for sign in action_signs(action) if sign.symbol != "space")


def _technology(state: BeyondState, space: str) -> PlaceView:
    level, node = LEVEL[space], state.node(space)
    x, y, wide, high = _spot(space)
    cubes = tuple(TokenView(Sign("population"), 1, seat, mark=True) for seat in node.seats)
    who = tuple(say("beyond.view.name", name=state.seats[seat].name) for seat in node.seats)
    notes: tuple[Text, ...] = (say("beyond.map.researched", names=who),) if who else ()
    name = say(f"beyond.place.{space}")
    if not node.card:
        hidden = level in WITH_EVENTS and not node.seats
        return PlaceView(
            space,
            x,
            y,
            name,
            name,
            shape="card",
            tokens=cubes,
            notes=(*notes, say("beyond.undiscovered")),
            kinds=(Sign("event"),) if hidden else (),
            wide=wide,
            high=high,
            covered=True,
        )
    card = state.technology(node.card)
    types = tuple(sorted(card.types)) if card.types else ()
    return PlaceView(
        space,
        x,
        y,
        card.called,
        card.called,
        component=node.card,
        shape="card",
        tokens=(*_pawns(state, f"{node.card}:"), *cubes),
        corners=_done(card.actions),
        notes=notes,
        short=short(card),
        kinds=tuple(map(Sign, types)) or (UNTOLD,),
        tints=types or ("plain",),
        wide=wide,
        high=high,
    )


def _spot(space: str) -> tuple[float, float, float, float]:
    """The position and size of a technology."""
    level = LEVEL[space]
    column: tuple[str, ...] = SPACES[level]
    highest = HIGHEST if level == 4 else ROWS
    return (
        COLUMNS[level][0],
        (spot := _row(column.index(space), len(column), highest))[0],
        COLUMNS[level][1],
        spot[1],
    )


def space_map(state: BeyondState) -> MapView:
    """Locations with their ships, by level, and bases, and the known lines."""
    places = tuple(_location(state, place) for place in state.locations)
    pairs = {tuple(sorted((one, other))) for one, others in state.routes.items() for other in others}
    links = tuple(LinkView(one, other) for one, other in sorted(pairs))
    legend = (Sign("ship"), Sign("base"), Sign("food"), Sign("ore-disc"), Sign("strength"))
    return MapView("space", say("beyond.map.space"), places, links=links, legend=legend, board=True)


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
    if system:
        corners.append(Sign("strength", str(state.system(system).strength or "?")))
    name = state.system(system).called if system else say(f"beyond.place.{place}")
    body = place in (SOL, DEEP_SPACE)
    wide, high = BODY if body else LOCATION
    return PlaceView(
        place,
        x,
        y,
        name,
        name,
        component=system,
        shape="disc" if body else "card",
        seat=None if base is None else base.seat,
        tokens=tuple(tokens),
        corners=tuple(corners),
        notes=tuple(_told(state, place)),
        short=short(state.system(system)) if system else None,
        tints=(("sol",) if place == SOL else ("board",)) if body else (),
        wide=wide,
        high=high,
    )


def _told(state: BeyondState, place: str) -> Iterator[Text]:
    yield state.place(place)
    controller = state.controller(place)
    if controller is not None:
        yield say("beyond.map.controls", name=state.seats[controller].name)
    for who in state.seats:
        if strength := who.strength(place):
            yield say("beyond.map.strength", name=who.name, n=strength)


ACROSS, DOWN = 2.9, 1.6
"""Distances between card centres where the lines of the technology board are drawn."""


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
    """A short name of a location, for small places."""
    return plain(place.upper()) if place in CARD_PLACES else say(f"beyond.place.{place}")


def _blank(space: str) -> PlaceView:
    column: tuple[str, ...] = SPACES[LEVEL[space]]
    name = say(f"beyond.place.{space}")
    y = DOWN * ((len(column) - 1) / 2 - column.index(space)) * (8 / len(column) if LEVEL[space] > 1 else 2)
    return PlaceView(space, ACROSS * LEVEL[space], y, name, name, shape="card")
