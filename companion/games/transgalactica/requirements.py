"""Whether a seat meets the requirement of a mission or decree; requirements are not spent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.transgalactica.component_types import HUES, Needs, Planet
from companion.games.transgalactica.state import TransState

LEVELS = ("trade", "military", "technology", "politics")
BY_COLOUR = ("different", "same", "one-colour", "mixed")
"""Requirements that count planets by colour."""


def meets(state: TransState, seat: int, needs: Needs) -> bool:
    """Whether a seat meets the whole requirement."""
    who = state.seats[seat]
    asked = [(track, getattr(needs, track)) for track in LEVELS if getattr(needs, track)]
    enough = [state.level(seat, track) >= level for track, level in asked]
    levels = (any(enough) or not enough) if needs.either else all(enough)
    return (
        levels
        and _planets(state.colonies(seat, coloured=needs.of in BY_COLOUR), needs)
        and len(who.pirates) >= needs.pirates
        and len(who.technologies) >= needs.technologies
        and _missions(state, seat, needs)
    )


def _planets(planets: Sequence[Planet], needs: Needs) -> bool:
    n = needs.planets
    match needs.of:
        case "any":
            return len(planets) >= n
        case "different":
            return matched([planet.hues for planet in planets]) >= n
        case "same":
            return any(sum(hue in planet.hues for planet in planets) >= n for hue in HUES)
        case "one-colour":
            return any(sum(hue in planet.hues for planet in planets) >= n for hue in needs.colours)
        case "mixed":
            return sum(bool(planet.hues & set(needs.colours)) for planet in planets) >= n
        case "each-type":
            return {"action", "mining", "wild"} <= {planet.type for planet in planets}
    return sum(planet.type == needs.of for planet in planets) >= n


def _missions(state: TransState, seat: int, needs: Needs) -> bool:
    """A card of two types counts as one of them, as its owner chooses (rule 130), unless agreed otherwise."""
    if not needs.missions:
        return True
    done = [frozenset[str](state.mission(id).types) for id in state.seats[seat].missions]
    if not needs.each:
        return any(sum(type in types for types in done) >= needs.missions for type in needs.types)
    if state.choices.get("two-types") == "both":
        return all(any(type in types for types in done) for type in needs.types)
    return matched(done) >= len(needs.types)


def matched(choices: Iterable[Iterable[str]]) -> int:
    """The size of a maximum matching: how many items can get different ones of their choices (rule 94)."""
    each = [tuple(one) for one in choices]
    given: dict[str, int] = {}

    def find(n: int, tried: set[str]) -> bool:
        for thing in each[n]:
            if thing in tried:
                continue
            tried.add(thing)
            if thing not in given or find(given[thing], tried):
                given[thing] = n
                return True
        return False

    return sum(find(n, set()) for n in range(len(each)))
