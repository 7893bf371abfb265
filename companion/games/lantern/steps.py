"""The rules: steps that act at once and steps that ask."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Branch, Do, Step, Together, together
from companion.core.facts import AskFact, ask_fact
from companion.core.questions import Option, Question
from companion.core.words import plain, say
from companion.games.lantern.component_types import Glow
from companion.games.lantern.state import LanternState, night


class BeginRound(Do, Struct, frozen=True, tag="begin"):
    """Everybody shows a card, unless the last round is over or no oil is left."""

    def do(self, state: LanternState) -> LanternState:
        if state.round == state.rounds or state.pool == 0:
            return state
        state = replace(state, round=state.round + 1, shown=(None,) * len(state.names))
        steps: dict[int, tuple[Step, ...]] = {seat: (ShowCard(seat),) for seat in range(len(state.names))}
        return state.push(together(steps), TurnOver(), Lead(), BeginRound())


class ShowCard(Ask, Struct, frozen=True, tag="show"):
    """A card chosen in secret."""

    seat: int
    slug: ClassVar[str] = "lantern.show"

    def ask(self, state: LanternState) -> Question:
        options = tuple(Option(c.id, c.called, c.id) for c in state.box)
        return Question(self.slug, self.seat, say("lantern.show"), options, secret=True, has_default=False)

    def take(self, state: LanternState, option: str) -> LanternState:
        shown = tuple(option if s == self.seat else c for s, c in enumerate(state.shown))
        return replace(state, shown=shown)


class TurnOver(Do, Struct, frozen=True, tag="turn-over"):
    """Everybody turns their card over."""

    def do(self, state: LanternState) -> LanternState:
        for seat, card in enumerate(state.shown):
            assert card is not None
            state = state.tell(state.box[card].called, seat, "reveal", components=(card,))
        return state


class Lead(Do, Struct, frozen=True, tag="lead"):
    """The brightest card leads, a warm one before a cold one: its seat takes oil, then the others follow."""

    def do(self, state: LanternState) -> LanternState:
        cards = [state.box[card] for card in state.shown if card is not None]
        for card in cards:
            if unknown := card.unknown():
                return state.push(ask_fact("lantern", card, *unknown), self)
        seats = range(len(cards))
        leader = max(seats, key=lambda seat: (cards[seat].light, cards[seat].colour == "warm", -seat))
        others: dict[int, tuple[Step, ...]] = {seat: (Follow(seat),) for seat in seats if seat != leader}
        steps = (TakeOil(leader), Shine(leader), together(others))
        return state.push(Together((Branch(leader, steps),)))


class Shine(Do, Struct, frozen=True, tag="shine"):
    """The leader's card does what is printed on it."""

    seat: int

    def do(self, state: LanternState) -> LanternState:
        card = state.shown[self.seat]
        effects = () if card is None else state.box[card].effects
        for effect in effects or ():
            if isinstance(effect, Glow):
                state = state.give(self.seat, effect.oil)
            else:
                step = 1 if effect.whom == "left" else -1
                state = state.put_back((self.seat + step) % len(state.names))
        return state


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

    def is_obsolete(self, state: LanternState) -> bool:
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


STEPS: tuple[type[Step], ...] = (
    Together,
    BeginRound,
    ShowCard,
    TurnOver,
    Lead,
    TakeOil,
    Shine,
    Follow,
    AskFact,
)
