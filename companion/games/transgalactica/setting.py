"""What the number of players and the table's agreements decide before a play begins."""

from __future__ import annotations

from companion.core.game import Setup

BLANKS = 12
"""Blank pirate tokens in the box (rule 7)."""


WITHOUT_TRACE = {"trade-planets": "planet", "offices": "levels", "condition": "unit"}
"""Agreements that are not stored while they have the default value, so that older plays stay unchanged."""


def agreed(setup: Setup) -> dict[str, str]:
    """The agreements a table stores."""
    return {id: value for id, value in setup.choices.items() if WITHOUT_TRACE.get(id) != value}


def captains(setup: Setup) -> int:
    """Captains per player: three with two players, two with four or five, with three as agreed (rule 27)."""
    seats = len(setup.seats)
    return 3 if seats == 2 or (seats == 3 and setup.choices.get("captains") == "three") else 2


def pirates_mixed(players: int, planets: int) -> tuple[int, int]:
    """Active pirates and blanks for this many planets that are not base: one active more than players, and
    blanks for the other planets (rules 15, 16)."""
    active = min(players + 1, planets)
    return active, min(BLANKS, planets - active)
