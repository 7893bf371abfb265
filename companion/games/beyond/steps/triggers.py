"""Abilities that wait for something to happen (rules 98, 179, 180)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Do
from companion.core.words import say
from companion.games.beyond.operations import Trigger, When
from companion.games.beyond.state import BeyondState
from companion.games.beyond.steps.perform import Perform


def happened(state: BeyondState, seat: int, what: Trigger) -> BeyondState:
    """What a faction's abilities do when this happens to it."""
    for source, ability in state.abilities(seat):
        key = f"{source}:{what}"
        if not isinstance(ability, When) or ability.when != what:
            continue
        who = state.seats[seat]
        if ability.once and key in who.used:
            continue
        if ability.once:
            state = state.with_seat(seat, replace(who, used=(*who.used, key)))
        state = state.tell(say("beyond.triggered", card=state.name(source)), seat)
        state = state.push(Perform(seat, ability.effects, source, soft=True))
    return state


class CheckLast(Do, Struct, frozen=True, tag="check-last"):
    """Whose last disc of a track has left it? After the bonuses of systems (rule 180)."""

    def do(self, state: BeyondState) -> BeyondState:
        for seat in state.clockwise(state.active):
            for kind, what in (("ore", "last-ore-disc"), ("food", "last-food-disc")):
                empty = state.left(seat, kind) <= 0  # type: ignore[arg-type]
                who, key = state.seats[seat], f"empty:{kind}"
                if empty and key not in who.used:
                    state = state.with_seat(seat, replace(who, used=(*who.used, key)))
                    state = happened(state, seat, what)  # type: ignore[arg-type]
                elif not empty and key in who.used:
                    used = tuple(one for one in who.used if one != key)
                    state = state.with_seat(seat, replace(who, used=used))
        return state
