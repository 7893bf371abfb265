"""The actions of production and mining."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.faces import Sign
from companion.core.facts import ask_fact
from companion.core.questions import Option, Question
from companion.core.words import say
from companion.games.transgalactica.deeds import score
from companion.games.transgalactica.effects import Act, Effects, Kind, Mines
from companion.games.transgalactica.state import NIGHTMARE, NIGHTMARE_TILE, TransState
from companion.games.transgalactica.steps.collect import Collect
from companion.games.transgalactica.steps.free_deeds import between
from companion.games.transgalactica.steps.resolve import Happens, Resolve, performs, resolves
from companion.games.transgalactica.steps.tokens import TellToken
from companion.games.transgalactica.steps.tracks import AdvanceTrack


@performs("production")
def _production(state: TransState, seat: int, kind: Kind) -> TransState:
    """Main: advance, then collect with the new level; secondary: one of the two (rules 120, 121)."""
    if kind == "secondary":
        return state.push(AdvanceOrCollect(seat))
    advance = AdvanceTrack(seat, "production", 1, "action", say("transgalactica.action.production"))
    return state.push(advance, between(state, seat), Collect(seat))


class AdvanceOrCollect(Ask, Struct, frozen=True, tag="advance-or-collect"):
    """The secondary production."""

    seat: int
    slug: ClassVar[str] = "transgalactica.production"

    def ask(self, state: TransState) -> Question:
        options = (
            Option("collect", say("transgalactica.to-collect"), signs=(Sign("resource"),)),
            Option("advance", say("transgalactica.to-advance"), signs=(Sign("production", "+1"),)),
        )
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
    """Main: the token of the space first; then, as for the secondary, all mining rewards (rules 104-107)."""
    first = (TakeMiningToken(seat),) if kind == "main" else ()
    return state.push(*first, MiningRewards(seat), Happens(seat, "mining"))


class TakeMiningToken(Do, Struct, frozen=True, tag="take-mining-token"):
    """The token of the mining space onto the own track, unless it is gone (rule 74) or the track is full (rule 107)."""

    seat: int

    def do(self, state: TransState) -> TransState:
        if not state.mining_token:
            return state
        if unknown := panel_unknown(state):
            return state.push(ask_fact("transgalactica", state.panel, *unknown, seat=self.seat), self)
        if len(state.seats[self.seat].mining) >= len(state.panel.mining or ()):
            return state.tell(say("transgalactica.mining-full"), self.seat)
        return replace(state, mining_token=False).push(TellToken(self.seat, "mining", "mined"))


def panel_unknown(state: TransState) -> tuple[str, ...]:
    """What nobody told of the control panel."""
    return state.panel.unknown()


class MiningRewards(Do, Struct, frozen=True, tag="mining-rewards"):
    """Tokens down to the political level, and every mining planet with an own outpost (rule 106)."""

    seat: int

    def do(self, state: TransState) -> TransState:
        if state.seats[self.seat].mining and (unknown := panel_unknown(state)):
            return state.push(ask_fact("transgalactica", state.panel, *unknown, seat=self.seat), self)
        steps = [
            Resolve(self.seat, _mined(state.shows(token)), "token", state.name(token))
            for token in reached(state, self.seat, state.seats[self.seat].mining, state.panel.mining)
        ]
        return state.push(*steps, *_planets(state, self.seat, nightmare=True))


def reached(
    state: TransState, seat: int, tokens: tuple[str, ...], rows: tuple[int, ...] | object
) -> tuple[str, ...]:
    """The tokens from the top whose row the political level reaches; one beyond the last row pays nothing."""
    levels = sorted(rows) if isinstance(rows, tuple) else []
    # Where the marker stands, not what a technology adds to the level (p. 8, rule 64).
    politics = state.space("politics", state.seats[seat].politics).level
    return tuple(token for token, level in zip(tokens, levels, strict=False) if level <= politics)


def _planets(state: TransState, seat: int, *, nightmare: bool) -> tuple[Resolve, ...]:
    """What mining planets give; the Nightmare is mined, too, but by no planet's action (rules 100, 167)."""
    mined = [id for id in state.seats[seat].planets if state.planet(id).type == "mining"]
    if nightmare and state.able(seat, NIGHTMARE_TILE):
        mined.append(NIGHTMARE)
    return tuple(Resolve(seat, _mined(state.planet(id).effects), "planet", state.name(id)) for id in mined)


def _mined(effects: Effects) -> Effects:
    """What mining gives; a symbol that mines again would never end, so nobody can have meant it."""
    return tuple(
        effect
        for effect in effects
        if not isinstance(effect, Mines) and not (isinstance(effect, Act) and effect.action == "mining")
    )


@resolves(Mines)
def _mines(state: TransState, by: Resolve, effect: Mines) -> TransState:
    """All own mining planets give their rewards, then so many points for each (rule 100): no mining action."""
    planets = _planets(state, by.seat, nightmare=False)
    state = state.push(*planets)
    return score(state, by.seat, effect.vp * len(planets), (by.why,)) if planets else state
