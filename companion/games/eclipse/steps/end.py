"""The end (p. 25): reputation is turned over, points are counted."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step, together
from companion.core.faces import Sign
from companion.core.questions import Option, Picks, Question
from companion.core.words import Text, count, say
from companion.games.eclipse.component_types import reputations
from companion.games.eclipse.state import EclipseState


class EndPlay(Do, Struct, frozen=True, tag="end-play"):
    """Each seat tells its reputation tiles, which were hidden until now."""

    def do(self, state: EclipseState) -> EclipseState:
        state = state.tell(say("eclipse.play-ends"))
        branches: dict[int, tuple[Step, ...]] = {
            seat: (TellReputation(seat),) for seat, who in enumerate(state.seats) if who.reputation
        }
        return state.push(together(branches)) if branches else state


class TellReputation(Ask, Struct, frozen=True, tag="tell-reputation"):
    """What is the next tile worth?"""

    seat: int
    slug: ClassVar[str] = "eclipse.reputation"

    def ask(self, state: EclipseState) -> Question:
        who = state.seats[self.seat]
        text = count("eclipse.ask.reputation", who.reputation - len(who.revealed))
        told = [value for seat in state.seats for value in seat.revealed]
        options = tuple(
            Option(
                tile.id,
                count("eclipse.fact.points", tile.value),
                tile.id,
                signs=(Sign("reputation", str(tile.value)),),
                cell=(0, n),
                picked=who.revealed.count(tile.value),
            )
            for n, tile in enumerate(reputations().values())
            if told.count(tile.value) < tile.copies
        )
        tally = Picks(len(who.revealed), who.reputation)
        return Question(self.slug, self.seat, text, options, has_default=False, tally=tally)

    def take(self, state: EclipseState, option: str) -> EclipseState:
        who = state.seats[self.seat]
        who = replace(who, revealed=(*who.revealed, reputations()[option].value))
        return state.with_seat(self.seat, who).push(TellReputation(self.seat))

    def is_obsolete(self, state: EclipseState) -> bool:
        who = state.seats[self.seat]
        return len(who.revealed) >= who.reputation

    def why_not(self, state: EclipseState, component: str) -> Text:
        return say("eclipse.why.not-reputation")
