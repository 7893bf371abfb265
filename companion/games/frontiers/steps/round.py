"""A round (p. 3): the leftmost disc that has not selected takes an action tile, and all seats resolve it."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.frontiers.component_types import actions
from companion.games.frontiers.deeds import does, gain
from companion.games.frontiers.faces import ACTIONS
from companion.games.frontiers.state import FrontiersState, Selection
from companion.games.frontiers.steps.develop import ResolveDevelop
from companion.games.frontiers.steps.early_goals import turn_up_early
from companion.games.frontiers.steps.end import EndPlay
from companion.games.frontiers.steps.explore import ResolveExplore
from companion.games.frontiers.steps.facts import ReadTiles
from companion.games.frontiers.steps.goals import ChartGoals
from companion.games.frontiers.steps.produce import ResolveProduce
from companion.games.frontiers.steps.settle import ResolveSettle
from companion.games.frontiers.steps.trade import ResolveTrade

ISOLATION, ENVOYS = 2, 1


class BeginRound(Do, Struct, frozen=True, tag="begin-round"):
    """A new round: all action tiles are back in the row."""

    def do(self, state: FrontiersState) -> FrontiersState:
        return replace(state, round=state.round + 1, selected=(), action=None).push(NextSelection())


class NextSelection(Do, Struct, frozen=True, tag="next-selection"):
    """The owner of the leftmost disc that has not selected selects; when all have, the round is over (p. 3)."""

    def do(self, state: FrontiersState) -> FrontiersState:
        disc = state.next_disc
        return state.push(EndRound() if disc is None else SelectAction(state.seat_of(disc)))


class SelectAction(Ask, Struct, frozen=True, tag="select-action"):
    """Which action tile does this seat take? One not yet taken in this round; passing is not possible."""

    seat: int
    slug: ClassVar[str] = "frontiers.action"

    def ask(self, state: FrontiersState) -> Question:
        taken = {selection.action for selection in state.selected}
        options = tuple(
            Option(id, state.name(id), id, signs=_bonus(state, id))
            for id in actions(state.goals)
            if id not in taken
        )
        return Question(self.slug, self.seat, say("frontiers.ask.action"), options, has_default=False)

    def take(self, state: FrontiersState, option: str) -> FrontiersState:
        disc = state.next_disc
        assert disc is not None
        state = replace(state, selected=(*state.selected, Selection(option, disc)), action=option)
        state = state.tell(say("frontiers.selects", action=state.name(option)), self.seat)
        return state.push(ReadTiles(), *turn_up_early(state), *RESOLVE[option], ActionOver(), NextSelection())

    def why_not(self, state: FrontiersState, component: str) -> Text:
        taken = any(selection.action == component for selection in state.selected)
        return say("frontiers.why.tile-taken" if taken else "frontiers.why.select-action")

    def is_obsolete(self, state: FrontiersState) -> bool:
        """Whether a correction of the track made it another seat's turn."""
        return state.next_disc is None or state.seat_of(state.next_disc) != self.seat

    def on_obsolete(self, state: FrontiersState) -> FrontiersState:
        return state.push(NextSelection())


def _bonus(state: FrontiersState, action: str) -> tuple[Sign, ...]:
    """The bonus for selecting a tile; for Produce also the credits on it."""
    if action == "produce" and state.produce_credits:
        return tuple(
            Sign("credits", f"+{state.produce_credits}") if sign.symbol == "credits" else sign
            for sign in ACTIONS[action]
        )
    return ACTIONS[action]


class Isolation(Do, Struct, frozen=True, tag="isolation"):
    """Two credits for the selector, nothing for the others (p. 3)."""

    def do(self, state: FrontiersState) -> FrontiersState:
        assert state.selector is not None
        return gain(state, state.selector, "credits", ISOLATION, (state.name("isolation"),))


class Envoys(Do, Struct, frozen=True, tag="envoys"):
    """A point, and the selecting disc moves before all others; the new order stays (p. 9)."""

    def do(self, state: FrontiersState) -> FrontiersState:
        seat, disc = state.selector, state.selected[-1].disc
        assert seat is not None
        state = gain(state, seat, "points", ENVOYS, (state.name("envoys"),))
        if state.track[0] == disc:
            return state
        state = replace(state, track=(disc, *(other for other in state.track if other != disc)))
        return does(state, seat, say("frontiers.disc-first"))


RESOLVE: dict[str, tuple[Step, ...]] = {
    "isolation": (Isolation(),),
    "chart-goals": (ChartGoals(),),
    "develop": (ResolveDevelop(),),
    "explore": (ResolveExplore(),),
    "settle": (ResolveSettle(),),
    "produce": (ResolveProduce(),),
    "trade-consume": (ResolveTrade(),),
    "envoys": (Envoys(),),
}


class ActionOver(Do, Struct, frozen=True, tag="action-over"):
    """Reset the fields of this action; replaced worlds go into the bag."""

    def do(self, state: FrontiersState) -> FrontiersState:
        seats = tuple(seat.after_action() for seat in state.seats)
        state = replace(state, seats=seats, action=None, in_order=None)
        for world in state.aside:
            state = state.tell(say("frontiers.into-bag", world=state.name(world)), kind="hands")
        return replace(state, aside=())


class EndRound(Do, Struct, frozen=True, tag="end-round"):
    """If nothing has ended the play, put a credit on Produce if it was not selected, and begin the next round
    (p. 3)."""

    def do(self, state: FrontiersState) -> FrontiersState:
        if state.ending:
            return state.push(EndPlay())
        return _onto_produce(state).push(BeginRound())


def _onto_produce(state: FrontiersState) -> FrontiersState:
    if any(selection.action == "produce" for selection in state.selected):
        return state
    state = replace(state, produce_credits=state.produce_credits + 1)
    return state.tell(count("frontiers.onto-produce", state.produce_credits), kind="hands")
