"""Finished tables as people write them: names in any language for ids, also names the file defines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.components import (
    NAME,
    NAME_FIELDS,
    Catalogue,
    Component,
    Facts,
    names_in,
    told_names,
)
from companion.core.game import Game, every_game
from companion.core.parts import Positions
from companion.core.positions import near, quoted
from companion.core.words import Text, count, say
from companion.errors import DataTrouble
from companion.texts import fold
from scoring.sheet import Sheet

NAMES = "names"
"""The field of a position that defines names: `{"sirius": {"pl": "Syriusz"}}`, or one name for all languages."""

Schema = Mapping[str, Any]


class Spoken(Struct, frozen=True):
    """A position, and the components for which it defines names."""

    position: Any
    named: Catalogue[Component]


def spoken(rules: Game, of: Positions, facts: Facts) -> Positions:
    """How the tables of a game are read and scored, with names of components accepted in place of ids."""
    taught = _box(rules.id).taught(names_in(facts))

    def understood(raw: dict[str, Any], box: Catalogue[Component]) -> dict[str, Any]:
        plain = {key: value for key, value in raw.items() if key != NAMES}
        found: dict[str, Any] = _with_ids(plain, _schema(rules.id), _schema(rules.id), box)
        return found

    def position_of(raw: dict[str, Any]) -> Spoken:
        box = taught.taught(_told(rules, raw, taught))
        return Spoken(of.position_of(understood(raw, box)), box)

    def sheet(position: Spoken) -> Sheet:
        made = of.sheet(position.position)
        told = told_names(position.named.by_id, _box(rules.id).by_id)
        shown = {what for seat in made.seats for line in seat.lines for what in (line.what, *line.because)}
        return replace(made, names={**{id: told[id] for id in told if id in shown}, **made.names})

    def told(raw: dict[str, Any]) -> Facts:
        names = _told(rules, raw, taught)
        return {**of.told(understood(raw, taught.taught(names))), **names}

    def schema() -> dict[str, Any]:
        return with_names(of.schema(), tuple(_box(rules.id).by_id))

    return replace(of, position_of=position_of, sheet=sheet, told=told, schema=schema)


@cache
def _box(game: str) -> Catalogue[Component]:
    return Catalogue(every_game()[game].every_component().values(), {})


@cache
def _schema(game: str) -> Schema:
    of = every_game()[game].positions
    assert of is not None
    return of.schema()


# Names for ids


def _with_ids(value: Any, at: Schema, whole: Schema, box: Catalogue[Component]) -> Any:
    """The same values, with names replaced by ids wherever the schema expects ids."""
    places = tuple(_alternatives(at, whole))
    if isinstance(value, str):
        return _id(value, [one for place in places for one in place.get("enum", ())], box)
    if isinstance(value, list):
        items = {"anyOf": [place["items"] for place in places if "items" in place]}
        return [_with_ids(item, items, whole, box) for item in value]
    if isinstance(value, dict):
        known = {key: inner for place in places for key, inner in place.get("properties", {}).items()}
        keys = {key: key if key in known else _id(key, known, box) for key in value}
        return {
            (keys[key] if keys[key] not in value else key): _with_ids(
                inner, known.get(keys[key], {}), whole, box
            )
            for key, inner in value.items()
        }
    return value


def _alternatives(at: Schema, whole: Schema) -> Iterator[Schema]:
    """The alternatives a schema allows here."""
    if "$ref" in at:
        yield from _alternatives(whole["$defs"][at["$ref"].rpartition("/")[2]], whole)
    elif "anyOf" in at:
        for one in at["anyOf"]:
            yield from _alternatives(one, whole)
    else:
        yield at


def _id(word: str, known: Iterable[Any], box: Catalogue[Component]) -> str:
    """The only id that a word names, with the word's suffix ("#2", ":genes"); otherwise the word itself."""
    allowed = set(known)
    for end in (len(word), *(word.rfind(sign) for sign in "#:")):
        name = fold(word[:end].strip()) if end > 0 else ""
        found = {id for id in allowed if name and id in box.by_id and name in box.spoken[id]}
        if word not in allowed and len(found) == 1:
            return f"{found.pop()}{word[end:]}"
    return word


# Names defined in the file


def _told(rules: Game, raw: dict[str, Any], box: Catalogue[Component]) -> Facts:
    """The names a position defines, as facts; raises `DataTrouble` listing everything that cannot be a name."""
    names = raw.get(NAMES, {})
    if not isinstance(names, dict):
        raise _refused([say("score.names-kind", where=NAMES)])
    facts: Facts = {}
    problems: list[Text] = []
    for word, told in names.items():
        id = _id(word, box.by_id, box)
        if id not in box.by_id:
            problems.append(say("score.names-unknown", id=quoted(word), near=near(word, box.by_id)))
            continue
        fields = (
            {f"{NAME}.{lang}": name for lang, name in told.items()}
            if isinstance(told, dict)
            else {NAME: told}
        )
        mine = {f"{id}.{field}": name for field, name in fields.items()}
        problems += rules.bad_facts(mine)
        facts |= mine
    if problems:
        raise _refused(problems)
    return facts


def _refused(problems: list[Text]) -> DataTrouble:
    return DataTrouble(count("score.problems", len(problems)), tuple(problems))


def with_names(schema: dict[str, Any], ids: tuple[str, ...]) -> dict[str, Any]:
    """The schema of a position, extended by the field that defines names."""
    name = {"type": "string", "minLength": 1, "maxLength": 60}
    languages = {field.partition(".")[2]: name for field in NAME_FIELDS if field != NAME}
    one = {"anyOf": [name, {"type": "object", "properties": languages, "additionalProperties": False}]}
    described = (
        "Names printed on components where they differ from those we know, for all languages or for each."
    )
    field = {
        "type": "object",
        "description": described,
        "properties": dict.fromkeys(ids, one),
        "additionalProperties": False,
        "default": {},
    }
    key = schema["$ref"].rpartition("/")[2]
    position = schema["$defs"][key]
    properties = {**position["properties"], NAMES: field}
    return {**schema, "$defs": {**schema["$defs"], key: {**position, "properties": properties}}}
