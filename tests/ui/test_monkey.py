"""Random touches at any moment, in every game: nothing breaks, and the journal holds what is shown."""

import pytest

from companion.core.game import games
from tests import budgets
from tests.ui.monkey import Monkey

pytestmark = pytest.mark.every_game

NAMES = ("Ania", "Bartek", "Celina", "Dorota", "Ewa", "Filip")
HURRIES = 200 if budgets.campaign else 15
SEEDS, TOUCHES = (range(1, 9), 400) if budgets.campaign else (range(1, 2), 60)


@pytest.mark.parametrize("game", list(games()))
def test_nobody_in_a_hurry_touches_what_has_just_come_there(rehearsal, game):
    """Touches at any rate, while others answer: each hits what stood there long enough to be seen, or nothing."""
    rehearsal.play(game, NAMES[:3], seed=29)
    monkey = Monkey(rehearsal, 29)
    for _ in range(HURRIES):
        if rehearsal.app.desk.play is None:
            monkey._resume()
        if rehearsal.screen.name != "table" and rehearsal.app.desk.play is not None:
            rehearsal.app.home("table")
            rehearsal.settle()
        monkey._hurries()
    assert monkey.touched > HURRIES // 2
    assert monkey.ignored > HURRIES // 4


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("crowd", [min, max])
@pytest.mark.parametrize("game", list(games()))
def test_whatever_is_touched_nothing_breaks(rehearsal, layout, game, crowd, seed):
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
