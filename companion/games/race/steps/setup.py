"""Setting up (p. 2): start worlds are dealt, then hands."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.questions import Option, Question
from companion.core.words import Text, count, say
from companion.games.race.cards import Card
from companion.games.race.state import RaceState, does, put_good
from companion.games.race.steps.round import BeginRound

DEALT, KEPT = 6, 4


class ChooseStartWorld(Ask, Struct, frozen=True, tag="start-world"):
    """Which start world was dealt to this seat?"""

    seat: int
    slug: ClassVar[str] = "race.start-world"

    def ask(self, state: RaceState) -> Question:
        options = tuple(
            Option(card.id, card.called, card.id, say("race.start-number", n=card.start or 0))
            for card in self._worlds(state)
        )
        text = say("race.ask.start-world")
        return Question(self.slug, self.seat, text, options, has_default=len(options) == 1)

    def take(self, state: RaceState, option: str) -> RaceState:
        who = state.seats[self.seat]
        return state.with_seat(self.seat, replace(who, tableau=(option, *who.tableau)))

    def why_not(self, state: RaceState, component: str) -> Text:
        return say("race.why.not-a-start-world")

    def is_obsolete(self, state: RaceState) -> bool:
        return bool(state.seats[self.seat].tableau)

    def _worlds(self, state: RaceState) -> list[Card]:
        """Start worlds no seat has; a first game uses those numbered from 1 (p. 2)."""
        used = {id for seat in state.seats for id in seat.tableau}
        last = len(state.seats) if state.opening == "first-game" else 4
        first = 1 if state.opening == "first-game" else 0
        return [
            card
            for card in state.deck
            if card.start is not None and first <= card.start <= last and card.id not in used
        ]


class DealHands(Do, Struct, frozen=True, tag="deal-hands"):
    """Six cards each, two of them discarded; in a first game, the four cards with the number of the start world."""

    def do(self, state: RaceState) -> RaceState:
        for seat in state.order():
            who = state.seats[seat]
            if state.opening == "first-game":
                number = state.start_number(seat)
                state = does(state, seat, say("race.take-numbered", number=number, n=KEPT))
            else:
                state = does(state, seat, count("race.deal", DEALT), count("race.discard", DEALT - KEPT))
            state = state.with_seat(seat, replace(who, hand=KEPT))
        for seat in state.order():
            start = state.cards(seat)[0]
            if start.is_windfall:
                state = put_good(state, seat, start.id)
                state = does(state, seat, say("race.good", world=start.called))
        return state.push(BeginRound())
