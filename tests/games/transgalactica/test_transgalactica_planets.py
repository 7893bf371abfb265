"""Each of the twenty planets: its slots, what it gives when placed on, mined, used, or at income (rules 83-103)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.words import plain
from companion.games.transgalactica.component_types import ids
from companion.games.transgalactica.effects import Gain, Move, Pay, ToTunnel
from companion.games.transgalactica.state import NIGHTMARE
from companion.games.transgalactica.steps.collect import Collect
from companion.games.transgalactica.steps.explore import reach
from companion.games.transgalactica.steps.income import Income
from companion.games.transgalactica.steps.outposts import ChoosePlace, PlaceOn, may_place
from companion.games.transgalactica.steps.turns import Turn
from tests.games.transgalactica.made_up_box import gain
from tests.games.transgalactica.tables import (
    SPACE,
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
    table,
    told,
)

# planet: the demand of each slot, colours it counts as
PRINTED: dict[str, tuple[tuple[str, ...], str]] = {
    "green-mining-supply": (("trade-1",), "green"),
    "multi-mining": (("trade-4", "trade-6"), "yellow green purple grey"),
    "green-mining-prestige": (("none", "trade-4"), "green"),
    "purple-action-research": (("none",), "purple"),
    "yellow-action-exchange": (("none", "trade-1"), "yellow"),
    "yellow-wild": (("crew",), "yellow"),
    "purple-mining": (("trade-2",), "purple"),
    "grey-mining-prestige": (("trade-1",), "grey"),
    "grey-action-tunnel": (("none",), "grey"),
    "green-action-income": (("none",), "green"),
    "green-grey-action-explore": (("trade-1", "trade-2"), "green grey"),
    "green-wild": (("crew",), "green"),
    "grey-wild": (("crew",), "grey"),
    "grey-mining-industry": (("trade-4",), "grey"),
    "yellow-mining": (("trade-2",), "yellow"),
    "yellow-action-supply": (("none",), "yellow"),
    "purple-action-mines": (("none", "trade-1"), "purple"),
    "yellow-purple-action-research": (("trade-2", "trade-4"), "yellow purple"),
    "purple-wild": (("crew",), "purple"),
    "technological-nightmare": ((), "yellow green purple grey"),
}


@pytest.mark.parametrize("planet", PRINTED)
def test_slots_and_colours(planet: str) -> None:
    slots, hues = PRINTED[planet]
    tile = table().planet(planet)
    assert tuple(map(str, tile.slots)) == slots
    assert tile.hues == frozenset(hues.split())
    for n, demand in enumerate(slots):
        least = int(demand[-1]) if demand.startswith("trade") else 0
        crew = 0 if demand == "crew" else 1
        poor = table(ania=seat(mineral=9, trade=max(0, least - 1), crew=crew))
        rich = table(ania=seat(mineral=9, trade=least, crew=1))
        assert str(n) in may_place(rich, 0, planet)
        assert (str(n) in may_place(poor, 0, planet)) == (demand == "none")


def test_all_twenty_are_here() -> None:
    assert set(PRINTED) == {id for id in ids("planets") if id != "central"}


@pytest.mark.parametrize(
    ("planet", "answers", "left", "vp", "production"),
    [
        ("green-mining-supply", ["0"], (0, 1, 0, 0), 0, 0),
        ("green-mining-supply", ["1"], (1, 0, 0, 0), 0, 0),
        ("multi-mining", [], (0, 0, 0, 0), 3, 0),
        ("green-mining-prestige", [], (0, 0, 0, 0), 2, 0),
        ("purple-mining", [], (0, 0, 1, 0), 0, 0),
        ("grey-mining-prestige", [], (0, 0, 0, 0), 1, 0),
        ("grey-mining-industry", [], (0, 0, 0, 0), 0, 1),
        ("yellow-mining", [], (0, 0, 0, 0), 1, 0),
    ],
)
def test_mining_planets_pay_at_mining_and_at_once_when_placed_on(
    planet: str, answers: list[str], left: tuple[int, ...], vp: int, production: int
) -> None:
    mined = answer(perform(table(ania=seat(planet)), "mining", "secondary"), *answers)
    placed = answer(run(table(ania=seat(mineral=1, trade=6)), PlaceOn(0, planet, "0")), *answers)
    for state in (mined, placed):
        assert (hold(state), state.seats[0].vp, state.seats[0].production) == (left, vp, production)


def test_the_nightmare_pays_two_points_at_mining_and_takes_no_outpost() -> None:
    state = perform(table(ania=seat(ability="technological-nightmare-tile")), "mining", "secondary")
    assert state.seats[0].vp == 2
    assert NIGHTMARE not in state.planets.values()


def use(planet: str, *answers: str, **more: Any) -> Any:
    return answer(run(table(ania=seat(planet, **more)), Turn(0)), f"planet:crew:{planet}", *answers)


def test_purple_base_up_to_two_advances_for_a_resource_each() -> None:
    state = use("purple-action-research", "1-energy", "technology", "1-alien", "politics", energy=3, alien=3)
    assert (state.seats[0].technology, state.seats[0].politics, hold(state)) == (1, 1, (2, 0, 2, 0))
    assert asked(state).seat != 0, "twice, not three times"
    state = use("purple-action-research", "1-energy", "technology", "decline", energy=3)
    assert hold(state) == (2, 0, 0, 0)


def test_yellow_market_up_to_three_points_for_a_resource_each() -> None:
    state = use("yellow-action-exchange", "1-energy", "1-energy", "1-mineral", energy=3, mineral=3)
    assert (state.seats[0].vp, hold(state)) == (3, (1, 2, 0, 0))
    assert asked(state).seat == 1


def test_a_credit_is_no_resource_but_may_be_changed_into_one() -> None:
    """Rules 10, 43: in the own turn it is changed on the way, at income it pays no resource."""
    state = run(table(ania=seat("yellow-action-exchange", credit=5)), Turn(0))
    state = answer(state, "planet:crew:yellow-action-exchange")
    assert options(state) == ["1-credit", "decline"]
    assert reasons(asked(state).options[0].detail or plain("")) >= {"transgalactica.changed"}
    income = replace(table(ania=seat(credit=5)), phase="income", active=None)
    assert not resolve(income, Pay(("any",), (Gain("vp"),))).agenda


def test_yellow_base_gives_two_resources_of_choice_green_base_a_credit_and_a_point() -> None:
    assert hold(use("yellow-action-supply", "alien", "energy")) == (1, 0, 1, 0)
    state = use("green-action-income")
    assert (hold(state), state.seats[0].vp) == ((0, 0, 0, 1), 1)


@pytest.mark.parametrize("where", ["0:2", "stay"])
def test_grey_base_goes_to_a_tunnel_and_gives_an_alien_even_if_the_ship_stays(where: str) -> None:
    state = use("grey-action-tunnel", where)
    assert hold(state) == (0, 0, 1, 0)
    assert state.seats[0].ships == (("2",) if where == "0:2" else ("centre",))


def test_green_grey_scouts_are_a_main_exploration() -> None:
    state = use("green-grey-action-explore", energy=1, mineral=9)
    state = answer(state, "go:0:4", "place:0:purple-action-research:0")
    assert state.seats[0].planets[-1] == "purple-action-research"
    assert reach(state, 0) == 2, "green-grey counts as grey"


def test_purple_guild_activates_own_mining_planets_and_nothing_of_the_panel() -> None:
    state = table(
        ania=seat(
            "purple-action-mines",
            "multi-mining",
            "purple-mining",
            "yellow-mining",
            mining=("mining-1",),
            ability="technological-nightmare-tile",
            technologies=("deep-mining",),
        ),
        taught={"mining-1.shows": [gain("vp", 2)]},
    )
    state = answer(run(state, Turn(0)), "planet:crew:purple-action-mines")
    assert (state.seats[0].vp, hold(state)) == (3 + 1 + 2 * 3, (0, 0, 1, 0))


@pytest.mark.parametrize("which", ["0", "1"])
def test_yellow_purple_academy_marks_or_takes(which: str) -> None:
    state = use("yellow-purple-action-research", which, technology=1)
    assert asked(state).slug == f"transgalactica.{'mark' if which == '0' else 'take-mission'}"


@pytest.mark.parametrize(
    ("planet", "answers", "check"),
    [
        ("yellow-wild", [], {"credit": 2}),
        ("green-wild", ["politics"], {"politics": 1}),
        ("green-wild", ["production"], {"production": 1}),
        ("green-wild", ["technology"], {"technology": 1}),
        ("grey-wild", ["1-alien"], {"trade": 1, "alien": 0}),
        ("grey-wild", ["decline"], {"trade": 0, "alien": 1}),
        ("purple-wild", ["1-credit"], {"military": 1, "credit": 0}),
        ("purple-wild", ["decline"], {"military": 0, "credit": 1}),
    ],
)
def test_wild_planets_at_income(planet: str, answers: list[str], check: dict[str, int]) -> None:
    state = run(table(ania=seat(planet, alien=1, credit=1), phase="income"), Income(0))
    state = answer(state, *answers) if answers else state
    assert {what: getattr(state.seats[0], what) for what in check} == check
    assert not state.agenda, "once per phase"


def test_an_outpost_on_a_wild_planet_costs_a_mobilised_crew_member_for_good() -> None:
    state = run(table(ania=seat(mineral=1, crew=2)), PlaceOn(0, "grey-wild", "0"))
    assert (state.seats[0].crew, state.seats[0].gone, state.seats[0].capsules) == (1, 1, 4)


def test_or_it_sleeps_again_where_the_table_agreed() -> None:
    state = table(ania=seat(mineral=1, crew=2), choices={"wild": "capsules"})
    state = run(state, PlaceOn(0, "grey-wild", "0"))
    assert (state.seats[0].crew, state.seats[0].gone, state.seats[0].capsules) == (1, 0, 5)


# Placing


@pytest.mark.parametrize(("placed", "price"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 2), (6, 2)])
def test_minerals_by_the_number_of_the_outpost(placed: int, price: int) -> None:
    planets = ("yellow-wild", "green-wild", "grey-wild", "purple-wild", "yellow-mining")[: placed - 1]
    state = run(table(ania=seat(*planets, mineral=price)), PlaceOn(0, "green-action-income", "0"))
    assert hold(state)[1] == 0
    assert not may_place(table(ania=seat(*planets, mineral=price - 1)), 0, "green-action-income")


def test_one_outpost_per_player_and_planet_and_seven_in_all() -> None:
    planets = ("yellow-wild", "green-wild", "grey-wild", "purple-wild", "yellow-mining", "purple-mining")
    assert not may_place(table(ania=seat("green-action-income", mineral=9)), 0, "green-action-income")
    assert not may_place(table(ania=seat(*planets, mineral=9)), 0, "green-action-income")


def test_the_fifth_space_pays_at_once_and_at_every_income() -> None:
    state = table(ania=seat("yellow-mining", "green-wild", "grey-mining-prestige", mineral=2))
    state = run(state, PlaceOn(0, "green-action-income", "0"))
    assert state.seats[0].vp == 1
    state = answer(run(state, Income(0)), "rest", "nothing")
    assert state.seats[0].vp == 2


def test_the_first_outpost_takes_the_planets_token() -> None:
    state = table(rewards=("green-action-income",), ania=seat(mineral=1), ola=seat(mineral=1))
    state = answer(run(state, PlaceOn(0, "green-action-income", "0")), "basic-7")
    assert [held.token for held in state.seats[0].tokens] == ["basic-7"]
    state = run(state, PlaceOn(1, "green-action-income", "1"))
    assert not state.agenda


def test_pirates_need_their_strength_and_go_to_the_income_track() -> None:
    pirates = {"purple-action-mines": "pirate-3"}
    weak = table(pirates=pirates, ania=seat(mineral=1, military=1))
    assert not may_place(weak, 0, "purple-action-mines")
    state = table(pirates=pirates, ania=seat(mineral=1, raised=("military",)))
    state = run(state, PlaceOn(0, "purple-action-mines", "0"))
    assert (state.seats[0].pirates, state.pirates) == (("pirate-3",), {})


def test_pirates_nobody_told_about_are_told_when_somebody_comes() -> None:
    state = table(pirates={"purple-action-mines": ""}, ania=seat(mineral=1, military=1))
    state = answer(run(state, PlaceOn(0, "purple-action-mines", "0")), "pirate-2")
    assert state.seats[0].planets == ("central",)
    assert (hold(state)[1], state.pirates) == (1, {"purple-action-mines": "pirate-2"})
    assert "transgalactica.pirates-too-strong" in told(state)


# Ships


def test_a_step_costs_its_energy_and_the_range_grows_with_grey_planets() -> None:
    state = perform(table(ania=seat(energy=3)), "exploration", "secondary")
    state = answer(state, "go:0:1")
    assert (hold(state)[0], state.seats[0].ships, state.agenda) == (2, ("1",), ())
    state = perform(table(ania=seat("grey-wild", energy=3)), "exploration", "secondary")
    state = answer(state, "go:0:1", "go:0:7")
    assert (hold(state)[0], state.seats[0].ships) == (0, ("7",))


def test_an_outpost_before_the_first_or_after_the_last_step_never_between() -> None:
    def begin() -> Any:
        ania = seat("grey-wild", at="purple-action-research", energy=9, mineral=9, trade=6)
        return perform(table(ania=ania), "exploration")

    before = answer(begin(), "place:0:purple-action-research:0", "go:0:centre", "go:0:1")
    assert before.seats[0].ships == ("1",)
    between = answer(begin(), "go:0:centre", "go:0:1")
    assert "place:0:green-mining-supply:0" in options(between)
    early = answer(begin(), "go:0:14")
    place = next(option for option in options(early) if option.startswith("place"))
    early = answer(early, place)
    assert not any(option.startswith(("go", "free")) for option in (options(early) if early.agenda else []))


def test_a_secondary_exploration_moves_or_places() -> None:
    state = perform(
        table(ania=seat(at="purple-action-research", energy=9, mineral=9)), "exploration", "secondary"
    )
    assert {option.split(":")[0] for option in options(state)} >= {"go", "place", "done"}
    moved = answer(state, "go:0:centre")
    assert not any(o.startswith("place") for o in (options(moved) if moved.agenda else []))
    placed = answer(state, "place:0:purple-action-research:0")
    assert not placed.agenda


def test_tunnels_cost_an_alien_and_begin_at_a_tunnel() -> None:
    state = perform(table(ania=seat(at="grey-action-tunnel", alien=1)), "exploration", "secondary")
    assert {o for o in options(state) if o.startswith("tunnel")} == {
        "tunnel:0:2",
        f"tunnel:0:{SPACE['yellow-wild']}",
    }
    state = answer(state, "tunnel:0:2")
    assert (hold(state)[2], state.seats[0].ships) == (0, ("2",))
    elsewhere = perform(table(ania=seat(alien=1)), "exploration", "secondary")
    assert not any(o.startswith("tunnel") for o in options(elsewhere))


def test_the_nightmares_tunnel_works_from_anywhere() -> None:
    ania = seat(alien=1, ability="technological-nightmare-tile")
    assert "tunnel:0:2" in options(perform(table(ania=ania), "exploration", "secondary"))


def test_symbols_that_move_the_ship() -> None:
    state = answer(resolve(table(), Move(2)), "0:1", "0:7")
    assert (state.seats[0].ships, hold(state)[0]) == (("7",), 0)
    state = answer(resolve(table(), ToTunnel()), "0:2")
    assert state.seats[0].ships == ("2",)


# Production


def test_collecting_takes_as_many_outposts_as_the_level_and_each_once() -> None:
    planets = ("yellow-action-supply", "purple-wild", "green-wild", "grey-wild", "multi-mining")
    state = run(table(ania=seat(*planets, production=9)), Collect(0))
    state = answer(state, "energy:energy/mineral/alien")
    while state.agenda:
        state = answer(state, options(state)[0])
    assert sorted(hold(state)[:3]) == [1, 1, 2]
    state = run(table(ania=seat(*planets, production=1)), Collect(0))
    state = answer(state, "alien:alien")
    assert (hold(state), state.agenda) == ((0, 0, 1, 0), ())


def test_a_two_coloured_planet_gives_one_of_its_colours() -> None:
    state = run(table(ania=seat("yellow-purple-action-research", production=1)), Collect(0))
    assert {o.partition(":")[0] for o in options(state)} == {"energy", "mineral"}
    state = forced(run(table(ania=seat("green-grey-action-explore", production=1)), Collect(0)))
    assert hold(state) == (0, 0, 1, 0)


def test_a_symbol_that_places_pays_as_usual() -> None:
    state = run(table(ania=seat(at="green-action-income", mineral=0)), ChoosePlace(0, "ship", plain("x")))
    assert options(state) == ["nothing"]


def test_a_route_without_energy_costs_and_gives_none() -> None:
    """Rule 76: the number on the route, zero included."""
    free = [{"one": "centre", "other": "1", "energy": 0}]
    state = perform(table(taught={"board-3.routes": free}, ania=seat(energy=3)), "exploration", "secondary")
    assert hold(answer(state, "go:0:1"))[0] == 3
