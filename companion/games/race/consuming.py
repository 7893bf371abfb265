"""Which Consume powers can be used, on which goods and for which reward, and the order that yields the most."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from companion.core import power_orders
from companion.core.power_orders import PowerId, Use
from companion.core.words import Text, say
from companion.games.race.cards import (
    PRICE,
    Card,
    ConsumeAll,
    ConsumeEach,
    ConsumeForPrice,
    ConsumeSet,
    DiscardHand,
    Draw,
    Gamble,
    Power,
    TradeBonus,
    TradeBonusHere,
    powers,
)
from companion.games.race.state import RaceState, because

Consumer = ConsumeEach | ConsumeSet | ConsumeAll | ConsumeForPrice
FREE = (Draw, Gamble)
ALL = 99
"""More goods than any seat can have."""


def consume_powers(state: RaceState, seat: int) -> Iterator[tuple[PowerId, Power]]:
    """A seat's Consume powers, used or not."""
    for card in state.cards(seat):
        for index, power in enumerate(card.powers):
            if power.phase == "consume":
                yield (card.id, index), power


def usable(state: RaceState, seat: int, used: tuple[PowerId, ...]) -> dict[PowerId, Power]:
    """The powers a seat can use now; all are obligatory, except discarding cards from the hand."""
    goods = [state.deck[world] for world in state.seats[seat].goods]
    hand = state.seats[seat].hand
    found: dict[PowerId, Power] = {}
    for id, power in consume_powers(state, seat):
        if id in used:
            continue
        if isinstance(power, FREE):
            found[id] = power
        elif isinstance(power, DiscardHand) and hand:
            found[id] = power
        elif isinstance(power, Consumer) and takes(power, goods)[0]:
            found[id] = power
    return found


def takes(power: Consumer, goods: list[Card]) -> tuple[int, list[Card]]:
    """How many goods a power would take (0 = it cannot be used), and which goods it can choose from."""
    if isinstance(power, ConsumeAll):
        return len(goods), goods
    if isinstance(power, ConsumeForPrice):
        return min(1, len(goods)), goods
    fitting = [g for g in goods if power.good in (None, g.good)]
    if isinstance(power, ConsumeEach):
        return min(power.goods, len(fitting)), fitting
    enough = len({g.good for g in fitting}) if power.different else len(fitting)
    return (power.goods if enough >= power.goods else 0), fitting


def yields(
    state: RaceState, seat: int, power: Consumer, goods: tuple[str, ...]
) -> tuple[int, int, list[Text]]:
    """Points (before doubling) and cards for these goods, and the parts that add up to the cards."""
    n = len(goods)
    if isinstance(power, ConsumeAll):
        return n - 1, 0, []
    if isinstance(power, ConsumeEach):
        return n * power.points, n * power.cards, []
    if isinstance(power, ConsumeSet):
        return power.points, power.cards, []
    cards, parts = price(state, seat, goods[0], power.with_trade_powers)
    return 0, cards, parts


def price(state: RaceState, seat: int, world: str, with_trade_powers: bool) -> tuple[int, list[Text]]:
    """Cards for the good of this world, and the parts that add up to the number."""
    good = state.deck[world].good
    assert good is not None
    total, parts = PRICE[good], [say("race.part.price", good=say(f"race.good.{good}"), n=PRICE[good])]
    if with_trade_powers:
        for card, n in _trade_bonuses(state.cards(seat), state.deck[world]):
            total += n
            parts.append(because(card, n))
    return total, parts


def _trade_bonuses(cards: list[Card], world: Card) -> Iterator[tuple[Card, int]]:
    for card, power in powers(cards, TradeBonus):
        if power.good in (None, world.good):
            yield card, power.cards
    for here in world.having(TradeBonusHere):
        yield world, here.cards


