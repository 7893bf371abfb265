"""The steps of a light play: rounds, phases, turns, and what is told at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step, Together, together
from companion.core.common_questions import which_seat
from companion.core.components import Facts
from companion.core.fact_values import read
from companion.core.flow.format import ByCounter, FlowClock, FlowPhase, FlowScore, MoreRounds, TurnsOf
from companion.core.flow.score import asked_lines, needs_ties, sheet
from companion.core.flow.state import FlowState, LightPosition
from companion.core.forms import Field, Form, Number, Record
from companion.core.game import full_game
from companion.core.positions import parse
from companion.core.questions import Option, Question
from companion.core.words import Text, count, plain, say

DONE, PASS, MARKER, UNSCORED, EXTEND = "done", "pass", "marker", "unscored", "extend"
SAME, FIRST, FORWARD, ANOTHER = "same", "first", "forward", "another"
"""Orders of a round: as before, somebody moved to the first place or one place forward, told one by one."""
AMOUNTS = (1, 2, 3, 4, 5, 6, 10, -1)
"""What can be counted by one tap, in steps of the counter; the last one is for a mistake."""


class Begin(Do, Struct, frozen=True, tag="flow-begin"):
    """If anybody ever has a turn, the table says who begins."""

    def do(self, state: FlowState) -> FlowState:
        seats = len(state.seats)
        state = replace(state, order=tuple(range(seats)) * state.flow.places(seats))
        if state.flow.has_turns and state.flow.start != "ask-order":
            state = state.push(WhoBegins())
        return replace(state, agenda=(*state.agenda, BeginRound()))


class WhoBegins(Ask, Struct, frozen=True, tag="flow-who-begins"):
    """Which seat begins the play."""

    seat: None = None
    slug: ClassVar[str] = "flow.who-begins"

    def ask(self, state: FlowState) -> Question:
        return which_seat(self.slug, state, say("core.who-is-first"), in_a_row=True)

    def take(self, state: FlowState, option: str) -> FlowState:
        return replace(state, order=clockwise(state, int(option)))


def clockwise(state: FlowState, first: int) -> tuple[int, ...]:
    """All seats in their order round the table, from this one."""
    seats = len(state.seats)
    return tuple((first + n) % seats for n in range(seats))


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


class InOrder(Ask, Struct, frozen=True, tag="flow-order", omit_defaults=True):
    """The order of this round. After the first round one tap is enough if it stays, or if somebody only moves
    to the first place; otherwise, who is next, until the rest is as expected."""

    so_far: tuple[int, ...] = ()
    one_by_one: bool = False
    seat: None = None
    slug: ClassVar[str] = "flow.order"

    def ask(self, state: FlowState) -> Question:
        if state.round > 1 and not self.one_by_one:
            return self._whole(state)
        left = self.left(state)
        n = len(self.so_far) + 1
        text = count("flow.ask-order", n) if self.so_far else say("core.who-is-first")
        asked = which_seat(self.slug, state, text, in_a_row=True)
        seats = tuple(option for option in asked.options if int(option.id) in left)
        if not self.so_far:
            return replace(asked, options=(*seats, *self._forward(state)))
        rest = Option(SAME, say("flow.then-order", seats=_named(state, left)))
        return replace(asked, options=(rest, *seats), has_default=True)

    def _whole(self, state: FlowState) -> Question:
        """The order before, with another first, or another order."""
        order = state.order
        options = [Option(SAME, say("flow.same-order", seats=_named(state, order)))]
        orders: list[tuple[int, ...]] = [order]
        for place in range(1, len(order)):
            moved = _moved(order, place, 0)
            if moved in orders:
                continue
            orders.append(moved)
            seat = order[place]
            alone = order.count(seat) == 1
            text = plain(state.seats[seat].name) if alone else say("flow.order", seats=_named(state, moved))
            options.append(Option(f"{FIRST}:{place}", text, seat=seat))
        if len(state.seats) > 2 or len(order) > 2:
            options.append(Option(ANOTHER, say("flow.another-order")))
        return Question(self.slug, None, say("flow.who-is-first"), tuple(options))

    def _forward(self, state: FlowState) -> Iterator[Option]:
        """The order before, with one of them a place further to the front."""
        order = state.order
        for place in range(2, len(order) if state.round > 1 else 0):
            if order[place] != order[place - 1]:
                moved = _moved(order, place, place - 1)
                text = say("flow.order", seats=_named(state, moved))
                yield Option(f"{FORWARD}:{place}", text, seat=order[place])

    def left(self, state: FlowState) -> tuple[int, ...]:
        """Those that are still to come: in the order before, in the first round clockwise."""
        order = state.order
        if state.round == 1 and self.so_far:
            order = clockwise(state, self.so_far[0]) * state.flow.places(len(state.seats))
        rest = list(order)
        for seat in self.so_far:
            rest.remove(seat)
        return tuple(rest)

    def take(self, state: FlowState, option: str) -> FlowState:
        kind, _, place = option.partition(":")
        if kind == ANOTHER:
            return state.push(InOrder(one_by_one=True))
        if kind in (FIRST, FORWARD):
            to = 0 if kind == FIRST else int(place) - 1
            return replace(state, order=_moved(state.order, int(place), to))
        if kind == SAME:
            return replace(state, order=self.so_far + self.left(state))
        now = InOrder((*self.so_far, int(option)), one_by_one=True)
        left = now.left(state)
        return state.push(now) if len(set(left)) > 1 else replace(state, order=now.so_far + left)


def _moved(order: tuple[int, ...], place: int, to: int) -> tuple[int, ...]:
    """The order with the seat at this place moved forward."""
    return (*order[:to], order[place], *order[to:place], *order[place + 1 :])


def _named(state: FlowState, order: tuple[int, ...]) -> tuple[Text, ...]:
    return tuple(plain(state.seats[n].name) for n in order)


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


def next_order(state: FlowState) -> tuple[int, ...]:
    """The order of turns in the next round."""
    start, first = state.flow.start, state.order[0]
    match start:
        case "next":
            after = clockwise(state, (first + 1) % len(state.seats))
            return clockwise(state, next((n for n in after if n not in state.out), first))
        case "first-pass" if state.passes:
            return clockwise(state, state.passes[0])
        case "pass-order" if state.passes:
            return state.passes + tuple(n for n in state.order if n not in state.passes)
        case "marker" if state.marker is not None:
            return clockwise(state, state.marker)
        case ByCounter(most, least):
            sign = 1 if most else -1
            best = max(state.order, key=lambda n: sign * state.value(most or least, n))
            return clockwise(state, best)
    return state.order


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
        if phase.turns is not None and not any(turns_left(state, phase, n, 0) for n in state.order):
            return state
        state = replace(state, phase=self.phase, passed=(), asked=True)
        if phase.who == "table" and phase.picks:
            return state.push(PickPhase(self.phase))
        if phase.who is not None:
            return state.push(Everybody(self.phase))
        return state.push(NextTurn(None, (0,) * len(state.seats)))


def turns_left(state: FlowState, phase: FlowPhase, seat: int, taken: int) -> bool:
    """Whether a seat still has a turn in this phase."""
    if seat in state.out:
        return False
    match phase.turns:
        case "pass":
            return phase.passed == "back" or seat not in state.passed
        case int(turns):
            return taken < turns
        case TurnsOf(counter, by_seats):
            return taken < (by_seats[str(len(state.seats))] if by_seats else state.value(counter, seat))
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


# What is counted in a turn


def counts(state: FlowState, phase: FlowPhase, seat: int | None) -> Iterator[Option]:
    """What can be counted in this phase: for one seat, or for each."""
    for id in state.flow.counted_in(phase):
        word = state.flow.word(id)
        of_seats = state.pool(id) is None and state.counter(id).of == "seat"
        pool = state.pool(id)
        if pool is not None and pool.into:
            id, of_seats = pool.into, True
            word = state.flow.word(id)
        whom = [None] if not of_seats else [seat] if seat is not None else list(range(len(state.seats)))
        for one in whom:
            group = word if one is None or seat is not None else plain(state.seats[one].name)
            for amount in _amounts(state, id, one):
                sign = f"+{amount}" if amount > 0 else f"−{-amount}"
                text = say("flow.counted", amount=sign, what=word)
                whose = "" if one is None else f":{one}"
                yield Option(
                    f"count:{id}:{whose.removeprefix(':')}:{amount}",
                    text,
                    group=group,
                    seat=one,
                    changes=(f"{id}{whose}", amount),
                )


def _amounts(state: FlowState, id: str, seat: int | None) -> Iterator[int]:
    """By how much a counter can change now; what is taken from a pool of the table makes it smaller."""
    step = -1 if state.pool(id) is not None else state.counter(id).step
    low, high = state.room(id)
    now = state.value(id, seat)
    most = AMOUNTS if seat is not None or state.pool(id) is not None else (1, 2, 3, -1)
    return (n * step for n in most if low <= now + n * step <= high)


def take_count(state: FlowState, option: str) -> FlowState | None:
    """The table after something was counted or a button pressed; None if the option says something else."""
    kind, _, rest = option.partition(":")
    if kind == "button":
        return replace(state, pressed=(*state.pressed, rest))
    if kind != "count":
        return None
    id, seat, amount = rest.split(":")
    whose = int(seat) if seat else None
    return state.having(id, state.value(id, whose) + int(amount), whose)


def buttons(state: FlowState, phase: FlowPhase) -> Iterator[Option]:
    """The end conditions that only people can see, in the phases in which they can come."""
    if state.closing:
        return
    for id in state.flow.buttons_in(phase):
        if id not in state.pressed:
            yield Option(f"button:{id}", state.flow.word(id), group=say("flow.buttons"))


# The score


class CountUp(Do, Struct, frozen=True, tag="flow-count-up"):
    """The score: by the game's own scorer if it has one, else line by line."""

    def do(self, state: FlowState) -> FlowState:
        full = full_game(state.game)
        state = replace(state, phase="")
        if full is not None and full.positions is not None:
            return state.push(TellFinishedTable())
        if not asked_lines(state.flow):
            return state.push(BreakTies())
        pages: dict[int, tuple[Step, ...]] = {seat: (TellPoints(seat),) for seat in range(len(state.seats))}
        return state.push(together(pages), BreakTies())


