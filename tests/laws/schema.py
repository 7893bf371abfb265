"""The part of JSON Schema that our positions and facts use, to compare a schema with what is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

KINDS: dict[str, type[Any] | tuple[type[Any], ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
NOTES = {"$schema", "$defs", "title", "description", "default", "type", "additionalProperties"}


def faults(value: Any, schema: dict[str, Any]) -> list[str]:
    """Everything about these plain values that the schema does not allow."""
    return list(_faults(value, schema, schema.get("$defs", {}), "position"))


def _faults(value: Any, rule: dict[str, Any], defs: dict[str, Any], where: str) -> Iterator[str]:
    if "type" in rule and (
        not isinstance(value, KINDS[rule["type"]]) or isinstance(value, bool) != (rule["type"] == "boolean")
    ):
        yield f"{where} is no {rule['type']}"
        return
    for name, wanted in rule.items():
        if name == "$ref":
            yield from _faults(value, defs[wanted.rpartition("/")[2]], defs, where)
        elif name == "anyOf":
            if all(list(_faults(value, one, defs, where)) for one in wanted):
                yield f"{where} is none of these"
        elif name == "properties":
            for field in value.keys() & wanted.keys():
                yield from _faults(value[field], wanted[field], defs, f"{where}.{field}")
            if rule.get("additionalProperties") is False:
                yield from (f"{where}.{field} is unknown" for field in value.keys() - wanted.keys())
        elif name == "required":
            yield from (f"{where}.{field} is missing" for field in wanted if field not in value)
        elif name == "items":
            for n, item in enumerate(value):
                yield from _faults(item, wanted, defs, f"{where}[{n}]")
        elif name not in NOTES and not _allows(name, wanted, value):
            yield f"{where} is not as {name} says"


def _allows(name: str, wanted: Any, value: Any) -> bool:
    match name:
        case "const":
            return bool(value == wanted)
        case "enum":
            return any(type(one) is type(value) and one == value for one in wanted)
        case "minimum":
            return bool(value >= wanted)
        case "maximum":
            return bool(value <= wanted)
        case "minLength" | "minItems":
            return len(value) >= wanted
        case "maxItems" | "maxLength":
            return len(value) <= wanted
        case "pattern":
            return re.search(wanted, value) is not None
        case "uniqueItems":
            return all(one not in value[:n] for n, one in enumerate(value))
    raise NotImplementedError(name)
