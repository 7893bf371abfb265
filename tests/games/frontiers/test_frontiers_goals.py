"""Chart Goals (p. 11): the place on the track, the goal kept, turning it up, and what is stored."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.agenda import waited_for
from companion.core.words import inside
from companion.games.frontiers.component_types import ids
from companion.games.frontiers.corrections import correct
from companion.games.frontiers.state import FrontiersState
from companion.games.frontiers.steps.early_goals import turn_up_early
from companion.games.frontiers.steps.explore import SHOWN, DiscardWorlds
from companion.games.frontiers.steps.goals import (
    ChartGoals,
    StockpileCredits,
    StockpileGoods,
    room,
)
from tests.games.frontiers.tables import answer, asked, at, number, options, seat, table, told
from tests.games.frontiers.tiles import Does, development, power, taught, world

EVERY = ids("goals")


def chart(selector: int = 0, players: int = 3, **more: Any) -> FrontiersState:
    """Chart Goals, selected by this disc."""
    before = {name: more.pop(name) for name in ("goals_up", "hidden_goal") if name in more}
    state = table(players, goals=True, action="chart-goals", selector=selector, **more)
    return at(replace(state, **before), ChartGoals())


def test_a_place_a_credit_and_a_goal_kept_out_of_three() -> None:
    """Rules 152 and 153."""
    state = chart(selector=2)
    assert state.track == (0, 2, 1)
    assert state.seats[2].credits == 1
    assert state.hidden_goal == 2
    assert number(told(state, "frontiers.keep-goal", 2)[0]) == 3
    assert told(state, "frontiers.disc-up", 2)
    assert [who.credits for who in state.seats[:2]] == [0, 0]


def test_the_first_on_the_track_gains_no_place() -> None:
    """Rule 153."""
    state = chart()
    assert state.track == (0, 1, 2)
    assert not told(state, "frontiers.disc-up")


def test_before_the_own_other_disc_the_change_has_no_effect() -> None:
    """Rule 154: with two players, disc 2 is the second one of the first seat."""
    state = chart(selector=2, players=2, track=(1, 0, 2, 3))
    assert [state.seat_of(disc) for disc in state.track] == [1, 0, 0, 1]
    moved = chart(selector=2, players=2, track=(0, 1, 2, 3))
    assert moved.track == (0, 2, 1, 3)


def test_the_new_order_is_used_at_once() -> None:
    """Rule 154."""
    assert chart(selector=2).order() == (2, 1, 0)


@pytest.mark.parametrize(("up", "seen"), [(5, 3), (6, 2), (7, 1)])
def test_few_goals_left_are_all_looked_at(up: int, seen: int) -> None:
    """Rule 155."""
    state = chart(goals_up=EVERY[:up])
    assert number(told(state, "frontiers.keep-goal", 0)[0]) == seen
    assert state.hidden_goal == 0


def test_without_a_goal_left_place_and_credit_remain_and_the_hidden_one_is_turned_up() -> None:
    """Rules 155 and 156."""
    state = chart(selector=1, goals_up=EVERY[:7], hidden_goal=2)
    assert not told(state, "frontiers.keep-goal")
    assert (state.seats[1].credits, state.track) == (1, (1, 0, 2))
    assert options(state, 2) == [EVERY[7]]
    state = answer(state, 2, EVERY[7])
    assert (state.hidden_goal, len(state.goals_up), state.goals_left) == (None, 8, 0)


def test_a_goal_kept_earlier_is_turned_up_at_any_seat() -> None:
    """Rule 156: at most one is hidden."""
    state = chart(hidden_goal=1)
    assert asked(state, 0) is None
    state = answer(state, 1, "conscription")
    assert state.goals_up == ("conscription",)
    assert state.hidden_goal == 0
    assert state.goals_left == 6
    assert told(state, "frontiers.goal-up", 1)
    assert "conscription" not in options(chart(hidden_goal=1, goals_up=("conscription",)), 1)


NINE = tuple(f"world-{n}" for n in range(10, 18))
"""With the home nine worlds."""
FULL = seat("world-10", goods={"world-10": "rare"})


def early(action: str, goals_up: tuple[str, ...] = (), selector: int = 0, **seats: Any) -> FrontiersState:
    """Ola keeps a goal, and this action was just selected."""
    state = table(goals=True, action=action, selector=selector, **seats)
    state = replace(state, hidden_goal=1, goals_up=goals_up)
    return at(state, *turn_up_early(state))


def test_a_stockpile_goal_may_be_turned_up_before_the_action_it_names() -> None:
    """Rule 158: Produce and resources here; the owner is asked, and may well say no."""
    state = early("produce", ola=FULL)
    assert options(state, 1) == ["no", "resource-stockpile"]
    up = answer(state, 1, "resource-stockpile")
    assert (up.goals_up, up.hidden_goal) == (("resource-stockpile",), None)
    assert answer(state, 1, "no").hidden_goal == 1


def test_a_seat_that_keeps_no_goal_any_more_is_not_asked() -> None:
    """A correction gave the goal to somebody else, or turned up the only one that would be of use."""
    state = early("produce", ola=FULL)
    assert not waited_for(at(correct(state, "hidden-goal", 1)))
    assert not waited_for(at(correct(state, "goal:resource-stockpile", 1)))
    assert waited_for(at(correct(state, "goal:conscription", 1))) == {1}


def test_nobody_is_asked_where_nothing_could_be_stored() -> None:
    """Rules 158 and 159."""
    assert not waited_for(early("develop", ola=FULL))
    assert not waited_for(early("produce", ("resource-stockpile",), ola=FULL))
    assert not waited_for(early("trade-consume"))
    assert waited_for(early("trade-consume", ola=seat("world-10", goods={"world-10": "rare"}))) == {1}
    assert not waited_for(early("explore"))
    assert not waited_for(early("settle", ola=seat(explored=NINE, colonists=1)))
    robots = {"survey-team.powers": [{"does": "draw-after-settle", "worlds": 1}]}
    for worlds, colonists, keeper in ((NINE[1:], 1, set()), (NINE, 1, {1}), (NINE, 0, set())):
        ola = seat(explored=worlds, developments=("survey-team",), colonists=colonists)
        assert waited_for(early("settle", taught=robots, ola=ola)) == keeper


@pytest.mark.parametrize(
    ("product", "powers", "selector", "asks"),
    [
        ("gray", (), 1, False),
        ("rare-production", (), 0, True),
        ("rare-windfall", (), 0, False),
        ("rare-windfall", (), 1, True),
        ("rare-windfall", (power("produce-windfall"),), 0, True),
        ("rare-windfall", (power("produce-windfall", good="genes"),), 0, False),
        ("any-windfall", (power("produce-windfall", good="genes"),), 0, True),
    ],
)
def test_before_produce_the_keeper_is_asked_only_if_somebody_may_have_a_good(
    product: str, powers: tuple[Does, ...], selector: int, asks: bool
) -> None:
    """Rules 158, 162: by production, the selector's windfall good or a power."""
    facts = taught(world("world-10", product=product), development("survey-team", *powers))
    ola = seat("world-10", developments=("survey-team",))
    assert bool(waited_for(early("produce", taught=facts, selector=selector, ola=ola))) is asks