class TellPoints(Ask, Struct, frozen=True, tag="flow-points"):
    """The numbers of one seat that no counter has, on one page."""

    seat: int
    slug: ClassVar[str] = "flow.points"

    def ask(self, state: FlowState) -> Question:
        nothing = Option(ZERO, say("flow.no-points"))
        form = points_form(state)
        return Question(self.slug, self.seat, say("flow.points"), (nothing,), form=form, has_default=False)

    def take(self, state: FlowState, option: str) -> FlowState:
        told = read(points_form(state), option)
        values = told[0] if told is not None and option != ZERO else {}
        numbers = {
            line.id: tuple(values.get(name, 0) for name in _names(line.id, line.times))
            for line in asked_lines(state.flow)
        }
        return state.having_seat(self.seat, replace(state.seats[self.seat], told=numbers))


ZERO = "{}"


def points_form(state: FlowState) -> Form:
    """A number for each line that is asked for; left out, it is 0."""
    fields = (
        Field(name, _nth(state, line, n), Number(0, line.max), needed=False, usual=0)
        for line in asked_lines(state.flow)
        for n, name in enumerate(_names(line.id, line.times), 1)
    )
    return Record(tuple(fields))


def _nth(state: FlowState, line: FlowScore, n: int) -> Text:
    """What a number is; if several are asked for, which of them."""
    word = state.flow.word(line.id)
    return word if line.times == 1 else say("flow.nth", what=word, n=str(n), of=str(line.times))


