"""Trade, Consume (p. 8)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.agenda import advance, open_asks
from companion.games.frontiers.component_types import PRICE
from companion.games.frontiers.state import Colony, FrontiersState, Seat
from companion.games.frontiers.steps.trade import ResolveTrade
from companion.texts import render
from tests.games.frontiers.tables import answer, asked, at, options, question, seat, table, told
from tests.games.frontiers.tiles import Does, Facts, development, power, taught, world

REFINERY = "alien-oort-cloud-refinery"
ECONOMY, SALON = "prosperous-economy", "galactic-salon"


def trading(facts: Facts | None = None, goals: tuple[str, ...] = (), **seats: Seat) -> FrontiersState:
    """Ania has just selected Trade, Consume."""
    state = table(taught=facts, action="trade-consume", goals=bool(goals), **seats)
    return at(replace(state, goals_up=goals), ResolveTrade())


def full(*kinds: str, sort: str = "production") -> tuple[Facts, tuple[Colony, ...]]:
    """Colonies with goods of these kinds, and what is printed on them: world-10, world-11, ..."""
    colonies = tuple(Colony(f"world-{10 + n}", kind) for n, kind in enumerate(kinds))  # type: ignore[arg-type]
    facts = taught(*(world(c.tile, product=f"{c.good}-{sort}") for c in colonies))
    return facts, colonies


def consumer(*powers: Does) -> Facts:
    return development("survey-team", *powers)


def consuming(
    facts: Facts, colonies: tuple[Colony, ...], *tiles: str, sold: str = "nothing"
) -> FrontiersState:
    """Ola trades with these colonies and developments, and sells this."""
    state = trading(facts, ola=seat(*colonies, developments=tiles or ("survey-team",)))
    return answer(state, 1, sold) if asked(state, 1) is not None else state


def gained(state: FrontiersState, who: int = 1) -> tuple[int, int, int]:
    """Points, credits and goods of a seat."""
    seat = state.seats[who]
    return seat.chips, seat.credits, seat.goods


def plans(state: FrontiersState) -> list[tuple[int, int, int]]:
    """What every whole order offered comes to, in the order in which they are offered."""
    return [gained(answer(state, 1, id)) for id in options(state, 1) if id.startswith("plan:")]


# Trade


def test_the_selector_takes_a_point_before_anybody_trades() -> None:
    """Rule 134."""
    facts, colonies = full("rare")
    state = trading(facts, ania=seat(*colonies))
    assert state.seats[0].chips == 1
    assert asked(state, 0) is not None


@pytest.mark.parametrize("kind", list(PRICE))
def test_one_good_is_sold_for_its_price(kind: str) -> None:
    """Rule 136: the price follows the cube; no power is needed, and nobody need sell."""
    facts, colonies = full(kind, kind)
    state = trading(facts, ola=seat(*colonies))
    assert options(state, 1) == ["world-10", "world-11", "nothing"]
    assert gained(answer(state, 1, "world-10")) == (0, PRICE[kind], 1)
    assert gained(answer(state, 1, "nothing")) == (0, 0, 2)
    assert asked(answer(state, 1, "world-10"), 1) is None


def test_trade_powers_add_up_for_the_kind_sold_and_give_nothing_without_a_sale() -> None:
    """Rules 68, 137."""
    facts, colonies = full("rare", "genes")
    facts = taught(
        facts,
        development("export-duties", power("trade-bonus", n=1)),
        development("trade-league", power("trade-bonus", n=2, good="rare")),
        development("mining-robots", power("gain", phase="trade", gain="points", n=1)),
    )
    tiles = ("export-duties", "trade-league", "mining-robots")
    state = trading(facts, ola=seat(*colonies, developments=tiles))
    assert options(state, 1)[0] == "world-10"
    assert gained(answer(state, 1, "world-10")) == (1, 2 + 1 + 2, 1)
    assert gained(answer(state, 1, "world-11")) == (1, 3 + 1, 1)
    assert gained(answer(state, 1, "nothing")) == (0, 0, 2)


def test_the_refinerys_good_is_never_sold_but_consumed() -> None:
    """Rule 138."""
    facts = taught(
        world(REFINERY, "cost-4", "any-production"), consumer(power("consume", good="genes", points=2))
    )
    state = trading(facts, ola=seat(Colony(REFINERY, "genes"), developments=("survey-team",)))
    assert asked(state, 1) is None
    assert gained(state) == (2, 0, 0)


def test_the_refinery_is_refused_with_the_reason() -> None:
    facts, colonies = full("rare")
    facts = taught(facts, world(REFINERY, "cost-4", "any-production"))
    state = trading(facts, ola=seat(*colonies, Colony(REFINERY, "genes")))
    ask = asked(state, 1)
    assert ask is not None
    assert options(state, 1) == ["world-10", "nothing"]
    assert ask.why_not(state, REFINERY).key == "frontiers.why.refinery-not-sold"


def test_credits_of_a_sale_may_be_stored_at_once() -> None:
    """Rule 163: the whole proceeds, nothing else."""
    facts, colonies = full("genes")
    facts = taught(facts, development("export-duties", power("trade-bonus", n=1)))
    mine = seat(*colonies, credits=5, developments=("export-duties",))
    state = answer(trading(facts, goals=("sales-tax",), ola=mine), 1, "world-10")
    assert options(state, 1) == ["0", "1", "2", "3", "4"]
    ola = answer(state, 1, "3").seats[1]
    assert (ola.credits, ola.stored_credits) == (6, 3)


def test_what_only_the_table_can_tell_of_trade_is_asked_after_a_sale_only() -> None:
    """Rule 137."""
    facts, colonies = full("genes")
    facts = taught(facts, development("export-duties", power("told", phase="trade")))
    state = trading(facts, ola=seat(*colonies, developments=("export-duties",)))
    assert asked(answer(state, 1, "nothing"), 1) is None
    assert question(answer(state, 1, "world-10"), 1).slug == "frontiers.told"


# Consume


def test_without_consume_powers_goods_stay() -> None:
    """Rule 140."""
    facts, colonies = full("rare", "genes")
    assert gained(consuming(facts, colonies, "space-marines")) == (0, 0, 2)


def test_what_leaves_no_choice_happens_by_itself() -> None:
    """Rules 139, 140: two powers, two goods of one colour; a third good would stay."""
    powers = (power("consume", points=1), power("consume", points=0, credits=2))
    facts, colonies = full("rare", "rare", "rare")
    state = consuming(taught(facts, consumer(*powers)), colonies)
    assert asked(state, 1) is None
    assert gained(state) == (1, 2, 1)


def test_an_order_may_leave_goods_behind() -> None:
    """Rules 139, 141, 142: Q (2 goods: 3 points) first, or P (1 good: 1 point) first and Q not any more."""
    facts, colonies = full("rare", "rare")
    facts = taught(facts, consumer(power("consume", points=1), power("consume", goods=2, points=3)))
    state = consuming(facts, colonies)
    assert plans(state) == [(3, 0, 0), (1, 0, 1)]


def test_the_rulebooks_example() -> None:
    """Rules 146, 147, 149: New Vinland, Old Earth, Salon and Prosperous Economy with three goods."""
    facts, colonies = full("rare", "rare", "rare")
    facts = taught(
        facts,
        world("world-20", "cost-2", "gray", power("consume", points=0, credits=2)),
        world("home-2a", "cost-1", "gray", power("consume", goods=2, points=3)),
    )
    state = consuming(facts, (*colonies, Colony("world-20")), ECONOMY, SALON)
    assert gained(state) == (8, 2, 0)


@pytest.mark.parametrize(
    ("tiles", "points"), [((ECONOMY,), 0), ((ECONOMY, SALON), 2), ((SALON,), 1), ((), 0)]
)
def test_salon_and_economy_without_a_good(tiles: tuple[str, ...], points: int) -> None:
    """Rules 147, 148: the economy's point for owning the Salon needs no good."""
    state = trading(ola=seat(developments=tiles))
    assert state.seats[1].chips == points