def spare_first(state: RaceState, seat: int, worlds: list[str]) -> list[str]:
    """Goods in the order to spend them: those that are produced again automatically, then the cheap ones."""

    def value(world: str) -> tuple[bool, int]:
        return state.deck[world].is_windfall, price(state, seat, world, True)[0]

    return sorted(worlds, key=value)


class Order(Struct, frozen=True):
    """A whole Consume phase of a seat: its uses, and the points (before doubling) and cards they give."""

    uses: tuple[Use, ...]
    points: int
    cards: int

    @property
    def gone(self) -> frozenset[str]:
        """The worlds whose goods are consumed."""
        return frozenset(world for use in self.uses for world in use.goods)

    @property
    def result(self) -> tuple[int, int, frozenset[str]]:
        """The result of an order; two orders with the same result are interchangeable."""
        return self.points, self.cards, self.gone


def every_result(state: RaceState, seat: int, used: tuple[PowerId, ...]) -> list[Order] | None:
    """One order for each possible result (points, cards and goods left), the most points first; None if there
    are too many to search."""
    by_world = {world: [world] for world in sorted(state.seats[seat].goods)}
    found = _search(state, seat, used, list(by_world.values())).results()
    return None if found is None else [_with_free(state, seat, used, order) for order in found]


def best_order(state: RaceState, seat: int, used: tuple[PowerId, ...]) -> Order:
    """The order with the most points, then the most cards, then the most valuable goods left; free powers
    come first."""
    groups: dict[tuple[str, int], list[str]] = {}
    for world in spare_first(state, seat, list(state.seats[seat].goods)):
        kind = (str(state.deck[world].good), price(state, seat, world, True)[0])
        groups.setdefault(kind, []).append(world)
    order = _search(state, seat, used, list(groups.values())).best()
    return _with_free(state, seat, used, order)


def _with_free(state: RaceState, seat: int, used: tuple[PowerId, ...], order: power_orders.Order) -> Order:
    left = [(id, power) for id, power in consume_powers(state, seat) if id not in used]
    free = tuple(Use(*id) for id, power in left if isinstance(power, FREE))
    drawn = sum(power.cards for _, power in left if isinstance(power, Draw))
    points, cards = order.worth
    return Order((*free, *order.uses), points, cards + drawn)


def _search(
    state: RaceState, seat: int, used: tuple[PowerId, ...], groups: list[list[str]]
) -> power_orders.OrderSearch:
    """The search over everything that can be consumed; the worlds of one group are interchangeable."""
    kinds = tuple(str(state.deck[group[0]].good) for group in groups)
    goods = power_orders.Goods(
        kinds, tuple(PRICE[kind] for kind in kinds), tuple(len(group) for group in groups)
    )
    prices = tuple(price(state, seat, group[0], True)[0] for group in groups)
    powers = tuple(
        (id, _taker(power, kinds, prices))
        for id, power in consume_powers(state, seat)
        if id not in used and isinstance(power, Consumer)
    )
    return power_orders.OrderSearch(powers, tuple(map(tuple, groups)), goods, (0, 0))


def _taker(power: Consumer, kinds: tuple[str, ...], prices: tuple[int, ...]) -> power_orders.Taker:
    """A power as the search sees it: points and cards for using it, and for each good."""
    everything = (True,) * len(kinds)
    if isinstance(power, ConsumeAll):
        return power_orders.Taker(ALL, everything, (-1, 0), ((1, 0),) * len(kinds))
    if isinstance(power, ConsumeForPrice):
        cards = prices if power.with_trade_powers else tuple(PRICE[kind] for kind in kinds)
        return power_orders.Taker(1, everything, (0, 0), tuple((0, n) for n in cards))
    fits = tuple(power.good in (None, kind) for kind in kinds)
    reward = (power.points, power.cards)
    if isinstance(power, ConsumeEach):
        return power_orders.Taker(power.goods, fits, (0, 0), (reward,) * len(kinds))
    nothing = ((0, 0),) * len(kinds)
    return power_orders.Taker(power.goods, fits, reward, nothing, exact=True, different=power.different)
