"""Dice in battles: entered together, by colour, as faces or as misses; and what is known before they are rolled."""

from __future__ import annotations

import pytest

from companion.errors import NotNow
from companion.games.eclipse.component_types import Ship
from companion.games.eclipse.state import EclipseState, Seat
from tests.games.eclipse.battle_tables import HERE, answer, asked, seat, sector, table, told, words


def terrans(n: int) -> list[Seat]:
    kinds = ("terran-directorate", "terran-federation", "terran-union")
    return [seat(name, kind) for name, kind in zip("ABC"[:n], kinds, strict=False)]


def mixed() -> EclipseState:
    """A's dreadnought with a red and a yellow cannon against B's interceptors and shielded cruiser."""
    parts: dict[Ship, tuple[str, ...]] = {
        "dreadnought": ("antimatter-cannon", "", "", "", "fusion-source", "", "", ""),
    }
    shielded: dict[Ship, tuple[str, ...]] = {"cruiser": ("gauss-shield", "", "", "", "", "")}
    fleets = ((0, {"dreadnought": 1}), (1, {"interceptor": 2, "cruiser": 1}))
    seats = [
        seat("A", "terran-directorate", parts),
        seat("B", "terran-federation", shielded),
    ]
    return table(seats, sector("sector-103", *fleets, owner=0))


def shooting(state: EclipseState, ship: str) -> EclipseState:
    """The same battle when the dice of this ship are asked for; earlier shooters miss."""
    state = answer(state, "fight")
    while words(asked(state).text).split(" of ")[0] != ship:
        state = answer(state, "done" if asked(state).slug == "eclipse.die" else "attack")
    return state


def test_dice_of_one_colour_are_told_together_the_strongest_first() -> None:
    state = shooting(mixed(), "dreadnought")
    question = asked(state)
    assert words(question.text) == "dreadnought of A: 1 red die (Antimatter Cannon, damage 4)"
    assert question.dice is not None
    assert (question.dice.n, question.dice.rest) == (1, "miss")
    state = answer(state, "miss")
    question = asked(state)
    assert words(question.text) == "dreadnought of A: 1 yellow die (Ion Cannon, damage 1)"
    assert question.dice is not None
    assert question.dice.rest == "done"


def test_none_of_any_colour_is_one_answer() -> None:
    state = shooting(mixed(), "dreadnought")
    told_all = answer(state, "miss", "done")
    assert answer(state, "done").map == told_all.map
    assert asked(answer(state, "done")) == asked(told_all)
    assert "dreadnought of A: no hit" in told(answer(state, "done"))


def test_faces_that_hit_nobody_are_marked_and_not_told_as_hits() -> None:
    state = shooting(mixed(), "dreadnought")
    dice = asked(state).dice
    assert dice is not None
    assert [words(note) for note in asked(state).notes] == [
        "needs 5+: interceptor of B",
        "needs 6+: cruiser of B",
    ]
    assert dice.counting == ("5", "6")
    state = answer(state, "5", "4")
    assert "dreadnought of A: 1 hit (red 5)" in told(state)


def test_all_dice_in_one_answer_are_the_same_as_one_by_one() -> None:
    """An answer of several faces is what a journal keeps, and what an older journal told face by face."""
    here = sector("sector-103", (0, {"interceptor": 4}), (1, {"interceptor": 4}), owner=0)
    state = answer(table(terrans(2), here), "fight")
    assert asked(state).dice is not None
    one_by_one = answer(state, "6", "2", "6", "done")
    assert answer(state, "6,2,6,done") == one_by_one
    assert answer(state, "6,2,6,1") == one_by_one
    assert one_by_one.map[HERE].ships(1) == 2


def test_more_dice_than_there_are_and_no_faces_are_refused() -> None:
    here = sector("sector-103", (0, {"interceptor": 2}), (1, {"interceptor": 2}), owner=0)
    state = answer(table(terrans(2), here), "fight")
    for nonsense in ("6,6,6", "7", "6,0", "miss", "6,done,6"):
        with pytest.raises(NotNow):
            answer(state, nonsense)


def test_everybody_sees_who_comes_next_and_with_what() -> None:
    here = sector(
        "sector-103", (0, {"interceptor": 1}), (1, {"cruiser": 1}), (2, {"interceptor": 2}), ancients=1
    )
    other = sector("sector-102", (0, {"cruiser": 1}), gcds=False, ancients=1)
    state = table(terrans(3), here, other)
    notes = [words(note) for note in asked(state).notes]
    assert "2 × interceptor of C: hit points 1, 1; initiative 3, cannons: yellow" in notes
    assert "The winner then fights here: A, Ancients" in notes
    assert notes[-1] == "Battles to come: 102 Pollux"
