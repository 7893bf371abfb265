"""The powers of tiles: a closed vocabulary. The action a power belongs to follows from its effect (p. 4).

A power that does not fit the vocabulary is `Told`: when it applies, the players are asked what it gave.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal, Protocol, TypeVar

from msgspec import Meta, Struct

from companion.core.words import Text, count
from scoring.frontiers import EVERY_NUMBER, Kind, Match, Military, Phase

Amount = Annotated[int, Meta(ge=1, le=9)]
Few = Annotated[int, Meta(ge=1, le=4)]
Some = Annotated[int, Meta(ge=0, le=9)]

Gain = Literal["credits", "points", "colonists"]
Also = tuple[Gain, ...]
"""Additional gains of a power, one for each time a gain is named: one power may give several things."""
AnyGood = Literal["any", "novelty", "rare", "genes", "alien"]


class Limited(Protocol):
    """Something that applies to tiles whose printed cost or defence is between two numbers (p. 4), ignoring
    discounts."""

    @property
    def least(self) -> int: ...
    @property
    def most(self) -> int: ...


class Power(Struct, frozen=True, tag_field="does", kw_only=True):
    """An effect of a tile in one action, its `phase`."""


class DrawWorlds(Power, frozen=True, tag="draw-worlds"):
    """Explore: draw worlds from the bag after one's own picks (Survey Team, p. 5)."""

    phase: ClassVar[Phase] = "explore"
    worlds: Few = 1


class DevelopDiscount(Power, frozen=True, tag="develop-discount"):
    """Develop: developments cost less."""

    phase: ClassVar[Phase] = "develop"
    n: Amount = 1
    size: Literal["all", "small", "large"] = "all"
    least: Some = 0
    most: Some = 9


class GainAfterDevelop(Power, frozen=True, tag="gain-after-develop"):
    """Develop: gain after buying a development (Deep Space Symbionts, p. 4)."""

    phase: ClassVar[Phase] = "develop"
    gain: Gain = "credits"
    n: Amount = 1
    also: Also = ()
    least: Some = 0
    most: Some = 9


class MilitaryPower(Power, frozen=True, tag="military"):
    """Settle: military, perhaps only against some worlds; may be negative."""

    phase: ClassVar[Phase] = "settle"
    n: Annotated[int, Meta(ge=-3, le=6)] = 1
    match: Match = "all"
    least: Some = 0
    most: Some = 9

    @property
    def is_general(self) -> bool:
        """Whether it works against every world."""
        return self.match == "all" and (self.least, self.most) == EVERY_NUMBER


class SettleDiscount(Power, frozen=True, tag="settle-discount"):
    """Settle: worlds that are paid for cost less."""

    phase: ClassVar[Phase] = "settle"
    n: Amount = 1
    match: Match = "all"
    least: Some = 0
    most: Some = 9


class MilitaryForGood(Power, frozen=True, tag="military-for-good"):
    """Settle: remove a good from one of your colonies for military during this action (p. 6)."""

    phase: ClassVar[Phase] = "settle"
    n: Amount = 1
    good: AnyGood = "any"


class PayForMilitary(Power, frozen=True, tag="pay-for-military"):
    """Settle: pay for a military world, its defence less `n`, instead of conquering it (Contact Specialist, p. 6)."""

    phase: ClassVar[Phase] = "settle"
    n: Annotated[int, Meta(ge=-2, le=3)] = 0
    except_alien: bool = False
    match: Match = "all"
    least: Some = 0
    most: Some = 9


class SecondWorld(Power, frozen=True, tag="second-world"):
    """Settle: a second world in the same action (Improved Logistics, p. 6)."""

    phase: ClassVar[Phase] = "settle"


class DrawAfterSettle(Power, frozen=True, tag="draw-after-settle"):
    """Settle: draw worlds from the bag after each world settled (Terraforming Robots, p. 6)."""

    phase: ClassVar[Phase] = "settle"
    worlds: Few = 1


class GainAfterSettle(Power, frozen=True, tag="gain-after-settle"):
    """Settle: gain after each world settled, perhaps only some worlds."""

    phase: ClassVar[Phase] = "settle"
    gain: Gain = "credits"
    n: Amount = 1
    match: Match = "all"
    also: Also = ()
    least: Some = 0
    most: Some = 9


class Replace(Power, frozen=True, tag="replace"):
    """Settle: replace a peaceful colony by an explored one (Terraforming Engineers, Doomed Colony, p. 7)."""

    phase: ClassVar[Phase] = "settle"
    colony: Literal["any", "this"] = "any"
    higher: Some = 3
    same_kind: bool = True
    lower: Some = 0


