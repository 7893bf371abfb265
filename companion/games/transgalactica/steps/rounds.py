"""A round (rules 35, 178-189): income, actions, maintenance."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Do, Step
from companion.core.words import Text, plain, say
from companion.games.transgalactica.component_types import ROUNDS
from companion.games.transgalactica.deeds import does, recall, round_over, score
from companion.games.transgalactica.state import TransState
from companion.games.transgalactica.steps.end import EndPlay
from companion.games.transgalactica.steps.income import Income, IncomeOver, LearnIncome, Relief
from companion.games.transgalactica.steps.printed_pages import ask_print
from companion.games.transgalactica.steps.tokens import TakeRoundToken
from companion.games.transgalactica.steps.turns import NextTurn


class BeginRound(Do, Struct, frozen=True, tag="begin-round"):
    """A new round starts with income, even the first one (rule 35)."""

    def do(self, state: TransState) -> TransState:
        state = replace(state, round=state.round + 1, phase="income", passed=0, used=(), active=None)
        # One seat after another, because seats compete for tokens and missions; most seats get no question.
        steps: list[Step] = [
            step for seat in state.order for step in (Relief(seat), Income(seat), IncomeOver(seat))
        ]
        return state.push(LearnIncome(), *steps, BeginActions(), BeginMaintenance())


class BeginActions(Do, Struct, frozen=True, tag="begin-actions"):
    """Turns in the order of the priority markers (rule 36)."""

    def do(self, state: TransState) -> TransState:
        return replace(state, phase="actions", passed=0).push(NextTurn())


class BeginMaintenance(Do, Struct, frozen=True, tag="begin-maintenance"):
    """Military, recall, mining, priority, round marker, in this order (rule 178)."""

    def do(self, state: TransState) -> TransState:
        state = replace(state, phase="maintenance", active=None)
        return state.push(MilitaryStep(), Recall(), RefillMining(), UpdatePriority(), NextRound())


class MilitaryStep(Do, Struct, frozen=True, tag="military-step"):
    """The leader gains and the last loses points, by the spaces between markers (rules 179-182, 148)."""

    def do(self, state: TransState) -> TransState:
        at = {seat: strength(state, seat) for seat in state.order}
        for seat, n in lead(at).items():
            doubled = n > 0 and state.has(seat, "propaganda")
            if n < 0 and state.has(seat, "propaganda"):
                continue
            why: tuple[Text, ...] = (say("transgalactica.lead" if n > 0 else "transgalactica.lag"),)
            if doubled:
                why = (*why, state.name("war-propaganda"))
            state = score(state, seat, 2 * n if doubled else n, why)
        return state


def strength(state: TransState, seat: int) -> int:
    """The position of a marker; if the table agreed, raises for the round count too (rule 69)."""
    who = state.seats[seat]
    raised = state.choices.get("strength") == "raised"
    return who.military + (who.more("military") if raised else 0)


def lead(at: dict[int, int]) -> dict[int, int]:
    """What each seat gains or loses: leaders gain the distance to the next lower level present, the last ones
    lose that to the next higher; nothing if all are equal (rules 179-181)."""
    levels = sorted(set(at.values()))
    if len(levels) < 2:
        return {}
    ahead, behind = levels[-1] - levels[-2], levels[1] - levels[0]
    return {
        seat: ahead if n == levels[-1] else -behind for seat, n in at.items() if n in (levels[0], levels[-1])
    }


class Recall(Do, Struct, frozen=True, tag="recall"):
    """Workers return, except those in the senate (rule 183)."""

    def do(self, state: TransState) -> TransState:
        if state.panel.unknown():
            return state.push(ask_print(state, state.panel), self)
        for seat in state.order:
            state = recall(state, seat, int(state.panel.crew or 0))
        seats = tuple(round_over(seat) for seat in state.seats)
        return replace(state, seats=seats, used=())


class RefillMining(Do, Struct, frozen=True, tag="refill-mining"):
    """Draws a new mining token if the old one was taken and the stack is not empty (rule 184)."""

    def do(self, state: TransState) -> TransState:
        if state.mining_token or not state.mining_stack:
            return state
        state = replace(state, mining_token=True, mining_stack=state.mining_stack - 1)
        return does(state, None, say("transgalactica.do.refill"))


class UpdatePriority(Do, Struct, frozen=True, tag="update-priority"):
    """From last to first: each marker moves to the segment of its empty outpost spaces, to the right of all
    markers there (rules 185, 186)."""

    def do(self, state: TransState) -> TransState:
        for seat in reversed(state.order):
            state = update_priority(state, seat)
        return state


def update_priority(state: TransState, seat: int) -> TransState:
    """Move one marker; one that is already in its segment stays where it is."""
    segment = len(state.seats[seat].outposts)
    if state.segments[seat] == segment:
        return state
    others = [other for other in state.order if other != seat]
    at = sum(state.segments[other] <= segment for other in others)
    segments = tuple(segment if n == seat else old for n, old in enumerate(state.segments))
    state = replace(state, order=(*others[:at], seat, *others[at:]), segments=segments)
    names = tuple(plain(state.seats[other].name) for other in state.order)
    return does(state, seat, say("transgalactica.do.priority", segment=segment, order=names))


class NextRound(Do, Struct, frozen=True, tag="next-round"):
    """Moves the round marker: after its last space the play ends at once, else the first player takes the
    bonus token there (rules 188, 189)."""

    def do(self, state: TransState) -> TransState:
        if state.round >= ROUNDS:
            return state.push(EndPlay())
        state = does(state, None, say("transgalactica.do.round", n=state.round + 1))
        return state.push(TakeRoundToken(state.order[0]), BeginRound())
