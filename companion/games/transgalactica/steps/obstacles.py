"""Why a symbol or an action would do nothing: such options are not offered, or only with the reason.

`@hindered(Mark)` registers the check of a symbol, `@hindered_action("mining")` that of an action of the
panel. Unknown facts count as possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct

from companion.core.words import Text, say
from companion.games.transgalactica.component_types import Event
from companion.games.transgalactica.effects import Action, Effect, Kind, needs_a_ship
from companion.games.transgalactica.state import TransState

Obstacle: TypeAlias = Text | None
"""Why something would have no effect; None if it would have one."""
OfEffect: TypeAlias = Callable[[TransState, int, Any], Obstacle]
OfAction: TypeAlias = Callable[[TransState, int, Kind], Obstacle]
EFFECTS: dict[type[Struct], OfEffect] = {}
PANEL: dict[str, OfAction] = {}
PAID: tuple[Action, ...] = ("omni", "trade", "military")
"""The actions that cost something."""
_ASKED: ContextVar[frozenset[tuple[Action, Kind]]] = ContextVar("asked", default=frozenset())
"""The actions being checked, to stop recursion: an action that only leads back to itself by a token showing
an action does nothing."""
E = TypeVar("E", bound=OfEffect)
A = TypeVar("A", bound=OfAction)


def hindered(*effects: type[Struct]) -> Callable[[E], E]:
    """Register the function that says why these symbols would do nothing."""

    def add(function: E) -> E:
        EFFECTS.update(dict.fromkeys(effects, function))
        return function

    return add


def hindered_action(action: Action) -> Callable[[A], A]:
    """Register the function that says why an action of the panel would do nothing."""

    def add(function: A) -> A:
        PANEL[action] = function
        return function

    return add


def obstacle(state: TransState, seat: int, effect: Effect) -> Obstacle:
    """Why a symbol would do nothing for a seat now; None if it would do something or might."""
    found = EFFECTS.get(type(effect))
    waits = not state.seats[seat].ships and needs_a_ship(effect)
    return found(state, seat, effect) if found and not waits else None


def futile(state: TransState, seat: int, effect: Effect) -> bool:
    """Whether a symbol certainly does nothing for a seat now, so that it is not offered."""
    return obstacle(state, seat, effect) is not None


def all_hindered(state: TransState, seat: int, effects: Iterable[Effect]) -> Obstacle:
    """Why none of these symbols would do anything: the first reason, or None if any of them would."""
    reasons = [obstacle(state, seat, effect) for effect in effects]
    return reasons[0] if reasons and None not in reasons else None


def some_hindered(state: TransState, seat: int, effects: Iterable[Effect]) -> Obstacle:
    """Why one of these symbols would do nothing: the first reason found, or None."""
    return next(filter(None, (obstacle(state, seat, effect) for effect in effects)), None)


def action_obstacle(state: TransState, seat: int, action: Action, kind: Kind) -> Obstacle:
    """Why an action of the panel would do nothing for a seat now; None if it would do something."""
    if kind == "secondary" and helped(state, seat, action):
        return None
    asked = _ASKED.get()
    if (action, kind) in asked:
        return say("transgalactica.idle.actions")
    token = _ASKED.set(asked | {(action, kind)})
    try:
        return PANEL[action](state, seat, kind)
    finally:
        _ASKED.reset(token)


def helped(state: TransState, seat: int, action: Action) -> bool:
    """Whether helpers make a free secondary action useful even if it does nothing itself (rule 141)."""
    return action not in PAID and pays_for(state, seat, "secondary")


def possible(state: TransState, seat: int, action: Action, kind: Kind) -> bool:
    """Whether an action could do anything: it can be paid and is not barred."""
    return action_obstacle(state, seat, action, kind) is None


def pays_for(state: TransState, seat: int, event: Event) -> bool:
    """Whether a seat has a technology that does something when this event happens."""
    return any(
        event in card.events and all_hindered(state, seat, card.effects) is None
        for card in map(state.technology, state.seats[seat].technologies)
    )
