"""Setting numbers right by hand, and tables that cannot be."""

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
from companion.games.eclipse.corrections import check, counters
from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.steps.explore import Explore
from companion.games.eclipse.steps.round import Turn
from companion.games.eclipse.things import Stock
from tests.games.eclipse.eclipse_tables import NAMES, TERRANS, answer, at, options, seat, sector, table


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


@pytest.mark.parametrize("seed", range(3))
def test_any_correction_at_any_moment_lets_the_play_go_on(seed: int) -> None:
    """Answers and corrections chosen from all that is offered, to the end of the play."""
    random = Random(seed)
    now = begin(GAME, Setup("eclipse", NAMES[: 2 + seed]), 0.0)
    for _ in range(2000):
        if now.over:
            break
        if now.counters() and random.random() < 0.05:
            counter = random.choice(now.counters())
            with suppress(PlayerTrouble):
                now = now.correct(counter.id, random.randint(counter.low, counter.high), 0.0)
        if not now.over:
            asked = random.choice(now.questions())
            ids = [option.id for option in asked.options]
            wanted = "pass" if "pass" in ids and random.random() < 0.2 else random.choice(ids)
            now = now.answer(Answer(asked.seat, asked.slug, wanted), 0.0)
        assert check(now.state) == ()
        now = replace(now, moments=now.moments[-1:])
    assert now.over
