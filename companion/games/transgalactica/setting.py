"""What the number of players and the table's agreements decide before a play begins."""

from __future__ import annotations

from companion.core.game import Setup

BLANKS = 12
"""Blank pirate tokens in the box (rule 7)."""


WITHOUT_TRACE = {"trade-planets": "planet", "offices": "levels", "condition": "unit"}
"""Agreements that are not kept while they are the usual ones, so that plays begun before they existed stay the same."""


def agreed(setup: Setup) -> dict[str, str]:
    """What a table keeps of its agreements."""
    return {id: value for id, value in setup.choices.items() if WITHOUT_TRACE.get(id) != value}


def captains(setup: Setup) -> int:
    """Three with two players, two with four or five; with three as the table agreed (rule 27)."""
    seats = len(setup.seats)
    return 3 if seats == 2 or (seats == 3 and setup.choices.get("captains") == "three") else 2


def pirates_mixed(players: int, planets: int) -> tuple[int, int]:
    """Active pirates and blanks mixed for so many planets that are not base: one more than players, and as many blanks
    as make one for each planet (rules 15, 16)."""
    active = min(players + 1, planets)
    return active, min(BLANKS, planets - active)
