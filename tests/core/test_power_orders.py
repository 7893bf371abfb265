"""The order in which goods are used: the search against every order, tried one by one."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.power_orders import Counts, Goods, Taker, Worth, best_order, every_result

KINDS = ("rare", "genes", "alien")


def by_hand(takers: list[Taker], goods: Goods, counts: Counts, worth: Worth) -> set[tuple[Worth, Counts]]:
    """Every result, by trying every power next, whatever was tried before."""
    found, must = set(), False
    for taker in takers:
        rest = [*takers]
        rest.remove(taker)
        for taken in goods.takings(taker, counts):
            must = must or not taker.optional
            left = tuple(have - gone for have, gone in zip(counts, taken, strict=True))
            more = tuple(a + b for a, b in zip(worth, taker.gives(taken), strict=True))
            found |= by_hand(rest, goods, left, more)
    return found if must else found | {(worth, counts)}


def some_takers(random: Random) -> tuple[Taker, ...]:
    takers = []
    for _ in range(random.randint(1, 3)):
        exact = random.random() < 0.5
        reward = (random.randint(0, 3), random.randint(0, 2))
        kind = random.choice((None, None, *KINDS))
        takers.append(
            Taker(
                most=random.randint(1, 3),
                fits=tuple(kind in (None, other) for other in KINDS),
                once=reward if exact else (0, 0),
                each=((1, 0) if exact else reward,) * len(KINDS),
                exact=exact,
                different=random.random() < 0.2,
                optional=random.random() < 0.2,
            )
        )
    return tuple(takers)


@pytest.mark.parametrize("seed", range(60))
def test_every_result_and_the_best_of_them(seed: int) -> None:
    random = Random(seed)
    goods = Goods(KINDS, (2, 3, 4), tuple(random.randint(0, 2) for _ in KINDS))
    takers = some_takers(random)
    expected = by_hand(list(takers), goods, goods.counts, (0, 0))
    results = every_result(takers, goods, (0, 0))
    assert results is not None
    assert set(results) == expected
    for (worth, left), plan in results.items():
        assert outcome(goods, plan) == (worth, left)
    best = outcome(goods, best_order(takers, goods, (0, 0)))
    assert best in expected
    assert rank(goods, best) == max(rank(goods, result) for result in expected)


def outcome(goods: Goods, plan: tuple[tuple[Taker, Counts], ...]) -> tuple[Worth, Counts]:
    """What comes of a plan, checking that each power could take what it takes."""
    worth, counts = (0, 0), goods.counts
    for taker, taken in plan:
        assert taken in goods.takings(taker, counts)
        counts = tuple(have - gone for have, gone in zip(counts, taken, strict=True))
        gives = taker.gives(taken)
        worth = (worth[0] + gives[0], worth[1] + gives[1])
    return worth, counts


def rank(goods: Goods, result: tuple[Worth, Counts]) -> tuple[Worth, int]:
    return result[0], goods.worth_keeping(result[1])


@pytest.mark.thorough
def test_too_many_results_are_not_listed_and_the_best_is_found_all_the_same() -> None:
    kinds = tuple("abcdefgh")
    goods = Goods(kinds, (1,) * 8, (2,) * 8)
    takers = tuple(Taker(2, (True,) * 8, (n,), ((0,),) * 8, exact=True) for n in range(1, 7))
    assert every_result(takers, goods, (0,)) is None
    assert sum(taker.gives(taken)[0] for taker, taken in best_order(takers, goods, (0,))) == 21
