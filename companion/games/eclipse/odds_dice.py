"""Fleets for the odds: damage a fleet can be in, and what the dice of one type of ship can do to it.

Ships of one type are alike, so a fleet is described by the hit points its living ships have left, sorted within each
type. Dice that damage alike and hit the same types are alike too, so a roll is told by how many dice of each kind hit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from math import comb

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

SIZES = {"int": 1, "sba": 2, "cru": 3, "dre": 4, "npc": 5}
"""Types of ships and how large they are, for the dice of the ancients. The rulebook does not place the starbase."""

DAMAGE = (1, 2, 4)
"""What a yellow, an orange and a red die do."""

MANY_HULLS, MANY_ROLLS = 30_000, 10_000


class TooLarge(Exception):
    """There are more positions or rolls than can be counted in good time."""


Ints = NDArray[np.intp]
Floats = NDArray[np.float64]

Hull = tuple[tuple[int, ...], ...]
"""Hit points left, ship by ship, the weakest first, of each group of a fleet; destroyed ships are left out."""


class Group(Struct, frozen=True):
    """Ships of one type in a battle, all alike."""

    type: str
    n: int
    init: int
    hull: int
    comp: int
    shield: int
    cannons: tuple[int, ...] = (0, 0, 0)
    missiles: tuple[int, ...] = (0, 0, 0)

    @property
    def ruled(self) -> bool:
        """Whether the rulebook, not a player, says where these dice go."""
        return self.type == "npc"


Fleet = tuple[Group, ...]


def hits(face: int, computer: int, shield: int) -> bool:
    """Whether a die hits (page 19): a 6 always, a 1 never, else with the computer and against the shield."""
    return face == 6 or (face != 1 and face + computer - shield >= 6)


class Kind(Struct, frozen=True):
    """Dice that hit alike: what they do, and to which groups of the other fleet."""

    damage: int
    groups: frozenset[int]


class Space:
    """Every damage a fleet can be in, the least that is left first."""

    def __init__(self, hulls: Iterable[Hull]) -> None:
        # Among equals those with the most different targets come first, so that `place` can leave out the others.
        self.hulls = sorted(
            set(hulls), key=lambda h: (sum(map(sum, h)), -sum(len(set(ships)) for ships in h), h)
        )
        self.index = {hull: n for n, hull in enumerate(self.hulls)}
        self.left = np.array([sum(map(sum, hull)) for hull in self.hulls], dtype=np.intp)
        self.alive = np.array([[len(ships) for ships in hull] for hull in self.hulls], dtype=np.intp)
        self.levels = [
            (int(low), int(high))
            for low, high in zip(
                np.searchsorted(self.left, np.unique(self.left), "left"),
                np.searchsorted(self.left, np.unique(self.left), "right"),
                strict=True,
            )
        ]

    def __len__(self) -> int:
        return len(self.hulls)


def whole(fleet: Fleet, unit: int) -> Hull:
    """An undamaged fleet, its hit points counted in dice of so much damage."""
    return tuple((-(-(group.hull + 1) // unit),) * group.n for group in fleet)


def in_units(hull: Hull, unit: int) -> Hull:
    """The same fleet with its hit points counted in dice of so much damage."""
    return tuple(tuple(-(-left // unit) for left in ships) for ships in hull)


@lru_cache(maxsize=10_000)
def struck(ships: tuple[int, ...], damage: int, alike: bool) -> tuple[tuple[int, ...], ...]:
    """Ships of one type after one die hit one of them, for each of them that is worth it: of those the die destroys
    only the one that has the most left."""
    doomed = sum(left <= damage for left in ships)
    aims = range(min(len(ships), 1)) if alike else range(max(doomed - 1, 0), len(ships))
    found: dict[tuple[int, ...], None] = {}
    for ship in aims:
        left = ships[ship] - damage
        rest = ships[:ship] + ships[ship + 1 :]
        found[tuple(sorted((left, *rest))) if left > 0 else rest] = None
    return tuple(found)


class Targets:
    """Where the dice of one type of ship may go.

    `alike` says that all dice still to come do the same damage. Then damage is best gathered on the ship of a type
    that has the least left: whatever else a player does, each ship of the type dies no later that way.
    """

    def __init__(self, fleet: Fleet, kinds: tuple[Kind, ...], alike: bool) -> None:
        self.kinds = kinds
        self.alike = alike
        largest = sorted(range(len(fleet)), key=lambda group: (-SIZES[fleet[group].type], group))
        self.largest = largest
        self._sizes = sorted({SIZES[group.type] for group in fleet}, reverse=True)
        self._of_size = [[n for n, g in enumerate(fleet) if SIZES[g.type] == size] for size in self._sizes]
        self.one = cache(self._one)
        self.after = cache(self._after)

    def _one(self, hull: Hull, kind: int) -> list[Hull]:
        """The fleet after one die of this kind, for each way to place it; the largest target first."""
        die = self.kinds[kind]
        return [
            (*hull[:group], ships, *hull[group + 1 :])
            for group in self.largest
            if group in die.groups
            for ships in struck(hull[group], die.damage, self.alike)
        ]

    def _after(self, hull: Hull, roll: tuple[int, ...]) -> frozenset[Hull]:
        """The fleet after all these dice, for each way to place them."""
        kind = next((n for n, dice in enumerate(roll) if dice), None)
        if kind is None:
            return frozenset((hull,))
        rest = (*roll[:kind], roll[kind] - 1, *roll[kind + 1 :])
        ways = self.one(hull, kind) or [hull]
        return frozenset().union(*(self.after(way, rest) for way in ways))

    def ruled(self, hull: Hull, roll: tuple[int, ...]) -> Hull:
        """Where dice nobody decides about go (page 19): they destroy the largest ships they can, then do as much
        damage as possible; among equal ways they go for the larger ship, and for the one with the least left."""

        def worth(way: Hull) -> tuple[object, ...]:
            alive = [sum(len(way[group]) for group in groups) for groups in self._of_size]
            left = [sum(sum(way[group]) for group in groups) for groups in self._of_size]
            return (alive, sum(left), left, [way[group] for group in self.largest])

        return min(self.after(hull, roll), key=worth)


def kinds_of(shooter: Group, dice: tuple[int, ...], fleet: Fleet) -> dict[Kind, int]:
    """The kinds of hits these dice can score, and on how many faces of six."""
    faces: dict[Kind, int] = {}
    for damage, number in zip(DAMAGE, dice, strict=True):
        for face in range(1, 7) if number else ():
            hit = frozenset(n for n, target in enumerate(fleet) if hits(face, shooter.comp, target.shield))
            if hit:
                kind = Kind(damage, hit)
                faces[kind] = faces.get(kind, 0) + 1
    # The dice that can hit the fewest are placed first; it makes no difference to what can be reached.
    return dict(sorted(faces.items(), key=lambda item: (len(item[0].groups), -item[0].damage)))


class Rolls:
    """How many dice of each kind hit, for every number of ships that may shoot.

    More hits of a kind than it takes to destroy everything it can hit are counted as just enough.
    """

    def __init__(self, shooter: Group, dice: tuple[int, ...], fleet: Fleet, start: Hull, unit: int) -> None:
        faces = kinds_of(shooter, dice, fleet)
        self.kinds = tuple(Kind(-(-kind.damage // unit), kind.groups) for kind in faces)
        of_colour = [[n for n, kind in enumerate(faces) if kind.damage == damage] for damage in DAMAGE]
        enough = [
            sum(-(-left // kind.damage) for group in kind.groups for left in start[group])
            for kind in self.kinds
        ]
        chances = [
            self._chances([(of_colour[c], n * dice[c]) for c in range(3)], list(faces.values()), enough)
            for n in range(shooter.n + 1)
        ]
        self.rolls = sorted(chances[-1], key=lambda roll: (sum(roll), roll))
        index = {roll: n for n, roll in enumerate(self.rolls)}
        self.chance: Floats = np.zeros((shooter.n + 1, len(self.rolls)))
        for n, chance in enumerate(chances):
            for roll, p in chance.items():
                self.chance[n, index[roll]] = p
        # Every roll but the first is one die more than another: that die's kind, and the other roll.
        self.first = [next((k for k, n in enumerate(roll) if n), 0) for roll in self.rolls]
        self.rest = [
            index[(*roll[:k], roll[k] - 1, *roll[k + 1 :])] if any(roll) else 0
            for roll, k in zip(self.rolls, self.first, strict=True)
        ]

    @staticmethod
    def _chances(
        colours: list[tuple[list[int], int]], faces: list[int], enough: list[int]
    ) -> dict[tuple[int, ...], float]:
        chances: dict[tuple[int, ...], float] = {(0,) * len(faces): 1.0}
        for kinds, dice in colours:
            grown: dict[tuple[int, ...], float] = {}
            for so_far, p in chances.items():
                for counts, q in _multinomial(dice, [faces[kind] for kind in kinds]):
                    roll = list(so_far)
                    for kind, n in zip(kinds, counts, strict=True):
                        roll[kind] = min(n, enough[kind])
                    grown[tuple(roll)] = grown.get(tuple(roll), 0.0) + p * q
                if len(grown) > MANY_ROLLS:
                    raise TooLarge
            chances = grown
        return chances


def _multinomial(dice: int, faces: list[int], sixes: int = 6) -> Iterator[tuple[tuple[int, ...], float]]:
    """How often each count of hits comes up with so many dice, a hit of each kind having so many faces of six."""
    if not faces:
        yield (), 1.0
        return
    for n in range(dice + 1):
        p = comb(dice, n) * faces[0] ** n * (sixes - faces[0]) ** (dice - n) / sixes**dice
        for counts, q in _multinomial(dice - n, faces[1:], sixes - faces[0]):
            yield (n, *counts), p * q


def closure(
    start: Iterable[Hull], ways: Callable[[Hull], Iterable[Hull]], most: int = MANY_HULLS
) -> list[Hull]:
    """Everything that can be reached; raises `TooLarge` if that is more than `most`."""
    found = dict.fromkeys(start)
    waiting = list(found)
    while waiting:
        for hull in ways(waiting.pop()):
            if hull not in found:
                found[hull] = None
                waiting.append(hull)
        if len(found) > most:
            raise TooLarge
    return list(found)
