"""Each of the thirty technologies does what its card says (rules 134-159); end-game ones are scored elsewhere."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.agenda import open_asks
from companion.games.transgalactica.component_types import ids
from companion.games.transgalactica.costs import Price, mission_prices, ways
from companion.games.transgalactica.effects import Advance, Cost, Mark, Move, TakeMission
from companion.games.transgalactica.sheet import sheet_of_state
from companion.games.transgalactica.state import Used
from companion.games.transgalactica.steps.followers import Follow
from companion.games.transgalactica.steps.missions import completable, room
from companion.games.transgalactica.steps.outposts import FULL, may_place
from companion.games.transgalactica.steps.resolve import PayFor
from companion.games.transgalactica.steps.rounds import MilitaryStep
from companion.games.transgalactica.steps.senate import TakeSeat
from companion.games.transgalactica.steps.technology import BeginMark
from companion.games.transgalactica.steps.turns import Turn
from tests.games.transgalactica.made_up_box import gain
from tests.games.transgalactica.tables import (
    answer,
    asked,
    forced,
    hold,
    options,
    perform,
    reasons,
    resolve,
    run,
    seat,
    step,
    table,
)


def having(*cards: str, **more: object) -> object:
    return seat(*more.pop("planets", ()), technologies=cards, **more)  # type: ignore[misc, arg-type]


def printed_cost(mission: str) -> tuple[Cost, ...]:
    return table().mission(mission).cost


# Level 1


def test_archivists_pay_for_marking_and_for_taking_but_not_for_themselves() -> None:
    state = table(technologies=("archivists", "helpers"), ania=seat(technology=2, politics=2))
    state = answer(resolve(state, Mark()), "archivists")
    assert state.seats[0].vp == 0
    state = answer(resolve(state, Mark()), "helpers")
    assert state.seats[0].vp == 1
    state = answer(resolve(state, TakeMission()), "mission-1-01", "mission-1-04")
    assert state.seats[0].vp == 2


@pytest.mark.parametrize(("kind", "paid"), [("secondary", (0, 2, 0, 0)), ("main", (0, 1, 0, 0))])
def test_trade_discount_saves_the_alien_and_adds_to_the_main_action(kind: str, paid: tuple[int, ...]) -> None:
    state = table(ania=having("trade-discount", mineral=5, alien=5))
    state = forced(perform(state, "trade", kind))
    assert hold(state) == (0, 5 - paid[1], 5, 0)
    assert state.seats[0].trade == 1


def test_long_range_drive_pays_for_each_movement_and_adds_a_free_step() -> None:
    state = table(ania=having("long-range-drive", energy=1))
    state = perform(state, "exploration", "secondary")
    state = answer(state, "go:0:1", "free:0:7")
    assert state.seats[0].ships == ("7",)
    assert (hold(state)[0], state.seats[0].vp) == (0, 1)
    state = answer(resolve(table(ania=having("long-range-drive")), Move()), "0:1", "0:7")
    assert state.seats[0].ships == ("7",)
    assert state.seats[0].vp == 1


@pytest.mark.parametrize(
    ("mission", "vp"), [("mission-1-01", 1), ("mission-1-05", 1), ("mission-1-09", 0), ("mission-2-12", 1)]
)
def test_diplomatic_rewards_pay_for_commercial_and_war_missions_once(mission: str, vp: int) -> None:
    state = table(
        ania=having(
            "diplomatic-rewards",
            log=(mission,),
            energy=5,
            mineral=5,
            alien=5,
            credit=5,
            military=6,
            technology=6,
        )
    )
    state = answer(run(state, Turn(0)), f"free-deed/mission/{mission}")
    while state.agenda and "done" in options(state):
        state = answer(state, "done")
    printed = {"mission-1-01": 1, "mission-1-05": 1, "mission-1-09": 2, "mission-2-12": 12}[mission]
    assert state.seats[0].vp == printed + vp


def test_planet_agents_pay_for_each_use_of_an_action_planet() -> None:
    state = table(ania=having("planet-agents", planets=("green-action-income",)))
    state = answer(run(state, Turn(0)), "planet:crew:green-action-income")
    assert state.seats[0].vp == 1 + 2


@pytest.mark.parametrize("kind", ["main", "secondary"])
def test_deep_mining_adds_a_resource_and_a_point(kind: str) -> None:
    state = table(ania=having("deep-mining"), mining_token=False)
    state = answer(perform(state, "mining", kind), "alien")
    assert (hold(state), state.seats[0].vp) == ((0, 0, 1, 0), 1)


def test_third_mission_slot_makes_room_for_three() -> None:
    log = ("mission-1-09", "mission-1-10")
    assert room(table(ania=seat(log=log)), 0) == 0
    assert room(table(ania=having("third-mission-slot", log=log)), 0) == 1


def test_helpers_pay_for_secondary_actions_even_promoted_but_not_for_the_lieutenant() -> None:
    def followed(worker: str, **more: object) -> int:
        cards = more.pop("cards", ("helpers",))
        ola = having(*cards, planets=("purple-mining",), **more)  # type: ignore[misc]
        state = table(players=2, ola=ola, mining_token=False)
        state = answer(run(state, Follow("mining", 0, (1,))), f"1:{worker}")
        return state.seats[1].vp

    assert followed("crew:secondary") == 1
    assert followed("crew:main", cards=("helpers", "promotion")) == 1
    assert followed("lieutenant:main", lieutenant=True, crew=0, gone=1, ability="lieutenant") == 0


def test_token_recycling_gives_two_points_a_second_use_and_the_token_goes() -> None:
    taught = {"basic-1.shows": [gain("credit")]}
    state = table(taught=taught, ania=having("token-recycling", alien=2, used=("basic-1",)))
    state = answer(run(state, Turn(0)), "free-deed/recycle/basic-1")
    assert (hold(state), state.seats[0].vp) == ((0, 0, 1, 1), 2)
    assert state.seats[0].tokens == ()
    assert "basic-1" in state.discarded
    state = replace(
        state, seats=(replace(state.seats[0], tokens=(seat(used=("basic-2",)).tokens)), *state.seats[1:])
    )
    assert not any("recycle" in option for option in options(state)), "once per round"


def test_frontier_industry_advances_production_with_each_exploration() -> None:
    for kind in ("main", "secondary"):
        state = answer(perform(table(ania=having("frontier-industry")), "exploration", kind), "done")
        assert state.seats[0].production == 1


# Level 2


def test_alternative_tunnel_takes_any_two_resources_and_pays_two_points() -> None:
    state = table(ania=having("alternative-tunnel", at="grey-action-tunnel", energy=1, mineral=1))
    state = answer(perform(state, "exploration", "secondary"), "tunnel:0:2")
    assert (state.seats[0].ships, hold(state), state.seats[0].vp) == (("2",), (0, 0, 0, 0), 2)
    state = table(ania=having("alternative-tunnel", at="grey-action-tunnel", alien=1))
    state = answer(perform(state, "exploration", "secondary"), "tunnel:0:2")
    assert (hold(state), state.seats[0].vp) == ((0, 0, 0, 0), 0)


def test_war_research_allows_an_advance_on_technology_or_politics() -> None:
    state = resolve(table(ania=having("war-research")), Advance(("military",), free=True))
    assert options(state) == ["technology", "politics", "nothing"]
    state = answer(state, "politics")
    assert (state.seats[0].military, state.seats[0].politics) == (1, 1)


@pytest.mark.parametrize(("kind", "energy"), [("main", 2), ("secondary", 1)])
def test_assembly_lines_collect_with_each_production_advance(kind: str, energy: int) -> None:
    state = table(ania=having("assembly-lines", planets=("yellow-action-supply",)))
    state = perform(state, "production", kind)
    state = answer(state, "advance") if kind == "secondary" else forced(state)
    assert (state.seats[0].production, hold(state)) == (1, (energy, 0, 0, 0))


def test_mission_funding_saves_a_credit_but_never_pays_out() -> None:
    state = table(
        ania=having("mission-funding", log=("mission-1-07", "mission-1-09"), energy=2, mineral=1, military=2)
    )
    assert set(completable(state, 0)) == {"mission-1-07", "mission-1-09"}
    state = answer(run(state, Turn(0)), "free-deed/mission/mission-1-07")
    assert hold(state) == (1, 2, 1, 0)


@pytest.mark.parametrize("mission", [id for id in ids("missions") if "credit" not in printed_cost(id)])
def test_147_mission_funding_changes_no_mission_without_a_printed_credit(mission: str) -> None:
    cost = printed_cost(mission)
    exactly = {what: cost.count(what) for what in ("energy", "mineral", "alien") if what in cost}
    usual = table(ania=seat(log=(mission,), **exactly))
    funded = table(ania=having("mission-funding", log=(mission,), **exactly))
    prices = mission_prices(funded, 0, funded.mission(mission))
    assert prices == mission_prices(usual, 0, usual.mission(mission)) == (Price(cost),)
    left = PayFor(0, prices, (), funded.name(mission)).take(funded, ways(funded.seats[0], prices)[0].id)
    assert hold(left) == (0, 0, 0, 0), "all of it is paid, and no credit comes back"
    for what in exactly:
        poorer = having("mission-funding", log=(mission,), **{**exactly, what: exactly[what] - 1})
        assert not ways(table(ania=poorer).seats[0], prices), f"{what} is not saved"


def test_war_propaganda_doubles_a_lead_and_forgives_the_last_place() -> None:
    state = run(table(ania=having("war-propaganda", military=3), ola=seat(military=1)), MilitaryStep())
    assert [who.vp for who in state.seats] == [4, 0, -1]
    state = run(
        table(ania=having("war-propaganda"), ola=seat(military=1), jan=seat(military=1)), MilitaryStep()
    )
    assert [who.vp for who in state.seats] == [0, 1, 1]


def test_lobbyists_pay_three_for_each_seat() -> None:
    state = run(table(ania=having("lobbyists"), decrees=("decree-pirates",) * 3), TakeSeat(0, 0))
    assert state.seats[0].vp == 3 + 1


def test_shared_colonies_allow_outposts_on_full_action_planets_only() -> None:
    planets = ("green-action-income:0",)
    state = table(
        ania=having("shared-colonies", at="green-action-income", mineral=9),
        ola=seat(*planets),
        jan=seat("green-action-income:1"),
    )
    state = answer(perform(state, "exploration"), "place:0:green-action-income:full", "done")
    assert state.seats[0].outposts[-1].slot is None
    assert hold(state)[1] == 8, "minerals as usual"
    full = table(
        players=2,
        ania=seat(at="green-action-income", mineral=9),
        ola=seat(*planets),
        taught={"green-action-income.places": 1},
    )
    assert not any(o.startswith("place") for o in options(perform(full, "exploration")))
    free = table(
        players=2, ania=having("shared-colonies", at="green-action-income", mineral=9), ola=seat(*planets)
    )
    offered = [o for o in options(perform(free, "exploration")) if o.startswith("place")]
    assert offered == ["place:0:green-action-income:1"], "only where no place is free"
    mining = table(
        players=2,
        taught={"yellow-mining.places": 1},
        ania=having("shared-colonies", at="yellow-mining", mineral=9, trade=6),
        ola=seat("yellow-mining"),
    )
    assert not any(o.startswith("place") for o in options(perform(mining, "exploration")))


def test_visitors_use_a_planet_of_another_once_per_round_with_a_worker() -> None:
    state = table(ania=having("visitors", crew=2), ola=seat("green-action-income", "yellow-action-supply"))
    state = run(state, Turn(0))
    state = answer(state, "planet:crew:green-action-income")
    assert (hold(state), state.seats[0].crew) == ((0, 0, 0, 1), 1)
    assert not any(
        "yellow-action-supply" in o for o in options(run(replace(state, agenda=(), active=0), Turn(0)))
    )


def test_prestige_offices_count_one_more_for_access_gates_missions_and_rows() -> None:
    state = table(ania=having("prestige-offices", technology=2, politics=1))
    assert (state.level(0, "technology"), state.level(0, "politics")) == (3, 2)
    assert (state.seats[0].technology, state.seats[0].politics) == (2, 1)
    gated = table(taught={"military-1.gate": 1}, ania=having("prestige-offices"))
    assert resolve(gated, Advance(("military",), free=True)).seats[0].military == 1


def test_override_codes_use_spaces_of_others_and_nobody_follows() -> None:
    used = (Used("production", 1), Used("mining", 0))
    state = run(table(ania=having("override-codes"), used=used), Turn(0))
    assert "main:production" in options(state)
    assert "main:mining" not in options(state), "not what she used before"
    state = answer(state, "main:production")
    assert asked(state).slug == "transgalactica.turn", "nobody was asked to follow"
    assert "main:production" not in options(run(table(used=used), Turn(0)))


# Level 3


def test_promotion_resolves_a_secondary_action_as_main_once_per_round() -> None:
    state = table(players=2, ola=having("promotion", crew=2))
    state = run(state, Follow("production", 0, (1,)))
    assert set(options(state)) == {
        "nobody",
        "1:crew:secondary",
        "1:crew:main",
        "1:captain:secondary",
        "1:captain:main",
    }
    state = answer(state, "1:crew:main")
    assert state.seats[1].production == 1
    again = run(replace(state, agenda=()), Follow("production", 0, (1,)))
    assert "1:crew:main" not in options(again)


def test_instant_action_is_any_main_action_without_worker_and_nobody_follows() -> None:
    state = table(technologies=("instant-action",), ania=seat(technology=5))
    state = answer(run(state, BeginMark(0)), "instant-action", "production")
    assert state.seats[0].production == 1
    assert state.seats[0].captains_out == 0
    assert not open_asks(state)
    assert not state.used


@pytest.mark.parametrize(
    ("choice", "levels", "aliens"), [("0", (1, 0), 2), ("1", (0, 1), 2), ("2", (1, 1), 0)]
)
def test_instant_advance_is_free_and_both_for_two_aliens(
    choice: str, levels: tuple[int, int], aliens: int
) -> None:
    state = table(technologies=("instant-advance",), ania=seat(technology=5, alien=2))
    state = answer(run(state, BeginMark(0)), "instant-advance", choice)
    while state.agenda:
        state = answer(state, "2-alien")
    assert (state.seats[0].military, state.seats[0].trade) == levels
    assert hold(state)[2] == aliens


def test_instant_outpost_goes_to_any_free_slot_whose_demand_is_met() -> None:
    state = table(technologies=("instant-outpost",), ania=seat(technology=5, mineral=1))
    state = answer(run(state, BeginMark(0)), "instant-outpost")
    assert "green-action-income:0" in options(state)
    assert "yellow-action-exchange:1" not in options(state), "asks trade 1"
    assert not any(option.startswith("yellow-mining") for option in options(state))
    state = answer(state, "yellow-action-exchange:0")
    assert (state.seats[0].planets[-1], hold(state)[1]) == ("yellow-action-exchange", 0)


def test_157_an_instant_outpost_needs_a_free_slot_even_with_shared_colonies() -> None:
    """The card says "any free place"; shared colonies help only where the ship is (rules 150, 157)."""
    full = "green-action-income"
    state = table(
        technologies=("instant-outpost",),
        ania=having("shared-colonies", technology=5, mineral=9, at=full),
        ola=seat(f"{full}:0"),
        jan=seat(f"{full}:1"),
    )
    assert may_place(state, 0, full) == (FULL,), "an exploration may build there"
    state = answer(run(state, BeginMark(0)), "instant-outpost")
    assert asked(state).slug == "transgalactica.outpost"
    assert not any(o.startswith(full) for o in options(state))
    assert "purple-action-research:0" in options(state)
    assert reasons(step(state).why_not(state, full)) == {"transgalactica.why.full"}


def test_instant_mission_ignores_the_cost_or_the_requirement() -> None:
    state = table(
        technologies=("instant-mission",), ania=seat(technology=5, log=("mission-1-06", "mission-1-10"))
    )
    state = answer(run(state, BeginMark(0)), "instant-mission")
    assert options(state) == ["cost:mission-1-10", "nothing"], "neither trade 1 nor two minerals are there"
    state = answer(state, "cost:mission-1-10")
    assert (state.seats[0].vp, state.seats[0].missions) == (3, ("mission-1-10",))
    state = table(
        technologies=("instant-mission",), ania=seat(technology=5, log=("mission-1-06",), mineral=2)
    )
    state = answer(run(state, BeginMark(0)), "instant-mission", "needs:mission-1-06")
    assert (state.seats[0].vp, hold(state)) == (2, (0, 0, 0, 1))


@pytest.mark.parametrize(
    ("card", "points"),
    [
        ("end-trade-military", 2 + 3),
        ("end-technology-politics", 4 + 5),
        ("end-production", 6),
        ("end-markers", 2),
        ("end-objective", 4),
    ],
)
def test_technologies_of_the_end_count_in_the_sheet_only(card: str, points: int) -> None:
    levels: dict[str, Any] = {"trade": 2, "military": 3, "technology": 4, "politics": 5, "production": 6}
    both = ("objective-pirates", "objective-yellow")
    plain = table(ania=seat(**levels, pirates=("pirate-1", "pirate-2"), objectives=both))
    marked = table(
        ania=seat(**levels, pirates=("pirate-1", "pirate-2"), objectives=both, technologies=(card,)),
        ola=seat(technologies=(card,)),
    )
    before, after = (
        next(s.total for s in sheet_of_state(state).seats if s.name == "Ania") for state in (plain, marked)
    )
    assert after - before == points
    assert marked.seats[0].vp == 0


def test_every_technology_is_exercised_here() -> None:
    from pathlib import Path

    from companion.games.transgalactica.component_types import ids

    here = Path(__file__).read_text("utf-8")
    assert [id for id in ids("technologies") if f'"{id}"' not in here] == []
