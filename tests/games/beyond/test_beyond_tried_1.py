"""Tricky situations about set-up, pawns, basic actions, columns, production, automation and research (rules 1 to 107).

Each was worked out from the rules before anything was run.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.agenda import Ask, advance, open_asks
from companion.errors import Unknown
from companion.games.beyond import operations as op
from companion.games.beyond.columns import returned
from companion.games.beyond.corrections import check, correct
from companion.games.beyond.counters import counters
from companion.games.beyond.prerequisites import reachable
from companion.games.beyond.sheet import sheet_of_state
from companion.games.beyond.state import Base, BeyondState, Colony, Kept, Node, Ship
from companion.games.beyond.steps.colonise import WhichSystem
from companion.games.beyond.steps.production import ChooseProduction
from companion.games.beyond.steps.setup import Furnish, LayAchievement, LayTechnology
from companion.games.beyond.steps.turn import BeginTurn, ChooseSpace
from tests.games.beyond.tables import asked, does, left, offers, say, seat, table, told

ACTION, PRODUCTION = (ChooseSpace(0),), (ChooseProduction(0),)
LINES = {
    "technology-board.lines_2": [
        {"one": "i-1", "other": "ii-a"},
        {"one": "i-1", "other": "ii-b"},
        {"one": "i-2", "other": "ii-b"},
        {"one": "i-2", "other": "ii-c"},
    ],
    "technology-board.lines_3": [
        {"one": "ii-a", "other": "iii-a"},
        {"one": "ii-b", "other": "iii-a"},
        {"one": "ii-b", "other": "iii-b"},
    ],
    "technology-board.lines_4": [{"one": f"iii-{c}", "other": "iiii-b"} for c in "abc"]
    + [{"one": f"iii-{c}", "other": "iiii-a"} for c in "ef"],
    "technology-board.two_of_three": ["iiii-b"],
}
QUIET_CANNON = {
    "plasma-cannon.passes": "military",
    "plasma-cannon.immediate": [],
    "plasma-cannon.actions": [],
    "plasma-cannon.abilities": [],
}


def with_action(*effects: dict[str, Any], **cost: int) -> dict[str, Any]:
    """Plasma Cannon with one action, in nobody's box."""
    return {**QUIET_CANNON, "plasma-cannon.actions": [{"effects": list(effects), **cost}]}


def cannon(who: Any, *effects: dict[str, Any], **more: Any) -> BeyondState:
    """Ania before her action, with a Plasma Cannon that does this."""
    cost = {k: more.pop(k) for k in ("ore_cost", "retired") if k in more}
    taught = {**LINES, **with_action(*effects, **cost), **more.pop("taught", {})}
    tree = {"ii-f": Node("plasma-cannon", (0,)), **more.pop("tree", {})}
    return table(who, seat(), taught=taught, tree=tree, agenda=ACTION, **more)


def may(state: BeyondState) -> bool:
    """Whether the action of the Plasma Cannon may be chosen."""
    return "plasma-cannon:0:0" in offers(state)


# Set-up


def furnished(taught: dict[str, Any], board: str = "nations") -> BeyondState:
    state = table(seat(), seat(), taught=taught, phase="setup", round=0)
    state = state.with_seat(0, replace(state.seats[0], board=board, supply=(0,) * 5, population=0, ore=0))
    state = advance(state.push(Furnish(0, 0)))
    while open_asks(state) and asked(state).only:
        state = say(state, asked(state).options[0].id)
    return state


def test_an_extra_ship_comes_out_of_column_a() -> None:
    """Rule 32: not out of the population, and nobody is asked."""
    extra = [{"does": "build", "level": 1, "source": "a", "place": "sol"}]
    who = furnished({"nations.extra_setup": extra}).seats[0]
    assert (who.population, who.supply, who.ships) == (2, (3, 4, 3, 3, 3), (Ship("sol", 1), Ship("sol", 1)))


def test_columns_too_small_for_17_cubes_are_overfilled_at_a() -> None:
    """Rules 29, 63: no cube is lost on a board with other columns."""
    small = {"basic-boards.columns": {"a": 3, "b": 3, "c": 3, "d": 3, "e": 3}, "nations.extra_setup": []}
    assert furnished(small).seats[0].supply == (5, 3, 3, 3, 3)


# The pawn


def test_the_last_space_may_be_repeated_though_another_of_its_action_is_free() -> None:
    """Rules 40, 41: with two spaces of the fourth action they are not alike: only on the last one may a pawn stay."""
    two = {"basic-2.recruit_ore": 2}
    first, last = "basic-2:recruit-ore:0", "basic-2:recruit-ore:1"
    state = table(seat(pawn=last), seat(), taught=two, agenda=ACTION)
    assert {first, last} <= offers(state)
    assert say(state, last).seats[0].pawn == last
    texts = [repr(option.text) for option in asked(state).options]
    assert len(set(texts)) == len(texts), "people can tell them apart"
    state = table(seat(pawn=first), seat(), taught=two, agenda=ACTION)
    assert first not in offers(state)
    assert last in offers(state)
    state = table(seat(pawn=last), seat(pawn=first), taught=two, agenda=ACTION)
    assert first not in offers(state)


