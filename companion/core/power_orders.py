"""The order in which powers use goods: every possible result, and the best one.

Goods that are equivalent for every power and for their owner form one class, so the search stays small.
Powers must be used as long as one can be; only optional ones may be skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

Worth = tuple[int, ...]
"""The gain, most important part first."""
Counts = tuple[int, ...]
"""The number of goods of each class."""
PowerPlan = tuple[tuple["Taker", Counts], ...]
"""A sequence of powers, each with the goods it takes."""
Results = dict[tuple[Worth, Counts], PowerPlan]
"""For each gain and remaining goods, one order that leads there."""

MOST_STEPS = 1500
"""Limit of the search for every result; with more to search, the player decides power by power."""


class Taker(Struct, frozen=True):
    """A power that takes goods: `most` of them, or fewer if there are fewer and it is not `exact`.

    Its gain is `once` for being used plus `each` for every good, by class.
    """

    most: int
    fits: tuple[bool, ...]
    once: Worth
    each: tuple[Worth, ...]
    exact: bool = False
    different: bool = False
    """Whether all goods it takes must be of different kinds."""
    optional: bool = False

    def gives(self, taken: Counts) -> Worth:
        """The gain from these goods."""
        total = self.once
        for worth, n in zip(self.each, taken, strict=True):
            total = _plus(total, tuple(n * part for part in worth))
        return total


class Goods(Struct, frozen=True):
    """The classes of goods: the kind of each, the value of one that is kept, and how many there are."""

    kinds: tuple[str, ...]
    kept: tuple[int, ...]
    counts: Counts

    def takings(self, taker: Taker, counts: Counts) -> list[Counts]:
        """Every way a power can take goods; empty if it cannot be used."""
        fits = [i for i, n in enumerate(counts) if n and taker.fits[i]]
        if taker.different:
            room = len({self.kinds[i] for i in fits})
        else:
            room = sum(counts[i] for i in fits)
        n = min(taker.most, room)
        if not n or (taker.exact and n < taker.most):
            return []
        if not taker.different:
            return list(_spread(n, fits, counts))
        sets = (chosen for chosen in combinations(fits, n) if len({self.kinds[i] for i in chosen}) == n)
        return [tuple(int(i in chosen) for i in range(len(counts))) for chosen in sets]

    def worth_keeping(self, counts: Counts) -> int:
        """The value of goods that are kept."""
        return sum(n * price for n, price in zip(counts, self.kept, strict=True))


def _plus(a: Worth, b: Worth) -> Worth:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _less(counts: Counts, taken: Counts) -> Counts:
    return tuple(have - gone for have, gone in zip(counts, taken, strict=True))


def _spread(n: int, fits: list[int], counts: Counts) -> Iterator[Counts]:
    """Every way to take exactly `n` goods from these classes."""
    if not fits:
        if n == 0:
            yield (0,) * len(counts)
        return
    first, rest = fits[0], fits[1:]
    for taken in range(min(n, counts[first]) + 1):
        for others in _spread(n - taken, rest, counts):
            yield tuple(taken if i == first else k for i, k in enumerate(others))


@lru_cache(maxsize=64)
def every_result(takers: tuple[Taker, ...], goods: Goods, nothing: Worth) -> Results | None:
    """One order for each possible result; None if there are too many to search."""

    @cache
    def ways(one: int, counts: Counts) -> list[tuple[Counts, Counts, Worth]]:
        """What a power can take, what remains then, and the gain."""
        takings = goods.takings(takers[one], counts)
        return [(taken, _less(counts, taken), takers[one].gives(taken)) for taken in takings]

    found: Results = {}
    start = (tuple(map(takers.index, takers)), goods.counts, nothing)
    seen = {start}
    ahead: list[tuple[tuple[Counts, Counts, Worth], PowerPlan]] = [(start, ())]
    while ahead:
        (left, counts, worth), plan = ahead.pop()
        may_stop = True
        for at, one in enumerate(left):
            for taken, stay, gives in ways(one, counts):
                may_stop = may_stop and takers[one].optional
                here = (left[:at] + left[at + 1 :], stay, _plus(worth, gives))
                if here not in seen:
                    seen.add(here)
                    ahead.append((here, (*plan, (takers[one], taken))))
        if may_stop:
            found.setdefault((worth, counts), plan)
        if len(seen) > MOST_STEPS:
            return None
    return found


# The best order. First let the powers take goods freely, which is quick; such a distribution is nearly always
# one that a legal order yields, and then nothing can be better. Only otherwise try every order.


@lru_cache(maxsize=64)
def best_order(takers: tuple[Taker, ...], goods: Goods, nothing: Worth) -> PowerPlan:
    """The order with the highest gain, and of those the one that keeps the most valuable goods."""
    plan = _shared_out(takers, goods, nothing)
    return plan if _possible(plan, takers, goods) else _best_of_all_orders(takers, goods, nothing)


_Rank = tuple[Worth, int]


def _shared_out(takers: tuple[Taker, ...], goods: Goods, nothing: Worth) -> PowerPlan:
    """The best distribution if no power had to take as many goods as it can; ordered so that it is likely legal."""

    @cache
    def best(n: int, counts: Counts) -> tuple[_Rank, PowerPlan]:
        if n == len(takers):
            return (nothing, goods.worth_keeping(counts)), ()
        taker, (rank, plan) = takers[n], best(n + 1, counts)
        for taken in _liked(taker, goods, counts):
            (more, kept), rest = best(n + 1, _less(counts, taken))
            reached = (_plus(more, taker.gives(taken)), kept)
            if reached > rank:
                rank, plan = reached, ((taker, taken), *rest)
        return rank, plan

    def last(use: tuple[Taker, Counts]) -> tuple[bool, bool]:
        taker, taken = use
        return not taker.exact and sum(taken) < taker.most, all(taker.fits)

    return tuple(sorted(best(0, goods.counts)[1], key=last))


def _liked(taker: Taker, goods: Goods, counts: Counts) -> list[Counts]:
    """Every way a power could take goods if it need not take as many as it can."""
    if taker.exact:
        return goods.takings(taker, counts)
    most = min(taker.most, sum(counts))
    fewer = [replace(taker, most=n) for n in range(1, most + 1)]
    return list(dict.fromkeys(taken for one in fewer for taken in goods.takings(one, counts)))


def _possible(plan: PowerPlan, takers: tuple[Taker, ...], goods: Goods) -> bool:
    """Whether the rules allow this plan: each power takes all it can, and no mandatory power is left at the end."""
    unused, counts = list(takers), goods.counts
    for taker, taken in plan:
        if taken not in goods.takings(taker, counts):
            return False
        counts = _less(counts, taken)
        unused.remove(taker)
    return not any(goods.takings(taker, counts) for taker in unused if not taker.optional)


def _best_of_all_orders(takers: tuple[Taker, ...], goods: Goods, nothing: Worth) -> PowerPlan:
    @cache
    def best(left: tuple[tuple[Taker, int], ...], counts: Counts) -> tuple[_Rank, PowerPlan]:
        found: tuple[_Rank, PowerPlan] | None = None
        must = False
        for taker, _ in left:
            rest = tuple((t, n - (t is taker)) for t, n in left if n - (t is taker))
            for taken in goods.takings(taker, counts):
                must = must or not taker.optional
                (more, kept), plan = best(rest, _less(counts, taken))
                rank = (_plus(more, taker.gives(taken)), kept)
                if found is None or rank > found[0]:
                    found = rank, ((taker, taken), *plan)
        stop: tuple[_Rank, PowerPlan] = (nothing, goods.worth_keeping(counts)), ()
        if found is None or (not must and stop[0] > found[0]):
            return stop
        return found

    return best(tuple(Counter(takers).items()), goods.counts)[1]


# What a game asks for: its own powers and goods instead of numbers

PowerId = tuple[str, int]
"""A component and the index of the power among its powers."""


class Use(Struct, frozen=True):
    """One power used on these goods, which are given by their places."""

    source: str
    power: int
    goods: tuple[str, ...] = ()


def encode(uses: Iterable[Use]) -> str:
    """A whole order as an option id, so that a replay needs no search."""
    return ";".join(f"{use.source}.{use.power}={'+'.join(use.goods)}" for use in uses)


def decode(order: str) -> list[Use]:
    """The order in an option id."""
    uses = []
    for part in filter(None, order.split(";")):
        id, _, goods = part.partition("=")
        source, _, power = id.rpartition(".")
        uses.append(Use(source, int(power), tuple(goods.split("+")) if goods else ()))
    return uses


def still_to_pick(
    goods: Mapping[str, str | None], n: int, picked: Iterable[str], different: bool
) -> tuple[int, list[str]]:
    """How many of `n` goods a power still has to take, and from which places: `goods` maps places to kinds
    that fit."""
    done = list(picked)
    kinds = {goods[place] for place in done if place in goods}
    among = [
        place for place, kind in goods.items() if place not in done and not (different and kind in kinds)
    ]
    return max(0, n - len(done)), among if n else []


def is_choice(missing: int, among: list[str]) -> bool:
    """Whether the player must be asked which goods to take."""
    return len(among) > missing > 0


class Order(Struct, frozen=True):
    """Powers used one after another, and their total gain."""

    uses: tuple[Use, ...]
    worth: Worth

    @property
    def gone(self) -> frozenset[str]:
        """The places whose goods are used up."""
        return frozenset(place for use in self.uses for place in use.goods)


class OrderSearch(Struct, frozen=True):
    """The powers of a seat, and the places of the goods of each class, those to give up first."""

    powers: tuple[tuple[PowerId, Taker], ...]
    places: tuple[tuple[str, ...], ...]
    goods: Goods
    nothing: Worth

    def best(self) -> Order:
        """The order with the highest gain, and of those the one that keeps the most valuable goods."""
        return self._order(best_order(self._takers(), self.goods, self.nothing))

    def results(self) -> list[Order] | None:
        """One order for each result, highest gain and most valuable remaining goods first; None if there are
        too many."""
        plans = every_result(self._takers(), self.goods, self.nothing)
        if plans is None:
            return None
        ranked = sorted(
            plans, key=lambda result: (result[0], self.goods.worth_keeping(result[1])), reverse=True
        )
        return [self._order(plans[result]) for result in ranked]

    def _takers(self) -> tuple[Taker, ...]:
        return tuple(taker for _, taker in self.powers)

    def _order(self, plan: PowerPlan) -> Order:
        """A plan with its actual powers and places."""
        powers, places = list(self.powers), [list(lying) for lying in self.places]
        uses, worth = [], self.nothing
        for taker, taken in plan:
            id = next(id for id, other in powers if other == taker)
            powers.remove((id, taker))
            goods = tuple(lying.pop(0) for lying, n in zip(places, taken, strict=True) for _ in range(n))
            uses.append(Use(*id, goods))
            worth = _plus(worth, taker.gives(taken))
        return Order(tuple(uses), worth)
