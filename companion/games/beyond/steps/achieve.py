"""The achievement phase (rules 167 to 177) and what triggers the end (rules 181, 182)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.beyond.counting import counted
from companion.games.beyond.deeds import does
from companion.games.beyond.operations import AllOfLevel, AtLeast, StrengthAt, ToldCondition
from companion.games.beyond.state import BeyondState
from companion.games.beyond.things import SPACES

NONE = "none"


def open_slot(state: BeyondState, card: str) -> bool:
    """Whether a card has a free slot: those for four players stay closed with fewer (rules 170, 171)."""
    slots = state.achievement(card).slots
    if not slots:
        return True
    usable = [slot for slot in slots if not slot.four or len(state.seats) == 4]
    return len(state.achievements[card]) < len(usable)


def claimable(state: BeyondState, seat: int) -> tuple[str, ...]:
    """The cards in play a faction has not claimed and that have a slot (rule 172)."""
    return tuple(
        card for card, seats in state.achievements.items() if seat not in seats and open_slot(state, card)
    )


def fulfilled(state: BeyondState, seat: int, card: str) -> bool | None:
    """Whether a faction meets the condition of a card now; none where only the table can tell."""
    match state.achievement(card).condition:
        case AtLeast(what, n):
            return counted(state, seat, what) >= n
        case AllOfLevel(level):
            return set(SPACES[level]) <= state.researched(seat)
        case StrengthAt(strength, locations):
            who = state.seats[seat]
            return sum(who.strength(place) >= strength for place in state.locations) >= locations
        case ToldCondition():
            return None
    return None


class AchievementPhase(Do, Struct, frozen=True, tag="achievement-phase"):
    """One at most, and one if any is fulfilled (rules 167, 168)."""

    seat: int

    def do(self, state: BeyondState) -> BeyondState:
        state = replace(state, phase="achievement")
        return state.push(Claim(self.seat)) if offered(state, self.seat) else state


def offered(state: BeyondState, seat: int) -> tuple[str, ...]:
    """What may be claimed, as far as we know: what is fulfilled, and what only the table can tell."""
    return tuple(card for card in claimable(state, seat) if fulfilled(state, seat, card) is not False)


class Claim(Ask, Struct, frozen=True, tag="claim"):
    """Which achievement is claimed? None only where it is not known that one is fulfilled."""

    seat: int
    slug: ClassVar[str] = "beyond.claim"

    def ask(self, state: BeyondState) -> Question:
        cards = offered(state, self.seat)
        options = tuple(
            Option(card, state.name(card), component=card, signs=(Sign("achievement"),)) for card in cards
        )
        if not any(fulfilled(state, self.seat, card) for card in cards):
            options = (Option(NONE, say("beyond.option.no-achievement")), *options)
        return Question(self.slug, self.seat, say("beyond.ask.claim"), options)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        return state if option == NONE else claim(state, self.seat, option)

    def why_not(self, state: BeyondState, component: str) -> Text:
        return say("beyond.why.not-fulfilled")

    def moot(self, state: BeyondState) -> bool:
        return not offered(state, self.seat)


def claim(state: BeyondState, seat: int, card: str) -> BeyondState:
    """A disc onto the leftmost free slot; enough of them trigger the end (rules 169, 181)."""
    discs = (*state.achievements[card], seat)
    state = replace(state, achievements={**state.achievements, card: discs})
    state = does(state, seat, "claim", card=state.name(card), slot=len(discs))
    if state.claimed < state.goal or state.ending:
        return state
    return replace(state, ending=state.round).tell(say("beyond.end-triggered"))
