"""IV: Consume (p. 6, and the powers on p. 10): one sale for Trade, then every Consume power."""

from __future__ import annotations

import pytest

from companion.core.agenda import take
from companion.core.game import game
from companion.core.questions import Answer, Option
from companion.core.suggestions import as_suggested
from companion.core.words import inside
from companion.errors import NotNow
from companion.games.race.cards import PRICE, deck
from companion.games.race.state import RaceState, Seat
from companion.games.race.steps.consume import BeginConsume
from tests.games.race.race_tables import answer, asked, at, number, options, question, seat, table, told

CONSUME = BeginConsume("consume")
NOVELTY = ("artist-colony", "gem-world", "spice-world", "space-port")
RARE = ("asteroid-belt", "mining-world", "destroyed-world")
GENES = ("pre-sentient-race", "lost-species-ark-world")
ALIEN = ("deserted-alien-outpost", "alien-robotic-factory")
TRADE, DOUBLE = ("consume-trade",), ("consume-x2",)


def having(*cards: str, goods: tuple[str, ...] = (), actions: tuple[str, ...] = (), hand: int = 4) -> Seat:
    """A seat with these cards and these worlds with goods, on a start world without Consume powers."""
    worlds = tuple(world for world in goods if world not in cards)
    return seat("new-sparta", *cards, *worlds, goods=goods, actions=actions, hand=hand)


def consuming(me: Seat) -> RaceState:
    return at(table(me, seat("alpha-centauri")), CONSUME)


def gained(state: RaceState, me: Seat) -> tuple[int, int, int]:
    """Points, cards and goods the first seat won (or lost) since it was `me`."""
    now = state.seats[0]
    return now.chips - me.chips, now.hand - me.hand, len(now.goods) - len(me.goods)


def over(state: RaceState) -> bool:
    return not state.agenda


# One power alone


@pytest.mark.parametrize(
    ("card", "goods", "points", "cards", "eaten"),
    [
        ("old-earth", NOVELTY[:3], 2, 0, 2),
        ("old-earth", NOVELTY[:1], 1, 0, 1),
        ("epsilon-eridani", RARE[:1], 1, 1, 1),
        ("earths-lost-colony", GENES[:1], 1, 0, 1),
        ("expanding-colony", ALIEN[:1], 1, 0, 1),
        ("new-survivalists", NOVELTY[:1], 0, 1, 1),
        ("new-survivalists", RARE[:1], 0, 0, 0),
        ("outlaw-world", RARE[:1], 1, 1, 1),
        ("secluded-world", RARE[:1], 0, 1, 1),
        ("new-vinland", RARE[:1], 0, 2, 1),
        ("galactic-resort", RARE[:1], 1, 1, 1),
        ("plague-world", GENES[:1], 1, 1, 1),
        ("plague-world", ALIEN[:1], 0, 0, 0),
        ("prosperous-world", ALIEN[:1], 1, 0, 1),
        ("galactic-trendsetters", ALIEN[:1], 2, 0, 1),
        ("new-earth", ALIEN[:1], 1, 1, 1),
        ("terraformed-world", ALIEN[:1], 1, 0, 1),
        ("public-works", ALIEN[:1], 1, 0, 1),
        ("mining-conglomerate", RARE[:2], 2, 0, 2),
        ("mining-conglomerate", RARE[:1], 1, 0, 1),
        ("mining-conglomerate", NOVELTY[:2], 0, 0, 0),
        ("terraforming-robots", RARE[:1], 1, 1, 1),
        ("terraforming-robots", GENES[:1], 0, 0, 0),
        ("research-labs", GENES[:1], 1, 0, 1),
        ("research-labs", ALIEN[:1], 0, 0, 0),
        ("consumer-markets", NOVELTY[:3], 3, 0, 3),
        ("consumer-markets", NOVELTY[:2], 2, 0, 2),
        ("consumer-markets", RARE[:3], 0, 0, 0),
        ("free-trade-association", NOVELTY[:3], 3, 3, 3),
        ("free-trade-association", NOVELTY[:1], 1, 1, 1),
        ("tourist-world", (*RARE[:1], *GENES[:1]), 3, 0, 2),
        ("tourist-world", RARE[:2], 3, 0, 2),
        ("tourist-world", RARE[:1], 0, 0, 0),
        ("mining-league", RARE[:2], 3, 0, 2),
        ("mining-league", RARE[:1], 0, 0, 0),
        ("mining-league", NOVELTY[:2], 0, 0, 0),
        ("diversified-economy", (*RARE[:1], *GENES[:1], *NOVELTY[:1]), 3, 0, 3),
        ("diversified-economy", (*RARE[:1], *GENES[:1], *RARE[1:2]), 0, 0, 0),
        ("diversified-economy", (*RARE[:1], *GENES[:1]), 0, 0, 0),
        ("pilgrimage-world", RARE[:1], 0, 0, 1),
        ("pilgrimage-world", RARE[:3], 2, 0, 3),
        ("pilgrimage-world", (), 0, 0, 0),
        ("black-market-trading-world", NOVELTY[:1], 0, 2, 1),
        ("black-market-trading-world", RARE[:1], 0, 3, 1),
        ("black-market-trading-world", GENES[:1], 0, 4, 1),
        ("black-market-trading-world", ALIEN[:1], 0, 5, 1),
        ("trade-league", ALIEN[:1], 0, 5 + 1, 1),
        ("new-economy", (), 0, 1, 0),
        ("new-economy", RARE[:1], 0, 1, 0),
    ],
)
def test_each_power(card: str, goods: tuple[str, ...], points: int, cards: int, eaten: int) -> None:
    me = having(card, goods=goods)
    state = consuming(me)
    while asked(state, 0) is not None:
        state = answer(state, 0, options(state, 0)[0])
    assert gained(state, me) == (points, cards, -eaten)


