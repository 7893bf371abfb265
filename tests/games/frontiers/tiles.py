"""Fully taught tiles for tests: everything printed on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.core.components import Value

Facts = dict[str, Value]
Does = Mapping[str, Value]


def world(
    id: str,
    price: str = "cost-2",
    product: str = "gray",
    *powers: Does,
    colonists: int = 1,
    keywords: Iterable[str] = (),
) -> Facts:
    """All that is printed on a world or a home."""
    return {
        f"{id}.price": price,
        f"{id}.colonists": colonists,
        f"{id}.product": product,
        f"{id}.points": 0,
        f"{id}.keywords": list(keywords),
        f"{id}.powers": [dict(power) for power in powers],
    }


def development(id: str, *powers: Does, cost: int = 3, keywords: Iterable[str] = ()) -> Facts:
    """All that is printed on a development."""
    return {
        f"{id}.cost": cost,
        f"{id}.points": 1,
        f"{id}.keywords": list(keywords),
        f"{id}.powers": [dict(power) for power in powers],
    }


def power(does: str, **fields: Value) -> Does:
    """A power as it is taught."""
    return {"does": does, **fields}


def taught(*facts: Facts) -> Facts:
    """These facts together."""
    return {key: value for some in facts for key, value in some.items()}
