"""A table that was played without us: tableaux somebody saw, the few numbers that must be asked for, and its sheet."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from companion.core.game import Game, Variant
from companion.core.words import Text, count
from companion.errors import DataTrouble
from companion.score_command import positions
from scoring.sheet import Sheet

Tableaux = dict[str, tuple[str, ...]]
"""The components before each seat, by name, clockwise."""


class Outcome(Struct, frozen=True):
    """The numbers that are asked for, and the sheet, or everything that cannot be right yet."""

    asked: tuple[Text, ...]
    sheet: Sheet | None = None
    problems: tuple[Text, ...] = ()


def named(asked: Text) -> str:
    """The name of a number that is asked for: the same question has the same name every time."""
    return msgspec.json.encode(asked).decode()


def scored(rules: Game, tableaux: Tableaux, choices: dict[str, str], numbers: Mapping[str, int]) -> Outcome:
    """The sheet of these tableaux with these numbers; a number nobody told yet is nought."""
    of = positions(rules.id)
    asked: list[Text] = []

    def ask(text: Text) -> int:
        asked.append(text)
        return numbers.get(named(text), 0)

    try:
        check_seats(rules, len(tableaux))
        raw = msgspec.to_builtins(of.asked(tableaux, choices, ask))
        return Outcome(tuple(asked), of.sheet(of.position_of(raw)))
    except DataTrouble as trouble:
        return Outcome(tuple(asked), problems=trouble.problems)


def check_seats(rules: Game, seats: int) -> None:
    """Whether so many can have played this; raises `DataTrouble` if not."""
    if seats not in rules.box.seats:
        low, high = str(rules.box.seats[0]), str(rules.box.seats[-1])
        raise DataTrouble(count("core.bad-seats", seats, game=rules.box.name, low=low, high=high))


def variants(rules: Game) -> tuple[Variant, ...]:
    """What must be known about a finished table: the variants its position has a field for."""
    schema = positions(rules.id).schema()
    whole = schema["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    return tuple(variant for variant in rules.box.variants if variant.id in whole["properties"])
