"""Setting up: species against the clock, start positions, stacks, what every species begins with (pp. 4-5, 26-27)."""

from __future__ import annotations

import pytest

from companion.core.agenda import take
from companion.core.game import Setup
from companion.core.questions import Answer
from companion.games.eclipse import GAME
from companion.games.eclipse.component_types import Stock, species
from companion.games.eclipse.state import EclipseState
from tests.games.eclipse.eclipse_tables import NAMES, TERRANS, answer, asked, options, table


def start(seats: int) -> EclipseState:
    state: EclipseState = GAME.start(Setup("eclipse", NAMES[:seats]))
    return state


def test_species_are_chosen_from_the_right_of_the_first_player_against_the_clock() -> None:
    state = answer(start(4), "1")
    order = []
    for _ in range(4):
        order.append(asked(state).seat)
        state = answer(state, options(state)[0])
    assert order == [0, 3, 2, 1]
    assert state.first == 1


def test_a_board_has_two_sides_and_is_taken_with_both() -> None:
    state = answer(start(2), "0", "planta")
    assert "planta" not in options(state)
    assert "terran-union" not in options(state)
    assert len(options(state)) == 10
    assert asked(state).why_not(state, "planta").key == "eclipse.why.species-taken"


@pytest.mark.parametrize(
    ("seats", "first", "outer"), [(2, 12, 5), (3, 14, 10), (4, 16, 14), (5, 18, 16), (6, 20, 18)]
)
def test_technologies_and_stacks_by_number_of_players(seats: int, first: int, outer: int) -> None:
    state = answer(start(seats), "0", *TERRANS[:seats])
    assert {ring: stack.left for ring, stack in state.stacks.items()} == {
        "inner": 8,
        "middle": 11,
        "outer": outer,
    }
    for _ in range(first):
        assert asked(state).slug == "eclipse.technology"
        state = answer(state, options(state)[0])
    assert asked(state).slug == "eclipse.turn"
    assert sum(state.offered.values()) == first
    assert state.round == 1


def test_only_so_many_tiles_of_a_technology_are_in_the_bag() -> None:
    state = answer(start(2), "0", *TERRANS[:2])
    state = answer(state, *["tech-gluon-computer"] * 3)
    assert "tech-gluon-computer" not in options(state)
    assert asked(state).why_not(state, "tech-gluon-computer").key == "eclipse.why.none-in-bag"
    # What is printed on boards is no tile: all five starbases are still there.
    assert state.in_bag("tech-starbase") == 5


def test_the_centre_is_guarded_and_has_a_discovery() -> None:
    state = table(*TERRANS[:2])
    centre = state.map["0,0"]
    assert (centre.gcds, centre.discovery, centre.owner) == (True, True, None)
    assert state.discoveries_left() == 20


def test_terrans_begin() -> None:
    state = table(*TERRANS[:3])
    who = state.seats[0]
    assert who.stock == Stock(2, 3, 3)
    assert who.tracks == Stock(10, 10, 10)
    assert [state.income(0, kind) for kind in ("money", "science", "materials")] == [3, 3, 3]
    assert state.discs_on_track(0) == 12
    assert state.upkeep(0) == 0
    home = state.map["0,-2"]
    assert (home.hex, home.owner, home.population) == ("sector-221", 0, 3)
    assert home.fleets[0].ships == {"interceptor": 1}


BEGINS = {
    "eridani-empire": (Stock(26, 2, 4), Stock(10, 10, 11), 11, 3, 1),
    "hydran-progress": (Stock(2, 5, 2), Stock(10, 9, 11), 13, 3, 0),
    "planta": (Stock(4, 4, 4), Stock(10, 10, 10), 13, 4, 0),
    "descendants-of-draco": (Stock(2, 4, 3), Stock(10, 10, 11), 13, 3, 0),
    "mechanema": (Stock(3, 3, 3), Stock(10, 10, 11), 13, 3, 0),
    "orion-hegemony": (Stock(3, 3, 5), Stock(11, 10, 10), 13, 3, 0),
}


@pytest.mark.parametrize("id", sorted(BEGINS))
def test_aliens_begin(id: str) -> None:
    stock, tracks, discs, colony_ships, upkeep = BEGINS[id]
    state = table(id, "terran-conglomerate" if id != "mechanema" else "terran-union")
    who = state.seats[0]
    assert (who.stock, who.tracks, who.discs) == (stock, tracks, discs)
    assert state.colony_ships(0) == colony_ships
    assert state.upkeep(0) == upkeep
    assert who.technologies == species()[id].technologies
    assert who.reputation == (2 if id == "eridani-empire" else 0)
    ship = "cruiser" if id == "orion-hegemony" else "interceptor"
    assert state.map["0,-2"].fleets[0].ships == {ship: 1}


def test_an_answer_too_late_changes_nothing() -> None:
    state = start(2)
    after = take(state, Answer(None, "eclipse.first", "0"))
    assert after.seats == state.seats
