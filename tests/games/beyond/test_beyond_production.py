"""Supply columns, production, trade and automation (rules 58 to 83)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.agenda import advance
from companion.games.beyond import judgement
from companion.games.beyond import operations as op
from companion.games.beyond.columns import grown, returned, taken
from companion.games.beyond.corrections import check
from companion.games.beyond.counters import counters
from companion.games.beyond.feasible import possible
from companion.games.beyond.state import Base, Ship
from companion.games.beyond.steps.bases import CheckControl
from companion.games.beyond.steps.production import ChooseProduction, ProductionPhase
from companion.games.beyond.steps.resources import MoveRightmost
from tests.games.beyond.tables import asked, does, left, offers, say, seat, table

SIZES = (4, 4, 3, 3, 3)
ABC = {"basic-boards.growth": ["a", "b", "c", "d", "e", "none", "none", "none", "none"]}
HERE = (ChooseProduction(0),)


def test_cubes_leave_from_the_left_and_return_from_the_right() -> None:
    """Rules 60, 62, 64: a column is emptied, or filled, before the next is touched."""
    assert taken((1, 2, 3, 3, 3), 2) == (0, 1, 3, 3, 3)
    assert taken((0, 0, 0, 0, 1), 3) == (0, 0, 0, 0, 0)
    assert returned((0, 3, 3, 3, 3), SIZES, 2) == (1, 4, 3, 3, 3)
    assert returned((4, 4, 3, 1, 2), SIZES, 2) == (4, 4, 3, 2, 3)


def test_when_all_is_full_column_a_is_overfilled() -> None:
    """Rule 63: surplus cubes are ordinary cubes of A."""
    state = does(table(seat(population=3, supply=SIZES), seat()), op.Retire(n=2))
    assert state.seats[0].supply == (6, 4, 3, 3, 3)
    assert grown(state.seats[0].supply, ("a",)) == (5, 4, 3, 3, 3)


def test_an_unusual_column_leaves_a_gap_that_is_filled_first() -> None:
    """Rule 65: returned cubes fill the rightmost empty slots."""
    state = does(table(seat(population=2, supply=(4, 4, 3, 3, 3)), seat()), op.Recruit(n=1, column="d"))
    assert state.seats[0].supply == (4, 4, 3, 2, 3)
    assert does(state, op.Retire()).seats[0].supply == (4, 4, 3, 3, 3)


def test_growth_takes_nothing_from_an_empty_column() -> None:
    """Rules 67, 68 and the example of p. 8: A, B and C visible, nothing in A."""
    who = seat(population=0, supply=(0, 2, 3, 3, 3), automation=("food", "food"))
    state = say(table(who, seat(), taught=ABC, agenda=HERE), "growth")
    assert (state.seats[0].population, state.seats[0].supply) == (2, (0, 1, 2, 3, 3))


def test_the_first_symbol_is_always_visible() -> None:
    """Rules 67, 69 and 71: with no disc removed there is one of each."""
    state = table(seat(population=0), seat(), agenda=HERE)
    assert state.growth(0) == ("a",)
    assert state.ore_income(0) == 1
    assert say(state, "ore").seats[0].ore == 1


def test_ore_by_discs_removed() -> None:
    taught = {"basic-boards.ore_track": [1, 0, 1, 0, 1, 0, 1, 0, 1]}
    state = table(seat(automation=("ore",) * 4), seat(), taught=taught, agenda=HERE)
    assert say(state, "ore").seats[0].ore == 3, "the example of p. 9: four discs gone, three symbols"


def test_a_disc_on_a_system_uncovers_too_and_covers_again() -> None:
    taught = {"basic-boards.ore_track": [1, 1, 1]}
    state = table(seat(), seat(), taught=taught, bases={"a2": Base(0, "ore")})
    assert state.ore_income(0) == 2


def test_three_ore_buy_a_cube_from_the_left_whatever_the_discs() -> None:
    """Rule 73, twice."""
    who = seat(ore=7, population=0, supply=(0, 2, 3, 3, 3))
    state = say(table(who, seat(), agenda=HERE), "trade", "cube", "cube")
    assert (state.seats[0].ore, state.seats[0].population) == (1, 2)
    assert state.seats[0].supply == (0, 0, 3, 3, 3)
    assert "cube" not in offers(state)
    state = say(state, "done")
    assert state.agenda == ()


def test_without_supply_no_cube_can_be_bought() -> None:
    state = say(table(seat(ore=9, population=20, supply=(0,) * 5), seat(), agenda=HERE), "trade")
    assert "cube" not in offers(state)


def test_a_cube_sold_may_buy_the_next_thing() -> None:
    """Rules 72 and 75: results of one exchange feed the next."""
    who = seat("deep-space:4", ore=0, population=1)
    state = say(table(who, seat(), agenda=HERE), "trade", "sell", "ship:deep-space:4")
    assert (state.seats[0].ore, state.seats[0].population, state.seats[0].ships) == (0, 1, ())


def test_taking_a_ship_back_changes_control_at_once() -> None:
    """Rules 74, 76, 150: Red gains Sirius and its bonus in Blue's turn."""
    blue, red = seat("a2:1", "a2:2", ore=1, population=0), seat("a2:2")
    state = table(blue, red, bases={"a2": Base(0, "ore")}, agenda=HERE)
    state = say(state, "trade", "ship:a2:2")
    assert state.bases == {"a2": Base(1, "ore")}
    assert [who.ore for who in state.seats] == [0, 1]
    assert state.seats[0].population == 1
    assert [left(state, n) for n in (0, 1)] == [(8, 8), (8, 7)]


