"""A table of Transgalactica that was played without us: read it, say all that cannot be right about it, score it.

The end needs no fact nobody knows. What the owner of the box taught is used: names, the level of a technology, the
colour of the central planet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from typing import Annotated, Any, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct

from companion.core import positions
from companion.core.components import Catalogue, Component, Facts, told_names
from companion.core.counters import Counter
from companion.core.game import Box, read_box
from companion.core.parts import Positions, Tableaux
from companion.core.positions import head_problems, quoted, seat_called
from companion.core.words import Text, plain, say
from companion.games.transgalactica import score_questions
from companion.games.transgalactica.position_ids import known, tidied
from companion.games.transgalactica.position_limits import (
    HELD,
    HIGHEST,
    LEVELS,
    LOWEST,
    MOST,
    parted,
    place_of,
    seat_problems,
    shared_problems,
    shares,
)
from companion.games.transgalactica.position_schema import described
from companion.games.transgalactica.sheet import (
    OPTIONS,
    mission_of,
    objective_of,
    outpost_of,
    readings_of,
    technology_of,
)
from companion.games.transgalactica.things import (
    Mission,
    Objective,
    Planet,
    Technology,
    everything,
)
from scoring import transgalactica as scoring
from scoring.sheet import Sheet
from scoring.transgalactica import MISSION_TYPES, Readings


def _whole(description: str, maximum: int, minimum: int = 0) -> Meta:
    """A number whose bounds are in the schema only: `position_limits` checks them, to tell all problems at once."""
    return Meta(description=description, extra_json_schema={"minimum": minimum, "maximum": maximum})


def _level(track: str) -> Meta:
    return _whole(f"Where the marker stands on the {track} track.", LEVELS[track])


class Levels(Struct, frozen=True, forbid_unknown_fields=True):
    """The levels at which the markers stand, without what a technology adds."""

    technology: Annotated[int, _level("technology")] = 0
    military: Annotated[int, _level("military")] = 0
    production: Annotated[int, _level("production")] = 0
    politics: Annotated[int, _level("politics")] = 0
    trade: Annotated[int, _level("trade")] = 0


class Resources(Struct, frozen=True, forbid_unknown_fields=True):
    """What is left in the hold; credits are no resources."""

    energy: Annotated[int, _whole("Energy.", HELD)] = 0
    mineral: Annotated[int, _whole("Minerals.", HELD)] = 0
    alien: Annotated[int, _whole("Aliens.", HELD)] = 0
    mixed: Annotated[int, _whole("Resources that were not told apart.", HELD)] = 0


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """One player after the maintenance of the last round."""

    name: Annotated[str, Meta(description="The player's name, different at every seat.")]
    track_vp: Annotated[int, _whole("Points on the track before the end is counted.", HIGHEST, LOWEST)]
    objectives: Annotated[tuple[str, ...], Meta(description="Ids of both objectives.")]
    outposts: Annotated[
        tuple[str, ...],
        Meta(
            description="Ids of the planets with an outpost, `central` among them; `:2` is the second place."
        ),
    ]
    levels: Annotated[Levels, Meta(description="Where the markers stand.")]
    credits: Annotated[int, _whole("Credits.", HELD)]
    resources: Annotated[Resources, Meta(description="Resources left.")]
    technologies: Annotated[tuple[str, ...], Meta(description="Ids of the technologies marked.")] = ()
    missions: Annotated[
        tuple[str, ...],
        Meta(
            description="Ids of the missions completed; `:war` behind one of two types tells the chosen one."
        ),
    ] = ()
    pirates: Annotated[int, _whole("Pirate tokens.", MOST["pirates"])] = 0
    nightmare: Annotated[
        bool, Meta(description="Whether this is the seat of the Technological Nightmare.")
    ] = False
    senate: Annotated[int, _whole("Crew in the senate; it counts for nothing.", MOST["senate"])] = 0


NAMES = {field: id for id, field in OPTIONS.items()}
"""How the readings are called in files: `or` is no name in here."""


class Position(Struct, frozen=True, forbid_unknown_fields=True, rename=NAMES):
    """A finished table of Transgalactica; the fields behind the seats are readings, the first value being the usual."""

    game: Annotated[str, Meta(description="Which game it is.")]
    seats: Annotated[tuple[Seat, ...], Meta(description="The players.")]
    technologies: Annotated[
        tuple[str, ...], Meta(description="Ids of the technologies laid out, if all are to be checked.")
    ] = ()
    either: Annotated[str, Meta(description="Objectives with an or: the better side, or both.")] = "better"
    hoard: Annotated[str, Meta(description="What the 12 points limit: the resources, or the whole card.")] = (
        "resources"
    )
    two_types: Annotated[str, Meta(description="Missions of two types: one of them, or both.")] = "one"
    nightmare: Annotated[
        str, Meta(description="The Technological Nightmare: aside, an outpost, or by colour.")
    ] = "aside"
    trade_planets: Annotated[str, Meta(description="Trade level: of the planet, or of the very place.")] = (
        "planet"
    )
    offices: Annotated[str, Meta(description="Levels a technology raised, or the markers.")] = "levels"
    condition: Annotated[
        str, Meta(description="2 points more for every unit, or not for levels, resources.")
    ] = "unit"


class Table(Struct, frozen=True):
    """A position, and all that is known about the things in it."""

    position: Position
    box: Catalogue[Component]

    @property
    def options(self) -> dict[str, str]:
        """What the table agreed on."""
        return {id: getattr(self.position, field) for id, field in OPTIONS.items()}


@cache
def _box() -> Box:
    return read_box(__package__)


@cache
def _values(option: str) -> tuple[str, ...]:
    """What can be agreed on."""
    return get_args(get_type_hints(Readings)[OPTIONS[option]])


def position_of(raw: dict[str, Any], taught: Facts | None = None) -> Table:
    """The table in these plain JSON values, of a box with these facts; raises `DataTrouble` with all problems."""
    box = everything().taught(taught or {})
    position = positions.checked(
        tidied(raw, box), Position, lambda position: tuple(_problems(Table(position, box)))
    )
    return Table(position, box)


def _problems(table: Table) -> Iterator[Text]:
    """Everything that cannot be right about this table; nothing if it can be scored."""
    position = table.position
    seats = [(_where(i, position), seat) for i, seat in enumerate(position.seats)]
    yield from _head_problems(table)
    yield from chain.from_iterable(seat_problems(where, seat, table) for where, seat in seats)
    yield from shared_problems(seats, table)


def _where(index: int, position: Position) -> str:
    """The seat's name, or its place in the file while the name does not tell it."""
    return seat_called(index, [seat.name for seat in position.seats])


