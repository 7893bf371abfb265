"""Any action of the panel: the omni-action, and symbols that stand for one (rules 70-74, 155)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from companion.core.agenda import Ask
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.transgalactica.costs import Price, payments
from companion.games.transgalactica.effects import ACTIONS, Act, Action, Kind
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.obstacles import (
    action_obstacle,
    hindered,
    hindered_action,
    possible,
)
from companion.games.transgalactica.steps.print_first import ask_first, print_of_action
from companion.games.transgalactica.steps.resolve import (
    Happens,
    PayFor,
    Perform,
    Resolve,
    pay_way,
    performs,
    resolves,
)

OMNI = (Price(("credit",)), Price(("alien",)))


@hindered_action("omni")
def _no_omni(state: TransState, seat: int, kind: Kind) -> Text | None:
    """Why the omni-action would do nothing: it cannot be paid, or no other action would be possible."""
    found = payments(state, seat, OMNI)
    if not found:
        return say("transgalactica.idle.pay")
    after = (pay_way(state, seat, way, say("transgalactica.action.omni")) for way in found)
    return (
        None if any(any_possible(paid, seat, kind) for paid in after) else say("transgalactica.idle.actions")
    )


def any_possible(state: TransState, seat: int, kind: Kind) -> bool:
    """Whether any action except the omni-action would do something."""
    return any(possible(state, seat, action, kind) for action in ACTIONS if action != "omni")


@hindered(Act)
def _no_act(state: TransState, seat: int, effect: Act) -> Text | None:
    if effect.action == "any":
        return None if any_possible(state, seat, effect.kind) else say("transgalactica.idle.actions")
    return action_obstacle(state, seat, effect.action, effect.kind)


@performs("omni")
def _omni(state: TransState, seat: int, kind: Kind) -> TransState:
    """Pay a credit or an alien, then do any other action at its usual cost, even a used one."""
    name = say("transgalactica.action.omni")
    return state.push(PayFor(seat, OMNI, (ChooseAction(seat, kind),), name))


@resolves(Act)
def _act(state: TransState, by: Resolve, effect: Act) -> TransState:
    action = (
        ChooseAction(by.seat, effect.kind)
        if effect.action == "any"
        else Perform(by.seat, effect.action, effect.kind)
    )
    # Helpers pay for every secondary action, whatever caused it (rule 141).
    helped = (Happens(by.seat, "secondary"),) if effect.kind == "secondary" else ()
    return state.push(action, *helped)


class ChooseAction(Ask, Struct, frozen=True, tag="choose-action"):
    """Which action?"""

    seat: int
    kind: Kind
    slug: ClassVar[str] = "transgalactica.any-action"

    def ask(self, state: TransState) -> Question:
        options = [
            action_option(action, self.kind)
            for action in ACTIONS
            if action != "omni" and possible(state, self.seat, action, self.kind)
        ]
        text = say(f"transgalactica.ask.any.{self.kind}")
        return Question(self.slug, self.seat, text, tuple(options), has_default=False)

    def take(self, state: TransState, option: str) -> TransState:
        action: Action = next(one for one in ACTIONS if one == option)
        if (asking := ask_first(state, self, option, print_of_action(state, self.seat, action))) is not None:
            return asking
        return state.push(Perform(self.seat, action, self.kind))

    def is_obsolete(self, state: TransState) -> bool:
        return not any_possible(state, self.seat, self.kind)


def action_option(action: Action, kind: Kind) -> Option:
    """An action to choose."""
    return Option(action, say(f"transgalactica.action.{action}"), signs=(Sign(action),))
