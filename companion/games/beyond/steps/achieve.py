"""The achievement phase (rules 167 to 177) and what triggers the end (rules 181, 182)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.components import UNKNOWN
from companion.core.faces import Sign
from companion.core.facts import ask_fact
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.beyond.counting import counted
from companion.games.beyond.deeds import does
from companion.games.beyond.operations import AllOfLevel, AtLeast, StrengthAt, ToldCondition
from companion.games.beyond.power_words import points
from companion.games.beyond.state import BeyondState
from companion.games.beyond.things import SPACES, Slot

ANNOUNCE = "claim:"
"""How the options begin that announce a claim."""


def usable(state: BeyondState, card: str) -> tuple[Slot, ...] | None:
    """The slots of a card from the left, without those for four players with fewer (rule 171); none if nobody told."""
    slots = state.achievement(card).slots
    if slots is UNKNOWN:
        return None
    return tuple(slot for slot in slots if not slot.four or len(state.seats) == 4)


def open_slot(state: BeyondState, card: str) -> bool:
    """Whether a card has a free slot (rule 170); while nobody told its slots it may."""
    slots = usable(state, card)
    return slots is None or len(state.achievements[card]) < len(slots)


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
    """One at most, and one if any is fulfilled (rules 167, 168); a card's slots are read before anybody claims it."""

    seat: int

    def do(self, state: BeyondState) -> BeyondState:
        state = replace(state, phase="achievement")
        cards = offered(state, self.seat)
        untold = [card for card in cards if usable(state, card) is None]
        if untold:
            asks = (ask_fact("beyond", state.achievement(card), "slots", seat=self.seat) for card in untold)
            return state.push(*asks, self)
        return state.push(Claim(self.seat)) if cards else state


def offered(state: BeyondState, seat: int) -> tuple[str, ...]:
    """What must be claimed: what is fulfilled, and what the seat announced because only the table can tell."""
    cards = claimable(state, seat)
    return tuple(card for card in cards if card in state.announced or fulfilled(state, seat, card))


class Claim(Ask, Struct, frozen=True, tag="claim"):
    """Which achievement is claimed?"""

    seat: int
    slug: ClassVar[str] = "beyond.claim"

    def ask(self, state: BeyondState) -> Question:
        options = tuple(
            Option(
                card,
                state.name(card),
                component=card,
                detail=_worth(state, card),
                signs=(Sign("achievement"),),
            )
            for card in offered(state, self.seat)
        )
        return Question(self.slug, self.seat, say("beyond.ask.claim"), options)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        return claim(state, self.seat, option)

    def why_not(self, state: BeyondState, component: str) -> Text:
        return say("beyond.why.not-fulfilled")

    def moot(self, state: BeyondState) -> bool:
        return not offered(state, self.seat)


def _worth(state: BeyondState, card: str) -> Text | None:
    """The points of the slot that is free, and whether this claim ends the play."""
    slots, taken = usable(state, card), len(state.achievements[card])
    if slots is None or taken >= len(slots):
        return None
    worth = points(slots[taken].slot_points)
    ends = state.claimed + 1 == state.goal and not state.ending
    return say("beyond.claim-ends-play", points=worth) if ends else worth


def announcements(state: BeyondState, seat: int) -> tuple[Option, ...]:
    """Options in sight during a whole turn: to claim at its end what only the table can judge, or not after all."""
    cards = (card for card in claimable(state, seat) if fulfilled(state, seat, card) is None)
    return tuple(
        Option(
            f"{ANNOUNCE}{card}",
            say(f"beyond.option.{'no-claim' if card in state.announced else 'claim'}", card=state.name(card)),
            component=card,
            group=say("beyond.group.achievements"),
            signs=(Sign("achievement"),),
        )
        for card in cards
    )


def announce(state: BeyondState, option: str) -> BeyondState:
    """The same table with one more claim announced, or one less."""
    card = option.removeprefix(ANNOUNCE)
    others = tuple(other for other in state.announced if other != card)
    return replace(state, announced=others if card in state.announced else (*others, card))


def claim(state: BeyondState, seat: int, card: str) -> BeyondState:
    """A disc onto the leftmost free slot; enough of them trigger the end (rules 169, 181)."""
    discs = (*state.achievements[card], seat)
    state = replace(state, achievements={**state.achievements, card: discs})
    state = does(state, seat, "claim", card=state.name(card), slot=len(discs))
    if state.claimed < state.goal or state.ending:
        return state
    return replace(state, ending=state.round).tell(say("beyond.end-triggered"))