def test_the_last_space_is_no_more_open_to_others_than_any() -> None:
    """Rule 41, reading: the duty to move is lifted, not the ban on occupied spaces."""
    state = table(seat(), seat(pawn="basic-2:recruit-ore:0"), agenda=ACTION)
    assert "basic-2:recruit-ore:0" not in offers(state)


def test_the_other_space_of_the_same_technology_is_another_space() -> None:
    """Rule 40, on a card with two spaces."""
    tree = {"iii-e": Node("hivemind-computing", (0,)), "iii-f": Node("capital-ship", (0,))}
    who = seat(ore=7, population=1, pawn="hivemind-computing:0:0")
    state = table(who, seat(), tree=tree, taught=LINES, agenda=ACTION)
    assert {o for o in offers(state) if "hivemind" in o} == {"hivemind-computing:0:1"}
    state = table(who, seat(pawn="hivemind-computing:0:1"), tree=tree, taught=LINES, agenda=ACTION)
    assert not {o for o in offers(state) if "hivemind" in o}


def test_a_displaced_pawn_may_return_to_its_space() -> None:
    """Rule 50: it stands nowhere."""
    state = table(seat(), seat(pawn="basic-2:research-1:0"))
    state = say(does(state, op.Displace()), "1")
    assert state.seats[1].pawn == ""
    state = advance(replace(state, agenda=(ChooseSpace(1),)))
    assert "basic-2:research-1:0" in offers(state)


def test_nobody_pays_a_surcharge_for_nothing() -> None:
    """Rules 45, 46, 56: the surcharge belongs to the space; one of the two parts must still really happen."""
    expensive = {"basic-2.surcharge": ["build-jump"], "basic-2.build_jump": 1}
    space = "basic-2:build-jump:0"
    state = table(seat(ore=3, population=0), seat(), taught=expensive, agenda=ACTION)
    assert space not in offers(state)
    state = table(seat("sol:1", ore=1, population=1), seat(), taught=expensive, agenda=ACTION)
    state = say(state, space)
    assert state.seats[0].ore == 0
    state = say(state, "skip")
    assert "done" not in offers(state)


def test_the_surcharge_comes_before_what_the_action_yields() -> None:
    """Rules 46, 47: 1 ore for the fourth action must be there, though it gives 1."""
    expensive = {"basic-2.surcharge": ["recruit-ore"]}
    for ore, able in ((0, False), (1, True)):
        state = table(seat(ore=ore), seat(), taught=expensive, agenda=ACTION)
        assert ("basic-2:recruit-ore:0" in offers(state)) == able
    assert say(state, "basic-2:recruit-ore:0").seats[0].ore == 1


def test_a_cost_is_not_paid_with_what_the_effect_gives() -> None:
    """Rule 47."""
    assert not may(cannon(seat(ore=2), {"does": "gain-ore", "n": 5}, ore_cost=3))
    assert may(cannon(seat(ore=3), {"does": "gain-ore", "n": 5}, ore_cost=3))


def test_ore_of_an_earlier_part_pays_for_a_later_one() -> None:
    """Rule 44, reading; one ore less and the whole cannot be chosen."""
    for gained, able in ((2, True), (1, False)):
        parts = (
            {"does": "gain-ore", "n": gained},
            {"does": "pay-ore", "n": 2},
            {"does": "research", "level": 1},
        )
        assert may(cannon(seat(population=1), *parts)) == able


@pytest.mark.parametrize(
    "effect",
    [
        {"does": "recruit", "n": 2},
        {"does": "upgrade", "ships": 1, "levels": 1},
        {"does": "displace"},
        {"does": "move-supply", "column_to": "a"},
        {"does": "build", "source": "supply", "level": 2},
    ],
)
def test_what_would_change_nothing_cannot_be_chosen(effect: dict[str, Any]) -> None:
    """Rule 45: no supply, no population, no ship below level 4, no other pawn on the board."""
    ships = tuple(f"sol:{4}" for _ in range(19))
    assert not may(cannon(seat(*ships, population=0, supply=(0, 0, 0, 0, 0)), effect))
    if effect["does"] != "displace":
        assert may(cannon(seat("sol:1", population=0), effect))


def test_two_equal_ships_that_change_places_are_no_change() -> None:
    """Rule 45, reading: all of them where they began."""
    state = cannon(seat("a1:1", "a2:1", population=0), {"does": "jump-anywhere", "ships": 2})
    state = say(state, "plasma-cannon:0:0", "a1:1", "a2")
    assert "a1" not in offers(state) - {"done"} or "done" in offers(state)
    while asked(state).slug == "beyond.jump":
        state = say(state, next(o for o in offers(state) if o.startswith("a2")))
    assert "a1" not in offers(state)


