"""The Galactic Senate: crew in its offices, decrees and golden chairs (rules 160-165)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Do
from companion.core.words import say
from companion.games.transgalactica.component_types import Office
from companion.games.transgalactica.deeds import change, does, take
from companion.games.transgalactica.requirements import meets
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.printed_pages import ask_print
from companion.games.transgalactica.steps.resolve import Happens, Resolve


def open_offices(state: TransState, seat: int) -> tuple[int, ...]:
    """The offices open to a seat: each once, with a mobilised crew member that is not placed (rule 162)."""
    if state.seats[seat].crew <= 0:
        return ()
    return tuple(
        n
        for n, decree in enumerate(state.decrees)
        if seat not in state.senate[n] and meets(state, seat, state.decree(decree).needs)
    )


class TakeSeat(Do, Struct, frozen=True, tag="take-seat"):
    """Moves crew into an office for good: the decree's reward, and a credit for an earlier golden chair."""

    seat: int
    office: int

    def do(self, state: TransState) -> TransState:
        decree = state.decree(state.decrees[self.office])
        if decree.unknown():
            return state.push(ask_print(state, decree, self.seat), self)
        office = state.box[f"office-{self.office + 1}"]
        assert isinstance(office, Office)
        if office.unknown():
            return state.push(ask_print(state, office, self.seat), self)
        sitting = state.senate[self.office]
        who = state.seats[self.seat]
        state = change(state, self.seat, crew=who.crew - 1)
        seated = (*state.senate[: self.office], (*sitting, self.seat), *state.senate[self.office + 1 :])
        state = replace(state, senate=seated)
        state = does(state, self.seat, say("transgalactica.do.senate", office=state.name(office.id)))
        golden = int(office.golden or 0)
        if golden and len(sitting) >= golden:
            # Another seat takes a later place than the golden chair (rule 163).
            state = take(state, sitting[golden - 1], {"credit": 1}, (say("transgalactica.golden-chair"),))
        reward = Resolve(self.seat, decree.reward or (), "card", state.name(decree.id))
        return state.push(Happens(self.seat, "seat-taken"), reward)
