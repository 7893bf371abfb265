"""Symbols with a decision: optional payments, and one of several effects."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.transgalactica.costs import Price, less, payments
from companion.games.transgalactica.effects import (
    Advance,
    CompleteMission,
    Cost,
    Effect,
    Either,
    Mark,
    Mobilise,
    Pay,
    TakeMission,
)
from companion.games.transgalactica.power_words import say_effect
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.missions import room
from companion.games.transgalactica.steps.obstacles import all_hindered, futile, hindered
from companion.games.transgalactica.steps.printed_pages import ask_print
from companion.games.transgalactica.steps.resolve import Origin, PayFor, Resolve, resolves
from companion.games.transgalactica.steps.tracks import barred, next_military


@hindered(Pay)
def _no_pay(state: TransState, seat: int, effect: Pay) -> Text | None:
    if reason := all_hindered(state, seat, effect.gains):
        return reason
    return (
        None
        if payments(state, seat, (Price(_cost(state, seat, effect)),))
        else say("transgalactica.idle.pay")
    )


@hindered(Either)
def _none_of_these(state: TransState, seat: int, effect: Either) -> Text | None:
    return all_hindered(state, seat, effect.of)


def hopeless(state: TransState, seat: int, effect: Effect) -> bool:
    """Whether no other income of this phase could make a symbol do anything."""
    who = state.seats[seat]
    match effect:
        case Pay():
            return all(hopeless(state, seat, one) for one in effect.gains)
        case Advance():
            return all(barred(state, seat, track) for track in effect.tracks)
        case Mark():
            return who.markers <= 0
        case TakeMission():
            return room(state, seat) <= 0
        case CompleteMission():
            return not who.log
        case Mobilise():
            return not who.capsules
    return False


@resolves(Pay)
def _pay(state: TransState, by: Resolve, effect: Pay) -> TransState:
    """Ask only if paying has an effect; an unknown military space is asked for first (rules 63, 65)."""
    if _only_military(effect) and not barred(state, by.seat, "military"):
        space = next_military(state, by.seat)
        if space.unknown():
            again = replace(by, effects=(effect,))
            return state.push(ask_print(state, space, by.seat), again)
    if futile(state, by.seat, effect):
        return state
    more = (replace(effect, times=effect.times - 1),) if effect.times > 1 else ()
    then = (replace(by, effects=effect.gains), replace(by, effects=more))
    cost = _cost(state, by.seat, effect)
    if not cost:
        return state.push(*then)
    return state.push(PayFor(by.seat, (Price(cost),), then, by.why, optional=True))


def _cost(state: TransState, seat: int, effect: Pay) -> tuple[Cost, ...]:
    """The price; the trade discount takes an alien off unlocking a trade space, also by the grey wild (p. 28)."""
    unlocks = all(isinstance(gain, Advance) and set(gain.tracks) == {"trade"} for gain in effect.gains)
    discounted = unlocks and state.has(seat, "trade-without-alien")
    return less(effect.cost, ("alien",)) if discounted else effect.cost


def _only_military(effect: Pay) -> bool:
    """Whether only a military advance is paid for."""
    return all(isinstance(gain, Advance) and set(gain.tracks) == {"military"} for gain in effect.gains)


@resolves(Either)
def _either(state: TransState, by: Resolve, effect: Either) -> TransState:
    return state.push(ChooseOne(by.seat, effect.of, by.origin, by.why)) if effect.of else state


class ChooseOne(Ask, Struct, frozen=True, tag="choose-one"):
    """Which of these symbols? Or none, because the impossible may be declined (rule 131)."""

    seat: int
    of: tuple[Effect, ...]
    origin: Origin
    why: Text
    slug: ClassVar[str] = "transgalactica.either"

    def ask(self, state: TransState) -> Question:
        options = [
            Option(str(n), say_effect(effect))
            for n, effect in enumerate(self.of)
            if not futile(state, self.seat, effect)
        ]
        options.append(Option("nothing", say("transgalactica.nothing")))
        text = say("transgalactica.ask.either", why=self.why)
        return Question(self.slug, self.seat, text, tuple(options), has_default=False)

    def take(self, state: TransState, option: str) -> TransState:
        if option == "nothing":
            return state
        return state.push(Resolve(self.seat, (self.of[int(option)],), self.origin, self.why))
