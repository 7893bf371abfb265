"""What questions show in symbols: prices, places, turns, cells, ships before and after, odds; and moves on
the table."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.faces import ARROW
from companion.core.words import plain
from companion.games.eclipse.component_types import Stock, sectors
from companion.games.eclipse.faces import face, lying
from companion.games.eclipse.geometry import mouths
from companion.games.eclipse.state import Sector
from companion.games.eclipse.steps.build import Build
from companion.games.eclipse.steps.claim import MayClaim
from companion.games.eclipse.steps.cleanup import DrawTechnologies
from companion.games.eclipse.steps.end import TellReputation
from companion.games.eclipse.steps.explore import DISCARD, Explore, PlaceHex, TurnUp
from companion.games.eclipse.steps.influence import Influence
from companion.games.eclipse.steps.move import Move
from companion.games.eclipse.steps.research import Research
from companion.games.eclipse.steps.round import PASS, Turn
from companion.games.eclipse.steps.upgrade import Upgrade
from tests.games.eclipse import battle_tables
from tests.games.eclipse.eclipse_tables import answer, at, options, question, rich, seat, sector, table

TWO = ("terran-federation", "planta")


def signs(state, id):
    return [(sign.symbol, sign.value) for sign in question(state).option(id).signs]


def test_an_action_shows_how_often_and_what_its_disc_costs() -> None:
    state = at(seat(table(*TWO), 0, acted={"explore": 3}), Turn(0))
    assert signs(state, "upgrade") == [("upgrade", "×2"), ("disc", ""), (ARROW.symbol, ""), ("money", "−1")]
    assert state.upkeep(0, 1) - state.upkeep(0) == 1
    assert signs(at(table(*TWO), Turn(1)), "explore")[0] == ("explore", "×2")


def test_passing_shows_the_sum_of_upkeep() -> None:
    state = at(seat(table(*TWO), 0, stock=Stock(5, 0, 0)), Turn(0))
    assert signs(state, PASS) == [
        ("money-income", f"+{state.income(0, 'money')}"),
        ("upkeep", f"−{state.upkeep(0)}"),
        (ARROW.symbol, ""),
        ("money", str(state.balance(0))),
    ]


def test_bankruptcy_is_a_warning_and_says_by_how_much() -> None:
    rich_enough = at(seat(table(*TWO), 0, stock=Stock(9, 0, 0)), Turn(0))
    assert question(rich_enough).warning is None
    poor = seat(table(*TWO), 0, stock=Stock(0, 3, 3), acted={"explore": 4})
    assert (poor.balance(0), poor.balance(0, 1)) == (0, -2)
    warning = question(at(poor, Turn(0))).warning
    assert (warning.key, warning.args["n"]) == ("eclipse.warning.bankrupt-by-action", 2)
    claiming = sector(poor, "0,-3", "sector-313", 0)
    warning = question(at(claiming, MayClaim(0, "0,-3"))).warning
    assert (warning.key, warning.args["n"]) == ("eclipse.warning.bankrupt-by-disc", 2)
    assert question(at(seat(claiming, 0, stock=Stock(9, 0, 0)), MayClaim(0, "0,-3"))).warning is None
    broke = seat(poor, 0, acted={"explore": 5})
    warning = question(at(broke, Turn(0))).warning
    assert (warning.key, warning.args["n"]) == ("eclipse.warning.bankrupt", 2)


def test_what_is_built_shows_its_price() -> None:
    state = at(rich(table(*TWO), 0), Build(0, 2))
    assert signs(state, "cruiser") == [("materials", "−5"), (ARROW.symbol, ""), ("cruiser", "")]


def test_a_technology_shows_what_it_costs_this_seat() -> None:
    state = at(rich(table(*TWO), 0), DrawTechnologies(1))
    state = at(answer(state, "tech-gauss-shield"), Research(0, 1))
    assert signs(state, "tech-gauss-shield") == [("science", "−2")]


def test_trade_and_colony_ships_show_what_goes_and_what_comes() -> None:
    state = at(rich(table(*TWO), 0, 8), Turn(0))
    assert signs(state, "trade:science:money") == [("science", "−2"), (ARROW.symbol, ""), ("money", "1")]


def test_questions_about_sectors_name_their_places() -> None:
    state = rich(table(*TWO), 0)
    home = state.controlled(0)[0]
    exploring = question(at(state, Explore(0, 1)))
    assert all(option.place == option.id for option in exploring.options if option.id != "done")
    assert question(at(state, Influence(0, 2))).option(home).place == home
    moving = at(sector(state, "0,-1", "sector-106", owner=0), Move(0, 1))
    (ship,) = options(moving, "done")
    assert question(moving).option(ship).place == home
    assert all(option.place == option.id.split(">")[-1] for option in question(answer(moving, ship)).options)


def test_a_hex_is_laid_turned_as_its_option_says() -> None:
    place = options(at(table(*TWO), Explore(0, 1)), "done")[0]
    state = at(table(*TWO), PlaceHex(0, place, ("sector-301",), 1))
    hex = sectors()["sector-301"]
    laid = [option for option in question(state).options if option.id != DISCARD]
    assert laid
    for option in laid:
        assert option.id == f"sector-301:r{option.turn}"
        assert option.place == place
        assert {n for n, is_open in enumerate(option.face.edges) if is_open} == set(mouths(hex, option.turn))
        assert option.face.short == plain("301")


def test_hexes_that_may_be_turned_up_stand_in_a_grid() -> None:
    place = options(at(table(*TWO), Explore(0, 1)), "done")[0]
    cells = [option.cell for option in question(at(table(*TWO), TurnUp(0, place, (), 1))).options]
    assert len(set(cells)) == len(cells)
    assert max(column for _, column in cells) == 5


def test_technologies_stand_as_on_the_board_and_are_counted() -> None:
    state = at(table(*TWO), DrawTechnologies(3))
    asked = question(state)
    assert {option.cell for option in asked.options} == {
        (row, column) for row in range(3) for column in range(8)
    }
    assert (asked.tally.done, asked.tally.total) == (0, 3)
    state = answer(state, "tech-orbital", "tech-orbital")
    asked = question(state)
    assert (asked.tally.done, asked.tally.total) == (2, 3)
    assert asked.option("tech-orbital").picked == 2
    assert asked.option("tech-gauss-shield").picked == 0
    assert signs(state, "tech-orbital") == [("bag", str(state.in_bag("tech-orbital")))]


def test_reputation_is_told_tile_by_tile_on_one_page() -> None:
    state = at(seat(table(*TWO), 0, reputation=2), TellReputation(0))
    assert (question(state).tally.done, question(state).tally.total) == (0, 2)
    state = answer(state, "reputation-3")
    assert question(state).option("reputation-3").picked == 1


def test_a_part_is_drawn_on_the_ship_it_goes_to() -> None:
    state = answer(at(table(*TWO), Upgrade(0, 2)), "nuclear-source")
    asked = question(state)
    before = {face.corners: face for face in asked.faces}
    assert len(before) == 4
    for option in asked.options:
        changed = [n for n, spot in enumerate(option.face.spots) if spot.changed]
        assert changed == [int(option.id.partition(":")[2])]
        old = before[option.face.corners]
        assert option.face.spots[changed[0]].sign.symbol == "source"
        assert [spot.sign for n, spot in enumerate(old.spots) if n not in changed] == [
            spot.sign for n, spot in enumerate(option.face.spots) if n not in changed
        ]


@pytest.fixture
def battle():
    fleets = ((0, {"interceptor": 2}), (1, {"cruiser": 1}))
    seats = [battle_tables.seat(name, kind) for name, kind in zip("AB", TWO, strict=True)]
    return battle_tables.table(seats, battle_tables.sector("sector-103", *fleets, owner=0))


def test_a_battle_shows_both_sides_in_the_order_of_their_turns(battle) -> None:
    asked = battle_tables.asked(battle)
    assert {face.seat for face in asked.faces} == {0, 1}
    order = [int(face.corners[1].value) for face in asked.faces]
    assert order == sorted(order, reverse=True)
    assert [(face.corners[0].symbol, face.corners[0].value) for face in asked.faces if face.seat == 0] == [
        ("interceptor", "×2")
    ]
    shooting = battle_tables.asked(battle_tables.answer(battle, "fight"))
    assert [face.framed for face in shooting.faces].count(True) == 1


def test_damage_is_seen_on_the_ship(battle) -> None:
    state = battle_tables.answer(battle, "fight", "6", "1")
    (cruiser,) = [face for face in battle_tables.asked(state).faces if face.seat == 1]
    (bears,) = cruiser.rows[1:]
    assert [sign.dim for sign in bears] == [False, True]


def test_odds_are_shares_of_the_whole_unless_the_table_does_not_want_them(battle) -> None:
    shares = battle_tables.asked(battle).odds
    assert {share.seat for share in shares} == {0, 1}
    assert sum(share.share for share in shares) == pytest.approx(1)
    assert all(share.signs for share in shares)
    assert battle_tables.asked(replace(battle, odds=False)).odds == ()


def test_hands_are_told_what_is_easily_forgotten_before_what_everybody_does() -> None:
    state = answer(at(table(*TWO), Turn(0)), PASS)
    kinds = {(item.kind, item.usual) for item in state.news}
    assert kinds == {("told", False), ("hands", False)}  # the pass itself; the marker that is taken with it
    state = answer(at(table(*TWO), Turn(0)), "explore")
    assert [item.kind for item in state.news] == ["told"]  # the player who says so puts the disc there
    state = answer(at(rich(table(*TWO), 0), Build(0, 1)), "cruiser")
    assert [(item.kind, item.usual) for item in state.news] == [("hands", True)]
    place = options(at(table(*TWO), Explore(0, 1)), "done")[0]
    state = at(table(*TWO), PlaceHex(0, place, ("sector-301",), 1))
    lays = next(option.id for option in question(state).options if option.turn is not None)
    assert sectors()["sector-301"].ancients
    told = [(item.text.args["deeds"][0].key, item.kind, item.usual) for item in answer(state, lays).news]
    assert told[0] == ("eclipse.puts-down", "told", False)
    assert ("eclipse.put-ancients", "hands", False) in told


def test_a_sector_before_a_seat_looks_as_it_lies_there() -> None:
    facts = sectors()["sector-308"]
    bare = Sector("sector-308", rotation=1, cubes=(True, *(False,) * (len(facts.squares) - 1)))
    shown = lying(table(*TWO), bare)
    assert [spot.taken for spot in shown.spots] == list(bare.cubes)
    assert shown.edges == tuple((side - 1) % 6 in facts.wormholes for side in range(6))
    assert shown.corners == face(facts).corners
