"""What can be corrected by hand, and which tables are impossible."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.agenda import waited_for
from companion.core.game import Setup
from companion.core.session import Moment, Session
from companion.core.words import inside
from companion.errors import PlayerTrouble, Unknown
from companion.games.frontiers import GAME
from companion.games.frontiers.component_types import Development, everything, ids
from companion.games.frontiers.corrections import check, correct, counters
from companion.games.frontiers.state import Colony, FrontiersState
from companion.games.frontiers.steps.round import BeginRound
from scoring.frontiers import KINDS
from tests.games.frontiers.tables import answer, at, seat, table

ANIA = seat(
    "world-10", credits=4, chips=3, colonists=2, explored=("world-20",), developments=("survey-team",)
)


def corrected(counter: str, value: int, **more: Any) -> FrontiersState:
    """A table of three after this was set right."""
    state = table(goals=True, **{"ania": ANIA, **more})
    assert counter in {c.id for c in counters(state)}, f"no {counter}"
    return correct(state, counter, value)


def problems(state: FrontiersState) -> list[str]:
    return [text.key.removeprefix("frontiers.wrong.") for text in check(state)]


def test_numbers_of_a_mat() -> None:
    assert corrected("credits:0", 9).seats[0].credits == 9
    assert corrected("chips:0", 5).pool == 31
    assert corrected("colonists:0", 6).supply == 36 - 6 - 4


def test_a_world_comes_as_an_explored_one_and_leaves_with_all_that_lies_on_it() -> None:
    there = corrected("world:0:world-30", 1)
    assert there.seats[0].explored == ("world-20", "world-30")
    good = replace(ANIA, colonies=(Colony("home-1a"), Colony("world-10", "rare", 2)))
    gone = corrected("world:0:world-10", 0, ania=good)
    assert gone.seats[0].colony("world-10") is None
    assert "world-10" in gone.bag()
    assert gone.cubes()["rare"] == 17


def test_a_world_is_turned_to_its_colony_side_and_back() -> None:
    settled = corrected("settled:0:world-20", 1, taught={"world-20.colonists": 2})
    assert settled.seats[0].colony("world-20") == Colony("world-20", colonists=2)
    assert settled.seats[0].explored == ()
    assert corrected("settled:0:world-10", 0).seats[0].explored == ("world-20", "world-10")


def test_goods_and_colonists_of_a_colony() -> None:
    assert corrected("good:0:world-10", 2).seats[0].colony("world-10") == Colony("world-10", "rare")
    assert corrected("on:0:world-10", 2).seats[0].colony("world-10") == Colony("world-10", colonists=2)


def test_homes_and_developments() -> None:
    assert corrected("home:0", 16).seats[0].home == "home-8b"
    assert corrected("home:0", 0).seats[0].home is None
    assert corrected("development:0:survey-team", 0).seats[0].developments == ()
    assert corrected("development:1:survey-team", 1).left("survey-team") == 0


def test_a_place_on_the_track_is_exchanged() -> None:
    state = corrected("place:0", 2)
    assert state.track == (2, 1, 0)
    two = table(2)
    assert [two.seat_of(disc) for disc in correct(two, "place:0", 1).track] == [1, 1, 0, 0]


def test_whose_turn_it_is_follows_the_track() -> None:
    """The question for the seat that was first until then is gone."""
    state = at(table(round=0), BeginRound())
    assert waited_for(state) == {0}
    state = at(correct(state, "place:0", 1))
    assert waited_for(state) == {1}
    assert answer(state, 1, "isolation").seats[1].credits == 2


def test_round_produce_and_goals() -> None:
    assert corrected("round", 7).round == 7
    assert corrected("produce", 4).produce_credits == 4
    assert corrected("goal:conscription", 1).goals_up == ("conscription",)
    assert corrected("hidden-goal", 2).hidden_goal == 1
    assert corrected("hidden-goal", 0).hidden_goal is None


def test_what_is_stored() -> None:
    assert corrected("stored-credits:0", 3).seats[0].stored_credits == 3
    assert corrected("stored-good:0:genes", 2).seats[0].stored_goods == ("genes", "genes")
    assert corrected("stored-world:0:world-40", 1).seats[0].stored_worlds == ("world-40",)


def test_what_a_bonus_gave() -> None:
    """Only once it was told, and for the seat that told it."""
    state = replace(table(ania=ANIA, ola=ANIA), worth={"0:survey-team": 3, "1:survey-team": 4})
    ids = {counter.id for counter in counters(state)}
    assert {"worth:0:survey-team", "worth:1:survey-team"} <= ids
    assert correct(state, "worth:1:survey-team", 7).worth == {"0:survey-team": 3, "1:survey-team": 7}
    with pytest.raises(Unknown):
        correct(table(), "worth:0:survey-team", 1)


def test_the_last_round_follows_what_is_set_right() -> None:
    """Rules 61, 100, 101 and 182: reached after all, or not reached at all."""
    assert corrected("chips:0", 36).ending == ("points",)
    over = replace(table(ania=seat(chips=36)), ending=("colonists", "points"))
    assert correct(over, "chips:0", 30).ending == ()
    few = replace(table(ania=seat(chips=36), ola=seat(colonists=29)), ending=("colonists", "points"))
    assert correct(few, "chips:0", 30).ending == ("colonists",)
    assert correct(few, "colonists:1", 28).ending == ("points",)
    assert correct(table(ola=seat(colonists=28)), "colonists:1", 29).ending == ()


def test_an_eighth_colony_ends_the_play_once_no_settle_is_going_on() -> None:
    """Rule 100."""
    seven = seat(*(f"world-{n}" for n in range(10, 16)), explored=("world-20",))
    state = table(ania=seven)
    eight = correct(state, "settled:0:world-20", 1)
    assert eight.ending == ("colonies",)
    assert correct(eight, "settled:0:world-20", 0).ending == ()
    settling = table(ania=seven, action="settle")
    assert correct(settling, "settled:0:world-20", 1).ending == ()


def test_only_what_there_is_can_be_set_right() -> None:
    for counter in ("nothing", "credits:7", "good:0:world-59", "place:9", "credits"):
        with pytest.raises(Unknown):
            correct(table(), counter, 0)
    assert counters(table(round=0)) == ()
    plain = {counter.id.partition(":")[0] for counter in counters(table())}
    assert plain.isdisjoint({"goal", "hidden-goal", "stored-credits", "stored-good", "stored-world"})


@pytest.mark.parametrize(
    ("problem", "seats"),
    [
        ("colonists", {"ania": seat(colonists=34)}),
        ("goods", {"ania": seat(stored_goods=("alien",) * 12)}),
        ("twice", {"ania": seat("world-10"), "ola": seat(explored=("world-10",))}),
        ("mat", {"ania": seat(home="home-2b")}),
        ("copies", {name: seat(developments=("survey-team",)) for name in ("ania", "ola", "jan")}),
        ("same-development", {"ania": seat(developments=("survey-team", "survey-team"))}),
        ("negative", {"ania": seat(credits=-1)}),
        ("no-goods-there", {"ania": seat(Colony("home-1a", "rare"), home=None)}),
        ("stored", {"ania": seat(stored_credits=8)}),
    ],
)
def test_what_cannot_be_is_said(problem: str, seats: dict[str, Any]) -> None:
    """Rules 4, 5, 26, 57, 58, 125 and 160."""
    assert problem in problems(table(**seats))


def test_a_correction_that_cannot_be_is_refused_with_its_reason() -> None:
    state = table(ania=ANIA)
    session = Session(GAME, Setup("frontiers", ("Ania", "Ola", "Jan")), (Moment(state),), thought=(0.0,) * 3)
    with pytest.raises(PlayerTrouble) as refused:
        session.correct("home:0", 3, 0.0)
    assert any(text.key == "frontiers.wrong.mat" for text in inside(refused.value.text))


def test_a_mat_has_room_for_so_much_and_no_more() -> None:
    """Two spaces behind the ten are enough for whatever the last round brings; nine worlds are all there can be."""
    tiles = [everything()[id] for id in ids("developments")]
    small = [tile.id for tile in tiles if isinstance(tile, Development) and tile.size == 1]
    full = table(ania=replace(ANIA, developments=tuple(small[:12])))
    assert "spaces" not in problems(full)
    assert "spaces" in problems(table(ania=replace(ANIA, developments=tuple(small[:13]))))
    worlds = tuple(Colony(f"world-{n}") for n in range(10, 18))
    assert "colonies" not in problems(table(ania=replace(ANIA, colonies=(Colony("home-1a"), *worlds))))
    more = (Colony("home-1a"), *worlds, Colony("world-30"))
    assert "colonies" in problems(table(ania=replace(ANIA, colonies=more)))


def test_only_the_goods_a_world_holds_can_be_put_there() -> None:
    """A world has the good of its colour; of one nobody has read, people know better."""
    state = table(ania=replace(ANIA, colonies=(Colony("home-1a"), Colony("world-10"))))
    state = replace(state, taught={"world-10.product": "genes-windfall"})
    assert state.world("world-10").kind == "genes"
    values = {c.id: c.values for c in counters(state)}
    assert tuple(values["good:0:world-10"]) == (0, KINDS.index("genes") + 1)
    assert len(values["good:0:home-1a"]) == len(KINDS) + 1