def test_an_own_base_without_ships_around_stays() -> None:
    """Rule 76, reading."""
    state = table(seat("a2:2", ore=1), seat(), bases={"a2": Base(0, "ore")}, agenda=HERE)
    assert say(state, "trade", "ship:a2:2").bases == {"a2": Base(0, "ore")}


def test_ships_in_the_museum_cannot_be_taken_back() -> None:
    state = say(table(seat(ore=5, museum=(3,)), seat(), agenda=HERE), "trade")
    assert not any(option.startswith("ship") for option in offers(state))


@pytest.mark.parametrize(
    ("taken", "population", "ore"), [("both", 1, 1), ("growth", 1, 0), ("ore", 0, 1), ("trade", 0, 0)]
)
def test_lalande_lets_its_owner_use_all_three_in_order(taken: str, population: int, ore: int) -> None:
    """Rule 77: growth, ore, trade; each of them may be left."""
    state = table(seat(population=0, supply=(4, 4, 3, 3, 3)), seat(), all_production=True)
    state = advance(state.push(ProductionPhase(0)))
    assert offers(state) == {"both", "growth", "ore", "trade"}
    state = say(state, taken)
    assert (state.seats[0].population, state.seats[0].ore) == (population, ore)
    assert asked(state).slug == "beyond.trade"


def test_three_exchanges_earn_an_ability() -> None:
    """Rule 179: in any mix, and only from three on."""
    ability = {"does": "when", "when": "three-exchanges", "effects": [{"does": "gain-ore", "n": 5}]}
    for exchanges, ore in ((2, 4), (3, 10)):
        state = table(
            seat(ore=2, population=3, supply=(4, 4, 3, 3, 2)),
            seat(),
            taught={"nations-advanced.abilities": [ability]},
            agenda=(),
        )
        state = state.with_seat(0, replace(state.seats[0], board="nations-advanced"))
        state = advance(state.push(ChooseProduction(0)))
        state = say(state, "trade", *["sell"] * exchanges, "done")
        assert state.seats[0].ore == ore


def test_automation_takes_the_disc_and_never_gives_it_back() -> None:
    """Rules 78, 81."""
    state = does(table(seat(), seat()), op.Automate(disc="food", n=2))
    assert state.seats[0].automation == ("food", "food")
    assert left(state, 0) == (6, 8)


