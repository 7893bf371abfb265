"""Whether ships that are being rebuilt can still be finished (p. 13): only what comes out in the end must be sound.

Tiles are taken and put back in any order, so a ship may lack energy or a drive for a while. What is offered must never
lead to where nothing helps any more: here is found out how few parts would finish a ship, tiles going back for nothing.
What was just taken counts as staying where it is, or everything could be finished by putting that back at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from companion.games.eclipse.species import covered, measure, sound
from companion.games.eclipse.things import Blueprint, Ship, ancient_parts, parts

Way = tuple[int, frozenset[str]]
"""So many parts are taken, these Ancient ones among them, of which there is one each."""


class Workshop(Struct, frozen=True):
    """What a seat may build with: parts without end, Ancient ones kept aside, and whether those may be given up."""

    supply: tuple[str, ...]
    spare: frozenset[str] = frozenset()
    gives_up: bool = False

    def removable(self, tile: str) -> bool:
        """Whether a tile may be put back; Ancient parts are only ever replaced, unless people agreed otherwise."""
        return bool(tile) and (self.gives_up or tile not in ancient_parts())


class Draft(Struct, frozen=True):
    """One ship as its blueprint lies there."""

    ship: Ship
    plan: Blueprint
    tiles: tuple[str, ...]
    fixed: frozenset[int] = frozenset()
    """Squares whose tiles were just taken."""

    @property
    def sound(self) -> bool:
        """Whether the ship may be built so."""
        return sound(self.ship, measure(self.plan, covered(self.plan, self.tiles)))

    def with_part(self, slot: int, part: str) -> Draft:
        """The same with a part that was just taken on one square."""
        tiles = (*self.tiles[:slot], part, *self.tiles[slot + 1 :])
        return Draft(self.ship, self.plan, tiles, self.fixed | {slot})

    def without(self, slot: int) -> Draft:
        """The same with the tile put back from one square."""
        tiles = (*self.tiles[:slot], "", *self.tiles[slot + 1 :])
        return Draft(self.ship, self.plan, tiles, self.fixed)


def can_finish(drafts: list[Draft], workshop: Workshop, left: int) -> bool:
    """Whether all these ships can be made sound by taking so many parts, and putting back any number of them."""
    unsound = [draft for draft in drafts if not draft.sound]
    return left >= 0 and _finished([ways(draft, workshop, left) for draft in unsound], left, frozenset())


def _finished(needed: list[tuple[Way, ...]], left: int, used: frozenset[str]) -> bool:
    if not needed:
        return True
    return any(
        taken <= left and not spare & used and _finished(needed[1:], left - taken, used | spare)
        for taken, spare in needed[0]
    )


@lru_cache(maxsize=10_000)
def ways(draft: Draft, workshop: Workshop, most: int) -> tuple[Way, ...]:
    """How few parts, at most so many, make a ship sound: for each choice of Ancient parts the fewest with them."""
    helpful = [parts()[id] for id in _helpful(draft.ship, workshop)]
    best: dict[tuple[bool, int, frozenset[str]], int] = {(False, 0, frozenset()): draft.plan.energy}
    for slot, (printed, tile) in enumerate(zip(draft.plan.slots, draft.tiles, strict=True)):
        free = slot not in draft.fixed
        stays = [tile or printed, *([printed] if free and workshop.removable(tile) else [])]
        after: dict[tuple[bool, int, frozenset[str]], int] = {}
        for (drive, taken, used), energy in best.items():
            found = [((drive or bool(_movement(id)), taken, used), energy + _energy(id)) for id in stays]
            for part in helpful if free and taken < most else ():
                if part.id not in used:
                    once = used | {part.id} if part.id in workshop.spare else used
                    found.append(
                        ((drive or bool(part.movement), taken + 1, frozenset(once)), energy + part.energy)
                    )
            for key, value in found:
                after[key] = max(value, after.get(key, value))
        best = after
    fewest: dict[frozenset[str], int] = {}
    for (drive, taken, used), energy in best.items():
        if energy >= 0 and drive == (draft.ship != "starbase"):
            fewest[used] = min(taken, fewest.get(used, taken))
    return tuple((taken, used) for used, taken in fewest.items())


def _helpful(ship: Ship, workshop: Workshop) -> Iterator[str]:
    """The parts with which a ship is finished soonest: what gives most energy, the drive that needs least of it."""
    drives = [id for id in workshop.supply if _movement(id)] if ship != "starbase" else []
    others = [id for id in workshop.supply if not _movement(id)]
    for kind in (drives, others):
        if kind:
            best = max(kind, key=_energy)
            yield best
            spare = (id for id in sorted(workshop.spare) if bool(_movement(id)) == (kind is drives))
            yield from (id for id in spare if _energy(id) > _energy(best))


def _energy(id: str) -> int:
    return parts()[id].energy if id else 0


def _movement(id: str) -> int:
    return parts()[id].movement if id else 0
