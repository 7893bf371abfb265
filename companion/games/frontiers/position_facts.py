"""Facts about tiles given in a position file, checked like taught facts."""

from __future__ import annotations

from functools import cache
from typing import Any

from companion.core import table_files
from companion.core.components import Catalogue, Component
from companion.core.positions import quoted
from companion.core.told_facts import ToldFacts
from companion.core.words import Text, say
from companion.games.frontiers.component_types import Tile, everything, ids
from companion.games.frontiers.printed import GAME, printed


def unknown(where: str, word: str, known: tuple[str, ...]) -> Text:
    """The message that a word is unknown, with suggestions."""
    return table_files.unknown("frontiers.position.unknown", word, known, where=where)


@cache
def empire_tiles() -> tuple[str, ...]:
    """Everything that can lie in an empire."""
    return (*ids("worlds"), *ids("homes"), *ids("developments"))


def _no_field(id: str, field: str, value: Any) -> Text:
    fact = f"tiles.{id}.{quoted(field)}"
    return say("binder.not-possible", fact=fact, value=quoted(str(value)))


FACTS = ToldFacts(GAME, "tiles", everything, printed, _no_field, joined=" ", with_names=False)


def tiles_told(
    told: dict[str, dict[str, Any]], box: Catalogue[Component]
) -> tuple[list[Text], dict[str, Tile]]:
    """Problems (values that cannot be printed), and all tiles of the box with the facts from the file."""
    problems: list[Text] = []
    tiles = {id: tile for id, tile in box.by_id.items() if isinstance(tile, Tile)}
    for id, fields in told.items():
        if id not in tiles:
            problems.append(unknown("tiles", id, empire_tiles()))
            continue
        tiles[id], wrong = FACTS.merged(tiles[id], fields)
        problems += wrong
    return problems, tiles
