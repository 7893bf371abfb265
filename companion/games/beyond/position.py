"""A finished Beyond the Sun table played without the companion: read it, report every error, score it.

Most printed facts are not in our data. Facts the owner taught are used; others are given in the file's
`cards`, in the form in which they would be taught. Alternatively the file gives the points of a card or of a
whole step in `worth`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core import positions
from companion.core.components import Facts, told_names
from companion.core.parts import Positions, Tableaux
from companion.core.positions import quoted
from companion.core.table_files import Asked, AskNumber, schema_of
from companion.core.words import Text, plain, say
from companion.games.beyond import score_questions
from companion.games.beyond.position_cards import FACTS, Cards, both_editions, box_with
from companion.games.beyond.position_limits import problems
from companion.games.beyond.position_needs import missing, tie_problems, ties_missing
from companion.games.beyond.position_table import (
    BOARDS,
    EDITIONS,
    Position,
    Seat,
    Table,
    for_scoring,
    game_box,
    read,
)
from scoring import beyond as scoring
from scoring.sheet import Sheet


def position_of(raw: dict[str, Any], taught: Facts | None = None) -> Table:
    """The table in these JSON values, with the taught facts; raises `DataTrouble` with all problems."""
    return _table(raw, taught, lambda table: tie_problems(sheet(table), table))


def _table(raw: dict[str, Any], taught: Facts | None, last: Callable[[Table], Any]) -> Table:
    """The same; the check `last` runs only if all other checks pass."""
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
    yield from position.head_problems(game_box())
    for field, known in (("edition", EDITIONS), ("boards", BOARDS)):
        word = getattr(position, field)
        if word not in known:
            yield say("beyond.position.no-key", where=field, id=quoted(word), known=tuple(map(plain, known)))


# Counting


def sheet(table: Table) -> Sheet:
    """The score sheet of a table without problems."""
    made = scoring.score([for_scoring(faction, table) for faction in table.factions])
    told = {id for seat in made.seats for line in seat.lines for id in line.because}
    boxed, known = table.cards.by_id, both_editions().by_id
    names = told_names({id: one for id, one in boxed.items() if id in told}, known)
    return replace(made, names=names) if names else made


def asked(
    tableaux: Tableaux, choices: dict[str, str], ask: AskNumber, taught: Facts | None = None
) -> dict[str, Any]:
    """Build a position from each seat's tableau, asking for facts that are neither visible nor taught."""
    about = [Asked("beyond", Seat, n, name, ask) for n, name in enumerate(tableaux)]
    position = score_questions.position_told(tableaux, choices, box_with(taught), about)

    def current() -> Table:
        cards = Cards(box_with(taught))
        cards.tell(position["cards"])
        return read(msgspec.convert(position, Position), cards)[0]

    score_questions.printed_told(position, current, about)
    while True:
        table = _table(position, taught, lambda table: ())
        wanted = ties_missing(sheet(table), table)
        if wanted is None:
            return position
        score_questions.ties_told(position, {faction.seat.name for faction in wanted[0]}, wanted[1], about)


# As a schema


def schema() -> dict[str, Any]:
    """A JSON Schema of positions, with the ids of all cards and the facts that may be given about them."""
    made = schema_of(Position, game_box())
    made["$defs"] |= FACTS.definitions(card.id for card in both_editions())
    return made


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
    told=FACTS.as_taught,
    teachable=True,
)
