"""What a position tells of its tiles, checked as if it were taught."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import msgspec

from companion.core.components import NAME_FIELDS, Catalogue, Component, with_told
from companion.core.fact_values import wrongs
from companion.core.forms import Form, form_of
from companion.core.positions import near, quoted
from companion.core.words import Text, say
from companion.games.frontiers.printed import GAME, printed
from companion.games.frontiers.things import Tile, everything, ids

REMEMBERED, SHORT = 4096, 500
"""Whoever scores thousands of tables of one box tells the same facts again and again: so many short ones are kept."""


def unknown(where: str, word: str, known: tuple[str, ...]) -> Text:
    """That there is nothing called so, and what may have been meant."""
    meant = near(word, known)
    if meant:
        return say("frontiers.position.unknown-near", where=where, id=quoted(word), near=meant)
    return say("frontiers.position.unknown", where=where, id=quoted(word))


@cache
def empire_tiles() -> tuple[str, ...]:
    """Everything that can lie in an empire."""
    return (*ids("worlds"), *ids("homes"), *ids("developments"))


@cache
def teachable_form(id: str, field: str) -> Form | None:
    """What can be told about a field of a tile."""
    tile = everything()[id]
    named = field in NAME_FIELDS
    teachable = named or any(row.teachable and row.field == field for row in printed(tile))
    return form_of(type(tile), field, GAME) if teachable else None


def tiles_told(
    told: dict[str, dict[str, Any]], box: Catalogue[Component]
) -> tuple[list[Text], dict[str, Tile]]:
    """What cannot be printed, and all tiles of the box with whatever else is told."""
    problems: list[Text] = []
    tiles = dict(_of_box(box))
    for id, fields in told.items():
        if id not in tiles:
            problems.append(unknown("tiles", id, empire_tiles()))
            continue
        for field, value in fields.items():
            encoded = msgspec.json.encode(value)
            read = _read if len(field) + len(encoded) < SHORT else _read.__wrapped__
            wrong = read(id, field, encoded)
            problems += wrong
            if not wrong:
                tiles[id] = with_told(tiles[id], field, value)
    return problems, tiles


def _of_box(box: Catalogue[Component]) -> dict[str, Tile]:
    return {id: tile for id, tile in box.by_id.items() if isinstance(tile, Tile)}


@lru_cache(REMEMBERED)
def _read(id: str, field: str, told: bytes) -> tuple[Text, ...]:
    """Why this value cannot be printed there."""
    value, form, path = msgspec.json.decode(told), teachable_form(id, field), f"tiles.{id}.{quoted(field)}"
    if form is None:
        return (say("binder.not-possible", fact=path, value=quoted(str(value))),)
    return tuple(
        say("binder.does-not-fit", fact=one.path, value=one.value, why=one.why)
        for one in wrongs(form, value, path)
    )
