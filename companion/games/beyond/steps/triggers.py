"""Abilities triggered by events in the game (rules 98, 179, 180)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from companion.core.agenda import Do
from companion.core.words import say
from companion.games.beyond.operations import Trigger, When
from companion.games.beyond.state import BeyondState
from companion.games.beyond.steps.perform import Perform


def happened(state: BeyondState, seat: int, what: Trigger) -> BeyondState:
    """Push what a faction's abilities do when this happens to it, in printed order."""
    waiting = [(source, a) for source, a in state.abilities(seat) if isinstance(a, When) and a.when == what]
    steps = []
    for n, (source, ability) in enumerate(waiting):
        if ability.once:
            earlier = sum(other == source for other, _ in waiting[:n])
            key = f"{source}:{what}:{earlier + 1}" if earlier else f"{source}:{what}"
            who = state.seats[seat]
            if key in who.used:
                continue
            state = state.with_seat(seat, replace(who, used=(*who.used, key)))
        state = state.tell(say("beyond.triggered", card=state.name(source)), seat)
        steps.append(Perform(seat, ability.effects, source, soft=True))
    return state.push(*steps)


class CheckLast(Do, Struct, frozen=True, tag="check-last"):
    """Triggers abilities for the last disc leaving a track, after the bonuses of systems (rule 180)."""

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
