"""Situations of rules 113 to 200, worked out from the list of rules by somebody who did not write the engine."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.transgalactica import position
from companion.games.transgalactica.effects import Act, Advance, Mark, Mobilise, PlaceOutpost, ToTunnel
from companion.games.transgalactica.requirements import meets
from companion.games.transgalactica.sheet import sheet_of_state
from companion.games.transgalactica.state import Seat, TransState, Used
from companion.games.transgalactica.steps.explore import Explore
from companion.games.transgalactica.steps.followers import Follow
from companion.games.transgalactica.steps.income import Income, Relief
from companion.games.transgalactica.steps.missions import open_missions
from companion.games.transgalactica.steps.outposts import PlaceOn
from companion.games.transgalactica.steps.rounds import (
    BeginMaintenance,
    MilitaryStep,
    Recall,
    UpdatePriority,
)
from companion.games.transgalactica.steps.senate import TakeSeat, open_offices
from companion.games.transgalactica.steps.technology import accessible
from companion.games.transgalactica.steps.turns import Turn
from tests.games.transgalactica.made_up_box import LAST, gain
from tests.games.transgalactica.tables import (
    NAMES,
    answer,
    asked,
    forced,
    hold,
    options,
    perform,
    resolve,
    run,
    seat,
    table,
)
from tests.scoring.test_transgalactica_tried import any_table

PLANETS = ("yellow-wild", "green-wild", "grey-wild", "purple-wild", "yellow-mining", "purple-mining")


def fleets(seats: list[Any]) -> dict[str, Any]:
    return {name.lower(): one for name, one in zip(NAMES, seats, strict=False)}


def points(state: TransState) -> list[int]:
    return [who.vp for who in state.seats]


# Technology (113-117)


def test_113_the_advance_opens_the_row_for_the_marking_behind_it() -> None:
    """Row two opens at 3: a main action from 2 marks there, a secondary one from 2 does not (rules 113, 114)."""
    cards = ("archivists", "lobbyists", "end-markers")
    state = table(technologies=cards, ania=seat(technology=2))
    assert options(answer(perform(state, "technology"), "mark")) == ["archivists", "lobbyists", "nothing"]
    assert options(answer(perform(state, "technology", "secondary"), "mark")) == ["archivists", "nothing"]


def test_113_at_the_end_of_the_track_one_may_still_mark() -> None:
    state = table(technologies=("end-markers",), ania=seat(technology=LAST))
    state = answer(perform(state, "technology"), "mark", "end-markers")
    assert (state.seats[0].technology, state.seats[0].technologies) == (LAST, ("end-markers",))


@pytest.mark.parametrize(("trade", "markers"), [(0, 2), (1, 3), (2, 3), (3, 4), (4, 4), (5, 5), (6, 5)])
def test_117_markers_by_trade_level(trade: int, markers: int) -> None:
    """What raises trade for the round unlocks no space (rule 68)."""
    assert seat(trade=trade, raised=("trade",)).markers == markers


def test_116_several_seats_mark_one_card_and_nobody_twice() -> None:
    state = table(ania=seat(technologies=("archivists",), technology=1), ola=seat(technology=1))
    assert "archivists" not in accessible(state, 0)
    assert "archivists" in accessible(state, 1)


# Military and production (118-123)


@pytest.mark.parametrize(
    ("energy", "credit", "main", "secondary"),
    [
        (1, 1, ["1-energy+1-credit"], []),
        (2, 0, ["2-energy"], []),
        (2, 1, ["1-energy+1-credit", "2-energy"], ["2-energy+1-credit"]),
        (1, 0, [], []),
        (0, 1, [], []),
        (0, 2, ["2-credit"], []),
        (1, 2, ["1-energy+1-credit"], ["1-energy+2-credit"]),
        (0, 3, ["2-credit"], ["3-credit"]),
    ],
)
def test_118_ways_to_pay_for_military(
    energy: int, credit: int, main: list[str], secondary: list[str]
) -> None:
    for kind, expected in (("main", main), ("secondary", secondary)):
        state = perform(table(ania=seat(energy=energy, credit=credit)), "military", kind)
        assert (options(state) if state.agenda else []) == expected, kind


@pytest.mark.parametrize(
    ("production", "planets", "choices", "got"),
    [
        (LAST, ("yellow-wild", "purple-wild", "green-wild", "grey-wild"), (), (1, 1, 1, 0)),
        (0, ("yellow-wild",), (), (1, 0, 0, 0)),
        (0, ("grey-wild",), (), (0, 0, 0, 0)),
        (1, ("grey-wild", "yellow-wild"), (), (1, 0, 0, 0)),
        (0, ("multi-mining", "yellow-wild"), ("alien:energy/mineral/alien",), (0, 0, 1, 0)),
        (0, ("green-grey-action-explore",), (), (0, 0, 1, 0)),
        (0, ("yellow-purple-action-research",), ("mineral:energy/mineral",), (0, 1, 0, 0)),
    ],
)
def test_120_main_production(production: int, planets: tuple[str, ...], choices: Any, got: Any) -> None:
    """Rules 120, 122, 123: collecting with the new level, also where the advance is lost; grey gives nothing."""
    state = answer(perform(table(ania=seat(*planets, production=production)), "production"), *choices)
    assert hold(forced(state)) == got


# Politics and missions (124-133)


def test_124_the_mission_is_one_of_the_level_reached() -> None:
    """Places open at politics 0 to 5 in this box."""
    state = table(ania=seat(politics=1))
    main = options(answer(perform(state, "politics"), "mission"))
    assert main == ["mission-1-01", "mission-1-02", "mission-1-03", "nothing"]
    assert options(answer(perform(state, "politics", "secondary"), "mission")) == [*main[:2], "nothing"]


def test_126_a_full_log_leaves_only_the_advance() -> None:
    log = ("mission-1-09", "mission-1-10")
    assert options(perform(table(ania=seat(log=log)), "politics")) == ["advance"]
    three = table(ania=seat(log=log, technologies=("third-mission-slot",)))
    assert options(perform(three, "politics")) == ["mission", "advance"]


def test_127_the_row_is_sorted_again_when_it_is_refilled() -> None:
    """The new card has the lowest number, so what lay at the bottom moves up and needs a higher level."""
    display = ("mission-1-05", "mission-1-06", "mission-1-07", "mission-2-01", "mission-2-02", "mission-2-03")
    state = answer(
        perform(table(display=display), "politics", "secondary"), "mission", "mission-1-05", "mission-1-02"
    )
    assert state.missions_of(1) == ("mission-1-02", "mission-1-06", "mission-1-07")
    assert tuple(open_missions(state, 0)) == ("mission-1-02",)


def test_128_prestige_and_insider_reach_two_further() -> None:
    state = table(ania=seat(politics=1, ability="party-insider", technologies=("prestige-offices",)))
    assert len(tuple(open_missions(state, 0))) == 4


def test_129_a_reward_may_bring_the_next_mission_within_reach_in_the_same_turn() -> None:
    """I-3 advances technology to 2, which I-10 requires; nothing that is required is spent."""
    ania = seat(
        "yellow-action-supply",
        log=("mission-1-03", "mission-1-10"),
        military=1,
        technology=1,
        energy=3,
        mineral=1,
    )
    state = run(table(ania=ania), Turn(0))
    assert "free-deed/mission/mission-1-10" not in options(state)
    state = answer(state, "free-deed/mission/mission-1-03", "free-deed/mission/mission-1-10")
    assert (points(state)[0], state.seats[0].military, state.seats[0].technology) == (6, 1, 2)
    assert (state.seats[0].log, hold(state)) == ((), (0, 0, 0, 0))
    assert asked(state).slug == "transgalactica.turn", "completing missions is no turn"


@pytest.mark.parametrize(
    ("missions", "each", "three"),
    [
        (("mission-2-06", "mission-1-09"), False, False),
        (("mission-2-06", "mission-2-11", "mission-1-09"), True, False),
        (("mission-2-06", "mission-1-01", "mission-1-09"), True, False),
        (("mission-2-06", "mission-2-11", "mission-2-12"), False, True),
        (("mission-2-06", "mission-1-01", "mission-1-02"), False, False),
        (("mission-2-06", "mission-2-11", "mission-1-02"), False, True),
        (("mission-1-09", "mission-1-10", "mission-1-12"), False, False),
    ],
)
def test_130_a_mission_of_two_types_counts_as_one_of_them(missions: Any, each: bool, three: bool) -> None:
    state = table(ania=seat(missions=missions))
    assert meets(state, 0, state.decree("decree-each-mission").needs) is each
    assert meets(state, 0, state.decree("decree-three-missions").needs) is three


@pytest.mark.parametrize(
    ("mission", "given", "vp"),
    [
        ("mission-1-08", {"military": 2, "pirates": ("pirate-1",), "energy": 2, "credit": 1, "trade": 6}, 4),
        (
            "mission-2-03",
            {"technology": 6, "technologies": ("archivists", "helpers"), "mineral": 2, "energy": 2},
            6,
        ),
        ("mission-2-10", {"military": 4, "energy": 2, "credit": 1, "crew": 1, "gone": 5}, 5),
        ("mission-2-07", {"technology": 4, "military": LAST, "mineral": 2, "energy": 2}, 5),
    ],
)
def test_131_rewards_that_cannot_be_had_are_left_out(mission: str, given: dict[str, Any], vp: int) -> None:
    state = table(ania=seat("green-wild", "purple-wild", log=(mission,), **given))
    state = answer(run(state, Turn(0)), f"free-deed/mission/{mission}")
    assert (points(state)[0], state.seats[0].missions) == (vp, (mission,))
    assert asked(state).slug == "transgalactica.turn"


@pytest.mark.parametrize(("mineral", "trade", "placed"), [(2, 0, False), (3, 0, True), (3, 1, True)])
def test_132_the_outpost_of_a_mission_costs_its_mineral(mineral: int, trade: int, placed: bool) -> None:
    """Yellow market: no demand at its first place, trade 1 at its second."""
    ania = seat(
        at="yellow-action-exchange",
        log=("mission-2-09",),
        technology=8,
        mineral=mineral,
        energy=2,
        trade=trade,
    )
    state = answer(run(table(ania=ania), Turn(0)), "free-deed/mission/mission-2-09")
    offered = [o for o in options(state) if o.startswith("yellow-action-exchange")]
    assert offered == [f"yellow-action-exchange:{n}" for n in range(1 + trade)] * placed


# Technology effects (134-158)


def test_137_going_to_a_tunnel_planet_is_a_movement_with_its_extra_step() -> None:
    """A point for the movement, not for the step; a ship that stays has not moved."""
    state = resolve(table(ania=seat(technologies=("long-range-drive",))), ToTunnel())
    gone = answer(state, "0:2", "0:centre")
    assert (gone.seats[0].ships, points(gone)[0]) == (("centre",), 1)
    stayed = answer(state, "stay")
    assert (stayed.agenda, points(stayed)[0]) == ((), 0)
    plain = answer(resolve(table(), ToTunnel()), "0:2")
    assert (plain.agenda, points(plain)[0]) == ((), 0)


def test_140_deep_mining_pays_for_actions_only() -> None:
    """Mission II-6 is a main mining action; placing on a mine and the guild are none (rules 88, 100)."""
    deep: dict[str, Any] = {"technologies": ("deep-mining",)}
    log = seat(
        "green-wild",
        "purple-wild",
        "yellow-wild",
        log=("mission-2-06",),
        trade=6,
        mineral=2,
        energy=2,
        **deep,
    )
    state = answer(
        run(table(mining_token=False, ania=log), Turn(0)), "free-deed/mission/mission-2-06", "alien"
    )
    assert (points(state)[0], hold(state)) == (8, (0, 0, 1, 0))
    placed = run(table(ania=seat(mineral=1, trade=2, **deep)), PlaceOn(0, "yellow-mining", "0"))
    assert (placed.agenda, points(placed)[0]) == ((), 1)
    guild = table(ania=seat("purple-action-mines", "yellow-mining", **deep))
    assert points(answer(run(guild, Turn(0)), "planet:crew:purple-action-mines"))[0] == 3


def test_141_helpers_pay_once_for_an_omni_secondary_and_for_one_a_symbol_gives() -> None:
    ola = seat(technologies=("helpers",), credit=1)
    state = run(table(players=2, ola=ola), Follow("omni", 0, (1,)))
    state = answer(state, "1:crew:secondary", "1-credit", "technology", "advance")
    assert (points(state)[1], state.seats[1].technology) == (1, 1)
    symbol = table(ania=seat(technologies=("helpers",)))
    assert points(resolve(symbol, Act("mining", "secondary")))[0] == 1
    assert points(forced(resolve(replace(symbol, mining_token=False), Act("mining", "main"))))[0] == 0


def test_142_a_recycled_token_may_pay_its_own_alien_and_the_next_waits_for_a_round() -> None:
    ania = seat(technologies=("token-recycling",), alien=1, used=("basic-1", "basic-2"))
    state = run(table(taught={"basic-1.shows": [gain("alien")]}, ania=ania), Turn(0))
    state = answer(state, "free-deed/recycle/basic-1")
    assert (points(state)[0], hold(state)[2]) == (2, 1)
    assert not [option for option in options(state) if "recycle" in option]
    later = run(run(replace(state, agenda=()), Recall()), Turn(0))
    assert [option for option in options(later) if "recycle" in option] == ["free-deed/recycle/basic-2"]


def test_143_frontier_industry_with_assembly_lines_collects_from_the_new_outpost() -> None:
    """The scouts' planet is an exploration action, too."""
    ania = seat(
        "green-grey-action-explore", at="yellow-action-supply", mineral=1,
        technologies=("frontier-industry", "assembly-lines"), production=1,
    )  # fmt: skip
    state = answer(run(table(ania=ania), Turn(0)), "planet:crew:green-grey-action-explore")
    state = answer(state, "place:0:yellow-action-supply:0", "done")
    assert (state.seats[0].production, hold(forced(state))) == (2, (1, 0, 1, 0))


