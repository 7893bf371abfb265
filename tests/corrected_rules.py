"""Corrected rules: the same game with the next rules number, to open plays of the earlier one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.game import Game, boxes, games
from companion.games.race.state import RaceState
from companion.games.race.steps.round import BeginRound

Mend = Callable[[pytest.MonkeyPatch], None]


def renumber(patch: pytest.MonkeyPatch, **changes: Any) -> Game:
    """Race with other parts and the next number."""
    race = games()["race"]
    corrected = replace(race, box=replace(race.box, rules=race.box.rules + 1), **changes)
    patch.setitem(games(), "race", corrected)
    patch.setitem(boxes(), "race", corrected.box)
    return corrected


def one_more_chip(patch: pytest.MonkeyPatch, since: int = 2) -> None:
    """From this round on the first seat gets a chip when a round begins."""
    before = BeginRound.do

    def do(self: BeginRound, state: RaceState) -> RaceState:
        state = before(self, state)
        if state.round < since:
            return state
        return state.with_seat(0, replace(state.seats[0], chips=state.seats[0].chips + 1))

    patch.setattr(BeginRound, "do", do)
    renumber(patch)


def stumbles(patch: pytest.MonkeyPatch, error: type[Exception] = StopIteration, since: int = 2) -> None:
    """From this round on the rules cannot go on at all."""
    before = BeginRound.do

    def do(self: BeginRound, state: RaceState) -> RaceState:
        if state.round + 1 >= since:
            raise error
        return before(self, state)

    patch.setattr(BeginRound, "do", do)
    renumber(patch)


def another_count(patch: pytest.MonkeyPatch) -> None:
    """The last seat gets a hundred points more at the end, so it wins; every table is as it was."""
    race = games()["race"]

    def sheet(state: Any) -> Any:
        made = race.sheet(state)
        *others, last = made.seats
        others = [replace(seat, rank=2) for seat in others]
        return replace(
            made, seats=(*others, replace(last, total=last.total + 100, rank=1)), winners=(last.name,)
        )

    renumber(patch, sheet=sheet)


def another_explanation(patch: pytest.MonkeyPatch) -> None:
    """The points are the same and only explained otherwise."""
    race = games()["race"]

    def sheet(state: Any) -> Any:
        made = race.sheet(state)
        return replace(made, seats=tuple(replace(seat, lines=seat.lines[::-1]) for seat in made.seats))

    renumber(patch, sheet=sheet)
