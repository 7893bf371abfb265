"""Questions that several games ask in the same way: which seat, how many, which way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.core.faces import Signs
from companion.core.questions import Option, Question
from companion.core.words import Text, plain


def which_seat(slug: str, state: Any, text: Text, in_a_row: bool = False) -> Question:
    """Choose one of the seats, asked of the whole table; `in_a_row` lays them out in seating order."""
    options = (
        Option(str(n), plain(seat.name), cell=(0, n) if in_a_row else None, seat=n)
        for n, seat in enumerate(state.seats)
    )
    return Question(slug, None, text, tuple(options), has_default=False)


def how_many(slug: str, seat: int, text: Text, most: int, in_row: int) -> Question:
    """A number from 0 to `most`, such as the points of a '?', laid out with `in_row` numbers per row."""
    options = (Option(str(n), plain(str(n)), cell=(n // in_row, n % in_row)) for n in range(most + 1))
    return Question(slug, seat, text, tuple(options), has_default=False)


def which_way(slug: str, seat: int, text: Text, ways: Iterable[tuple[str, Text, Signs]]) -> Question:
    """How something is paid for or conquered: the first way is the usual one."""
    options = (Option(id, said, signs=signs) for id, said, signs in ways)
    return Question(slug, seat, text, tuple(options))