@pytest.mark.parametrize(
    ("paid", "vp"), [("2-alien", 2), ("1-energy+1-alien", 2), ("1-alien+1-credit", 2), ("1-alien", 0)]
)
def test_144_what_a_tunnel_is_paid_with(paid: str, vp: int) -> None:
    ania = seat(technologies=("alternative-tunnel",), at="grey-action-tunnel", energy=1, alien=2, credit=1)
    state = answer(perform(table(ania=ania), "exploration", "secondary"), "tunnel:0:2")
    changed = {"1-energy+1-credit", "1-alien+1-credit"}
    assert set(options(state)) == {"2-alien", "1-energy+1-alien", "1-alien"} | changed
    assert points(answer(state, paid))[0] == vp


def test_145_the_research_of_a_first_advance_opens_the_gate_of_the_second() -> None:
    taught = {"military-2.gate": 1}
    for cards, military in ((("war-research",), 2), ((), 1)):
        state = table(taught=taught, ania=seat(technologies=cards))
        state = resolve(state, Advance(("military",), 2, free=True))
        state = answer(state, "technology", "technology") if cards else state
        assert (state.seats[0].military, state.seats[0].technology) == (military, military if cards else 0)


@pytest.mark.parametrize(
    ("mission", "given", "left"),
    [
        ("mission-2-12", {"alien": 2, "credit": 1, "trade": 6}, (0, 0, 0, 0)),
        ("mission-1-09", {"mineral": 1, "energy": 1, "credit": 1}, (0, 0, 0, 1)),
        ("mission-2-11", {"alien": 1, "military": 4, "ability": "party-insider"}, (0, 0, 0, 0)),
    ],
)
def test_147_missions_cost_a_credit_less(mission: str, given: dict[str, Any], left: Any) -> None:
    """With the insider a resource less besides (rules 47, 168)."""
    state = run(table(ania=seat(log=(mission,), technologies=("mission-funding",), **given)), Turn(0))
    assert hold(answer(state, f"free-deed/mission/{mission}")) == left


