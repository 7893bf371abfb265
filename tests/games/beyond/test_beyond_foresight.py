"""Options that lead nowhere are not offered in one's own action, and only there (rules 44, 45)."""

from __future__ import annotations

import pytest

from companion.core.questions import Option
from companion.core.words import plain
from companion.games.beyond.state import BeyondState
from companion.games.beyond.steps.perform import leading_on
from tests.games.beyond.tables import seat, table

TWO = (Option("a", plain("a")), Option("b", plain("b")))


class Untried:
    """A step that nobody may try out in advance."""

    def take(self, state: BeyondState, option: str) -> BeyondState:
        raise AssertionError("no foresight is needed here")


@pytest.mark.parametrize(
    ("phase", "who", "options"), [("action", 1, TWO), ("production", 0, TWO), ("action", 0, TWO[:1])]
)
def test_outside_ones_own_action_everything_is_offered(
    phase: str, who: int, options: tuple[Option, ...]
) -> None:
    state = table(seat("sol:1"), seat("sol:1"), phase=phase)
    assert leading_on(state, who, Untried(), options) == options
