"""How many a faction has of what cards count (`scoring.beyond.Counted`)."""

from __future__ import annotations

from companion.games.beyond.component_types import LEVEL, YARDS
from companion.games.beyond.operations import TYPES, Per
from companion.games.beyond.state import BeyondState


def counted(state: BeyondState, seat: int, what: Per) -> int:
    """How many of something a faction has now; 1 for "once"."""
    who = state.seats[seat]
    if what in TYPES:
        return sum(what in (state.technology(card).types or ()) for card in state.cards(seat))
    match what:
        case "once":
            return 1
        case "colonised":
            return len(who.colonies)
        case "controlled":
            return len(state.held(seat))
        case "shipyards":
            return sum(place in YARDS for place in state.held(seat))
        case "technologies":
            return len(state.researched(seat)) + len(who.private)
        case "level-1" | "level-2" | "level-3" | "level-4":
            return sum(LEVEL[space] == int(what[-1]) for space in state.researched(seat))
        case "private":
            return len(who.private)
        case "automation":
            return len(who.automation)
        case "food-removed":
            return state.removed(seat, "food")
        case "ore-removed":
            return state.removed(seat, "ore")
        case "symbols":
            return symbols(state, seat)
        case "ships":
            return len(who.ships)
        case "strength":
            return sum(ship.level for ship in who.ships)
        case "achievements":
            return sum(seat in seats for seats in state.achievements.values())
        case "population":
            return who.population
        case _:
            return who.ore


def symbols(state: BeyondState, seat: int) -> int:
    """Symbols printed on controlled and colonised systems and shipyards, not their discs (rule 177)."""
    held = sum(len(state.specialisations(place)) for place in state.held(seat))
    return held + sum(len(state.specialised(colony.system)) for colony in state.seats[seat].colonies)


def amount(state: BeyondState, seat: int, n: int, per: Per, each: int, most: int) -> int:
    """The amount an effect gives: `n` once, or for every `each` of something; `most` is a cap if not 0."""
    found = n * (counted(state, seat, per) // each if per != "once" else 1)
    return min(found, most) if most else found
