"""The four tracks of the operations panel and the trade track: advancing, tokens on their spaces, prices."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.transgalactica.component_types import TRADE, TrackSpace
from companion.games.transgalactica.costs import Price, military_prices, payments, trade_prices
from companion.games.transgalactica.deeds import marker, score, unlock
from companion.games.transgalactica.effects import Advance, Kind, Track
from companion.games.transgalactica.power_words import paid_for
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.collect import Collect
from companion.games.transgalactica.steps.obstacles import hindered, hindered_action
from companion.games.transgalactica.steps.printed_pages import ask_print
from companion.games.transgalactica.steps.resolve import (
    Happens,
    Origin,
    PayFor,
    Resolve,
    performs,
    resolves,
)
from companion.games.transgalactica.steps.tokens import TakeTokenOf, TellToken

WAR_PROFITS = 2
"""Points for each military advance by a card or planet (rule 172)."""


def at_end(state: TransState, seat: int, track: Track) -> bool:
    """Whether the track is known to have no further space (rule 63)."""
    at: int = getattr(state.seats[seat], track)
    return at >= TRADE if track == "trade" else state.space(track, at).last is True


def barred(state: TransState, seat: int, track: Track) -> bool:
    """Whether a seat certainly cannot advance: at the end, or below the gate of a military space (rule 65)."""
    if at_end(state, seat, track):
        return True
    if track != "military":
        return False
    gate = state.space(track, state.seats[seat].military + 1).gate
    return bool(gate) and state.level(seat, "technology") < int(gate or 0)


def opens_more(state: TransState, seat: int, track: Track) -> TransState | None:
    """The table with a seat one space further, to see what opens; None if that space is unknown or rewards."""
    if at_end(state, seat, track):
        return state
    at = getattr(state.seats[seat], track) + 1
    space = state.space(track, at)
    return (
        None if space.unknown() or space.token != "none" or space.reward else marker(state, seat, track, at)
    )


def barrier(state: TransState, seat: int, track: Track) -> Text | None:
    """Why a seat cannot advance, as far as is known; None if it can."""
    if not barred(state, seat, track):
        return None
    if at_end(state, seat, track):
        return say(f"transgalactica.ends.{track}")
    return say("transgalactica.gate", level=int(next_military(state, seat).gate or 0))


class AdvanceTrack(Do, Struct, frozen=True, tag="advance-track"):
    """Advances one space after another; each gives its token or reward (rules 60-65). Nothing is paid here."""

    seat: int
    track: Track
    n: int
    origin: Origin
    why: Text

    @property
    def promise(self) -> tuple[Text, ...]:
        """What this leads to, shown to a seat that is asked to pay."""
        return paid_for((Advance((self.track,), self.n),))

    def do(self, state: TransState) -> TransState:
        if at_end(state, self.seat, self.track):
            return state.tell(say(f"transgalactica.ends.{self.track}"), self.seat)
        if self.n > 1:
            state = state.push(replace(self, n=self.n - 1))
        if self.track == "trade":
            return _unlock(state, self.seat)
        at = getattr(state.seats[self.seat], self.track) + 1
        space = state.space(self.track, at)
        if space.unknown():
            one = replace(self, n=1)
            return state.push(ask_print(state, space, self.seat), one)
        if barred(state, self.seat, self.track) and self.origin != "ability":
            return state.tell(say("transgalactica.gate", level=int(space.gate or 0)), self.seat)
        state = marker(state, self.seat, self.track, at)
        return _entered(state, self, at)


def _entered(state: TransState, step: AdvanceTrack, at: int) -> TransState:
    """Rewards of an advance: the token or reward of the space, then technologies and war profits."""
    seat, track = step.seat, step.track
    space = state.space(track, at)
    steps: list[Do | Ask] = []
    name = state.name(space.id)
    if space.token in ("basic", "advanced") and space.id not in state.emptied:
        steps.append(
            TakeTokenOf(seat, space.token, space.id, Resolve(seat, space.reward or (), "space", name))
        )
    elif space.reward:
        steps.append(Resolve(seat, space.reward, "space", name))
    if track == "military":
        steps.append(Happens(seat, "military-advance"))
        if step.origin in ("card", "planet"):
            for owner in range(len(state.seats)):
                if state.able(owner, "war-profits"):
                    state = score(state, owner, WAR_PROFITS, (state.name("war-profits"),))
    if track == "production":
        steps.append(Happens(seat, "production-advance"))
        if state.has(seat, "assembly"):
            steps.append(Collect(seat))
    return state.push(*steps)


def _unlock(state: TransState, seat: int) -> TransState:
    """Unlock a trade space: 1, 3, 5 give a marker, 2, 4, 6 a fleet token and its reward (rule 110)."""
    state = unlock(state, seat)
    if state.seats[seat].trade % 2:
        return state
    return state.push(TellToken(seat, "fleet", "unlocked"))


@resolves(Advance)
def _advance(state: TransState, by: Resolve, effect: Advance) -> TransState:
    tracks = tuple(dict.fromkeys(effect.tracks))
    if len(tracks) == 1:
        return _paid_advance(state, by, replace(effect, tracks=tracks))
    return (
        state.push(ChooseTrack(by.seat, replace(effect, tracks=tracks), by.origin, by.why))
        if tracks
        else state
    )


def _paid_advance(state: TransState, by: Resolve, effect: Advance) -> TransState:
    """Military and trade advances are paid unless fully discounted (rules 46, 66)."""
    track = effect.tracks[0]
    step = AdvanceTrack(by.seat, track, 1, by.origin, by.why)
    # Advances by ability tiles at set-up ignore the gate: the fleet starts there (p. 24).
    if barred(state, by.seat, track) and by.origin != "ability":
        return step.do(state)
    more = replace(by, effects=(replace(effect, n=effect.n - 1),)) if effect.n > 1 else None
    if effect.free or track not in ("military", "trade"):
        return state.push(replace(step, n=effect.n))
    prices = _advance_prices(state, by.seat, track, effect)
    if prices == (Price(()),):
        return state.push(step, *((more,) if more else ()))
    if track == "military" and next_military(state, by.seat).unknown():
        again = replace(by, effects=(effect,))
        return state.push(ask_print(state, next_military(state, by.seat), by.seat), again)
    return state.push(PayFor(by.seat, prices, (step, *((more,) if more else ())), by.why, optional=True))


def _advance_prices(state: TransState, seat: int, track: Track, effect: Advance) -> tuple[Price, ...]:
    """The price of an advance by a symbol; only military and trade have one."""
    if effect.free or track not in ("military", "trade"):
        return (Price(()),)
    if track == "military":
        return military_prices(False, effect.less)
    return trade_prices(state, seat, False, effect.less)


@hindered(Advance)
def _no_advance(state: TransState, seat: int, effect: Advance) -> Text | None:
    reasons = [_no_advance_on(state, seat, track, effect) for track in effect.tracks]
    return reasons[0] if reasons and None not in reasons else None


def _no_advance_on(state: TransState, seat: int, track: Track, effect: Advance) -> Text | None:
    if reason := barrier(state, seat, track):
        return reason
    prices = _advance_prices(state, seat, track, effect)
    return None if payments(state, seat, prices) else say("transgalactica.idle.pay")


def next_military(state: TransState, seat: int) -> TrackSpace:
    """The military space a seat would enter."""
    return state.space("military", state.seats[seat].military + 1)


class ChooseTrack(Ask, Struct, frozen=True, tag="choose-track"):
    """On which of these tracks?"""

    seat: int
    effect: Advance
    origin: Origin
    why: Text
    slug: ClassVar[str] = "transgalactica.track"

    def ask(self, state: TransState) -> Question:
        open_ = [
            track
            for track in self.effect.tracks
            if _no_advance_on(state, self.seat, track, self.effect) is None
        ]
        options = [
            Option(track, say(f"transgalactica.track.{track}"), signs=(Sign(track, "+1"),)) for track in open_
        ]
        options.append(Option("nothing", say("transgalactica.nothing")))
        text = say("transgalactica.ask.track", why=self.why)
        return Question(self.slug, self.seat, text, tuple(options), has_default=False)

    def take(self, state: TransState, option: str) -> TransState:
        if option == "nothing":
            return state
        chosen: Track = next(track for track in self.effect.tracks if track == option)
        effect = replace(self.effect, tracks=(chosen,))
        return state.push(Resolve(self.seat, (effect,), self.origin, self.why))


# Panel actions


@performs("military")
def _military(state: TransState, seat: int, kind: Kind) -> TransState:
    return state.push(BuyAdvance(seat, "military", kind))


@performs("trade")
def _trade(state: TransState, seat: int, kind: Kind) -> TransState:
    return state.push(BuyAdvance(seat, "trade", kind))


class BuyAdvance(Do, Struct, frozen=True, tag="buy-advance"):
    """The military and trade actions (rules 108, 109, 118, 119); an unknown space is asked for first."""

    seat: int
    track: Track
    kind: Kind

    def do(self, state: TransState) -> TransState:
        if self.track == "military" and not at_end(state, self.seat, "military"):
            space = next_military(state, self.seat)
            if space.unknown():
                return state.push(ask_print(state, space, self.seat), self)
        name = say(f"transgalactica.action.{self.track}")
        if barred(state, self.seat, self.track):
            return AdvanceTrack(self.seat, self.track, 1, "action", name).do(state)
        prices = action_prices(state, self.seat, self.track, self.kind)
        return state.push(
            PayFor(self.seat, prices, (AdvanceTrack(self.seat, self.track, 1, "action", name),), name)
        )


def action_prices(state: TransState, seat: int, track: Track, kind: Kind) -> tuple[Price, ...]:
    """The price of the military or trade action."""
    main = kind == "main"
    return trade_prices(state, seat, main) if track == "trade" else military_prices(main)


@hindered_action("military")
def _no_military(state: TransState, seat: int, kind: Kind) -> Text | None:
    return _cannot_buy(state, seat, "military", kind)


@hindered_action("trade")
def _no_trade(state: TransState, seat: int, kind: Kind) -> Text | None:
    return _cannot_buy(state, seat, "trade", kind)


def _cannot_buy(state: TransState, seat: int, track: Track, kind: Kind) -> Text | None:
    if reason := barrier(state, seat, track):
        return reason
    found = payments(state, seat, action_prices(state, seat, track, kind))
    return None if found else say("transgalactica.idle.pay")
