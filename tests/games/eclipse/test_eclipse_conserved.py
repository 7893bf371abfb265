"""Conservation: a mistake in the rules that loses or creates pieces is found along a recorded play."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.agenda import retake
from companion.core.game import Setup
from companion.core.questions import Answer
from companion.games.eclipse import GAME
from companion.games.eclipse.component_types import SHIPS
from companion.games.eclipse.conserved import check
from companion.games.eclipse.state import EclipseState
from companion.games.eclipse.steps import cubes, diplomacy, explore, free, research

PLAYS = {
    path.stem: json.loads(path.read_text("utf-8")) for path in Path(__file__).parent.glob("plays/*.json")
}
PLAY = PLAYS["six-aliens"]


def problems() -> list[str]:
    """The first problems found along the play, under today's rules."""
    state: EclipseState = GAME.start(Setup("eclipse", tuple(PLAY["seats"]), PLAY["choices"]))
    for recorded in PLAY["answers"]:
        state = retake(state, Answer(*recorded))
        found = [text.key for text in check(state)]
        if found:
            return found
    return []


def test_the_play_itself_is_sound() -> None:
    assert problems() == []


def keeps_its_cube(state: EclipseState, *_: Any) -> EclipseState:
    return state


def twice(put: Callable[..., EclipseState]) -> Callable[..., EclipseState]:
    def put_twice(state: EclipseState, *args: Any) -> EclipseState:
        return put(put(state, *args), *args)

    return put_twice


def with_a_disc_too_many(gain: Callable[..., EclipseState]) -> Callable[..., EclipseState]:
    def gained(state: EclipseState, seat: int, id: str) -> EclipseState:
        state = gain(state, seat, id)
        return state.with_seat(seat, replace(state.seats[seat], discs=state.seats[seat].discs + 1))

    return gained


def without_taking_it_off_the_board(gain: Callable[..., EclipseState]) -> Callable[..., EclipseState]:
    def gained(state: EclipseState, seat: int, id: str) -> EclipseState:
        return replace(gain(state, seat, id), offered={**state.offered, id: 9})

    return gained


def beside_itself(put_down: Callable[..., EclipseState]) -> Callable[..., EclipseState]:
    def put(state: EclipseState, seat: int, place: str, hex: str, turn: int) -> EclipseState:
        state = put_down(state, seat, place, hex, turn)
        return state.with_sector("9,9", state.map[place])

    return put


@pytest.mark.parametrize(
    ("module", "name", "mistake", "problem"),
    [
        (free, "take_cube", lambda _: keeps_its_cube, "cubes"),
        (diplomacy, "take_cube", lambda _: keeps_its_cube, "cubes"),
        (cubes, "put_cube", lambda _: keeps_its_cube, "cubes"),
        (cubes, "put_cube", twice, "cubes"),
        (research, "gain_technology", with_a_disc_too_many, "discs"),
        (research, "gain_technology", without_taking_it_off_the_board, "technology-tiles"),
        (explore, "put_down", beside_itself, "hexes"),
    ],
)
def test_a_mistake_that_loses_or_makes_pieces_is_found(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, mistake: Any, problem: str
) -> None:
    monkeypatch.setattr(module, name, mistake(getattr(module, name)))
    assert problems() == [f"eclipse.problem.{problem}"]


BUILT = ("eclipse.build", "eclipse.build-at", "eclipse.discovery")
"""What may be answered for a ship to come; battles, and chaos at upkeep, take ships away."""
LOST = ("eclipse.die", "eclipse.hit", "eclipse.act", "eclipse.clinch", "eclipse.battle")


def fleet(state: EclipseState) -> Counter[tuple[int, str]]:
    """Every ship on the map, by seat and type."""
    return Counter({(seat, ship): state.ships_on_map(seat, ship) for seat in range(6) for ship in SHIPS})


def changes(play: dict[str, Any]) -> Iterator[tuple[str, int, int, EclipseState]]:
    """After every answer: its slug, how many ships came and went, and the table."""
    state: EclipseState = GAME.start(Setup("eclipse", tuple(play["seats"]), play["choices"]))
    before = fleet(state)
    for recorded in play["answers"]:
        given = Answer(*recorded)
        state = retake(state, given)
        after = fleet(state)
        yield given.slug, (after - before).total(), (before - after).total(), state
        before = after


@pytest.mark.parametrize("name", sorted(PLAYS))
def test_ships_come_only_when_built_or_found_and_go_only_in_battle_or_chaos(name: str) -> None:
    seen = set()
    for slug, came, went, state in changes(PLAYS[name]):
        if state.round < 1:
            continue
        assert came <= (slug in BUILT), slug
        assert not went or slug in LOST or any(seat.out for seat in state.seats), slug
        seen |= {slug} if came or went else set()
    assert seen & set(BUILT)
    assert seen & set(LOST)
