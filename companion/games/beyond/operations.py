"""Operations: a closed vocabulary of what actions, bonuses and events do, in printed order (p. 13 to 22).

Anything else is `Told`: when it happens, the players enter what it did, using the same operations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from scoring.beyond import Counted

Amount = Annotated[int, Meta(ge=1, le=9)]
Few = Annotated[int, Meta(ge=1, le=4)]
Level = Annotated[int, Meta(ge=1, le=4)]
Cap = Annotated[int, Meta(ge=0, le=9)]
"""An upper limit; 0 means no limit."""

Per = Literal["once", Counted]
"""Once, or for each of what is counted."""

Type = Literal["science", "economy", "military", "commerce"]
TYPES: tuple[Type, ...] = ("science", "economy", "military", "commerce")
Column = Literal["leftmost", "a", "b", "c", "d", "e"]
Source = Literal["population", "supply", "a", "b", "c", "d", "e"]
"""Which cube becomes a ship: population, the leftmost supply cube, or supply of one column."""


class Operation(Struct, frozen=True, tag_field="does", kw_only=True):
    """One part of what a card does."""


class GainOre(Operation, frozen=True, tag="gain-ore"):
    """Take ore from the stock, once or for each of something (rule 58)."""

    n: Amount = 1
    per: Per = "once"
    each: Few = 1
    most: Cap = 0


class PayOre(Operation, frozen=True, tag="pay-ore"):
    """Pay ore to the stock: part of a cost inside an effect."""

    n: Amount = 1


class PayOpponent(Operation, frozen=True, tag="pay-opponent"):
    """Pay ore to another player."""

    n: Amount = 1


class Recruit(Operation, frozen=True, tag="recruit"):
    """Supply cubes become population, from the left, whatever the growth track shows (rule 60)."""

    n: Amount = 1
    per: Per = "once"
    each: Few = 1
    most: Cap = 0
    column: Column = "leftmost"


class Retire(Operation, frozen=True, tag="retire"):
    """Population returns to the supply columns (rule 62)."""

    n: Few = 1


class Build(Operation, frozen=True, tag="build"):
    """A cube becomes a ship, at Sol or an own shipyard unless a place is named (rule 123)."""

    n: Few = 1
    level: Level = 1
    source: Source = "population"
    place: Literal["shipyard", "sol", "deep-space"] = "shipyard"
    optional: bool = False


class Upgrade(Operation, frozen=True, tag="upgrade"):
    """A number of ships gain this many levels each, or the levels are spread freely among them (rule 125)."""

    ships: Few = 1
    levels: Few = 1
    spread: bool = False
    up_to: bool = False


class Jump(Operation, frozen=True, tag="jump"):
    """Points for moving own ships along the lines, all at the same time (rule 127)."""

    points: Amount = 1


class JumpAnywhere(Operation, frozen=True, tag="jump-anywhere"):
    """A number of own ships go to any location, or to the named one."""

    ships: Few = 1
    to: Literal["anywhere", "sol", "deep-space"] = "anywhere"


class Automate(Operation, frozen=True, tag="automate"):
    """The leftmost disc of a track moves onto the automation track (rule 78)."""

    n: Few = 1
    disc: Literal["food", "ore", "either"] = "either"


class Research(Operation, frozen=True, tag="research"):
    """Use one population to research a technology (rule 84)."""

    level: Literal[1, 2, 3, 4, "colonised+1"] = 1
    type: Literal["any", "science", "economy", "military", "commerce"] = "any"
    discovered: bool = False
    """Whether it must have been discovered already: the eye symbol (rule 88)."""
    any_place: bool = False
    """Whether the prerequisites need not be researched."""
    no_bonus: bool = False


class Colonise(Operation, frozen=True, tag="colonise"):
    """Colonise a controlled system (rule 156).

    With `stealth` it is one that nobody controlled when this turn began, and its bonus for gaining control is not
    given (Stealth Terraformers of 2020).
    """

    stealth: bool = False


class MoveSupply(Operation, frozen=True, tag="move-supply"):
    """The rightmost supply cubes move to other columns."""

    n: Few = 1
    column_to: Literal["any", "a", "b", "c", "d", "e"] = "any"


class CopyAction(Operation, frozen=True, tag="copy"):
    """Perform another action at its own cost without moving the pawn; its space may be occupied (rule 52)."""

    scope: Literal["basic", "research", "own"] = "basic"


class RepeatImmediate(Operation, frozen=True, tag="repeat"):
    """Do everything in the immediate box of the same card once more."""


class PrivateTechnology(Operation, frozen=True, tag="private-technology"):
    """Take a technology card of this level for yourself (rule 102)."""

    private_level: Literal[2, 3] = 2


class UncoverGuild(Operation, frozen=True, tag="uncover-guild"):
    """Remove a tile of this level from a guild (rule 110)."""

    guild_level: Literal[1, 2] = 1


class Displace(Operation, frozen=True, tag="displace"):
    """Lay another player's pawn beside the board (rule 50)."""


class AllProduction(Operation, frozen=True, tag="all-production"):
    """This turn's production is growth, ore and trade, in this order (rule 77)."""


class ToMuseum(Operation, frozen=True, tag="to-museum"):
    """Own ships go onto a card and are out of play (rule 112)."""

    n: Few = 1


