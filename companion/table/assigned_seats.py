"""Who plays here next, as a hall says: names for the set-up, and the hall's numbers of those who then play."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import LONGEST_NAME, called, is_name
from companion.hall_messages import Assignment
from companion.table.hall_memory import SeatsAssigned


def names_of(assignment: Assignment) -> tuple[str, ...]:
    """The players' names as a table can show them: valid, and all different."""
    names: list[str] = []
    for player in assignment.players:
        name = player.name.strip()[:LONGEST_NAME].strip()
        if not is_name(name):
            name = player.number.strip()[:LONGEST_NAME]
        if any(called(name) == called(other) for other in names) or not is_name(name):
            name = f"{name[: LONGEST_NAME - 4].strip()} {len(names) + 1}".strip()
        names.append(name)
    return tuple(names)


def seats_of(assignment: Assignment | None, seats: Sequence[str]) -> SeatsAssigned | None:
    """The hall's number of each seat, if exactly the assigned players have sat down."""
    if assignment is None or not assignment.players:
        return None
    numbers = {
        called(name): player.number
        for name, player in zip(names_of(assignment), assignment.players, strict=True)
    }
    if {called(seat) for seat in seats} != set(numbers) or len(seats) != len(numbers):
        return None
    return SeatsAssigned(assignment.id, tuple(numbers[called(seat)] for seat in seats))