def test_150_a_full_action_planet_asks_no_demand_but_minerals() -> None:
    """Both places of the scouts are taken; a mine that is full stays closed; the planet can then be used."""
    others: dict[str, Any] = {
        "ola": seat("green-grey-action-explore:0", "multi-mining:0"),
        "jan": seat("green-grey-action-explore:1", "multi-mining:1"),
    }
    cards = ("shared-colonies",)
    state = table(ania=seat(at="green-grey-action-explore", technologies=cards, mineral=1), **others)
    state = answer(perform(state, "exploration"), "place:0:green-grey-action-explore:full")
    assert (state.seats[0].planets[-1], hold(state)[1]) == ("green-grey-action-explore", 0)
    assert "planet:crew:green-grey-action-explore" in options(run(replace(state, agenda=()), Turn(0)))
    poor_or_mine: tuple[tuple[str, dict[str, Any]], ...] = (
        ("green-grey-action-explore", {"mineral": 0}),
        ("multi-mining", {"mineral": 1, "trade": 6}),
    )
    for at, more in poor_or_mine:
        poor = perform(table(ania=seat(at=at, technologies=cards, **more), **others), "exploration")
        assert not [option for option in options(poor) if option.startswith("place")]


def test_152_raised_levels_open_no_row_of_the_panel_and_no_track_income() -> None:
    """Tokens pay down to where the marker stands (rules 51, 64, 106); decrees take the level that is raised."""
    taught = {
        "control-panel.mining": [0, 2, 2, 2, 2],
        "control-panel.fleet": [2, 3, 4],
        "politics-2.income": [gain("credit", 5)],
        "technology-6.income": [gain("credit", 5)],
    }
    ania = seat(
        technologies=("prestige-offices",), technology=5, politics=1,
        mining=("mining-1", "mining-2"), fleet=("fleet-1",),
    )  # fmt: skip
    state = table(taught=taught, ania=ania)
    assert points(perform(state, "mining", "secondary"))[0] == 1
    income = run(state, Income(0))
    assert (points(income)[0], hold(income)[3]) == (0, 0)
    scholars: dict[str, Any] = {"decrees": ("decree-scholars",), "senate": ((),)}
    for cards, offices in ((("prestige-offices",), (0,)), ((), ())):
        high = table(ania=seat(technologies=cards, technology=5, politics=5), **scholars)
        assert open_offices(high, 0) == offices


