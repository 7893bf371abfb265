"""Which technologies may be researched, and the types of new ones (rules 85 to 93, 100, 101). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from companion.core.components import UNKNOWN
from companion.games.beyond.component_types import LEVEL, SPACES, TreeLine
from companion.games.beyond.operations import TYPES, LackOne, Research, Type
from companion.games.beyond.state import BeyondState

MOST_LEVEL = 4


def lines(state: BeyondState, level: int) -> tuple[TreeLine, ...] | None:
    """The lines that lead to a level from its left; None if unknown."""
    board = state.tree_board
    told = {2: board.lines_2, 3: board.lines_3, 4: board.lines_4}.get(level, ())
    return None if told is UNKNOWN else told


def unknown_lines(state: BeyondState, level: int) -> tuple[str, ...]:
    """The board facts to ask for before a technology of this level can be researched."""
    fields: tuple[str, ...] = (f"lines_{level}",) if level > 1 else ()
    fields += ("two_of_three",) if level == MOST_LEVEL else ()
    return tuple(field for field in fields if getattr(state.tree_board, field) is UNKNOWN)


def before(state: BeyondState, space: str) -> tuple[str, ...]:
    """The spaces directly to the left that are connected to this one (rule 86); lines have no direction."""
    level = LEVEL[space]
    joined = {
        other
        for line in lines(state, level) or ()
        for one, other in ((line.one, line.other), (line.other, line.one))
        if one == space and LEVEL[other] == level - 1
    }
    return tuple(other for other in SPACES.get(level - 1, ()) if other in joined)


def may_lack(state: BeyondState, seat: int, space: str, lack_one: bool) -> int:
    """How many prerequisites of a space may be missing (rules 87 and 101)."""
    needed = len(before(state, space))
    two_of_three = space in (state.tree_board.two_of_three or ()) and needed > 2
    if lack_one and state.node(space).card and needed - two_of_three == 2:
        return int(two_of_three) + 1
    return int(two_of_three)


def reachable(
    state: BeyondState, seat: int, operation: Research, mine: AbstractSet[str] | None = None
) -> tuple[str, ...] | None:
    """The spaces a faction may research now with this effect; None if the lines are unknown (rules 85, 88).

    Every space above level I needs a technology of the previous level (rule 86): without any, the lines need
    not be asked for. A space without a line cannot be researched.
    """
    have = state.researched(seat) if mine is None else mine
    level = level_of(state, seat, operation)
    if not operation.any_place and level > 1 and not any(space in have for space in SPACES[level - 1]):
        return ()
    if unknown_lines(state, level) and not operation.any_place:
        return None
    lack_one = state.has(seat, LackOne)
    found = []
    for space in SPACES[level]:
        node = state.node(space)
        if space in have or (operation.discovered and not node.card):
            continue
        if operation.type != "any" and not _of_type(state, seat, space, operation.type, have):
            continue
        joined = before(state, space)
        lacking = sum(other not in have for other in joined)
        drawn = level == 1 or bool(joined)
        if operation.any_place or (drawn and lacking <= may_lack(state, seat, space, lack_one)):
            found.append(space)
    return tuple(found)


def level_of(state: BeyondState, seat: int, operation: Research) -> int:
    """The level an effect researches; it may be the number of colonised systems plus one, at most IIII."""
    if operation.level == "colonised+1":
        return min(MOST_LEVEL, len(state.seats[seat].colonies) + 1)
    return operation.level


def _of_type(state: BeyondState, seat: int, space: str, wanted: str, have: AbstractSet[str]) -> bool:
    """Whether the technology there has this type or, if undiscovered or unknown, could have it."""
    card = state.node(space).card
    if card:
        types = state.technology(card).types
        return types is UNKNOWN or wanted in types
    return wanted in types_passed(state, space, have)


def _passing(state: BeyondState, space: str, have: AbstractSet[str]) -> tuple[str, ...]:
    """The prerequisites that pass on a type; if two of three suffice, only the researched ones (rule 93)."""
    joined = before(state, space)
    if space in (state.tree_board.two_of_three or ()):
        joined = tuple(other for other in joined if other in have) or joined
    return tuple(state.node(other).card for other in joined if state.node(other).card)


def untold_passes(state: BeyondState, space: str, have: AbstractSet[str]) -> tuple[str, ...]:
    """The prerequisites of a space whose small triangle is unknown."""
    cards = _passing(state, space, have)
    return tuple(card for card in cards if state.technology(card).passes is UNKNOWN)


def types_passed(state: BeyondState, space: str, have: AbstractSet[str]) -> tuple[Type, ...]:
    """The types a new technology may be searched for: those its prerequisites pass on (rules 92, 93)."""
    passed = [state.technology(card).passes for card in _passing(state, space, have)]
    if not passed or UNKNOWN in passed:
        return TYPES
    return tuple(kind for kind in TYPES if kind in passed)


def search(deck: Sequence[AbstractSet[str]], wanted: str) -> tuple[int, tuple[int, ...]]:
    """How many cards are revealed until two match a type, and which of them match (rules 94 to 96)."""
    matching: list[int] = []
    for n, types in enumerate(deck):
        if wanted in types:
            matching.append(n)
        if len(matching) == 2:
            return n + 1, tuple(matching)
    return len(deck), tuple(matching)
