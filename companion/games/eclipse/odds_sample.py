"""Estimated odds of a battle that has too many positions to solve exactly: simulated battles with a fixed seed.

The order of shooting and the hits are as in the exact odds. Placing dice is simpler: a side ranks the other
side's types of ships, and each die of a volley destroys the first ship in that order that it can, or else
hits the ship closest to destruction, weighted by its rank. Each side takes the ranking that wins most often
against the other's, tried in turns. Ancients and the defence system shoot at the largest ship (page 19).
"""

from __future__ import annotations

from itertools import islice, permutations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.games.eclipse.odds_dice import DAMAGE, FACES, SIZES, Fleet, Floats, Hull, Ints, hits

BATTLES, FEWEST = 4_000, 200
"""The number of battles; fewer for very many ships and dice, but at least `FEWEST`."""
WORK = 10_000_000
"""The limit on battles times ships times dice."""
TRIED = 10
"""To compare two rankings, only one battle in this many is fought."""
MOST_ORDERS = 8
"""How many rankings are tried: all for three types, some for four."""
TURNS = 2
"""How often each side may change its ranking."""
SEED = 7
ATTACKER, DEFENDER = 0, 1
NEXT = 3.0
"""How many times more a type is worth than the next in the ranking."""

Flags = NDArray[np.bool_]
Ranking = tuple[bool, tuple[float, ...]]
"""Whether damage beyond a ship's last hit point is avoided, and the value of each of the enemy's ship types."""


class Sample(Struct, frozen=True):
    """Which battles the attacker won, which ended in a stalemate, and the ships of each group left in every
    battle."""

    attacker_wins: Flags
    stalemates: Flags
    left: tuple[Ints, Ints]


class Side:
    """One side of all battles at once: hit points of every ship, one row per battle."""

    def __init__(self, fleet: Fleet, hull: Hull, aims: Ranking, battles: int) -> None:
        self.fleet, self.thrifty, self.aims = fleet, aims[0], np.array(aims[1])
        self.group: Ints = np.repeat(np.arange(len(fleet)), [len(ships) for ships in hull])
        self.hp: Ints = np.tile(np.array([hp for ships in hull for hp in ships], dtype=np.intp), (battles, 1))
        self._armed = np.array([any(group.cannons) for group in fleet])[self.group]

    def alive(self) -> Flags:
        """Whether any ship is left, by battle."""
        return np.asarray((self.hp > 0).any(axis=1))

    def armed(self) -> Flags:
        """Whether a ship with cannons is left, by battle."""
        return np.asarray((self.hp[:, self._armed] > 0).any(axis=1))

    def ships(self, group: int) -> Ints:
        """How many ships of a group are left, by battle."""
        return np.asarray((self.hp[:, self.group == group] > 0).sum(axis=1))


def sample(fleets: tuple[Fleet, Fleet], hulls: tuple[Hull, Hull]) -> Sample:
    """Simulate battles between these fleets, with these hit points left on each ship."""
    ships = sum(group.n for fleet in fleets for group in fleet)
    dice = sum(group.n * sum(group.cannons + group.missiles) for fleet in fleets for group in fleet)
    battles = max(FEWEST, min(BATTLES, WORK // max(1, ships * dice)))
    aims = [_rankings(fleets, side)[0] for side in (ATTACKER, DEFENDER)]
    for turn in range(2 * TURNS):
        side = turn % 2
        wins = {}
        for ranking in _rankings(fleets, side):
            tried = (ranking, aims[DEFENDER]) if side == ATTACKER else (aims[ATTACKER], ranking)
            won = fight(fleets, hulls, tried, battles // TRIED, SEED + 1).attacker_wins.sum()
            wins[ranking] = won if side == ATTACKER else -won
        aims[side] = max(wins, key=lambda ranking: wins[ranking])
    return fight(fleets, hulls, (aims[ATTACKER], aims[DEFENDER]), battles, SEED)


def _rankings(fleets: tuple[Fleet, Fleet], side: int) -> list[Ranking]:
    """The orders in which a side may shoot at the enemy's types of ships."""
    others = fleets[1 - side]
    if any(group.ruled for group in fleets[side]):
        return [(False, tuple(NEXT ** SIZES[group.type] for group in others))]
    orders = islice(permutations(range(len(others))), MOST_ORDERS)
    return [(thrifty, tuple(NEXT**place for place in order)) for order in orders for thrifty in (False, True)]


def fight(
    fleets: tuple[Fleet, Fleet],
    hulls: tuple[Hull, Hull],
    aims: tuple[Ranking, Ranking],
    battles: int,
    seed: int,
) -> Sample:
    """Simulate so many battles, all at once."""
    chance = np.random.default_rng(seed)
    sides = tuple(Side(*side, battles) for side in zip(fleets, hulls, aims, strict=True))
    order = sorted(
        (-group.init, -side, n, side) for side in (ATTACKER, DEFENDER) for n, group in enumerate(fleets[side])
    )
    going = np.ones(battles, dtype=np.bool_)
    missiles = True
    while going.any():
        for _, _, group, side in order:
            _fire(chance, sides[side], group, sides[1 - side], going, missiles=missiles)
        missiles = False
        going = sides[0].alive() & sides[1].alive() & (sides[0].armed() | sides[1].armed())
    attacker, defender = (side.alive() for side in sides)
    left = [np.stack([side.ships(n) for n in range(len(side.fleet))], axis=1) for side in sides]
    return Sample(attacker & ~defender, attacker & defender, (left[0], left[1]))


def _fire(
    chance: np.random.Generator, own: Side, group: int, other: Side, going: Flags, *, missiles: bool
) -> None:
    """All ships of a group shoot once, in every unfinished battle."""
    shooter = own.fleet[group]
    dice = shooter.missiles if missiles else shooter.cannons
    ships = np.where(going, own.ships(group), 0)
    at = np.nonzero(ships)[0]
    if not any(dice) or not len(at):
        return
    faces = range(1, FACES + 1)
    reach = np.array(
        [[hits(face, shooter.comp, other.fleet[g].shield) for g in other.group] for face in faces]
    )
    worth = own.aims[other.group] / reach.mean(axis=0)  # targets that are hard to hit take precedence
    hp = other.hp[at]
    for damage, each in sorted(zip(DAMAGE, dice, strict=True), reverse=True):
        many = ships[at] * each
        rolled = chance.integers(1, FACES + 1, (len(at), int(many.max())))
        rolled[np.arange(rolled.shape[1]) >= many[:, None]] = 1  # die does not exist: a one never hits
        rolled.sort(axis=1)  # dice that hit the fewest types first
        for die in range(rolled.shape[1]):
            aimed = reach[rolled[:, die] - 1] & (hp > 0)
            needed = np.maximum(1, -(-hp // damage))
            used = (np.minimum(hp, damage) / damage) ** 2 if own.thrifty else 1.0
            ends = 1e6 * (hp <= damage) * (used == 1.0)
            good: Floats = np.where(aimed, worth * used / needed + ends, -1.0)
            aim, some = good.argmax(axis=1), aimed.any(axis=1)
            hp[some, aim[some]] -= damage
    other.hp[at] = hp