def test_one_replaced_cube_is_enough_only_with_the_ore_for_it() -> None:
    """Rule 48: Metascientists take 6 ore and 3 cubes, or 7 ore and 2."""
    tree = {f"iii-{c}": Node("", (0,)) for c in "abef"} | {"iii-f": Node("android-rights-movement", (0,))}
    for ore, population, able in ((6, 2, False), (7, 2, True), (7, 1, False), (6, 3, True)):
        state = table(
            seat(ore=ore, population=population),
            seat(),
            tree=tree,
            taught=LINES,
            guilds=("metascientists-guild",),
            agenda=ACTION,
        )
        assert ("metascientists-guild:0:0" in offers(state)) == able, (ore, population)
    state = table(
        seat(ore=7, population=2),
        seat(),
        tree=tree,
        taught=LINES,
        guilds=("metascientists-guild",),
        agenda=ACTION,
    )
    state = say(state, "metascientists-guild:0:0")
    assert offers(state) == {"ore"}, "with two cubes retired none would be left to research"
    state = say(state, "ore")
    assert (state.seats[0].ore, state.seats[0].population) == (0, 1)


def test_what_is_researched_must_yield_what_is_needed_after_it() -> None:
    """Rules 44, 97: of four technologies only one gives the ore the next part costs."""
    parts = (
        {"does": "research", "level": 1},
        {"does": "pay-ore", "n": 2},
        {"does": "automate", "disc": "ore"},
    )
    taught = {
        "narrow-beam-lasers.immediate": [{"does": "gain-ore", "n": 2}],
        "terraforming.immediate": [{"does": "gain-ore", "n": 1}],
    }
    state = say(cannon(seat(population=1), *parts, taught=taught), "plasma-cannon:0:0")
    assert offers(state) == {"i-1"}
    assert say(state, "i-1").seats[0].automation == ("ore",)
    assert offers(say(cannon(seat(ore=1), *parts, taught=taught), "plasma-cannon:0:0")) == {"i-1", "i-2"}
    assert not may(cannon(seat(population=1), *parts))


def test_each_of_three_ships_is_optional() -> None:
    """Rules 44, 45 and p. 23 (Modular Fleet): one ship is enough for a change, and so is the jump alone."""
    parts = ({"does": "build", "n": 3, "optional": True}, {"does": "jump", "points": 3})
    state = say(cannon(seat(population=1), *parts), "plasma-cannon:0:0")
    assert offers(state) == {"sol"}, "something must change"
    assert "done" in offers(say(state, "sol"))
    state = say(cannon(seat("sol:1", population=2), *parts), "plasma-cannon:0:0", "skip", "skip", "skip")
    assert "done" not in offers(state)
    assert not may(cannon(seat(population=0), *parts))
    research = {"does": "research", "level": 1}
    state = say(cannon(seat(population=2), parts[0], research), "plasma-cannon:0:0", "sol")
    assert offers(state) == {"skip"}, "the last cube is needed"


