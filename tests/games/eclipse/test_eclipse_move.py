"""Move (p. 14) and what it does to friends (p. 11)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.eclipse.component_types import Stock
from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.steps.diplomacy import may_ally
from companion.games.eclipse.steps.influence import Influence
from companion.games.eclipse.steps.move import Move, go, movable, routes
from companion.games.eclipse.steps.upgrade import put_part
from tests.games.eclipse.eclipse_tables import TERRANS, answer, asked, at, free, options, seat, sector, table

HOME = "0,-2"


def corridor(*species: str, **ships: tuple[tuple[int, dict[str, int]], ...]) -> EclipseState:
    """Home, then outwards 312 (0,-3), 304 (0,-4), 310 (0,-5) in a straight line of whole wormholes."""
    state = table(*(species or TERRANS[:2]))
    for place, id in (("0,-3", "sector-312"), ("0,-4", "sector-304"), ("0,-5", "sector-310")):
        state = sector(state, place, id, ships=ships.get(id.replace("-", "_"), ()))
    return state


def fast(state: EclipseState, who: int = 0) -> EclipseState:
    """Interceptors of this seat move two."""
    return put_part(state, who, "interceptor", 0, "nuclear-drive")


def test_a_ship_moves_as_far_as_its_drives_reach() -> None:
    assert routes(corridor(), 0, "interceptor", HOME) == {"0,-3": (HOME, "0,-3")}
    assert set(routes(fast(corridor()), 0, "interceptor", HOME)) == {"0,-3", "0,-4"}
    assert routes(corridor(), 0, "starbase", HOME) == {}


def test_the_same_ship_may_use_all_moves() -> None:
    state = answer(
        at(corridor(), Move(0, 3)), f"interceptor:{HOME}", f"{HOME}>0,-3", "interceptor:0,-3", "0,-3>0,-4"
    )
    state = answer(state, "interceptor:0,-4", "0,-4>0,-5")
    assert state.map["0,-5"].ships(0) == 1
    assert not state.agenda


def test_the_three_moves_of_page_14() -> None:
    """Red moves an interceptor with two drives twice, and a cruiser that reaches three sectors once."""
    state = put_part(fast(sector(corridor(), "0,-6", "sector-313")), 0, "cruiser", 1, "fusion-drive")
    fleet = replace(state.map[HOME].fleets[0], ships={"interceptor": 1, "cruiser": 1})
    state = at(state.with_sector(HOME, replace(state.map[HOME], fleets=(fleet,))), Move(0, 3))
    state = answer(state, f"interceptor:{HOME}", f"{HOME}>0,-3>0,-4", "interceptor:0,-4", "0,-4>0,-5>0,-6")
    state = answer(state, f"cruiser:{HOME}", f"{HOME}>0,-3>0,-4>0,-5")
    assert (state.map["0,-6"].ships(0), state.map["0,-5"].ships(0)) == (1, 1)
    assert not state.agenda


def test_half_a_wormhole_needs_the_generator() -> None:
    state = sector(
        table(*TERRANS[:2]), "1,-3", "sector-304"
    )  # wormholes 0 and 3, the home sector's 1 leads there
    assert routes(state, 0, "interceptor", HOME) == {}
    state = seat(state, 0, technologies=("tech-wormhole-generator",))
    assert set(routes(state, 0, "interceptor", HOME)) == {"1,-3"}
    state = sector(state, "1,-2", "sector-304")  # neither side has one
    assert set(routes(state, 0, "interceptor", HOME)) == {"1,-3"}


def test_enemy_ships_stop_as_many_and_the_rest_goes_on() -> None:
    """The example of p. 14: the first green interceptor is held by a red one, the second flies through."""
    state = fast(corridor(sector_312=((1, {"interceptor": 1}),)))
    state = state.with_sector(
        HOME, replace(state.map[HOME], fleets=(replace(state.map[HOME].fleets[0], ships={"interceptor": 2}),))
    )
    assert set(routes(state, 0, "interceptor", HOME)) == {"0,-3"}
    state = go(state, 0, "interceptor", (HOME, "0,-3"))
    assert set(routes(state, 0, "interceptor", HOME)) == {"0,-3", "0,-4"}
    assert routes(state, 0, "interceptor", "0,-3") == {}
    after = go(state, 0, "interceptor", (HOME, "0,-3", "0,-4"))
    assert (after.map["0,-3"].ships(0), after.map["0,-4"].ships(0)) == (1, 1)


def test_ancients_pin_but_not_draco() -> None:
    state = fast(corridor())
    state = state.with_sector("0,-3", replace(state.map["0,-3"], ancients=1))
    assert set(routes(state, 0, "interceptor", HOME)) == {"0,-3"}
    draco = fast(corridor("descendants-of-draco", "terran-directorate"))
    draco = draco.with_sector("0,-3", replace(draco.map["0,-3"], ancients=1))
    assert set(routes(draco, 0, "interceptor", HOME)) == {"0,-3", "0,-4"}


def test_nobody_flies_past_the_guard_of_the_centre() -> None:
    state = sector(table(*TERRANS[:2]), "0,-1", "sector-104", ships=((0, {"interceptor": 9}),))
    state = sector(state, "0,1", "sector-104")
    state = put_part(fast(state), 0, "interceptor", 1, "nuclear-drive")
    assert set(routes(state, 0, "interceptor", "0,-1")) == {HOME, "0,0"}
    inside = sector(state, "0,0", "sector-001", ships=((0, {"interceptor": 2}),), gcds=True)
    assert all(place != "0,0" for _, place in movable(inside, 0))
    open_ = sector(state, "0,0", "sector-001")
    assert "0,1" in routes(open_, 0, "interceptor", "0,-1")


def test_who_comes_later_stands_behind_and_comes_last_again_after_leaving() -> None:
    state = corridor(sector_312=((1, {"interceptor": 1}),))
    state = go(state, 0, "interceptor", (HOME, "0,-3"))
    assert [fleet.seat for fleet in state.map["0,-3"].fleets] == [1, 0]


# Diplomacy


def four() -> EclipseState:
    """Four Terrans; 312 of seat 0 and 304 of seat 1 are joined."""
    state = sector(table(*TERRANS[:4]), "2,-3", "sector-312", owner=0)
    return sector(state, "2,-4", "sector-304", owner=1)


def allied() -> EclipseState:
    state = answer(at(four(), Influence(0, 1)), "ally:1", "yes", "money", "science")
    return replace(state, agenda=())


def test_ambassadors_are_exchanged_with_a_cube_each() -> None:
    state = at(four(), Influence(0, 1))
    assert free(state, "ally:") == ["ally:1"]
    state = answer(state, "ally:1")
    assert asked(state).seat == 1
    state = answer(state, "yes", "money", "science")
    assert (state.seats[0].partners, state.seats[1].partners) == ((1,), (0,))
    assert state.seats[0].tracks == Stock(9, 10, 10)
    assert state.seats[1].tracks == Stock(10, 9, 10)
    assert free(state, "ally:") == []


def test_a_seat_that_declines_is_not_asked_again_in_this_turn() -> None:
    state = answer(at(four(), Influence(0, 1)), "ally:1", "no")
    assert free(state, "ally:") == []


def test_diplomacy_needs_a_whole_wormhole_four_players_and_no_traitor() -> None:
    state = four()
    assert may_ally(state, 0, 1)
    assert not may_ally(state, 0, 2)
    assert not may_ally(replace(state, traitor=1), 0, 1)
    assert not may_ally(seat(state, 0, partners=(2, 3, 4)), 0, 1)
    three = sector(table(*TERRANS[:3]), "2,-3", "sector-312", owner=0)
    assert not may_ally(sector(three, "2,-4", "sector-304", owner=1), 0, 1)
    half = sector(state, "2,-4", "sector-304", 1, owner=1)
    assert not may_ally(seat(half, 0, technologies=("tech-wormhole-generator",)), 0, 1)


def test_a_full_track_gives_up_a_reputation_tile() -> None:
    """p. 17: Paweł returns a tile to the bag. Terrans have a place for ambassadors only, so theirs must be full too."""
    state = seat(four(), 0, reputation=3, partners=(2, 3))
    state = seat(seat(state, 2, partners=(0,)), 3, partners=(0,))
    assert state.species(0).track.fits(2, 3)
    assert not state.species(0).track.fits(3, 3)
    state = answer(at(state, Influence(0, 1)), "ally:1", "yes", "money", "money")
    assert (state.seats[0].reputation, state.seats[0].partners) == (2, (2, 3, 1))


def test_entering_a_partners_sector_is_treason() -> None:
    """p. 17: Marcin attacks Krzysztof."""
    state = allied()
    state = sector(state, "2,-3", "sector-312", owner=0, ships=((0, {"interceptor": 1}),))
    state = at(state, Move(0, 1))
    state = answer(state, "interceptor:2,-3")
    way = asked(state).ask(state).option("2,-3>2,-4")
    assert way is not None
    assert way.detail is not None
    assert way.detail.key == "eclipse.way-betrays"
    state = answer(state, "2,-3>2,-4")
    assert state.traitor == 0
    assert (state.seats[0].partners, state.seats[1].partners) == ((), ())
    # Each cube goes to a track of its owner's choice.
    while state.agenda:
        assert asked(state).slug == "eclipse.return-cube"
        state = answer(state, options(state)[0])
    assert [state.seats[n].tracks.total for n in (0, 1)] == [30, 30]


def why(state: EclipseState, hex: str) -> str:
    """The reason why the interceptor at home cannot come to a sector."""
    state = answer(at(state, Move(0, 3)), f"interceptor:{HOME}")
    return asked(state).why_not(state, hex).key


def test_a_sector_out_of_reach_is_too_far_barred_or_not_joined() -> None:
    assert why(corridor(), "sector-304") == "eclipse.why.too-far"
    barred = fast(corridor(sector_312=((1, {"interceptor": 1}),)))
    assert why(barred, "sector-304") == "eclipse.why.barred"
    assert why(sector(corridor(), "3,-3", "sector-303"), "sector-303") == "eclipse.why.no-wormhole"
    assert why(corridor(), "hull") == "eclipse.why.not-a-hex"


def test_ships_that_are_pinned_are_named() -> None:
    state = sector(
        corridor(), "-1,-2", "sector-303", ships=((0, {"interceptor": 1}), (1, {"interceptor": 1}))
    )
    state = at(state, Move(0, 3))
    assert [note.key for note in asked(state).ask(state).notes] == ["eclipse.why.pinned"]
