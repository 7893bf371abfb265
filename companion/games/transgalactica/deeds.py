"""The instructions to players, each with its change of the state: every piece and card moves through here.

Bots follow exactly these instructions, so every step that moves pieces must use these functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from companion.core.words import Text, count, say
from companion.games.transgalactica.component_types import POOL
from companion.games.transgalactica.effects import STUFF
from companion.games.transgalactica.state import Held, Outpost, Seat, TransState

Because = tuple[Text, ...]
"""The reasons for a gain or payment, at least one."""


def does(state: TransState, seat: int | None, *deeds: Text, usual: bool = False) -> TransState:
    """Tell a seat, or the table, what to do with its hands."""
    return state.tell(say("transgalactica.does", deeds=deeds), seat, kind="hands", usual=usual)


def change(state: TransState, seat: int, **fields: object) -> TransState:
    """The table with these fields of a seat changed."""
    return state.with_seat(seat, replace(state.seats[seat], **fields))


# Points, credits and resources


def score(state: TransState, seat: int, n: int, why: Because) -> TransState:
    """Gain or lose points on the track; they may go below zero unless the table agreed otherwise (rule 182)."""
    before = state.seats[seat].vp
    after = before + n
    if after < 0 and state.choices.get("points") == "nought":
        after = min(before, 0) if n < 0 and before < 0 else 0
    n = after - before
    if not n:
        return state
    state = change(state, seat, vp=after)
    deed = "transgalactica.do.score" if n > 0 else "transgalactica.do.lose"
    return does(state, seat, count(deed, abs(n), because=why))


def gain(state: TransState, seat: int, what: str, n: int, why: Because) -> TransState:
    """Give a seat points, credits or resources."""
    if what == "vp":
        return score(state, seat, n, why)
    return take(state, seat, {what: n}, why)


def take(state: TransState, seat: int, what: Mapping[str, int], why: Because) -> TransState:
    """Take credits and resources from the pool in one instruction; warns when a kind runs out (rule 6)."""
    taken = {one: what[one] for one in STUFF if what.get(one)}
    if not taken:
        return state
    who = state.seats[seat]
    before = state
    state = state.with_seat(seat, replace(who, **{one: getattr(who, one) + n for one, n in taken.items()}))
    deeds = [count(f"transgalactica.do.take.{one}", n, because=why) for one, n in taken.items()]
    return warned(does(state, seat, *deeds), before)


def warned(state: TransState, before: TransState) -> TransState:
    """Warn the table of every kind of which more was taken than exists (rule 6)."""
    for one in POOL:
        if before.pool(one) >= 0 > state.pool(one):
            state = state.tell(say(f"transgalactica.lacking.{one}"))
    return state


def pay(state: TransState, seat: int, paid: Iterable[tuple[str, int]], why: Because) -> TransState:
    """Return credits and resources to the pool."""
    deeds = []
    for what, n in paid:
        who = state.seats[seat]
        state = state.with_seat(seat, replace(who, **{what: getattr(who, what) - n}))
        deeds.append(count(f"transgalactica.do.pay.{what}", n, because=why))
    return does(state, seat, *deeds) if deeds else state


# Markers


def marker(state: TransState, seat: int, track: str, at: int) -> TransState:
    """Move the level marker to a space; on politics the personal marker moves too (rule 64)."""
    state = change(state, seat, **{track: at})
    return does(state, seat, say(f"transgalactica.do.marker.{track}", at=at))


def unlock(state: TransState, seat: int) -> TransState:
    """Unlock the next trade space: a marker goes to the hold, or a fleet token is to be moved (rule 110)."""
    trade = state.seats[seat].trade + 1
    state = change(state, seat, trade=trade)
    if trade % 2:
        return does(state, seat, say("transgalactica.do.unlock", n=trade))
    return state


# Workers


def worker_out(state: TransState, seat: int, worker: str, where: Text) -> TransState:
    """Place a worker."""
    who = state.seats[seat]
    if worker == "captain":
        who = replace(who, captains_out=who.captains_out + 1)
    elif worker == "crew":
        who = replace(who, crew=who.crew - 1, crew_out=who.crew_out + 1)
    else:
        who = replace(who, lieutenant_out=True)
    state = state.with_seat(seat, who)
    return does(state, seat, say(f"transgalactica.do.place.{worker}", where=where))


def mobilise(state: TransState, seat: int, n: int, why: Because) -> TransState:
    """Mobilise crew from the capsules, as far as there is any (rule 176)."""
    who = state.seats[seat]
    n = min(n, who.capsules)
    if not n:
        return state
    state = change(state, seat, crew=who.crew + n, capsules=who.capsules - n)
    return does(state, seat, count("transgalactica.do.mobilise", n, because=why))


def crew_gone(state: TransState, seat: int, where: Text) -> TransState:
    """Remove a mobilised crew member for a wild planet; if agreed, it returns to a capsule (rule 86)."""
    who = state.seats[seat]
    if state.choices.get("wild") == "capsules":
        state = change(state, seat, crew=who.crew - 1, capsules=who.capsules + 1)
        return does(state, seat, count("transgalactica.do.capsule", 1))
    state = change(state, seat, crew=who.crew - 1, gone=who.gone + 1)
    return does(state, seat, say("transgalactica.do.discard-crew", where=where))


def recall(state: TransState, seat: int, spaces: int) -> TransState:
    """Workers outside the senate return; crew without a free space goes to a capsule (rules 177, 183)."""
    who = state.seats[seat]
    crew = who.crew + who.crew_out
    surplus = max(0, crew + who.lieutenant - spaces)
    surplus = min(surplus, crew)
    back = replace(
        who,
        captains_out=0,
        crew=crew - surplus,
        crew_out=0,
        capsules=who.capsules + surplus,
        lieutenant_out=False,
    )
    placed = who.captains_out or who.crew_out or who.lieutenant_out
    state = state.with_seat(seat, back)
    deeds = [say("transgalactica.do.recall")] if placed else []
    if surplus:
        deeds.append(count("transgalactica.do.capsule", surplus))
    return does(state, seat, *deeds, usual=not surplus) if deeds else state


def round_over(seat: Seat) -> Seat:
    """The fleet with the values of the round reset."""
    return replace(seat, used=(), raised=(), override=False)


# Outposts, ships, tokens and cards


def outpost(state: TransState, seat: int, planet: str, slot: int | None) -> TransState:
    """Move an outpost from the panel to the map."""
    who = state.seats[seat]
    state = change(state, seat, outposts=(*who.outposts, Outpost(planet, slot)))
    return does(state, seat, say("transgalactica.do.outpost", planet=state.name(planet)))


def ship(state: TransState, seat: int, n: int, space: str) -> TransState:
    """Move a ship to another space."""
    who = state.seats[seat]
    ships = (*who.ships[:n], space, *who.ships[n + 1 :])
    state = change(state, seat, ships=ships)
    return does(state, seat, say("transgalactica.do.ship", planet=place_name(state, space)), usual=True)


def place_name(state: TransState, space: str) -> Text:
    """The name of a space of the map: that of the planet there."""
    planet = state.planets.get(space)
    return state.name(planet) if planet else say("transgalactica.empty-space", space=space)


def bonus_token(state: TransState, seat: int, token: str) -> TransState:
    """Put a bonus token face up before a seat."""
    who = state.seats[seat]
    state = change(state, seat, tokens=(*who.tokens, Held(token)))
    return does(state, seat, say("transgalactica.do.token", token=state.name(token)))
