"""Anything is touched at any moment, in every game: nothing breaks, and what is kept is what is shown."""

import pytest

from companion.core.game import games
from tests import budgets
from tests.ui.monkey import Monkey

pytestmark = pytest.mark.every_game

NAMES = ("Ania", "Bartek", "Celina", "Dorota", "Ewa", "Filip")
SEEDS, TOUCHES = (range(1, 9), 400) if budgets.campaign else (range(1, 2), 60)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("crowd", [min, max])
@pytest.mark.parametrize("game", list(games()))
def test_whatever_is_touched_nothing_breaks(rehearsal, game, crowd, seed):
    seats = max(2, crowd(games()[game].box.seats))
    seed = seed * 100 + seats
    rehearsal.change(
        language=("en", "pl")[seed % 2], text_size=(100, 150)[seed // 2 % 2], moments=seed % 3 == 0
    )
    rehearsal.play(game, NAMES[:seats], seed=seed)
    monkey = Monkey(rehearsal, seed)
    try:
        monkey.go_on(TOUCHES)
    finally:
        print("\n".join(monkey.done[-20:]))  # told with what failed
    if rehearsal.app.desk.play is not None:
        monkey.replays()
