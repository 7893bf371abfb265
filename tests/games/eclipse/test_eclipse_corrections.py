"""Correcting numbers by hand, and impossible tables."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest
from msgspec.structs import replace

from companion.core.game import Setup
from companion.core.questions import Answer
from companion.core.session import Moment, Session, begin
from companion.errors import NotNow, PlayerTrouble
from companion.games.eclipse import GAME
from companion.games.eclipse.component_types import Stock, parts
from companion.games.eclipse.conserved import check
from companion.games.eclipse.corrections import counters, part_number
from companion.games.eclipse.map_corrections import number_of, place_of
from companion.games.eclipse.species import blueprint
from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.steps.end import EndPlay
from companion.games.eclipse.steps.explore import Explore
from companion.games.eclipse.steps.round import Turn
from companion.games.eclipse.steps.upgrade import scanned
from companion.texts import render
from tests.games.eclipse.eclipse_tables import NAMES, TERRANS, answer, at, options, seat, sector, table
from tests.laws.walks import any_counter


def session(state: EclipseState) -> Session:
    return Session(
        GAME, Setup("eclipse", NAMES[: len(state.seats)]), (Moment(state),), thought=(0.0,) * len(state.seats)
    )


def playing() -> Session:
    return session(at(table(*TERRANS[:2]), Turn(0)))


def corrected(counter: str, value: int) -> EclipseState:
    state: EclipseState = playing().correct(counter, value, 0.0).state
    return state


def test_numbers_of_a_board() -> None:
    assert corrected("money:0", 17).seats[0].stock == Stock(17, 3, 3)
    assert corrected("colonised:1", 2).seats[1].colonised == 2
    assert corrected("reputation:0", 3).reputation_left() == 29
    assert corrected("kept:1", 1).discoveries_left() == 19


def test_ships_and_technologies() -> None:
    state = corrected("ships:0:cruiser:0,-2", 2)
    assert state.map["0,-2"].fleets[0].ships == {"interceptor": 1, "cruiser": 2}
    state = corrected("ships:0:interceptor:0,-2", 0)
    assert state.map["0,-2"].fleets == ()
    assert corrected("offered:tech-orbital", 3).offered == {"tech-orbital": 3}


def test_cubes_discs_and_tiles_of_a_seat() -> None:
    state = corrected("cube:0,-2:0", 0)
    assert (state.map["0,-2"].population, state.seats[0].tracks) == (2, Stock(11, 10, 10))
    assert corrected("cube:0,-2:1", 1).seats[0].tracks == Stock(9, 10, 10)
    state = corrected("technology:0:tech-quantum-grid", 1)
    assert (state.seats[0].discs, state.in_bag("tech-quantum-grid")) == (15, 2)
    counted = {c.id for c in counters(playing().state)}
    assert "technology:0:tech-starbase" not in counted
    assert "disc:0:0,-2" not in counted  # cubes lie there
    assert corrected("disc:1:0,0", 1).map["0,0"].owner == 1


def named(now: Session, counter: str) -> dict[str, int]:
    """The values of a counter by their English names."""
    found = next(c for c in now.counters() if c.id == counter)
    return {render(name, "en"): value for value, name in found.names}


def lies(state: EclipseState, id: str) -> str | None:
    return next((place for place, sector in state.map.items() if sector.hex == id), None)


def test_a_hex_is_put_down_moved_turned_and_taken_away() -> None:
    before = playing()
    assert lies(before.state, "sector-101") is None
    put = before.correct("hex:sector-101", number_of("0,-1"), 0.0)
    assert (lies(put.state, "sector-101"), put.state.stacks["inner"].left) == ("0,-1", 7)
    assert (put.state.map["0,-1"].ancients, put.state.map["0,-1"].discovery) == (1, True)  # as printed
    turned = put.correct("turn:0,-1", 2, 0.0)
    assert turned.state.map["0,-1"].rotation == 2
    moved = turned.correct("hex:sector-101", number_of("1,-1"), 0.0)
    assert "0,-1" not in moved.state.map
    assert moved.state.map["1,-1"] == turned.state.map["0,-1"]
    away = moved.correct("hex:sector-101", 0, 0.0)
    assert away.state.stacks["inner"].discards == ("sector-101",)
    assert away.state.ancients_left() == before.state.ancients_left()
    again = away.correct("hex:sector-101", number_of("0,1"), 0.0)
    assert (again.state.stacks["inner"].discards, again.state.stacks["inner"].left) == ((), 7)


def test_where_a_hex_cannot_lie() -> None:
    now = playing().correct("hex:sector-101", number_of("0,-1"), 0.0)
    free = {place_of(value) for value in named(now, "hex:sector-102").values() if value}
    assert free == {"1,-1", "1,0", "0,1", "-1,1", "-1,0"}  # round the centre, where none lies
    with pytest.raises(NotNow):
        now.correct("hex:sector-102", number_of("0,-1"), 0.0)  # another one lies there
    with pytest.raises(NotNow):
        now.correct("hex:sector-102", number_of("0,-3"), 0.0)  # that is the outer ring
    assert "not on the map" not in named(now, "hex:sector-221")  # a home sector stays
    assert "hex:sector-001" not in {c.id for c in now.counters()}
    with pytest.raises(NotNow, match="disc or ships"):
        now.correct("disc:0:0,-1", 1, 0.0).correct("hex:sector-101", 0, 0.0)


def test_nothing_is_moved_where_something_is_being_decided() -> None:
    exploring = session(answer(at(table(*TERRANS[:2]), Explore(0, 1)), "0,-3", "sector-306"))
    with pytest.raises(NotNow, match="Somebody is exploring"):
        exploring.correct("hex:sector-101", number_of("0,-1"), 0.0)
    claiming = session(answer(exploring.state, options(exploring.state)[0]))
    with pytest.raises(NotNow, match="being decided at 306"):
        claiming.correct("turn:0,-3", 3, 0.0)
    with pytest.raises(NotNow, match="being decided at 306"):
        claiming.correct("hex:sector-306", number_of("1,-3"), 0.0)


def test_what_lies_on_a_hex() -> None:
    now = playing().correct("hex:sector-101", number_of("0,-1"), 0.0)
    assert now.correct("ancients:0,-1", 0, 0.0).state.map["0,-1"].ancients == 0
    assert not now.correct("discovery:0,-1", 0, 0.0).state.map["0,-1"].discovery
    assert not now.correct("gcds:0,0", 0, 0.0).state.map["0,0"].gcds
    assert now.correct("monolith:0,-2", 1, 0.0).state.structures_left() == 21
    orbital = now.correct("orbital:0,-2", 1, 0.0)
    square = f"cube:0,-2:{len(orbital.state.map['0,-2'].facts.squares)}"
    settled = orbital.correct(square, 1, 0.0)
    assert settled.state.map["0,-2"].population == now.state.map["0,-2"].population + 1
    with pytest.raises(NotNow, match="A cube lies on the orbital"):
        settled.correct("orbital:0,-2", 0, 0.0)
    assert settled.correct(square, 0, 0.0).correct("orbital:0,-2", 0, 0.0).state.map == now.state.map


def test_parts_of_a_ship() -> None:
    now = playing()
    hull = named(now, "part:0:cruiser:0")["Hull"]
    changed = now.correct("part:0:cruiser:0", hull, 0.0)
    assert changed.state.seats[0].upgrades["cruiser"][0] == "hull"
    assert changed.correct("part:0:cruiser:0", 0, 0.0).state.seats[0].upgrades["cruiser"][0] == ""
    slots = blueprint(now.state, 0, "cruiser").slots
    drive = next(n for n, part in enumerate(slots) if part and parts()[part].movement)
    with pytest.raises(NotNow, match="energy or a drive"):
        now.correct(f"part:0:cruiser:{drive}", hull, 0.0)
    assert "Plasma Cannon" not in named(now, "part:0:cruiser:0")  # its technology is missing


def test_an_ancient_part_that_is_replaced_by_hand_is_kept() -> None:
    state = seat(at(table(*TERRANS[:2]), Turn(0)), 0, spare=("axion-computer",))
    now = session(replace(state, used={scanned("axion-computer"): 1}))
    axion = named(now, "part:0:cruiser:0")["Axion Computer"]
    fitted = now.correct("part:0:cruiser:0", axion, 0.0)
    assert fitted.state.seats[0].spare == ()
    assert fitted.correct("part:0:cruiser:0", 0, 0.0).state.seats[0].spare == ("axion-computer",)


def test_cubes_on_tracks_go_from_one_to_another() -> None:
    now = playing()
    assert now.state.seats[0].tracks == Stock(10, 10, 10)
    moved = now.correct("track:0:money", 9, 0.0).correct("track:0:science", 10, 0.0)
    assert moved.state.seats[0].tracks == Stock(9, 10, 11)
    with pytest.raises(NotNow, match="cannot hold"):
        now.correct("track:0:money", 7, 0.0)


def test_ambassadors_are_exchanged_and_go_home_each_with_a_cube() -> None:
    now = session(at(table(*TERRANS[:4]), Turn(0)))
    allied = now.correct("pact:0:2", 1, 0.0)
    assert [s.partners for s in allied.state.seats] == [(2,), (), (0,), ()]
    assert [s.tracks.total for s in allied.state.seats] == [29, 30, 29, 30]
    home = allied.correct("pact:0:2", 0, 0.0)
    assert [s.tracks.total for s in home.state.seats] == [30] * 4
    assert not any(c.id.startswith("pact") for c in playing().counters())  # two players have no diplomacy


def test_who_passed_who_begins_and_which_round_it_is() -> None:
    now = playing()
    passed = now.correct("passed:1", 1, 0.0)
    assert (passed.state.seats[1].passed, passed.state.passed_first) == (True, 1)
    assert passed.correct("passed:1", 0, 0.0).state.passed_first is None
    assert passed.correct("passed-first", 0, 0.0).state.passed_first == 0
    assert now.correct("first", 1, 0.0).state.first == 1
    assert now.correct("round", 7, 0.0).state.round == 7
    assert now.correct("acted:0", 3, 0.0).state.discs_on_track(0) == now.state.discs_on_track(0) - 3
    assert now.correct("used:discovery-money-8", 2, 0.0).state.discoveries_left() == 18


def test_places_and_parts_have_the_same_number_for_ever() -> None:
    """Journals keep these numbers."""
    assert (number_of("0,0"), number_of("1,-2"), number_of("-3,4")) == (5101, 5200, 4802)
    assert all(place_of(number_of(place)) == place for place in ("0,0", "1,-2", "-7,7", "9,-4"))
    numbers = [part_number(id) for id in parts()]
    assert len(set(numbers)) == len(numbers)


def test_questions_follow_a_correction() -> None:
    assert "build" not in options(corrected("materials:0", 2))
    state = playing().correct("offered:tech-nanorobots", 1, 0.0).state
    assert "research" in options(state)


def test_a_track_cannot_hold_everything() -> None:
    with pytest.raises(NotNow):
        playing().correct("reputation:0", 5, 0.0)
    with pytest.raises(NotNow):
        playing().correct("ships:0:dreadnought:0,-2", 3, 0.0)


def test_nothing_can_be_corrected_before_the_first_round() -> None:
    assert counters(GAME.start(Setup("eclipse", NAMES[:2]))) == ()


def problems(state: EclipseState) -> list[str]:
    return [text.key for text in check(state)]


def test_tables_that_cannot_be() -> None:
    state = table(*TERRANS[:2])
    assert problems(state) == []
    assert problems(seat(state, 0, tracks=Stock(11, 11, 11))) == ["eclipse.problem.cubes"]
    assert problems(seat(state, 0, tracks=Stock(12, 9, 9))) == ["eclipse.problem.track"]
    assert problems(seat(state, 0, acted={"build": 13})) == ["eclipse.problem.discs"]
    assert problems(seat(state, 0, stock=Stock(41, 0, 0))) == ["eclipse.problem.stock"]
    assert problems(seat(state, 0, reputation=5)) == ["eclipse.problem.reputation"]
    ships = sector(state, "0,-3", "sector-312", ships=((1, {"dreadnought": 3}),))
    assert problems(ships) == ["eclipse.problem.ships"]
    assert problems(replace(state, offered={"tech-orbital": 5})) == ["eclipse.problem.technology-tiles"]
    stack = replace(state.stacks["inner"], left=3)
    assert problems(replace(state, stacks={**state.stacks, "inner": stack})) == ["eclipse.problem.hexes"]


def test_hexes_in_hand_and_cubes_on_their_way_are_counted() -> None:
    state = answer(at(table("descendants-of-draco", "planta"), Explore(0, 1)), "0,-3", "sector-306")
    assert problems(state) == []
    assert problems(answer(state, "sector-307")) == []


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_any_correction_at_any_moment_lets_the_play_go_on(seed: int) -> None:
    """Answers and corrections chosen from all that is offered, to the end of the play."""
    random = Random(seed)
    now = begin(GAME, Setup("eclipse", NAMES[: 2 + seed]), 0.0)
    for _ in range(2000):
        if now.over:
            break
        if random.random() < 0.15 and now.counters():
            counter = any_counter(now.counters(), random)
            with suppress(PlayerTrouble):
                now = now.correct(counter.id, random.choice(counter.values), 0.0)
        if not now.over:
            asked = random.choice(now.questions())
            ids = [option.id for option in asked.options]
            wanted = "pass" if "pass" in ids and random.random() < 0.2 else random.choice(ids)
            now = now.answer(Answer(asked.seat, asked.slug, wanted), 0.0)
        assert check(now.state) == ()
        now = replace(now, moments=now.moments[-1:])
    assert now.over


# Graveyards


def test_cubes_in_a_graveyard_come_from_the_tracks_and_go_back_there() -> None:
    state = corrected("graveyard:0:science", 2)
    assert (state.seats[0].graveyard, state.seats[0].tracks) == (Stock(0, 2, 0), Stock(10, 8, 10))
    assert check(state) == ()
    back: EclipseState = session(state).correct("graveyard:0:science", 0, 0.0).state
    assert (back.seats[0].graveyard, back.seats[0].tracks) == (Stock(), Stock(10, 10, 10))


def test_a_graveyard_takes_from_the_fullest_track_if_its_own_is_empty() -> None:
    before = seat(playing().state, 0, tracks=Stock(0, 10, 11), graveyard=Stock(0, 9, 0))
    state: EclipseState = session(before).correct("graveyard:0:money", 1, 0.0).state
    assert (state.seats[0].graveyard, state.seats[0].tracks) == (Stock(1, 9, 0), Stock(0, 10, 10))


def test_a_cube_of_a_graveyard_whose_track_is_full_goes_to_another() -> None:
    before = seat(playing().state, 0, tracks=Stock(11, 9, 9), graveyard=Stock(1, 0, 0))
    state: EclipseState = session(before).correct("graveyard:0:money", 0, 0.0).state
    assert (state.seats[0].graveyard, state.seats[0].tracks) == (Stock(), Stock(11, 10, 9))


def test_no_more_cubes_in_a_graveyard_than_a_seat_has() -> None:
    most = next(c for c in playing().counters() if c.id == "graveyard:0:money").high
    assert most == 30  # three lie on the home sector
    assert corrected("graveyard:0:money", 30).seats[0].tracks == Stock()
    for value in (-1, 31):
        with pytest.raises(NotNow):
            playing().correct("graveyard:0:money", value, 0.0)


# Ancient parts kept aside


def test_an_ancient_part_kept_aside_is_set_right_with_its_tile() -> None:
    state = corrected("spare:1:shard-hull", 1)
    assert state.seats[1].spare == ("shard-hull",)
    assert state.used == {"discovery-shard-hull": 1}
    assert check(state) == ()
    gone: EclipseState = session(state).correct("spare:1:shard-hull", 0, 0.0).state
    assert (gone.seats[1].spare, gone.used) == ((), {"discovery-shard-hull": 1})
    again: EclipseState = session(gone).correct("spare:0:shard-hull", 1, 0.0).state
    assert (again.seats[0].spare, again.used) == (("shard-hull",), {"discovery-shard-hull": 1})


def test_there_is_one_of_each_ancient_part() -> None:
    state = corrected("spare:1:shard-hull", 1)
    assert "spare:0:shard-hull" not in {c.id for c in counters(state)}
    with pytest.raises(PlayerTrouble):
        session(state).correct("spare:0:shard-hull", 1, 0.0)
    mounted = seat(
        state, 1, spare=(), upgrades={**state.seats[1].upgrades, "interceptor": ("shard-hull", "", "", "")}
    )
    assert not {c.id for c in counters(mounted)} & {"spare:0:shard-hull", "spare:1:shard-hull"}
    with pytest.raises(PlayerTrouble):
        session(state).correct("spare:0:hull", 1, 0.0)


def test_an_ancient_part_is_found_only_while_there_are_tiles() -> None:
    before = seat(playing().state, 0, kept=20)
    assert before.discoveries_left() == 0
    with pytest.raises(NotNow) as refusal:
        session(before).correct("spare:0:shard-hull", 1, 0.0)
    assert refusal.value.text.key == "eclipse.why.no-discovery-left"


def ending(*tiles: int) -> Session:
    """The play ends; so many tiles are about to be turned over."""
    now = playing()
    for index, n in enumerate(tiles):
        now = now.correct(f"reputation:{index}", n, 0.0)
    return session(at(replace(now.state, agenda=()), EndPlay()))


def told(now: Session) -> list[tuple[int, ...]]:
    return [who.revealed for who in now.state.seats]


def test_reputation_set_right_when_it_is_turned_over_is_told() -> None:
    """An extra tile is announced, too; if one is missing, all tiles of that seat are asked again."""
    now = ending(2, 1)
    for seat_, tile in ((0, 4), (1, 1), (0, 3)):
        now = now.answer(Answer(seat_, "eclipse.reputation", f"reputation-{tile}"), 1.0)
    assert now.over
    assert told(now)[:2] == [(4, 3), (1,)]
    more = now.correct("reputation:1", 2, 2.0)
    assert [question.seat for question in more.questions()] == [1]
    more = more.answer(Answer(1, "eclipse.reputation", "reputation-2"), 2.0)
    assert more.over
    assert told(more)[:2] == [(4, 3), (1, 2)]
    fewer = now.correct("reputation:0", 1, 2.0)
    assert [question.seat for question in fewer.questions()] == [0]
    fewer = fewer.answer(Answer(0, "eclipse.reputation", "reputation-3"), 2.0)
    assert fewer.over
    assert told(fewer)[:2] == [(3,), (1,)]
    none = now.correct("reputation:0", 0, 2.0)
    assert none.over
    assert told(none)[:2] == [(), (1,)]


def test_reputation_set_right_while_others_still_tell_theirs_is_told() -> None:
    now = ending(1, 1)
    now = now.answer(Answer(0, "eclipse.reputation", "reputation-4"), 1.0).correct("reputation:0", 2, 1.0)
    now = now.answer(Answer(0, "eclipse.reputation", "reputation-3"), 1.0)
    now = now.answer(Answer(1, "eclipse.reputation", "reputation-1"), 1.0)
    assert now.over
    assert told(now)[:2] == [(4, 3), (1,)]