@pytest.mark.parametrize("action", [(), TRADE])
def test_points_are_not_doubled_without_the_bonus(action: tuple[str, ...]) -> None:
    me = having("galactic-trendsetters", goods=("gem-world", "mining-world"), actions=action)
    state = consuming(me)
    state = answer(state, 0, options(state, 0)[0])
    assert state.seats[0].chips == 2


def test_a_power_with_nothing_to_choose_happens_by_itself() -> None:
    me = having("galactic-trendsetters", goods=("gem-world",))
    state = consuming(me)
    assert over(state)
    assert gained(state, me) == (2, 0, -1)


def test_nobody_without_powers_is_asked() -> None:
    state = consuming(having(goods=("gem-world",)))
    assert over(state)
    assert state.seats[0].goods == ("gem-world",)


# Obligatory, in any order, each once


def steps(state: RaceState) -> list[str]:
    """The powers that may be used one at a time."""
    return [id for id in options(state, 0) if id.startswith("use:")]


def plans(state: RaceState) -> list[Option]:
    """The whole orders that are offered."""
    return [option for option in question(state, 0).options if option.id.startswith("plan:")]


def test_whole_orders_are_offered_by_what_comes_of_them_the_best_first() -> None:
    goods = ("gem-world", "spice-world", "artist-colony")
    me = having("new-vinland", "free-trade-association", goods=goods)
    state = consuming(me)
    found = []
    for plan in plans(state):
        after = answer(state, 0, plan.id)
        assert over(after)
        points, cards, _ = gained(after, me)
        told = {sign.symbol: sign.value for sign in plan.signs if sign.value.startswith("+")}
        assert told == {"points": f"+{points}", "card": f"+{cards}"}
        found.append((points, cards, after.seats[0].goods))
    assert found[0] == (3, 3, ())
    assert len(set(found)) == len(found) == 2, "every result once"


def test_who_gets_the_same_whatever_the_order_is_not_asked() -> None:
    assert (
        question(consuming(having("old-earth", "earths-lost-colony", goods=NOVELTY[:3])), 0).only is not None
    )
    choice = question(
        consuming(having("galactic-trendsetters", "new-survivalists", goods=("gem-world", "mining-world"))), 0
    )
    assert not choice.certain


