"""The politics action."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from companion.core.agenda import Ask
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import Text, say
from companion.games.transgalactica.effects import Kind
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.free_deeds import between
from companion.games.transgalactica.steps.missions import BeginMission, cannot_take, room
from companion.games.transgalactica.steps.obstacles import hindered_action
from companion.games.transgalactica.steps.print_first import ask_first, print_of_missions
from companion.games.transgalactica.steps.resolve import performs
from companion.games.transgalactica.steps.tracks import AdvanceTrack, at_end, opens_more


@performs("politics")
def _politics(state: TransState, seat: int, kind: Kind) -> TransState:
    return state.push(ChoosePolitics(seat, kind))


@hindered_action("politics")
def _no_politics(state: TransState, seat: int, kind: Kind) -> Text | None:
    return cannot_take(state, seat) if at_end(state, seat, "politics") else None


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
        # As main action the advance comes first and may make more missions accessible.
        then = opens_more(state, self.seat, "politics") if self.kind == "main" else state
        reason = cannot_take(then or state, self.seat)
        options: tuple[Option, ...] = (mission, advance)
        notes: tuple[Text, ...] = ()
        if reason and (then or room(state, self.seat) <= 0):
            options, notes = (advance,), (reason,)
        elif at_end(state, self.seat, "politics"):
            options = (mission,)
        text = say("transgalactica.ask.politics")
        return Question(self.slug, self.seat, text, options, has_default=False, notes=notes)

    def take(self, state: TransState, option: str) -> TransState:
        name, main = say("transgalactica.action.politics"), self.kind == "main"
        if option == "advance":
            return state.push(AdvanceTrack(self.seat, "politics", 2 if main else 1, "action", name))
        if (asking := ask_first(state, self, option, print_of_missions(state))) is not None:
            return asking
        if not main:
            return state.push(BeginMission(self.seat))
        advance = AdvanceTrack(self.seat, "politics", 1, "action", name)
        return state.push(advance, between(state, self.seat), BeginMission(self.seat))