class ProduceWindfall(Power, frozen=True, tag="produce-windfall"):
    """Produce: a good on one of your empty windfall colonies."""

    phase: ClassVar[Phase] = "produce"
    good: AnyGood = "any"


class GainIfProducedHere(Power, frozen=True, tag="gain-if-produced-here"):
    """Produce: gain if a good was produced on this colony in this action (Comet Zone, p. 7)."""

    phase: ClassVar[Phase] = "produce"
    gain: Gain = "credits"
    n: Amount = 1
    also: Also = ()


class GainPerProduced(Power, frozen=True, tag="gain-per-produced"):
    """Produce: gain for each good the owner produced in this action."""

    phase: ClassVar[Phase] = "produce"
    gain: Gain = "credits"
    n: Amount = 1
    good: AnyGood = "any"
    also: Also = ()


class GainPerColony(Power, frozen=True, tag="gain-per-colony"):
    """Produce: gain for each colony of a sort, with or without goods (Pan-Galactic League, p. 9)."""

    phase: ClassVar[Phase] = "produce"
    gain: Gain = "credits"
    n: Amount = 1
    match: Match = "all"
    military: Military = "any"
    also: Also = ()
    least: Some = 0
    most: Some = 9


class GainIfMost(Power, frozen=True, tag="gain-if-most"):
    """Produce: gain for producing the most goods of a kind in this action (Mining Industries, p. 7)."""

    phase: ClassVar[Phase] = "produce"
    gain: Gain = "credits"
    n: Amount = 1
    good: Kind = "rare"
    tied: bool = False
    also: Also = ()


class TradeBonus(Power, frozen=True, tag="trade-bonus"):
    """Trade: more credits for the good sold (p. 8)."""

    phase: ClassVar[Phase] = "trade"
    n: Amount = 1
    good: AnyGood = "any"


class Consume(Power, frozen=True, tag="consume"):
    """Consume: exactly `goods` goods for one reward, or up to `goods` goods for a reward each (p. 8)."""

    phase: ClassVar[Phase] = "consume"
    goods: Few = 1
    good: Literal["any", "novelty", "rare", "genes", "alien", "different"] = "any"
    points: Some = 1
    credits: Some = 0
    each: bool = False
    optional: bool = False


class GainPerConsumed(Power, frozen=True, tag="gain-per-consumed"):
    """Consume: gain for each good consumed, more for owning the Galactic Salon (Prosperous Economy, p. 8)."""

    phase: ClassVar[Phase] = "consume"
    gain: Gain = "points"
    n: Amount = 1
    with_salon: Some = 0
    also: Also = ()


class GainAlways(Power, frozen=True, tag="gain"):
    """Gain whenever the action is done (Homesteading Pioneers in Explore, Galactic Salon in Consume)."""

    phase: Phase
    gain: Gain = "credits"
    n: Amount = 1
    also: Also = ()


class Told(Power, frozen=True, tag="told"):
    """Any other power: the players are asked what it gave."""

    phase: Phase
    discount: bool = False
    """Whether it may make something cheaper; then it is asked about before anything is paid."""


AnyPower = (
    DrawWorlds
    | DevelopDiscount
    | GainAfterDevelop
    | MilitaryPower
    | SettleDiscount
    | MilitaryForGood
    | PayForMilitary
    | SecondWorld
    | DrawAfterSettle
    | GainAfterSettle
    | Replace
    | ProduceWindfall
    | GainIfProducedHere
    | GainPerProduced
    | GainPerColony
    | GainIfMost
    | TradeBonus
    | Consume
    | GainPerConsumed
    | GainAlways
    | Told
)
P = TypeVar("P", bound=Power)


def of_sort(powers: Iterable[Power], sort: type[P]) -> tuple[P, ...]:
    """The powers of one sort."""
    return tuple(power for power in powers if isinstance(power, sort))


Gainful = (
    GainAfterDevelop
    | GainAfterSettle
    | GainIfProducedHere
    | GainPerProduced
    | GainPerColony
    | GainIfMost
    | GainPerConsumed
    | GainAlways
)


def given(power: Gainful) -> tuple[tuple[Gain, int], ...]:
    """Everything one use of a power gives."""
    return ((power.gain, power.n), *Counter(power.also).items())


def amount(power: Gainful, gain: Gain) -> int:
    """How much of one gain a single use of a power gives."""
    return sum(n for what, n in given(power) if what == gain)


def gained(gain: Gain, n: int) -> Text:
    """An amount of one gain, in words."""
    return count(f"frontiers.gained.{gain}", n)
