"""The end (rules 189-193): everybody reveals both objectives, and the sheet counts the better one."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step, together
from companion.core.questions import Option, Picks, Question
from companion.core.words import Text, say
from companion.games.transgalactica.component_types import ids
from companion.games.transgalactica.deeds import change
from companion.games.transgalactica.state import TransState

OBJECTIVES = 2
"""Each player has two and scores one (rules 29, 190)."""


class EndPlay(Do, Struct, frozen=True, tag="end-play"):
    """There is no further income; both objectives are entered."""

    def do(self, state: TransState) -> TransState:
        state = replace(state, phase="end", active=None)
        seats: dict[int, tuple[Step, ...]] = {
            seat: (TellObjective(seat),) * OBJECTIVES for seat in range(len(state.seats))
        }
        return state.push(together(seats))


class TellObjective(Ask, Struct, frozen=True, tag="tell-objective"):
    """Which objectives does this seat have?"""

    seat: int
    slug: ClassVar[str] = "transgalactica.objective"

    def ask(self, state: TransState) -> Question:
        had = {id for seat in state.seats for id in seat.objectives}
        options = tuple(Option(id, state.name(id), id) for id in ids("objectives") if id not in had)
        picks = Picks(len(state.seats[self.seat].objectives), OBJECTIVES)
        text = say("transgalactica.ask.objective")
        return Question(self.slug, self.seat, text, options, has_default=False, tally=picks)

    def take(self, state: TransState, option: str) -> TransState:
        return change(state, self.seat, objectives=(*state.seats[self.seat].objectives, option))

    def why_not(self, state: TransState, component: str) -> Text:
        return say("transgalactica.why.not-an-objective")

    def is_obsolete(self, state: TransState) -> bool:
        return len(state.seats[self.seat].objectives) >= OBJECTIVES
