"""Who begins, and the order of a round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Ask
from companion.core.common_questions import which_seat
from companion.core.flow.format import ByCounter
from companion.core.flow.state import FlowState
from companion.core.questions import Option, Question
from companion.core.words import Text, count, plain, say

SAME, FIRST, FORWARD, ANOTHER = "same", "first", "forward", "another"
"""Orders of a round: as before, somebody moved to the first place or one place forward, told one by one."""


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
