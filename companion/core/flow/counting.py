"""What can be counted and reported in a turn."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.flow.format import FlowPhase
from companion.core.flow.state import FlowState
from companion.core.questions import Option
from companion.core.words import plain, say

AMOUNTS = (1, 2, 3, 4, 5, 6, 10, -1)
"""What can be counted by one tap, in steps of the counter; the last one is for a mistake."""


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
