"""A finished Transgalactica table played without the companion: read it, report every error, score it.

Scoring needs no untaught facts. If the owner taught some, they are used: names, the level of a technology,
the colour of the central planet.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import chain
from typing import Annotated, Any, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct

from companion.core import positions
from companion.core.components import Catalogue, Component, Facts, told_names
from companion.core.game import Box, read_box
from companion.core.parts import Positions, Tableaux
from companion.core.positions import quoted
from companion.core.table_files import (
    Asked,
    AskNumber,
    SeatFile,
    TableFile,
    ids,
    one_of,
    schema_of,
    shaped,
    whole,
)
from companion.core.words import Text, plain, say
from companion.games.transgalactica import score_questions
from companion.games.transgalactica.component_types import (
    CREW,
    Mission,
    Objective,
    Planet,
    Technology,
    everything,
)
from companion.games.transgalactica.position_ids import known, tidied
from companion.games.transgalactica.position_limits import (
    HELD,
    HIGHEST,
    LEVELS,
    LOWEST,
    PIRATES,
    place_of,
    seat_problems,
    shared_problems,
    shares,
    split_id,
)
from companion.games.transgalactica.position_schema import missions, objectives, outposts, technologies
from companion.games.transgalactica.sheet import (
    OPTIONS,
    readings_of,
    seat_counted,
)
from scoring import transgalactica as scoring
from scoring.sheet import Sheet
from scoring.transgalactica import MISSION_TYPES, MissionType, Readings


@cache
def _values(option: str) -> tuple[str, ...]:
    """The possible values of an agreement."""
    return get_args(get_type_hints(Readings)[OPTIONS[option]])


def _reading(option: str, description: str) -> Meta:
    return one_of(description, partial(_values, option))


def _level(track: str) -> Meta:
    return whole(f"Where the marker stands on the {track} track.", LEVELS[track])


class Levels(Struct, frozen=True, forbid_unknown_fields=True):
    """The levels of the markers, without what a technology adds."""

    technology: Annotated[int, _level("technology")] = 0
    military: Annotated[int, _level("military")] = 0
    production: Annotated[int, _level("production")] = 0
    politics: Annotated[int, _level("politics")] = 0
    trade: Annotated[int, _level("trade")] = 0


class Resources(Struct, frozen=True, forbid_unknown_fields=True):
    """What is left in the hold; credits are not resources."""

    energy: Annotated[int, whole("Energy.", HELD)] = 0
    mineral: Annotated[int, whole("Minerals.", HELD)] = 0
    alien: Annotated[int, whole("Aliens.", HELD)] = 0
    mixed: Annotated[int, whole("Resources that were not told apart.", HELD)] = 0


class Seat(SeatFile, frozen=True):
    """One player after the maintenance of the last round."""

    track_vp: Annotated[int, whole("Points on the track before the end is counted.", HIGHEST, LOWEST)]
    objectives: Annotated[tuple[str, ...], shaped("Ids of both objectives.", objectives)]
    outposts: Annotated[
        tuple[str, ...],
        shaped(
            "Ids of the planets with an outpost, `central` among them; `:2` is the second place.", outposts
        ),
    ]
    levels: Annotated[Levels, Meta(description="Where the markers stand.")]
    credits: Annotated[int, whole("Credits.", HELD)]
    resources: Annotated[Resources, Meta(description="Resources left.")]
    technologies: Annotated[tuple[str, ...], ids("Ids of the technologies marked.", technologies)] = ()
    missions: Annotated[
        tuple[str, ...],
        shaped(
            "Ids of the missions completed; `:war` behind one of two types tells the chosen one.", missions
        ),
    ] = ()
    pirates: Annotated[int, whole("Pirate tokens.", PIRATES)] = 0
    nightmare: Annotated[
        bool, Meta(description="Whether this is the seat of the Technological Nightmare.")
    ] = False
    senate: Annotated[int, whole("Crew in the senate; it counts for nothing.", CREW)] = 0


NAMES = {field: id for id, field in OPTIONS.items()}
"""The names of the readings in files, because `or` is a Python keyword."""


class Position(TableFile, frozen=True, rename=NAMES):
    """A finished table of Transgalactica; the fields after the seats are readings, the default first."""

    seats: Annotated[tuple[Seat, ...], Meta(description="The players.")]
    technologies: Annotated[
        tuple[str, ...], ids("Ids of the technologies laid out, if all are to be checked.", technologies)
    ] = ()
    either: Annotated[str, _reading("or", "Objectives with an or: the better side, or both.")] = "better"
    hoard: Annotated[
        str, _reading("hoard", "What the 12 points limit: the resources, or the whole card.")
    ] = "resources"
    two_types: Annotated[str, _reading("two-types", "Missions of two types: one of them, or both.")] = "one"
    nightmare: Annotated[
        str, _reading("nightmare", "The Technological Nightmare: aside, an outpost, or by colour.")
    ] = "aside"
    trade_planets: Annotated[
        str, _reading("trade-planets", "Trade level: of the planet, or of the very place.")
    ] = "planet"
    offices: Annotated[str, _reading("offices", "Levels a technology raised, or the markers.")] = "levels"
    condition: Annotated[
        str, _reading("condition", "2 points more for every unit, or not for levels, resources.")
    ] = "unit"


class Table(Struct, frozen=True):
    """A position, and the components with all known facts."""

    position: Position
    box: Catalogue[Component]

    @property
    def options(self) -> dict[str, str]:
        """The agreements of the table."""
        return {id: getattr(self.position, field) for id, field in OPTIONS.items()}


@cache
def _box() -> Box:
    return read_box(__package__)


def position_of(raw: dict[str, Any], taught: Facts | None = None) -> Table:
    """The table in these JSON values, with the taught facts; raises `DataTrouble` with all problems."""
    box = everything().taught(taught or {})
    position = positions.checked(
        tidied(raw, box), Position, lambda position: tuple(_problems(Table(position, box)))
    )
    return Table(position, box)


def _problems(table: Table) -> Iterator[Text]:
    """Everything that is impossible about this table; nothing if it can be scored."""
    position = table.position
    seats = list(zip(position.called(), position.seats, strict=True))
    yield from _head_problems(table)
    yield from chain.from_iterable(seat_problems(where, seat, table) for where, seat in seats)
    yield from shared_problems(seats, table)


def _head_problems(table: Table) -> Iterator[Text]:
    position = table.position
    yield from position.head_problems(_box())
    for option, value in table.options.items():
        if value not in _values(option):
            values = tuple(map(plain, _values(option)))
            yield say("transgalactica.position.option", option=option, value=quoted(value), known=values)


# Counting


def sheet(table: Table) -> Sheet:
    """The score sheet of a table without problems."""
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
    box = table.box
    return seat_counted(
        seat.name,
        objectives=(_card(box, id, Objective) for id in seat.objectives),
        technologies=(_card(box, id, Technology) for id in seat.technologies),
        marked=marked,
        missions=(_mission(word, box) for word in seat.missions),
        outposts=(_outpost(word, box, shares(seat, table)) for word in seat.outposts),
        nightmare=seat.nightmare,
        track=seat.track_vp,
        pirates=seat.pirates,
        credits=seat.credits,
        **msgspec.structs.asdict(seat.resources),
        **msgspec.structs.asdict(seat.levels),
    )


def _card(box: Catalogue[Component], id: str, sort: type[positions.P]) -> positions.P:
    card = box[id]
    assert isinstance(card, sort)
    return card


def _mission(word: str, box: Catalogue[Component]) -> tuple[Mission, MissionType | None]:
    mission, chosen = split_id(word)
    return _card(box, mission, Mission), next((type for type in MISSION_TYPES if type == chosen), None)


def _outpost(word: str, box: Catalogue[Component], shares: bool) -> tuple[Planet, int | None]:
    """A planet and the place of its outpost; if none is given, a trade place only if that is certain."""
    id, slot = split_id(word)
    planet = _card(box, id, Planet)
    if slot:
        return planet, place_of(planet, slot)
    printed = not (shares and planet.type == "action")
    alike = all(planet.asks_trade_at(n) for n in range(len(planet.slots)))
    return planet, 0 if printed and alike else None


# Asking


def between(component: str) -> bool:
    """Whether a component lies in the middle of the table (planet, technology); pieces on it show its owner."""
    return component in known("outposts") or component in known("technologies")


def asked(
    tableaux: Tableaux, choices: dict[str, str], ask: AskNumber, taught: Facts | None = None
) -> dict[str, Any]:
    """Build a position from each seat's tableau, asking for what cannot be seen and matters."""
    options = {id: value for id, value in choices.items() if id in OPTIONS}
    box = everything().taught(taught or {})
    seats = [
        score_questions.seat_told(Asked("transgalactica", Seat, n, name, ask), tuple(seen), box)
        for n, (name, seen) in enumerate(tableaux.items())
    ]
    return {"game": _box().id, **options, "seats": seats}


def schema() -> dict[str, Any]:
    """A JSON Schema of positions, with all ids and the possible agreements."""
    return schema_of(Position, _box())


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