def test_153_codes_do_not_repeat_an_own_action_even_if_another_used_it_later() -> None:
    ania = seat(technologies=("override-codes",))
    for by, there in (((1,), True), ((1, 0), False), ((0,), False)):
        state = table(ania=ania, used=tuple(Used("politics", n) for n in by))
        assert ("main:politics" in options(run(state, Turn(0)))) is there
    state = answer(run(table(ania=ania, used=(Used("politics", 1),)), Turn(0)), "main:politics", "advance")
    assert asked(state).slug == "transgalactica.turn", "nobody follows"


def test_154_a_promoted_follower_pays_the_price_of_the_main_action() -> None:
    """Two minerals and no alien: only the main action is within its means; once per round."""
    ola = seat(technologies=("promotion",), mineral=2, crew=2)
    state = run(table(players=2, ola=ola), Follow("trade", 0, (1,)))
    assert options(state) == ["nobody", "1:crew:main", "1:captain:main"]
    state = answer(state, "1:crew:main")
    assert (state.seats[1].trade, hold(state, 1)[1]) == (1, 0)
    again = replace(state.seats[1], mineral=2)
    assert not run(replace(state, agenda=()).with_seat(1, again), Follow("trade", 0, (1,))).agenda


def test_156_an_instant_advance_needs_its_gate() -> None:
    """Free of the price, not of the technology level; both for two aliens, as far as they go."""
    taught = {"military-1.gate": 9}
    state = table(taught=taught, technologies=("instant-advance",), ania=seat(technology=5, alien=2))
    state = answer(resolve(state, Mark()), "instant-advance")
    state = answer(state, "2", "2-alien")
    assert (state.seats[0].military, state.seats[0].trade, hold(state)[2]) == (0, 1, 0)


