"""Fleets for the odds, and what their dice can score.

Dice that damage alike and hit the same types of ships are alike, so a roll is told by how many dice of each kind hit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import accumulate
from math import prod

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

SIZES = {"int": 1, "sba": 2, "cru": 3, "dre": 4, "npc": 5}
"""Types of ships and how large they are, for the dice of the ancients. The rulebook does not place the starbase."""

DAMAGE = (1, 2, 4)
"""What a yellow, an orange and a red die do."""

MANY_ROLLS = 20_000
FACES = 6


class TooLarge(Exception):
    """There are more positions or rolls than can be counted in good time."""


Breathe = Callable[[], object]
"""Called now and then while there is much to count, so that whoever waits can give up: by raising something."""


def on_and_on() -> None:
    """Never give up."""


Ints = NDArray[np.intp]
Floats = NDArray[np.float64]

Ships = tuple[int, ...]
"""Hit points left on the ships of one type, the weakest first; destroyed ships are left out."""
Hull = tuple[Ships, ...]
"""The same for each group of a fleet."""


class DiceGroup(Struct, frozen=True):
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


Fleet = tuple[DiceGroup, ...]


def whole(fleet: Fleet) -> Hull:
    """An undamaged fleet."""
    return tuple((group.hull + 1,) * group.n for group in fleet)


def in_units(hull: Hull, unit: int) -> Hull:
    """The same fleet with its hit points counted in dice of so much damage."""
    return tuple(tuple(-(-left // unit) for left in ships) for ships in hull)


def hits(face: int, computer: int, shield: int) -> bool:
    """Whether a die hits (page 19): a 6 always, a 1 never, else with the computer and against the shield."""
    return face == 6 or (face != 1 and face + computer - shield >= 6)


class Kind(Struct, frozen=True):
    """Dice that hit alike: what they do, and to which groups of the other fleet."""

    damage: int
    groups: frozenset[int]


class Hits:
    """The kinds of hits one type of ship can score, dice being counted in `unit`s of damage."""

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
        """The kinds of hits if only these groups are left, and on how many faces of six. Those that can hit the fewest
        come first; the order in which dice are placed makes no difference to what can be reached."""
        faces: dict[Kind, int] = {}
        for kind, n in self.faces.items():
            if kind.groups & alive:
                left = Kind(kind.damage, kind.groups & alive)
                faces[left] = faces.get(left, 0) + n
        return dict(sorted(faces.items(), key=lambda item: (len(item[0].groups), -item[0].damage)))


class Rolls:
    """How many dice of each kind hit, and how likely that is for every number of ships that may shoot.

    More hits of a kind than `enough` are counted as just enough. Raises `TooLarge` if there are too many.
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
        """Every roll so far together with each of these."""
        before, many = len(self.rolls), len(counts)
        self.rolls = np.repeat(self.rolls, many, axis=0)
        self.rolls[:, kinds] = np.tile(counts, (before, 1))
        self.chance = np.repeat(self.chance, many, axis=1) * np.tile(chance, before)


def different(dice: int, enough: list[int]) -> int:
    """How many counts of hits there are with so many dice, if more than enough of a kind are just enough."""
    ways = [1] + [0] * dice
    for most in enough:
        sums = [0, *accumulate(ways)]
        ways = [sums[n + 1] - sums[max(0, n - most)] for n in range(dice + 1)]
    return sum(ways)


def counted(
    ships: int, dice: int, shares: list[float], enough: list[int], breathe: Breathe = on_and_on
) -> tuple[Ints, Floats]:
    """The counts of hits that many ships with so many dice each can score, and how likely each is for every number of
    ships, if a die scores a hit of each kind this often. One die after another, so that none need be told apart."""
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
