"""What the number of players and the table's agreements decide before a play begins."""

from __future__ import annotations

from companion.core.game import Setup


def captains(setup: Setup) -> int:
    """Three with two players, two with four or five; with three as the table agreed (rule 27)."""
    seats = len(setup.seats)
    return 3 if seats == 2 or (seats == 3 and setup.choices.get("captains") == "three") else 2
