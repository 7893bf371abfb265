"""Turning up a storing goal before an action (p. 11); asked only if something could be stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Step
from companion.core.questions import Option, Question
from companion.core.words import say
from companion.games.frontiers.consuming import sellable
from companion.games.frontiers.state import MOST_WORLDS, FrontiersState
from companion.games.frontiers.steps.explore import SHOWN, shares
from companion.games.frontiers.steps.goals import NO, goal_option, turned_up
from companion.games.frontiers.steps.produce import empty, windfall_sources
from companion.games.frontiers.steps.settle import draws, may_settle, most_settled


class TurnUpEarly(Ask, Struct, frozen=True, tag="turn-up-early"):
    """The keeper of a storing goal may turn it up before the action is resolved (p. 11)."""

    seat: int
    slug: ClassVar[str] = "frontiers.turn-up-early"

    def ask(self, state: FrontiersState) -> Question:
        goals = tuple(goal_option(state, id) for id in _useful(state))
        text = say("frontiers.ask.turn-up-early", action=state.name(state.action or ""))
        return Question(self.slug, self.seat, text, (Option(NO, say("frontiers.option.keep-hidden")), *goals))

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        return state if option == NO else turned_up(state, self.seat, option)

    def is_obsolete(self, state: FrontiersState) -> bool:
        return state.hidden_goal != self.seat or not _useful(state)


def turn_up_early(state: FrontiersState) -> tuple[Step, ...]:
    """The question to the keeper of a goal; obsolete if no goal would let a seat store anything in this action."""
    keeper = state.hidden_goal
    return () if keeper is None or state.action not in STORED_IN else (TurnUpEarly(keeper),)


def _useful(state: FrontiersState) -> tuple[str, ...]:
    """The goal worth turning up, if any: some seat may have in this action what the goal lets it store."""
    found = STORED_IN.get(state.action or "")
    if found is None:
        return ()
    goal, may_store = found
    useful = goal not in state.goals_up and any(may_store(state, seat) for seat in range(len(state.seats)))
    return (goal,) if useful else ()


def _may_have_good(state: FrontiersState, seat: int) -> bool:
    """Whether a seat may have a good after this Produce action."""
    if state.seats[seat].goods or empty(state, seat, "production"):
        return True
    kinds = {state.world(tile).kind for tile in empty(state, seat, "windfall")}
    makers = {source.good for source in windfall_sources(state, seat)}
    return bool(kinds and makers) and ("any" in kinds | makers or not kinds.isdisjoint(makers))


def _may_sell(state: FrontiersState, seat: int) -> bool:
    """Whether a seat has a good that can be sold: the refinery's never can (p. 8)."""
    return bool(sellable(state, seat))


def _explores_above_nine(state: FrontiersState, seat: int) -> bool:
    """Whether a seat will have more than nine worlds after this Explore action."""
    bag = len(state.bag())
    shown = min(SHOWN, bag)
    picks, drawn = shares(state, state.order(), shown, bag - shown)
    return _above_nine(state, seat, picks[seat] + drawn[seat])


def _settles_above_nine(state: FrontiersState, seat: int) -> bool:
    """Whether a seat may have more than nine worlds after this Settle action, with the selector's colonist."""
    if seat == state.selector:
        who = state.seats[seat]
        state = state.with_seat(seat, replace(who, colonists=who.colonists + 1))
    drawn = min(draws(state, seat) * most_settled(state, seat), len(state.bag()))
    return _above_nine(state, seat, drawn) and may_settle(state, seat)


def _above_nine(state: FrontiersState, seat: int, more: int) -> bool:
    who = state.seats[seat]
    return more > 0 and len(who.colonies) + len(who.explored) + more > MOST_WORLDS


STORED_IN: dict[str, tuple[str, Callable[[FrontiersState, int], bool]]] = {
    "produce": ("resource-stockpile", _may_have_good),
    "trade-consume": ("sales-tax", _may_sell),
    "explore": ("exploration", _explores_above_nine),
    "settle": ("exploration", _settles_above_nine),
}
"""For each action, the goal that allows storing in it, and whether a seat may have something to store."""
