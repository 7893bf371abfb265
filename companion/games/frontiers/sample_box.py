"""A made-up box for demonstrations and tests: NO REAL TILE PRINTS THIS, except the facts in the components file.

Its worlds add up to the rulebook's counts (p. 10), its cubes suffice for all of them, and every power and '?'
bonus of the vocabulary is printed somewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from companion.core.components import UNKNOWN
from companion.games.frontiers.component_types import Development, Tile, everything, ids

Made = dict[str, Any]

COSTS = [0] + [1] * 3 + [2] * 12 + [3] * 5 + [4] * 4 + [5] * 6 + [6] * 2 + [7]
DEFENCES = [1] * 5 + [2] * 6 + [3] * 3 + [4] * 3 + [5] * 2 + [6] * 2 + [7] + [8] * 2 + [9] * 2
PEACEFUL_PRODUCTS = (
    ["novelty-windfall"] * 4
    + ["rare-windfall"] * 3
    + ["genes-windfall"] * 2
    + ["alien-windfall"] * 2
    + ["novelty-production"] * 8
    + ["rare-production"] * 6
    + ["genes-production"] * 3
    + ["alien-production"] * 2
    + ["any-production"]
    + ["gray"] * 3
)
MILITARY_PRODUCTS = (
    ["novelty-windfall"] * 2
    + ["rare-windfall"] * 3
    + ["genes-windfall"] * 4
    + ["alien-windfall"] * 3
    + ["novelty-production", "rare-production"]
    + ["genes-production"] * 2
    + ["alien-production"] * 2
    + ["gray"] * 8
)
PEACEFUL_WORDS = [["imperium"]] * 4 + [["uplift"]] * 4
MILITARY_WORDS = [["rebel", "uplift"]] + [["rebel"]] * 10 + [["uplift"]] * 5 + [["imperium"]] * 3
"""A world of the Alien kind also has the word Alien."""

POWERS: tuple[Made, ...] = (
    {"does": "draw-worlds", "worlds": 1},
    {"does": "develop-discount", "n": 1},
    {"does": "develop-discount", "n": 2, "size": "large"},
    {"does": "gain-after-develop", "gain": "credits", "n": 1},
    {"does": "gain-after-develop", "gain": "colonists", "n": 1},
    {"does": "military", "n": 1},
    {"does": "military", "n": 2},
    {"does": "military", "n": 3, "match": "rebel"},
    {"does": "military", "n": -1},
    {"does": "settle-discount", "n": 1},
    {"does": "settle-discount", "n": 2, "match": "genes"},
    {"does": "military-for-good", "n": 3},
    {"does": "military-for-good", "n": 2, "good": "rare"},
    {"does": "pay-for-military", "n": 1, "except_alien": True},
    {"does": "second-world"},
    {"does": "draw-after-settle", "worlds": 1},
    {"does": "gain-after-settle", "gain": "points", "n": 1, "match": "imperium"},
    {"does": "gain-after-settle", "gain": "credits", "n": 1},
    {"does": "replace"},
    {"does": "replace", "colony": "this", "same_kind": False},
    {"does": "produce-windfall"},
    {"does": "produce-windfall", "good": "alien"},
    {"does": "gain-if-produced-here", "gain": "credits", "n": 1},
    {"does": "gain-per-produced", "gain": "credits", "n": 1, "good": "novelty"},
    {"does": "gain-per-colony", "gain": "credits", "n": 1, "match": "genes"},
    {"does": "gain-if-most", "gain": "credits", "n": 2, "good": "rare"},
    {"does": "trade-bonus", "n": 1},
    {"does": "trade-bonus", "n": 2, "good": "novelty"},
    {"does": "consume", "goods": 1, "points": 1},
    {"does": "consume", "goods": 2, "points": 3},
    {"does": "consume", "goods": 3, "good": "different", "points": 4},
    {"does": "consume", "goods": 2, "points": 1, "each": True},
    {"does": "consume", "goods": 1, "good": "genes", "points": 2, "credits": 1},
    {"does": "consume", "goods": 1, "points": 0, "credits": 2, "optional": True},
    {"does": "gain-per-consumed", "gain": "points", "n": 1, "with_salon": 1},
    {"does": "gain", "phase": "explore", "gain": "colonists", "n": 1},
    {"does": "gain", "phase": "consume", "gain": "points", "n": 1},
    {"does": "told", "phase": "produce"},
    {"does": "told", "phase": "settle"},
)

TERMS: tuple[Made, ...] = (
    {"does": "per-tile", "points": 1},
    {"does": "per-tile", "points": 2, "match": "alien"},
    {"does": "per-tile", "points": 1, "tile": "development"},
    {"does": "per-tile", "points": 2, "tile": "large"},
    {"does": "per-tile", "points": 2, "match": "rebel", "military": "military"},
    {"does": "per-tile", "points": 1, "goods": "windfall"},
    {"does": "per-tile", "points": 2, "tile": "tile", "match": "uplift"},
    {"does": "per-tile", "points": 1, "tile": "tile", "with_power": "consume"},
    {"does": "per-held", "points": 1, "each": 3, "held": "chips"},
    {"does": "per-held", "points": 1, "each": 2, "held": "colonists"},
    {"does": "per-held", "points": 1, "each": 2, "held": "military"},
)

HOME_PRODUCTS = (
    ["novelty-production", "novelty-windfall", "novelty-production"]
    + ["rare-production", "rare-windfall"]
    + ["genes-windfall", "alien-windfall"]
    + ["gray"] * 9
)


class Press:
    """Prints powers and bonuses in turn, so that all are used."""

    def __init__(self) -> None:
        self.powers, self.terms = 0, 0

    def power(self) -> Made:
        """The next power."""
        self.powers += 1
        return POWERS[self.powers % len(POWERS)]

    def bonus(self) -> list[Made]:
        """The next two terms of a '?'."""
        self.terms += 2
        return [TERMS[(self.terms + n) % len(TERMS)] for n in (0, 1)]


def _take(pool: list[Any], wanted: Any, random: Random) -> Any:
    """Take the known value of a tile from a pool, or a random remaining one."""
    if wanted is UNKNOWN:
        wanted = random.choice(pool)
    pool.remove(wanted)
    return wanted


def _worlds(press: Press) -> Iterator[tuple[str, Made]]:
    random, box = Random(26), everything()
    peaceful = ids("worlds")[:8] + tuple(random.sample(ids("worlds")[8:], 26))
    military = tuple(id for id in ids("worlds") if id not in peaceful)
    costs, defences = [f"cost-{n}" for n in COSTS], [f"defence-{n}" for n in DEFENCES]
    yield from _cohort(peaceful, costs, PEACEFUL_PRODUCTS, PEACEFUL_WORDS, (21, 13), press, random)
    yield from _cohort(military, defences, MILITARY_PRODUCTS, MILITARY_WORDS, (18, 8), press, random)
    assert all(box[id].name for id in peaceful)


def _cohort(
    worlds: Iterable[str],
    prices: list[str],
    products: list[str],
    words: list[list[str]],
    colonists: tuple[int, int],
    press: Press,
    random: Random,
) -> Iterator[tuple[str, Made]]:
    """Peaceful or military worlds; those with known facts get these first."""
    known = {id: _known(id) for id in worlds}
    pools: dict[str, list[Any]] = {
        "price": list(prices),
        "product": list(products),
        "colonists": [1] * colonists[0] + [2] * colonists[1],
        "keywords": [*words, *([[]] * (len(prices) - len(words)))],
    }
    known["alien-oort-cloud-refinery"] = {
        **known.get("alien-oort-cloud-refinery", {}),
        "product": "any-production",
    }
    made: dict[str, Made] = {id: {} for id in worlds}
    for field, pool in pools.items():
        for id in sorted(made, key=lambda id: field not in known[id]):  # the known ones first
            wanted = known[id].get(field, UNKNOWN)
            if field == "keywords" and wanted == ["alien"]:
                made[id][field] = wanted
                pool.remove([])
            else:
                made[id][field] = _take(pool, wanted, random)
    asked = 0
    for id, world in made.items():
        if world["product"].startswith("alien"):
            world["keywords"] = [*world["keywords"], "alien"]
        theme = "points" not in known[id] and world["keywords"] and asked < 2
        world["points"] = "?" if theme else random.randint(0, 4)
        asked += bool(theme)
        if theme:
            world["bonus"] = press.bonus()
        world["powers"] = [press.power()] if random.random() < 0.6 else []
        yield id, world


def _known(id: str) -> Made:
    tile = everything()[id]
    fields = ("price", "product", "colonists", "keywords", "points")
    found = {field: getattr(tile, field) for field in fields}
    return {
        field: sorted(value) if isinstance(value, frozenset) else value
        for field, value in found.items()
        if value is not UNKNOWN
    }


def _homes(press: Press) -> Iterator[tuple[str, Made]]:
    random = Random(8)
    for id, product in zip(ids("homes"), HOME_PRODUCTS, strict=True):
        words = random.choice(([], [], ["uplift"], ["imperium"], ["terraforming"]))
        powers = [press.power()] if random.random() < 0.7 else []
        made = {"price": f"cost-{random.randint(1, 4)}", "product": product, "points": 1}
        yield id, {**made, "keywords": words, "powers": powers}


def _developments(press: Press) -> Iterator[tuple[str, Made]]:
    random = Random(40)
    for id in ids("developments"):
        tile = everything()[id]
        assert isinstance(tile, Development)
        words = random.choice(([], [], ["terraforming"], ["alien"], ["uplift"], ["imperium"]))
        made: Made = {"keywords": words, "powers": [press.power()]}
        if tile.large:
            made |= {"bonus": press.bonus()}
        else:
            made |= {"cost": random.randint(1, 7), "points": random.randint(1, 3)}
        yield id, made


def _facts() -> Made:
    """Made-up values for every unknown fact of the real box."""
    press = Press()
    facts: Made = {}
    for made in (_worlds(press), _homes(press), _developments(press)):
        for id, fields in made:
            tile = everything()[id]
            assert isinstance(tile, Tile)
            facts |= {f"{id}.{k}": v for k, v in fields.items() if getattr(tile, k) is UNKNOWN}
    return facts


FACTS: Made = _facts()
"""All facts of the made-up box."""

HALF: Made = {key: value for key, value in FACTS.items() if sum(key.rpartition(".")[0].encode()) % 2}
"""The facts of about every second tile; the others stay unknown."""
