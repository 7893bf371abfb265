"""Tokens and wealth cards: which one was taken, what it shows, and where it goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.fact_values import as_told
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.transgalactica.component_types import Token, token_ids
from companion.games.transgalactica.deeds import bonus_token, change, does
from companion.games.transgalactica.effects import (
    Advance,
    Effect,
    Effects,
    Either,
    MiningSymbol,
    TakeToken,
    TokenColour,
)
from companion.games.transgalactica.faces import face
from companion.games.transgalactica.power_words import all_of
from companion.games.transgalactica.state import Held, TransState
from companion.games.transgalactica.steps.obstacles import hindered
from companion.games.transgalactica.steps.printed_pages import ask_print
from companion.games.transgalactica.steps.resolve import Origin, Resolve, resolves

NOTHING = say("core.form.nothing")
Sort = Literal["basic", "advanced", "bonus", "mining", "fleet", "wealth"]
Purpose = Literal["bonus", "bank", "unlocked", "merchant", "mined", "start", "wealth"]


def tokens_of(state: TransState, sort: Sort) -> tuple[str, ...]:
    """The tokens of this sort that are left; a bonus token of either colour may be basic or advanced."""
    if sort == "bonus":
        return (*state.tokens_left("basic"), *state.tokens_left("advanced"))
    return state.tokens_left(sort)


ALIKE = "="
"""Between an unknown token and the known one that it is told to equal."""


def token_options(state: TransState, sort: Sort) -> tuple[Option, ...]:
    """An option for each token, known ones first; scanning its label answers. Then another one with a known face,
    if none of those is left that are known to have it."""
    left = sorted(tokens_of(state, sort), key=lambda id: not state.token(id).shows)
    return (*(Option(id, state.name(id), id) for id in left), *_others_alike(state, left))


def _others_alike(state: TransState, left: Sequence[str]) -> Iterator[Option]:
    """For each face that no token left is known to have: the first unknown token, told to equal a known one."""
    known = [state.box.of(Token, id) for id in left]
    seen = {(token.sort, token.shows) for token in known}
    unknown = {token.sort: token.id for token in reversed(known) if token.unknown()}
    for sort, new in unknown.items():
        for like in (state.box.of(Token, id) for id in token_ids(sort)):
            if not like.unknown() and (sort, like.shows) not in seen:
                seen.add((sort, like.shows))
                text = say("transgalactica.another-token", shows=all_of(like.shows or ()) or (NOTHING,))
                yield Option(
                    f"{new}{ALIKE}{like.id}", text, face=face(like), group=say("transgalactica.alike")
                )


def identified(state: TransState, option: str) -> tuple[TransState, str]:
    """The token of an option; one that equals a known one is known from now on."""
    token, _, like = option.partition(ALIKE)
    if like and state.token(token).unknown():
        told = {f"{token}.shows": as_told(state.shows(like))}
        once = tuple(told) if f"{like}.shows" in state.once else ()
        state = replace(state, taught={**state.taught, **told}, once=(*state.once, *once))
    return state, token


class TellToken(Ask, Struct, frozen=True, tag="tell-token"):
    """Which token is it? One that was not seen yet; the seat that takes it is asked."""

    seat: int
    sort: Sort
    purpose: Purpose
    slug: ClassVar[str] = "transgalactica.token"

    def ask(self, state: TransState) -> Question:
        text = say(f"transgalactica.ask.token.{self.purpose}")
        return Question(self.slug, self.seat, text, token_options(state, self.sort), has_default=False)

    def take(self, state: TransState, option: str) -> TransState:
        state, token = identified(state, option)
        return state.push(LearnToken(self.seat, token), Receive(self.seat, token, self.purpose))

    def why_not(self, state: TransState, component: str) -> Text:
        return say("transgalactica.why.no-such-token")

    def is_obsolete(self, state: TransState) -> bool:
        return not tokens_of(state, self.sort)


class LearnToken(Do, Struct, frozen=True, tag="learn-token"):
    """Asks for the symbols of a token as soon as a seat holds it."""

    seat: int
    token: str

    def do(self, state: TransState) -> TransState:
        token = state.token(self.token)
        unknown = token.unknown()
        return state.push(ask_print(state, token, self.seat)) if unknown else state


class Receive(Do, Struct, frozen=True, tag="receive"):
    """Moves a token to its place and resolves its effect there."""

    seat: int
    token: str
    purpose: Purpose

    def do(self, state: TransState) -> TransState:
        who, name = state.seats[self.seat], state.name(self.token)
        match self.purpose:
            case "bonus":
                return bonus_token(state, self.seat, self.token)
            case "bank":
                state = change(state, self.seat, bank=(*who.bank, Held(self.token)))
                return does(state, self.seat, say("transgalactica.do.bank", token=name))
            case "mined" | "start":
                state = change(state, self.seat, mining=(*who.mining, self.token))
                state = does(state, self.seat, say(f"transgalactica.do.{self.purpose}", token=name))
            case "unlocked" | "merchant":
                state = change(state, self.seat, fleet=(*who.fleet, self.token))
                if state.phase == "income":
                    state = change(state, self.seat, paid_fleet=(*who.paid_fleet, self.token))
                state = lay_token(state, self.seat, self.token, "fleet")
            case "wealth":
                state = replace(state, discarded=(*state.discarded, self.token))
                state = does(state, self.seat, say("transgalactica.do.wealth", token=name))
        # A mined token pays with the other mining rewards, the merchant's first only at income (rule 170).
        if self.purpose in ("mined", "merchant"):
            return state
        origin: Origin = "card" if self.purpose == "wealth" else "token"
        effects = free_of_cost(state, self.token) if self.purpose == "wealth" else state.shows(self.token)
        return state.push(Resolve(self.seat, effects, origin, name))


def lay_token(state: TransState, seat: int, token: str, sort: Literal["fleet", "pirates"]) -> TransState:
    """Put a fleet or pirate token on the income track, with the mining symbol on the mining track (p. 11)."""
    deed = f"transgalactica.do.{sort}"
    if state.is_mined(token):
        state = change(state, seat, mining=(*state.seats[seat].mining, token))
        deed += "-mined"
    return does(state, seat, say(deed, token=state.name(token)))


def free_of_cost(state: TransState, card: str) -> Effects:
    """The effects of a wealth card, with every advance free whatever is printed (rule 31)."""
    return tuple(_freed(effect) for effect in state.shows(card))


def _freed(effect: Effect) -> Effect:
    if isinstance(effect, Advance):
        return replace(effect, free=True)
    if isinstance(effect, Either):
        of = tuple(replace(one, free=True) if isinstance(one, Advance) else one for one in effect.of)
        return replace(effect, of=of)
    return effect


class TakeTokenOf(Ask, Struct, frozen=True, tag="take-token-of"):
    """The top token of a track space; if none is left, the reward printed there (rule 60)."""

    seat: int
    colour: TokenColour
    space: str
    otherwise: Resolve
    slug: ClassVar[str] = "transgalactica.space-token"

    def ask(self, state: TransState) -> Question:
        none = Option("none", say("transgalactica.no-token-left"))
        text = say("transgalactica.ask.space-token", space=state.name(self.space))
        options = (*token_options(state, self.colour), none)
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: TransState, option: str) -> TransState:
        if option == "none":
            return replace(state, emptied=(*state.emptied, self.space)).push(self.otherwise)
        state, token = identified(state, option)
        return state.push(LearnToken(self.seat, token), Receive(self.seat, token, "bonus"))

    def why_not(self, state: TransState, component: str) -> Text:
        return say("transgalactica.why.no-such-token")


class TakeRoundToken(Ask, Struct, frozen=True, tag="take-round-token"):
    """The bonus token on the round track, of either colour, if one lies there (rule 188)."""

    seat: int
    slug: ClassVar[str] = "transgalactica.round-token"

    def ask(self, state: TransState) -> Question:
        none = Option("none", say("transgalactica.no-token"))
        text = say("transgalactica.ask.round-token")
        options = (*token_options(state, "bonus"), none)
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: TransState, option: str) -> TransState:
        if option == "none":
            return state
        state, token = identified(state, option)
        return state.push(LearnToken(self.seat, token), Receive(self.seat, token, "bonus"))

    def why_not(self, state: TransState, component: str) -> Text:
        return say("transgalactica.why.no-such-token")


@hindered(TakeToken)
def _no_token(state: TransState, seat: int, effect: TakeToken) -> Text | None:
    none = not tokens_of(state, effect.colour)
    if effect.colour == "mining":
        full = not state.panel.unknown() and mining_full(state, seat)
        none = none or full or not state.mining_stack
    return say("transgalactica.idle.token") if none else None


@hindered(MiningSymbol)
def _only_a_mark(state: TransState, seat: int, effect: MiningSymbol) -> Text:
    """The symbol only says where the token lies; it gives nothing."""
    return say("transgalactica.idle.blank")


@resolves(TakeToken)
def _take_token(state: TransState, by: Resolve, effect: TakeToken) -> TransState:
    if effect.colour == "mining":
        return state.push(DrawMiningToken(by.seat))
    return state.push(TellToken(by.seat, effect.colour, "bonus"))


class DrawMiningToken(Do, Struct, frozen=True, tag="draw-mining-token"):
    """Draws a mining token to the own track, unless that is full or the stack is empty (p. 8, 32)."""

    seat: int

    def do(self, state: TransState) -> TransState:
        if state.panel.unknown():
            return state.push(ask_print(state, state.panel, self.seat), self)
        if not state.mining_stack or mining_full(state, self.seat):
            return state.tell(say("transgalactica.no-mining-token"), self.seat)
        state = replace(state, mining_stack=state.mining_stack - 1)
        return state.push(TellToken(self.seat, "mining", "mined"))


def mining_full(state: TransState, seat: int) -> bool:
    """Whether a mining track is full (rule 107)."""
    return len(state.seats[seat].mining) >= len(state.panel.mining or ())
