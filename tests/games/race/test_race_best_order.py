"""The Consume order that is offered first: compared with every possible order, and carried out."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.core.power_orders import decode
from companion.core.words import inside
from companion.games.race.cards import (
    PRICE,
    Card,
    ConsumeAll,
    ConsumeEach,
    ConsumeForPrice,
    ConsumeSet,
    TradeBonus,
    TradeBonusHere,
    deck,
)
from companion.games.race.state import RaceState, Seat
from companion.games.race.steps.consume import BeginConsume
from tests.games.race.race_tables import answer, asked, at, options, question, seat, table

CARDS = deck("first")
CONSUMING = (ConsumeAll, ConsumeEach, ConsumeForPrice, ConsumeSet)
CONSUMERS = sorted(c.id for c in CARDS if any(isinstance(p, CONSUMING) for p in c.powers))
TRADERS = sorted(c.id for c in CARDS if any(p.phase == "trade" for p in c.powers))
PRODUCERS = sorted(c.id for c in CARDS if c.good)

Gain = tuple[int, int]

# Two orders are worth the same here, but Old Earth must take two goods once it is used.
PILGRIMS = seat(
    "new-sparta",
    "new-economy",
    "old-earth",
    "pilgrimage-world",
    *("gem-world", "artist-colony", "mining-world"),
    goods=("gem-world", "artist-colony", "mining-world"),
    hand=3,
)
# Spice World makes the cheaper good the more expensive one for Trade League.
TRADER = seat(
    *("new-sparta", "new-economy", "trade-league", "spice-world", "gem-world", "asteroid-belt"),
    goods=("gem-world", "asteroid-belt"),
    hand=3,
)


def trade_price(tableau: tuple[Card, ...], world: Card) -> int:
    bonus = sum(p.cards for c in tableau for p in c.having(TradeBonus) if p.good in (None, world.good))
    return PRICE[str(world.good)] + bonus + sum(p.cards for p in world.having(TradeBonusHere))


def possible(power: object, goods: frozenset[str]) -> list[tuple[str, ...]]:
    """Every set of goods the printed power may take now; each takes as many as it can."""
    held = sorted(goods)
    if isinstance(power, ConsumeAll):
        return [tuple(held)] if held else []
    if isinstance(power, ConsumeForPrice):
        return [(world,) for world in held]
    assert isinstance(power, ConsumeEach | ConsumeSet)
    fitting = [world for world in held if power.good is None or CARDS[world].good == power.good]
    size = power.goods if isinstance(power, ConsumeSet) else min(power.goods, len(fitting))
    sets = [chosen for chosen in combinations(fitting, size) if chosen]
    if isinstance(power, ConsumeSet) and power.different:
        sets = [chosen for chosen in sets if len({CARDS[world].good for world in chosen}) == size]
    return sets


def reward(power: object, tableau: tuple[Card, ...], taken: tuple[str, ...]) -> Gain:
    if isinstance(power, ConsumeAll):
        return len(taken) - 1, 0
    if isinstance(power, ConsumeEach):
        return power.points * len(taken), power.cards * len(taken)
    if isinstance(power, ConsumeSet):
        return power.points, power.cards
    assert isinstance(power, ConsumeForPrice)
    (world,) = taken
    good = CARDS[world]
    return 0, trade_price(tableau, good) if power.with_trade_powers else PRICE[str(good.good)]


def best_of_all_orders(tableau: tuple[Card, ...], goods: frozenset[str]) -> Gain:
    """The most points, then the most cards, over every order in which nothing usable is left out."""
    powers = [p for card in tableau for p in card.powers if isinstance(p, CONSUMING)]

    @cache
    def best(left: frozenset[int], goods: frozenset[str]) -> Gain:
        found: list[Gain] = []
        for i in left:
            for taken in possible(powers[i], goods):
                points, cards = reward(powers[i], tableau, taken)
                more, drawn = best(left - {i}, goods - set(taken))
                found.append((points + more, cards + drawn))
        return max(found, default=(0, 0))

    return best(frozenset(range(len(powers))), goods)


@st.composite
def small_tableaux(draw: st.DrawFn) -> Seat:
    cards = draw(st.lists(st.sampled_from(CONSUMERS), min_size=1, max_size=4, unique=True))
    cards += draw(st.lists(st.sampled_from(TRADERS), max_size=1))
    cards += draw(st.lists(st.sampled_from(PRODUCERS), max_size=5, unique=True))
    # New Economy draws a card and needs no good, so that there is always more than one thing to do.
    tableau = tuple(dict.fromkeys(["new-sparta", "new-economy", *cards]))
    able = [card for card in tableau if CARDS[card].good]
    goods = draw(st.lists(st.sampled_from(able), max_size=6, unique=True)) if able else []
    doubled = draw(st.booleans())
    return seat(*tableau, hand=3, goods=goods, actions=("consume-x2",) if doubled else ())


def consuming(me: Seat) -> RaceState:
    return at(table(me, seat("alpha-centauri")), BeginConsume("consume"))


def expected(me: Seat) -> Gain:
    cards = tuple(CARDS[id] for id in me.tableau)
    points, drawn = best_of_all_orders(cards, frozenset(me.goods))
    return points * (2 if me.actions else 1), drawn + 1


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(small_tableaux())
@example(PILGRIMS)
@example(TRADER)
def test_no_order_is_better_than_the_offered_one(me: Seat) -> None:
    state = consuming(me)
    if asked(state, 0) is None:
        assert (state.seats[0].chips, state.seats[0].hand - me.hand) == expected(me)
        return
    default = question(state, 0).default
    assert default is not None
    announced = {text.key: text.n for text in inside(default.text)}
    assert (announced.get("race.points", 0), announced.get("race.cards", 0)) == expected(me)


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(small_tableaux())
def test_the_offered_order_brings_exactly_what_it_announces(me: Seat) -> None:
    state = consuming(me)
    while asked(state, 0) is not None:
        state = answer(state, 0, options(state, 0)[0])  # the plan, then a lost gamble
    assert (state.seats[0].chips, state.seats[0].hand - me.hand) == expected(me)


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(small_tableaux())
@example(PILGRIMS)
def test_the_offered_order_uses_each_power_to_the_full_and_leaves_nothing_obligatory(me: Seat) -> None:
    state = consuming(me)
    if asked(state, 0) is None:
        return
    left = frozenset(me.goods)
    unused = {(id, index): p for id in me.tableau for index, p in enumerate(CARDS[id].powers)}
    for use in decode(options(state, 0)[0].removeprefix("plan:")):
        power = unused.pop((use.source, use.power))
        if isinstance(power, CONSUMING):
            assert tuple(sorted(use.goods)) in possible(power, left)
            left -= set(use.goods)
        else:
            assert not use.goods
    assert not any(isinstance(power, CONSUMING) and possible(power, left) for power in unused.values())


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(small_tableaux(), st.integers(0, 99))
def test_power_by_power_nobody_does_better(me: Seat, seed: int) -> None:
    random = Random(seed)
    state = consuming(me)
    while asked(state, 0) is not None:
        ids = [id for id in options(state, 0) if not id.startswith("plan:") and id != "kept"]
        # Cards of the hand for points are extra: `use:card:power:n`.
        state = answer(state, 0, random.choice([id for id in ids if id.count(":") < 3]))
    assert (state.seats[0].chips, state.seats[0].hand - me.hand) <= expected(me)
