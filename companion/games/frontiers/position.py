"""A table of New Frontiers that was played without this program: read it, list its problems, score it.

Most printed facts of the tiles are unknown. Facts the owner of the box taught are used. For the others, the
file gives the facts in `tiles`, in the form of taught facts, or the points the players counted for a '?' in
`worth`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core import positions
from companion.core.components import Facts
from companion.core.game import Box, read_box
from companion.core.parts import Positions, Tableaux, with_told_names
from companion.core.positions import quoted
from companion.core.table_files import (
    Asked,
    AskNumber,
    SeatFile,
    TableFile,
    numbers_by,
    schema_of,
    shaped,
    whole,
)
from companion.core.table_files import (
    ids as listed,
)
from companion.core.words import Text, say
from companion.games.frontiers import score_questions
from companion.games.frontiers.component_types import Tile, World, everything, ids
from companion.games.frontiers.position_facts import FACTS, empire_tiles, tiles_told, unknown
from companion.games.frontiers.position_limits import (
    CHIPS,
    COLONISTS,
    CREDITS,
    STORED,
    WORTH,
    seat_problems,
    shared_problems,
)
from companion.games.frontiers.position_needs import missing
from companion.games.frontiers.sheet import REFINERY, goals_of, printed_goals, seat_counted
from scoring import frontiers as scoring
from scoring.frontiers import KINDS, Goal
from scoring.sheet import Sheet


def _goods() -> list[str]:
    """Every way to write a good: the colony it lies on, perhaps with its kind."""
    colonies = [id for id in empire_tiles() if isinstance(everything()[id], World)]
    return [*colonies, *(f"{id}:{kind}" for id in colonies for kind in KINDS)]


def _goals() -> tuple[str, ...]:
    return ids("goals")


def _counted_itself() -> dict[str, int]:
    return dict.fromkeys((*empire_tiles(), *ids("goals")), WORTH)


def _teachable() -> dict[str, Any]:
    return FACTS.shape(empire_tiles())


def _stored(what: str, field: str) -> Meta:
    return whole(f"{what} on the stockpile mat.", printed_goals()[STORED[field]].steps[-1][0])


class Seat(SeatFile, frozen=True):
    """One player's empire after the last round, without explored worlds."""

    empire: Annotated[
        tuple[str, ...],
        listed(
            "Ids of the colonies, the home among them, and of the developments; nothing explored.",
            empire_tiles,
            least=1,
        ),
    ]
    chips: Annotated[int, whole("Points on the victory point chips.", CHIPS)]
    credits: Annotated[int, whole("Credits; they break ties.", CREDITS)] = 0
    goods: Annotated[
        tuple[str, ...],
        listed("Ids of the colonies with a good on them; `:genes` behind one tells its kind.", _goods),
    ] = ()
    colonists: Annotated[int, whole("Unused colonists on the mat.", COLONISTS)] = 0
    stored_worlds: Annotated[int, _stored("Worlds", "stored_worlds")] = 0
    stored_goods: Annotated[int, _stored("Goods", "stored_goods")] = 0
    stored_credits: Annotated[int, _stored("Credits", "stored_credits")] = 0
    home_replaced: Annotated[bool, Meta(description="Whether another world was put in the home's place.")] = (
        False
    )
    worth: Annotated[
        dict[str, int],
        numbers_by(
            "Points the table counted itself: by tile for a '?', by goal for a goal.", _counted_itself
        ),
    ] = msgspec.field(default_factory=dict)


class Position(TableFile, frozen=True):
    """A finished table of New Frontiers."""

    seats: Annotated[tuple[Seat, ...], Meta(description="The players.")]
    goals: Annotated[tuple[str, ...], listed("Ids of the goals in play, kept face up or down.", _goals)] = ()
    tiles: Annotated[
        dict[str, dict[str, Any]],
        shaped("What is printed on tiles nobody taught, as it would be taught.", _teachable),
    ] = msgspec.field(default_factory=dict)


class Table(Struct, frozen=True):
    """A position, and everything known about its tiles."""

    position: Position
    tiles: dict[str, Tile]

    def empire(self, seat: Seat) -> tuple[Tile, ...]:
        """The tiles of a seat, each once, without ids that are not tiles."""
        return tuple(self.tiles[id] for id in dict.fromkeys(seat.empire) if id in self.tiles)

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The goals in play, in the order of the box."""
        return tuple(goal for goal in printed_goals() if goal in self.position.goals)


@cache
def _box() -> Box:
    return read_box(__package__)


def position_of(raw: dict[str, Any], taught: Facts | None = None) -> Table:
    """The table in these plain JSON values, for a box with these facts; raises `DataTrouble` with all problems."""
    box = everything().taught(taught or {})
    read: list[Table] = []

    def status(position: Position) -> tuple[Text, ...]:
        wrong, tiles = tiles_told(position.tiles, box)
        read.append(Table(position, tiles))
        return tuple(chain(_problems(read[0]), wrong))

    positions.checked(raw, Position, status)
    return read[0]


def _problems(table: Table) -> Iterator[Text]:
    """Everything impossible about this table; nothing if it can be scored."""
    position = table.position
    yield from _head_problems(position)
    seats = list(zip(position.called(), position.seats, strict=True))
    for where, seat in seats:
        yield from _tile_problems(where, seat, table)
        yield from seat_problems(where, seat, table)
        yield from missing(where, seat, table)
    yield from shared_problems(seats, table)
    lying = {id for seat in position.seats for id in seat.empire}
    for id in position.tiles:
        if id in empire_tiles() and id not in lying:
            yield say("frontiers.position.stranger", id=quoted(id))


def _head_problems(position: Position) -> Iterator[Text]:
    yield from position.head_problems(_box())
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
    stored = seat.stored_worlds, seat.stored_goods
    return seat_counted(seat, table.empire(seat), len(seat.goods), stored, seat.worth, table.goals)


def asked(
    tableaux: Tableaux, choices: dict[str, str], ask: AskNumber, taught: Facts | None = None
) -> dict[str, Any]:
    """The plain position of recognised empires; facts that are neither visible nor taught are asked for."""
    box = everything().taught(taught or {})
    about = [Asked("frontiers", Seat, n, name, ask) for n, name in enumerate(tableaux)]
    position = score_questions.position_told(tableaux, choices, box, about)
    score_questions.counted_told(position, box, about)
    tied = sheet(position_of(position, taught)).tied
    score_questions.ties_told(position, tied, box, about)
    return position


# As a schema


def schema() -> dict[str, Any]:
    """A JSON Schema of positions, with the names of all tiles and goals and the values their fields can have."""
    made = schema_of(Position, _box())
    made["$defs"] |= FACTS.definitions(reversed(empire_tiles()))
    return made


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
    told=FACTS.as_taught,
    teachable=True,
)