def test_before_trade_the_keeper_is_asked_only_if_somebody_may_sell() -> None:
    """Rules 138, 158, 163: the refinery's good is never sold."""
    refinery = "alien-oort-cloud-refinery"
    facts = world(refinery, product="any-production")
    ola = seat(refinery, goods={refinery: "rare"})
    assert not waited_for(early("trade-consume", taught=facts, ola=ola))


def test_before_explore_the_keeper_is_asked_only_if_somebody_will_have_ten_worlds() -> None:
    """Rules 80, 158, 164: the selector takes two, others one, a power draws one more."""
    for worlds, selector, tiles, asks in (
        (NINE[:7], 1, (), True),
        (NINE[:7], 0, (), False),
        (NINE[:7], 0, ("survey-team",), True),
        (NINE, 0, (), True),
    ):
        draw = {"survey-team.powers": [{"does": "draw-worlds", "worlds": 1}]}
        ola = seat(explored=worlds, developments=tiles)
        assert bool(waited_for(early("explore", taught=draw, selector=selector, ola=ola))) is asks


def test_before_settle_the_selectors_colonist_counts() -> None:
    """Rules 88, 158: with it Ola may settle a world and draw a tenth one."""
    facts = taught(
        world("world-10", "cost-0"), development("survey-team", power("draw-after-settle", worlds=1))
    )
    facts |= {key: value for id in NINE[1:] for key, value in world(id, "cost-7").items()}
    ola = seat(explored=NINE, developments=("survey-team",))
    assert waited_for(early("settle", taught=facts, selector=1, ola=ola)) == {1}
    assert not waited_for(early("settle", taught=facts, selector=0, ola=ola))


def up(*goals: str, **seats: Any) -> FrontiersState:
    return replace(table(goals=True, action="produce", **seats), goals_up=goals)


GOODS = seat(
    "world-10", "world-11", "world-12", goods={"world-10": "rare", "world-11": "genes", "world-12": "rare"}
)


def test_goods_are_stored_one_by_one_until_somebody_stops() -> None:
    """Rules 159, 161 and 162: any goods on the own colonies; they are gone from them and from the box."""
    state = at(up("resource-stockpile", ania=GOODS), StockpileGoods(0))
    left = state.cubes()
    state = answer(state, 0, "world-11", "world-10", "no")
    assert state.seats[0].stored_goods == ("genes", "rare")
    assert state.seats[0].goods == 1
    assert state.cubes() == left


