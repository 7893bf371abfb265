"""A table of Beyond the Sun that was played without us: read it, say all that cannot be right about it, score it.

Nobody knows what most cards print. What the owner of the box taught is used; what nobody taught is told in the file, in
`cards`, as it would be taught; or the table counts a card or a whole step itself and tells the points, in `worth`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core import positions
from companion.core.components import Facts, told_names
from companion.core.counters import Counter
from companion.core.fact_values import schema as form_schema
from companion.core.game import Box, read_box
from companion.core.parts import Positions, Tableaux
from companion.core.positions import head_problems, quoted
from companion.core.words import Text, plain, say
from companion.games.beyond import score_questions
from companion.games.beyond.position_cards import (
    CONTROLLED,
    PLACES,
    Cards,
    both_editions,
    box_with,
    forms,
    ids,
)
from companion.games.beyond.position_limits import BOARDS, EDITIONS, HIGHEST, problems
from companion.games.beyond.position_needs import missing, tie_problems, ties_missing
from companion.games.beyond.position_table import (
    AUTOMATED,
    COUNTS,
    DISC_PLACES,
    DISCS,
    GIVEN,
    WORTH,
    Position,
    Table,
    for_scoring,
    read,
)
from companion.games.beyond.things import CUBES, Technology
from scoring import beyond as scoring
from scoring.sheet import Sheet


@cache
def _box() -> Box:
    return read_box(__package__)


def position_of(raw: dict[str, Any], taught: Facts | None = None) -> Table:
    """The table in these plain JSON values, of a box with these facts; raises `DataTrouble` with all problems."""
    return _table(raw, taught, lambda table: tie_problems(sheet(table), table))


def _table(raw: dict[str, Any], taught: Facts | None, last: Callable[[Table], Any]) -> Table:
    """The same; what is `last` is looked at where everything else is right."""
    made: list[Table] = []

    def status(position: Position) -> tuple[Text, ...]:
        cards = Cards(box_with(taught))
        told = cards.tell(position.cards)
        table, wrong = read(position, cards)
        made.append(table)
        found = [*_head_problems(position), *told, *wrong, *problems(table)]
        found += [text for faction in table.factions for text in missing(faction, table)]
        return tuple(found or last(table))

    positions.checked(raw, Position, status)
    return made[0]


def _head_problems(position: Position) -> Iterator[Text]:
    yield from head_problems(_box(), position.game, [seat.name for seat in position.seats])
    for field, known in (("edition", EDITIONS), ("boards", BOARDS)):
        word = getattr(position, field)
        if word not in known:
            yield say("beyond.position.no-key", where=field, id=quoted(word), known=tuple(map(plain, known)))


# Counting


def sheet(table: Table) -> Sheet:
    """The sheet of a table without problems."""
    made = scoring.score([for_scoring(faction, table) for faction in table.factions])
    told = {id for seat in made.seats for line in seat.lines for id in line.because}
    boxed, known = table.cards.by_id, both_editions().by_id
    names = told_names({id: boxed[id] for id in told if id in boxed}, known)
    return replace(made, names=names) if names else made


def asked(
    tableaux: Tableaux, choices: dict[str, str], ask: Callable[[Counter], int], taught: Facts | None = None
) -> dict[str, Any]:
    """The plain position of what is each seat's; what cannot be seen and nobody taught is asked for."""
    position = score_questions.position_told(tableaux, choices, box_with(taught), ask)

    def look() -> Table:
        cards = Cards(box_with(taught))
        cards.tell(position["cards"])
        return read(msgspec.convert(position, Position), cards)[0]

    score_questions.printed_told(position, look, ask)
    while True:
        table = _table(position, taught, lambda table: ())
        wanted = ties_missing(sheet(table), table)
        if wanted is None:
            return position
        score_questions.ties_told(position, {faction.seat.name for faction in wanted[0]}, wanted[1], ask)


def told(position: dict[str, Any]) -> Facts:
    """What a position tells of cards and boards, as it would be taught."""
    return {f"{id}.{field}": value for id, of in position["cards"].items() for field, value in of.items()}


# As a schema