def test_157_an_instant_outpost_waives_only_the_place_of_the_ship() -> None:
    state = resolve(table(ania=seat("yellow-action-supply", mineral=1, trade=1)), PlaceOutpost("action"))
    assert set(options(state)) == {
        *(f"{id}:0" for id in ("purple-action-research", "grey-action-tunnel", "green-action-income")),
        *(f"{id}:{n}" for id in ("yellow-action-exchange", "purple-action-mines") for n in (0, 1)),
        "green-grey-action-explore:0",
        "nothing",
    }
    assert options(resolve(table(ania=seat("yellow-action-supply")), PlaceOutpost("action"))) == ["nothing"]


def test_158_ignoring_the_cost_needs_the_requirement_and_the_other_way_round() -> None:
    log = ("mission-1-02", "mission-1-06")
    state = table(technologies=("instant-mission",), ania=seat(log=log, technology=5, military=1, mineral=2))
    state = answer(resolve(state, Mark()), "instant-mission")
    assert options(state) == ["cost:mission-1-02", "needs:mission-1-06", "nothing"]


@pytest.mark.parametrize(
    ("who", "given", "left"),
    [
        ("crew", {"technologies": ("helpers", "promotion"), "credit": 1}, 1),
        (
            "lieutenant",
            {"technologies": ("helpers",), "alien": 1, "crew": 0, "gone": 1, "lieutenant": True},
            0,
        ),
    ],
)
def test_154_main_actions_on_the_omni_space_of_followers(who: str, given: dict[str, Any], left: int) -> None:
    """Omni price, then any main action at its own price; helpers pay for a promoted one only (rules 141, 166)."""
    state = run(table(players=2, ola=seat(energy=2, **given)), Follow("omni", 0, (1,)))
    state = answer(state, f"1:{who}:main", "military")
    assert (state.seats[1].military, hold(state, 1), points(state)[1]) == (1, (0, 0, 0, 0), left)


def test_151_a_visit_costs_a_worker_and_is_one_a_round() -> None:
    """Agents pay for it, too (rule 139); the own planet was used before and is closed."""
    ania = seat("green-action-income", technologies=("visitors", "planet-agents"), crew=3, captains_out=2)
    ola = seat("yellow-action-supply", "purple-action-mines")
    state = run(table(players=2, ania=replace(ania, used=("green-action-income",)), ola=ola), Turn(0))
    visits = [option for option in options(state) if option.startswith("planet")]
    assert visits == ["planet:crew:yellow-action-supply", "planet:crew:purple-action-mines"]
    state = answer(state, visits[0], "energy", "alien")
    assert (points(state)[0], hold(state), state.seats[0].crew) == (2, (1, 0, 1, 0), 2)
    again = run(replace(state, agenda=(), active=0), Turn(0))
    assert not [option for option in options(again) if option.startswith("planet")]


# Senate (160-165)


def test_160_a_seat_and_what_its_reward_sets_off() -> None:
    """Lobbyists 3 points; a decree is a card, so its military advance pays war profits and allows research."""
    taught = {"decree-pirates.reward": [{"does": "advance", "tracks": ["military"], "free": True}]}
    ania = seat(technologies=("lobbyists", "war-research"))
    state = table(
        taught=taught, decrees=("decree-pirates",), senate=((),), ania=ania, ola=seat(ability="war-profits")
    )
    state = answer(run(state, TakeSeat(0, 0)), "politics")
    assert (points(state), state.seats[0].politics) == ([3, 2, 0], 1)


@pytest.mark.parametrize(
    ("golden", "credits"), [(0, [0, 0, 0]), (1, [2, 0, 0]), (2, [0, 1, 0]), (3, [0, 0, 0])]
)
def test_163_every_later_seat_pays_the_golden_chair(golden: int, credits: list[int]) -> None:
    state = table(taught={"office-1.golden": golden})
    for who in range(3):
        state = run(state, TakeSeat(who, 0))
    assert [hold(state, who)[3] for who in range(3)] == credits


