"""The exact course of a battle: best play found backwards from its ends, then followed forwards to the survivors.

Damage only grows, so a battle runs downhill through the damage both fleets can be in. Only a round in which nobody
hits anything leads back to where it began; such rounds are summed up as a geometric series, so nothing is iterated and
nothing is cut off. All values are the attacker's chance to win: the attacker seeks the largest one, the defender the
smallest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.games.eclipse.odds_dice import (
    DAMAGE,
    MANY_HULLS,
    Fleet,
    Floats,
    Hull,
    Ints,
    Rolls,
    Space,
    Targets,
    TooLarge,
    closure,
    in_units,
    whole,
)

ATTACKER, DEFENDER = 0, 1
LARGEST = 400_000_000
"""Positions times rolls: more would take too long, and a byte each."""
ROOM = 4_000_000
"""Numbers kept for one type's rolls, unless more are needed at once."""
DIGITS = 13
"""Values are rounded, or noise would decide between ways to place a die that are equally good."""
CERTAIN = 1 - 1e-12


class Volley:
    """All ships of one type shooting once, in every position there is."""

    def __init__(
        self, side: int, group: int, fleets: tuple[Fleet, Fleet], missiles: bool, unit: int, alike: bool
    ):
        shooter, fleet = fleets[side][group], fleets[1 - side]
        self.side, self.group, self.ruled = side, group, shooter.ruled
        dice = shooter.missiles if missiles else shooter.cannons
        self.rolls = Rolls(shooter, dice, fleet, whole(fleet, unit), unit)
        self.targets = Targets(fleet, self.rolls.kinds, alike)
        self.room: Floats = np.empty(0)

    def ways(self, hull: Hull) -> Iterator[Hull]:
        """What this volley can make of a fleet."""
        if self.ruled:
            yield from (self.targets.ruled(hull, roll) for roll in self.rolls.rolls)
        else:
            for kind in range(len(self.rolls.kinds)):
                yield from self.targets.one(hull, kind)

    def bind(self, spaces: tuple[Space, Space]) -> None:
        """Get ready for these positions of both fleets."""
        shooters, targets = spaces[self.side], spaces[1 - self.side]
        rolls = self.rolls
        self.shooting: Ints = shooters.alive[:, self.group]
        self.chance: Floats = np.ascontiguousarray(rolls.chance[self.shooting].T)  # roll, shooter's position
        if self.ruled:
            self.next: Ints = np.array(
                [
                    [targets.index[self.targets.ruled(hull, roll)] for hull in targets.hulls]
                    for roll in rolls.rolls
                ],
                dtype=np.intp,
            )
            self.idle: NDArray[np.bool_] = self.next == np.arange(len(targets))
        else:
            self.placed = [self._placed(kind, targets) for kind in range(len(rolls.kinds))]
            useless = np.array(
                [(ways == np.arange(len(targets))[:, None]).all(axis=1) for ways, _ in self.placed]
            ).reshape(len(rolls.kinds), len(targets))
            self.idle = np.array(
                [
                    np.logical_and.reduce([useless[kind] for kind, n in enumerate(roll) if n], axis=0)
                    if any(roll)
                    else np.ones(len(targets), dtype=bool)
                    for roll in rolls.rolls
                ]
            )
            self.policy = np.zeros((len(rolls.rolls), len(targets), len(shooters)), dtype=np.uint8)
        # The chance that nothing changes: shooters alive, target's position.
        self.quiet: Floats = rolls.chance @ self.idle
        self.partly = bool(self.idle[1:].any())

    def _placed(self, kind: int, targets: Space) -> tuple[Ints, Ints]:
        """Where one die of this kind can lead from each position, and in how many different ways."""
        ways = [
            [targets.index[way] for way in self.targets.one(hull, kind)] or [n]
            for n, hull in enumerate(targets.hulls)
        ]
        many = max(map(len, ways))
        return (
            np.array([way + way[:1] * (many - len(way)) for way in ways], dtype=np.intp),
            np.array([len(way) for way in ways], dtype=np.intp),
        )

    def place(self, values: Floats, low: int, high: int, base: int, columns: slice) -> None:
        """Fill in `values` (roll, target's position, shooter's position) between `low` and `high` for every roll,
        each die going where it does its owner most good; `base` is the position of the first row."""
        rows = slice(low - base, high - base)
        shape = (high - low, values.shape[2])
        spare, compared = np.empty(shape), np.empty(shape, dtype=bool)
        aims = [self._aims(kind, low, high, base) for kind in range(len(self.placed))]
        compare, best_of = (np.greater, np.maximum) if self.side == ATTACKER else (np.less, np.minimum)
        for roll in range(1, len(self.rolls.rolls)):
            first, *others = aims[self.rolls.first[roll]]
            before, best = values[self.rolls.rest[roll]], values[roll, rows]
            np.take(before, first, axis=0, out=best, mode="clip")
            if not others:
                continue
            choice = np.zeros(shape, dtype=np.uint8)
            for way, aim in enumerate(others, start=1):
                n = len(aim)
                other, better = spare[:n], compared[:n]
                np.take(before, aim, axis=0, out=other, mode="clip")
                compare(other, best[:n], out=better)
                best_of(best[:n], other, out=best[:n])
                np.copyto(choice[:n], way, where=better)
            self.policy[roll, low:high, columns] = choice

    def _aims(self, kind: int, low: int, high: int, base: int) -> list[Ints]:
        """The rows each way to place a die leads to, as far as there are rows that have so many ways."""
        ways, many = self.placed[kind]
        least = [int(np.nonzero(many[low:high] > n)[0][-1]) + 1 for n in range(int(many[low:high].max()))]
        return [ways[low : low + rows, n] - base for n, rows in enumerate(least)]

    def settle(self, values: Floats, after: Floats, low: int, high: int, base: int) -> None:
        """Now that the values after this volley are known, note them for the rolls that change nothing."""
        rows = slice(low - base, high - base)
        values[0, rows] = after
        for roll in range(1, len(self.rolls.rolls)) if self.partly else ():
            idle = self.idle[roll, low:high]
            if idle.any():
                values[roll, rows][idle] = after[idle]

    def follow(self, roll: int, targets: Ints, shooters: Ints) -> Ints:
        """Where this roll leads from each of these positions."""
        if self.ruled:
            return np.asarray(self.next[roll][targets])
        while roll:
            choice = self.policy[roll, targets, shooters]
            targets = self.placed[self.rolls.first[roll]][0][targets, choice]
            roll = self.rolls.rest[roll]
        return targets


