"""The variant *later rulings*: each ruling if the variant is chosen, and the printed rule if it is not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.game import Setup
from companion.errors import DataTrouble
from companion.games.eclipse import GAME, position
from companion.games.eclipse.component_types import Stock
from companion.games.eclipse.conserved import check
from companion.games.eclipse.corrections import counters
from companion.games.eclipse.species import design
from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.steps.cubes import places
from companion.games.eclipse.steps.explore import Explore, PlaceHex
from companion.games.eclipse.steps.free import trade_options
from companion.games.eclipse.steps.influence import Influence, InfluenceTo, goals
from companion.games.eclipse.steps.upgrade import Upgrade
from companion.games.eclipse.steps.upkeep import Upkeep
from tests.games.eclipse.eclipse_tables import TERRANS, answer, asked, at, options, seat, sector, table

ALONE = "3,-3"
"""A place nothing of the first seat is joined to."""


def later(state: EclipseState) -> EclipseState:
    return replace(state, later=True)


def test_they_are_agreed_on_before_the_play_and_off_unless_somebody_wants_them() -> None:
    assert not GAME.start(Setup("eclipse", ("Ania", "Bartek"))).later
    assert not GAME.start(Setup("eclipse", ("Ania", "Bartek"), {"rulings": "printed"})).later
    assert GAME.start(Setup("eclipse", ("Ania", "Bartek"), {"rulings": "later"})).later


# Influence


def test_a_disc_goes_where_only_own_ships_are() -> None:
    printed = sector(table(*TERRANS[:2]), ALONE, "sector-310", ships=((0, {"interceptor": 1}),))
    assert ALONE not in goals(printed, 0, "track")
    assert ALONE in goals(later(printed), 0, "track")
    assert ALONE not in goals(later(printed), 1, "track")
    state = answer(at(later(printed), Influence(0, 1)), "track")
    assert asked(state) == InfluenceTo(0, "track", 1)
    assert answer(state, ALONE).map[ALONE].owner == 0


def test_with_other_ships_there_no_disc_is_put_down() -> None:
    ships = ((0, {"interceptor": 1}), (1, {"interceptor": 1}))
    assert ALONE not in goals(
        later(sector(table(*TERRANS[:2]), ALONE, "sector-310", ships=ships)), 0, "track"
    )
    guarded = sector(table(*TERRANS[:2]), ALONE, "sector-310", ships=ships[:1], ancients=1)
    assert ALONE not in goals(later(guarded), 0, "track")


# The store


def test_a_store_without_limit() -> None:
    state = seat(table(*TERRANS[:3]), 0, stock=Stock(40, 39, 40))
    assert at(state, Upkeep(0)).seats[0].stock == Stock(40, 40, 40)
    assert at(later(state), Upkeep(0)).seats[0].stock == Stock(43, 42, 43)
    assert [o.id for o in trade_options(state, 0, only="money")] == []
    assert {o.id for o in trade_options(later(state), 0, only="money")} == {
        "trade:science:money",
        "trade:materials:money",
    }


def test_more_than_forty_is_possible_and_can_be_set_right() -> None:
    state = seat(later(table(*TERRANS[:2])), 0, stock=Stock(57, 3, 3))
    assert check(state) == ()
    assert check(replace(state, later=False)) != ()
    most = {c.id: c.high for c in counters(state)}
    assert most["money:0"] > 57
    assert {c.id: c.high for c in counters(replace(state, later=False))}["money:0"] == 40


# The twelfth cube


def test_a_cube_may_fill_its_track_and_then_it_yields_nothing() -> None:
    state = seat(table(*TERRANS[:2]), 0, tracks=Stock(11, 9, 9))
    assert places(state, 0, "money") == ("science", "materials")
    assert places(later(state), 0, "money") == ("money",)
    full = seat(later(state), 0, tracks=Stock(12, 9, 9))
    assert full.income(0, "money") == 0
    assert state.income(0, "money") == 2
    assert places(full, 0, "money") == ("science", "materials")


def test_twelve_cubes_on_a_track_are_possible_and_can_be_set_right() -> None:
    state = later(table(*TERRANS[:2]))
    twelve = seat(state, 0, tracks=Stock(12, 9, 9))
    assert check(twelve) == ()
    assert check(replace(twelve, later=False)) != ()
    assert next(c for c in counters(state) if c.id == "track:0:money").high == 12


# Explore


def drawn(state: EclipseState, left: int = 1) -> EclipseState:
    return answer(at(state, Explore(0, left)), "0,-1", "sector-101")


def test_draco_may_decline_the_second_hex() -> None:
    draco = table("descendants-of-draco", "terran-directorate")
    assert "enough" not in options(drawn(draco))
    assert "enough" not in options(answer(at(later(draco), Explore(0, 1)), "0,-1"))  # the first is turned up
    state = drawn(later(draco))
    assert "enough" in options(state)
    assert "sector-102" in options(state)
    state = answer(state, "enough")
    assert asked(state) == PlaceHex(0, "0,-1", ("sector-101",), 1)
    assert state.stacks["inner"].left == 7
    assert answer(state, "discard").stacks["inner"].discards == ("sector-101",)


def test_a_discarded_hex_ends_only_that_exploration() -> None:
    planta = table("planta", "terran-directorate")
    assert not answer(drawn(planta, 2), "discard").agenda
    state = answer(drawn(later(planta), 2), "discard")
    assert asked(state) == Explore(0, 1)
    assert not answer(state, "0,-1", "sector-102", "discard").agenda


# Ancient parts


def test_an_ancient_part_may_be_given_up() -> None:
    tiles = {"interceptor": ("shard-hull", "", "", "")}
    state = seat(table(*TERRANS[:2]), 0)
    state = seat(state, 0, upgrades={**state.seats[0].upgrades, **tiles})
    assert "off:interceptor:0" not in options(at(state, Upgrade(0, 2)))
    state = at(later(state), Upgrade(0, 2))
    assert "off:interceptor:0" in options(state)
    state = answer(state, "off:interceptor:0")
    assert design(state, 0, "interceptor").hull == 0
    assert "shard-hull" not in state.seats[0].spare
    assert asked(state) == Upgrade(0, 2)


# Score-only


def told(money: int, **changes: Any) -> position.Position:
    seats = [
        {"name": "Ania", "species": "planta", "sectors": [], "money": money},
        {"name": "Bartek", "species": "mechanema", "sectors": []},
    ]
    return position.read(json.dumps({"game": "eclipse", "seats": seats, **changes}).encode())


def test_a_finished_table_may_have_more_than_forty_in_store() -> None:
    assert told(57, rulings="later").seats[0].money == 57
    for changes in ({}, {"rulings": "printed"}):
        with pytest.raises(DataTrouble) as trouble:
            told(57, **changes)
        assert [p.key for p in trouble.value.problems] == ["eclipse.position.number"]
    with pytest.raises(DataTrouble):
        told(5, rulings="house")