def test_the_rulebooks_example_of_free_trade_association_and_new_vinland() -> None:
    goods = ("gem-world", "spice-world", "artist-colony")
    me = having("new-vinland", "free-trade-association", goods=goods)
    state = consuming(me)
    assert steps(state) == ["use:new-vinland:0", "use:free-trade-association:0"]
    all_three = answer(state, 0, "use:free-trade-association:0")
    assert over(all_three)
    assert gained(all_three, me) == (3, 3, -3)
    other = answer(answer(state, 0, "use:new-vinland:0"), 0, "gem-world")
    assert over(other)
    assert gained(other, me) == (2, 2 + 2, -3)


def test_a_power_is_used_once() -> None:
    me = having("galactic-trendsetters", goods=("gem-world", "spice-world"))
    state = answer(consuming(me), 0, "gem-world")
    assert over(state)
    assert gained(state, me) == (2, 0, -1)


def test_two_powers_of_one_card_are_used_once_each() -> None:
    me = having("gambling-world", goods=("gem-world", "spice-world"))
    state = consuming(me)
    assert steps(state) == ["use:gambling-world:0", "use:gambling-world:1"]
    state = answer(state, 0, "use:gambling-world:0")
    state = answer(state, 0, "spice-world")
    assert options(state, 0) == ["lost", "kept"]
    state = answer(state, 0, "lost")
    assert over(state)
    assert gained(state, me) == (1, 0, -1)


def test_consuming_cannot_be_declined() -> None:
    state = consuming(having("old-earth", "galactic-trendsetters", goods=("gem-world", "spice-world")))
    assert "done" not in options(state, 0)
    with pytest.raises(NotNow):
        take(state, Answer(0, "race.consume", "done"))


def test_an_order_that_leaves_goods_is_allowed() -> None:
    me = having("galactic-trendsetters", "new-survivalists", goods=("gem-world", "mining-world"))
    state = answer(answer(consuming(me), 0, "use:galactic-trendsetters:0"), 0, "gem-world")
    assert over(state)
    assert state.seats[0].goods == ("mining-world",)
    assert gained(state, me) == (2, 0, -1)


def test_a_good_is_consumed_by_one_power_only() -> None:
    me = having("galactic-trendsetters", "terraformed-world", goods=("gem-world",))
    state = answer(consuming(me), 0, "use:terraformed-world:0")
    assert over(state)
    assert gained(state, me) == (1, 0, -1)


def test_up_to_powers_take_as_many_goods_as_there_are() -> None:
    me = having("consumer-markets", goods=("gem-world", "spice-world", "mining-world"))
    state = consuming(me)
    assert over(state)
    assert state.seats[0].goods == ("mining-world",)


def test_up_to_powers_take_no_more_than_printed() -> None:
    me = having("consumer-markets", goods=NOVELTY)
    state = consuming(me)
    for world in NOVELTY[:3]:
        assert world in options(state, 0)
        state = answer(state, 0, world)
    assert over(state)
    assert gained(state, me) == (3, 0, -3)
    assert state.seats[0].goods == NOVELTY[3:]


def test_the_consuming_world_may_have_the_good_itself_or_not() -> None:
    me = having("prosperous-world", goods=("prosperous-world",))
    assert gained(consuming(me), me) == (1, 0, -1)
    me = having("prosperous-world", goods=("gem-world",))
    assert gained(consuming(me), me) == (1, 0, -1)


def test_powers_that_need_no_goods_must_be_used_too() -> None:
    state = consuming(having("new-economy", "gambling-world"))
    assert "done" not in options(state, 0)
    state = answer(state, 0, "use:gambling-world:1")
    state = answer(state, 0, "lost")
    assert over(state)
    assert state.seats[0].hand == 4 + 1


def test_another_player_consumes_independently() -> None:
    both = [
        having("old-earth", "galactic-trendsetters", goods=("gem-world",)),
        seat("alpha-centauri", "terraformed-world", "public-works", goods=("alpha-centauri",)),
    ]
    state = at(table(*both), CONSUME)
    state = answer(state, 1, options(state, 1)[0])
    assert state.seats[1].chips == 1
    assert asked(state, 0) is not None


# Sets