def test_the_good_sold_is_not_a_good_consumed() -> None:
    """Rules 135, 146."""
    facts, colonies = full("rare", "rare")
    facts = taught(facts, consumer(power("consume", points=1)))
    state = consuming(facts, colonies, "survey-team", ECONOMY, sold="world-10")
    assert gained(state) == (1 + 1, 2, 0)


def test_a_fixed_number_needs_all_of_them() -> None:
    """Rule 142."""
    facts, colonies = full("rare")
    state = consuming(taught(facts, consumer(power("consume", goods=2, points=3))), colonies)
    assert gained(state) == (0, 0, 1)


def test_a_kind_takes_cubes_of_that_colour_only() -> None:
    """Rule 143: by the cube, whatever lies beside it."""
    facts, colonies = full("rare", "genes", "genes")
    state = consuming(taught(facts, consumer(power("consume", good="genes", points=2))), colonies)
    assert gained(state) == (2, 0, 2)
    assert [colony.good for colony in state.seats[1].colonies].count("rare") == 1


def test_up_to_pays_for_each_and_takes_as_many_as_it_can() -> None:
    """Rule 144: Consumer Markets with two of three; nobody is asked, for it must take both."""
    facts, colonies = full("novelty", "novelty", "rare")
    facts = taught(facts, consumer(power("consume", goods=3, good="novelty", points=1, credits=1, each=True)))
    state = consuming(facts, colonies)
    assert asked(state, 1) is None
    assert gained(state) == (2, 2, 1)