class LaySystem(Operation, frozen=True, tag="lay-system"):
    """Lay a system card beside this event; it is not a location (rule 113)."""

    deck: Literal["A", "B"] = "A"


class TakeSystem(Operation, frozen=True, tag="take-system"):
    """Take the system card beside this event as colonised, without discs (rule 113).

    The event is discarded and the pawn laid beside the board.
    """


class Told(Operation, frozen=True, tag="told"):
    """Something outside this vocabulary: the players enter what it did."""


Simple: TypeAlias = (
    GainOre
    | PayOre
    | PayOpponent
    | Recruit
    | Retire
    | Build
    | Upgrade
    | Jump
    | JumpAnywhere
    | Automate
    | Research
    | Colonise
    | MoveSupply
    | CopyAction
    | RepeatImmediate
    | PrivateTechnology
    | UncoverGuild
    | Displace
    | AllProduction
    | ToMuseum
    | LaySystem
    | TakeSystem
    | Told
)
"""Operations that contain no others."""


class Everyone(Operation, frozen=True, tag="everyone"):
    """Every faction does this, clockwise from the discoverer (rule 109); each may decline if `may`."""

    effects: Annotated[tuple[Simple, ...], Meta(min_length=1)]
    may: bool = True


class Choice(Struct, frozen=True):
    """One of several things to choose from: costs and effects in printed order."""

    effects: Annotated[tuple[AnyOperation, ...], Meta(min_length=1)]


class Choose(Operation, frozen=True, tag="choose"):
    """Do a number of these, or none if optional; `again` if one may be done more than once."""

    options: Annotated[tuple[Choice, ...], Meta(min_length=1)]
    picks: Few = 1
    optional: bool = False
    again: bool = False


AnyOperation: TypeAlias = Simple | Everyone | Choose
Operations: TypeAlias = tuple[AnyOperation, ...]


class Action(Struct, frozen=True, kw_only=True):
    """An action of a card: its spaces, what it costs, what it does (rule 47)."""

    spaces: Few = 1
    ore_cost: Cap = 0
    retired: Annotated[int, Meta(ge=0, le=4)] = 0
    effects: Annotated[tuple[AnyOperation, ...], Meta(min_length=1)]

    @property
    def cost(self) -> Operations:
        """What is paid before any effect."""
        ore: Operations = (PayOre(n=self.ore_cost),) if self.ore_cost else ()
        return (*ore, Retire(n=self.retired)) if self.retired else ore


def inside(operations: Operations) -> Iterator[AnyOperation]:
    """These operations and all operations nested in them."""
    for operation in operations:
        yield operation
        if isinstance(operation, Everyone):
            yield from operation.effects
        elif isinstance(operation, Choose):
            for choice in operation.options:
                yield from inside(choice.effects)


# Lasting abilities

Trigger = Literal[
    "three-exchanges", "last-ore-disc", "last-food-disc", "gaining-control", "colonising", "research"
]


class Ability(Struct, frozen=True, tag_field="does", kw_only=True):
    """A lasting ability, printed on a technology, a colonised system or a faction board."""


class LackOne(Ability, frozen=True, tag="lack-one"):
    """A discovered technology of levels II to IIII that needs two others may lack one (rule 101)."""


class OreForRetired(Ability, frozen=True, tag="ore-for-retired"):
    """One of the population cubes retired as an action's cost may be replaced by 1 ore."""


class EitherTrack(Ability, frozen=True, tag="either-track"):
    """Discs may be taken from either track, whichever kind is required."""


class FastJumps(Ability, frozen=True, tag="fast-jumps"):
    """One point leads anywhere, except when leaving Sol or Deep Space."""


class TakeOccupied(Ability, frozen=True, tag="take-occupied"):
    """The pawn may enter an occupied space: the other pawn is laid aside (rule 51)."""


class When(Ability, frozen=True, tag="when"):
    """Operations triggered every time something happens, or only the first time (rules 179 and 180)."""

    when: Trigger
    effects: Annotated[tuple[Simple, ...], Meta(min_length=1)]
    once: bool = True


class OtherAbility(Ability, frozen=True, tag="other-ability"):
    """An ability outside this vocabulary: the players apply it and correct the counters it changes."""


AnyAbility: TypeAlias = LackOne | OreForRetired | EitherTrack | FastJumps | TakeOccupied | When | OtherAbility


# Conditions of achievements


class Condition(Struct, frozen=True, tag_field="does", kw_only=True):
    """The condition for claiming an achievement."""


class AtLeast(Condition, frozen=True, tag="at-least"):
    """At least this many of something: Empire, Transcendence, Specialization."""

    counted: Counted = "colonised"
    number: Annotated[int, Meta(ge=1, le=20)] = 4


class AllOfLevel(Condition, frozen=True, tag="all-of-level"):
    """All technologies of one level of the tree, not counting private ones (Technologist)."""

    tree_level: Literal[1, 2, 3, 4] = 2


class StrengthAt(Condition, frozen=True, tag="strength-at"):
    """This much strength in each of a number of locations, which may include Sol and Deep Space (Warlord)."""

    strength: Amount = 4
    locations: Amount = 3


class ToldCondition(Condition, frozen=True, tag="told-condition"):
    """A condition outside this vocabulary: the players say when it is fulfilled."""


AnyCondition: TypeAlias = AtLeast | AllOfLevel | StrengthAt | ToldCondition
