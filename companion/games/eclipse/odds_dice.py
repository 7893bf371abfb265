"""Fleets for the odds, and what their dice can score.

Dice that damage alike and hit the same types of ships are alike, so a roll is told by how many dice of each kind hit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from math import comb, prod

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

SIZES = {"int": 1, "sba": 2, "cru": 3, "dre": 4, "npc": 5}
"""Types of ships and how large they are, for the dice of the ancients. The rulebook does not place the starbase."""

DAMAGE = (1, 2, 4)
"""What a yellow, an orange and a red die do."""

MANY_ROLLS = 20_000


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

    More hits of a kind than `enough` are counted as just enough.
    """

    def __init__(self, hits: Hits, faces: Mapping[Kind, int], enough: tuple[int, ...]) -> None:
        self.kinds = tuple(faces)
        chances = [self._chances(hits, n, list(faces.values()), enough) for n in range(hits.ships + 1)]
        rolls = sorted(chances[-1])
        index = {roll: n for n, roll in enumerate(rolls)}
        self.rolls: Ints = np.array(rolls, dtype=np.intp).reshape(len(rolls), len(faces))
        self.chance: Floats = np.zeros((hits.ships + 1, len(rolls)))
        for n, chance in enumerate(chances):
            for roll, p in chance.items():
                self.chance[n, index[roll]] = p

    def _chances(
        self, hits: Hits, ships: int, faces: list[int], enough: tuple[int, ...]
    ) -> dict[tuple[int, ...], float]:
        places, parts = [], []
        for damage, dice in hits.dice.items():
            kinds = [n for n, kind in enumerate(self.kinds) if kind.damage == damage]
            part: dict[tuple[int, ...], float] = {}
            for counts, p in multinomial(ships * dice, [faces[kind] for kind in kinds]):
                capped = tuple(min(n, enough[kind]) for n, kind in zip(counts, kinds, strict=True))
                part[capped] = part.get(capped, 0.0) + p
            places += kinds
            parts.append(part)
        if prod(map(len, parts)) > MANY_ROLLS:
            raise TooLarge
        order = np.argsort(places)
        found = {}
        for ways in product(*(part.items() for part in parts)):
            roll = tuple(n for counts, _ in ways for n in counts)
            found[tuple(roll[n] for n in order)] = prod(p for _, p in ways)
        return found


def multinomial(dice: int, faces: list[int], sixes: int = 6) -> Iterator[tuple[tuple[int, ...], float]]:
    """How often each count of hits comes up with so many dice, a hit of each kind having so many faces of six."""
    if not faces:
        yield (), 1.0
        return
    for n in range(dice + 1):
        p = comb(dice, n) * faces[0] ** n * (sixes - faces[0]) ** (dice - n) / sixes**dice
        for counts, q in multinomial(dice - n, faces[1:], sixes - faces[0]):
            yield (n, *counts), p * q
