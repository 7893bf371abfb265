"""Carrying out operations one after another, in printed order (rules 44, 47, 99, 165)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Do
from companion.core.questions import Option
from companion.core.words import say
from companion.games.beyond.feasible import Part, finishes, parts
from companion.games.beyond.operations import AnyOperation, Operation, Operations
from companion.games.beyond.state import BeyondState


class Perform(Do, Struct, frozen=True, tag="perform"):
    """Carries out the operations of a card in order; impossible ones are skipped."""

    seat: int
    operations: Operations
    source: str
    soft: bool = False
    """Whether it is a bonus: its impossible parts do not matter for choosing an action (rule 99)."""

    def do(self, state: BeyondState) -> BeyondState:
        if not self.operations:
            return state
        state = state.push(Perform(self.seat, self.operations[1:], self.source, self.soft))
        operation = self.operations[0]
        return CARRIED[type(operation)](state, self.seat, operation, self.source, self.soft)


Carry = Callable[[BeyondState, int, "AnyOperation", str, bool], BeyondState]
CARRIED: dict[type[Operation], Carry] = {}
"""The function for each kind of operation; the other modules of this package register them."""


def carries(*sorts: type[Operation]) -> Callable[[Carry], Carry]:
    """Register a function that carries out operations of these kinds."""

    def register(function: Carry) -> Carry:
        for sort in sorts:
            CARRIED[sort] = function
        return function

    return register


class Giving(Do):
    """A step that will give what is printed on a card."""

    __slots__ = ()
    seat: int

    def gives(self, state: BeyondState) -> Operations:
        """The operations it will give, as far as they are known."""
        raise NotImplementedError


class Unfinished(Do):
    """A step in the middle of an operation that takes several steps."""

    __slots__ = ()
    seat: int

    def left_to_do(self) -> Operations:
        """The part of its operation that is still to be done."""
        raise NotImplementedError


def ahead(state: BeyondState, seat: int) -> tuple[tuple[Part, ...], str]:
    """All operations the running action still has to do for a seat, and the card that prints them."""
    rest: tuple[Part, ...] = ()
    source = ""
    for step in state.agenda:
        if isinstance(step, Perform) and step.seat == seat:
            rest += parts(step.operations, step.soft)
            source = step.source
        elif isinstance(step, Giving) and step.seat == seat:
            rest += parts(step.gives(state), soft=True)
        elif isinstance(step, Unfinished) and step.seat == seat:
            rest += parts(step.left_to_do(), soft=True)
    return rest, source


class Taking(Protocol):
    """A step that takes an option."""

    def take(self, state: BeyondState, option: str) -> BeyondState: ...


def leading_on(
    state: BeyondState, seat: int, step: Taking, options: tuple[Option, ...]
) -> tuple[Option, ...]:
    """The options after which the action can still be carried out completely, with some change (rules 44, 45).

    Outside the action phase of the seat's own turn all options are kept.
    """
    if state.phase != "action" or state.active != seat or len(options) < 2:
        return options
    here = replace(state, agenda=state.agenda[1:])
    good = []
    for option in options:
        after = step.take(here, option.id)
        rest, source = ahead(after, seat)
        if finishes(after, seat, rest, source):
            good.append(option)
    return tuple(good) or options


def unpaid(state: BeyondState, seat: int, operation: Operation) -> BeyondState:
    """Skip a cost that cannot be paid, and the rest of the list, which it would have paid for (rule 47)."""
    state = left_out(state, seat, operation)
    assert isinstance(state.agenda[0], Perform), "the rest of the list, perhaps nothing"
    return replace(state, agenda=state.agenda[1:])


def left_out(state: BeyondState, seat: int, operation: Operation) -> BeyondState:
    """Report that a part could not be carried out."""
    tag = type(operation).__struct_config__.tag
    return state.tell(say("beyond.left-out", what=say(f"beyond.does.{tag}")), seat)