@pytest.mark.parametrize(
    "given",
    [{"crew": 0, "crew_out": 1}, {"crew": 0, "captains": 3}, {"crew": 0, "gone": 1, "lieutenant": True}],
    ids=["placed already", "captains", "lieutenant"],
)
def test_162_only_mobilised_crew_that_was_not_placed_takes_a_seat(given: dict[str, Any]) -> None:
    """Rules 3, 161, 162, 166; nor does any of these settle on a wild planet (rule 86)."""
    state = table(
        decrees=("decree-pirates",), senate=((),), ania=seat(pirates=("a", "b", "c"), mineral=9, **given)
    )
    assert open_offices(state, 0) == ()
    there = state.with_seat(0, replace(state.seats[0], ships=("6",)))
    assert there.planets["6"] == "yellow-wild"
    assert not [option for option in options(perform(there, "exploration")) if option.startswith("place")]


def test_161_crew_in_the_senate_is_not_recalled() -> None:
    ania = seat(crew=2, crew_out=1)
    state = run(run(table(ania=ania), TakeSeat(0, 1)), Recall())
    who = state.seats[0]
    assert (who.crew, who.crew_out, who.capsules, state.seats_taken(0)) == (2, 0, 3, 1)


@pytest.mark.parametrize(
    ("planets", "different", "grey_yellow", "purple_green"),
    [
        (("multi-mining", "green-wild", "green-grey-action-explore"), True, False, True),
        (("multi-mining", "green-wild", "green-action-income"), False, False, True),
        (("yellow-purple-action-research", "green-grey-action-explore", "multi-mining"), True, False, False),
        (("grey-wild", "grey-action-tunnel", "yellow-wild"), False, False, False),
        (("grey-wild", "grey-action-tunnel", "green-grey-action-explore"), False, True, False),
        (("yellow-wild", "green-wild"), False, False, False),
    ],
)
def test_164_colours_of_planets(planets: Any, different: bool, grey_yellow: bool, purple_green: bool) -> None:
    """A planet of several colours is one planet; the central planet has none (rules 34, 93, 94)."""
    state = table(ania=seat(*planets))
    decrees = ("decree-three-colours", "decree-grey-or-yellow", "decree-purple-or-green")
    found = tuple(meets(state, 0, state.decree(decree).needs) for decree in decrees)
    assert found == (different, grey_yellow, purple_green)


# Abilities (166-175)


def test_166_a_lieutenant_alone_takes_neither_main_spaces_nor_planets() -> None:
    ania = seat("green-action-income", ability="lieutenant", lieutenant=True, crew=0, gone=1, captains_out=2)
    assert options(run(table(ania=ania), Turn(0))) == ["pass"]


def test_167_the_nightmare_is_mined_and_is_a_tunnel_but_no_outpost() -> None:
    ania = seat(ability="technological-nightmare-tile", alien=1, production=3)
    state = table(ania=ania)
    assert points(perform(state, "mining", "secondary"))[0] == 2
    assert hold(perform(state, "production", "main")) == (0, 0, 1, 0)
    steps = options(perform(state, "exploration", "secondary"))
    assert [option for option in steps if option.startswith("tunnel")] == [
        "tunnel:0:2",
        "tunnel:0:6",
        "tunnel:0:9",
    ]


def test_171_a_private_omni_costs_the_action_and_leaves_its_space() -> None:
    ania = seat(ability="private-omni", captains_out=2, crew=2, energy=2)
    state = answer(run(table(ania=ania, used=(Used("military", 1),)), Turn(0)), "private:crew", "military")
    assert (state.seats[0].military, hold(state)) == (1, (0, 0, 0, 0))
    assert (state.used, asked(state).slug) == ((Used("military", 1),), "transgalactica.turn")
    assert asked(state).seat == 1, "nobody follows"


@pytest.mark.parametrize(
    ("origin", "vp"), [("card", 2), ("planet", 2), ("token", 0), ("space", 0), ("action", 0), ("ability", 0)]
)
def test_172_war_profits_by_cards_and_planets(origin: str, vp: int) -> None:
    """For every advance, also the owner's own; none for one that a gate stops."""
    for who in (0, 1):
        state = table(taught={"military-3.gate": 5}, ania=seat(ability="war-profits"))
        state = resolve(state, Advance(("military",), 2, free=True), seat=who, origin=origin)
        assert points(state) == [2 * vp, 0, 0]
        state = resolve(state, Advance(("military",), free=True), seat=who, origin=origin)
        assert points(state) == [2 * vp, 0, 0]


def test_173_relief_counts_before_what_income_costs() -> None:
    """Without a credit the purple wilds could not be paid: relief comes first."""
    state = table(ania=seat("purple-wild", ability="relief-funds", energy=3, alien=1))
    state = run(state, Relief(0), Income(0))
    assert hold(state) == (3, 1, 1, 1)
    state = answer(state, "1-credit")
    assert (hold(state), state.seats[0].military) == ((3, 1, 1, 0), 1)