def schema() -> dict[str, Any]:
    """A JSON Schema of positions, with the ids of all cards and what can be told about them."""
    made = msgspec.json.schema(Position)
    position, seat = (made["$defs"][name]["properties"] for name in ("Position", "Seat"))
    position["game"]["const"] = _box().id
    position["seats"] |= {"minItems": min(_box().seats), "maxItems": max(_box().seats)}
    position["edition"]["enum"] = list(EDITIONS)
    position["boards"]["enum"] = list(BOARDS)
    told = {card.id: f"#/$defs/{_sort(card.id)}" for card in both_editions() if _fields(card.id)}
    position["cards"] |= _object({id: {"$ref": sort} for id, sort in told.items()})
    seat["name"]["minLength"] = 1
    private = [id for id in ids("technology") if _level(id) in (2, 3)]
    claims = [f"{id}#{n}" for id in ids("achievement") for n in range(1, max(_box().seats) + 1)]
    lists = {
        "technologies": ids("technology"),
        "private": private,
        "systems": ids("system"),
        "bases": (*CONTROLLED, *ids("system")),
        "events": ids("event"),
        "achievements": (*ids("achievement"), *claims),
    }
    for field, known in lists.items():
        seat[field] |= {"items": {"enum": list(known)}, "uniqueItems": True}
    seat["board"]["enum"] = ["", *ids("board")]
    level = {"type": "integer", "minimum": 1, "maximum": HIGHEST}
    ships = {"type": "array", "items": level}
    seat["ships"] |= _object(dict.fromkeys((*PLACES, *ids("system")), ships))
    seat["strength"] |= _object(dict.fromkeys(PLACES, _number(HIGHEST * CUBES)))
    seat["counts"] |= _object({what: _number(most) for what, most in COUNTS.items()})
    lying = _object(dict.fromkeys(DISC_PLACES, _number(AUTOMATED)))
    seat["discs"] |= _object(dict.fromkeys(DISCS, lying))
    counted = (*GIVEN, *(id for id in ids("technology") if _level(id) == 4))
    cards = (*counted, *ids("system"), *ids("event"), *ids("achievement"))
    seat["worth"] |= _object(dict.fromkeys(cards, _number(WORTH)))
    made["$defs"] |= {
        _sort(card.id): _object(_fields(card.id)) for card in both_editions() if _fields(card.id)
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "additionalProperties": False}


def _number(most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 0, "maximum": most}


def _level(id: str) -> int:
    card = both_editions()[id]
    assert isinstance(card, Technology)
    return card.level


def _sort(id: str) -> str:
    """What can be told is the same for all cards of a sort."""
    return "-".join([type(both_editions()[id]).__name__, *_fields(id)])


@cache
def _fields(id: str) -> dict[str, Any]:
    return {field: form_schema(form) for field, form in forms(id).items()}


EXAMPLES: tuple[dict[str, Any], ...] = (
    {
        "game": "beyond",
        "cards": {
            "basic-boards": {
                "automation": dict(
                    zip(
                        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh"),
                        (0, 0, 1, 0, 1, 0, 2),
                        strict=True,
                    )
                )
            },
            "kapteyns-star": {"points": 6},
            "parallel-universe-generator": {"points": 8},
            "empire": {"slots": [{"slot_points": 5}, {"slot_points": 3}]},
        },
        "seats": [
            {
                "name": "Ania",
                "technologies": ["terraforming", "advanced-genetics", "parallel-universe-generator"],
                "counts": {"level-2": 3, "level-3": 2},
                "automation": 8,
                "systems": ["tau-ceti", "kapteyns-star"],
                "bases": ["sirius", "yard-1"],
                "ships": {"sol": [1, 2], "deep-space": [4], "sirius": [2]},
                "events": ["kc-24x"],
                "achievements": ["empire#2", "transcendence"],
                "worth": {"transcendence": 4},
                "food_discs": 2,
                "ore_discs": 1,
                "population": 1,
                "ore": 3,
            },
            {
                "name": "Bartek",
                "counts": {"level-1": 4, "level-2": 2, "private-3": 1, "systems": 4, "bases": 1},
                "ships": {"sol": [3]},
                "achievements": ["empire#1"],
                "worth": {"automation": 2, "systems": 19},
                "food_discs": 4,
                "ore_discs": 3,
                "population": 2,
                "ore": 0,
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
