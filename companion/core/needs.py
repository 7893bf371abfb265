"""Which unknown facts are needed: those that could change a count."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any


def needed(may_be: Mapping[str, Sequence[Any]], count: Callable[[dict[str, Any]], object]) -> tuple[str, ...]:
    """The fields whose value can change the count while all other fields stay the same.

    `may_be` has the values to try for each field; they must cover every distinction the count makes. Every
    combination is counted, so give few fields and few values.
    """
    counts = {values: count(dict(zip(may_be, values, strict=True))) for values in product(*may_be.values())}

    def matters(at: int) -> bool:
        first: dict[tuple[Any, ...], object] = {}
        return any(
            first.setdefault(values[:at] + values[at + 1 :], counted) != counted
            for values, counted in counts.items()
        )

    return tuple(field for at, field in enumerate(may_be) if matters(at))