@pytest.mark.parametrize(
    ("main", "reach", "most"),
    [
        (True, 1, {(1, 2), (2, 1)}),
        (True, 2, {(2, 2), (3, 1)}),
        (False, 1, {(2, 0), (1, 1), (0, 2)}),
        (False, 2, {(3, 0), (2, 1), (0, 2)}),
    ],
)
def test_175_steps_and_outposts_with_two_ships(main: bool, reach: int, most: set[tuple[int, int]]) -> None:
    """The most that fits into one exploration: a step or an outpost more than with one ship."""
    tried = product(range(5), range(3), range(4))
    fits = {
        (walked + freed, placed)
        for walked, freed, placed in tried
        if Explore(0, main, reach, extra=1, walked=walked, freed=freed, placed=placed).fits
    }
    assert {a for a in fits if not any(a != b and a[0] <= b[0] and a[1] <= b[1] for b in fits)} == most


# Mobilising (176, 177)


@pytest.mark.parametrize(("capsules", "n", "crew"), [(5, 2, 3), (1, 2, 2), (0, 1, 1)])
def test_176_as_many_as_there_are_in_the_capsules(capsules: int, n: int, crew: int) -> None:
    state = resolve(table(ania=seat(gone=5 - capsules)), Mobilise(n))
    assert (state.seats[0].crew, state.seats[0].capsules) == (crew, capsules - (crew - 1))


def test_176_mobilised_crew_may_sit_down_in_the_same_turn() -> None:
    ania = seat(
        "grey-wild",
        "yellow-wild",
        log=("mission-2-02",),
        trade=4,
        mineral=2,
        alien=1,
        crew=0,
        pirates=("a",) * 3,
    )
    state = run(table(decrees=("decree-pirates",), senate=((),), ania=ania), Turn(0))
    assert "free-deed/senate/0" not in options(state)
    state = answer(state, "free-deed/mission/mission-2-02", "free-deed/senate/0")
    assert (points(state)[0], state.senate, state.seats[0].crew) == (6, ((0,),), 0)


@pytest.mark.parametrize(
    ("crew", "out", "lieutenant", "after"),
    [(1, 1, False, 2), (2, 3, False, 3), (1, 2, True, 2), (3, 0, False, 3)],
)
def test_177_surplus_crew_sleeps(crew: int, out: int, lieutenant: bool, after: int) -> None:
    """Three mobilisation spaces in this box, of which the lieutenant takes one."""
    ania = seat(crew=crew, crew_out=out, lieutenant=lieutenant, gone=int(lieutenant))
    before = table(ania=ania)
    who = run(before, Recall()).seats[0]
    assert (who.crew, who.capsules) == (after, before.seats[0].capsules + crew + out - after)


# Maintenance (178-188)