def test_nobody_stores_goods_without_the_goal_face_up() -> None:
    """Rule 159."""
    assert not waited_for(at(up("sales-tax", ania=GOODS), StockpileGoods(0)))


def test_never_more_goods_than_the_highest_amount() -> None:
    """Rule 160."""
    full = replace(GOODS, stored_goods=("rare",) * 5)
    state = at(up("resource-stockpile", ania=full), StockpileGoods(0))
    state = answer(state, 0, "world-10")
    assert not waited_for(state)
    assert len(state.seats[0].stored_goods) == 6


@pytest.mark.parametrize(("goal", "most"), [("resource-stockpile", 6), ("exploration", 4), ("sales-tax", 7)])
def test_the_highest_amounts(goal: str, most: int) -> None:
    """Rule 160."""
    assert room(up(goal), goal, 0) == most
    assert room(up(goal), goal, most) == 0
    assert room(up(), goal, 0) == 0


def test_credits_of_the_sale_are_stored_and_no_others() -> None:
    """Rule 163."""
    seller = replace(seat(credits=9), sold=4)
    state = at(up("sales-tax", ania=seller), StockpileCredits(0))
    assert options(state, 0) == ["0", "1", "2", "3", "4"]
    state = answer(state, 0, "3")
    assert (state.seats[0].credits, state.seats[0].stored_credits) == (6, 3)
    nearly = replace(seller, stored_credits=5)
    assert options(at(up("sales-tax", ania=nearly), StockpileCredits(0)), 0) == ["0", "1", "2"]
    assert not waited_for(at(up("sales-tax", ania=seat(credits=9)), StockpileCredits(0)))


def test_one_of_the_worlds_above_nine_may_be_stored() -> None:
    """Rules 164 and 165: at most one in an action; it counts neither to the nine nor to the bag."""
    eleven = tuple(f"world-{n}" for n in range(10, 20))
    state = at(up("exploration", ania=seat(explored=eleven)), DiscardWorlds(0))
    state = answer(state, 0, "world-10", "world-12")
    assert options(state, 0) == ["world-10", "world-12", "no"]
    state = answer(state, 0, "world-12")
    assert state.seats[0].stored_worlds == ("world-12",)
    assert len(state.seats[0].explored) == 8
    assert "world-10" in state.bag()
    assert "world-12" not in state.bag()
    assert not waited_for(state)


def test_a_world_that_is_gone_is_not_stored() -> None:
    """A correction took one of them, or the goal, away: the others go into the bag."""
    eleven = tuple(f"world-{n}" for n in range(10, 20))
    state = at(up("exploration", ania=seat(explored=eleven)), DiscardWorlds(0))
    state = answer(state, 0, "world-10", "world-12")
    for counter in ("world:0:world-10", "goal:exploration"):
        after = at(correct(state, counter, 0))
        assert not waited_for(after)
        assert {"world-10", "world-12"} <= set(after.bag())
        assert len(after.seats[0].explored) == 8


def test_no_world_is_stored_without_the_goal_or_beyond_four() -> None:
    """Rules 159 and 160."""
    ten = tuple(f"world-{n}" for n in range(10, 19))
    four = tuple(f"world-{n}" for n in range(30, 34))
    for state in (
        up(ania=seat(explored=ten)),
        up("exploration", ania=seat(explored=ten, stored_worlds=four)),
    ):
        after = answer(at(state, DiscardWorlds(0)), 0, "world-10")
        assert not waited_for(after)
        assert "world-10" in after.bag()


@pytest.mark.parametrize(("hidden", "asks"), [(0, False), (1, True)])
def test_before_explore_nobody_draws_from_a_bag_that_was_laid_out(hidden: int, asks: bool) -> None:
    """Rules 80, 83, 164: the seven worlds laid out are in the bag no more; Ola's power draws what is left."""
    draw = {"survey-team.powers": [{"does": "draw-worlds", "worlds": 1}]}
    ola = seat(explored=NINE[:7], developments=("survey-team",))
    state = table(goals=True, action="explore", taught=draw, ola=ola)
    state = replace(state, hidden_goal=1, aside=state.bag()[SHOWN + hidden :])
    assert bool(waited_for(at(state, *turn_up_early(state)))) is asks


def test_storing_as_usual_catches_nobodys_eye() -> None:
    state = answer(at(up("resource-stockpile", ania=GOODS), StockpileGoods(0)), 0, "world-11")
    assert [news.usual for news in state.news if news.seat == 0] == [True]
    ten = seat(explored=tuple(f"world-{n}" for n in range(10, 19)))
    state = at(up("exploration", ania=ten), DiscardWorlds(0))
    state = answer(state, 0, "world-12", "world-12")
    stored = [
        news for news in state.news if any(text.key == "frontiers.store.world" for text in inside(news.text))
    ]
    assert [news.usual for news in stored] == [True]
