"""Action spaces: where a pawn may go, and which actions can be copied (rules 39 to 53)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from companion.core.words import Text, say
from companion.games.beyond.component_types import BASIC_ACTIONS, BasicAction
from companion.games.beyond.operations import (
    Action,
    Build,
    CopyAction,
    GainOre,
    Jump,
    Operations,
    PayOre,
    Recruit,
    RepeatImmediate,
    Research,
    TakeOccupied,
    inside,
)
from companion.games.beyond.state import BeyondState

SURCHARGE = 1

BASIC: dict[BasicAction, Operations] = {
    "research-1": (Research(level=1),),
    "research-2": (PayOre(n=2), Research(level=2)),
    "build-jump": (Build(level=1, source="population", optional=True), Jump(points=2)),
    "recruit-ore": (Recruit(n=1), GainOre(n=1)),
}
"""The four basic actions, costs first (rules 54 to 57)."""


class ActionSpace(Struct, frozen=True):
    """One space for a pawn: the card or board that prints it, the action, and the number of the space."""

    holder: str
    action: str
    n: int
    operations: Operations
    """Cost and effects in printed order, the cost first."""
    surcharge: bool = False
    shared: bool = False
    """Whether several pawns may stand there (rule 41)."""
    stays: bool = False
    """Whether the pawn may stay (rule 41)."""
    several: bool = False
    """Whether there are other actions on the same card."""

    @property
    def id(self) -> str:
        """The id stored as a pawn's position."""
        return f"{self.holder}:{self.action}:{self.n}"

    @property
    def whole(self) -> Operations:
        """Everything that using this space costs and does, its surcharge included."""
        return (PayOre(n=SURCHARGE), *self.operations) if self.surcharge else self.operations

    def text(self, state: BeyondState) -> Text:
        """The name of the space as shown to players."""
        if self.holder == state.basic.id:
            return say(f"beyond.basic.{self.action}")
        card = state.name(self.holder)
        return say("beyond.action-of", card=card, n=int(self.action) + 1) if self.several else card


def spaces(state: BeyondState) -> Iterator[ActionSpace]:
    """Every open space, occupied or not: board, uncovered guilds, cards, events."""
    yield from _basic(state)
    for guild in state.guilds:
        yield from _printed(guild, state.guild(guild).actions)
    for node in state.tree.values():
        if node.card:
            yield from _of_card(state, node.card)
    for who in state.seats:
        for card in who.private:
            yield from _of_card(state, card)
    for event in state.kept:
        yield from _printed(event, state.event(event).actions or ())


def _basic(state: BeyondState) -> Iterator[ActionSpace]:
    section = state.basic
    counts = (section.research_1, section.research_2, section.build_jump, section.recruit_ore)
    with_surcharge = section.surcharge or ()
    for action, told in zip(BASIC_ACTIONS, counts, strict=True):
        n = told or 1
        for k in range(n):
            last = action == "recruit-ore" and k == n - 1
            surcharge = k >= n - with_surcharge.count(action)
            shared = last and section.shared is True
            yield ActionSpace(section.id, action, k, BASIC[action], surcharge, shared, last)


def _of_card(state: BeyondState, card: str) -> Iterator[ActionSpace]:
    technology = state.technology(card)
    yield from _printed(card, technology.actions or (), technology.immediate or ())


def _printed(holder: str, actions: tuple[Action, ...], immediate: Operations = ()) -> Iterator[ActionSpace]:
    for n, action in enumerate(actions):
        operations = (*action.cost, *_repeated(action.effects, immediate))
        for k in range(action.spaces):
            yield ActionSpace(holder, str(n), k, operations, several=len(actions) > 1)


def _repeated(effects: Operations, immediate: Operations) -> Operations:
    """The effects, with the "repeat" symbol replaced by the immediate box of the card."""
    again = tuple(op for op in immediate if not isinstance(op, RepeatImmediate))
    return tuple(part for op in effects for part in (again if isinstance(op, RepeatImmediate) else (op,)))


def open_to(state: BeyondState, seat: int) -> Iterator[ActionSpace]:
    """The spaces a faction may use, occupied or not; technologies must be researched (rules 42, 43, 103)."""
    cards = set(state.cards(seat))
    theirs = {card for other in state.others(seat) for card in state.seats[other].private}
    on_tree = {node.card for node in state.tree.values()}
    for space in spaces(state):
        if space.holder in cards or (space.holder not in on_tree and space.holder not in theirs):
            yield space


def whose(state: BeyondState, seat: int, space: ActionSpace) -> int | None:
    """The seat whose pawn blocks a space for this faction, or None (rule 39)."""
    if space.shared:
        return None
    return next((other for other in state.others(seat) if state.seats[other].pawn == space.id), None)


def enterable(state: BeyondState, seat: int) -> tuple[tuple[ActionSpace, int | None], ...]:
    """The spaces a pawn may enter, each with the seat whose pawn it displaces, if any (rules 39 to 41).

    One free space per action is enough, plus another if it has a surcharge or lets the pawn stay. An occupied
    space is only listed if the faction has an ability that displaces pawns and no equal space is free (rule
    51).
    """
    found: dict[tuple[str, str, bool, bool], tuple[ActionSpace, int | None]] = {}
    displaces = state.has(seat, TakeOccupied)
    for space in open_to(state, seat):
        key = (space.holder, space.action, space.surcharge, space.stays)
        holder = whose(state, seat, space)
        if space.id == state.seats[seat].pawn and not space.stays:
            continue
        if holder is None and (key not in found or found[key][1] is not None):
            found[key] = (space, None)
        elif holder is not None and displaces:
            found.setdefault(key, (space, holder))
    return tuple(found.values())


def copyable(state: BeyondState, seat: int, scope: str, source: str) -> tuple[ActionSpace, ...]:
    """The actions an effect may copy, one space each, preferably one without surcharge (rules 52, 53)."""
    theirs = {card for other in state.others(seat) for card in state.seats[other].private}
    found: dict[tuple[str, str], ActionSpace] = {}
    for space in open_to(state, seat) if scope == "own" else spaces(state):
        if space.holder in theirs or space.holder == source or not _in_scope(state, space, scope):
            continue
        key = (space.holder, space.action)
        if key not in found or (found[key].surcharge and not space.surcharge):
            found[key] = space
    return tuple(found.values())


def _in_scope(state: BeyondState, space: ActionSpace, scope: str) -> bool:
    parts = tuple(inside(space.operations))
    if scope == "basic":
        return space.holder == state.basic.id
    if any(isinstance(part, CopyAction) and part.scope != "basic" for part in parts):
        return False  # a copy of a copy could recurse forever
    return scope == "own" or any(isinstance(part, Research) for part in parts)


def space_of(state: BeyondState, id: str) -> ActionSpace | None:
    """The space with this id, if there is one."""
    return next((space for space in spaces(state) if space.id == id), None)


def space_name(state: BeyondState, id: str) -> Text | None:
    """The name of the space with this id, or None."""
    space = space_of(state, id)
    return None if space is None else space.text(state)
