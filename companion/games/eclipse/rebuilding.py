"""Whether ships that are being rebuilt can still be finished (p. 13): only the final result must be legal.

Tiles are taken and put back in any order, so a ship may lack energy or a drive for a while. No offered option
may lead to a dead end: this module finds the fewest parts that would finish a ship, if putting tiles back is
free. Tiles just taken count as fixed; otherwise every ship could be finished by putting them back at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from companion.games.eclipse.component_types import Blueprint, Ship, ancient_parts, parts
from companion.games.eclipse.species import covered, measure, sound

Way = tuple[int, frozenset[str]]
"""The number of parts taken, and the Ancient ones among them, of which there is one each."""


class Workshop(Struct, frozen=True):
    """What a seat may build with: unlimited parts, Ancient parts kept aside, and whether Ancient parts may be
    discarded."""

    supply: tuple[str, ...]
    spare: frozenset[str] = frozenset()
    gives_up: bool = False

    def removable(self, tile: str) -> bool:
        """Whether a tile may be put back; Ancient parts may only be replaced, except by later rulings."""
        return bool(tile) and (self.gives_up or tile not in ancient_parts())


class Draft(Struct, frozen=True):
    """One ship with its current blueprint."""

    ship: Ship
    plan: Blueprint
    tiles: tuple[str, ...]
    fixed: frozenset[int] = frozenset()
    """Squares whose tiles were just taken."""

    @property
    def sound(self) -> bool:
        """Whether the ship is legal as it is."""
        return sound(self.ship, measure(self.plan, covered(self.plan, self.tiles)))

    def with_part(self, slot: int, part: str) -> Draft:
        """The same with a newly taken part on one square."""
        tiles = (*self.tiles[:slot], part, *self.tiles[slot + 1 :])
        return Draft(self.ship, self.plan, tiles, self.fixed | {slot})

    def without(self, slot: int) -> Draft:
        """The same with the tile put back from one square."""
        tiles = (*self.tiles[:slot], "", *self.tiles[slot + 1 :])
        return Draft(self.ship, self.plan, tiles, self.fixed)


def can_finish(drafts: list[Draft], workshop: Workshop, left: int) -> bool:
    """Whether all these ships can be made legal by taking at most `left` parts and putting back any number of
    tiles."""
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
    """The fewest parts (at most `most`) that make a ship legal, for each choice of Ancient parts."""
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
    """The parts that finish a ship fastest: those that give the most energy, and the drive that needs the least."""
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
