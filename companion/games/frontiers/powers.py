"""The powers of tiles: a closed vocabulary. Which action a power belongs to follows from what it does (p. 4).

What cannot be said with it is `Told`: at its moment the table is asked what it gave.
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
"""What a power gives besides, one of each time it is named: one power may give several things."""
AnyGood = Literal["any", "novelty", "rare", "genes", "alien"]


class Limited(Protocol):
    """Something about tiles whose printed cost or defence lies between two numbers (p. 4), discounts left out."""

    @property
    def least(self) -> int: ...
    @property
    def most(self) -> int: ...


class Power(Struct, frozen=True, tag_field="does", kw_only=True):
    """Something a tile of the empire does in one action, its `phase`."""


class DrawWorlds(Power, frozen=True, tag="draw-worlds"):
    """Explore: draw worlds from the bag after the own picks (Survey Team, p. 5)."""

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
    """Settle: remove a good of any own colony for military during this action (p. 6)."""

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
    """Produce: a good on one own windfall colony without one."""

    phase: ClassVar[Phase] = "produce"
    good: AnyGood = "any"


class GainIfProducedHere(Power, frozen=True, tag="gain-if-produced-here"):
    """Produce: gain if a good was made on this colony in this action (Comet Zone, p. 7)."""

    phase: ClassVar[Phase] = "produce"
    gain: Gain = "credits"
    n: Amount = 1
    also: Also = ()


class GainPerProduced(Power, frozen=True, tag="gain-per-produced"):
    """Produce: gain for each good the owner made in this action."""

    phase: ClassVar[Phase] = "produce"
    gain: Gain = "credits"
    n: Amount = 1
    good: AnyGood = "any"
    also: Also = ()


class GainPerColony(Power, frozen=True, tag="gain-per-colony"):
    """Produce: gain for each colony of a sort, goods or not (Pan-Galactic League, p. 9)."""

    phase: ClassVar[Phase] = "produce"
    gain: Gain = "credits"
    n: Amount = 1
    match: Match = "all"
    military: Military = "any"
    also: Also = ()
    least: Some = 0
    most: Some = 9


class GainIfMost(Power, frozen=True, tag="gain-if-most"):
    """Produce: gain for having made the most goods of a kind in this action (Mining Industries, p. 7)."""

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
    """Consume: exactly so many goods for one reward, or up to so many for a reward each (p. 8)."""

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
    """Something else: the table is asked what it gave."""

    phase: Phase
    discount: bool = False
    """Whether it may make something cheaper: then it is asked before anything is paid for."""


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
    """Those of these powers that are of one sort."""
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
    """All that one power gives at its moment."""
    return ((power.gain, power.n), *Counter(power.also).items())


def amount(power: Gainful, gain: Gain) -> int:
    """How much of something a power gives at its moment."""
    return sum(n for what, n in given(power) if what == gain)


def gained(gain: Gain, n: int) -> Text:
    """So much of something, in words."""
    return count(f"frontiers.gained.{gain}", n)