def test_a_set_takes_exactly_its_number() -> None:
    me = having("tourist-world", goods=RARE)
    state = consuming(me)
    state = answer(state, 0, "asteroid-belt")
    state = answer(state, 0, "destroyed-world")
    assert over(state)
    assert gained(state, me) == (3, 0, -2)
    assert state.seats[0].goods == ("mining-world",)


def test_diversified_economy_takes_three_different_kinds() -> None:
    me = having("diversified-economy", goods=(*NOVELTY[:2], *RARE[:1], *GENES[:1], *ALIEN[:1]))
    state = consuming(me)
    assert len(options(state, 0)) == 5
    state = answer(state, 0, NOVELTY[1])
    assert set(options(state, 0)) == {*RARE[:1], *GENES[:1], *ALIEN[:1]}
    state = answer(state, 0, ALIEN[0])
    assert set(options(state, 0)) == {*RARE[:1], *GENES[:1]}
    state = answer(state, 0, GENES[0])
    assert over(state)
    assert gained(state, me) == (3, 0, -3)
    assert set(state.seats[0].goods) == {NOVELTY[0], RARE[0]}


def test_pilgrimage_world_takes_all_goods_for_one_point_less() -> None:
    me = having("pilgrimage-world", goods=(*NOVELTY[:2], *RARE[:1], *ALIEN[:1]))
    state = consuming(me)
    assert over(state)
    assert gained(state, me) == (3, 0, -4)


def test_pilgrimage_world_after_other_powers_takes_what_they_left() -> None:
    me = having("pilgrimage-world", "galactic-trendsetters", goods=NOVELTY[:3])
    state = answer(consuming(me), 0, "use:galactic-trendsetters:0")
    state = answer(state, 0, NOVELTY[0])
    assert over(state)
    assert gained(state, me) == (2 + 1, 0, -3)


def test_pilgrimage_world_first_leaves_nothing_to_others() -> None:
    me = having("pilgrimage-world", "galactic-trendsetters", goods=NOVELTY[:3])
    state = answer(consuming(me), 0, "use:pilgrimage-world:0")
    assert over(state)
    assert gained(state, me) == (2, 0, -3)


def test_pilgrimage_world_must_take_a_single_good_for_nothing() -> None:
    me = having("pilgrimage-world", goods=("gem-world",))
    assert gained(consuming(me), me) == (0, 0, -1)


# Trade


@pytest.mark.parametrize(
    ("world", "cards"),
    [("gem-world", 2), ("asteroid-belt", 3), ("pre-sentient-race", 4), ("deserted-alien-outpost", 5)],
)
def test_trade_prices(world: str, cards: int) -> None:
    assert PRICE[str(deck("first")[world].good)] == cards
    me = having(goods=(world,), actions=TRADE)
    state = consuming(me)
    assert gained(state, me) == (0, cards, -1)
    assert [number(t) for t in told(state, "race.then-draw", 0)] == [cards]


@pytest.mark.parametrize(
    ("card", "good", "more"),
    [
        ("old-earth", "asteroid-belt", 1),
        ("galactic-engineers", "asteroid-belt", 1),
        ("space-port", "asteroid-belt", 2),
        ("space-port", "gem-world", 0),
        ("spice-world", "gem-world", 2),
        ("spice-world", "asteroid-belt", 0),
        ("bio-hazard-mining-world", "pre-sentient-race", 2),
        ("bio-hazard-mining-world", "asteroid-belt", 0),
        ("distant-world", "gem-world", 3),
        ("distant-world", "pre-sentient-race", 0),
        ("merchant-world", "gem-world", 2),
        ("export-duties", "deserted-alien-outpost", 1),
        ("genetics-lab", "pre-sentient-race", 1),
        ("genetics-lab", "deserted-alien-outpost", 0),
        ("mining-conglomerate", "asteroid-belt", 1),
        ("trade-league", "pre-sentient-race", 1),
        ("black-market-trading-world", "pre-sentient-race", 0),
        ("star-nomad-lair", "star-nomad-lair", 1),
        ("star-nomad-lair", "gem-world", 0),
        ("pirate-world", "pirate-world", 3),
        ("pirate-world", "gem-world", 0),
    ],
)
def test_trade_powers(card: str, good: str, more: int) -> None:
    me = having(card, goods=(good,), actions=TRADE)
    state = consuming(me)
    sold = PRICE[str(deck("first")[good].good)] + more
    assert number(told(state, "race.then-draw", 0)[0]) == sold
    assert state.seats[0].goods == ()


