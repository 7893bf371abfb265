"""The production and mining actions."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.transgalactica.deeds import score
from companion.games.transgalactica.effects import Act, Effects, Kind, Mines, MiningSymbol
from companion.games.transgalactica.state import NIGHTMARE, NIGHTMARE_TILE, TransState
from companion.games.transgalactica.steps.collect import Collect, collects
from companion.games.transgalactica.steps.free_deeds import between
from companion.games.transgalactica.steps.obstacles import (
    all_hindered,
    hindered,
    hindered_action,
    pays_for,
)
from companion.games.transgalactica.steps.printed_pages import ask_print
from companion.games.transgalactica.steps.resolve import Happens, Resolve, performs, resolves
from companion.games.transgalactica.steps.tokens import TellToken, mining_full
from companion.games.transgalactica.steps.tracks import AdvanceTrack, at_end


@performs("production")
def _production(state: TransState, seat: int, kind: Kind) -> TransState:
    """Main: advance, then collect with the new level; secondary: one of the two (rules 120, 121)."""
    if kind == "secondary":
        return state.push(AdvanceOrCollect(seat))
    advance = AdvanceTrack(seat, "production", 1, "action", say("transgalactica.action.production"))
    return state.push(advance, between(state, seat), Collect(seat))


@hindered_action("production")
def _no_production(state: TransState, seat: int, kind: Kind) -> Text | None:
    able = not at_end(state, seat, "production") or collects(state, seat)
    return None if able else say("transgalactica.idle.production")


class AdvanceOrCollect(Ask, Struct, frozen=True, tag="advance-or-collect"):
    """Secondary production: advance or collect?"""

    seat: int
    slug: ClassVar[str] = "transgalactica.production"

    def ask(self, state: TransState) -> Question:
        collect = Option("collect", say("transgalactica.to-collect"), signs=(Sign("resource"),))
        advance = Option("advance", say("transgalactica.to-advance"), signs=(Sign("production", "+1"),))
        options: tuple[Option, ...] = (collect, advance)
        if not collects(state, self.seat):
            options = (advance,)
        elif at_end(state, self.seat, "production"):
            options = (collect,)
        return Question(
            self.slug, self.seat, say("transgalactica.ask.production"), options, has_default=False
        )

    def take(self, state: TransState, option: str) -> TransState:
        if option == "collect":
            return state.push(Collect(self.seat))
        return state.push(
            AdvanceTrack(self.seat, "production", 1, "action", say("transgalactica.action.production"))
        )


# Mining


@performs("mining")
def _mining(state: TransState, seat: int, kind: Kind) -> TransState:
    """Main: first take the token of the space; then, as for secondary, all mining rewards (rules 104-107)."""
    first = (TakeMiningToken(seat),) if kind == "main" else ()
    return state.push(*first, MiningRewards(seat), Happens(seat, "mining"))


@hindered_action("mining")
def _no_mining(state: TransState, seat: int, kind: Kind) -> Text | None:
    who, room = state.seats[seat], state.panel.mining or ()
    token = kind == "main" and state.mining_token and (state.panel.unknown() or len(who.mining) < len(room))
    untold = who.mining and state.panel.unknown()
    paid = any(all_hindered(state, seat, one.effects) is None for one in _rewards(state, seat) if one.effects)
    if token or untold or paid or pays_for(state, seat, "mining"):
        return None
    return say("transgalactica.idle.mining")


class TakeMiningToken(Do, Struct, frozen=True, tag="take-mining-token"):
    """Takes the token of the mining space, unless it is gone (rule 74) or the own track is full (rule 107)."""

    seat: int

    def do(self, state: TransState) -> TransState:
        if not state.mining_token:
            return state
        if state.panel.unknown():
            return state.push(ask_print(state, state.panel, self.seat), self)
        if mining_full(state, self.seat):
            return state.tell(say("transgalactica.mining-full"), self.seat)
        return replace(state, mining_token=False).push(TellToken(self.seat, "mining", "mined"))


class MiningRewards(Do, Struct, frozen=True, tag="mining-rewards"):
    """Resolves tokens down to the politics level, and every mining planet with an own outpost (rule 106)."""

    seat: int

    def do(self, state: TransState) -> TransState:
        if state.seats[self.seat].mining and state.panel.unknown():
            return state.push(ask_print(state, state.panel, self.seat), self)
        return state.push(*_rewards(state, self.seat))


def _rewards(state: TransState, seat: int) -> tuple[Resolve, ...]:
    tokens = reached(state, seat, state.seats[seat].mining, state.panel.mining)
    steps = (Resolve(seat, _mined(state.shows(token)), "token", state.name(token)) for token in tokens)
    return (*steps, *_planets(state, seat, nightmare=True))


def reached(
    state: TransState, seat: int, tokens: tuple[str, ...], rows: tuple[int, ...] | object
) -> tuple[str, ...]:
    """The tokens whose row the politics level reaches, from the top; those beyond the last row pay nothing."""
    levels = sorted(rows) if isinstance(rows, tuple) else []
    # The level of the marker's space counts, without what a technology adds (p. 8, rule 64).
    politics = state.space("politics", state.seats[seat].politics).level
    return tuple(token for token, level in zip(tokens, levels, strict=False) if level <= politics)


def _planets(state: TransState, seat: int, *, nightmare: bool) -> tuple[Resolve, ...]:
    """What mining planets give; the Nightmare is mined too, but not by a planet's action (rules 100, 167)."""
    mined = [id for id in state.seats[seat].planets if state.planet(id).type == "mining"]
    if nightmare and state.able(seat, NIGHTMARE_TILE):
        mined.append(NIGHTMARE)
    return tuple(Resolve(seat, _mined(state.planet(id).effects), "planet", state.name(id)) for id in mined)


def _mined(effects: Effects) -> Effects:
    """What mining gives, without symbols that mine again, which would never end."""
    return tuple(
        effect
        for effect in effects
        if not isinstance(effect, Mines | MiningSymbol)
        and not (isinstance(effect, Act) and effect.action == "mining")
    )


@hindered(Mines)
def _no_mines(state: TransState, seat: int, effect: Mines) -> Text | None:
    return None if _planets(state, seat, nightmare=False) else say("transgalactica.idle.mines")


@resolves(Mines)
def _mines(state: TransState, by: Resolve, effect: Mines) -> TransState:
    """All own mining planets give their rewards, then points for each (rule 100); not a mining action."""
    planets = _planets(state, by.seat, nightmare=False)
    state = state.push(*planets)
    return score(state, by.seat, effect.vp * len(planets), (by.why,)) if planets else state
