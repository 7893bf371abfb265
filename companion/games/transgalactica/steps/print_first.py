"""Asks for unknown facts that decide whether an action has an effect, before a worker or a price is spent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from companion.core.agenda import Ask, Do
from companion.core.components import Component
from companion.core.words import say
from companion.games.transgalactica.effects import (
    Act,
    Action,
    Advance,
    Effect,
    Either,
    Mark,
    Pay,
    TakeMission,
)
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.printed_pages import ask_print
from companion.games.transgalactica.steps.tracks import at_end, next_military


def print_of_action(state: TransState, seat: int, action: Action) -> Iterator[Component]:
    """The components that decide whether an action of the panel has an effect."""
    match action:
        case "military" if not at_end(state, seat, "military"):
            yield next_military(state, seat)
        case "technology" if at_end(state, seat, "technology"):
            yield state.technology_rows
        case "politics" if at_end(state, seat, "politics"):
            yield from print_of_missions(state)
        case "mining":
            yield state.panel


def print_of_effects(state: TransState, seat: int, effects: Iterable[Effect]) -> Iterator[Component]:
    """The components that decide whether these symbols have an effect."""
    for effect in effects:
        match effect:
            case Mark():
                yield state.technology_rows
            case TakeMission():
                yield from print_of_missions(state)
            case Advance(tracks=("military",)) if not at_end(state, seat, "military"):
                yield next_military(state, seat)
            case Act(action=action) if action != "any":
                yield from print_of_action(state, seat, action)
            case Pay(gains=within) | Either(of=within):
                yield from print_of_effects(state, seat, within)


def print_of_missions(state: TransState) -> Iterator[Component]:
    """The components that decide which missions can be taken."""
    yield state.mission_rows
    yield from map(state.mission, state.display)


def ask_first(state: TransState, ask: Ask, option: str, needed: Iterable[Component]) -> TransState | None:
    """Ask for the first unknown component, then retry the answer; None if everything is known."""
    for component in needed:
        if component.unknown():
            return state.push(ask_print(state, component, ask.seat), Again(ask, option))
    return None


class Again(Do, Struct, frozen=True, tag="again"):
    """Retries an answer now that the facts are known; if the option is gone, asks the question again."""

    ask: Ask
    option: str

    def do(self, state: TransState) -> TransState:
        if not self.ask.is_obsolete(state) and self.ask.ask(state).option(self.option) is not None:
            again: TransState = self.ask.take(state, self.option)
            return again
        return state.tell(say("transgalactica.not-after-all"), self.ask.seat).push(self.ask)