class Window:
    """Values by roll for the few levels of damage that dice can lead to, moved along with the level being solved."""

    def __init__(self, volley: Volley, targets: Space, shooters: int, reach: int) -> None:
        self._first = {
            low: int(np.searchsorted(targets.left, targets.left[low] - reach)) for low, _ in targets.levels
        }
        self._left = targets.left
        widest = max(high - self._first[low] for low, high in targets.levels)
        self.base = 0
        # Wider than needed: what is kept has to be moved less often, or never.
        room = ROOM // (len(volley.rolls.rolls) * shooters)
        rows = min(len(targets), max(2 * widest, room))
        self.values = np.empty((len(volley.rolls.rolls), rows, shooters))

    def move(self, low: int, high: int) -> None:
        """Make room for the rows of this level."""
        if high - self.base > self.values.shape[1]:
            first = self._first[low]
            self.values[:, : low - first] = self.values[:, first - self.base : low - self.base].copy()
            self.base = first
        # Every other roll is filled in by `place`, unless everything is destroyed: then it is worth nothing, too.
        rolls = slice(None) if self._left[low] == 0 else 0
        self.values[rolls, low - self.base : high - self.base] = 0.0


class Ends(Struct):
    """How a battle can end: the chance of each damage of the fleet that is left."""

    attacker_wins: dict[Hull, float]
    defender_wins: dict[Hull, float]
    stalemate: float = 0.0


