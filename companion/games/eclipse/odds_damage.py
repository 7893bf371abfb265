"""The damage positions of a fleet, and which placements of a die are worth considering.

Ships of one type are interchangeable, so a fleet is described by the hit points left on its living ships,
sorted within each type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache, partial
from itertools import pairwise, product
from math import comb, prod
from types import MethodType
from typing import TypeVar
from weakref import proxy

import numpy as np
from numpy.typing import NDArray

from companion.games.eclipse.odds_dice import (
    SIZES,
    Breathe,
    Fleet,
    Hull,
    Ints,
    Kind,
    Ships,
    TooLarge,
    on_and_on,
)

T = TypeVar("T")

MANY_HULLS = 30_000
MANY_SHIPS = 3_000
"""The limit on ways the ships of one type can be damaged, if dice do different damage."""
MANY_POINTS, MANY_DICE = 80, 80
"""The limits on hit points of one type's ships, and on dice placed at once by the rule: both bound a
recursion depth. No real fleet comes close."""
MANY_WAYS = 1_000_000
"""The limit on fleets compared when the rule places dice: each takes microseconds."""


KEPT_WAYS = 1 << 14
"""How many results of hitting ships are cached: a battle has hundreds, the largest ones solved have thousands."""


@lru_cache(KEPT_WAYS)
def struck(ships: Ships, damage: int) -> tuple[Ships, ...]:
    """The ships of one type after one die hit one of them, for each possible target, the weakest first."""
    found: dict[Ships, None] = {}
    for ship, left in enumerate(ships):
        rest = ships[:ship] + ships[ship + 1 :]
        found[tuple(sorted((left - damage, *rest))) if left > damage else rest] = None
    return tuple(found)


def remembered(method: Callable[..., T]) -> Callable[..., T]:
    """A method that caches its results. It holds its object only by a weak reference: otherwise a reference
    cycle would keep all results alive until garbage collection."""
    assert isinstance(method, MethodType)
    return cache(partial(method.__func__, proxy(method.__self__)))


class Placing:
    """How a player places dice on ships of one type, if these are the damages dice may still do."""

    def __init__(self, damages: frozenset[int], breathe: Breathe = on_and_on) -> None:
        self._damages = sorted(damages)
        self._breathe = breathe
        self.ways = remembered(self._ways)
        self._better = remembered(self._compare)

    def _ways(self, ships: Ships, damage: int) -> tuple[Ships, ...]:
        """The results one die can have on these ships, without those that are never better than another."""
        if len(self._damages) == 1:
            # Concentrating damage is optimal: no other placement destroys any ship earlier.
            return struck(ships, damage)[:1]
        if ships and (sum(ships) > MANY_POINTS or comb(ships[-1] + len(ships), len(ships)) > MANY_SHIPS):
            raise TooLarge
        kept: list[Ships] = []
        for way in struck(ships, damage):
            if not any(self._better(other, way) for other in kept):
                kept = [other for other in kept if not self._better(way, other)] + [way]
        return tuple(kept)

    def _compare(self, one: Ships, other: Ships) -> bool:
        """Whether `one` is at least as good for the shooter: no more ships are left, and for every result of
        the next die on the `other` there is one here that is as good."""
        self._breathe()
        if len(one) > len(other):
            return False
        if all(mine <= yours for mine, yours in zip(reversed(one), reversed(other), strict=False)):
            return True
        return all(
            any(self._better(mine, yours) for mine in struck(one, damage))
            for damage in self._damages
            for yours in struck(other, damage)
        )


class Space:
    """Every position of a fleet, the fewest hit points left first, and where one die leads from each."""

    def __init__(self, hulls: Iterable[Hull], ways: Callable[[int, Ships, int], tuple[Ships, ...]]) -> None:
        self.hulls = sorted(set(hulls), key=lambda hull: (sum(map(sum, hull)), hull))
        groups = range(len(self.hulls[0]))
        self.ships = [sorted({hull[group] for hull in self.hulls}) for group in groups]
        number = [{ships: n for n, ships in enumerate(self.ships[group])} for group in groups]
        self.rows: Ints = np.array(
            [[number[group][ships] for group, ships in enumerate(hull)] for hull in self.hulls], dtype=np.intp
        )
        sizes = [len(ships) for ships in self.ships]
        self.strides = np.array([prod(sizes[n + 1 :]) for n in groups], dtype=np.intp)
        self._at = np.full(prod(sizes), -1, dtype=np.intp)
        self._at[self.rows @ self.strides] = np.arange(len(self.hulls))
        self.left: Ints = np.array([sum(map(sum, hull)) for hull in self.hulls], dtype=np.intp)
        self.alive: Ints = np.array([[len(ships) for ships in hull] for hull in self.hulls], dtype=np.intp)
        self.standing: Ints = (self.alive > 0) @ (1 << np.arange(len(sizes)))
        cuts = [0, *(np.nonzero(np.diff(self.left))[0] + 1).tolist(), len(self.hulls)]
        self.levels = list(pairwise(cuts))
        self._ways = ways
        self.step = remembered(self._step)
        self.need = remembered(self._need)

    def __len__(self) -> int:
        return len(self.hulls)

    def index(self, hull: Hull) -> int:
        """The index of a position."""
        number = [self.ships[group].index(ships) for group, ships in enumerate(hull)]
        return int(self._at[int(np.array(number, dtype=np.intp) @ self.strides)])

    def moved(self, positions: Ints, group: int, onto: Ints) -> Ints:
        """The positions that differ from these in the damage of one group."""
        shift = (onto - self.rows[positions, group]) * self.strides[group]
        return np.asarray(self._at[self.rows[positions] @ self.strides + shift])

    def hit(self, met: NDArray[np.bool_], damage: int) -> NDArray[np.bool_]:
        """The positions one die can lead to from any of these."""
        found = np.zeros(len(self), dtype=bool)
        positions = np.nonzero(met)[0]
        for group in range(len(self.ships)):
            ways, many = self.step(group, damage)
            here = self.rows[positions, group]
            for way in range(ways.shape[1]):
                some = many[here] > way
                found[self.moved(positions[some], group, ways[here[some], way])] = True
        return found

    def _step(self, group: int, damage: int) -> tuple[Ints, Ints]:
        """The results of one die on each damage of a group, and the number of different ones."""
        number = {ships: n for n, ships in enumerate(self.ships[group])}
        ways = [
            [number[way] for way in self._ways(group, ships, damage)] if ships else []
            for ships in self.ships[group]
        ]
        widest = max(map(len, ways), default=0)
        padded = [way + [0] * (widest - len(way)) for way in ways]
        return np.array(padded, dtype=np.intp).reshape(len(ways), widest), np.array([len(w) for w in ways])

    def _need(self, group: int, damage: int) -> Ints:
        """How many dice it takes to destroy a whole group, by its damage."""
        return np.array(
            [sum(-(-left // damage) for left in ships) for ships in self.ships[group]], dtype=np.intp
        )


def freely(_group: int, ships: Ships, damage: int) -> tuple[Ships, ...]:
    """Every way to place a die on ships of one type."""
    return struck(ships, damage)


def space(
    fleet: Fleet, starts: Iterable[Hull], damages: frozenset[int], most: int, breathe: Breathe = on_and_on
) -> Space:
    """All positions that dice of these damages, placed by a player, can bring a fleet to; raises `TooLarge`
    if there are too many.

    Against ancients every placement is considered: they shoot by a rule that is not always optimal, so fewer
    ships are not necessarily worse for them.
    """
    placing = Placing(damages, breathe)

    def ways(group: int, ships: Ships, damage: int) -> tuple[Ships, ...]:
        return struck(ships, damage) if fleet[group].ruled else placing.ways(ships, damage)

    groups = []
    for n in range(len(fleet)):

        def onto(ships: Ships, n: int = n) -> Iterable[Ships]:
            return (way for damage in damages for way in ways(n, ships, damage))

        groups.append(closure({start[n] for start in starts}, onto, most, breathe))
    if prod(map(len, groups)) > most:
        raise TooLarge
    return Space(product(*groups), ways)


def ruled_space(
    starts: Iterable[Hull],
    onto: Callable[[Hull], Iterable[Hull]],
    most: int,
    breathe: Breathe = on_and_on,
) -> Space:
    """All positions a fleet can reach if the rule places the dice."""
    return Space(closure(starts, onto, most, breathe), freely)


def closure(
    start: Iterable[T],
    onto: Callable[[T], Iterable[T]],
    most: int = MANY_HULLS,
    breathe: Breathe = on_and_on,
) -> list[T]:
    """Everything reachable from `start`; raises `TooLarge` if that is more than `most`."""
    found = dict.fromkeys(start)
    waiting = list(found)
    while waiting:
        breathe()
        for reached in onto(waiting.pop()):
            if reached not in found:
                found[reached] = None
                waiting.append(reached)
        if len(found) > most:
            raise TooLarge
    return list(found)


class Rule:
    """Placement of dice by the rulebook instead of a player (page 19); raises `TooLarge` if more than `most`
    ways are compared."""

    def __init__(self, fleet: Fleet, most: int = MANY_WAYS, breathe: Breathe = on_and_on) -> None:
        self._ways_left, self._breathe = most, breathe
        self._largest = sorted(range(len(fleet)), key=lambda group: (-SIZES[fleet[group].type], group))
        sizes = sorted({SIZES[group.type] for group in fleet}, reverse=True)
        self._of_size = [[n for n, g in enumerate(fleet) if SIZES[g.type] == size] for size in sizes]
        self._reached = remembered(self._after)
        self.after = remembered(self._decided)

    def _decided(self, hull: Hull, kinds: tuple[Kind, ...], roll: tuple[int, ...]) -> Hull:
        """The fleet after these dice: they destroy the largest ships they can, then do as much damage as
        possible; on a tie they hit the larger ship, then the one with the fewest hit points left."""
        if sum(roll) > MANY_DICE:
            raise TooLarge
        ways = list(self._reached(hull, kinds, roll))
        if len(ways) > 1:
            alive = [self._by_size(tuple(map(len, way))) for way in ways]
            fewest = min(alive)
            ways = [way for way, n in zip(ways, alive, strict=True) if n == fewest]
        return ways[0] if len(ways) == 1 else min(ways, key=self._left)

    def _by_size(self, numbers: tuple[int, ...]) -> list[int]:
        """Numbers per group as numbers per size, the largest size first."""
        return [sum(numbers[group] for group in groups) for groups in self._of_size]

    def _left(self, way: Hull) -> tuple[object, ...]:
        left = self._by_size(tuple(map(sum, way)))
        return sum(left), left, [way[group] for group in self._largest]

    def _after(self, hull: Hull, kinds: tuple[Kind, ...], roll: tuple[int, ...]) -> frozenset[Hull]:
        """The fleet after all these dice, for each way to place them."""
        kind = next((n for n, dice in enumerate(roll) if dice), None)
        if kind is None:
            return frozenset((hull,))
        rest = (*roll[:kind], roll[kind] - 1, *roll[kind + 1 :])
        # Dice of equal damage all hit the ship with the fewest hit points left: nothing else destroys more.
        worth_it = slice(1) if len({kind.damage for kind in kinds}) == 1 else slice(None)
        ways = [
            (*hull[:group], ships, *hull[group + 1 :])
            for group in kinds[kind].groups
            for ships in struck(hull[group], kinds[kind].damage)[worth_it]
        ]
        self._breathe()
        found = frozenset[Hull]().union(*(self._reached(way, kinds, rest) for way in ways or [hull]))
        self._ways_left -= len(found)
        if self._ways_left < 0:
            raise TooLarge
        return found
