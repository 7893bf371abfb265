"""Resolving symbols one after another; each module of the rules registers its own.

`@resolves(Gain)` registers a function for a symbol, `@performs("mining")` one for an action of the panel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step
from companion.core.faces import Sign, Signs
from companion.core.questions import Option, Picks, Question
from companion.core.words import Text, count, say
from companion.games.transgalactica.component_types import ROUNDS, Event
from companion.games.transgalactica.costs import Price, Way, payments
from companion.games.transgalactica.deeds import gain, mobilise, pay, score
from companion.games.transgalactica.effects import (
    RESOURCES,
    Action,
    DoubleIncome,
    Effects,
    Gain,
    Kind,
    MiningSymbol,
    Mobilise,
    Override,
    Raise,
    needs_a_ship,
)
from companion.games.transgalactica.power_words import paid_for
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.board import map_first
from companion.games.transgalactica.steps.obstacles import hindered

Origin = Literal["action", "token", "card", "planet", "ability", "space"]
"""Where an effect comes from; war profits pay only for cards and planets (rule 172)."""

Resolver: TypeAlias = Callable[[TransState, "Resolve", Any], TransState]
Performer: TypeAlias = Callable[[TransState, int, Kind], TransState]
RESOLVERS: dict[type[Struct], Resolver] = {}
PERFORMERS: dict[str, Performer] = {}
R = TypeVar("R", bound=Resolver)
P = TypeVar("P", bound=Performer)


def resolves(*effects: type[Struct]) -> Callable[[R], R]:
    """Register the function that resolves these symbols."""

    def add(function: R) -> R:
        RESOLVERS.update(dict.fromkeys(effects, function))
        return function

    return add


def performs(action: Action) -> Callable[[P], P]:
    """Register the function that performs an action of the panel."""

    def add(function: P) -> P:
        PERFORMERS[action] = function
        return function

    return add


class Resolve(Do, Struct, frozen=True, tag="resolve"):
    """Resolves these effects in printed order (rule 131)."""

    seat: int
    effects: Effects
    origin: Origin
    why: Text

    @property
    def promise(self) -> tuple[Text, ...]:
        """What this leads to, shown to a seat that is asked to pay."""
        return paid_for(self.effects)

    def do(self, state: TransState) -> TransState:
        if not self.effects:
            return state
        first, rest = self.effects[0], self.effects[1:]
        if rest:
            state = state.push(replace(self, effects=rest))
        who = state.seats[self.seat]
        if not who.ships and needs_a_ship(first):
            return state.with_seat(self.seat, replace(who, waiting=(*who.waiting, first)))
        if (
            needs_a_ship(first)
            and (map_told := map_first(state, replace(self, effects=(first,)))) is not None
        ):
            return map_told
        return RESOLVERS[type(first)](state, self, first)


class Perform(Do, Struct, frozen=True, tag="perform"):
    """An action of the panel, at its own cost."""

    seat: int
    action: Action
    kind: Kind

    def do(self, state: TransState) -> TransState:
        return PERFORMERS[self.action](state, self.seat, self.kind)


class Happens(Do, Struct, frozen=True, tag="happens"):
    """An event that triggers technologies: resolves each that it triggers."""

    seat: int
    event: Event
    besides: str = ""
    """The card being marked, which does not trigger itself (rule 135)."""

    def do(self, state: TransState) -> TransState:
        steps = []
        for id in state.seats[self.seat].technologies:
            card = state.technology(id)
            if self.event in card.events and id != self.besides:
                steps.append(Resolve(self.seat, card.effects, "card", state.name(id)))
        return state.push(*steps)


# Simple symbols


@resolves(MiningSymbol)
def _mining_symbol(state: TransState, by: Resolve, effect: MiningSymbol) -> TransState:
    """The symbol only says where the token lies; it gives nothing."""
    return state


@resolves(Gain)
def _gain(state: TransState, by: Resolve, effect: Gain) -> TransState:
    if effect.what == "any":
        return state.push(ChooseResource(by.seat, effect.n, by.why))
    return gain(state, by.seat, effect.what, effect.n, (by.why,))


@resolves(Raise)
def _raise(state: TransState, by: Resolve, effect: Raise) -> TransState:
    who = state.seats[by.seat]
    state = state.with_seat(by.seat, replace(who, raised=(*who.raised, effect.level)))
    return state.tell(say(f"transgalactica.raised.{effect.level}"), by.seat)


@resolves(DoubleIncome)
def _double(state: TransState, by: Resolve, effect: DoubleIncome) -> TransState:
    state = state.with_seat(by.seat, replace(state.seats[by.seat], double=True))
    return state.tell(say("transgalactica.doubled"), by.seat)


@hindered(DoubleIncome)
def _no_income(state: TransState, seat: int, effect: DoubleIncome) -> Text | None:
    """Why double income would do nothing: the last round has no further income, or it is doubled already."""
    over = state.seats[seat].double or state.round >= ROUNDS
    return say("transgalactica.idle.income") if over else None


@resolves(Override)
def _override(state: TransState, by: Resolve, effect: Override) -> TransState:
    return state.with_seat(by.seat, replace(state.seats[by.seat], override=True))


@resolves(Mobilise)
def _mobilise(state: TransState, by: Resolve, effect: Mobilise) -> TransState:
    return mobilise(state, by.seat, effect.n, (by.why,))


@hindered(Override)
def _has_override(state: TransState, seat: int, effect: Override) -> Text | None:
    has = state.seats[seat].override or state.has(seat, "override")
    return say("transgalactica.idle.override") if has else None


@hindered(Mobilise)
def _no_crew(state: TransState, seat: int, effect: Mobilise) -> Text | None:
    return None if state.seats[seat].capsules else say("transgalactica.idle.crew")


class ChooseResource(Ask, Struct, frozen=True, tag="choose-resource"):
    """Which resource? Asked once for each resource to take."""

    seat: int
    n: int
    why: Text
    done: int = 0
    slug: ClassVar[str] = "transgalactica.resource"

    def ask(self, state: TransState) -> Question:
        options = tuple(
            Option(what, say(f"transgalactica.one.{what}"), signs=(Sign(what, "+1"),)) for what in RESOURCES
        )
        picks = Picks(self.done, self.n) if self.n > 1 else None
        text = say("transgalactica.ask.resource", why=self.why)
        return Question(self.slug, self.seat, text, options, has_default=False, tally=picks)

    def take(self, state: TransState, option: str) -> TransState:
        state = gain(state, self.seat, option, 1, (self.why,))
        if self.done + 1 < self.n:
            state = state.push(replace(self, done=self.done + 1))
        return state


class PayFor(Ask, Struct, frozen=True, tag="pay-for"):
    """How is it paid? Not asked if payment is compulsory and only one way is possible."""

    seat: int
    prices: tuple[Price, ...]
    then: tuple[Step, ...]
    why: Text
    optional: bool = False
    slug: ClassVar[str] = "transgalactica.pay"

    def ask(self, state: TransState) -> Question:
        options = [_way(way) for way in payments(state, self.seat, self.prices)]
        if self.optional or not options:
            options.append(Option("decline", say("transgalactica.decline")))
        text = say("transgalactica.ask.pay", why=self.why)
        if self.optional:
            gets: tuple[Text, ...] = getattr(self.then[0], "promise", ())
            text = say("transgalactica.ask.may-pay", why=self.why, gets=gets)
        return Question(self.slug, self.seat, text, tuple(options), has_default=False)

    def take(self, state: TransState, option: str) -> TransState:
        found = [way for way in payments(state, self.seat, self.prices) if way.id == option]
        if not found:
            return state
        state = pay_way(state, self.seat, found[0], self.why)
        if found[0].vp:
            state = score(state, self.seat, found[0].vp, (self.why,))
        return state.push(*self.then)

    def is_obsolete(self, state: TransState) -> bool:
        return not payments(state, self.seat, self.prices)


def pay_way(state: TransState, seat: int, way: Way, why: Text) -> TransState:
    """Pay as this way says; if credits replace other pieces, the news tells the player to exchange them."""
    changing = (say("transgalactica.exchanging"),) if way.changed else ()
    return pay(state, seat, way.paid, (why, *changing))


def _way(way: Way) -> Option:
    return Option(way.id, stuff_words(way.paid), detail=changed_words(way), signs=stuff_signs(way.paid))


def changed_words(way: Way) -> Text | None:
    """What credits are changed into, or None."""
    if not way.changed:
        return None
    return say("transgalactica.changed", what=stuff_words(way.changed))


def stuff_words(paid: tuple[tuple[str, int], ...]) -> Text:
    """What is paid, in words."""
    parts = tuple(count(f"transgalactica.n.{what}", n) for what, n in paid)
    return say("core.together", parts=parts) if parts else say("transgalactica.nothing-to-pay")


def stuff_signs(paid: tuple[tuple[str, int], ...]) -> Signs:
    """What is paid, in signs."""
    names = {"credit": "credits"}
    return tuple(Sign(names.get(what, what), str(n)) for what, n in paid)
