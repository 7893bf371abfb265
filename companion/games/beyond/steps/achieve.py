"""The achievement phase (rules 167 to 177) and what triggers the end (rules 181, 182)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.components import UNKNOWN
from companion.core.faces import Sign
from companion.core.facts import ask_fact, ask_facts
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.beyond.component_types import SPACES, Slot
from companion.games.beyond.counting import counted
from companion.games.beyond.deeds import does
from companion.games.beyond.operations import AllOfLevel, AtLeast, StrengthAt, ToldCondition
from companion.games.beyond.power_words import points
from companion.games.beyond.state import BeyondState

ANNOUNCE = "claim:"
"""The prefix of options that announce a claim."""


def usable(state: BeyondState, card: str) -> tuple[Slot, ...] | None:
    """The slots of a card from the left that this number of players may use (rule 171); None if unknown."""
    slots = state.achievement(card).slots
    if slots is UNKNOWN:
        return None
    return tuple(slot for slot in slots if not slot.four or len(state.seats) == 4)


def open_slot(state: BeyondState, card: str) -> bool:
    """Whether a card has a free slot (rule 170); True if its slots are unknown."""
    slots = usable(state, card)
    return slots is None or len(state.achievements[card]) < len(slots)


def claimable(state: BeyondState, seat: int) -> tuple[str, ...]:
    """The cards in play that have a free slot and that a faction has not claimed (rule 172)."""
    return tuple(
        card for card, seats in state.achievements.items() if seat not in seats and open_slot(state, card)
    )


def fulfilled(state: BeyondState, seat: int, card: str) -> bool | None:
    """Whether a faction meets the condition of a card now; None if only the players can judge."""
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
    """A faction that fulfils achievements claims one (rules 167, 168); unknown slots are asked for first."""

    seat: int

    def do(self, state: BeyondState) -> BeyondState:
        state = replace(state, phase="achievement")
        cards = offered(state, self.seat)
        untold = [card for card in cards if usable(state, card) is None]
        if untold:
            now = ask_fact("beyond", state.achievement(untold[0]), "slots", seat=self.seat)
            others = (card for card in state.achievements if state.achievement(card).slots is UNKNOWN)
            beside = [(state.achievement(card), ("slots",)) for card in dict.fromkeys((*untold, *others))]
            return state.push(ask_facts("beyond", beside, say("beyond.ask-print.slots"), now), self)
        return state.push(Claim(self.seat)) if cards else state


def offered(state: BeyondState, seat: int) -> tuple[str, ...]:
    """The achievements to choose from: fulfilled ones, and announced ones only the players can judge."""
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

    def is_obsolete(self, state: BeyondState) -> bool:
        return not offered(state, self.seat)


def _worth(state: BeyondState, card: str) -> Text | None:
    """The points of the next free slot, and whether this claim ends the play."""
    slots, taken = usable(state, card), len(state.achievements[card])
    if slots is None or taken >= len(slots):
        return None
    worth = points(slots[taken].slot_points)
    ends = state.claimed + 1 == state.goal and not state.ending
    return say("beyond.claim-ends-play", points=worth) if ends else worth


def announcements(state: BeyondState, seat: int) -> tuple[Option, ...]:
    """Options during the whole turn: announce, or cancel, a claim that only the players can judge."""
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
    """Announce a claim, or cancel it if it was announced."""
    card = option.removeprefix(ANNOUNCE)
    others = tuple(other for other in state.announced if other != card)
    return replace(state, announced=others if card in state.announced else (*others, card))


def claim(state: BeyondState, seat: int, card: str) -> BeyondState:
    """Place a disc on the leftmost free slot; enough discs trigger the end (rules 169, 181)."""
    discs = (*state.achievements[card], seat)
    state = replace(state, achievements={**state.achievements, card: discs})
    state = does(state, seat, "claim", card=state.name(card), slot=len(discs))
    if state.claimed < state.goal or state.ending:
        return state
    return replace(state, ending=state.round).tell(say("beyond.end-triggered"))
