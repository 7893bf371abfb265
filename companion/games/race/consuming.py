"""Which Consume powers can be used, on which goods, for what; and the order that yields the most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

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

PowerId = tuple[str, int]
"""A card and the place of the power in its list."""

Consumer = ConsumeEach | ConsumeSet | ConsumeAll | ConsumeForPrice
FREE = (Draw, Gamble)


class Use(Struct, frozen=True):
    """One power used on these worlds' goods."""

    card: str
    power: int
    goods: tuple[str, ...] = ()


def consume_powers(state: RaceState, seat: int) -> Iterator[tuple[PowerId, Power]]:
    """A seat's Consume powers, used or not."""
    for card in state.cards(seat):
        for index, power in enumerate(card.powers):
            if power.phase == "consume":
                yield (card.id, index), power


def usable(state: RaceState, seat: int, used: tuple[PowerId, ...]) -> dict[PowerId, Power]:
    """The powers a seat can use now; obligatory all, but for discarding cards of the hand."""
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
    """How many goods a power would take (0 = it cannot be used), and among which."""
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
    """Points (before doubling) and cards for these goods, and what the cards are made of."""
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
    """Cards for the good of this world, and what the number is made of."""
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
    """Goods in the order one would part with them: those that come back by themselves, then the cheap ones."""

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
        """What comes of it: orders that differ in nothing else are the same to everybody."""
        return self.points, self.cards, self.gone


MOST_STEPS = 1500
"""Of the search for every result: a tableau with more is asked power by power."""


def every_result(state: RaceState, seat: int, used: tuple[PowerId, ...]) -> list[Order] | None:
    """One order for each result that some order has: points, cards and what stays; the most points first. None if
    there are too many to look at."""
    left = [(id, power) for id, power in consume_powers(state, seat) if id not in used]
    free = tuple(Use(*id) for id, power in left if isinstance(power, FREE))
    drawn = sum(power.cards for _, power in left if isinstance(power, Draw))
    found: dict[tuple[int, int, frozenset[str]], Order] = {}
    seen: set[tuple[frozenset[PowerId], frozenset[str], int, int]] = set()

    def go_on(left: tuple[tuple[PowerId, Consumer], ...], goods: frozenset[str], order: Order) -> None:
        here = (frozenset(id for id, _ in left), goods, order.points, order.cards)
        if here in seen or len(seen) > MOST_STEPS:
            return
        seen.add(here)
        stuck = True
        for n, (id, power) in enumerate(left):
            rest = left[:n] + left[n + 1 :]
            for taken in _choices(state, power, goods):
                stuck = False
                points, cards, _ = yields(state, seat, power, taken)
                use = Use(*id, taken)
                go_on(
                    rest,
                    goods - set(taken),
                    Order((*order.uses, use), order.points + points, order.cards + cards),
                )
        if stuck:
            found.setdefault((order.points, order.cards, goods), order)

    consumers = tuple((id, power) for id, power in left if isinstance(power, Consumer))
    go_on(consumers, frozenset(state.seats[seat].goods), Order(free, 0, drawn))
    if len(seen) > MOST_STEPS:
        return None
    return sorted(found.values(), key=lambda order: (-order.points, -order.cards))


