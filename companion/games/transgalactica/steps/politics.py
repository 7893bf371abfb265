"""The politics action."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from companion.core.agenda import Ask
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import say
from companion.games.transgalactica.effects import Kind
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.free_deeds import between
from companion.games.transgalactica.steps.missions import BeginMission, room
from companion.games.transgalactica.steps.resolve import performs
from companion.games.transgalactica.steps.tracks import AdvanceTrack, at_end


@performs("politics")
def _politics(state: TransState, seat: int, kind: Kind) -> TransState:
    return state.push(ChoosePolitics(seat, kind))


class ChoosePolitics(Ask, Struct, frozen=True, tag="choose-politics"):
    """Main: advance 2, or 1 and take a mission; secondary: advance 1, or take a mission (rules 124, 125)."""

    seat: int
    kind: Kind
    slug: ClassVar[str] = "transgalactica.politics"

    def ask(self, state: TransState) -> Question:
        n = 2 if self.kind == "main" else 1
        mission = Option(
            "mission",
            say(f"transgalactica.missions.{self.kind}"),
            signs=(*((Sign("politics", "+1"),) if self.kind == "main" else ()), Sign("mission")),
        )
        advance = Option("advance", say(f"transgalactica.forward.{n}"), signs=(Sign("politics", f"+{n}"),))
        options: tuple[Option, ...]
        options = (mission, advance) if not at_end(state, self.seat, "politics") else (advance, mission)
        if room(state, self.seat) <= 0:
            options = (advance,)
        return Question(self.slug, self.seat, say("transgalactica.ask.politics"), options, has_default=False)

    def take(self, state: TransState, option: str) -> TransState:
        name, main = say("transgalactica.action.politics"), self.kind == "main"
        if option == "advance":
            return state.push(AdvanceTrack(self.seat, "politics", 2 if main else 1, "action", name))
        if not main:
            return state.push(BeginMission(self.seat))
        advance = AdvanceTrack(self.seat, "politics", 1, "action", name)
        return state.push(advance, between(state, self.seat), BeginMission(self.seat))
