"""A table of New Frontiers that was played without us: read it, say all that cannot be right about it, score it.

Nobody knows what most tiles print. What the owner of the box taught is used; what nobody taught is told in the file,
in `tiles`, as it would be taught, or a '?' is counted by the table and told as a number, in `worth`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core import positions
from companion.core.components import Facts
from companion.core.counters import Counter
from companion.core.fact_values import schema as form_schema
from companion.core.game import Box, read_box
from companion.core.parts import Positions, Tableaux, with_told_names
from companion.core.positions import head_problems, quoted, seat_called
from companion.core.words import Text, say
from companion.games.frontiers import score_questions
from companion.games.frontiers.position_facts import empire_tiles, teachable_form, tiles_told, unknown
from companion.games.frontiers.position_limits import CREDITS, MOST, WORTH, seat_problems, shared_problems
from companion.games.frontiers.position_needs import missing
from companion.games.frontiers.printed import printed
from companion.games.frontiers.sheet import REFINERY, goals_of, printed_goals
from companion.games.frontiers.things import Tile, World, everything, ids
from scoring import frontiers as scoring
from scoring.frontiers import KINDS, Goal
from scoring.sheet import Sheet


def _whole(description: str, maximum: int) -> Meta:
    """A number whose bounds are in the schema only: `position_limits` checks them, to tell all problems at once."""
    return Meta(description=description, extra_json_schema={"minimum": 0, "maximum": maximum})


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """One player's empire after the last round, explored worlds taken away."""

    name: Annotated[str, Meta(description="The player's name, different at every seat.")]
    empire: Annotated[
        tuple[str, ...],
        Meta(
            description="Ids of the colonies, the home among them, and of the developments; nothing explored."
        ),
    ]
    chips: Annotated[int, _whole("Points on the victory point chips.", MOST["chips"])]
    credits: Annotated[int, _whole("Credits; they break ties.", CREDITS)] = 0
    goods: Annotated[
        tuple[str, ...],
        Meta(description="Ids of the colonies with a good on them; `:genes` behind one tells its kind."),
    ] = ()
    colonists: Annotated[int, _whole("Unused colonists on the mat.", MOST["colonists"])] = 0
    stored_worlds: Annotated[int, _whole("Worlds on the stockpile mat.", MOST["stored_worlds"])] = 0
    stored_goods: Annotated[int, _whole("Goods on the stockpile mat.", MOST["stored_goods"])] = 0
    stored_credits: Annotated[int, _whole("Credits on the stockpile mat.", MOST["stored_credits"])] = 0
    home_replaced: Annotated[bool, Meta(description="Whether another world was put in the home's place.")] = (
        False
    )
    worth: Annotated[
        dict[str, int],
        Meta(description="Points the table counted itself: by tile for a '?', by goal for a goal."),
    ] = msgspec.field(default_factory=dict)


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A finished table of New Frontiers."""

    game: Annotated[str, Meta(description="Which game it is.")]
    seats: Annotated[tuple[Seat, ...], Meta(description="The players.")]
    goals: Annotated[
        tuple[str, ...], Meta(description="Ids of the goals in play, kept face up or down.")
    ] = ()
    tiles: Annotated[
        dict[str, dict[str, Any]],
        Meta(description="What is printed on tiles nobody taught, as it would be taught."),
    ] = msgspec.field(default_factory=dict)


class Table(Struct, frozen=True):
    """A position, and all that is known about the tiles in it."""

    position: Position
    tiles: dict[str, Tile]

    def empire(self, seat: Seat) -> tuple[Tile, ...]:
        """The tiles of a seat, each once, without what is none."""
        return tuple(self.tiles[id] for id in dict.fromkeys(seat.empire) if id in self.tiles)

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The goals in play, in the order of the box."""
        return tuple(goal for goal in printed_goals() if goal in self.position.goals)


@cache
def _box() -> Box:
    return read_box(__package__)


def position_of(raw: dict[str, Any], taught: Facts | None = None) -> Table:
    """The table in these plain JSON values, of a box with these facts; raises `DataTrouble` with all problems."""
    box = everything().taught(taught or {})
    read: list[Table] = []

    def status(position: Position) -> tuple[Text, ...]:
        wrong, tiles = tiles_told(position.tiles, box)
        read.append(Table(position, tiles))
        return tuple(chain(_problems(read[0]), wrong))

    positions.checked(raw, Position, status)
    return read[0]


def _problems(table: Table) -> Iterator[Text]:
    """Everything that cannot be right about this table; nothing if it can be scored."""
    position = table.position
    yield from _head_problems(position)
    seats = [(_where(i, position), seat) for i, seat in enumerate(position.seats)]
    for where, seat in seats:
        yield from _tile_problems(where, seat, table)
        yield from seat_problems(where, seat, table)
        yield from missing(where, seat, table)
    yield from shared_problems(seats, table)
    lying = {id for seat in position.seats for id in seat.empire}
    for id in position.tiles:
        if id in empire_tiles() and id not in lying:
            yield say("frontiers.position.stranger", id=quoted(id))


def _where(index: int, position: Position) -> str:
    """The seat's name, or its place in the file while the name does not tell it."""
    return seat_called(index, [seat.name for seat in position.seats])


