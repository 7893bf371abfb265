"""The end: unknown printed points that matter are asked for once (rules 186 to 196)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.common_questions import how_many
from companion.core.components import UNKNOWN, Component
from companion.core.facts import ask_fact, ask_facts
from companion.core.questions import Question
from companion.core.words import say
from companion.games.beyond.component_types import Event, System, Technology
from companion.games.beyond.state import BeyondState, worth_key

MOST_WORTH = 20


class EndPlay(Do, Struct, frozen=True, tag="end-play"):
    """Asks for every unknown printed value that counts."""

    def do(self, state: BeyondState) -> BeyondState:
        state = replace(state, phase="over")
        return state.push(LearnPoints(), CountWorth())


class LearnPoints(Do, Struct, frozen=True, tag="learn-points"):
    """Asks for everything unknown that counts, on one page."""

    def do(self, state: BeyondState) -> BeyondState:
        untold = untold_points(state)
        if not untold:
            return state
        now = ask_fact("beyond", untold[0][0], *untold[0][1])
        return state.push(ask_facts("beyond", untold, say("beyond.ask-print.points"), now), self)


def scoring_cards(state: BeyondState, seat: int) -> tuple[Technology | System | Event, ...]:
    """The cards of a seat that print points: technologies of level IIII, colonised systems, events."""
    cards = (state.technology(card) for card in state.cards(seat))
    systems = (state.system(colony.system) for colony in state.seats[seat].colonies)
    events = (state.event(id) for id, kept in state.kept.items() if kept.seat in (seat, None))
    return (*(card for card in cards if card.level == 4), *systems, *events)


def untold_points(state: BeyondState) -> list[tuple[Component, tuple[str, ...]]]:
    """Each component whose unknown points matter now, with the field that has them."""
    pages: dict[str, tuple[Component, tuple[str, ...]]] = {}
    for seat, who in enumerate(state.seats):
        for card in scoring_cards(state, seat):
            if card.points is UNKNOWN:
                pages[card.id] = card, ("points",)
        tracks = state.tracks(seat)
        if who.automation and tracks.automation is UNKNOWN:
            pages[tracks.id] = tracks, ("automation",)
    for id, seats in state.achievements.items():
        if seats and state.achievement(id).slots is UNKNOWN:
            pages[id] = state.achievement(id), ("slots",)
    return list(pages.values())


class CountWorth(Do, Struct, frozen=True, tag="count-worth"):
    """For a '?' whose meaning is unknown, each owner counts the points and enters them."""

    def do(self, state: BeyondState) -> BeyondState:
        asks = [
            AskWorth(seat, card.id)
            for seat in range(len(state.seats))
            for card in scoring_cards(state, seat)
            if needs_counting(state, seat, card)
        ]
        return state.push(*asks)


def needs_counting(state: BeyondState, seat: int, card: Technology | System | Event) -> bool:
    """Whether players must enter what a card gives this seat; an event beside the board may pay any seat."""
    if worth_key(seat, card.id) in state.worth:
        return False
    if isinstance(card, Event) and state.kept[card.id].seat is None:
        return card.points != 0 and not (card.points == "?" and card.formula)
    return card.points == "?" and card.formula is UNKNOWN


class AskWorth(Ask, Struct, frozen=True, tag="ask-worth"):
    """How many points does this card give?"""

    seat: int
    card: str
    slug: ClassVar[str] = "beyond.worth"

    def ask(self, state: BeyondState) -> Question:
        text = say("beyond.ask.worth", card=state.name(self.card))
        return how_many(self.slug, self.seat, text, MOST_WORTH, in_row=7)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        return replace(state, worth={**state.worth, worth_key(self.seat, self.card): int(option)})

    def is_obsolete(self, state: BeyondState) -> bool:
        cards = {card.id: card for card in scoring_cards(state, self.seat)}
        return self.card not in cards or not needs_counting(state, self.seat, cards[self.card])
