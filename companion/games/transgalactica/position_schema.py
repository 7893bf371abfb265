"""The allowed items of the lists in a position file, for its schema."""

from __future__ import annotations

from typing import Any

from companion.games.transgalactica.component_types import OUTPOSTS, Mission, Planet, everything
from companion.games.transgalactica.position_ids import DETAILS, known
from companion.games.transgalactica.position_limits import OBJECTIVES


def technologies() -> tuple[str, ...]:
    """The ids of all technologies."""
    return known("technologies")


def objectives() -> dict[str, Any]:
    """Two different objectives."""
    both = {"minItems": OBJECTIVES, "maxItems": OBJECTIVES}
    return {"items": {"enum": list(known("objectives"))}, "uniqueItems": True, **both}


def outposts() -> dict[str, Any]:
    """Planets, optionally with a place."""
    return {"items": _either("outposts"), "minItems": 1, "maxItems": OUTPOSTS}


def missions() -> dict[str, Any]:
    """Missions, optionally with a type."""
    return {"items": _either("missions")}


def _either(field: str) -> dict[str, Any]:
    return {"anyOf": [{"enum": _words(field)}, _object(field, *DETAILS[field])]}


def _details(field: str, id: str) -> tuple[str, ...]:
    """The allowed details after the colon: the number of a place, or the type of a mission."""
    thing = everything()[id]
    if isinstance(thing, Planet):
        return tuple(str(n) for n in range(1, thing.room + 1))
    return thing.types if isinstance(thing, Mission) else ()


def _words(field: str) -> list[str]:
    with_details = [f"{id}:{detail}" for id in known(field) for detail in _details(field, id)]
    return [*known(field), *with_details]


def _object(field: str, thing: str, detail: str) -> dict[str, Any]:
    """An item as an object: `{"planet": "multi-mining", "slot": 1}`."""
    said = [value for id in known(field) for value in _details(field, id)]
    values: list[Any] = [int(value) if value.isdecimal() else value for value in dict.fromkeys(said)]
    return {
        "type": "object",
        "properties": {thing: {"enum": list(known(field))}, detail: {"enum": [*values, None]}},
        "required": [thing],
        "additionalProperties": False,
    }
