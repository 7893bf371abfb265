"""Checks for impossible tables of New Frontiers that do not depend on printed facts."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from companion.core.positions import quoted
from companion.core.table_files import out_of_bounds
from companion.core.words import Text, plain, say
from companion.games.frontiers.component_types import (
    CUBES,
    NAMED_PAIRS,
    Development,
    Home,
    Tile,
    World,
    ids,
    stacks,
)
from companion.games.frontiers.state import MOST_WORLDS, PER_SEAT, SPACES
from scoring.frontiers import KINDS, Goal

if TYPE_CHECKING:
    from companion.games.frontiers.position import Seat, Table

TENS = 80
"""Points on the ten-point chips, which are used when the pool is empty (p. 1, 8)."""
MOST_SEATS = 5
CHIPS, COLONISTS = PER_SEAT * MOST_SEATS + TENS, PER_SEAT * MOST_SEATS
CREDITS = 999
WORTH = 99

STORED: dict[str, Goal] = {
    "stored_worlds": "exploration",
    "stored_goods": "resource-stockpile",
    "stored_credits": "sales-tax",
}
"""The fields of a stockpile mat, and the goal each belongs to (p. 11)."""


def seat_problems(where: str, seat: Seat, table: Table) -> Iterator[Text]:
    """Problems of one empire."""
    for wrong in out_of_bounds(seat):
        yield say("frontiers.position.number", seat=where, field=wrong.field, n=wrong.n, most=wrong.most)
    for field, goal in STORED.items():
        if getattr(seat, field) > 0 and goal not in table.goals:
            yield say("frontiers.position.stored", seat=where, field=field, goal=goal)
    empire = table.empire(seat)
    yield from _colony_problems(where, seat, empire)
    yield from _space_problems(where, empire)
    yield from _goods_problems(where, seat, empire)


def _colony_problems(where: str, seat: Seat, empire: Sequence[Tile]) -> Iterator[Text]:
    colonies = [tile for tile in empire if isinstance(tile, World)]
    homes = tuple(tile.called for tile in colonies if isinstance(tile, Home))
    if len(homes) > 1:
        yield say("frontiers.position.homes", seat=where, homes=homes)
    if homes and seat.home_replaced:
        yield say("frontiers.position.home-there", seat=where, home=homes[0])
    # A misspelt home is one problem, not two.
    if not homes and not seat.home_replaced and len(empire) == len(set(seat.empire)):
        yield say("frontiers.position.no-home", seat=where)
    if len(colonies) > MOST_WORLDS:
        yield say("frontiers.position.colonies", seat=where, n=len(colonies), most=MOST_WORLDS)


def _space_problems(where: str, empire: Sequence[Tile]) -> Iterator[Text]:
    """A seat that has covered ten spaces gets one more round with one purchase, and a large tile covers two
    (p. 4)."""
    developments = [tile for tile in empire if isinstance(tile, Development)]
    covered = sum(tile.size for tile in developments)
    most = SPACES + (2 if any(tile.large for tile in developments) else 1)
    if covered > most:
        yield say("frontiers.position.spaces", seat=where, n=covered, most=most)


def good_of(word: str) -> tuple[str, str]:
    """The colony of a good, and its kind if the word names one."""
    id, _, kind = word.partition(":")
    return id, kind


def _goods_problems(where: str, seat: Seat, empire: Sequence[Tile]) -> Iterator[Text]:
    own = {tile.id: tile for tile in empire if isinstance(tile, World)}
    for id, times in Tally(good_of(word)[0] for word in seat.goods).items():
        if id not in own:
            yield say("frontiers.position.good-elsewhere", seat=where, id=quoted(id))
        elif times > 1:
            yield say("frontiers.position.two-goods", seat=where, tile=own[id].called)
    for word in dict.fromkeys(seat.goods):
        id, kind = good_of(word)
        if kind and kind not in KINDS:
            known = tuple(map(plain, KINDS))
            yield say("frontiers.position.no-kind", seat=where, kind=quoted(kind), known=known)
        elif id in own and own[id].product and kind not in _holds(own[id]):
            yield say("frontiers.position.other-good", seat=where, tile=own[id].called, good=quoted(word))


def _holds(world: World) -> tuple[str, ...]:
    """Suffixes allowed after a good: none, or its kind; any kind for the refinery's."""
    if world.kind == "any":
        return ("", *KINDS)
    return () if world.kind is None else ("", world.kind)