def test_trade_powers_add_up() -> None:
    me = having("spice-world", "distant-world", "export-duties", goods=("pirate-world",), actions=TRADE)
    assert number(told(consuming(me), "race.then-draw", 0)[0]) == 2 + 2 + 3 + 1 + 3


def test_only_who_chose_trade_sells() -> None:
    me = having("export-duties", goods=("gem-world",), actions=DOUBLE)
    assert gained(consuming(me), me) == (0, 0, 0)


def test_one_good_is_sold_and_which_is_ones_own_choice() -> None:
    me = having(goods=("gem-world", "asteroid-belt"), actions=TRADE)
    state = consuming(me)
    assert options(state, 0) == ["asteroid-belt", "gem-world"]
    state = answer(state, 0, "gem-world")
    assert over(state)
    assert gained(state, me) == (0, 2, -1)


def test_the_sale_comes_before_consuming() -> None:
    me = having("galactic-trendsetters", goods=("gem-world",), actions=TRADE)
    state = consuming(me)
    assert over(state)
    assert gained(state, me) == (0, 2, -1)


def test_the_sale_is_obligatory() -> None:
    state = consuming(having("galactic-trendsetters", goods=("gem-world", "mining-world"), actions=TRADE))
    question_ = question(state, 0)
    assert (question_.slug, len(question_.options)) == ("race.sell", 2)


def test_who_has_nothing_to_sell_just_consumes() -> None:
    me = having("new-economy", actions=TRADE)
    state = consuming(me)
    assert told(state, "race.nothing-to-sell", 0)
    assert gained(state, me) == (0, 1, 0)


def test_selling_is_not_consuming() -> None:
    me = having("old-earth", goods=("gem-world", "mining-world", "comet-zone"), actions=TRADE)
    state = answer(consuming(me), 0, "gem-world")
    assert over(state)
    assert gained(state, me) == (2, 2 + 1, -3)


def test_nobody_draws_more_cards_than_there_are() -> None:
    me = having(goods=("deserted-alien-outpost",), actions=TRADE, hand=109)
    state = at(table(me, seat("alpha-centauri", hand=0)), CONSUME)
    assert state.in_piles() == 0
    assert gained(state, me) == (0, 2, -1)  # one card in the piles, and the good that was sold
    assert [number(t) for t in told(state, "race.then-draw", 0)] == [2]


# Black Market and Trade League


def test_black_market_draws_the_bare_price() -> None:
    me = having("black-market-trading-world", "export-duties", "spice-world", goods=("gem-world",))
    assert gained(consuming(me), me) == (0, 2, -1)


def test_trade_league_draws_the_price_with_trade_powers_its_own_included() -> None:
    me = having("trade-league", "export-duties", "spice-world", goods=("gem-world",))
    assert gained(consuming(me), me) == (0, 2 + 1 + 1 + 2, -1)


def test_trade_league_counts_the_power_of_the_world_whose_good_it_takes() -> None:
    me = having("trade-league", goods=("pirate-world",))
    assert gained(consuming(me), me) == (0, 2 + 1 + 3, -1)


@pytest.mark.parametrize("card", ["black-market-trading-world", "trade-league"])
def test_the_most_expensive_good_is_proposed_where_cards_are_drawn_for_it(card: str) -> None:
    state = consuming(having(card, goods=("gem-world", "alien-robotic-factory", "mining-world")))
    assert options(state, 0) == ["alien-robotic-factory", "mining-world", "gem-world"]


def test_trade_league_consumes_without_the_trade_action_and_besides_it() -> None:
    me = having("trade-league", goods=("gem-world", "mining-world"), actions=TRADE)
    state = answer(consuming(me), 0, "mining-world")
    assert over(state)
    assert gained(state, me) == (0, 3 + 1 + 2 + 1, -2)


# Doubling