def two_of(*options: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    return {"does": "choose", "picks": 2, "options": [{"effects": list(effects)} for effects in options]}


def test_of_two_things_to_be_done_the_first_must_leave_the_second_possible() -> None:
    """Rules 44, 165: two of three to be done, each as a whole, whatever the order."""
    ore = ({"does": "pay-ore", "n": 2}, {"does": "automate", "disc": "ore"})
    food = ({"does": "pay-ore", "n": 2}, {"does": "automate", "disc": "food"})
    cheap = ({"does": "pay-ore", "n": 1}, {"does": "recruit"})
    expensive = ({"does": "pay-ore", "n": 3}, {"does": "recruit"})
    assert not may(cannon(seat(ore=2), two_of(ore, food, cheap))), "no two of them can be paid"
    state = say(cannon(seat(ore=3), two_of(ore, cheap, expensive)), "plasma-cannon:0:0")
    assert offers(state) == {"0", "1"}, "after the expensive one nothing could be paid"
    assert offers(say(state, "1")) == {"0"}


def test_the_only_space_of_an_action_has_its_surcharge_when_copied() -> None:
    """Rule 52, reading: no space without it, so it is paid."""
    expensive = {**LINES, "basic-2.research_2": 1}
    for ore, able in ((2, False), (3, True)):
        state = table(
            seat(ore=ore, population=2),
            seat(),
            taught=expensive,
            researched={"i-1": (0,)},
            guilds=("technocrats-guild",),
            agenda=ACTION,
        )
        state = say(state, "technocrats-guild:0:0", "i-3")
        assert ("basic-2:research-2:0" in offers(state)) == able
    assert say(state, "basic-2:research-2:0").seats[0].ore == 0


def test_quantum_data_exchange_copies_a_research_that_is_one_of_two_choices() -> None:
    """Rule 53: Cerebral Implants of somebody else, where a pawn stands, with the cube it gives itself (rule 44)."""
    tree = {"iii-e": Node("quantum-data-exchange", (0,)), "iii-f": Node("cerebral-implants", (1,))}
    state = table(
        seat(ore=3, population=0),
        seat(pawn="cerebral-implants:0:0"),
        tree=tree,
        taught=LINES,
        researched={"i-1": (0,)},
        agenda=ACTION,
    )
    state = say(state, "quantum-data-exchange:0:0", "cerebral-implants:0:0")
    assert state.seats[0].pawn == "quantum-data-exchange:0:0"
    assert offers(state) == {"0"}, "5 ore for level III are not there"
    assert "ii-a" in offers(say(state, "0"))


def test_quantum_data_exchange_through_the_technocrats_to_a_basic_action() -> None:
    """Rules 52, 53: a copy that copies; both spaces may be taken."""
    tree = {"iii-e": Node("quantum-data-exchange", (0,))}
    state = table(
        seat(population=1),
        seat(pawn="technocrats-guild:0:0"),
        seat(pawn="basic-3:recruit-ore:0"),
        tree=tree,
        guilds=("technocrats-guild",),
        agenda=ACTION,
    )
    state = say(state, "quantum-data-exchange:0:0", "technocrats-guild:0:0", "i-2")
    state = say(state, "basic-3:recruit-ore:0")
    assert (state.seats[0].ore, state.seats[0].population) == (1, 1)


def test_nothing_to_copy_nothing_to_choose() -> None:
    """Rules 44, 53: without population no research can be copied."""
    tree = {"iii-e": Node("quantum-data-exchange", (0,))}
    state = table(seat(ore=9, population=0), seat(), tree=tree, taught=LINES, agenda=ACTION)
    assert "quantum-data-exchange:0:0" not in offers(state)


def test_a_private_technology_is_its_owners_alone_to_use_copy_and_build_on() -> None:
    """Rules 102, 103: own private research may be copied; others' not; it lies outside the tree."""
    mine = seat(ore=9, population=2, private=("quantum-data-exchange", "hivemind-computing"))
    tree = {"iii-e": Node("", (0,)), "iii-f": Node("", (0,))}
    state = table(mine, seat(private=("metahuman-chambers",)), tree=tree, taught=LINES, agenda=ACTION)
    assert {"quantum-data-exchange:0:0", "hivemind-computing:0:0"} <= offers(state)
    assert not any("metahuman" in option for option in offers(state))
    state = say(state, "quantum-data-exchange:0:0")
    assert "hivemind-computing:0:0" in offers(state)
    assert not any("metahuman" in option for option in offers(state))
    assert "iiii-b" not in (reachable(state, 0, op.Research(level=4)) or ())


# Columns


def test_surplus_cubes_of_a_leave_first_and_slots_fill_from_the_right() -> None:
    """Rules 57, 60, 62, 63: column A counts like any other though it is overfull."""
    state = table(seat(population=1, supply=(6, 4, 3, 3, 3)), seat(), agenda=ACTION)
    state = say(state, "basic-2:recruit-ore:0")
    assert state.seats[0].supply == (5, 4, 3, 3, 3)
    assert returned((5, 4, 3, 2, 3), (4, 4, 3, 3, 3), 2) == (6, 4, 3, 3, 3)


def test_one_effect_takes_from_several_columns() -> None:
    """Rule 60: a column is emptied before the next is touched."""
    state = does(table(seat(population=0, supply=(1, 0, 1, 3, 3)), seat()), op.Recruit(n=3))
    assert (state.seats[0].supply, state.seats[0].population) == ((0, 0, 0, 2, 3), 3)


def test_supply_that_is_there_is_used_first_and_only_the_rest_is_a_choice() -> None:
    """Rule 61: two ships from supply, one cube there: the second from population, or not at all."""
    state = does(
        table(seat(population=2, supply=(0, 0, 0, 0, 1)), seat()), op.Build(n=2, level=2, source="supply")
    )
    assert offers(state) == {"sol"}
    state = say(state, "sol")
    assert (state.seats[0].supply, state.seats[0].population) == ((0,) * 5, 2)
    assert offers(state) == {"sol", "skip"}
    assert say(state, "skip").seats[0].population == 2
    assert say(state, "sol").seats[0].population == 1


def test_a_retired_cube_is_supply_for_the_effect() -> None:
    """Rules 44, 61, 62: what the cost returns may be built from."""
    effects = {"does": "build", "level": 3, "source": "supply"}
    state = cannon(seat(population=1, supply=(0,) * 5), effects, retired=1)
    state = say(state, "plasma-cannon:0:0", "sol")
    assert (state.seats[0].population, sum(state.seats[0].supply)) == (0, 0)
    assert state.seats[0].ships == (Ship("sol", 3),)


def test_growth_of_an_unusual_column_is_filled_again_from_the_right() -> None:
    """Rules 64, 65: symbols A and C, then one cube comes back: to C."""
    taught = {"basic-boards.growth": ["a", "c", "none"]}
    who = seat(population=1, supply=(4, 4, 3, 3, 3), automation=("food",))
    state = say(table(who, seat(), taught=taught, agenda=PRODUCTION), "growth")
    assert (state.seats[0].supply, state.seats[0].population) == ((3, 4, 2, 3, 3), 3)
    assert does(state, op.Retire()).seats[0].supply == (3, 4, 3, 3, 3)


def test_two_rightmost_cubes_are_two_cubes() -> None:
    """Rule 65, Android Rights Movement: the second is not the one that has just moved to the right."""
    state = does(table(seat(population=1, supply=(4, 4, 3, 3, 0)), seat()), op.MoveSupply(n=2))
    assert say(state, "e", "e").seats[0].supply == (4, 4, 3, 1, 2)
    state = does(table(seat(population=1, supply=(4, 4, 3, 1, 1)), seat()), op.MoveSupply(n=2))
    assert say(state, "e", "a").seats[0].supply == (5, 4, 3, 0, 1)
    state = does(table(seat(population=19, supply=(0, 0, 0, 0, 1)), seat()), op.MoveSupply(n=2))
    assert say(state, "b").agenda == (), "there is no second"


def test_population_needed_later_is_not_built_away() -> None:
    """Rules 44, 61: Deep Space Megastructures without supply: the ship is left, or a second cube is needed."""
    tree = {"iii-a": Node("deep-space-megastructures", (0,)), "ii-a": Node("", (0,)), "ii-b": Node("", (0,))}
    for population, able in ((1, {"skip"}), (2, {"deep-space", "skip"})):
        who = seat(ore=4, population=population, supply=(0,) * 5)
        state = table(who, seat(), tree=tree, taught=LINES, agenda=ACTION)
        assert offers(say(state, "deep-space-megastructures:0:0")) == able


# Production and trade


def test_production_that_yields_nothing_may_be_chosen() -> None:
    """Rule 66: growth with nothing in column A."""
    state = table(seat(supply=(0, 1, 3, 3, 3)), seat(), agenda=PRODUCTION)
    assert offers(state) == {"growth", "ore", "trade"}
    assert say(state, "growth").seats[0] == state.seats[0]


def test_two_symbols_of_one_letter_take_two_cubes_if_they_are_there() -> None:
    """Rules 67, 68."""
    taught = {"basic-boards.growth": ["a", "a"]}
    for there, got in ((2, 2), (1, 1)):
        who = seat(population=0, supply=(there, 4, 3, 3, 3), automation=("food",))
        assert say(table(who, seat(), taught=taught, agenda=PRODUCTION), "growth").seats[0].population == got


def test_a_trade_feeds_the_next_one_until_nothing_is_left() -> None:
    """Rules 72 to 75: three cubes sold buy one, out of the column they went to; no ship without ore."""
    who = seat("sol:4", population=3, supply=(0,) * 5)
    state = say(table(who, seat(), agenda=PRODUCTION), "trade")
    assert offers(state) == {"done", "sell"}
    state = say(state, "sell", "sell", "sell")
    assert (state.seats[0].ore, state.seats[0].supply) == (3, (0, 0, 0, 0, 3))
    assert offers(state) == {"done", "cube", "ship:sol:4"}
    state = say(state, "cube")
    assert (state.seats[0].ore, state.seats[0].population, state.seats[0].supply) == (0, 1, (0, 0, 0, 0, 2))


def test_no_exchange_is_refused_however_many_there_were() -> None:
    """Rule 72: any number."""
    state = say(table(seat(ore=99, population=1), seat(), agenda=PRODUCTION), "trade")
    for _ in range(40):
        state = say(state, "sell", "cube")
    assert (state.exchanges, state.seats[0].ore) == (80, 99 - 80)
    assert asked(state).slug == "beyond.trade"


def test_selling_with_all_columns_full_widens_a_and_buying_takes_it_from_there() -> None:
    """Rules 63, 73, 75."""
    state = table(seat(ore=2, population=3, supply=(4, 4, 3, 3, 3)), seat(), agenda=PRODUCTION)
    state = say(state, "trade", "sell")
    assert state.seats[0].supply == (5, 4, 3, 3, 3)
    assert say(state, "cube").seats[0].supply == (4, 4, 3, 3, 3)


def test_somebody_else_chooses_a_base_in_the_middle_of_a_trade() -> None:
    """Rules 76, 144, 150: the new controller answers, then the trade goes on with what the trader has."""
    quiet: dict[str, Any] = {"tau-ceti.control_bonus": []}
    state = table(
        seat("b1:2", ore=2, population=1),
        seat("b1:1"),
        taught=quiet,
        bases={"b1": Base(0, "food")},
        agenda=PRODUCTION,
    )
    state = say(state, "trade", "ship:b1:2")
    assert (asked(state).slug, asked(state).seat) == ("beyond.base", 1)
    state = say(state, "ore")
    assert state.bases["b1"] == Base(1, "ore")
    assert left(state, 0) == (8, 8)
    assert (asked(state).slug, asked(state).seat) == ("beyond.trade", 0)
    assert say(state, "sell", "done").seats[0].ore == 2


def test_two_others_that_tie_after_a_trade_leave_the_system_to_nobody() -> None:
    """Rules 76, 137; growth drops with the disc that came back."""
    taught = {"basic-boards.growth": ["a", "b"]}
    state = table(
        seat("a1:3", "a1:1", ore=1),
        seat("a1:2"),
        seat("a1:2"),
        taught=taught,
        bases={"a1": Base(0, "food")},
        agenda=PRODUCTION,
    )
    assert state.growth(0) == ("a", "b")
    state = say(state, "trade", "ship:a1:3")
    assert state.bases == {}
    assert state.growth(0) == ("a",)


def test_lalande_colonised_in_the_action_opens_all_of_this_production_and_no_other() -> None:
    """Rule 77: growth, ore, then trade; the next turn one of three again."""
    lalande = {"strength": 2, "specialisations": ["food"], "control_bonus": [], "abilities": [], "points": 2}
    taught = {f"lalande-21185.{field}": value for field, value in lalande.items()}
    systems = {"a1": "lalande-21185", "a2": "sirius", "b1": "tau-ceti", "b2": "kapteyns-star"}
    state = table(
        seat("a1:2", ore=4, population=1),
        seat(),
        taught=taught,
        bases={"a1": Base(0, "food")},
        guilds=("terraformers-guild",),
    )
    state = advance(replace(state, systems=systems).push(BeginTurn(0)))
    supply = state.seats[0].supply
    state = say(state, "terraformers-guild:0:0", "a1", "2", "system-10", "both")
    assert (asked(state).slug, state.phase) == ("beyond.trade", "production")
    assert (state.seats[0].ore, state.seats[0].population) == (1, len(state.growth(0)))
    assert sum(state.seats[0].supply) == sum(supply) + 2 - len(state.growth(0))
    state = say(state, "done", "basic-2:recruit-ore:0")
    assert (asked(state).slug, asked(state).seat) == ("beyond.production", 1)


# Automation


def test_automation_goes_on_beyond_seven_and_beyond_all_discs() -> None:
    """Rules 4, 79, 80, 191: nine levels are the seven printed and two more, markers too."""
    points = dict.fromkeys(("first", "second", "third", "fourth", "fifth", "sixth", "seventh"), 2)
    who = seat(automation=("ore",) * 8)
    state = table(who, seat(), taught={"basic-boards.automation": points})
    before = sheet_of_state(state).seats[0].total
    state = does(state, op.Automate(disc="ore", n=2))
    assert state.seats[0].automation[8:] == ("marker", "marker")
    assert left(state, 0) == (8, 0)
    assert sheet_of_state(state).seats[0].total == before + 2


def test_automating_raises_production_in_the_same_turn() -> None:
    """Rule 78."""
    taught = {"basic-boards.ore_track": [1, 1, 1]}
    state = does(table(seat(), seat(), taught=taught), op.Automate(disc="ore"))
    state = advance(state.push(ChooseProduction(0)))
    assert say(state, "ore").seats[0].ore == 2


def test_a_marker_base_that_comes_back_uncovers_nothing() -> None:
    """Rules 82, 147: the ore track stays empty."""
    state = table(
        seat("a2:1", ore=1, automation=("ore",) * 8),
        seat("a2:1"),
        bases={"a2": Base(0, "marker")},
        agenda=PRODUCTION,
    )
    state = say(state, "trade", "ship:a2:1")
    assert state.bases["a2"] == Base(1, "ore")
    assert left(state, 0) == (8, 0)


# Research


def test_the_eye_without_anything_discovered_is_no_action() -> None:
    """Rules 44, 88."""
    eye = {"does": "research", "level": 2, "discovered": True}
    assert not may(cannon(seat(population=1), eye, researched={"i-1": (0,)}))
    tree = {"ii-a": Node("human-experiments", (1,))}
    assert may(cannon(seat(population=1), eye, researched={"i-1": (0,)}, tree=tree))


def test_a_space_whose_search_found_nothing_has_no_second_event() -> None:
    """Rules 90, 96: its event is gone; the next researcher searches again."""
    state = table(
        seat(population=1), seat(), taught=LINES, researched={"i-1": (0, 1)}, tree={"ii-a": Node("", (1,))}
    )
    state = say(does(state, op.Research(level=2)), "ii-a")
    assert asked(state).slug == "beyond.which-card"


def test_one_type_passed_on_by_both_is_not_asked() -> None:
    """Rule 92."""
    taught = {
        **LINES,
        "narrow-beam-lasers.passes": "commerce",
        "tyler-lee.effects": [],
        "tyler-lee.lies": "discarded",
    }
    state = table(seat(population=1), seat(), taught=taught, researched={"i-1": (0,), "i-2": (0,)})
    state = say(does(state, op.Research(level=2)), "ii-b", "tyler-lee")
    assert asked(state).slug == "beyond.which-card"


def test_researched_out_of_turn_the_type_is_still_one_of_those_before_it() -> None:
    """Rule 92: a faction that may skip what comes before still searches for what it passes on."""
    quiet = {"tyler-lee.effects": [], "tyler-lee.lies": "discarded"}
    state = table(seat(population=1), seat(), taught={**LINES, **quiet})
    state = say(does(state, op.Research(level=2, any_place=True)), "ii-b", "tyler-lee")
    assert offers(state) == {"military", "commerce"}


def test_an_event_comes_before_the_card_and_may_change_what_the_bonus_meets() -> None:
    """Rules 84, 90, 97: cube, event, card, bonus; the event's ore is there before the bonus takes it."""
    taught = {
        **LINES,
        **QUIET_CANNON,
        "tyler-lee.effects": [{"does": "gain-ore", "n": 2}],
        "tyler-lee.lies": "discarded",
        "plasma-cannon.immediate": [{"does": "pay-ore", "n": 2}, {"does": "automate", "disc": "ore"}],
    }
    state = table(seat(population=1), seat(), taught=taught, researched={"i-1": (0,)})
    state = say(does(state, op.Research(level=2)), "ii-a", "tyler-lee")
    assert (state.seats[0].ore, state.seats[0].population) == (2, 0)
    state = say(state, "plasma-cannon")
    assert (state.seats[0].ore, state.seats[0].automation) == (0, ("ore",))


def test_others_cubes_never_block() -> None:
    """Rule 89: three others are there already."""
    state = table(seat(population=1), seat(), seat(), seat(), researched={"i-1": (1, 2, 3)})
    state = say(does(state, op.Research(level=1)), "i-1")
    assert state.node("i-1").seats == (1, 2, 3, 0)


def test_a_bonus_skips_what_is_impossible_and_forces_what_is_possible() -> None:
    """Rules 61, 99: no ship to upgrade is skipped; a ship from supply that is there must be built."""
    taught = {
        **LINES,
        **QUIET_CANNON,
        "plasma-cannon.immediate": [{"does": "upgrade"}, {"does": "build", "level": 2, "source": "supply"}],
    }
    tree = {"ii-a": Node("plasma-cannon", (1,))}
    state = table(seat(population=1), seat(), taught=taught, tree=tree, researched={"i-1": (0,)})
    state = say(does(state, op.Research(level=2)), "ii-a")
    assert offers(state) == {"sol"}


def test_a_bonus_nobody_can_pay_for_leaves_the_action_alone() -> None:
    """Rules 47, 99: the last part of the bonus is impossible; what the action does after the research is not."""
    taught = {"terraforming.immediate": [{"does": "pay-ore", "n": 2}]}
    state = table(seat(population=1), seat(), taught=taught)
    state = say(does(state, op.Research(level=1), op.Recruit(n=2)), "i-2")
    assert "beyond.left-out" in told(state)
    assert state.seats[0].population == 2


def test_transdimensional_ai_helps_only_where_two_are_needed() -> None:
    """Rule 101: discovered, two needed, one there; not where one is needed or none is there; two of three are two."""
    tree = {
        "ii-a": Node("plasma-cannon", (1,)),
        "ii-b": Node("human-experiments", (1,)),
        "iii-a": Node("capital-ship", (0,)),
        "iiii-a": Node("parallel-universe-generator", (1,)),
        "iiii-b": Node("ministry-of-colonization", (1,)),
    }
    state = table(
        seat(private=("transdimensional-ai",)), seat(), taught=LINES, tree=tree, researched={"i-2": (0,)}
    )
    assert reachable(state, 0, op.Research(level=2)) is not None
    second = set(reachable(state, 0, op.Research(level=2)) or ())
    assert "ii-b" in second
    assert "ii-a" not in second
    fourth = set(reachable(state, 0, op.Research(level=4)) or ())
    assert "iiii-b" in fourth, "one of the two it needs"
    assert "iiii-a" not in fourth


def test_a_lasting_ability_works_once_the_research_is_over() -> None:
    """Rule 98: the next research of the same action may already lack one."""
    tree = {"iii-a": Node("transdimensional-ai", (1,)), "ii-b": Node("human-experiments", (1,))}
    quiet: dict[str, Any] = {
        "human-experiments.immediate": [],
        "human-experiments.actions": [],
        "human-experiments.abilities": [],
    }
    state = table(
        seat(population=2),
        seat(),
        taught={**LINES, **quiet, "human-experiments.passes": "science"},
        tree=tree,
        researched={"i-1": (0,), "ii-a": (0,)},
    )
    assert "ii-b" not in (reachable(state, 0, op.Research(level=2)) or ())
    state = state.with_node("iii-a", Node("transdimensional-ai", (1, 0)))
    assert "ii-b" in (reachable(state, 0, op.Research(level=2)) or ())


def test_what_waits_for_a_research_hears_of_one_without_a_bonus() -> None:
    """Rules 84, 97: Transdimensional AI leaves the bonus out, not the research."""
    taught = {
        **QUIET_CANNON,
        "plasma-cannon.abilities": [
            {"does": "when", "when": "research", "effects": [{"does": "gain-ore", "n": 3}], "once": False}
        ],
    }
    state = table(seat(population=1), seat(), taught=taught, tree={"ii-f": Node("plasma-cannon", (0,))})
    state = say(does(state, op.Research(level=1, any_place=True, no_bonus=True)), "i-1")
    assert state.seats[0].ore == 3


def test_planetary_scale_research_never_goes_beyond_level_four() -> None:
    """Four colonies and more: still level IIII."""
    colonies = tuple(Colony(f"system-{n}") for n in range(10, 15))
    tree = {"iii-e": Node("", (0,)), "iii-f": Node("", (0,))}
    state = table(seat(population=1, colonies=colonies), seat(), tree=tree, taught=LINES)
    assert "iiii-a" in (reachable(state, 0, op.Research(level="colonised+1")) or ())


# What is said


def why(state: BeyondState, component: str) -> str:
    ((_, ask),) = open_asks(state)
    return ask.why_not(state, component).key


def test_a_scan_of_what_cannot_be_used_says_why() -> None:
    """Rules 42, 107, 115: own but without spaces, not researched, covered."""
    state = table(
        seat(ore=0),
        seat(),
        tree={"iii-a": Node("capital-ship", (0,))},
        researched={"i-3": (0,)},
        agenda=ACTION,
    )
    assert why(state, "advanced-genetics") == "beyond.why.no-spaces"
    assert why(state, "terraforming") == "beyond.why.not-yours"
    assert why(state, "professors-guild") == "beyond.why.covered"
    assert why(state, "capital-ship") == "beyond.why.not-possible"
    assert why(state, "sirius") == "beyond.why.no-place-for-pawns"


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (WhichSystem(None, "a1", "A"), "beyond.why.not-this-system"),
        (LayTechnology("i-1"), "beyond.why.not-level-one"),
        (LayAchievement("A"), "beyond.why.not-this-achievement"),
    ],
)
def test_a_card_that_cannot_lie_there_is_refused_with_the_reason(step: Ask, reason: str) -> None:
    """Rules 15, 19, 21: not only "that is not asked now"."""
    assert step.why_not(table(seat(), seat()), "kapteyns-star").key == reason


