"""What a file with a finished table may say, as a JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.game import Box
from companion.games.transgalactica.position_ids import DETAILS, known
from companion.games.transgalactica.position_limits import OBJECTIVES
from companion.games.transgalactica.things import OUTPOSTS, Mission, Planet, everything


def described(made: dict[str, Any], box: Box, options: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The schema of a position with the ids of all things, and what can be agreed on."""
    position, seat = (made["$defs"][name]["properties"] for name in ("Position", "Seat"))
    position["game"]["const"] = box.id
    position["seats"] |= {"minItems": min(box.seats), "maxItems": max(box.seats)}
    position["technologies"] |= {"items": {"enum": list(known("technologies"))}, "uniqueItems": True}
    for option, values in options.items():
        position[option]["enum"] = list(values)
    seat["name"]["minLength"] = 1
    for field, details in DETAILS.items():
        seat[field] |= {"items": {"anyOf": [{"enum": _words(field)}, _object(field, *details)]}}
    seat["technologies"] |= {"items": {"enum": list(known("technologies"))}, "uniqueItems": True}
    seat["objectives"] |= {"items": {"enum": list(known("objectives"))}, "uniqueItems": True}
    seat["objectives"] |= {"minItems": OBJECTIVES, "maxItems": OBJECTIVES}
    seat["outposts"] |= {"minItems": 1, "maxItems": OUTPOSTS}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def _details(field: str, id: str) -> tuple[str, ...]:
    """What can stand behind the colon: the number of a place, or the type of a mission."""
    thing = everything()[id]
    if isinstance(thing, Planet):
        return tuple(str(n) for n in range(1, thing.room + 1))
    return thing.types if isinstance(thing, Mission) else ()


def _words(field: str) -> list[str]:
    with_details = [f"{id}:{detail}" for id in known(field) for detail in _details(field, id)]
    return [*known(field), *with_details]


def _object(field: str, thing: str, detail: str) -> dict[str, Any]:
    """The same as an object: `{"planet": "multi-mining", "slot": 1}`."""
    said = [value for id in known(field) for value in _details(field, id)]
    values: list[Any] = [int(value) if value.isdecimal() else value for value in dict.fromkeys(said)]
    return {
        "type": "object",
        "properties": {thing: {"enum": list(known(field))}, detail: {"enum": [*values, None]}},
        "required": [thing],
        "additionalProperties": False,
    }