@pytest.mark.parametrize(
    ("card", "goods", "points", "cards"),
    [
        ("galactic-trendsetters", RARE[:1], 4, 0),
        ("new-earth", RARE[:1], 2, 1),
        ("free-trade-association", NOVELTY[:3], 6, 3),
        ("tourist-world", RARE[:2], 6, 0),
        ("diversified-economy", (*RARE[:1], *GENES[:1], *NOVELTY[:1]), 6, 0),
        ("pilgrimage-world", RARE[:3], 4, 0),
        ("black-market-trading-world", RARE[:1], 0, 3),
        ("new-economy", (), 0, 1),
        ("secluded-world", RARE[:1], 0, 1),
    ],
)
def test_doubling_doubles_points_and_nothing_else(
    card: str, goods: tuple[str, ...], points: int, cards: int
) -> None:
    me = having(card, goods=goods, actions=DOUBLE)
    assert gained(consuming(me), me)[:2] == (points, cards)


def test_only_who_chose_it_doubles() -> None:
    seats = (
        having("galactic-trendsetters", goods=("gem-world",), actions=DOUBLE),
        seat("alpha-centauri", "terraformed-world", goods=("alpha-centauri",)),
    )
    assert [s.chips for s in at(table(*seats), CONSUME).seats] == [4, 1]


@pytest.mark.parametrize("card", ["deficit-spending", "merchant-world"])
def test_points_for_cards_of_the_hand_are_not_doubled(card: str) -> None:
    me = having(card, actions=DOUBLE)
    use = next(option for option in options(consuming(me), 0) if option.endswith(":2"))
    assert gained(answer(consuming(me), 0, use), me) == (2, -2, 0)


# Cards of the hand


@pytest.mark.parametrize(("card", "index"), [("deficit-spending", 0), ("merchant-world", 1)])
def test_up_to_two_cards_of_the_hand_may_be_discarded_for_points(card: str, index: int) -> None:
    me = having(card)
    state = consuming(me)
    assert options(state, 0) == ["done", f"use:{card}:{index}:2", f"use:{card}:{index}:1"]
    for n in (1, 2):
        after = answer(state, 0, f"use:{card}:{index}:{n}")
        assert over(after)
        assert gained(after, me) == (n, -n, 0)
        assert [number(text) for text in told(after, "race.take-points", 0)] == [n]
    after = answer(state, 0, "done")
    assert over(after)
    assert gained(after, me) == (0, 0, 0)


def test_no_more_cards_are_discarded_than_the_hand_has() -> None:
    assert options(consuming(having("deficit-spending", hand=1)), 0) == ["done", "use:deficit-spending:0:1"]
    assert over(consuming(having("deficit-spending", hand=0)))


def test_both_cards_that_discard_may_be_used() -> None:
    me = having("deficit-spending", "merchant-world")
    state = answer(consuming(me), 0, "use:merchant-world:1:2")
    assert options(state, 0) == ["done", "use:deficit-spending:0:2", "use:deficit-spending:0:1"]
    state = answer(state, 0, "use:deficit-spending:0:2")
    assert gained(state, me) == (4, -4, 0)


def test_done_is_offered_only_when_nothing_obligatory_is_left() -> None:
    me = having("deficit-spending", "galactic-trendsetters", goods=("gem-world",))
    state = consuming(me)
    assert "done" not in options(state, 0)
    assert "use:deficit-spending:0:2" in options(state, 0)
    state = answer(state, 0, "use:galactic-trendsetters:0")
    assert options(state, 0)[0] == "done"


def test_cards_just_drawn_may_be_discarded_for_points() -> None:
    me = having("deficit-spending", "new-vinland", goods=("gem-world",), hand=0)
    state = consuming(me)
    assert options(state, 0) == ["done", "use:deficit-spending:0:2", "use:deficit-spending:0:1"]


def test_the_offered_plan_leaves_cards_of_the_hand_to_the_player() -> None:
    me = having("deficit-spending", "galactic-trendsetters", "new-economy", goods=("gem-world",))
    state = consuming(me)
    state = answer(state, 0, options(state, 0)[0])
    assert gained(state, me) == (2, 1, -1)
    assert options(state, 0)[0] == "done"