def _head_problems(position: Position) -> Iterator[Text]:
    yield from head_problems(_box(), position.game, [seat.name for seat in position.seats])
    for goal in dict.fromkeys(position.goals):
        if goal not in ids("goals"):
            yield unknown("goals", goal, ids("goals"))
        elif position.goals.count(goal) > 1:
            yield say("frontiers.position.twice", where="goals", id=quoted(goal))


def _tile_problems(where: str, seat: Seat, table: Table) -> Iterator[Text]:
    for id in dict.fromkeys(seat.empire):
        if id not in table.tiles:
            yield unknown(where, id, empire_tiles())
        elif seat.empire.count(id) > 1:
            yield say("frontiers.position.twice", where=where, id=quoted(id))


# Counting


def sheet(table: Table) -> Sheet:
    """The sheet of a table without problems."""
    seats = [_counted(seat, table) for seat in table.position.seats]
    sheet = scoring.score(seats, goals_of(table.goals))
    return with_told_names(sheet, table.tiles, everything().by_id, REFINERY)


def _counted(seat: Seat, table: Table) -> scoring.Seat:
    tiles = tuple(
        msgspec.structs.replace(tile.for_scoring, worth=seat.worth[tile.id])
        if tile.id in seat.worth
        else tile.for_scoring
        for tile in table.empire(seat)
    )
    return scoring.Seat(
        name=seat.name,
        tiles=tiles,
        chips=seat.chips,
        credits=seat.credits,
        goods=len(seat.goods),
        colonists=seat.colonists,
        stored_worlds=seat.stored_worlds,
        stored_goods=seat.stored_goods,
        stored_credits=seat.stored_credits,
        counted={goal: seat.worth[goal] for goal in table.goals if goal in seat.worth},
    )


def asked(
    tableaux: Tableaux, choices: dict[str, str], ask: Callable[[Counter], int], taught: Facts | None = None
) -> dict[str, Any]:
    """The plain position of empires somebody saw; what cannot be seen and nobody taught is asked for."""
    box = everything().taught(taught or {})
    position = score_questions.position_told(tableaux, choices, box, ask)
    score_questions.counted_told(position, box, ask)
    tied = sheet(position_of(position, taught)).tied
    score_questions.ties_told(position, tied, box, ask)
    return position


def told(position: dict[str, Any]) -> Facts:
    """What a position tells of tiles, as it would be taught."""
    return {f"{id}.{field}": value for id, of in position["tiles"].items() for field, value in of.items()}


# As a schema


def schema() -> dict[str, Any]:
    """A JSON Schema of positions, with the names of all tiles and goals and what can be told about them."""
    made = msgspec.json.schema(Position)
    position, seat = (made["$defs"][name]["properties"] for name in ("Position", "Seat"))
    position["game"]["const"] = _box().id
    position["seats"] |= {"minItems": min(_box().seats), "maxItems": max(_box().seats)}
    position["goals"] |= {"items": {"enum": list(ids("goals"))}, "uniqueItems": True}
    position["tiles"] |= _object({id: {"$ref": f"#/$defs/{_sort(id)}"} for id in empire_tiles()})
    seat["name"]["minLength"] = 1
    seat["empire"] |= {"items": {"enum": list(empire_tiles())}, "minItems": 1, "uniqueItems": True}
    colonies = [id for id in empire_tiles() if isinstance(everything()[id], World)]
    with_kind = [f"{id}:{kind}" for id in colonies for kind in KINDS]
    seat["goods"] |= {"items": {"enum": [*colonies, *with_kind]}, "uniqueItems": True}
    number = {"type": "integer", "minimum": 0, "maximum": WORTH}
    seat["worth"] |= _object(dict.fromkeys((*empire_tiles(), *ids("goals")), number))
    made["$defs"] |= {_sort(id): _object(_fields(id)) for id in reversed(empire_tiles())}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "additionalProperties": False}


def _sort(id: str) -> str:
    """What can be told is the same for all tiles of a sort."""
    return " ".join([type(everything()[id]).__name__, *_fields(id)])


@cache
def _fields(id: str) -> dict[str, Any]:
    rows = (row.field for row in printed(everything()[id]))
    return {field: form_schema(form) for field in rows if (form := teachable_form(id, field)) is not None}


EXAMPLES: tuple[dict[str, Any], ...] = (
    {
        "game": "frontiers",
        "goals": ["conscription", "diversification"],
        "tiles": {
            "home-3a": {"points": 1, "product": "rare-production"},
            "world-17": {"price": "defence-3", "product": "genes-windfall", "points": 2, "keywords": []},
            "home-5b": {"points": 0, "product": "gray"},
            "pan-galactic-league": {"keywords": []},
        },
        "seats": [
            {
                "name": "Ania",
                "empire": ["home-3a", "world-17", "pan-galactic-league", "space-marines"],
                "chips": 12,
                "credits": 4,
                "goods": ["world-17"],
                "colonists": 5,
            },
            {
                "name": "Bartek",
                "empire": ["home-5b", "artist-settlement", "new-economy"],
                "chips": 15,
                "worth": {"new-economy": 6},
            },
        ],
    },
)

POSITIONS = Positions(
    position_of=position_of,
    sheet=sheet,
    schema=schema,
    asked=asked,
    examples=EXAMPLES,
    told=told,
    teachable=True,
)
