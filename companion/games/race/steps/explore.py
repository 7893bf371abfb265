"""I: Explore (p. 3): draw cards, keep some."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Do
from companion.core.words import Text, count, say
from companion.games.race.cards import DrawExtra, KeepExtra, powers
from companion.games.race.state import RaceState, because, does

DRAW, KEEP = 2, 1
BONUS = {"explore-5": (5, 0), "explore-1-1": (1, 1)}


class Explore(Do, Struct, frozen=True, tag="explore"):
    """All seats draw and keep cards; nothing is asked, since hands are secret and their sizes follow from the
    rules."""

    phase: str

    def do(self, state: RaceState) -> RaceState:
        state = replace(state, phase=self.phase)
        piles = state.in_piles()
        for seat in state.order():
            drawn, kept, parts = exploration(state, seat)
            # All draws come before any discard, so what others will discard cannot be drawn (p. 3).
            drawn = min(drawn, piles)
            piles -= drawn
            kept = min(kept, drawn)
            who = state.seats[seat]
            state = state.with_seat(seat, replace(who, hand=who.hand + kept))
            deeds = count(
                "race.explore", drawn, keep=count("race.keep", kept), kept=kept, because=tuple(parts)
            )
            state = does(state, seat, deeds, usual=True)
        return state


def exploration(state: RaceState, seat: int) -> tuple[int, int, list[Text]]:
    """How many cards a seat draws and keeps, and why."""
    draw, keep, parts = DRAW, KEEP, [say("race.part.explore")]
    for action, (more_drawn, more_kept) in BONUS.items():
        if state.has_bonus(seat, action):
            draw, keep = draw + more_drawn, keep + more_kept
            parts.append(say(f"race.part.{action}"))
    cards = state.cards(seat)
    for card, seen in powers(cards, DrawExtra):
        draw += seen.cards
        parts.append(because(card, seen.cards))
    for card, held in powers(cards, KeepExtra):
        keep += held.cards
        parts.append(say("race.part.keep", name=card.called, n=held.cards))
    return draw, keep, parts
