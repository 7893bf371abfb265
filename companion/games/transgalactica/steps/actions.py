"""Any action of the panel: the omni-action, and symbols that stand for one (rules 70-74, 155)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from companion.core.agenda import Ask
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import say
from companion.games.transgalactica.costs import Price, ways
from companion.games.transgalactica.effects import ACTIONS, Act, Action, Kind
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.resolve import Happens, PayFor, Perform, Resolve, performs, resolves
from companion.games.transgalactica.steps.tracks import can_buy

OMNI = (Price(("credit",)), Price(("alien",)))


def possible(state: TransState, seat: int, action: Action, kind: Kind) -> bool:
    """Whether an action could do anything: what is paid for must be payable and not barred."""
    if action == "omni":
        return bool(ways(state.seats[seat], OMNI))
    return can_buy(state, seat, action, kind) if action in ("trade", "military") else True


@performs("omni")
def _omni(state: TransState, seat: int, kind: Kind) -> TransState:
    """A credit or an alien, then any other action, also one used already; its own cost is paid as usual."""
    name = say("transgalactica.action.omni")
    return state.push(PayFor(seat, OMNI, (ChooseAction(seat, kind),), name))


@resolves(Act)
def _act(state: TransState, by: Resolve, effect: Act) -> TransState:
    action = (
        ChooseAction(by.seat, effect.kind)
        if effect.action == "any"
        else Perform(by.seat, effect.action, effect.kind)
    )
    # Helpers pay for each secondary action, whatever it comes from (rule 141).
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
        return state.push(Perform(self.seat, action, self.kind))


def action_option(action: Action, kind: Kind) -> Option:
    """An action to choose."""
    return Option(action, say(f"transgalactica.action.{action}"), signs=(Sign(action),))