class Battle:
    """Two fleets, everything that can become of them, and what is best in each position."""

    def __init__(
        self,
        attacker: Fleet,
        defender: Fleet,
        left: tuple[Hull, Hull] | None = None,
        largest: int = LARGEST,
    ) -> None:
        self.fleets = (attacker, defender)
        self._largest = largest
        most = min(MANY_HULLS, largest // 5_000)  # so that finding out does not take longer than it may
        left = left or (whole(attacker, 1), whole(defender, 1))
        units = tuple(self._units(fleet) for fleet in (defender, attacker))  # by the side that is hit
        self.units = tuple(cannon for _, cannon in units)
        start_units = tuple(cannon if one else 1 for one, cannon in units)
        self.start = tuple(in_units(hull, unit) for hull, unit in zip(left, start_units, strict=True))
        self.missiles = [
            Volley(side, group, self.fleets, True, start_units[1 - side], units[1 - side][0])
            for side, group in self._order(missiles=True)
        ]
        self.cannons = [
            Volley(side, group, self.fleets, False, self.units[1 - side] or 1, self.units[1 - side] > 0)
            for side, group in self._order(missiles=False)
        ]
        self.opening = tuple(
            Space(closure([self.start[side]], _all_ways([v for v in self.missiles if v.side != side]), most))
            for side in (ATTACKER, DEFENDER)
        )
        # Hit points as the cannons count them, once the missiles are spent.
        self.entry = tuple(
            [hull if start_units[side] > 1 else in_units(hull, self.units[side] or 1) for hull in space.hulls]
            for side, space in enumerate(self.opening)
        )
        self.spaces = tuple(
            Space(closure(self.entry[side], _all_ways([v for v in self.cannons if v.side != side]), most))
            for side in (ATTACKER, DEFENDER)
        )

    @staticmethod
    def _units(enemy: Fleet) -> tuple[bool, int]:
        """Whether all dice of a fleet do the same damage, and what its cannons do, 0 if that differs."""
        cannons = {DAMAGE[c] for group in enemy for c in range(3) if group.cannons[c]}
        missiles = {DAMAGE[c] for group in enemy for c in range(3) if group.missiles[c]}
        unit = next(iter(cannons)) if len(cannons) == 1 else 0
        if not cannons and len(missiles) == 1:
            return True, next(iter(missiles))
        return unit > 0 and missiles <= cannons, unit

    def _order(self, *, missiles: bool) -> list[tuple[int, int]]:
        """Who shoots after whom (page 18): by initiative, the defender first among equals."""
        armed = [
            (-group.init, -side, n, side)
            for side, fleet in enumerate(self.fleets)
            for n, group in enumerate(fleet)
            if any(group.missiles if missiles else group.cannons)
        ]
        return [(side, group) for _, _, group, side in sorted(armed)]

    @property
    def size(self) -> int:
        """How much there is to compute, roughly: positions times rolls."""
        opening = len(self.opening[0]) * len(self.opening[1]) * sum(len(v.rolls.rolls) for v in self.missiles)
        rounds = len(self.spaces[0]) * len(self.spaces[1]) * sum(len(v.rolls.rolls) for v in self.cannons)
        return opening + rounds

    def solve(self) -> float:
        """The attacker's chance to win if both sides place their dice as well as they can; raises `TooLarge`."""
        if self.size > self._largest:
            raise TooLarge
        attackers, defenders = self.spaces
        for volley in self.cannons:
            volley.bind((attackers, defenders))
        self.after = [np.zeros((len(attackers), len(defenders))) for _ in self.cannons or (None,)]
        self._rounds()
        entry = tuple(
            np.array([space.index[hull] for hull in hulls], dtype=np.intp)
            for space, hulls in zip(self.spaces, self.entry, strict=True)
        )
        self.entries = entry
        value = self.after[-1][np.ix_(*entry)]
        for volley in self.missiles:
            volley.bind((self.opening[0], self.opening[1]))
        for volley in reversed(self.missiles):
            value = self._opened(volley, value)
        at = tuple(space.index[start] for space, start in zip(self.opening, self.start, strict=True))
        return float(value[at])

    def _opened(self, volley: Volley, after: Floats) -> Floats:
        """The values before a volley of missiles, given those after it."""
        turned = after.T if volley.side == ATTACKER else after  # target's position, shooter's position
        many = turned.shape[0]
        if volley.ruled:
            before = np.einsum("rtx,rx->tx", turned[volley.next], volley.chance)
        else:
            values = np.zeros((len(volley.rolls.rolls), *turned.shape))
            values[0] = turned
            volley.place(values, 0, many, 0, slice(None))
            before = np.einsum("rtx,rx->tx", values, volley.chance)
        dead = volley.shooting == 0
        before[:, dead] = turned[:, dead]
        return np.asarray(before.T if volley.side == ATTACKER else before)

    def _rounds(self) -> None:
        """The values after every volley of a round, for all positions, from the least that is left upwards."""
        attackers, defenders = self.spaces
        ours = [(n, v) for n, v in enumerate(self.cannons) if v.side == ATTACKER]
        theirs = [(n, v) for n, v in enumerate(self.cannons) if v.side == DEFENDER]
        reach = max([1, *(kind.damage for _, v in theirs for kind in v.rolls.kinds)])
        widest = max(high - low for low, high in attackers.levels)
        for _, v in ours:
            v.room = np.empty(0 if v.ruled else len(v.rolls.rolls) * len(defenders) * widest)
        windows = {n: Window(v, attackers, len(defenders), reach) for n, v in theirs if not v.ruled}
        if defenders.left[0] == 0:
            for after in self.after:
                after[attackers.left > 0, 0] = 1.0
        for low, high in attackers.levels:
            for window in windows.values():
                window.move(low, high)
            if attackers.left[low] > 0:
                answers = {n: self._answered(n, v, low, high, windows.get(n)) for n, v in theirs}
                self._against(low, high, ours, answers)
            for n, window in windows.items():
                self.cannons[n].settle(window.values, self.after[n][low:high], low, high, window.base)

    def _answered(
        self, n: int, volley: Volley, low: int, high: int, window: Window | None
    ) -> tuple[Floats, Floats]:
        """What a volley of the defender's is worth where it hits, and how likely it changes nothing."""
        quiet = volley.quiet[:, low:high][volley.shooting].T
        if window is None:
            worth = np.zeros((high - low, len(self.spaces[DEFENDER])))
            for roll in range(1, len(volley.rolls.rolls)):
                worth += self.after[n][volley.next[roll, low:high]] * volley.chance[roll]
            return worth, quiet
        volley.place(window.values, low, high, window.base, slice(None))
        placed = window.values[1:, low - window.base : high - window.base]
        return np.einsum("rtx,rx->tx", placed, volley.chance[1:]), quiet

    def _against(
        self, low: int, high: int, ours: list[tuple[int, Volley]], answers: dict[int, tuple[Floats, Floats]]
    ) -> None:
        """Solve all positions of the defender against these of the attacker."""
        defenders = self.spaces[DEFENDER]
        columns = slice(low, high)
        values = {}
        for n, volley in ours:
            if not volley.ruled:
                shape = (len(volley.rolls.rolls), len(defenders), high - low)
                values[n] = volley.room[: prod(shape)].reshape(shape)
                values[n][0] = 0.0
        chances = {n: np.ascontiguousarray(v.chance[:, columns]) for n, v in ours}
        quiets = {n: v.quiet[v.shooting[columns]].T for n, v in ours}
        for first, last in defenders.levels:
            if defenders.left[first] == 0:
                for n, table in values.items():
                    table[:, first:last] = self.after[n][columns, first:last].T
                continue
            worths: list[Floats] = []
            quiet: list[Floats] = []
            for n, volley in enumerate(self.cannons):
                if volley.side == DEFENDER:
                    worth, still = answers[n]
                    worths.append(worth[:, first:last].T)
                    quiet.append(still[:, first:last].T)
                    continue
                quiet.append(quiets[n][first:last])
                if volley.ruled:
                    reached = self.after[n][columns].T[volley.next[1:, first:last]]
                    worths.append(np.einsum("rtx,rx->tx", reached, chances[n][1:]))
                else:
                    volley.place(values[n], first, last, 0, columns)
                    worths.append(np.einsum("rtx,rx->tx", values[n][1:, first:last], chances[n][1:]))
            total, all_quiet = np.zeros((last - first, high - low)), np.ones((last - first, high - low))
            for worth, still in zip(worths, quiet, strict=True):
                total += all_quiet * worth
                all_quiet = all_quiet * still
            # Where nobody can shoot, the attacker loses (page 20).
            value: Floats = np.divide(
                total, 1 - all_quiet, out=np.zeros_like(total), where=all_quiet < CERTAIN
            )
            for n in range(len(self.cannons) - 1, -1, -1):
                value = np.asarray(np.round(value, DIGITS), dtype=np.float64)
                self.after[n][columns, first:last] = value.T
                if n in values:
                    self.cannons[n].settle(values[n], value, first, last, 0)
                value = worths[n] + quiet[n] * value

    def ends(self) -> Ends:
        """How the battle can end if both sides place their dice as they should; `solve` comes first."""
        attackers, defenders = self.spaces
        mass = np.zeros((len(self.opening[0]), len(self.opening[1])))
        mass[tuple(space.index[start] for space, start in zip(self.opening, self.start, strict=True))] = 1.0
        for volley in self.missiles:
            mass = self._fired(volley, mass)
        arrived = np.zeros((max(len(self.cannons), 1), len(attackers) * len(defenders)))
        a, d = np.nonzero(mass)
        start = self.entries[ATTACKER][a] * len(defenders) + self.entries[DEFENDER][d]
        np.add.at(arrived[0], start, mass[a, d])
        ends = Ends({}, {})
        for pairs in self._downhill(arrived):
            self._pass(pairs, arrived, ends)
        return ends

    def _fired(self, volley: Volley, mass: Floats) -> Floats:
        targets, shooters = np.nonzero(mass.T if volley.side == ATTACKER else mass)
        weight = mass[shooters, targets] if volley.side == ATTACKER else mass[targets, shooters]
        fired = np.zeros_like(mass)
        for roll in range(len(volley.rolls.rolls)):
            led = volley.follow(roll, targets, shooters)
            share = weight * volley.chance[roll, shooters]
            np.add.at(fired, (shooters, led) if volley.side == ATTACKER else (led, shooters), share)
        return fired

    def _downhill(self, arrived: Floats) -> Iterator[Ints]:
        """Positions that are reached, those with the same number of hit points left together, the most first."""
        attackers, defenders = self.spaces
        reached = arrived.reshape(len(arrived), len(attackers), len(defenders))
        blocks: dict[int, list[tuple[tuple[int, int], tuple[int, int]]]] = {}
        for mine in attackers.levels:
            for theirs in defenders.levels:
                left = int(attackers.left[mine[0]] + defenders.left[theirs[0]])
                blocks.setdefault(left, []).append((mine, theirs))
        for left in sorted(blocks, reverse=True):
            found = []
            for (low, high), (first, last) in blocks[left]:
                a, d = np.nonzero(reached[:, low:high, first:last].any(axis=0))
                found.append((a + low) * len(defenders) + d + first)
            pairs = np.concatenate(found)
            if len(pairs):
                yield pairs

    def _pass(self, pairs: Ints, arrived: Floats, ends: Ends) -> None:
        """Let all that arrives in these positions go on to others, or end there."""
        attackers, defenders = self.spaces
        a, d = np.divmod(pairs, len(defenders))
        quiet = [
            v.quiet[v.shooting[a], d] if v.side == ATTACKER else v.quiet[v.shooting[d], a]
            for v in self.cannons
        ]
        still = np.prod(np.array(quiet), axis=0) if quiet else np.ones(len(pairs))
        stuck = (still >= CERTAIN) | (attackers.left[a] == 0) | (defenders.left[d] == 0)
        for at in np.nonzero(stuck)[0]:
            self._end(ends, int(a[at]), int(d[at]), float(arrived[:, pairs[at]].sum()))
        pairs, a, d, still = pairs[~stuck], a[~stuck], d[~stuck], still[~stuck]
        quiet = [q[~stuck] for q in quiet]
        if not len(pairs):
            return
        # How often each volley is shot from here, counting the rounds without any effect.
        flow = np.zeros(len(pairs))
        for n, q in enumerate(quiet):
            flow = (flow + arrived[n, pairs]) * q
        flow = flow / (1 - still)
        for n, volley in enumerate(self.cannons):
            shot = flow + arrived[n, pairs]
            onto, shares = self._led(volley, a, d, shot)
            np.add.at(arrived[(n + 1) % len(self.cannons)], onto, shares)
            flow = shot * quiet[n]

    def _led(self, volley: Volley, a: Ints, d: Ints, shot: Floats) -> tuple[Ints, Floats]:
        """Where a volley leads from these positions if it has any effect, and how often."""
        targets, shooters = (d, a) if volley.side == ATTACKER else (a, d)
        columns = len(self.spaces[DEFENDER])
        onto, shares = [np.zeros(0, dtype=np.intp)], [np.zeros(0)]
        for roll in range(1, len(volley.rolls.rolls)):
            share = shot * volley.chance[roll, shooters]
            some = np.nonzero((share > 0) & ~volley.idle[roll, targets])[0]
            if len(some):
                led = volley.follow(roll, targets[some], shooters[some])
                onto.append(a[some] * columns + led if volley.side == ATTACKER else led * columns + d[some])
                shares.append(share[some])
        return np.concatenate(onto), np.concatenate(shares)

    def _end(self, ends: Ends, a: int, d: int, chance: float) -> None:
        attackers, defenders = self.spaces
        if defenders.left[d] == 0 and attackers.left[a] > 0:
            kind, hull = ends.attacker_wins, attackers.hulls[a]
        else:
            kind, hull = ends.defender_wins, defenders.hulls[d]
            if attackers.left[a] > 0:
                ends.stalemate += chance
        kind[hull] = kind.get(hull, 0.0) + chance


def _all_ways(volleys: list[Volley]) -> Callable[[Hull], Iterator[Hull]]:
    return lambda hull: (way for volley in volleys for way in volley.ways(hull))
