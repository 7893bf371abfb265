"""Supply columns: cubes leave from the left, return from the right, may overfill A (rules 60 to 65). Pure."""

from __future__ import annotations

Supply = tuple[int, ...]


def leftmost(supply: Supply) -> int | None:
    """The first column from the left that has a cube (rule 60)."""
    return next((n for n, cubes in enumerate(supply) if cubes > 0), None)


def rightmost(supply: Supply) -> int | None:
    """The first column from the right that has a cube."""
    return next((n for n in reversed(range(len(supply))) if supply[n] > 0), None)


def back(supply: Supply, sizes: Supply) -> int:
    """The column for the next returned cube: the rightmost with a free slot, else A (rules 62, 63)."""
    return next((n for n in reversed(range(len(supply))) if supply[n] < sizes[n]), 0)


def has_room(supply: Supply, sizes: Supply, column: int) -> bool:
    """Whether one more cube may go there: A is never full, the others have limited slots (rule 63)."""
    return column == 0 or supply[column] < sizes[column]


def changed(supply: Supply, column: int, by: int) -> Supply:
    """The columns with `by` more cubes in one of them."""
    return (*supply[:column], supply[column] + by, *supply[column + 1 :])


def returned(supply: Supply, sizes: Supply, cubes: int) -> Supply:
    """The columns after this many cubes were returned."""
    for _ in range(cubes):
        supply = changed(supply, back(supply, sizes), 1)
    return supply


def taken(supply: Supply, cubes: int) -> Supply:
    """The columns after taking this many cubes from the left, or all if there are fewer."""
    for _ in range(min(cubes, sum(supply))):
        column = leftmost(supply)
        assert column is not None
        supply = changed(supply, column, -1)
    return supply


def grown(supply: Supply, letters: tuple[str, ...]) -> Supply:
    """The columns after growth: one cube less in the column of each letter, unless empty (rules 67, 68)."""
    for letter in letters:
        column = "abcde".index(letter)
        if supply[column] > 0:
            supply = changed(supply, column, -1)
    return supply