# Problems across seats


def shared_problems(seats: Sequence[tuple[str, Seat]], table: Table) -> Iterator[Text]:
    """Components the box has too few of for all seats together."""
    empires = [(where, table.empire(seat)) for where, seat in seats]
    yield from _twice_problems(empires)
    yield from _cube_problems([seat for _, seat in seats], table)
    pool = PER_SEAT * len(seats)
    chips = sum(max(0, seat.chips) for _, seat in seats)
    if chips > pool + TENS and all(seat.chips <= CHIPS for _, seat in seats):
        yield say("frontiers.position.chips-in-box", n=chips, most=pool + TENS)
    used = sum(_colonists(empire) for _, empire in empires) + sum(max(0, s.colonists) for _, s in seats)
    if used > pool:
        yield say("frontiers.position.colonists-in-box", n=used, most=pool)
    worlds = sum(isinstance(t, World) and not isinstance(t, Home) for _, empire in empires for t in empire)
    stored = sum(max(0, seat.stored_worlds) for _, seat in seats)
    if worlds + stored > len(ids("worlds")):
        yield say("frontiers.position.worlds-in-bag", n=worlds + stored, most=len(ids("worlds")))


def _colonists(empire: Sequence[Tile]) -> int:
    """The least number of colonists on colonies; one where the number is unknown."""
    return sum(tile.colonists or 1 for tile in empire if isinstance(tile, World))


def _twice_problems(empires: Sequence[tuple[str, Sequence[Tile]]]) -> Iterator[Text]:
    """A tile at more seats than it has copies in play, both faces of one stack (p. 8), or both sides of one mat."""
    owners: dict[str, list[str]] = {}
    mats: dict[int, list[str]] = {}
    for where, empire in empires:
        for tile in empire:
            owners.setdefault(tile.id, []).append(where)
            if isinstance(tile, Home):
                mats.setdefault(tile.mat, []).append(where)
    tiles = {tile.id: tile for _, empire in empires for tile in empire}
    for id, who in owners.items():
        tile = tiles[id]
        most = tile.put_out(len(empires)) if isinstance(tile, Development) else tile.copies
        if len(who) > most and not isinstance(tile, Home):
            who_has = tuple(map(plain, who))
            yield say("frontiers.position.copies", tile=tile.called, seats=who_has, most=most)
    for stack in NAMED_PAIRS:
        both = [tiles[id] for id in stacks()[stack] if id in tiles]
        if len(both) > 1:
            yield say("frontiers.position.both-faces", tiles=tuple(tile.called for tile in both))
    for mat, who in mats.items():
        if len(set(who)) > 1:
            yield say("frontiers.position.one-mat", mat=mat, seats=tuple(map(plain, dict.fromkeys(who))))


def _cube_problems(seats: Sequence[Seat], table: Table) -> Iterator[Text]:
    """Cubes of each kind, as far as their kinds are known, and all of them together (p. 1)."""
    kinds: Tally[str] = Tally()
    for seat in seats:
        for word in dict.fromkeys(seat.goods):
            id, told = good_of(word)
            tile = table.tiles.get(id)
            kinds[told or (tile.kind if tile is not None and tile.kind in CUBES else None) or ""] += 1
    for kind, most in CUBES.items():
        if kinds[kind] > most:
            good = say(f"frontiers.good.{kind}")
            yield say("frontiers.position.cubes-of", good=good, n=kinds[kind], most=most)
    total = sum(kinds.values()) + sum(max(0, seat.stored_goods) for seat in seats)
    if total > sum(CUBES.values()):
        yield say("frontiers.position.cubes", n=total, most=sum(CUBES.values()))
