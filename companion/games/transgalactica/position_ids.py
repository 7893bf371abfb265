"""What a position may call things: by their ids, or as people would write them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from companion.core.components import Catalogue, Component
from companion.core.positions import near, quoted
from companion.core.words import Text, say
from companion.games.transgalactica.state import NIGHTMARE
from companion.games.transgalactica.things import Sort, ids

SORTS: dict[str, Sort] = {
    "outposts": "planets",
    "technologies": "technologies",
    "missions": "missions",
    "objectives": "objectives",
}
"""The lists of a seat that name components."""
PREFIXES = ("objective-", "mission-")
DETAILS = {"outposts": ("planet", "slot"), "missions": ("mission", "type")}
"""What an item of these lists is as an object: `{"planet": "multi-mining", "slot": 1}` is `multi-mining:1`."""


@cache
def known(field: str) -> tuple[str, ...]:
    """The ids that can stand in a list of a seat."""
    return tuple(id for id in ids(SORTS[field]) if id != NIGHTMARE)


def unknown(where: str, word: str, field: str) -> Text:
    """That there is nothing called so, and what may have been meant."""
    meant = near(word, known(field))
    if meant:
        return say("transgalactica.position.unknown-near", where=where, id=quoted(word), near=meant)
    return say("transgalactica.position.unknown", where=where, id=quoted(word))


def tidied(raw: dict[str, Any], box: Catalogue[Component]) -> dict[str, Any]:
    """The same plain values with every thing called by its id, where it is clear which is meant."""
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
    """An object with a thing and a detail as one word; anything else as it is."""
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
    """Ids by whatever people may write; what could be two things is none."""
    found: dict[str, set[str]] = {}
    for id, name in called:
        short = next((id.removeprefix(prefix) for prefix in PREFIXES if id.startswith(prefix)), id)
        for word in (id, short, name):
            found.setdefault(_folded(word), set()).add(id)
    return {word: next(iter(meant)) for word, meant in found.items() if len(meant) == 1}


def _folded(word: str) -> str:
    """A word without what people write differently: capitals, blanks, hyphens, brackets."""
    return re.sub(r"[\W_]+", "-", word.casefold()).strip("-")
