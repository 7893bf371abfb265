"""The names a position may use: ids, or what people would write."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from companion.core import table_files
from companion.core.components import Catalogue, Component
from companion.core.words import Text
from companion.games.transgalactica.component_types import Sort, ids
from companion.games.transgalactica.state import NIGHTMARE

SORTS: dict[str, Sort] = {
    "outposts": "planets",
    "technologies": "technologies",
    "missions": "missions",
    "objectives": "objectives",
}
"""The lists of a seat that name components."""
PREFIXES = ("objective-", "mission-")
DETAILS = {"outposts": ("planet", "slot"), "missions": ("mission", "type")}
"""Items of these lists may be objects: `{"planet": "multi-mining", "slot": 1}` means `multi-mining:1`."""


@cache
def known(field: str) -> tuple[str, ...]:
    """The ids allowed in a list of a seat."""
    return tuple(id for id in ids(SORTS[field]) if id != NIGHTMARE)


def unknown(where: str, word: str, field: str) -> Text:
    """An error: nothing has this name; suggests similar ones."""
    return table_files.unknown("transgalactica.position.unknown", word, known(field), where=where)


def tidied(raw: dict[str, Any], box: Catalogue[Component]) -> dict[str, Any]:
    """The plain values with every unambiguous name replaced by its id."""
    tidy = dict(raw)
    if isinstance(raw.get("technologies"), list):
        tidy["technologies"] = _listed(raw["technologies"], "technologies", box)
    if isinstance(raw.get("seats"), list):
        tidy["seats"] = [_seat(seat, box) if isinstance(seat, dict) else seat for seat in raw["seats"]]
    return tidy


def _seat(seat: dict[str, Any], box: Catalogue[Component]) -> dict[str, Any]:
    return {
        field: _listed(value, field, box) if field in SORTS and isinstance(value, list) else value
        for field, value in seat.items()
    }


def _listed(items: list[Any], field: str, box: Catalogue[Component]) -> list[Any]:
    flat = (_flat(item, field) for item in items)
    return [_called(item, field, box) if isinstance(item, str) else item for item in flat]


def _flat(item: Any, field: str) -> Any:
    """An object with a component and a detail as one word; anything else unchanged."""
    thing, detail = DETAILS.get(field, ("", ""))
    if (
        not isinstance(item, dict)
        or not item.keys() <= {thing, detail}
        or not isinstance(item.get(thing), str)
    ):
        return item
    said = item.get(detail)
    if said is None:
        return item[thing]
    simple = isinstance(said, str | int) and not isinstance(said, bool)
    return f"{item[thing]}:{said}" if simple else item


def _called(word: str, field: str, box: Catalogue[Component]) -> str:
    thing, colon, detail = word.partition(":")
    if thing in known(field):
        return word
    found = _names(field, _told(field, box)).get(_folded(thing))
    return f"{found}{colon}{detail.strip()}" if found else word


def _told(field: str, box: Catalogue[Component]) -> tuple[tuple[str, str], ...]:
    return tuple((id, name) for id in known(field) for name in box.spoken[id])


@cache
def _names(field: str, called: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Ids by every spelling people may use, without ambiguous ones."""
    found: dict[str, set[str]] = {}
    for id, name in called:
        short = next((id.removeprefix(prefix) for prefix in PREFIXES if id.startswith(prefix)), id)
        for word in (id, short, name):
            found.setdefault(_folded(word), set()).add(id)
    return {word: next(iter(meant)) for word, meant in found.items() if len(meant) == 1}


def _folded(word: str) -> str:
    """A word in a uniform spelling: lower case, with blanks, hyphens and brackets unified."""
    return re.sub(r"[\W_]+", "-", word.casefold()).strip("-")
