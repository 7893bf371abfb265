"""Checks of the taught boards against what the rulebook says about them; each rule has its page."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.components import UNKNOWN, Component, Untold
from companion.core.forms import value_words
from companion.core.printed_facts import Contradiction
from companion.core.words import Text, plain, say
from companion.games.beyond.component_types import (
    CARD_PLACES,
    COLUMNS,
    CUBES,
    DEEP_SPACE,
    LEVEL,
    SOL,
    SPACES,
    TRACK,
    YARDS,
    AdvancedBoard,
    Basic,
    Side,
    Tracks,
    TreeBoard,
    TreeLine,
)

PLACES = TRACK + 1
"""Places on a production track: the symbol that is always visible, and one under each disc (sheet 16, 17)."""
SLOTS = CUBES - 3
"""Slots in all supply columns: all cubes but three, two population and one ship (sheet 18 to 20)."""
GROWTH_GONE, GROWTH_SHOWN = 5, ("a", "b", "c")
"""Example: with this many food discs gone, these columns are visible (p. 8)."""
ORE_GONE, ORE_SHOWN = 4, 3
"""Example: with this many ore discs gone, this many ore symbols are visible (p. 9)."""
SURCHARGES = {2: 2, 3: 1, 4: 2}
"""Basic spaces that cost 1 ore more, by the number of players (p. 6)."""
MOST_LINES, TWO_OF_THREE = 2, 3
"""A technology needs one or two of the level before, or two of three at level IIII (p. 15)."""


def contradictions(component: Component) -> Iterator[Contradiction]:
    """Every taught fact of a board that contradicts the rulebook."""
    match component:
        case Tracks():
            yield from _growth(component)
            yield from _ore(component)
            yield from _columns(component)
        case Basic():
            yield from _surcharge(component)
        case TreeBoard():
            for level in (2, 3, 4):
                yield from _lines(component, level)
        case Side():
            yield from _routes(component)


def _against(text: Text, *fields: str, unfinished: bool = False) -> Contradiction:
    return Contradiction(fields, text, unfinished)


# Faction boards: the examples on pp. 8 and 9 show basic ones; advanced boards have other tracks (p. 5)


def _growth(board: Tracks) -> Iterator[Contradiction]:
    if board.growth is UNKNOWN:
        return
    visible = [letter for letter in board.growth[: GROWTH_GONE + 1] if letter != "none"]
    if len(board.growth) != PLACES:
        yield _against(say("beyond.board.growth-places", n=len(board.growth)), "growth")
    elif board.growth[0] == "none":
        yield _against(say("beyond.board.growth-first"), "growth")
    elif not isinstance(board, AdvancedBoard) and tuple(visible) != GROWTH_SHOWN:
        shown = tuple(value_words("beyond", "growth", letter) for letter in visible)
        yield _against(say("beyond.board.growth-shown", shown=shown), "growth")


def _ore(board: Tracks) -> Iterator[Contradiction]:
    if board.ore_track is UNKNOWN:
        return
    basic, first = not isinstance(board, AdvancedBoard), board.ore_track[:1]
    shown = sum(board.ore_track[: ORE_GONE + 1])
    if len(board.ore_track) != PLACES:
        yield _against(say("beyond.board.ore-places", n=len(board.ore_track)), "ore_track")
    elif first == (0,) or (basic and first != (1,)):
        yield _against(say("beyond.board.ore-first"), "ore_track")
    elif basic and shown != ORE_SHOWN:
        yield _against(say("beyond.board.ore-shown", n=shown), "ore_track")


def _columns(board: Tracks) -> Iterator[Contradiction]:
    if board.columns is UNKNOWN:
        return
    slots = sum(board.columns.sizes)
    if slots > SLOTS:
        yield _against(say("beyond.board.slots", n=slots), "columns")
    needed = set() if isinstance(board, AdvancedBoard) else set(GROWTH_SHOWN)
    needed |= set(board.growth or ()) - {"none"}
    none = [
        letter for letter, n in zip(COLUMNS, board.columns.sizes, strict=True) if letter in needed and not n
    ]
    if none:
        names = tuple(plain(letter.upper()) for letter in none)
        fields = ("columns",) if set(none) <= set(GROWTH_SHOWN) else ("columns", "growth")
        yield _against(say("beyond.board.no-column", columns=names), *fields)


# Basic Spacefaring


def _surcharge(section: Basic) -> Iterator[Contradiction]:
    if section.surcharge is UNKNOWN:
        return
    printed, told = SURCHARGES[section.players], section.surcharge
    if len(told) != printed:
        text = say("beyond.board.surcharges", players=section.players, printed=printed, n=len(told))
        yield _against(text, "surcharge")
    for action in dict.fromkeys(told):
        field = action.replace("-", "_")
        spaces = getattr(section, field)
        if spaces is not UNKNOWN and told.count(action) > spaces:
            words = value_words("beyond", "surcharge", action)
            yield _against(say("beyond.board.surcharge-spaces", action=words), "surcharge", field)


# The technology board


def _lines(board: TreeBoard, level: int) -> Iterator[Contradiction]:
    field = f"lines_{level}"
    told: tuple[TreeLine, ...] | Untold = getattr(board, field)
    if told is UNKNOWN:
        return
    before = dict.fromkeys(SPACES[level], 0)
    for line in told:
        left, right = sorted((line.one, line.other), key=lambda space: LEVEL[space])
        if (LEVEL[left], LEVEL[right]) == (level - 1, level):
            before[right] += 1
        else:
            yield _against(
                say("beyond.board.line", one=_space(left), other=_space(right), level="I" * level), field
            )
    for space, n in before.items():
        if level == 4 and board.two_of_three is not UNKNOWN and space in board.two_of_three:
            if n != TWO_OF_THREE:
                yield _against(
                    say("beyond.board.two-of-three", space=_space(space), n=n), field, "two_of_three"
                )
        elif level == 4 and n == TWO_OF_THREE:
            if board.two_of_three is not UNKNOWN:
                yield _against(say("beyond.board.three", space=_space(space)), field, "two_of_three")
        elif not 1 <= n <= MOST_LINES:
            yield _against(
                say("beyond.board.lines-of-space", space=_space(space), n=n), field, unfinished=n == 0
            )


def _space(space: str) -> Text:
    return say(f"beyond.place.{space}")


# The exploration board


def _routes(side: Side) -> Iterator[Contradiction]:
    """All locations are connected (p. 4); if the shipyards are unknown, those with a route are assumed."""
    if side.routes is UNKNOWN:
        return
    ends = {place for route in side.routes for place in (route.one, route.other)}
    yards = ends & set(YARDS) if side.yards is UNKNOWN else set(YARDS[: len(side.yards)])
    for place in (place for place in YARDS if place in ends - yards):
        yield _against(say("beyond.board.no-yard", place=_space(place)), "routes", "yards")
    reached: set[str] = {SOL}
    ahead: list[str] = [SOL]
    while ahead:
        here = ahead.pop()
        near = {r.other if r.one == here else r.one for r in side.routes if here in (r.one, r.other)}
        ahead += near - reached
        reached |= near
    for location in (DEEP_SPACE, *CARD_PLACES, *(place for place in YARDS if place in yards)):
        if location not in reached:
            fields = ("routes", "yards") if location in YARDS else ("routes",)
            yield _against(say("beyond.board.unreachable", place=_space(location)), *fields, unfinished=True)