def test_a_scan_of_what_is_researched_already_says_so() -> None:
    """Rule 85."""
    state = does(table(seat(), seat(), taught=LINES, researched={"i-3": (0,)}), op.Research(level=1))
    assert why(state, "advanced-genetics") == "beyond.why.researched-already"
    assert why(state, "capital-ship") == "beyond.why.not-researchable"


def test_a_long_play_is_asked_once_whether_it_goes_on_and_nothing_is_lost() -> None:
    """No rule: only the first player's turn of round 31 begins with it, never in the final round."""
    for before, ending, asks in ((29, 0, False), (30, 0, True), (31, 0, False), (30, 30, False)):
        state = table(seat(), seat(), round=before, ending=ending, agenda=(BeginTurn(0),))
        assert (asked(state).slug == "beyond.go-on") == asks
    state = table(seat(), seat(), round=30, agenda=(BeginTurn(0),))
    other = table(seat(), seat(), round=29, agenda=(BeginTurn(0),))
    assert offers(say(state, "go-on")) == offers(other)
    assert "beyond.left-out" not in told(state)
    assert say(state, "stop").phase == "over"


def test_what_lies_beside_an_event_and_in_the_museum_can_be_set_right() -> None:
    """Rules 2, 112, 113: by hand, and with twenty cubes."""
    kept = {"dyson-sphere-model-1": Kept(None, "system-10"), "retired-spaceship-museum": Kept()}
    state = table(seat("sol:1", museum=(2,)), seat(), kept=kept)
    now = {one.id: one.value for one in counters(state)}
    assert (now["museum:0:2"], now["museum:1:4"]) == (1, 0)
    cubes = sum(state.seats[0].supply)
    state = correct(correct(state, "museum:0:2", 0), "museum:0:3", 2)
    assert (state.seats[0].museum, sum(state.seats[0].supply), state.cubes(0)) == ((3, 3), cubes - 1, 20)
    state = correct(state, "beside:dyson-sphere-model-1", now["beside:dyson-sphere-model-1"] + 1)
    assert state.kept["dyson-sphere-model-1"].system == "system-11"
    assert "system-10" in state.undrawn_systems()
    assert check(state) == ()
    with pytest.raises(Unknown):
        correct(table(seat(), seat()), "beside:dyson-sphere-model-1", 1)
