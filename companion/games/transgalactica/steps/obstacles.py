"""Why nothing would come of a symbol or an action: what does nothing is not offered, or only with its reason.

`@hindered(Mark)` says what hinders a symbol, `@hindered_action("mining")` what hinders an action of the panel.
What depends on print nobody told is taken to be possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct

from companion.core.words import Text, say
from companion.games.transgalactica.effects import Action, Effect, Kind, needs_a_ship
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.things import Event

Obstacle: TypeAlias = Text | None
"""Why nothing would come of it; none if something would."""
OfEffect: TypeAlias = Callable[[TransState, int, Any], Obstacle]
OfAction: TypeAlias = Callable[[TransState, int, Kind], Obstacle]
EFFECTS: dict[type[Struct], OfEffect] = {}
PANEL: dict[str, OfAction] = {}
PAID: tuple[Action, ...] = ("omni", "trade", "military")
"""The actions that cost something."""
_ASKED: ContextVar[frozenset[tuple[Action, Kind]]] = ContextVar("asked", default=frozenset())
"""The actions whose obstacle is being looked for: one that only leads back to itself, by a token that shows an action,
does nothing."""
E = TypeVar("E", bound=OfEffect)
A = TypeVar("A", bound=OfAction)


def hindered(*effects: type[Struct]) -> Callable[[E], E]:
    """The function that says why these symbols would do nothing."""

    def add(function: E) -> E:
        EFFECTS.update(dict.fromkeys(effects, function))
        return function

    return add


def hindered_action(action: Action) -> Callable[[A], A]:
    """The function that says why an action of the panel would do nothing."""

    def add(function: A) -> A:
        PANEL[action] = function
        return function

    return add


def obstacle(state: TransState, seat: int, effect: Effect) -> Obstacle:
    """Why a symbol would do nothing for a seat now."""
    found = EFFECTS.get(type(effect))
    waits = not state.seats[seat].ships and needs_a_ship(effect)
    return found(state, seat, effect) if found and not waits else None


def futile(state: TransState, seat: int, effect: Effect) -> bool:
    """Whether a symbol certainly does nothing for a seat now: nobody pays for that, or chooses it."""
    return obstacle(state, seat, effect) is not None


def all_hindered(state: TransState, seat: int, effects: Iterable[Effect]) -> Obstacle:
    """Why nothing would come of all these symbols: the first reason, if each of them has one."""
    reasons = [obstacle(state, seat, effect) for effect in effects]
    return reasons[0] if reasons and None not in reasons else None


def some_hindered(state: TransState, seat: int, effects: Iterable[Effect]) -> Obstacle:
    """Why one of these symbols would do nothing."""
    return next(filter(None, (obstacle(state, seat, effect) for effect in effects)), None)


def action_obstacle(state: TransState, seat: int, action: Action, kind: Kind) -> Obstacle:
    """Why an action of the panel would do nothing for a seat now."""
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
    """Whether helpers pay for a secondary action, also an idle one; but nobody acts without paying (rule 141)."""
    return action not in PAID and pays_for(state, seat, "secondary")


def possible(state: TransState, seat: int, action: Action, kind: Kind) -> bool:
    """Whether an action could do anything: what is paid for must be payable and not barred."""
    return action_obstacle(state, seat, action, kind) is None


def pays_for(state: TransState, seat: int, event: Event) -> bool:
    """Whether a technology of a seat does something when this happens."""
    return any(
        event in card.events and all_hindered(state, seat, card.effects) is None
        for card in map(state.technology, state.seats[seat].technologies)
    )
