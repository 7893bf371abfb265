"""Options that lead nowhere are not offered in one's own action, and only there (rules 44, 45)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.agenda import advance
from companion.core.questions import Option
from companion.core.words import plain
from companion.games.beyond import operations as op
from companion.games.beyond.state import Base, BeyondState
from companion.games.beyond.steps.colonise import ColonyBonus
from companion.games.beyond.steps.events import DO_IT, MayDo
from companion.games.beyond.steps.perform import leading_on
from tests.games.beyond.tables import offers, say, seat, table

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


BONUS: list[dict[str, Any]] = [{"does": "jump", "points": 1}, {"does": "colonise"}]


def test_what_a_bonus_brings_later_restricts_nothing() -> None:
    """Rule 99: its impossible parts are left out, so the jump may go anywhere, also away from the system."""
    lines = {"side-2.routes": [{"one": "sol", "other": "a1"}], "barnards-star.colony_bonus": BONUS}
    state = table(seat("a1:3"), seat(), taught=lines, bases={"a1": Base(0, "food")})
    assert "sol" in offers(advance(state.push(ColonyBonus(0, "barnards-star"))))
    everyone = op.Everyone(effects=(op.Jump(points=1), op.Colonise()), may=True)
    assert "sol" in offers(say(advance(state.push(MayDo(0, everyone, "kc-24x"))), DO_IT))
