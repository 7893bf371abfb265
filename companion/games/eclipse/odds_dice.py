"""Fleets in the form the odds use, and the hits their dice can score.

Dice with the same damage that hit the same types of ships are interchangeable, so a roll is described by the
number of hits of each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import accumulate
from math import prod

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

SIZES = {"int": 1, "sba": 2, "cru": 3, "dre": 4, "npc": 5}
"""Ship types and their sizes, for the dice of the ancients. The rulebook does not rank the starbase."""

DAMAGE = (1, 2, 4)
"""The damage of a yellow, an orange and a red die."""

MANY_ROLLS = 20_000
FACES = 6


class TooLarge(Exception):
    """There are too many positions or rolls to compute in acceptable time."""


Breathe = Callable[[], object]
"""Called regularly during long computations; it may raise an exception to cancel."""


def on_and_on() -> None:
    """Never cancel."""


Ints = NDArray[np.intp]
Floats = NDArray[np.float64]

Ships = tuple[int, ...]
"""Hit points left on the ships of one type, the weakest first; destroyed ships are left out."""
Hull = tuple[Ships, ...]
"""The same for each group of a fleet."""


class DiceGroup(Struct, frozen=True):
    """Identical ships of one type in a battle."""

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
        """Whether the rulebook, not a player, places these dice."""
        return self.type == "npc"


Fleet = tuple[DiceGroup, ...]


def whole(fleet: Fleet) -> Hull:
    """An undamaged fleet."""
    return tuple((group.hull + 1,) * group.n for group in fleet)


def in_units(hull: Hull, unit: int) -> Hull:
    """The same fleet with its hit points in units of so much damage, rounded up to whole dice."""
    return tuple(tuple(-(-left // unit) for left in ships) for ships in hull)


def hits(face: int, computer: int, shield: int) -> bool:
    """Whether a die hits (page 19): a 6 always, a 1 never, else with the computer and against the shield."""
    return face == 6 or (face != 1 and face + computer - shield >= 6)


class Kind(Struct, frozen=True):
    """Interchangeable dice: their damage, and which groups of the other fleet they hit."""

    damage: int
    groups: frozenset[int]


class Hits:
    """The kinds of hits one type of ship can score; damage is in multiples of `unit`."""

    def __init__(self, shooter: DiceGroup, dice: tuple[int, ...], fleet: Fleet, unit: int) -> None:
        self.ships = shooter.n
        self.dice = {damage // unit: n for damage, n in zip(DAMAGE, dice, strict=True) if n}
        self.faces: dict[Kind, int] = {}
        for damage in self.dice:
            for face in range(1, 7):
                hit = frozenset(
                    n for n, target in enumerate(fleet) if hits(face, shooter.comp, target.shield)
                )
                if hit:
                    kind = Kind(damage, hit)
                    self.faces[kind] = self.faces.get(kind, 0) + 1

    def among(self, alive: frozenset[int]) -> dict[Kind, int]:
        """The kinds of hits if only these groups are left, and on how many of the six faces each occurs.
        Those that can hit the fewest groups come first; the order of placing dice does not change which
        positions can be reached."""
        faces: dict[Kind, int] = {}
        for kind, n in self.faces.items():
            if kind.groups & alive:
                left = Kind(kind.damage, kind.groups & alive)
                faces[left] = faces.get(left, 0) + n
        return dict(sorted(faces.items(), key=lambda item: (len(item[0].groups), -item[0].damage)))


class Rolls:
    """How many dice of each kind hit, with the probability for every number of ships that may shoot.

    More hits of a kind than `enough` count as `enough`. Raises `TooLarge` if there are too many rolls.
    """

    def __init__(
        self, hits: Hits, faces: Mapping[Kind, int], enough: tuple[int, ...], breathe: Breathe = on_and_on
    ) -> None:
        self.kinds = tuple(faces)
        of = [[n for n, kind in enumerate(self.kinds) if kind.damage == damage] for damage in hits.dice]
        dice = [hits.ships * each for each in hits.dice.values()]
        many = prod(different(n, [enough[kind] for kind in kinds]) for n, kinds in zip(dice, of, strict=True))
        if many > MANY_ROLLS:
            raise TooLarge
        self.rolls: Ints = np.zeros((1, len(faces)), dtype=np.intp)
        self.chance: Floats = np.ones((hits.ships + 1, 1))
        for each, kinds in zip(hits.dice.values(), of, strict=True):
            if kinds:
                shares = [list(faces.values())[kind] / FACES for kind in kinds]
                self._with(
                    kinds, *counted(hits.ships, each, shares, [enough[kind] for kind in kinds], breathe)
                )
        order = np.lexsort(self.rolls.T[::-1]) if len(faces) else np.zeros(1, dtype=np.intp)
        self.rolls, self.chance = self.rolls[order], self.chance[:, order]

    def _with(self, kinds: list[int], counts: Ints, chance: Floats) -> None:
        """Combine every roll so far with each of these."""
        before, many = len(self.rolls), len(counts)
        self.rolls = np.repeat(self.rolls, many, axis=0)
        self.rolls[:, kinds] = np.tile(counts, (before, 1))
        self.chance = np.repeat(self.chance, many, axis=1) * np.tile(chance, before)


def different(dice: int, enough: list[int]) -> int:
    """The number of different hit counts with so many dice, if hits above `enough` of a kind count as `enough`."""
    ways = [1] + [0] * dice
    for most in enough:
        sums = [0, *accumulate(ways)]
        ways = [sums[n + 1] - sums[max(0, n - most)] for n in range(dice + 1)]
    return sum(ways)


def counted(
    ships: int, dice: int, shares: list[float], enough: list[int], breathe: Breathe = on_and_on
) -> tuple[Ints, Floats]:
    """The hit counts that up to `ships` ships with `dice` dice each can score, and their probability for
    every number of ships; `shares` is the probability of each kind of hit per die. Dice are added one by one,
    since they are interchangeable."""
    chance = np.zeros([most + 1 for most in enough])
    chance[(0,) * len(enough)] = 1.0
    counts = np.argwhere(np.indices(chance.shape).sum(axis=0) <= ships * dice)
    found = [chance[tuple(counts.T)]]
    for die in range(ships * dice):
        breathe()
        after = chance * (1 - sum(shares))
        for kind, share in enumerate(shares):
            onto, hit = np.moveaxis(after, kind, 0), share * np.moveaxis(chance, kind, 0)
            onto[1:] += hit[:-1]
            onto[-1] += hit[-1]
        chance = after
        if (die + 1) % dice == 0:
            found.append(chance[tuple(counts.T)])
    return counts, np.array(found)
