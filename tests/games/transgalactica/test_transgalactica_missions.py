"""Each of the 26 missions and 12 decrees: what it needs, costs and gives (rules 124-133, 160-165)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.transgalactica.component_types import ids
from companion.games.transgalactica.costs import mission_prices, ways
from companion.games.transgalactica.effects import TakeMission
from companion.games.transgalactica.requirements import matched, meets
from companion.games.transgalactica.steps.missions import BeginMission, completable, open_missions
from companion.games.transgalactica.steps.senate import TakeSeat, open_offices
from companion.games.transgalactica.steps.turns import Turn
from tests.games.transgalactica.tables import answer, asked, hold, options, resolve, run, seat, table

ACTION, MINING, WILD = "green-action-income", "grey-mining-prestige", "yellow-wild"
SAME = ("green-action-income", "green-mining-supply", "green-wild")
DIFFERENT = ("green-action-income", "yellow-action-supply", "purple-action-research")

# mission: what is just enough, what is missing then, what is left of 3 of everything, points
MISSIONS: dict[str, tuple[dict[str, Any], dict[str, Any] | None, tuple[int, int, int, int], int]] = {
    "mission-1-01": ({}, None, (3, 2, 3, 3), 1),
    "mission-1-02": ({"military": 1}, {"military": 0}, (1, 3, 4, 3), 2),
    "mission-1-03": ({"military": 1, "planets": (ACTION,)}, {"planets": (MINING,)}, (1, 3, 3, 3), 3),
    "mission-1-04": ({"trade": 2, "planets": DIFFERENT[:2]}, {"planets": SAME[:2]}, (3, 1, 2, 3), 4),
    "mission-1-05": ({}, None, (2, 3, 3, 3), 1),
    "mission-1-06": ({"trade": 1}, {"trade": 0}, (3, 1, 3, 4), 2),
    "mission-1-07": ({"military": 2}, {"military": 1}, (2, 4, 4, 2), 3),
    "mission-1-08": ({"military": 2, "pirates": ("pirate-1",)}, {"pirates": ()}, (1, 3, 3, 2), 4),
    "mission-1-09": ({}, None, (2, 2, 3, 3), 2),
    "mission-1-10": ({"technology": 2}, {"technology": 1}, (2, 2, 3, 3), 3),
    "mission-1-11": ({"trade": 2}, {"trade": 1}, (4, 1, 2, 4), 3),
    "mission-1-12": ({"technology": 1}, {"technology": 0}, (2, 2, 3, 3), 2),
    "mission-1-13": ({"trade": 1, "planets": (MINING,)}, {"planets": (ACTION,)}, (3, 1, 3, 3), 3),
    "mission-1-14": ({"technology": 2, "planets": SAME[:2]}, {"planets": DIFFERENT[:2]}, (2, 2, 3, 3), 3),
    "mission-2-01": ({"trade": 4}, {"trade": 3}, (3, 0, 3, 4), 4),
    "mission-2-02": (
        {"trade": 4, "planets": ("grey-wild", "yellow-wild")},
        {"planets": ("grey-wild",)},
        (3, 1, 2, 3),
        5,
    ),
    "mission-2-03": ({"technology": 6}, {"technology": 5}, (1, 1, 3, 3), 6),
    "mission-2-04": ({"military": 4}, {"military": 3}, (0, 3, 5, 3), 5),
    "mission-2-05": ({"technology": 4, "planets": SAME}, {"planets": DIFFERENT}, (1, 1, 3, 3), 6),
    "mission-2-06": ({"military": 6, "planets": DIFFERENT}, {"military": 5}, (1, 1, 3, 3), 7),
    "mission-2-07": ({"technology": 4, "planets": DIFFERENT[:2]}, {"planets": SAME[:2]}, (1, 1, 3, 3), 5),
    "mission-2-08": ({"technology": 6}, {"technology": 5}, (2, 2, 2, 2), 6),
    "mission-2-09": ({"technology": 8}, {"technology": 7}, (1, 1, 3, 3), 7),
    "mission-2-10": (
        {"military": 4, "planets": ("green-wild", "purple-wild")},
        {"planets": ("grey-wild", "yellow-wild")},
        (1, 3, 3, 2),
        5,
    ),
    "mission-2-11": ({"trade": 4}, {"trade": 3}, (3, 3, 1, 2), 6),
    "mission-2-12": ({"military": 6}, {"military": 5, "trade": 5}, (3, 3, 1, 1), 12),
}


def _table(mission: str, given: dict[str, Any]) -> Any:
    given = dict(given)
    planets = given.pop("planets", ())
    return table(
        ania=seat(*planets, log=(mission,), energy=3, mineral=3, alien=3, credit=3, **given),
        mining_token=False,
    )


@pytest.mark.parametrize("mission", MISSIONS)
def test_mission(mission: str) -> None:
    given, missing, left, points = MISSIONS[mission]
    state = _table(mission, given)
    assert completable(state, 0) == (mission,)
    state = answer(run(state, Turn(0)), f"free-deed/mission/{mission}")
    for _ in range(9):  # whatever else it gives is left aside here
        idle = [o for o in options(state) if o in ("done", "nothing", "stay")]
        if asked(state).slug == "transgalactica.turn" or not idle:
            break
        state = answer(state, idle[0])
    assert hold(state) == left
    assert state.seats[0].vp == points
    assert (state.seats[0].missions, state.seats[0].log) == ((mission,), ())
    if missing is not None:
        assert completable(_table(mission, {**given, **missing}), 0) == ()


def test_every_mission_is_in_the_table_above() -> None:
    assert tuple(MISSIONS) == ids("missions")


@pytest.mark.parametrize(
    ("mission", "track"),
    [
        ("mission-1-03", "technology"),
        ("mission-1-08", "trade"),
        ("mission-1-12", "politics"),
        ("mission-1-13", "production"),
        ("mission-2-01", "technology"),
        ("mission-2-07", "military"),
        ("mission-2-08", "production"),
        ("mission-2-08", "politics"),
    ],
)
def test_missions_that_advance(mission: str, track: str) -> None:
    state = _table(mission, MISSIONS[mission][0])
    before = getattr(state.seats[0], track)
    state = answer(run(state, Turn(0)), f"free-deed/mission/{mission}")
    assert getattr(state.seats[0], track) == before + 1


@pytest.mark.parametrize("mission", ["mission-2-02", "mission-2-10"])
def test_missions_that_mobilise(mission: str) -> None:
    state = answer(run(_table(mission, MISSIONS[mission][0]), Turn(0)), f"free-deed/mission/{mission}")
    assert (state.seats[0].crew, state.seats[0].capsules) == (2, 4)


@pytest.mark.parametrize(
    ("mission", "slug"),
    [
        ("mission-1-01", "free-move"),
        ("mission-1-04", "free-move"),
        ("mission-1-05", "free-move"),
        ("mission-2-04", "free-move"),
        ("mission-1-14", "mark"),
        ("mission-2-03", "mark"),
        ("mission-2-05", "to-tunnel"),
        ("mission-2-11", "take-mission"),
    ],
)
def test_missions_that_let_something_be_done(mission: str, slug: str) -> None:
    state = answer(run(_table(mission, MISSIONS[mission][0]), Turn(0)), f"free-deed/mission/{mission}")
    assert asked(state).slug == f"transgalactica.{slug}"


def test_the_mission_that_mines_and_the_one_that_places_an_outpost() -> None:
    given = MISSIONS["mission-2-06"][0]
    state = _table("mission-2-06", given)
    state = state.with_seat(0, replace(state.seats[0], mining=("mining-1",)))
    state = answer(run(state, Turn(0)), "free-deed/mission/mission-2-06")
    assert state.seats[0].vp == 7 + 1
    state = table(ania=seat(log=("mission-2-09",), at=ACTION, energy=2, mineral=3, technology=8))
    state = answer(run(state, Turn(0)), "free-deed/mission/mission-2-09", f"{ACTION}:0")
    assert (state.seats[0].planets[-1], hold(state)) == (ACTION, (0, 0, 0, 0))


def test_a_mission_of_two_types_takes_trade_or_military() -> None:
    for levels in ({"trade": 6}, {"military": 6}):
        given: dict[str, Any] = levels
        state = table(ania=seat(log=("mission-2-12",), alien=2, credit=2, **given))
        assert completable(state, 0) == ("mission-2-12",)


def test_the_requirement_may_come_from_a_level_raised_for_the_round() -> None:
    state = table(ania=seat(log=("mission-2-04",), energy=3, military=2, raised=("military",)))
    assert completable(state, 0) == ("mission-2-04",)


def test_the_insider_pays_one_printed_resource_less_and_chooses_which() -> None:
    state = table(ania=seat(ability="party-insider", log=("mission-1-04",), mineral=2, alien=1))
    prices = mission_prices(state, 0, state.mission("mission-1-04"))
    assert {way.id for way in ways(state.seats[0], prices)} == {"1-mineral+1-alien", "2-mineral"}


# Taking


def test_access_follows_the_place_and_the_insider_reaches_further() -> None:
    """In the made-up box the n-th place from the bottom needs politics n - 1."""
    assert tuple(open_missions(table(ania=seat(politics=1)), 0)) == ("mission-1-01", "mission-1-02")
    insider = table(ania=seat(politics=1, ability="party-insider"))
    assert tuple(open_missions(insider, 0)) == ("mission-1-01", "mission-1-02", "mission-1-03")


def test_the_display_is_sorted_by_number_and_refilled() -> None:
    state = answer(resolve(table(ania=seat(politics=2)), TakeMission()), "mission-1-02")
    assert asked(state).slug == "transgalactica.lay-mission"
    state = answer(state, "mission-1-14")
    assert state.missions_of(1) == ("mission-1-01", "mission-1-03", "mission-1-14")
    assert state.seats[0].log == ("mission-1-02",)


def test_a_full_log_takes_nothing_and_an_empty_deck_leaves_a_gap() -> None:
    full = table(ania=seat(politics=5, log=("mission-1-09", "mission-1-10")))
    assert not run(full, BeginMission(0)).agenda
    state = answer(resolve(table(ania=seat(politics=2)), TakeMission()), "mission-1-02", "none")
    assert state.missions_of(1) == ("mission-1-01", "mission-1-03")


# Decrees

DECREES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "decree-three-colours": ({"planets": DIFFERENT}, {"planets": SAME}),
    "decree-grey-or-yellow": (
        {"planets": ("grey-wild", "grey-action-tunnel", "grey-mining-prestige")},
        {"planets": ("grey-wild", "grey-action-tunnel", "yellow-wild")},
    ),
    "decree-purple-or-green": ({"planets": SAME}, {"planets": (*SAME[:2], "purple-wild")}),
    "decree-action-planets": ({"planets": DIFFERENT}, {"planets": (*DIFFERENT[:2], "multi-mining")}),
    "decree-mining-planets": (
        {"planets": ("multi-mining", "yellow-mining", "purple-mining")},
        {"planets": ("multi-mining", "yellow-mining", "yellow-wild")},
    ),
    "decree-three-types": (
        {"planets": (ACTION, MINING, WILD)},
        {"planets": (ACTION, MINING, "multi-mining")},
    ),
    "decree-scholars": ({"technology": 6, "politics": 6}, {"technology": 6, "politics": 5}),
    "decree-powers": ({"trade": 4, "military": 4}, {"trade": 4, "military": 3}),
    "decree-pirates": (
        {"pirates": ("pirate-1", "pirate-2", "pirate-3")},
        {"pirates": ("pirate-1", "pirate-2")},
    ),
    "decree-each-mission": (
        {"missions": ("mission-1-01", "mission-2-12", "mission-1-09")},
        {"missions": ("mission-2-11", "mission-1-10", "mission-1-09")},
    ),
    "decree-technologies": (
        {"technologies": ("archivists", "helpers", "deep-mining"), "trade": 1},
        {"technologies": ("archivists", "helpers")},
    ),
    "decree-three-missions": (
        {"missions": ("mission-1-01", "mission-1-04", "mission-2-12")},
        {"missions": ("mission-1-01", "mission-1-04", "mission-1-02")},
    ),
}


@pytest.mark.parametrize("decree", DECREES)
def test_decree(decree: str) -> None:
    enough, short = DECREES[decree]

    def at(given: dict[str, Any]) -> Any:
        given = dict(given)
        return table(
            decrees=(decree, "decree-scholars" if decree != "decree-scholars" else "decree-powers"),
            senate=((), ()),
            ania=seat(*given.pop("planets", ()), **given),
        )

    assert open_offices(at(enough), 0) == (0,)
    assert open_offices(at(short), 0) == ()
    state = answer(run(at(enough), Turn(0)), "free-deed/senate/0")
    assert state.senate == ((0,), ())
    assert (state.seats[0].crew, state.seats[0].vp) == (0, 1)


def test_every_decree_is_in_the_table_above() -> None:
    assert tuple(DECREES) == ids("decrees")


def test_two_types_count_as_both_where_the_table_agreed() -> None:
    state = table(choices={"two-types": "both"}, ania=seat(missions=("mission-2-11", "mission-1-09")))
    assert meets(state, 0, state.decree("decree-each-mission").needs)


def test_a_seat_is_taken_once_and_the_golden_chair_is_paid_by_later_ones() -> None:
    state = table(decrees=("decree-pirates",) * 3, ania=seat(crew=2), ola=seat(crew=1))
    state = run(run(state, TakeSeat(0, 0)), TakeSeat(1, 0))
    assert hold(state, 0)[3] == 1, "the first seat is golden in this box"
    assert state.senate[0] == (0, 1)
    assert 0 not in open_offices(state, 0)


def test_the_reward_of_a_decree_is_asked_once() -> None:
    state = table(decrees=("decree-pirates",) * 3)
    taught = {key: value for key, value in state.taught.items() if key != "decree-pirates.reward"}
    state = run(replace(state, taught=taught), TakeSeat(0, 0))
    assert asked(state).facts == ("decree-pirates.reward",)
    state = answer(state, '[{"does":"gain","what":"credit","n":2}]')
    assert hold(state) == (0, 0, 0, 2)


def test_different_colours_need_a_colour_for_each_planet() -> None:
    assert matched([("green", "grey"), ("green",), ("grey",)]) == 2
    assert matched([("yellow", "green", "purple", "grey"), ("green",), ("grey",)]) == 3
    assert matched([]) == 0


def test_two_green_or_purple_planets_may_be_one_of_each() -> None:
    state = table(ania=seat("green-wild", "purple-wild", military=4))
    assert meets(state, 0, state.mission("mission-2-10").needs)


def test_one_space_further_is_what_its_hexagon_says() -> None:
    """Where the owner told that levels jump, the insider reaches the level of the next space (rule 168)."""
    taught = {"politics-2.level": 4}
    insider = table(taught=taught, ania=seat(politics=1, ability="party-insider"))
    assert len(tuple(open_missions(insider, 0))) == 5
