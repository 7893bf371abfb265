"""What everybody sees of a light play, and what can be corrected."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.agenda import open_asks, ready, waited_for
from companion.core.counters import Correctable
from companion.core.flow.format import FlowCondition, FlowEnd, FlowPhase
from companion.core.flow.score import sheet
from companion.core.flow.state import FlowState
from companion.core.flow.steps import Turn, finish, following
from companion.core.views import Gauge, Meter, PhaseView, SeatView, Shown, Tense, View
from companion.core.words import Text, count, of_seat, say


def view(state: FlowState) -> View:
    """The public table: turns, counters, pools and how near the end is."""
    seats = len(state.seats)
    return View(
        round=state.round,
        phases=tuple(_phases(state)),
        seats=tuple(_seats(state)),
        pools=tuple(
            Gauge(pool.id, state.flow.word(pool.id), max(0, state.value(pool.id)), pool.full(seats))
            for pool in state.flow.pool
        ),
        meters=tuple(_meters(state)),
        alerts=tuple(alerts(state)),
        notes=tuple(_notes(state)),
        numbers=tuple(
            Shown(counter.id, state.flow.word(counter.id), state.value(counter.id))
            for counter in state.flow.counted("table")
        ),
        over=not state.agenda,
        coming=_coming(state),
    )


def _notes(state: FlowState) -> Iterator[Text]:
    """Who has the start marker."""
    if state.flow.start == "marker" and state.round and not state.closing:
        holder = state.order[0] if state.marker is None else state.marker
        yield say("flow.marker-of", seat=state.seats[holder].name)


def _phases(state: FlowState) -> Iterator[PhaseView]:
    """The phases of this round, or those after the end."""
    picks = {pick for phase in state.flow.phase for pick in phase.picks_of(len(state.seats))}
    phases = [
        phase
        for phase in (state.flow.closing if state.closing else state.flow.phase)
        if (state.closing or phase.in_round(max(1, state.round)))
        and not (phase.who == "table" and phase.picks)
        and (phase.when != "picked" or phase.id in picks)
    ]
    ids = [phase.id for phase in phases]
    now = ids.index(state.phase) if state.phase in ids else -1
    for n, phase in enumerate(phases):
        yield PhaseView(phase.id, state.flow.word(phase.id), _tense(state, phase, n, now))


def _tense(state: FlowState, phase: FlowPhase, n: int, now: int) -> Tense:
    if n == now:
        return Tense.NOW
    if n < now:
        return Tense.SKIPPED if phase.when == "picked" and phase.id not in state.picked else Tense.PAST
    return Tense.COMING


def _seats(state: FlowState) -> Iterator[SeatView]:
    waited, lines = waited_for(state), sheet(state).seats
    counted = any(line.counter for line in state.flow.score)
    for n, seat in enumerate(state.seats):
        numbers = tuple(
            Shown(counter.id, state.flow.word(counter.id), seat.counters[counter.id])
            for counter in state.flow.counted("seat")
        )
        yield SeatView(
            n,
            seat.name,
            n in waited,
            ready(state, n),
            numbers,
            (),
            points=lines[n].total if counted or seat.told is not None else None,
            passed=n in state.passed,
        )


def _coming(state: FlowState) -> tuple[int, ...]:
    """The seats whose turns follow in this phase, in order."""
    turn = next((ask for _, ask in open_asks(state) if isinstance(ask, Turn)), None)
    if turn is None:
        return ()
    found: list[int] = []
    taken = tuple(n + (seat == turn.seat) for seat, n in enumerate(turn.taken))
    last = turn.seat
    while len(found) < len(state.seats):
        seat = following(state, last, taken)
        if (
            seat is None
            or seat in found
            or (seat == turn.seat and not found and state.order.count(seat) == 1)
        ):
            break
        found.append(seat)
        taken = tuple(n + (one == seat) for one, n in enumerate(taken))
        last = seat
    return tuple(found)


def _meters(state: FlowState) -> Iterator[Meter]:
    """How near each end is; rounds count as one too."""
    last = state.flow.last_round(len(state.seats))
    if last is not None:
        yield Meter("round", say("flow.rounds"), state.round, last)
    for end in state.flow.end:
        for one in (one for one in end.conditions if not one.button):
            goal = _goal(state, one)
            yield Meter(one.id, state.flow.word(one.id), goal - state.distance(one), goal)


def _goal(state: FlowState, one: FlowCondition) -> int:
    """How many steps there are from the beginning to this condition."""
    pool = state.pool(one.pool) if one.pool else None
    if pool is not None:
        return pool.full(len(state.seats))
    counter = state.counter(one.counter)
    return max(1, -(-(counter.high - counter.start) // counter.step))


def alerts(state: FlowState) -> Iterator[Text]:
    """That this is the last round, how many are left, and which ends are near."""
    if state.closing or not state.agenda:
        return
    final = state.final_round
    if any(end.then == "equal-turns" for end in state.reached()):
        yield say("flow.last-turns")
    elif final is not None and final == state.round:
        yield say("flow.last-round")
    elif final is not None and (state.last_round is not None or any(state.reached())):
        yield count("flow.rounds-left", final - state.round)
    for end in state.flow.end:
        if state.is_near(end):
            yield say("flow.near", ends=tuple(_missing(state, end)))


def _missing(state: FlowState, end: FlowEnd) -> Iterator[Text]:
    """What is missing to an end, in words."""
    for one in end.conditions:
        distance = state.distance(one)
        if distance and (end.all or (not one.button and distance <= end.warn)):
            yield say("flow.missing-to-end", what=state.flow.word(one.id), n=distance)


# Corrections


def counters(state: FlowState) -> tuple[Correctable, ...]:
    """Every counter and pool, the round, the buttons that were pressed, who is out, and that people stop here."""
    return (*_counted(state), *(one for one in _others(state) if not _is_counted(state, one.id)))


def _is_counted(state: FlowState, id: str) -> bool:
    """Whether this is a counter or pool of the flow: it may be called as one of ours, such as "out"."""
    name, _, seat = id.partition(":")
    names = {*(one.id for one in state.flow.counter), *(one.id for one in state.flow.pool)}
    return name in names and (not seat or seat.isdecimal())


def _counted(state: FlowState) -> Iterator[Correctable]:
    for pool in state.flow.pool:
        if not pool.into:
            low, high = state.room(pool.id)
            yield Correctable(pool.id, None, state.flow.word(pool.id), state.value(pool.id), low, high)
    for counter in state.flow.counter:
        text = state.flow.word(counter.id)
        if counter.of == "table":
            value = state.value(counter.id)
            yield Correctable(counter.id, None, text, value, counter.low, counter.high)
            continue
        for n in range(len(state.seats)):
            value = state.value(counter.id, n)
            whose = of_seat(state.seats[n].name, text)
            yield Correctable(f"{counter.id}:{n}", n, whose, value, counter.low, counter.high, short=text)


def _others(state: FlowState) -> Iterator[Correctable]:
    for button in state.flow.buttons:
        yield Correctable(
            f"button:{button}", None, state.flow.word(button), int(button in state.pressed), 0, 1
        )
    for n, seat in enumerate(state.seats):
        yield Correctable(f"out:{n}", n, say("flow.out", seat=seat.name), int(n in state.out), 0, 1)
    if state.round and not state.closing:
        last = state.flow.last_round(len(state.seats))
        yield Correctable("round", None, say("flow.round"), state.round, 1, last or 99)
        yield Correctable("over", None, say("flow.stop-here"), 0, 0, 1)


def correct(state: FlowState, id: str, value: int) -> FlowState:
    """The table with a counter set to this value."""
    name, _, rest = id.partition(":")
    if _is_counted(state, id):
        return state.having(name, value, int(rest) if rest else None)
    if name == "button":
        kept = tuple(one for one in state.pressed if one != rest)
        return replace(state, pressed=(*kept, rest) if value else kept)
    if name == "out":
        left = tuple(n for n in state.out if n != int(rest))
        return replace(state, out=(*left, int(rest)) if value else left)
    if id == "round":
        return replace(state, round=value)
    return finish(state) if value else state
