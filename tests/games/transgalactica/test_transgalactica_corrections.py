"""Everything that can be entered wrongly can be corrected, and nothing else."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.game import Setup
from companion.core.session import Session, begin
from companion.errors import PlayerTrouble
from companion.games.transgalactica import GAME
from companion.games.transgalactica.corrections import check, correct, counters
from companion.games.transgalactica.state import Used
from companion.games.transgalactica.steps.turns import Turn
from tests.games.transgalactica.tables import NAMES, run, seat, table


def set_to(state: Any, counter: str, value: int) -> Any:
    assert counter in {one.id for one in counters(state)}
    after = correct(state, counter, value)
    assert check(after) == ()
    return after


@pytest.mark.parametrize(
    "what",
    [
        "vp",
        "energy",
        "mineral",
        "alien",
        "credit",
        "technology",
        "military",
        "production",
        "politics",
        "trade",
    ],
)
def test_numbers(what: str) -> None:
    state = set_to(table(), f"{what}:1", 4)
    assert getattr(state.seats[1], what) == 4


def test_crew_comes_from_the_capsules_and_goes_there() -> None:
    state = set_to(table(), "crew:0", 3)
    assert (state.seats[0].crew, state.seats[0].capsules) == (3, 3)
    state = set_to(state, "gone:0", 2)
    assert state.seats[0].capsules == 1
    state = set_to(state, "sits:1:0", 1)
    assert (state.senate[1], state.seats[0].capsules) == ((0,), 0)
    with pytest.raises(PlayerTrouble):
        correct(state, "sits:2:0", 1)


def test_outposts_take_the_first_free_slot_and_are_at_most_seven() -> None:
    state = set_to(table(ola=seat("green-action-income:0")), "outpost:0:green-action-income", 1)
    assert state.seats[0].outposts[-1].slot == 1
    assert set_to(state, "outpost:0:green-action-income", 0).seats[0].planets == ("central",)
    full = table(
        ania=seat("yellow-wild", "green-wild", "grey-wild", "purple-wild", "yellow-mining", "purple-mining")
    )
    with pytest.raises(PlayerTrouble):
        correct(full, "outpost:0:green-action-income", 1)


def test_markers_limit_technologies() -> None:
    state = set_to(set_to(table(), "marked:0:archivists", 1), "marked:0:trade-discount", 1)
    assert state.seats[0].technologies == ("archivists", "trade-discount")
    with pytest.raises(PlayerTrouble):
        correct(state, "marked:0:alternative-tunnel", 1)
    assert set_to(set_to(state, "trade:0", 1), "marked:0:alternative-tunnel", 1).seats[0].markers == 0


def test_missions_tokens_ships_and_pirates() -> None:
    state = set_to(table(), "mission:0:mission-1-09", 1)
    assert state.seats[0].log == ("mission-1-09",)
    state = set_to(state, "mission:0:mission-1-09", 2)
    assert (state.seats[0].log, state.seats[0].missions) == ((), ("mission-1-09",))
    assert "mission:1:mission-1-09" not in {one.id for one in counters(state)}, "somebody has it"
    state = set_to(state, "token:0:basic-4", 2)
    assert state.seats[0].tokens[0].used
    assert set_to(state, "mining:0:mining-4", 1).seats[0].mining == ("mining-4",)
    assert set_to(state, "fleet:0:fleet-4", 1).seats[0].fleet == ("fleet-4",)
    assert set_to(state, "pirate:0:pirate-4", 1).seats[0].pirates == ("pirate-4",)
    assert set_to(state, "ship:0:0", 3).seats[0].ships == ("3",)
    assert set_to(state, "pirates-on:yellow-wild", 1).pirates == {"yellow-wild": ""}


def test_the_table() -> None:
    state = set_to(table(), "round", 4)
    assert state.round == 4
    assert set_to(state, "place:0", 2).order == (2, 1, 0)
    assert set_to(state, "used:mining", 2).used == (Used("mining", 1),)
    assert not set_to(state, "mining-token", 0).mining_token
    assert set_to(state, "mining-stack", 2).mining_stack == 2
    assert "mission-1-01" not in set_to(state, "laid:mission-1-01", 0).display


def test_nobody_corrects_before_the_first_round_and_what_does_not_exist_is_unknown() -> None:
    assert counters(replace(table(), round=0)) == ()
    with pytest.raises(PlayerTrouble):
        correct(table(), "nonsense:0", 1)


@pytest.mark.parametrize("field", ["energy", "crew", "captains_out", "trade"])
def test_what_cannot_be_is_said(field: str) -> None:
    wrong = {"energy": -1, "crew": 9, "captains_out": 5, "trade": 0}[field]
    state = table(ania=seat(technologies=("archivists", "helpers", "deep-mining"), trade=1))
    assert check(state) == ()
    assert check(state.with_seat(0, replace(state.seats[0], **{field: wrong})))


def test_a_turn_goes_on_after_a_correction_and_undo_takes_it_back() -> None:
    setup = GAME.complete(Setup("transgalactica", NAMES[:2]))
    session: Session = begin(GAME, setup, 0.0)
    random, bots = Random(2), GAME.bots(setup, Random(2))
    while not any(one.id == "vp:0" for one in session.counters()):
        from companion.core.autoplay import next_answer

        session = session.answer(next_answer(session.state, bots, random), 0.0)
    after = session.correct("vp:0", 77, 0.0)
    assert after.state.seats[0].vp == 77
    assert after.questions() == session.questions()
    assert after.undo(1, 0.0).state is session.state


def test_a_turn_stays_with_its_seat_when_the_order_is_corrected() -> None:
    state = run(table(), Turn(0))
    assert correct(state, "place:0", 1).agenda == state.agenda
