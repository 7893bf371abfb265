"""Estimated odds of a battle that has too many positions to solve exactly: simulated battles with a fixed seed.

The order of shooting and the hits are as in the exact odds. Placing dice is simpler: a side ranks the other
side's types of ships and places the dice of a volley in one of four manners. For missiles and for cannons,
each side takes the ranking and manner that win most often against the other's, tried in turns. Ancients and
the defence system destroy the largest ships they can, then damage the largest (page 19).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import islice, permutations
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.games.eclipse.odds_dice import DAMAGE, FACES, SIZES, Fleet, Floats, Hull, Ints, hits

Manner = Literal["focused", "nearest", "together", "thrifty", "rule"]
"""How the dice of a volley are placed: on the first ship of the ranking until it is destroyed; together on
every ship they can destroy, and the rest on the ship with the least left, or by the ranking; each alone, but
without damage beyond a ship's last hit point; or by the rule of page 19."""
MANNERS: tuple[Manner, ...] = ("focused", "nearest", "together", "thrifty")

BATTLES, FEWEST = 4_000, 200
"""The number of battles; fewer for very many ships and dice, but at least `FEWEST`."""
WORK = 10_000_000
"""The limit on battles times ships times dice."""
TRIED = 10
"""To compare two rankings, only one battle in this many is fought."""
MOST_ORDERS = 8
"""How many rankings are tried: all for three types, some for four."""
TURNS = 2
"""How often each side may change its aims."""
MOST_POINTS = 1_000
"""More than any ship has hit points."""
SEED = 7
ATTACKER, DEFENDER = 0, 1
CANNONS, MISSILES = 0, 1
NEXT = 3.0
"""How many times more a type is worth than the next in the ranking."""

Flags = NDArray[np.bool_]
Ranking = tuple[Manner, tuple[float, ...]]
"""The manner of shooting, and the value of each of the enemy's ship types."""
Aims = tuple[Ranking, Ranking]
"""How a side places cannons, and missiles: a ship that has fired its missiles is worth less."""


class Sample(Struct, frozen=True):
    """Which battles the attacker won, which ended in a stalemate, and the ships of each group left in every
    battle."""

    attacker_wins: Flags
    stalemates: Flags
    left: tuple[Ints, Ints]