def test_an_empty_track_means_a_marker_that_is_no_achievement() -> None:
    """Rules 79, 182."""
    achievements = {"transcendence": (1,), "empire": (2,)}
    who = seat(automation=("ore",) * 8)
    state = replace(table(who, seat(), seat()), achievements=achievements)
    state = does(state, op.Automate(disc="ore"))
    assert state.seats[0].automation == (*("ore",) * 8, "marker")
    assert state.claimed == 2
    assert state.ending == 0


def test_the_player_picks_the_kind_even_one_that_is_used_up() -> None:
    """Rule 83."""
    state = does(table(seat(automation=("ore",) * 8), seat()), op.Automate(disc="either"))
    assert offers(state) == {"food", "ore"}
    assert say(state, "ore").seats[0].automation[-1] == "marker"


def test_ore_is_paid_in_full_or_not_at_all() -> None:
    """Rule 58; to an opponent it goes to the one named."""
    state = does(table(seat(ore=3), seat(), seat()), op.PayOpponent(n=2))
    state = say(state, "2")
    assert [who.ore for who in state.seats] == [1, 0, 2]


def test_ore_for_what_is_counted_up_to_a_limit() -> None:
    """Manufacturing Orbitals: 1 for each location controlled, at most 3."""
    bases = {place: Base(0, "food") for place in ("a1", "b1", "b2", "yard-1")}
    state = does(table(seat(), seat(), bases=bases), op.GainOre(n=1, per="controlled", most=3))
    assert state.seats[0].ore == 3


def test_supply_moves_where_its_owner_likes() -> None:
    """Android Rights Movement: the rightmost cube, twice; Tau Ceti: to A, widened if necessary."""
    who = seat(supply=(4, 3, 3, 3, 1), population=6)
    state = does(table(who, seat()), op.MoveSupply(n=2))
    state = say(state, "b", "a")
    assert state.seats[0].supply == (5, 4, 3, 2, 0)
    state = does(table(who, seat()), op.MoveSupply(n=1, column_to="a"))
    assert state.seats[0].supply == (5, 3, 3, 3, 0)


def test_only_column_a_may_be_overfilled() -> None:
    """Rule 63: a full column takes no more, no matter who moves a cube or names the column."""
    who = seat(supply=(4, 4, 3, 2, 1), population=6)
    state = does(table(who, seat()), op.MoveSupply(n=1))
    assert offers(state) == {"a", "d", "e"}
    state = does(table(who, seat()), op.MoveSupply(n=1, column_to="b"))
    assert state.seats[0].supply == who.supply
    assert not possible(table(who, seat()), 0, (op.MoveSupply(n=1, column_to="b"),), "terraforming")
    most = {one.id: one.high for one in counters(table(who, seat()))}
    assert (most["supply:0:a"], most["supply:0:b"], most["supply:0:d"]) == (10, 4, 3)
    over = table(seat(supply=(3, 5, 3, 3, 3), population=3), seat())
    assert [problem.key for problem in check(over)] == ["beyond.problem.columns"]
    assert check(table(seat(supply=(5, 4, 3, 3, 3), population=2), seat())) == ()


def test_a_cube_that_was_corrected_away_is_not_moved() -> None:
    """Two cubes are to move; before the second one the table corrects its column."""
    who = seat(supply=(5, 3, 3, 3, 0), population=6)
    state = advance(table(who, seat()).push(MoveRightmost(0, "a", 4)))
    assert state.seats[0].supply == who.supply


def test_two_abilities_of_one_card_with_one_trigger_both_work_once() -> None:
    """Rule 98: each of them has its own first time, in printed order."""
    abilities = [
        {"does": "when", "when": "gaining-control", "effects": [{"does": "gain-ore", "n": n}]} for n in (2, 3)
    ]
    state = table(seat("a1:1"), seat(), taught={"nishida-advanced.abilities": abilities})
    state = state.with_seat(0, replace(state.seats[0], board="nishida-advanced"))
    state = advance(state.push(CheckControl()))
    assert [item.text.n for item in state.news if item.text.key == "beyond.do.take-ore"] == [2, 3]
    again = advance(replace(state, bases={}).push(CheckControl()))
    assert again.seats[0].ore == 5, "once means once"


