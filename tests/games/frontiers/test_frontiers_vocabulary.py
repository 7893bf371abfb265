"""What powers and '?' bonuses can express: printed costs, several gains at once, discounts entered at the table."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.frontiers import GAME
from companion.games.frontiers.component_types import Tile, everything, ids
from companion.games.frontiers.faces import effect
from companion.games.frontiers.powers import Consume, GainAlways, MilitaryPower, Replace, Told
from companion.games.frontiers.state import Colony, FrontiersState, Seat
from companion.games.frontiers.steps.develop import ResolveDevelop
from companion.games.frontiers.steps.produce import ResolveProduce
from companion.games.frontiers.steps.settle import ResolveSettle
from companion.games.frontiers.steps.tellings import ask_told
from companion.games.frontiers.steps.trade import ResolveTrade
from companion.games.frontiers.view import military
from scoring import frontiers as scoring
from scoring.frontiers import PHASES, reached
from tests.games.frontiers.tables import answer, asked, at, number, options, question, seat, table, told
from tests.games.frontiers.tiles import Facts, development, power, taught, world

TILE, OTHER = "survey-team", "mining-robots"


def doing(action: str, facts: Facts, **seats: Seat) -> FrontiersState:
    """Ania has just selected an action."""
    resolve = {
        "develop": ResolveDevelop,
        "settle": ResolveSettle,
        "produce": ResolveProduce,
        "trade-consume": ResolveTrade,
    }[action]
    return at(table(taught=facts, action=action, **seats), resolve())


def owner(**what: Any) -> Seat:
    """Somebody who owns the development with the powers of a test."""
    return seat(developments=(TILE,), **what)


# Printed costs (p. 4)


@pytest.mark.parametrize(("cost", "paid"), [(3, 3), (4, 3), (6, 5), (7, 7)])
def test_a_discount_looks_at_the_printed_cost_of_a_development(cost: int, paid: int) -> None:
    """Rule 71: before any other discount; Ola is not the selector."""
    cheaper = development(TILE, power("develop-discount", n=1, least=4, most=6))
    facts = taught(cheaper, development(OTHER, cost=cost))
    state = answer(doing("develop", facts, ola=owner(credits=9)), 1, OTHER)
    assert state.seats[1].credits == 9 - paid


def test_two_discounts_both_look_at_the_printed_cost() -> None:
    """Rule 71: what the first takes off does not shut out the second."""
    twice = power("develop-discount", n=2, least=5)
    facts = taught(development(TILE, twice, twice), development(OTHER, cost=5))
    state = answer(doing("develop", facts, ola=owner(credits=9)), 1, OTHER)
    assert state.seats[1].credits == 8


@pytest.mark.parametrize(("cost", "credits"), [(3, 0), (4, 2)])
def test_a_gain_after_buying_something_expensive(cost: int, credits: int) -> None:
    """Rules 64 and 71."""
    facts = taught(
        development(TILE, power("gain-after-develop", n=2, least=4)), development(OTHER, cost=cost)
    )
    state = answer(doing("develop", facts, ola=owner(credits=cost)), 1, OTHER)
    assert state.seats[1].credits == credits


@pytest.mark.parametrize(("price", "cost"), [("cost-2", 0), ("cost-3", 3)])
def test_cheap_worlds_cost_less(price: str, cost: int) -> None:
    """Rule 71."""
    facts = taught(development(TILE, power("settle-discount", n=2, most=2)), world("world-10", price))
    state = doing("settle", facts, ola=owner(credits=3, colonists=1, explored=("world-10",)))
    assert answer(state, 1, "world-10").seats[1].credits == 3 - cost


def test_military_against_weak_worlds_is_no_military_against_all() -> None:
    """Rule 71: it conquers a defence of two, not of three, and no view or '?' counts it."""
    facts = taught(
        development(TILE, power("military", n=3, most=2)),
        world("world-10", "defence-2"),
        world("world-11", "defence-3"),
    )
    state = doing("settle", facts, ola=owner(colonists=2, explored=("world-10", "world-11")))
    assert options(state, 1) == ["colonists", "world-10"]
    assert military(state, 1) == 0
    assert state.tile(TILE).for_scoring.strength == 0


def test_only_weak_worlds_may_be_paid_for() -> None:
    """Rules 71 and 107."""
    facts = taught(
        development(TILE, power("pay-for-military", n=1, most=3)),
        world("world-10", "defence-3"),
        world("world-11", "defence-4"),
    )
    state = doing("settle", facts, ola=owner(credits=9, colonists=2, explored=("world-10", "world-11")))
    assert options(state, 1) == ["colonists", "world-10"]


def test_settling_expensive_worlds_and_expensive_colonies() -> None:
    """Rules 71, 72 and 129; a home nobody told the cost of is not counted."""
    facts = taught(
        development(TILE, power("gain-after-settle", n=3, least=4), power("gain-per-colony", n=2, least=4)),
        world("world-10", "cost-4"),
        world("world-11", "cost-3"),
    )
    state = doing("settle", facts, ola=owner(credits=7, colonists=2, explored=("world-10", "world-11")))
    assert answer(state, 1, "world-10").seats[1].credits == 7 - 4 + 3
    assert answer(state, 1, "world-11").seats[1].credits == 7 - 3
    made = doing("produce", facts, ola=seat("world-10", "world-11", developments=(TILE,)))
    assert made.seats[1].credits == 2


# Several gains of one power


def test_one_power_gives_several_things() -> None:
    """Rule 69: whatever it gives, it is one power, so it counts once for Citizen Services (rule 170)."""
    salon = power("gain", phase="consume", gain="points", n=1, also=["credits", "colonists", "credits"])
    state = doing("trade-consume", development(TILE, salon), ola=owner())
    ola = state.seats[1]
    assert (ola.chips, ola.credits, ola.colonists) == (1, 2, 1)
    scored = GAME.sheet(state)
    assert scored.seats[1].total == state.tile(TILE).for_scoring.points + 1
    assert state.tile(TILE).for_scoring.powers == ("consume",)


def test_it_counts_once_for_citizen_services() -> None:
    """Rules 169 and 170: taught as two powers it would count twice."""

    def counted(*powers: Any) -> int:
        tile = everything().taught(development(TILE, *powers))[TILE]
        assert isinstance(tile, Tile)
        return reached("civil-service", scoring.Seat(name="", tiles=(tile.for_scoring,)))["consume-powers"]

    several = power("gain-per-consumed", gain="points", also=["credits"])
    assert counted(several) == 1
    assert counted(power("gain-per-consumed"), power("gain-per-consumed", gain="credits")) == 2


@pytest.mark.parametrize(
    ("does", "times"), [("gain-per-produced", 2), ("gain-per-colony", 3), ("gain-if-most", 1)]
)
def test_all_of_it_comes_each_time(does: str, times: int) -> None:
    """Rules 128 and 129: a home and two colonies that make rare goods."""
    facts = taught(
        development(TILE, power(does, gain="credits", n=2, also=["points"])),
        world("world-10", product="rare-production"),
        world("world-11", product="rare-production"),
    )
    state = doing("produce", facts, ola=seat("world-10", "world-11", developments=(TILE,)))
    assert (state.seats[1].credits, state.seats[1].chips) == (2 * times, times)


def test_colonists_that_come_besides_are_counted_before_they_run_short() -> None:
    """Rule 46: then seats come one after another."""
    gains = power("gain-after-develop", gain="credits", also=["colonists"])
    facts = taught(development(TILE, gains), development(OTHER, cost=1))
    short = doing("develop", facts, ola=owner(credits=9), jan=seat(colonists=33))
    assert question(short, 0).slug == "frontiers.develop"
    assert asked(short, 1) is None


def test_credits_that_come_besides_with_a_sale_belong_to_its_proceeds() -> None:
    """Rules 137 and 163."""
    facts = taught(
        development(TILE, power("gain", phase="trade", gain="points", also=["credits", "credits"])),
        world("world-10", product="rare-production"),
    )
    state = doing("trade-consume", facts, ola=seat(Colony("world-10", "rare"), developments=(TILE,)))
    nothing = answer(state, 1, "nothing").seats[1]
    assert (nothing.credits, nothing.chips) == (0, 0)
    sold = answer(state, 1, "world-10").seats[1]
    assert (sold.credits, sold.sold, sold.chips) == (4, 4, 1)


def test_prosperous_economy_with_two_gains_has_one_salon() -> None:
    """Rules 146 and 148: what comes for the Salon comes once."""
    facts = taught(
        development(
            TILE,
            power("gain-per-consumed", gain="points", n=1, with_salon=1, also=["credits"]),
            power("consume", goods=1, points=1),
        ),
        world("world-10", product="rare-production"),
    )
    lying = seat(Colony("world-10", "rare"), developments=(TILE, "galactic-salon"))
    state = answer(doing("trade-consume", facts, ola=lying), 1, "nothing")
    ola = state.seats[1]
    assert (ola.chips, ola.credits) == (1 + 1 + 1 + 1, 1)


# Discounts nobody can say in our vocabulary


def test_something_else_may_make_a_development_cheaper() -> None:
    """Rule 56: asked before anything is chosen, and what could not be paid for now can."""
    facts = taught(
        development(TILE, power("told", phase="develop", discount=True)), development(OTHER, cost=4)
    )
    state = doing("develop", facts, ola=owner(credits=2))
    assert question(state, 1).slug == "frontiers.told"
    expensive = answer(state, 1, "nothing")
    assert OTHER not in options(expensive, 1)
    state = answer(state, 1, "discount:3")
    state = answer(state, 1, OTHER)
    assert state.seats[1].credits == 1
    assert [number(text) for text in told(state, "frontiers.pay", 1)] == [1]


def test_what_may_become_cheaper_is_bought_in_order_where_copies_run_out() -> None:
    """Rules 46 and 58: with two players there is one of each, and Ola may yet afford what Ania can."""
    told_off = development(TILE, power("told", phase="develop", discount=True))
    expensive = taught(*(development(id, cost=9) for id in ids("developments") if id != TILE), told_off)
    state = table(2, taught=expensive, action="develop", ania=seat(credits=9), ola=owner(credits=4))
    state = at(state, ResolveDevelop())
    assert asked(state, 0) is not None
    assert asked(state, 1) is None


def test_something_else_may_make_a_world_cheaper_in_this_action_only() -> None:
    facts = taught(
        development(TILE, power("told", phase="settle", discount=True)), world("world-10", "cost-5")
    )
    state = doing("settle", facts, ola=owner(credits=1, colonists=1, explored=("world-10",)))
    state = answer(state, 1, "discount:5")
    assert state.seats[1].told_discounts == ((TILE, 5),)
    assert state.seats[1].after_action().told_discounts == ()
    assert answer(state, 1, "world-10").seats[1].credits == 1


def test_nothing_is_cheaper_where_nothing_is_paid_for() -> None:
    for phase in PHASES:
        state = table(taught=development(TILE, power("told", phase=phase, discount=True)), ania=owner())
        state = at(state, *ask_told(state, 0, phase))
        cheaper = any(id.startswith("discount") for id in options(state, 0))
        assert cheaper == (phase in ("develop", "settle"))


def test_something_else_without_a_discount_is_asked_after_the_purchase_as_ever() -> None:
    facts = taught(development(TILE, power("told", phase="develop")), development(OTHER, cost=4))
    state = doing("develop", facts, ola=owner(credits=5))
    assert question(state, 1).slug == "frontiers.develop"
    state = answer(state, 1, OTHER)
    assert question(state, 1).slug == "frontiers.told"
    assert not [id for id in options(state, 1) if id.startswith("discount")]


# A cheaper world instead


@pytest.mark.parametrize(("cost", "allowed"), [(1, False), (2, True), (5, True), (6, False)])
def test_a_colony_may_be_replaced_by_a_cheaper_world_if_its_power_says_so(cost: int, allowed: bool) -> None:
    """Rules 116 and 122: of Doomed Colony its owner tells how much cheaper; Terraforming Engineers allow none."""
    doomed = power("replace", colony="this", higher=1, lower=2, same_kind=False)
    facts = taught(world("world-20", "cost-4", "gray", doomed), world("world-10", f"cost-{cost}", "gray"))
    state = doing("settle", facts, ola=seat("world-20", explored=("world-10",), colonists=0))
    swaps = [id for id in options(state, 1) if id.startswith("replace:")] if asked(state, 1) else []
    assert bool(swaps) == allowed


# What was taught before


def test_what_was_taught_before_means_the_same() -> None:
    """Facts in boxes and journals that know nothing of the new fields."""
    assert (
        list(
            GAME.bad_facts(
                development(
                    TILE,
                    {"does": "gain", "phase": "consume", "gain": "points", "n": 1},
                    {"does": "replace", "higher": 3},
                    {"does": "told", "phase": "develop"},
                    {"does": "military", "n": 2},
                )
            )
        )
        == []
    )
    assert GainAlways(phase="consume") == GainAlways(phase="consume", also=())
    assert (Replace().lower, Told(phase="settle").discount) == (0, False)
    assert MilitaryPower(n=2).is_general


def test_new_words_can_be_taught_and_wrong_ones_cannot() -> None:
    good = development(
        TILE,
        {"does": "gain", "phase": "consume", "also": ["points", "points"]},
        {"does": "settle-discount", "least": 3, "most": 5},
        {"does": "replace", "lower": 2},
        {"does": "told", "phase": "settle", "discount": True},
    )
    assert list(GAME.bad_facts(good)) == []
    for wrong in (
        {"does": "gain", "phase": "consume", "also": ["goods"]},
        {"does": "settle-discount", "least": 10},
        {"does": "replace", "lower": -1},
    ):
        assert list(GAME.bad_facts(development(TILE, wrong))) != []


def test_faces_show_bounds_and_all_that_comes() -> None:
    several = GainAlways(phase="consume", gain="points", n=1, also=("credits", "credits"))
    assert [(sign.symbol, sign.value) for sign in effect(several)] == [("points", "+1"), ("credits", "+2")]
    assert effect(MilitaryPower(n=2, least=4))[-1].value == "≥4"
    assert effect(MilitaryPower(n=2, most=4))[-1].value == "≤4"
    assert effect(MilitaryPower(n=2, least=2, most=4))[-1].value == "2-4"
    assert effect(Replace(lower=2))[-1].value == "\N{MINUS SIGN}2/+3"
    assert len(effect(Told(phase="develop", discount=True))) == 2
    assert len(effect(Consume())) == 3


def test_a_told_discount_is_shown_as_a_lower_cost() -> None:
    facts = development(TILE, power("told", phase="develop", discount=True))
    offered = question(doing("develop", facts, ola=owner(credits=9)), 1).options
    shown = next(option for option in offered if option.id == "discount:3")
    assert [(sign.symbol, sign.value) for sign in shown.signs] == [("cost", "\N{MINUS SIGN}3")]


def test_the_question_for_the_refinerys_kind_names_it() -> None:
    facts = taught(
        world("alien-oort-cloud-refinery", "cost-4", "any-windfall"),
        world("world-10", product="rare-windfall"),
    )
    state = doing("produce", facts, ania=seat("alien-oort-cloud-refinery", "world-10"))
    assert question(state, 0).slug == "frontiers.name-kind"
    assert question(state, 0).text.args["world"] == state.name("alien-oort-cloud-refinery")