def _names(id: str, times: int) -> tuple[str, ...]:
    return (id,) if times == 1 else tuple(f"{id}-{n}" for n in range(1, times + 1))


class BreakTies(Do, Struct, frozen=True, tag="flow-ties"):
    """If the best have equal points, what the flow compares is asked of them, one thing after the other."""

    def do(self, state: FlowState) -> FlowState:
        tied = needs_ties(state)
        if not tied:
            return state
        what = state.flow.tie[len(state.seats[tied[0]].ties)].id
        known = {n: known_number(state, what, n) for n in tied}
        for n, number in known.items():
            if number is not None:
                seat = state.seats[n]
                state = state.having_seat(n, replace(seat, ties=(*seat.ties, number)))
        if None not in known.values():
            return state.push(self)
        pages: dict[int, tuple[Step, ...]] = {seat: (TellTie(seat),) for seat in tied}
        return state.push(together(pages), self)


def known_number(state: FlowState, id: str, seat: int) -> int | None:
    """The number of a seat that people have told already: of a line of the sheet, or of a counter."""
    of = state.seats[seat]
    told = next((line for line in state.flow.score if line.id == id), None)
    if told is not None and not told.counter:
        return sum((of.told or {}).get(id, ()))
    return of.counters.get(told.counter if told is not None else id)


class TellTie(Ask, Struct, frozen=True, tag="flow-tie"):
    """How much a tied seat has of what breaks the tie."""

    seat: int
    slug: ClassVar[str] = "flow.tie"

    def ask(self, state: FlowState) -> Question:
        what = state.flow.tie[len(state.seats[self.seat].ties)].id
        form = Number(0, 999)
        text = say("flow.tie", what=state.flow.word(what))
        return Question(self.slug, self.seat, text, (Option("0", plain("0")),), form=form, has_default=False)

    def take(self, state: FlowState, option: str) -> FlowState:
        seat = state.seats[self.seat]
        told = read(Number(0, 999), option)
        return state.having_seat(self.seat, replace(seat, ties=(*seat.ties, told[0] if told else 0)))


class TellFinishedTable(Ask, Struct, frozen=True, tag="flow-finished"):
    """The finished table of a game we can score: swept, tapped or typed, as in score only."""

    seat: None = None
    slug: ClassVar[str] = "flow.finished"

    def ask(self, state: FlowState) -> Question:
        known = {
            f"{id}:{n}": value for n, seat in enumerate(state.seats) for id, value in seat.counters.items()
        }
        options = (Option(UNSCORED, say("flow.unscored")),)
        return Question(self.slug, None, say("flow.finished"), options, has_default=False, finished=known)

    def take(self, state: FlowState, option: str) -> FlowState:
        if option == UNSCORED:
            return state
        told = replace(state, finished=parse(option.encode()))
        sheet(told)  # raises if this table cannot be
        return told

    def reveals(self, state: FlowState, option: str) -> Facts:
        full = full_game(state.game)
        if option == UNSCORED or full is None or full.positions is None:
            return {}
        return full.positions.told(parse(option.encode()))


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