def test_used_first_up_to_takes_what_another_power_would_need() -> None:
    """Rules 141, 144: the second power cannot be kept supplied once the first was used to the full."""
    facts, colonies = full("novelty", "novelty")
    markets = power("consume", goods=3, good="novelty", points=1, each=True)
    facts = taught(facts, consumer(markets, power("consume", points=3)))
    state = consuming(facts, colonies)
    assert plans(state) == [(4, 0, 0), (2, 0, 0)]


def test_an_optional_power_may_be_left_alone() -> None:
    """Rule 145: Trade League; asked once, whichever way."""
    facts, colonies = full("rare")
    facts = taught(facts, development("trade-league", power("consume", points=1, optional=True)))
    state = consuming(facts, colonies, "trade-league")
    assert plans(state) == [(1, 0, 0), (0, 0, 1)]
    alone = answer(state, 1, "done")
    assert gained(alone) == (0, 0, 1)
    assert open_asks(alone) == []


def test_what_must_be_used_cannot_be_left_alone() -> None:
    """Rules 139, 145."""
    facts, colonies = full("rare", "genes")
    facts = taught(
        facts,
        development("trade-league", power("consume", points=1, optional=True)),
        consumer(power("consume", good="rare", points=1)),
    )
    state = consuming(facts, colonies, "trade-league", "survey-team")
    assert "done" not in options(state, 1)
    assert plans(state) == [(2, 0, 0), (1, 0, 1)]


def test_different_kinds() -> None:
    """Rule 142: two of different colours."""
    facts, colonies = full("rare", "rare")
    different = consumer(power("consume", goods=2, good="different", points=4))
    assert gained(consuming(taught(facts, different), colonies)) == (0, 0, 2)
    facts, colonies = full("rare", "genes", "genes")
    assert gained(consuming(taught(facts, different), colonies)) == (4, 0, 1)


def test_power_by_power_each_good_may_be_chosen() -> None:
    """Rules 139, 141."""
    facts, colonies = full("rare", "genes", "novelty", "alien")
    powers = (power("consume", points=1), power("consume", goods=2, points=3))
    state = consuming(taught(facts, consumer(*powers)), colonies)
    state = answer(state, 1, "use:survey-team:1", "world-12", "world-10", "use:survey-team:0", "world-13")
    assert gained(state) == (4, 0, 1)
    assert state.seats[1].colony("world-11") == Colony("world-11", "genes")
    short = consuming(taught(facts, consumer(power("consume", points=2))), colonies)
    assert gained(answer(short, 1, "use:survey-team:0", "world-11")) == (2, 0, 3)


def test_what_stays_is_a_result_as_well() -> None:
    """Rule 141: the same points, but another good stays; the most expensive first."""
    facts, colonies = full("rare", "alien")
    state = consuming(taught(facts, consumer(power("consume", points=1))), colonies)
    first, second = (answer(state, 1, id) for id in options(state, 1)[:2])
    assert [colony.good for colony in first.seats[1].colonies if colony.good] == ["alien"]
    assert [colony.good for colony in second.seats[1].colonies if colony.good] == ["rare"]


def test_goods_that_come_back_alike_are_not_told_apart() -> None:
    facts, colonies = full("rare", "rare")
    state = consuming(taught(facts, consumer(power("consume", points=1))), colonies)
    assert asked(state, 1) is None
    assert gained(state) == (1, 0, 1)


def test_a_tile_added_earlier_in_the_round_consumes() -> None:
    """Rule 151: it is fresh only in the action that brought it."""
    facts, colonies = full("rare")
    facts = taught(facts, consumer(power("consume", points=2)))
    mine = replace(seat(*colonies, developments=("survey-team",)), fresh=("survey-team",)).after_action()
    assert gained(answer(trading(facts, ola=mine), 1, "nothing")) == (2, 0, 0)