def _head_problems(table: Table) -> Iterator[Text]:
    position = table.position
    yield from head_problems(_box(), position.game, [seat.name for seat in position.seats])
    for option, value in table.options.items():
        if value not in _values(option):
            values = tuple(map(plain, _values(option)))
            yield say("transgalactica.position.option", option=option, value=quoted(value), known=values)


# Counting


def sheet(table: Table) -> Sheet:
    """The sheet of a table without problems."""
    marked = [id for seat in table.position.seats for id in seat.technologies]
    made = scoring.score(
        [_counted(seat, table, marked) for seat in table.position.seats], readings_of(table.options)
    )
    names = told_names({id: table.box[id] for id in _shown(made)}, everything().by_id)
    return msgspec.structs.replace(made, names=names)


def _shown(made: Sheet) -> Iterator[str]:
    lines = [line for seat in made.seats for line in seat.lines]
    found = chain.from_iterable((line.what, *line.because, *line.measures) for line in lines)
    return (id for id in dict.fromkeys(found) if id in everything())


def _counted(seat: Seat, table: Table, marked: list[str]) -> scoring.Seat:
    box, resources, levels = table.box, seat.resources, seat.levels
    return scoring.Seat(
        name=seat.name,
        track=seat.track_vp,
        objectives=tuple(objective_of(_card(box, id, Objective)) for id in seat.objectives),
        technologies=tuple(
            technology_of(_card(box, id, Technology), marked.count(id)) for id in seat.technologies
        ),
        missions=tuple(_mission(word, box) for word in seat.missions),
        outposts=tuple(_outpost(word, box, shares(seat, table)) for word in seat.outposts),
        nightmare=seat.nightmare,
        pirates=seat.pirates,
        credits=seat.credits,
        energy=resources.energy,
        mineral=resources.mineral,
        alien=resources.alien,
        mixed=resources.mixed,
        technology=levels.technology,
        military=levels.military,
        production=levels.production,
        politics=levels.politics,
        trade=levels.trade,
    )


