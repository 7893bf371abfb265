"""Ore, population and supply (rules 58 to 65), automation (rules 78 to 83)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask, Do
from companion.core.faces import Sign
from companion.core.questions import Option, Question
from companion.core.words import count, plain, say
from companion.games.beyond import deeds
from companion.games.beyond import operations as op
from companion.games.beyond.columns import changed, has_room, rightmost
from companion.games.beyond.component_types import COLUMNS, SPECIALISATIONS
from companion.games.beyond.counting import amount
from companion.games.beyond.feasible import supply_column
from companion.games.beyond.operations import AnyOperation
from companion.games.beyond.state import BeyondState
from companion.games.beyond.steps.bases import disc_options
from companion.games.beyond.steps.perform import carries, leading_on, unpaid
from companion.games.beyond.steps.triggers import CheckLast


@carries(op.GainOre)
def _gain_ore(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    assert isinstance(operation, op.GainOre)
    n = amount(state, seat, operation.n, operation.per, operation.each, operation.most)
    return deeds.gain_ore(state, seat, n)


@carries(op.PayOre)
def _pay_ore(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    assert isinstance(operation, op.PayOre)
    if state.seats[seat].ore < operation.n:
        return unpaid(state, seat, operation)
    return deeds.pay_ore(state, seat, operation.n)


@carries(op.PayOpponent)
def _pay_opponent(
    state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool
) -> BeyondState:
    assert isinstance(operation, op.PayOpponent)
    if state.seats[seat].ore < operation.n:
        return unpaid(state, seat, operation)
    return state.push(ChooseOpponent(seat, operation.n))


class ChooseOpponent(Ask, Struct, frozen=True, tag="choose-opponent"):
    """Who gets the ore?"""

    seat: int
    n: int
    slug: ClassVar[str] = "beyond.opponent"

    def ask(self, state: BeyondState) -> Question:
        options = tuple(Option(str(n), plain(state.seats[n].name), seat=n) for n in state.others(self.seat))
        text = count("beyond.ask.opponent", self.n)
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        return deeds.pay_ore(state, self.seat, self.n, to=int(option))

    def is_obsolete(self, state: BeyondState) -> bool:
        return state.seats[self.seat].ore < self.n


@carries(op.Recruit)
def _recruit(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    """Recruit as many as the supply allows; running out is no obstacle (rules 57 and 61)."""
    assert isinstance(operation, op.Recruit)
    n = amount(state, seat, operation.n, operation.per, operation.each, operation.most)
    return recruit(state, seat, n, operation.column)


def recruit(state: BeyondState, seat: int, n: int, column: str = "leftmost") -> BeyondState:
    """Supply cubes become population, from the left or from one column."""
    for _ in range(n):
        at = supply_column(state.seats[seat].supply, column)
        if at is None:
            return state
        state = deeds.recruit(state, seat, at)
    return state


# Retiring


@carries(op.Retire)
def _retire(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    assert isinstance(operation, op.Retire)
    who = state.seats[seat]
    if not state.swapped and who.ore and state.has(seat, op.OreForRetired):
        return state.push(ReplaceRetired(seat, operation.n))
    if who.population < operation.n:
        return unpaid(state, seat, operation)
    return retire(state, seat, operation.n)


def retire(state: BeyondState, seat: int, n: int) -> BeyondState:
    """Population cubes return to the columns, or all of them if there are fewer."""
    for _ in range(min(n, state.seats[seat].population)):
        state = deeds.retire(state, seat)
    return state


class ReplaceRetired(Ask, Struct, frozen=True, tag="replace-retired"):
    """Is one of the retired cubes replaced by 1 ore? (Android Rights Movement)"""

    seat: int
    n: int
    slug: ClassVar[str] = "beyond.replace-retired"

    def ask(self, state: BeyondState) -> Question:
        enough = state.seats[self.seat].population
        options = []
        if enough >= self.n:
            options.append(
                Option(
                    "cubes", count("beyond.option.retire", self.n), signs=(Sign("population", f"-{self.n}"),)
                )
            )
        if enough >= self.n - 1:
            options.append(Option("ore", say("beyond.option.retire-ore"), signs=(Sign("ore", "-1"),)))
        if not options:
            options.append(Option("nothing", say("beyond.option.nothing")))
        text = say("beyond.ask.replace-retired")
        return Question(self.slug, self.seat, text, leading_on(state, self.seat, self, tuple(options)))

    def take(self, state: BeyondState, option: str) -> BeyondState:
        if option == "ore":
            state = deeds.pay_ore(replace(state, swapped=True), self.seat, 1)
            return retire(state, self.seat, self.n - 1)
        return retire(state, self.seat, self.n) if option == "cubes" else state

    def is_obsolete(self, state: BeyondState) -> bool:
        return not state.seats[self.seat].ore

    def on_obsolete(self, state: BeyondState) -> BeyondState:
        return retire(state, self.seat, self.n)


# Moving supply


@carries(op.MoveSupply)
def _move_supply(
    state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool
) -> BeyondState:
    """Move the rightmost cubes as they lie now, so that no cube is moved twice."""
    assert isinstance(operation, op.MoveSupply)
    supply, steps = state.seats[seat].supply, []
    for _ in range(operation.n):
        column = rightmost(supply)
        if column is not None:
            supply = changed(supply, column, -1)
            steps.append(MoveRightmost(seat, operation.column_to, column))
    return state.push(*steps)


class MoveRightmost(Do, Struct, frozen=True, tag="move-rightmost"):
    """Moves a supply cube of this column to the named column, or to one the seat chooses."""

    seat: int
    to: str
    column: int

    def do(self, state: BeyondState) -> BeyondState:
        if self.to == "any":
            return state.push(ChooseColumn(self.seat, self.column))
        return moved(state, self.seat, self.column, COLUMNS.index(self.to))


def moved(state: BeyondState, seat: int, column: int, to: int) -> BeyondState:
    """Move a supply cube to another column, if there is a cube and room for it (rule 63)."""
    supply = state.seats[seat].supply
    goes = supply[column] > 0 and column != to and has_room(supply, state.sizes(seat), to)
    return deeds.move_supply(state, seat, column, to) if goes else state


class ChooseColumn(Ask, Struct, frozen=True, tag="choose-column"):
    """Into which column does the rightmost supply cube go? One with a free slot, or A (rule 63)."""

    seat: int
    column: int
    slug: ClassVar[str] = "beyond.column"

    def ask(self, state: BeyondState) -> Question:
        supply, sizes = state.seats[self.seat].supply, state.sizes(self.seat)
        options = tuple(
            Option(letter, plain(letter.upper()), cell=(0, n))
            for n, letter in enumerate(COLUMNS)
            if n == self.column or has_room(supply, sizes, n)
        )
        return Question(self.slug, self.seat, say("beyond.ask.column"), options)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        return moved(state, self.seat, self.column, COLUMNS.index(option))

    def is_obsolete(self, state: BeyondState) -> bool:
        return not state.seats[self.seat].supply[self.column]


# Automation


@carries(op.Automate)
def _automate(state: BeyondState, seat: int, operation: AnyOperation, source: str, soft: bool) -> BeyondState:
    assert isinstance(operation, op.Automate)
    kinds = (operation.disc,) if operation.disc != "either" else SPECIALISATIONS
    if len(kinds) == 1 and not state.has(seat, op.EitherTrack):
        for _ in range(operation.n):
            state = deeds.automate(state, seat, kinds[0])
        return state.push(CheckLast())
    return state.push(*(ChooseAutomated(seat) for _ in range(operation.n)), CheckLast())


class ChooseAutomated(Ask, Struct, frozen=True, tag="choose-automated"):
    """Food or ore? If the track of a kind is empty, a marker is used (rule 83)."""

    seat: int
    slug: ClassVar[str] = "beyond.automated"

    def ask(self, state: BeyondState) -> Question:
        options, text = disc_options(state, self.seat), say("beyond.ask.automated")
        return Question(self.slug, self.seat, text, options, has_default=False)

    def take(self, state: BeyondState, option: str) -> BeyondState:
        return deeds.automate(state, self.seat, "food" if option == "food" else "ore")