def reckoned(levels: tuple[int, ...], propaganda: frozenset[int]) -> list[int]:
    """Rules 148, 179 to 181, each seat separately."""
    found = []
    for n, mine in enumerate(levels):
        lower, higher = [x for x in levels if x < mine], [x for x in levels if x > mine]
        if lower and not higher:
            found.append((mine - max(lower)) * (2 if n in propaganda else 1))
        elif higher and not lower:
            found.append(0 if n in propaganda else mine - min(higher))
        else:
            found.append(0)
    return found


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_179_every_pattern_of_military(players: int) -> None:
    """All levels up to 3, and seats with war propaganda at changing places."""
    for n, levels in enumerate(product((0, 1, 3), repeat=players)):
        propaganda = frozenset((n % players, (n // 3) % players) if n % 2 else ())
        seats = [
            seat(military=level, technologies=("war-propaganda",) if at in propaganda else ())
            for at, level in enumerate(levels)
        ]
        state = run(table(players=players, **fleets(seats)), MilitaryStep())
        assert points(state) == reckoned(levels, propaganda), (levels, propaganda)


def tracks(players: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Orders of markers, and the segment of each place from left to right."""
    for segments in product((1, 2, 3), repeat=players):
        if list(segments) == sorted(segments):
            yield from ((order, segments) for order in permutations(range(players)))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_185_every_pattern_of_priority(players: int) -> None:
    """Markers on printed places: a new marker stands right of the rightmost one of the segment (rules 185-187)."""
    for n, (order, segments) in enumerate(tracks(players)):
        before = {who: (segment, at) for at, (who, segment) in enumerate(zip(order, segments, strict=True))}
        more = [(n // 3**who + who) % 3 for who in range(players)]
        place = dict(before)
        for who in reversed(order):
            segment = before[who][0] + more[who]
            if segment != place[who][0]:
                there = [at for other, (s, at) in place.items() if s == segment and other != who]
                place[who] = (segment, max(there, default=0) + 1)
        seats = [seat(*PLANETS[: before[who][0] + more[who] - 1]) for who in range(players)]
        state = table(players=players, order=order, **fleets(seats))
        state = run(
            replace(state, segments=tuple(before[who][0] for who in range(players))), UpdatePriority()
        )
        assert state.order == tuple(sorted(place, key=lambda who: place[who])), (order, segments, more)
        assert state.segments == tuple(place[who][0] for who in range(players))


def test_178_military_is_counted_before_what_was_raised_is_forgotten_and_priority_before_the_token() -> None:
    """Ania is first until her second outpost moves her behind Ola, who takes the round's token (rule 188)."""
    ania, ola = seat("yellow-mining", raised=("military",), crew_out=1), seat(military=1)
    state = table(
        players=2, choices={"strength": "raised"}, ania=ania, ola=ola, mining_token=False, mining_stack=1
    )
    state = run(replace(state, segments=(1, 1)), BeginMaintenance())
    assert (points(state), state.order, asked(state).seat) == ([1, -1], (1, 0), 1)
    assert (state.mining_token, state.mining_stack, state.seats[0].raised) == (True, 0, ())


@pytest.mark.parametrize(("start", "below", "nought"), [(0, -3, 0), (2, -1, 0), (5, 2, 2)])
def test_182_points_below_nought(start: int, below: int, nought: int) -> None:
    for choice, vp in (("below", below), ("nought", nought)):
        state = table(players=2, choices={"points": choice}, ania=seat(vp=start), ola=seat(military=3))
        assert points(run(state, MilitaryStep()))[0] == vp


def test_184_an_empty_stack_leaves_the_mining_space_empty() -> None:
    state = run(table(players=2, mining_token=False, mining_stack=0), BeginMaintenance())
    assert not state.mining_token


# The end (189-200)


def test_189_the_last_military_step_counts_and_both_objectives_are_told() -> None:
    state = table(
        players=2, round=5, ania=seat("yellow-wild", military=3, vp=10, credit=2), ola=seat(military=1)
    )
    state = run(state, BeginMaintenance())
    assert (state.phase, points(state), hold(state)[3]) == ("end", [12, -2], 2)


@pytest.mark.parametrize(("nightmare", "units"), [("aside", 2), ("outpost", 3)])
def test_190_a_play_is_scored_like_a_finished_table(nightmare: str, units: int) -> None:
    """Grey planets 4 each, multicolour among them, and 2 more for each; raised levels (rules 152, 159, 167, 196)."""
    ania = seat(
        "grey-wild", "multi-mining", ability="technological-nightmare-tile",
        technologies=("end-objective", "prestige-offices", "end-technology-politics"),
        technology=6, politics=2, objectives=("objective-grey", "objective-war"), trade=6,
    )  # fmt: skip
    state = table(choices={"nightmare": nightmare}, ania=ania)
    mine = next(one for one in sheet_of_state(state).seats if one.name == "Ania")
    assert mine.total == 4 * units + 2 * units + (6 + 1) + (2 + 1)


@pytest.mark.parametrize("n", [1, 5, 6, 7])
def test_159_two_more_for_at_most_six_units(n: int) -> None:
    """Seven outposts and no resources: the hoard gives 14, the technology on top 12."""
    ania = seat(
        *PLANETS[: n - 1], technologies=("end-objective",), objectives=("objective-hoard", "objective-war")
    )
    state = table(ania=ania)
    mine = next(one for one in sheet_of_state(state).seats if one.name == "Ania")
    assert mine.total == 2 * n + min(12, 2 * n)


def test_193_a_play_ends_with_the_sheet_of_the_same_finished_table() -> None:
    """Whatever a play may agree on; what only a finished table can is at its usual value in a play."""
    random, played = Random(190), {"or", "hoard", "two-types", "nightmare"}
    for _ in range(60):
        raw = any_table(random)
        raw = {field: value for field, value in raw.items() if field in {"game", "seats", *played}}
        for one in raw["seats"]:
            one["missions"] = [mission.partition(":")[0] for mission in one["missions"]]
            one["resources"].pop("mixed")
        state = table(
            players=len(raw["seats"]),
            choices={option: raw[option] for option in played & raw.keys()},
            **fleets([_fleet(one) for one in raw["seats"]]),
        )
        counted = {one.name: one.total for one in sheet_of_state(state).seats}
        filed = {one.name: one.total for one in position.sheet(position.position_of(raw)).seats}
        assert list(counted.values()) == list(filed.values())


def _fleet(one: dict[str, Any]) -> Seat:
    planets = [
        f"{id}:{int(place or 1) - 1}" for id, _, place in (o.partition(":") for o in one["outposts"][1:])
    ]
    return seat(
        *planets,
        vp=one["track_vp"],
        credit=one["credits"],
        objectives=tuple(one["objectives"]),
        technologies=tuple(one["technologies"]),
        missions=tuple(one["missions"]),
        pirates=tuple(f"pirate-{n}" for n in range(one["pirates"])),
        ability="technological-nightmare-tile" if one["nightmare"] else None,
        **one["levels"],
        **one["resources"],
    )