def test_one_option_takes_the_plan_and_as_many_cards_of_the_hand_as_can_be() -> None:
    me = having("deficit-spending", "galactic-trendsetters", "new-economy", goods=("gem-world",))
    state = consuming(me)
    state = answer(state, 0, options(state, 0)[1])
    assert gained(state, me) == (4, -1, -1)
    assert asked(state, 0) is None


def test_cards_of_the_hand_are_never_doubled_in_a_plan_either() -> None:
    me = having(
        "deficit-spending", "galactic-trendsetters", goods=("gem-world",), actions=("consume-x2",), hand=1
    )
    state = consuming(me)
    state = answer(state, 0, options(state, 0)[1])
    assert gained(state, me) == (2 * 2 + 1, -1, -1)


def test_orders_that_keep_the_same_kinds_name_the_worlds() -> None:
    me = having("trade-league", "mining-league", goods=("comet-zone", "alpha-centauri"))
    texts = [option.text for option in question(consuming(me), 0).options]
    assert all(texts.count(text) == 1 for text in texts)


def test_all_that_is_suggested_is_a_sale_and_what_follows_from_it() -> None:
    me = having(
        "old-earth", "galactic-trendsetters", goods=("gem-world", "spice-world"), actions=("consume-trade",)
    )
    state = consuming(me)
    chain = as_suggested(game("race"), state, (question(state, 0),))
    for given, option in chain:
        asks = question(state, 0)
        assert (given.slug, option) == (asks.slug, asks.default)
        state = take(state, given)
    assert chain[0][0].slug == "race.sell"
    assert asked(state, 0) is None


# Gambling


def test_gambling_world_keeps_a_card_or_not() -> None:
    me = having("gambling-world")
    state = consuming(me)
    lost, kept = answer(state, 0, "lost"), answer(state, 0, "kept")
    assert gained(lost, me) == (0, 0, 0)
    assert told(lost, "race.discard-turned", 0)
    assert gained(kept, me) == (0, 1, 0)
    assert told(kept, "race.keep-turned", 0)


def test_gambling_world_consumes_as_well() -> None:
    me = having("gambling-world", goods=("gem-world",), actions=DOUBLE)
    state = consuming(me)
    state = answer(state, 0, options(state, 0)[0])
    state = answer(state, 0, "kept")
    assert over(state)
    assert gained(state, me) == (2, 1, -1)


def test_without_cards_to_turn_over_there_is_no_gamble() -> None:
    everything = seat("new-sparta", "gambling-world", hand=114 - 3)
    state = at(table(everything, seat("alpha-centauri", hand=0)), CONSUME)
    assert over(state)


# News


def test_the_default_is_everything_in_the_best_order_and_says_what_it_brings() -> None:
    me = having("galactic-trendsetters", "new-vinland", "new-economy", goods=NOVELTY[:2], actions=DOUBLE)
    default = question(consuming(me), 0).default
    assert default is not None
    assert default.id.startswith("plan:")
    said = {t.key: t.n for t in inside(default.text)}
    assert (said["race.points"], said["race.cards"]) == (4, 3)


def test_what_is_consumed_is_told_with_its_goods() -> None:
    state = consuming(having("tourist-world", goods=RARE[:2]))
    (text,) = told(state, "race.consumes", 0)
    told_of = {t.args.get("id") for t in inside(text)}
    assert {"tourist-world", "asteroid-belt", "mining-world"} <= told_of
    assert [number(t) for t in told(state, "race.take-points", 0)] == [3]


def test_doubled_points_are_told_as_doubled() -> None:
    state = consuming(having("tourist-world", goods=RARE[:2], actions=DOUBLE))
    assert [number(t) for t in told(state, "race.take-doubled", 0)] == [6]


def test_orders_tell_the_points_they_give_doubled() -> None:
    me = having("new-vinland", "free-trade-association", goods=NOVELTY[:3], actions=DOUBLE)
    state = consuming(me)
    for plan in plans(state):
        points, cards, _ = gained(answer(state, 0, plan.id), me)
        told = [
            (text.key, number(text))
            for text in inside(plan.text)
            if text.key in ("race.points", "race.cards")
        ]
        assert told == [("race.points", points), ("race.cards", cards)]