def _card(box: Catalogue[Component], id: str, sort: type[positions.P]) -> positions.P:
    card = box[id]
    assert isinstance(card, sort)
    return card


def _mission(word: str, box: Catalogue[Component]) -> scoring.Mission:
    mission, chosen = parted(word)
    return mission_of(
        _card(box, mission, Mission), next((type for type in MISSION_TYPES if type == chosen), None)
    )


def _outpost(word: str, box: Catalogue[Component], shares: bool) -> scoring.Outpost:
    """An outpost at its place; one nobody told is any of the printed ones, or none if its owner may do without."""
    id, slot = parted(word)
    planet = _card(box, id, Planet)
    if slot:
        return outpost_of(planet, place_of(planet, slot))
    printed = not (shares and planet.type == "action")
    alike = all(planet.asks_trade_at(n) for n in range(len(planet.slots)))
    return outpost_of(planet, 0 if printed and alike else None)


# Asking


def between(component: str) -> bool:
    """Whether this lies in the middle of the table, as planets and technologies do: theirs is whose piece is on it."""
    return component in known("outposts") or component in known("technologies")


def asked(
    tableaux: Tableaux, choices: dict[str, str], ask: Callable[[Counter], int], taught: Facts | None = None
) -> dict[str, Any]:
    """The plain position of what somebody saw; what cannot be seen and matters is asked for."""
    options = {id: value for id, value in choices.items() if id in OPTIONS}
    seats = score_questions.seats_told(tableaux, everything().taught(taught or {}), ask)
    return {"game": _box().id, **options, "seats": seats}


def schema() -> dict[str, Any]:
    """A JSON Schema of positions, with the ids of all things and what can be agreed on."""
    return described(msgspec.json.schema(Position), _box(), {option: _values(option) for option in OPTIONS})


EXAMPLES: tuple[dict[str, Any], ...] = (
    {
        "game": "transgalactica",
        "technologies": [
            *("archivists", "helpers", "deep-mining"),
            *("lobbyists", "prestige-offices", "visitors"),
            *("end-objective", "end-markers", "promotion"),
        ],
        "seats": [
            {
                "name": "Ania",
                "track_vp": 61,
                "objectives": ["objective-yellow", "objective-levels"],
                "outposts": ["central", "yellow-action-supply", "multi-mining:1", "yellow-wild"],
                "technologies": ["archivists", "end-objective", "prestige-offices"],
                "missions": ["mission-1-09", "mission-2-12:war"],
                "levels": {"technology": 6, "military": 3, "production": 3, "politics": 4, "trade": 4},
                "pirates": 1,
                "credits": 3,
                "resources": {"energy": 2, "mineral": 0, "alien": 3},
            },
            {
                "name": "Bartek",
                "track_vp": 70,
                "objectives": ["objective-hunter", "objective-grey"],
                "outposts": [
                    {"planet": "central"},
                    {"planet": "green-grey-action-explore", "slot": 2},
                    "grey-wild",
                ],
                "technologies": ["archivists", "end-markers"],
                "missions": ["mission-1-02", {"mission": "mission-2-11"}],
                "levels": {"technology": 5, "military": 5, "production": 2, "politics": 2, "trade": 2},
                "pirates": 2,
                "credits": 0,
                "resources": {"mixed": 4},
                "nightmare": True,
                "senate": 1,
            },
        ],
    },
)

POSITIONS = Positions(
    position_of=position_of,
    sheet=sheet,
    schema=schema,
    asked=asked,
    between=between,
    several=between,
    examples=EXAMPLES,
    teachable=True,
)
