"""The rules: what is done by itself and what is asked."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Branch, Do, Step, Together, together
from companion.core.components import UNKNOWN
from companion.core.facts import AskFact
from companion.core.questions import Option, Question
from companion.core.words import plain, say
from companion.games.lantern.state import LanternState, night
from companion.games.lantern.things import lights


class BeginRound(Do, Struct, frozen=True, tag="begin"):
    """Everybody shows a card, unless the last round is over or no oil is left."""

    def do(self, state: LanternState) -> LanternState:
        if state.round == state.rounds or state.pool == 0:
            return state
        state = replace(state, round=state.round + 1, shown=(None,) * len(state.names))
        steps: dict[int, tuple[Step, ...]] = {seat: (ShowCard(seat),) for seat in range(len(state.names))}
        return state.push(together(steps), Lead(), BeginRound())


class ShowCard(Ask, Struct, frozen=True, tag="show"):
    """A card chosen in secret."""

    seat: int
    slug: ClassVar[str] = "lantern.show"

    def ask(self, state: LanternState) -> Question:
        options = tuple(Option(c.id, plain(c.name), c.id) for c in lights())
        return Question(self.slug, self.seat, say("lantern.show"), options, secret=True, has_default=False)

    def take(self, state: LanternState, option: str) -> LanternState:
        shown = tuple(option if s == self.seat else c for s, c in enumerate(state.shown))
        return replace(state, shown=shown)


class Lead(Do, Struct, frozen=True, tag="lead"):
    """The brightest card leads: its seat takes oil, then the others follow or stay dark."""

    def do(self, state: LanternState) -> LanternState:
        known = lights().taught(state.taught)
        if "moth" in state.shown and known["moth"].light is UNKNOWN:
            how_bright = say("lantern.how-bright", card=known["moth"].name)
            return state.push(AskFact("moth", "light", how_bright, ("0", "3")), self)
        bright = [0 if card is None else known[card].light for card in state.shown]
        leader = max(range(len(bright)), key=lambda seat: (bright[seat], -seat))
        others: dict[int, tuple[Step, ...]] = {s: (Follow(s),) for s in range(len(bright)) if s != leader}
        return state.push(Together((Branch(leader, (TakeOil(leader), together(others))),)))


class TakeOil(Ask, Struct, frozen=True, tag="take-oil"):
    """How much the leader takes."""

    seat: int
    slug: ClassVar[str] = "lantern.oil"

    def ask(self, state: LanternState) -> Question:
        here = night(state.round)
        options = tuple(Option(str(n), plain(str(n)), place=here) for n in range(min(2, state.pool), 0, -1))
        return Question(self.slug, self.seat, say("lantern.how-much"), options)

    def take(self, state: LanternState, option: str) -> LanternState:
        return state.give(self.seat, int(option))

    def moot(self, state: LanternState) -> bool:
        return state.pool == 0


class Follow(Ask, Struct, frozen=True, tag="follow"):
    """Whether another seat follows the leader."""

    seat: int
    slug: ClassVar[str] = "lantern.follow"

    def ask(self, state: LanternState) -> Question:
        options = (Option("dark", say("lantern.stay-dark")), Option("follow", say("lantern.follow")))
        return Question(self.slug, self.seat, say("lantern.follows"), options)

    def take(self, state: LanternState, option: str) -> LanternState:
        return state.give(self.seat, 1) if option == "follow" else state


STEPS: tuple[type[Step], ...] = (Together, BeginRound, ShowCard, Lead, TakeOil, Follow, AskFact)
