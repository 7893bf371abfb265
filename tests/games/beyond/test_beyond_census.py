"""The census by the rulebook's counts (rules 8, 9, 10, 106)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.game import Setup
from companion.games.beyond import GAME
from tests.games.beyond.made_up_box import made_up_box


def test_a_box_that_counts_right_is_not_complained_of() -> None:
    types = {"advanced-genetics.types": ["science"], "advanced-robotics.types": ["economy"]}
    assert (
        list(GAME.disagreements(GAME.complete(Setup("beyond", ("a", "b"), {}, {**made_up_box(), **types}))))
        == []
    )


@pytest.mark.parametrize(
    "facts",
    [
        {"system-10.deck": "B"},
        {"system-12.start": True, "sirius.start": True, "61-cygni.start": True, "tau-ceti.start": True}
        | {"barnards-star.start": True},
        {"event-12.event_level": 2},
        {"achievement-8.pile": "B"},
        {"advanced-genetics.types": ["military"]},
    ],
)
def test_one_too_many_is_noticed(facts: dict[str, Any]) -> None:
    types = {"advanced-genetics.types": ["science"], "advanced-robotics.types": ["economy"]}
    setup = GAME.complete(Setup("beyond", ("a", "b"), {}, {**made_up_box(), **types, **facts}))
    assert list(GAME.disagreements(setup))
