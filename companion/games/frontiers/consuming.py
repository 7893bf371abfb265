"""Selling and consuming (p. 8): the price of a good, which Consume powers take which goods, and whole orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.core.power_orders import Goods, OrderSearch, Taker, Worth
from companion.core.words import Text, say
from companion.games.frontiers.component_types import PRICE
from companion.games.frontiers.deeds import because, remove_goods
from companion.games.frontiers.powers import (
    Consume,
    Gain,
    GainAlways,
    GainIfProducedHere,
    GainPerConsumed,
    TradeBonus,
    amount,
)
from companion.games.frontiers.state import Colony, FrontiersState, PowerId
from scoring.frontiers import Kind

GAINS: tuple[Gain, ...] = ("points", "credits", "colonists")
"""What consuming may give, the most desirable first."""
NOTHING: Worth = (0, 0, 0)


# Selling


def sellable(state: FrontiersState, seat: int) -> list[Colony]:
    """The colonies whose good may be sold: all except the Oort Cloud Refinery's (p. 8)."""
    colonies = state.seats[seat].colonies
    return [c for c in colonies if c.good is not None and state.world(c.tile).kind != "any"]


def proceeds(state: FrontiersState, seat: int, kind: Kind) -> tuple[int, tuple[Text, ...]]:
    """Credits for a good of this kind with every Trade power, and the parts that add up to the number."""
    total, parts = (
        PRICE[kind],
        [say("frontiers.part.price", good=say(f"frontiers.good.{kind}"), n=PRICE[kind])],
    )
    for (id, _), power in state.powers(seat, "trade"):
        more = power.n if isinstance(power, TradeBonus) and power.good in ("any", kind) else 0
        more += amount(power, "credits") if isinstance(power, GainAlways) else 0
        if more:
            total += more
            parts.append(because(state.tile(id), more))
    return total, tuple(parts)


# Consuming


def consumers(state: FrontiersState, seat: int) -> Iterator[tuple[PowerId, Consume]]:
    """A seat's powers that consume goods and were not yet used in this action."""
    for id, power in state.powers(seat, "consume"):
        if isinstance(power, Consume) and id not in state.seats[seat].used:
            yield id, power


def fitting(state: FrontiersState, seat: int, power: Consume) -> list[Colony]:
    """The colonies whose goods a power may take, by the colour of the cube; the least useful goods first."""
    colonies = [c for c in state.seats[seat].colonies if c.good is not None]
    found = [c for c in colonies if power.good in ("any", "different", c.good)]
    return sorted(found, key=lambda colony: missed(state, colony))


def missed(state: FrontiersState, colony: Colony) -> tuple[bool, bool, int]:
    """A sort key for how useful a good is: least useful if producing it again gives a reward, or if it is
    produced again automatically."""
    world = state.world(colony.tile)
    pays = bool(world.having(GainIfProducedHere))
    return world.goods == "windfall", not pays, worth_keeping(state, colony)


def worth_keeping(state: FrontiersState, colony: Colony) -> int:
    """What a good that is kept can be sold for later."""
    if colony.good is None or state.world(colony.tile).kind == "any":
        return 0
    return PRICE[colony.good]


def takes(power: Consume, colonies: Iterable[Colony]) -> int:
    """How many of these goods a power would take; 0 if it cannot be used."""
    goods = [colony.good for colony in colonies]
    room = len(set(goods)) if power.good == "different" else len(goods)
    if power.each:
        return min(power.goods, room)
    return power.goods if room >= power.goods else 0


def usable(state: FrontiersState, seat: int) -> dict[PowerId, Consume]:
    """The powers a seat can use now; all are obligatory, except the optional ones."""
    return {id: power for id, power in consumers(state, seat) if takes(power, fitting(state, seat, power))}


def per_good(state: FrontiersState, seat: int) -> tuple[int, ...]:
    """The extra gain for each good consumed, in the order of `GAINS` (Prosperous Economy)."""
    found = [power for _, power in state.having(seat, GainPerConsumed)]
    return tuple(sum(amount(power, gain) for power in found) for gain in GAINS)


def reward(power: Consume, n: int) -> dict[Gain, int]:
    """What a power itself gives for `n` goods."""
    times = n if power.each else 1
    every: dict[Gain, int] = {"points": power.points * times, "credits": power.credits * times}
    return {what: n for what, n in every.items() if n}


def search(state: FrontiersState, seat: int) -> OrderSearch:
    """The search over everything that can be consumed; goods of one colour are interchangeable if they are
    equally useful."""
    groups: dict[tuple[Kind, tuple[bool, bool, int]], list[Colony]] = {}
    for colony in state.seats[seat].colonies:
        if colony.good is not None:
            groups.setdefault((colony.good, missed(state, colony)), []).append(colony)
    classes = sorted(groups, key=lambda one: one[1])
    goods = Goods(
        kinds=tuple(kind for kind, _ in classes),
        kept=tuple(worth_keeping(state, groups[one][0]) for one in classes),
        counts=tuple(len(groups[one]) for one in classes),
    )
    more = per_good(state, seat)
    powers = tuple((id, _taker(power, goods, more)) for id, power in consumers(state, seat))
    tiles = tuple(tuple(colony.tile for colony in groups[one]) for one in classes)
    return OrderSearch(powers, tiles, goods, NOTHING)


def _taker(power: Consume, goods: Goods, more: tuple[int, ...]) -> Taker:
    own = (power.points, power.credits, 0)
    each = tuple(a + b for a, b in zip(own, more, strict=True)) if power.each else more
    return Taker(
        most=power.goods,
        fits=tuple(power.good in ("any", "different", kind) for kind in goods.kinds),
        once=NOTHING if power.each else own,
        each=(each,) * len(goods.kinds),
        exact=not power.each,
        different=power.good == "different",
        optional=power.optional,
    )


def with_sale(state: FrontiersState, seat: int, tile: str | None) -> Worth:
    """The total gain of selling this colony's good (or none) and then consuming in the best order."""
    sold = 0
    if tile is not None:
        colony = state.seats[seat].colony(tile)
        assert colony is not None
        assert colony.good is not None
        sold = proceeds(state, seat, colony.good)[0]
        state = remove_goods(state, seat, (tile,))
    points, credits, colonists = search(state, seat).best().worth
    return points, credits + sold, colonists