def test_points_beyond_the_pool_are_paid_and_end_the_play() -> None:
    """Rules 134, 150: 36 in the pool, 35 taken; the selector's point empties it."""
    facts, colonies = full("rare")
    facts = taught(facts, consumer(power("consume", points=5)))
    state = trading(facts, ola=seat(*colonies, chips=35, developments=("survey-team",)))
    assert state.ending == ("points",)
    state = answer(state, 1, "nothing")
    assert state.seats[1].chips == 40
    assert state.pool == -5


def test_many_powers_and_goods_are_answered_at_once() -> None:
    """Nine goods and ten powers: too many orders to list, yet the best is offered."""
    facts, colonies = full("rare", "genes", "novelty", "alien", "rare", "genes", "novelty", "alien")
    powers = [power("consume", goods=1 + n % 3, points=1 + n, each=n % 2 == 0) for n in range(6)]
    powers += [power("consume", good=kind, points=1) for kind in PRICE]
    state = consuming(taught(facts, consumer(*powers)), colonies)
    state = answer(state, 1, options(state, 1)[0])
    assert state.seats[1].goods == 0


def test_a_correction_may_take_goods_away_while_they_are_picked() -> None:
    facts, colonies = full("rare", "genes", "novelty")
    state = consuming(taught(facts, consumer(power("consume", goods=2, points=3))), colonies)
    state = answer(state, 1, "use:survey-team:0", "world-10")
    ola = state.seats[1]
    fewer = ola.with_colony(Colony("world-10"))
    after = advance(state.with_seat(1, fewer))
    assert gained(after) == (3, 0, 0)
    none = replace(ola, colonies=ola.colonies[:1])
    assert open_asks(advance(state.with_seat(1, none))) == []


def test_the_sale_offered_first_leaves_what_is_worth_more_consumed() -> None:
    """Rule 136: the Alien good brings four credits, or three points; the Rare one is not needed for them."""
    facts, colonies = full("rare", "alien")
    facts = taught(facts, consumer(power("consume", good="alien", points=3)))
    mine = seat(*colonies, developments=("survey-team",))
    assert options(trading(facts, ola=mine), 1) == ["world-10", "nothing", "world-11"]
    assert options(trading(facts, ola=replace(mine, developments=())), 1) == [
        "world-11",
        "world-10",
        "nothing",
    ]


def test_power_by_power_no_two_goods_of_one_kind() -> None:
    """Rule 142: once a Rare good is picked, the other Rare one is no answer."""
    facts, colonies = full("rare", "rare", "genes", "alien")
    facts = taught(facts, consumer(power("consume", goods=2, good="different", points=4)))
    state = answer(consuming(facts, colonies), 1, "use:survey-team:0", "world-10")
    assert options(state, 1) == ["world-12", "world-13"]
    assert gained(answer(state, 1, "world-13")) == (4, 0, 2)
    plain = consuming(taught(facts, consumer(power("consume", goods=2, points=4))), colonies)
    assert "world-11" in options(answer(plain, 1, "use:survey-team:0", "world-10"), 1)


def test_a_whole_order_says_what_it_brings() -> None:
    """Rules 144, 146: what is announced before is what is taken after, Prosperous Economy included."""
    facts, colonies = full("rare", "genes", "alien")
    markets = power("consume", goods=2, points=1, credits=1, each=True)
    state = consuming(taught(facts, consumer(markets)), colonies, "survey-team", ECONOMY)
    for option in question(state, 1).options[:3]:
        after = answer(state, 1, option.id)
        said = {sign.symbol: int(sign.value) for sign in option.signs if sign.symbol in ("points", "credits")}
        assert said == {"points": after.seats[1].chips, "credits": after.seats[1].credits}


def test_where_colonists_run_short_seats_go_in_order() -> None:
    """Rule 46: a sale that brings a colonist each, and one is left."""
    facts, colonies = full("rare", "genes")
    facts = taught(facts, development("export-duties", power("gain", phase="trade", gain="colonists", n=1)))
    one, other = (seat(colony, developments=("export-duties",)) for colony in colonies)
    state = table(taught=facts, action="trade-consume", ania=one, ola=other)
    state = state.with_seat(2, replace(state.seats[2], colonists=state.supply - 1))
    state = at(state, ResolveTrade())
    assert asked(state, 1) is None
    state = answer(state, 0, "world-10")
    assert answer(state, 1, "world-11").seats[1].colonists == 0


