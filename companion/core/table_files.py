"""Files with a finished table: what a field may hold is declared once, for schema, problems and questions.

A field's `Meta` may call a function for its words; it must be a named function, because annotations are
evaluated where lambdas cannot see the module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct, inspect

from companion.core.counters import Correctable, choice
from companion.core.positions import head_problems, near, quoted, seat_called
from companion.core.words import Argument, Text, say

if TYPE_CHECKING:
    from companion.core.game import Box

AskNumber = Callable[[Correctable], int]
"""Returns a value that cannot be seen on the table."""
Shape = Callable[[], Mapping[str, Any]]
"""What the schema of a field says besides its type; called lazily, as it may list every card of a box."""


# Fields


def whole(description: str, most: int, least: int = 0) -> Meta:
    """A number with bounds; decoding does not enforce them, so that all problems are reported at once."""
    return Meta(description=description, extra_json_schema={"minimum": least, "maximum": most})


def shaped(description: str, shape: Shape) -> Meta:
    """A field whose schema says more than its type."""
    return Meta(description=description, extra={"shape": shape})


def one_of(description: str, known: Callable[[], Iterable[str]] | Iterable[str]) -> Meta:
    """One of these words."""
    return shaped(description, lambda: {"enum": list(known() if callable(known) else known)})


def ids(
    description: str, known: Callable[[], Iterable[str | int]], least: int = 0, again: bool = False
) -> Meta:
    """A list of these words, without duplicates unless `again`."""

    def shape() -> dict[str, Any]:
        few = {"minItems": least} if least else {}
        return {"items": {"enum": list(known())}, **few, **({} if again else {"uniqueItems": True})}

    return shaped(description, shape)


def numbers_by(description: str, known: Callable[[], Mapping[str, int]] | Mapping[str, int]) -> Meta:
    """Numbers by these words, with the maximum of each."""

    def shape() -> dict[str, Any]:
        most = known() if callable(known) else known
        return by_name({word: number(n) for word, n in most.items()})

    return shaped(description, shape)


def by_name(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object with these fields and no others."""
    return {"type": "object", "properties": dict(properties), "additionalProperties": False}


def number(most: int, least: int = 0) -> dict[str, Any]:
    """The schema of a whole number."""
    return {"type": "integer", "minimum": least, "maximum": most}


# Files


class SeatFile(Struct, frozen=True, forbid_unknown_fields=True):
    """One player's part of a table; each game adds its fields."""

    name: Annotated[str, Meta(description="The player's name, different at every seat.")]


class TableFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A finished table; each game declares the type of its seats and adds its fields."""

    game: Annotated[str, Meta(description="Which game it is.")]
    seats: Annotated[tuple[SeatFile, ...], Meta(description="The players clockwise.")]

    def called(self) -> tuple[str, ...]:
        """How messages call each seat: by its name, or by its index in the file if the name is missing or not
        unique."""
        names = [seat.name for seat in self.seats]
        return tuple(seat_called(n, names) for n in range(len(names)))

    def head_problems(self, box: Box) -> Iterator[Text]:
        """What is wrong with its game, its number of players and their names."""
        return head_problems(box, self.game, [seat.name for seat in self.seats])


def schema_of(table: type[TableFile], box: Box) -> dict[str, Any]:
    """The JSON Schema of a game's files."""
    made = msgspec.json.schema(table)
    for struct in _structs(inspect.type_info(table)):
        properties = made["$defs"][struct.cls.__name__]["properties"]
        for field in struct.fields:
            if isinstance(field.type, inspect.Metadata) and field.type.extra:
                properties[field.encode_name] |= field.type.extra["shape"]()
        if issubclass(struct.cls, SeatFile):
            properties["name"]["minLength"] = 1
    position = made["$defs"][table.__name__]["properties"]
    position["game"]["const"] = box.id
    position["seats"] |= {"minItems": min(box.seats), "maxItems": max(box.seats)}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def _structs(type_: inspect.Type) -> Iterator[inspect.StructType]:
    """Every struct in a type."""
    match type_:
        case inspect.Metadata():
            yield from _structs(type_.type)
        case inspect.VarTupleType():
            yield from _structs(type_.item_type)
        case inspect.StructType():
            yield type_
            for field in type_.fields:
                yield from _structs(field.type)


@cache
def bounds(of: type[Struct]) -> dict[str, tuple[int, int]]:
    """The minimum and maximum of each bounded number of a struct, in field order."""
    info = inspect.type_info(of)
    assert isinstance(info, inspect.StructType)
    said = {
        field.name: field.type.extra_json_schema or {}
        for field in info.fields
        if isinstance(field.type, inspect.Metadata)
    }
    return {name: (rule["minimum"], rule["maximum"]) for name, rule in said.items() if "minimum" in rule}


class OutOfBounds(Struct, frozen=True):
    """A number outside its bounds."""

    field: str
    n: int
    least: int
    most: int


def out_of_bounds(of: Struct, *fields: str, **most: int) -> Iterator[OutOfBounds]:
    """The numbers of these fields, or of all, that are out of bounds; `most` may lower a declared maximum."""
    known = bounds(type(of))
    for field in fields or known:
        n, (least, high) = getattr(of, field), known[field]
        high = most.get(field, high)
        if isinstance(n, int) and not least <= n <= high:
            yield OutOfBounds(field, n, least, high)


def unknown(
    key: str, word: str, known: Iterable[str], called: str = "id", spelt: str = "", **where: Argument
) -> Text:
    """The message for an unknown word; with `-near` after the key if there are similar words."""
    meant = near(spelt or word, known)
    args: dict[str, Argument] = {**where, called: quoted(word)}
    return say(f"{key}-near", **args, near=meant) if meant else say(key, **args)


# Questions


class Asked(Struct, frozen=True):
    """Asks for the values of one seat that cannot be seen; the bounds are those of the file."""

    game: str
    of: type[SeatFile]
    n: int
    name: str
    ask: AskNumber

    def words(self, what: str, **args: Argument) -> Text:
        """The question about one value of this seat."""
        return say(f"{self.game}.position.ask-{what}", seat=self.name, **args)

    def number(self, field: str, most: int | None = None, what: str = "") -> int:
        """The value of a field; `what` if the question has another name than the field."""
        least, high = bounds(self.of)[field]
        text = self.words(what or field.replace("_", "-"))
        return self.amount(field, text, high if most is None else most, least=least)

    def amount(
        self, id: str, text: Text, most: int, begin: int = 0, least: int = 0, component: str | None = None
    ) -> int:
        """A number that is not a field, or has bounds of its own."""
        return self.ask(Correctable(f"{id}:{self.n}", self.n, text, begin, least, most, component))

    def choice(
        self,
        id: str,
        text: Text,
        begin: int,
        names: Iterable[tuple[int, Text]],
        component: str | None = None,
    ) -> int:
        """One of the values that have these names."""
        return self.ask(choice(f"{id}:{self.n}", self.n, text, begin, names, component))
