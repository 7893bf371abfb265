"""Functions that move pieces and report it in the news: every credit, chip, colonist, cube and tile moves
through here.

Bots follow exactly these sentences, so a step must move pieces only with these functions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec.structs import replace

from companion.core.words import Text, count, say
from companion.games.frontiers.component_types import Tile
from companion.games.frontiers.powers import Gain, Gainful, given
from companion.games.frontiers.state import Colony, FrontiersState
from scoring.frontiers import Kind

Because = tuple[Text, ...]
"""The parts that add up to a number: at least one."""


def because(tile: Tile, n: int) -> Text:
    """A tile's part of a number, such as "Space Marines +2"."""
    return say("frontiers.part.tile", name=tile.called, n=f"{n:+d}".replace("-", "\N{MINUS SIGN}"))


def does(state: FrontiersState, seat: int, *deeds: Text, usual: bool = False) -> FrontiersState:
    """News that tells a seat what to do; `usual` marks what every player does anyway."""
    return state.tell(say("frontiers.does", deeds=deeds), seat, kind="hands", usual=usual)


def gain(
    state: FrontiersState,
    seat: int,
    what: Gain,
    n: int,
    why: Because,
    *,
    usual: bool = False,
    after: tuple[Text, ...] = (),
) -> FrontiersState:
    """A seat takes credits, points or colonists; colonists only as many as the supply has (p. 7).

    The deeds `after` which the seat takes them are reported in the same line.
    """
    who = state.seats[seat]
    if what == "colonists":
        n = min(n, state.supply)
        who = replace(who, colonists=who.colonists + n)
    elif what == "credits":
        who = replace(who, credits=who.credits + n)
    else:
        who = replace(who, chips=who.chips + n)
    if n <= 0:
        return state
    before = state.pool
    state = state.with_seat(seat, who)
    state = does(state, seat, *after, count(f"frontiers.take.{what}", n, because=why), usual=usual)
    if what == "points" and before > 0 >= state.pool:
        state = end(state, "points")
    return state


def gain_from(state: FrontiersState, seat: int, tile: Tile, power: Gainful, times: int = 1) -> FrontiersState:
    """Everything one power of a tile gives, `times` times."""
    for what, n in given(power):
        state = gain(state, seat, what, n * times, (because(tile, n * times),))
    return state


def pay(state: FrontiersState, seat: int, n: int, why: Because) -> FrontiersState:
    """Credits paid to the bank."""
    if not n:
        return state
    who = state.seats[seat]
    state = state.with_seat(seat, replace(who, credits=who.credits - n))
    return does(state, seat, count("frontiers.pay", n, because=why), usual=True)


def put_good(state: FrontiersState, seat: int, tile: str, kind: Kind) -> FrontiersState:
    """Put a cube of this kind on an empty colony, if the box has one left."""
    return put_goods(state, seat, ((tile, kind),))


def put_goods(
    state: FrontiersState, seat: int, goods: Iterable[tuple[str, Kind]], *, usual: bool = False
) -> FrontiersState:
    """Put cubes on empty colonies, as far as the box has any left; reported as one deed."""
    deeds = []
    for tile, kind in goods:
        colony = state.seats[seat].colony(tile)
        if colony is None or colony.good is not None or state.cubes()[kind] <= 0:
            continue
        state = state.with_seat(seat, state.seats[seat].with_colony(replace(colony, good=kind)))
        good = say(f"frontiers.good.{kind}")
        deeds.append(say("frontiers.put-good", good=good, world=state.name(tile)))
    return does(state, seat, *deeds, usual=usual) if deeds else state


def remove_goods(state: FrontiersState, seat: int, tiles: Iterable[str]) -> FrontiersState:
    """Return the cubes of these colonies to the box, without news: the caller reports what they were spent on."""
    who = state.seats[seat]
    for tile in tiles:
        colony = who.colony(tile)
        assert colony is not None
        who = who.with_colony(replace(colony, good=None))
    return state.with_seat(seat, who)


def add_colony(state: FrontiersState, seat: int, tile: str, colonists: int) -> FrontiersState:
    """An explored world becomes a colony: its colonists come from the mat (p. 6)."""
    who = state.seats[seat]
    who = replace(
        who,
        explored=tuple(id for id in who.explored if id != tile),
        colonies=(*who.colonies, Colony(tile, colonists=colonists)),
        colonists=who.colonists - colonists,
        fresh=(*who.fresh, tile),
    )
    state = state.with_seat(seat, who)
    return does(state, seat, count("frontiers.settle", colonists, world=state.name(tile)))


def explore(state: FrontiersState, seat: int, tile: str) -> FrontiersState:
    """A world from the table or the bag joins the explored ones."""
    who = state.seats[seat]
    return state.with_seat(seat, replace(who, explored=(*who.explored, tile)))


def end(
    state: FrontiersState, why: Literal["points", "colonies", "colonists", "developments"]
) -> FrontiersState:
    """Record a condition that ends the play after this round; once met, it stays met (p. 9)."""
    if why in state.ending:
        return state
    state = replace(state, ending=(*state.ending, why))
    return state.tell(say(f"frontiers.ending.{why}"))