class Side:
    """One side of all battles at once: hit points of every ship, one row per battle."""

    def __init__(self, fleet: Fleet, hull: Hull, aims: Aims, battles: int) -> None:
        self.fleet, self.aims = fleet, aims
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

    @cache
    def wins(attacker: Aims, defender: Aims) -> int:
        fought = fight(fleets, hulls, (attacker, defender), battles // TRIED, SEED + 1)
        return int(fought.attacker_wins.sum())

    aims = [_first(fleets, side) for side in (ATTACKER, DEFENDER)]
    for turn in range(2 * TURNS):
        side = turn % 2
        if aims[side][CANNONS][0] == "rule":
            continue
        missiles = any(any(group.missiles) for group in fleets[side])
        for phase in (CANNONS, MISSILES) if missiles else (CANNONS,):
            manner, _ = aims[side][phase]
            orders = _orders(len(fleets[1 - side]))
            aims[side] = _best(aims, side, phase, [(manner, values) for values in orders], wins)
            _, values = aims[side][phase]
            aims[side] = _best(aims, side, phase, [(manner, values) for manner in MANNERS], wins)
    return fight(fleets, hulls, (aims[ATTACKER], aims[DEFENDER]), battles, SEED)


def _first(fleets: tuple[Fleet, Fleet], side: int) -> Aims:
    """How a side shoots before anything was tried."""
    if any(group.ruled for group in fleets[side]):
        rule: Ranking = ("rule", tuple(float(SIZES[group.type]) for group in fleets[1 - side]))
        return rule, rule
    first: Ranking = (MANNERS[0], _orders(len(fleets[1 - side]))[0])
    return first, first


def _orders(types: int) -> list[tuple[float, ...]]:
    """The values of so many types of ships in the orders that are tried."""
    orders = islice(permutations(range(types)), MOST_ORDERS)
    return [tuple(NEXT**place for place in order) for order in orders]


def _best(
    aims: list[Aims],
    side: int,
    phase: int,
    rankings: Sequence[Ranking],
    wins: Callable[[Aims, Aims], int],
) -> Aims:
    """The aims of a side with the one of these rankings that wins most often in one phase."""
    cannons, missiles = aims[side]
    tried = [(ranking, missiles) if phase == CANNONS else (cannons, ranking) for ranking in rankings]
    if side == ATTACKER:
        return max(tried, key=lambda own: wins(own, aims[DEFENDER]))
    return min(tried, key=lambda own: wins(aims[ATTACKER], own))


def fight(
    fleets: tuple[Fleet, Fleet],
    hulls: tuple[Hull, Hull],
    aims: tuple[Aims, Aims],
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
    volley = _Volley(chance, dice, ships[at], reach)
    hp = other.hp[at]
    manner, values = own.aims[MISSILES if missiles else CANNONS]
    worth = np.array(values)[other.group]
    if manner in ("rule", "focused"):
        volley.destroy(hp, -worth, focused=manner == "focused")
        volley.hit(hp, lambda damage: worth * MOST_POINTS - hp)
    else:
        worth /= reach.mean(axis=0)  # targets that are hard to hit take precedence
        if manner != "thrifty":
            volley.destroy(hp, -worth)
        if manner == "nearest":
            volley.hit(hp, lambda damage: worth / MOST_POINTS**2 - hp)
        else:
            volley.hit(hp, partial(_good, hp, worth, manner == "thrifty"))
    other.hp[at] = hp


def _good(hp: Ints, worth: Floats, thrifty: bool, damage: int) -> Floats:
    """How good it is to place a die on each ship."""
    needed = np.maximum(1, -(-hp // damage))
    used = (np.minimum(hp, damage) / damage) ** 2 if thrifty else 1.0
    return np.asarray(worth * used / needed + 1e6 * (hp <= damage) * (used == 1.0))


class _Volley:
    """The rolled dice of a group in every battle, the strongest first, then those that hit the fewest types."""

    def __init__(self, chance: np.random.Generator, dice: tuple[int, ...], ships: Ints, reach: Flags) -> None:
        rolls, damages = [], []
        for damage, each in sorted(zip(DAMAGE, dice, strict=True), reverse=True):
            many = ships * each
            rolled = chance.integers(1, FACES + 1, (len(ships), int(many.max())))
            rolled[np.arange(rolled.shape[1]) >= many[:, None]] = 1  # die does not exist: a one never hits
            rolled.sort(axis=1)
            rolls.append(rolled)
            damages += [damage] * rolled.shape[1]
        self._rolled, self._damage, self._reach = np.concatenate(rolls, axis=1), np.array(damages), reach
        self._strength = 10 * self._damage + self._rolled
        self._unused = np.ones(self._rolled.shape, dtype=np.bool_)

    def destroy(self, hp: Ints, order: Floats, *, focused: bool = False) -> None:
        """Destroy, in this order of ships, every one that the dice left can destroy together; if `focused`, up
        to the first that they cannot."""
        battles = np.arange(len(hp))
        going = np.ones(len(hp), dtype=np.bool_)
        for ship in np.lexsort((hp, np.broadcast_to(order, hp.shape)), axis=1).T:
            left = hp[battles, ship]
            hits_it = self._unused & self._reach[self._rolled - 1, ship[:, None]]
            damage = hits_it * self._damage
            done = damage.cumsum(axis=1)
            gone = (done[:, -1] >= left) & (left > 0) & going
            going &= gone | (left <= 0) | (not focused)
            one = np.where(damage >= left[:, None], self._strength, MOST_POINTS).argmin(axis=1)
            alone = damage[battles, one] >= left  # the weakest such die, else the strongest dice together
            used = hits_it & (done - damage < left[:, None])
            used[alone] = np.arange(len(self._damage)) == one[alone, None]
            self._unused &= ~(used & gone[:, None])
            hp[battles[gone], ship[gone]] = 0

    def hit(self, hp: Ints, good: Callable[[int], Floats]) -> None:
        """Place the dice left one by one, each on the ship where it is best."""
        for die, damage in enumerate(self._damage.tolist()):
            aimed = self._reach[self._rolled[:, die] - 1] & (hp > 0) & self._unused[:, die, None]
            some = aimed.any(axis=1)
            if some.any():
                aim = np.where(aimed, good(damage), -np.inf).argmax(axis=1)
                hp[some, aim[some]] -= damage