def _choices(state: RaceState, power: Consumer, goods: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """Every set of worlds whose goods a power could take."""
    cards = [state.deck[world] for world in sorted(goods)]
    needed, fitting = takes(power, cards)
    if not needed:
        return
    different = isinstance(power, ConsumeSet) and power.different
    for chosen in combinations(fitting, needed):
        if not different or len({card.good for card in chosen}) == needed:
            yield tuple(card.id for card in chosen)


# The best order. Goods that are worth the same to every power are one class, so the search stays small. First the
# powers share the goods out freely, which is quick; such a sharing nearly always is what some order really gives, and
# then nothing can be better. Only else every order is tried.

_Classes = tuple[tuple[str, int], ...]  # (kind of good, cards for it with trade powers)
_Counts = tuple[int, ...]
_Worth = tuple[int, int, int]  # points, cards, price of what stays
_Plan = tuple[tuple[Consumer, _Counts], ...]


def best_order(state: RaceState, seat: int, used: tuple[PowerId, ...]) -> list[Use]:
    """The uses that take the most points, then cards, then leave the dearest goods; free powers come first."""
    left = [(id, power) for id, power in consume_powers(state, seat) if id not in used]
    free = [Use(*id) for id, power in left if isinstance(power, FREE)]
    consumers = [(id, p) for id, p in left if isinstance(p, Consumer)]
    worlds = state.seats[seat].goods
    groups: dict[tuple[str, int], list[str]] = {}
    for world in spare_first(state, seat, list(worlds)):
        kind = (str(state.deck[world].good), price(state, seat, world, True)[0])
        groups.setdefault(kind, []).append(world)
    classes = tuple(groups)
    counts = tuple(len(groups[kind]) for kind in classes)
    sorts = sorted((p for _, p in consumers), key=lambda p: isinstance(p, ConsumeAll))
    plan = _shared_out(tuple(sorts), classes, counts)
    if not _possible(plan, sorts, classes, counts):
        plan = _best_of_all_orders(tuple(sorts), classes, counts)
    uses = []
    for power, taken in plan:
        id = next(id for id, p in consumers if p == power)
        consumers.remove((id, power))
        goods = [groups[kind].pop(0) for kind, n in zip(classes, taken, strict=True) for _ in range(n)]
        uses.append(Use(*id, tuple(goods)))
    return [*free, *uses]


def _shared_out(consumers: tuple[Consumer, ...], classes: _Classes, counts: _Counts) -> _Plan:
    """The most the powers could take if each took what it liked; in an order in which it may really be so."""
    prices = tuple(PRICE[kind] for kind, _ in classes)

    @cache
    def best(n: int, counts: _Counts) -> tuple[_Worth, _Plan]:
        if n == len(consumers):
            return (0, 0, sum(have * price for have, price in zip(counts, prices, strict=True))), ()
        power, (worth, plan) = consumers[n], best(n + 1, counts)
        for taken in _liked(power, classes, counts):
            points, cards = _worth(power, classes, taken)
            (more, drawn, kept), rest = best(n + 1, _less(counts, taken))
            if (points + more, cards + drawn, kept) > worth:
                worth, plan = (points + more, cards + drawn, kept), ((power, taken), *rest)
        return worth, plan

    def last(use: tuple[Consumer, _Counts]) -> tuple[bool, bool, bool]:
        power, taken = use
        partly = isinstance(power, ConsumeEach) and sum(taken) < power.goods
        return isinstance(power, ConsumeAll), partly, getattr(power, "good", None) is None

    return tuple(sorted(best(0, counts)[1], key=last))


def _liked(power: Consumer, classes: _Classes, counts: _Counts) -> list[_Counts]:
    """Every way a power could take goods if it need not take as many as it can."""
    if not isinstance(power, ConsumeEach):
        return _takings(power, classes, counts)
    fewer = [replace(power, goods=n) for n in range(1, power.goods + 1)]
    return list(dict.fromkeys(taken for p in fewer for taken in _takings(p, classes, counts)))


def _possible(plan: _Plan, consumers: list[Consumer], classes: _Classes, counts: _Counts) -> bool:
    """Whether the rules allow this plan: each power to the full, and nothing usable left at the end."""
    unused = list(consumers)
    for power, taken in plan:
        if taken not in _takings(power, classes, counts):
            return False
        counts = _less(counts, taken)
        unused.remove(power)
    return not any(_takings(power, classes, counts) for power in unused)


def _best_of_all_orders(consumers: tuple[Consumer, ...], classes: _Classes, counts: _Counts) -> _Plan:
    prices = tuple(PRICE[kind] for kind, _ in classes)

    @cache
    def best(left: tuple[tuple[Consumer, int], ...], counts: _Counts) -> tuple[_Worth, _Plan]:
        found: tuple[_Worth, _Plan] | None = None
        for power, _ in left:
            rest = tuple((p, n - (p is power)) for p, n in left if n - (p is power))
            for taken in _takings(power, classes, counts):
                points, cards = _worth(power, classes, taken)
                (more, drawn, kept), plan = best(rest, _less(counts, taken))
                worth = (points + more, cards + drawn, kept)
                if found is None or worth > found[0]:
                    found = worth, ((power, taken), *plan)
        if found is None:
            return (0, 0, sum(n * price for n, price in zip(counts, prices, strict=True))), ()
        return found

    return best(tuple(Counter(consumers).items()), counts)[1]


def _less(counts: _Counts, taken: _Counts) -> _Counts:
    return tuple(have - gone for have, gone in zip(counts, taken, strict=True))


def _worth(power: Consumer, classes: _Classes, taken: _Counts) -> tuple[int, int]:
    n = sum(taken)
    if isinstance(power, ConsumeAll):
        return n - 1, 0
    if isinstance(power, ConsumeEach):
        return n * power.points, n * power.cards
    if isinstance(power, ConsumeSet):
        return power.points, power.cards
    kind, with_powers = classes[taken.index(1)]
    return 0, with_powers if power.with_trade_powers else PRICE[kind]


def _takings(power: Consumer, classes: _Classes, counts: _Counts) -> list[_Counts]:
    """Every way a power can take goods, by class; none if it cannot be used."""
    have = sum(counts)
    if isinstance(power, ConsumeAll):
        return [counts] if have else []
    if isinstance(power, ConsumeForPrice):
        return [_only(counts, i) for i, n in enumerate(counts) if n]
    fits = [i for i, (kind, _) in enumerate(classes) if power.good in (None, kind) and counts[i]]
    if isinstance(power, ConsumeSet) and power.different:
        sets = combinations(fits, power.goods)
        kinds = [chosen for chosen in sets if len({classes[i][0] for i in chosen}) == power.goods]
        return [tuple(int(i in chosen) for i in range(len(counts))) for chosen in kinds]
    room = sum(counts[i] for i in fits)
    if isinstance(power, ConsumeSet) and room < power.goods:
        return []
    return _spread(min(power.goods, room), fits, counts) if room else []


def _only(counts: _Counts, index: int) -> _Counts:
    return tuple(int(i == index) for i in range(len(counts)))


def _spread(n: int, fits: list[int], counts: _Counts) -> list[_Counts]:
    """Every way to take exactly `n` goods from these classes."""
    if not fits:
        return [(0,) * len(counts)] if n == 0 else []
    first, rest = fits[0], fits[1:]
    found = []
    for taken in range(min(n, counts[first]) + 1):
        for others in _spread(n - taken, rest, counts):
            found.append(tuple(taken if i == first else k for i, k in enumerate(others)))
    return found