def test_a_sale_brings_nothing_that_belongs_to_consuming() -> None:
    """Rules 65, 137, 147: the Salon's point comes once, sale or not."""
    facts, colonies = full("rare")
    state = trading(facts, ola=seat(*colonies, developments=(SALON,)))
    assert gained(answer(state, 1, "world-10")) == (1, 2, 0)
    assert gained(answer(state, 1, "nothing")) == (1, 0, 1)


@pytest.mark.parametrize("gain", ["points", "credits", "colonists"])
def test_a_trade_gain_comes_with_a_sale_only(gain: str) -> None:
    """Rule 137: nothing for a seat that keeps the good, or has none to sell."""
    facts, colonies = full("rare")
    facts = taught(facts, development("export-duties", power("gain", phase="trade", gain=gain, n=3)))

    def has(state: FrontiersState) -> tuple[int, int, int]:
        ola = state.seats[1]
        return ola.chips, ola.credits, ola.colonists

    state = trading(facts, ola=seat(*colonies, developments=("export-duties",)))
    assert has(answer(state, 1, "nothing")) == (0, 0, 0)
    assert sum(has(answer(state, 1, "world-10"))) == PRICE["rare"] + 3
    assert has(trading(facts, ola=seat(developments=("export-duties",)))) == (0, 0, 0)


@pytest.mark.parametrize(("left", "in_order"), [(4, True), (5, False)])
def test_points_that_may_empty_the_pool_are_gained_in_order(left: int, in_order: bool) -> None:
    """Rules 46, 150: after the selector's point Jan may gain three of those left; the question says so."""
    facts, colonies = full("rare", "genes", "alien")
    facts = taught(facts, consumer(power("consume", points=2)))
    jan = seat(colonies[1], developments=("survey-team", ECONOMY))
    state = trading(facts, ola=seat(colonies[0], chips=36 - left), jan=jan)
    assert (asked(state, 2) is None) is in_order
    assert [note.key for note in question(state, 1).notes] == ["frontiers.in-order.end"] * in_order
    assert bool(answer(answer(state, 1, "nothing"), 2, "nothing").ending) is in_order


@pytest.mark.parametrize(("left", "in_order"), [(3, True), (4, False)])
def test_the_salons_point_for_an_economy_may_empty_the_pool(left: int, in_order: bool) -> None:
    """Rules 46, 147, 150: without a good Jan gains the Salon's own point and the economy's for it."""
    facts, colonies = full("rare")
    state = trading(facts, ola=seat(*colonies, chips=36 - left), jan=seat(developments=(ECONOMY, SALON)))
    assert [note.key for note in question(state, 1).notes] == ["frontiers.in-order.end"] * in_order


@pytest.mark.parametrize(("supply", "in_order"), [(1, True), (2, False)])
def test_colonists_for_each_good_consumed_may_run_short(supply: int, in_order: bool) -> None:
    """Rule 46: Ola may consume two goods and gain a colonist for each."""
    facts, colonies = full("rare", "genes")
    per_good = power("gain-per-consumed", gain="colonists", n=1)
    facts = taught(facts, consumer(power("consume", goods=2, points=1, each=True), per_good))
    state = table(taught=facts, action="trade-consume", ola=seat(*colonies, developments=("survey-team",)))
    state = state.with_seat(2, replace(state.seats[2], colonists=state.supply - supply))
    state = at(state, ResolveTrade())
    assert [note.key for note in question(state, 1).notes] == ["frontiers.in-order.short"] * in_order


def test_an_order_says_what_it_takes_in_which_order_and_what_stays() -> None:
    facts, colonies = full("rare", "alien")
    state = consuming(taught(facts, consumer(power("consume", points=1))), colonies)
    plan = question(state, 1).options[0]
    assert render(plan.text, "en") == "1 point; left: Alien technology"
    assert plan.detail is not None
    assert "World 10" in render(plan.detail, "en")


def test_goods_consumed_for_nothing_are_told() -> None:
    """Rule 139: a compulsory power takes its good though it gives nothing by itself."""
    facts, colonies = full("rare")
    state = consuming(taught(facts, consumer(power("consume", points=0))), colonies)
    assert gained(state) == (0, 0, 0)
    assert told(state, "frontiers.consumes", 1)


def test_no_more_than_seven_orders_are_offered() -> None:
    facts, colonies = full("novelty", "rare", "genes", "alien", "novelty", "rare", "genes", "alien")
    powers = [power("consume", points=n, credits=4 - n) for n in range(4)]
    state = consuming(taught(facts, consumer(*powers)), colonies)
    assert len(plans(state)) == 7
