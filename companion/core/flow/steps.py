"""The steps of a light play: rounds, phases, turns, and what is told at the end."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step, Together
from companion.core.flow.count_up import BreakTies, CountUp, TellFinishedTable, TellPoints, TellTie
from companion.core.flow.counting import buttons, counts, take_count
from companion.core.flow.format import FlowClock, FlowPhase, MoreRounds, TurnsOf
from companion.core.flow.order import InOrder, WhoBegins, next_order
from companion.core.flow.state import FlowState, LightPosition
from companion.core.questions import Option, Question
from companion.core.words import Text, count, plain, say

DONE, PASS, MARKER, EXTEND = "done", "pass", "marker", "extend"


class Begin(Do, Struct, frozen=True, tag="flow-begin"):
    """If anybody ever has a turn, the table says who begins."""

    def do(self, state: FlowState) -> FlowState:
        seats = len(state.seats)
        state = replace(state, order=tuple(range(seats)) * state.flow.places(seats))
        if state.flow.has_turns and state.flow.start != "ask-order":
            state = state.push(WhoBegins())
        return replace(state, agenda=(*state.agenda, BeginRound()))


# Rounds


class BeginRound(Do, Struct, frozen=True, tag="flow-round"):
    """The next round: its phases one after the other."""

    def do(self, state: FlowState) -> FlowState:
        state = replace(
            state, round=state.round + 1, picked=(), passed=(), passes=(), marker=None, asked=False, phase=""
        )
        phases = (BeginPhase(phase.id) for phase in state.flow.phase if phase.in_round(state.round))
        ask_order = (InOrder(),) if state.flow.start == "ask-order" else ()
        return state.push(*ask_order, *phases, EndRound())


class EndRound(Do, Struct, frozen=True, tag="flow-end-round"):
    """The play ends, or the next round begins with the seat that the flow says."""

    def do(self, state: FlowState) -> FlowState:
        if not state.asked:  # a round in which nobody is asked would follow the next for ever
            return replace(state, asked=True).push(Everybody(""), EndRound())
        later = [end.then.rounds for end in state.reached() if isinstance(end.then, MoreRounds)]
        last = None if not later else state.last_round or state.round + min(later)
        state = replace(state, last_round=last)
        over = state.final_round is not None and state.round >= state.final_round
        return finish(state) if over else replace(state, order=next_order(state)).push(BeginRound())


def finish(state: FlowState) -> FlowState:
    """The end has come: only the closing phases and the score are left."""
    phases = tuple(BeginPhase(phase.id) for phase in state.flow.closing)
    return replace(state, agenda=(*phases, CountUp()), closing=True, passed=(), picked=())


# Phases


class BeginPhase(Do, Struct, frozen=True, tag="flow-phase"):
    """One phase, unless nobody picked it."""

    phase: str

    def do(self, state: FlowState) -> FlowState:
        if state.ends_now:
            return finish(state)
        phase = state.flow.phase_of(self.phase)
        by_table = any(self.phase in one.every_pick for one in state.flow.phase if one.who == "table")
        if phase.when == "picked" and (by_table or self.phase not in state.picked):
            return state
        taken = before_turns(state, phase)
        if phase.turns is not None and not any(turns_left(state, phase, n, taken[n]) for n in state.order):
            return state
        state = replace(state, phase=self.phase, passed=(), asked=True)
        if phase.who == "table" and phase.picks:
            return state.push(PickPhase(self.phase))
        if phase.who is not None:
            return state.push(Everybody(self.phase))
        return state.push(NextTurn(None, taken))


def before_turns(state: FlowState, phase: FlowPhase) -> tuple[int, ...]:
    """How many turns each seat has taken when the phase begins: where a counter says how many it has, so many
    less than none. So what is counted meanwhile, such as a newborn, gives no turn in this round."""
    counter = phase.turns.counter if isinstance(phase.turns, TurnsOf) else ""
    return tuple(-seat.counters[counter] if counter else 0 for seat in state.seats)


def turns_left(state: FlowState, phase: FlowPhase, seat: int, taken: int) -> bool:
    """Whether a seat still has a turn in this phase."""
    if seat in state.out:
        return False
    match phase.turns:
        case "pass":
            return phase.passed == "back" or seat not in state.passed
        case int(turns):
            return taken < turns
        case TurnsOf(_, by_seats):
            return taken < (by_seats[str(len(state.seats))] if by_seats else 0)
        case tuple(by_round):
            return taken < by_round[min(state.round, len(by_round)) - 1]
    return False


class NextTurn(Do, Struct, frozen=True, tag="flow-next-turn"):
    """The next seat in the order has its turn; the phase is over when nobody has one left."""

    last: int | None
    taken: tuple[int, ...]

    def do(self, state: FlowState) -> FlowState:
        seat = following(state, self.last, self.taken)
        if seat is None:
            passing = state.flow.phase_of(state.phase).turns == "pass"
            return replace(state, passed=(), passes=state.passed) if passing else state
        before = None if self.last is None else place_of(state, self.last, self.taken[self.last])
        wraps = before is not None and place_of(state, seat, self.taken[seat] + 1) <= before
        if state.ends_now or (wraps and state.ends_with_equal_turns):
            return finish(state)
        return state.push(Turn(seat, self.taken))


def place_of(state: FlowState, seat: int, turn: int) -> int:
    """Where in the order a seat has this turn, counted from one."""
    places = [place for place, other in enumerate(state.order) if other == seat]
    return places[(turn - 1) % len(places)]


def following(state: FlowState, last: int | None, taken: tuple[int, ...]) -> int | None:
    """The seat whose turn comes after `last`; None if the phase is over."""
    phase = state.flow.phase_of(state.phase)
    at = 0 if last is None else place_of(state, last, taken[last]) + 1
    if phase.passed == "back" and len({*state.passed, *state.out}) == len(state.seats):
        return None
    cycle = (*state.order[at:], *state.order[:at])
    return next((seat for seat in cycle if turns_left(state, phase, seat, taken[seat])), None)


class Turn(Ask, Struct, frozen=True, tag="flow-turn"):
    """One turn of a seat."""

    seat: int
    taken: tuple[int, ...]
    extended: int = 0
    """How many extensions of its clock it has used in this turn."""
    slug: ClassVar[str] = "flow.turn"

    def ask(self, state: FlowState) -> Question:
        phase = state.flow.phase_of(state.phase)
        options = [Option(DONE, say("flow.done"))]
        if phase.turns == "pass":
            options.append(Option(PASS, say("flow.pass")))
        options += (
            Option(f"pick:{pick}", state.flow.word(pick)) for pick in phase.picks_of(len(state.seats))
        )
        if state.flow.start == "marker" and state.marker != self.seat:
            options.append(Option(MARKER, say("flow.marker")))
        clock = state.flow.clock or FlowClock()
        if left := clock.tokens - state.seats[self.seat].extensions:
            options.append(Option(EXTEND, count("flow.extend", left)))
        options += counts(state, phase, None if phase.others else self.seat)
        options += buttons(state, phase)
        text = say("flow.turn-for-all" if phase.others else "flow.turn", phase=state.flow.word(phase.id))
        absent = PASS if phase.turns == "pass" else ""
        return Question(
            self.slug,
            self.seat,
            text,
            tuple(options),
            notes=notes(state, phase),
            turn=True,
            absent=absent,
            soft=phase.soft or clock.soft,
        )

    def take(self, state: FlowState, option: str) -> FlowState:
        if (counted := take_count(state, option)) is not None:
            return counted.push(self)
        if option == MARKER:
            return replace(state, marker=self.seat).push(self)
        if option == EXTEND:
            mine = state.seats[self.seat]
            state = state.having_seat(self.seat, replace(mine, extensions=mine.extensions + 1))
            return state.push(replace(self, extended=self.extended + 1))
        phase = state.flow.phase_of(state.phase)
        if option.startswith("pick:"):
            state = replace(state, picked=(*state.picked, option.removeprefix("pick:")))
        if option == PASS:
            state = replace(state, passed=(*state.passed, self.seat))
        elif phase.passed == "back":
            state = replace(state, passed=())
        return state.push(self._over())

    def _over(self) -> NextTurn:
        return NextTurn(self.seat, tuple(n + (seat == self.seat) for seat, n in enumerate(self.taken)))

    def is_obsolete(self, state: FlowState) -> bool:
        return state.ends_now or self.seat in state.out

    def on_obsolete(self, state: FlowState) -> FlowState:
        return finish(state) if state.ends_now else state.push(self._over())


class Everybody(Ask, Struct, frozen=True, tag="flow-everybody"):
    """A phase in which all, or the table as a whole, do something at the same time."""

    phase: str
    seat: None = None
    slug: ClassVar[str] = "flow.everybody"

    def ask(self, state: FlowState) -> Question:
        if not self.phase:
            return Question(
                self.slug, None, count("flow.empty-round", state.round), (Option(DONE, say("flow.done")),)
            )
        phase = state.flow.phase_of(self.phase)
        everybody = phase.who == "all"
        done = Option(DONE, say("flow.all-done" if everybody else "flow.done"))
        options = (done, *counts(state, phase, None), *buttons(state, phase))
        word = state.flow.word(phase.id)
        text = say("flow.everybody", phase=word) if everybody else word
        return Question(self.slug, None, text, options, notes=notes(state, phase), turn=True)

    def take(self, state: FlowState, option: str) -> FlowState:
        counted = take_count(state, option)
        return state if counted is None else counted.push(self)

    def is_obsolete(self, state: FlowState) -> bool:
        return state.ends_now

    def on_obsolete(self, state: FlowState) -> FlowState:
        return finish(state)


class PickPhase(Ask, Struct, frozen=True, tag="flow-pick", omit_defaults=True):
    """The table says which of the phases comes next; the one it names begins at once, and ends the one
    before."""

    phase: str
    picked: tuple[str, ...] = ()
    seat: None = None
    slug: ClassVar[str] = "flow.pick"

    def ask(self, state: FlowState) -> Question:
        left = self._left(state)
        now = state.flow.phase_of(state.phase)
        picks = tuple(Option(f"pick:{pick}", state.flow.word(pick)) for pick in left)
        done = Option(DONE, say("flow.no-more-phases" if self.picked or not left else "flow.none-picked"))
        options = (*picks, done, *counts(state, now, None), *buttons(state, now))
        if self.picked:
            text = say("flow.pick-next", phase=state.flow.word(now.id))
        elif len(left) == 1:
            text = say("flow.pick-only", phase=state.flow.word(left[0]))
        else:
            text = say("flow.pick-first")
        return Question(
            self.slug, None, text, options, notes=notes(state, now), turn=True, has_default=not left
        )

    def _left(self, state: FlowState) -> tuple[str, ...]:
        """The phases that can still come: they are played in the order of the file."""
        picks = state.flow.phase_of(self.phase).picks_of(len(state.seats))
        return picks[picks.index(self.picked[-1]) + 1 :] if self.picked else picks

    def take(self, state: FlowState, option: str) -> FlowState:
        if (counted := take_count(state, option)) is not None:
            return counted.push(self)
        if option == DONE:
            return state
        pick = option.removeprefix("pick:")
        known = {phase.id for phase in state.flow.phase}
        state = replace(state, picked=(*state.picked, pick), phase=pick if pick in known else self.phase)
        return state.push(PickPhase(self.phase, (*self.picked, pick)))

    def is_obsolete(self, state: FlowState) -> bool:
        return state.ends_now

    def on_obsolete(self, state: FlowState) -> FlowState:
        return finish(state)


def notes(state: FlowState, phase: FlowPhase) -> tuple[Text, ...]:
    """What to remember in this phase."""
    react = phase.passed == "may-react" and state.passed
    names = tuple(plain(state.seats[n].name) for n in state.passed)
    return (
        *(state.flow.word(line) for line in phase.say),
        *((say("flow.may-react", seats=names),) if react else ()),
    )


# Going on from a play with all rules


def resume(state: FlowState, at: LightPosition) -> FlowState:
    """The beginning of a light play, moved to this position."""
    if not at.round:
        return state
    seats = tuple(
        replace(seat, counters={**seat.counters, **{id: values[n] for id, values in at.counters.items()}})
        for n, seat in enumerate(state.seats)
    )
    state = replace(
        state,
        seats=seats,
        table={**state.table, **at.table},
        round=at.round,
        phase=at.phase,
        order=at.order or tuple(range(len(seats))),
        passed=at.passed,
        passes=at.passes,
        picked=at.picked,
        marker=at.marker,
        out=at.out,
        pressed=at.pressed,
        last_round=at.last_round,
        closing=at.closing,
        asked=True,
    )
    if not at.phase:
        return replace(state, agenda=(CountUp(),), closing=True)
    flow = state.flow
    phases = flow.closing if at.closing else tuple(one for one in flow.phase if one.in_round(at.round))
    ids = [phase.id for phase in phases]
    picking = next(
        (one.id for one in phases if one.who == "table" and at.phase in (one.id, *one.every_pick)), None
    )
    rest = ids[ids.index(picking or at.phase) + 1 :]
    then: tuple[Step, ...] = (*map(BeginPhase, rest), CountUp() if at.closing else EndRound())
    now: Step
    if at.seat is not None:
        now = Turn(at.seat, at.taken or (0,) * len(seats))
    elif picking is not None and flow.phase_of(picking).picks:
        now = PickPhase(picking, at.picked)
    else:
        now = Everybody(at.phase)
    return replace(state, agenda=(now, *then))


STEPS: tuple[type[Step], ...] = (
    Together,
    Begin,
    WhoBegins,
    BeginRound,
    InOrder,
    EndRound,
    BeginPhase,
    NextTurn,
    Turn,
    Everybody,
    PickPhase,
    CountUp,
    TellPoints,
    BreakTies,
    TellTie,
    TellFinishedTable,
)
