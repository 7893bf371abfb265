"""The end of a light play: the numbers nobody has counted, ties, or the finished table for the full scorer."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do, Step, together
from companion.core.components import Facts
from companion.core.fact_values import read
from companion.core.flow.format import FlowScore
from companion.core.flow.score import asked_lines, needs_ties, sheet
from companion.core.flow.state import FlowState
from companion.core.forms import Field, Form, Number, Record
from companion.core.game import full_game
from companion.core.positions import parse
from companion.core.questions import Option, Question
from companion.core.words import Text, plain, say

UNSCORED, ZERO = "unscored", "{}"


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