def test_the_last_ore_disc_wakes_an_ability_after_the_bonuses() -> None:
    """Rule 180: the system's bonus first, then the faction's."""
    ability = {"does": "when", "when": "last-ore-disc", "effects": [{"does": "gain-ore", "n": 4}]}
    state = table(
        seat("a2:1", automation=("ore",) * 7), seat(), taught={"nishida-advanced.abilities": [ability]}
    )
    state = state.with_seat(0, replace(state.seats[0], board="nishida-advanced"))
    state = advance(state.push(CheckControl()))
    taken_ore = [item.text.n for item in state.news if item.text.key == "beyond.do.take-ore"]
    assert taken_ore == [1, 4]
    assert state.seats[0].ships == (Ship("a2", 1),)


def test_the_last_ore_disc_wakes_an_ability_after_the_bonus_for_colonising() -> None:
    """Rule 180: the second disc empties the track, the system's bonus still comes first."""
    ability = {"does": "when", "when": "last-ore-disc", "effects": [{"does": "gain-ore", "n": 4}]}
    taught = {
        "nishida-advanced.abilities": [ability],
        "sirius.colony_bonus": [{"does": "gain-ore", "n": 2}],
        "sirius.points": 3,
    }
    who = seat("a2:4", automation=("ore",) * 6)
    state = table(who, seat(), taught=taught, bases={"a2": Base(0, "ore")})
    state = state.with_seat(0, replace(state.seats[0], board="nishida-advanced"))
    state = say(does(state, op.Colonise()), "a2", "4", "system-10")
    assert left(state, 0) == (8, 0)
    assert [item.text.n for item in state.news if item.text.key == "beyond.do.take-ore"] == [2, 4]


def test_an_ability_that_waits_for_colonising_comes_after_the_bonus_for_it() -> None:
    """Rule 163: the system's bonus comes at once."""
    ability = {"does": "when", "when": "colonising", "effects": [{"does": "gain-ore", "n": 4}]}
    taught = {
        "nishida-advanced.abilities": [ability],
        "sirius.colony_bonus": [{"does": "gain-ore", "n": 2}],
        "sirius.points": 3,
    }
    state = table(seat("a2:4"), seat(), taught=taught, bases={"a2": Base(0, "ore")})
    state = state.with_seat(0, replace(state.seats[0], board="nishida-advanced"))
    state = say(does(state, op.Colonise()), "a2", "4", "system-10")
    assert [item.text.n for item in state.news if item.text.key == "beyond.do.take-ore"] == [2, 4]


def test_what_cannot_be_paid_for_is_not_done() -> None:
    """Rule 47: a bonus that begins with a cost is left out as a whole."""
    state = does(table(seat(ore=1), seat()), op.PayOre(n=2), op.Recruit(n=1))
    assert (state.seats[0].ore, state.seats[0].population) == (1, 2)


# What demonstration bots think of it


def test_careful_bots_grow_as_long_as_they_have_ore_for_their_cubes() -> None:
    assert judgement.production(table(seat(population=1, ore=3), seat(), taught=ABC), 0) == "growth"
    assert judgement.production(table(seat(population=3, ore=1), seat(), taught=ABC), 0) == "ore"


def test_careful_bots_trade_if_growth_gives_nothing() -> None:
    """Column A is empty and no other symbol is visible: population comes from ore, or from ships."""
    starving = table(seat(population=0, ore=3, supply=(0, 4, 3, 3, 3)), seat(), taught=ABC)
    assert judgement.production(starving, 0) == "trade"
    assert judgement.trade(starving, 0, ["done", "cube", "sell"]) == "cube"
    assert judgement.trade(table(seat(population=1), seat()), 0, ["done", "cube"]) == "done"


def test_careful_bots_keep_a_cube_for_research() -> None:
    assert judgement.builds(table(seat(population=2), seat()), 0)
    assert not judgement.builds(table(seat(population=1), seat()), 0)
