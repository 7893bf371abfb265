"""A tile that is no valid answer is refused with the rule that forbids it."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.frontiers.state import FrontiersState
from companion.games.frontiers.steps.develop import ResolveDevelop
from companion.games.frontiers.steps.explore import DiscardWorlds, ResolveExplore
from companion.games.frontiers.steps.goals import TurnUpGoal
from companion.games.frontiers.steps.round import BeginRound
from companion.games.frontiers.steps.setup import ChooseHome
from tests.games.frontiers.tables import answer, asked, at, seat, table


def why_not(state: FrontiersState, who: int, component: str) -> str:
    ask = asked(state, who)
    assert ask is not None
    return ask.why_not(state, component).key.removeprefix("frontiers.why.")


def test_action_tiles() -> None:
    state = answer(at(table(round=0), BeginRound()), 0, "isolation")
    assert why_not(state, 1, "isolation") == "tile-taken"
    assert why_not(state, 1, "world-10") == "select-action"


def test_homes() -> None:
    state = at(table(ania=seat(home=None)), ChooseHome(0))
    assert why_not(state, 0, "home-2b") == "mat-taken"
    assert why_not(state, 0, "world-10") == "not-a-home"


def test_goals() -> None:
    state = replace(table(goals=True), hidden_goal=0, goals_up=("conscription",))
    state = at(state, TurnUpGoal(0))
    assert why_not(state, 0, "conscription") == "goal-lies-there"
    assert why_not(state, 0, "world-10") == "no-goal"


def test_worlds() -> None:
    state = at(table(action="explore", ola=seat(explored=("world-10",))), ResolveExplore())
    assert why_not(state, 0, "world-10") == "world-lies-there"
    assert why_not(state, 0, "survey-team") == "no-world"
    many = at(table(ania=seat(explored=tuple(f"world-{n}" for n in range(10, 20)))), DiscardWorlds(0))
    assert why_not(many, 0, "world-30") == "not-explored"


def test_developments() -> None:
    ania = seat(credits=2, developments=("survey-team",))
    state = at(
        table(2, action="develop", ania=ania, ola=seat(developments=("mining-robots",))),
        ResolveDevelop(),
    )
    assert why_not(state, 0, "survey-team") == "owned"
    assert why_not(state, 0, "mining-robots") == "none-left"
    assert why_not(state, 0, "imperium-lords") == "too-expensive"
    assert why_not(state, 0, "world-10") == "no-development"
