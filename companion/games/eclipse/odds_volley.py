"""All ships of one type shooting once, for every position.

A *row* is a position of the targets together with the dice still to be placed on them. Dice that cannot
change anything are left out of a row: those whose targets are all gone, and those beyond what destroys
everything they can hit. Rolls that can destroy the whole fleet have no rows, since nothing could be better.
Each placed die leads to a row with fewer hit points left, so all rows of one damage level are computed
together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.games.eclipse.odds_damage import Rule, Space
from companion.games.eclipse.odds_dice import SIZES, Breathe, Fleet, Floats, Hits, Ints, Rolls, TooLarge

ATTACKER, DEFENDER = 0, 1
AT_ONCE = 250_000
"""How many rolls are followed at once."""
NUMBERS_AT_ONCE = 1_000_000
"""How many values are compared or summed at once."""


class Lineup:
    """The rolls that make a difference while the same groups of a fleet are left."""

    def __init__(self, hits: Hits, targets: Space, bits: int, breathe: Breathe) -> None:
        self.groups = frozenset(n for n in range(targets.rows.shape[1]) if bits >> n & 1)
        faces = hits.among(self.groups)
        self.kinds = tuple(faces)
        self.positions: Ints = np.nonzero(targets.standing == bits)[0]
        most = np.array([hits.ships * hits.dice[kind.damage] for kind in self.kinds], dtype=np.intp)
        rows = targets.rows[self.positions]
        need = [
            sum(
                (targets.need(g, kind.damage)[rows[:, g]] for g in kind.groups),
                start=np.zeros(len(rows), np.intp),
            )
            for kind in self.kinds
        ]
        self.before = [
            [
                m
                for m in range(n)
                if self.kinds[m].groups <= kind.groups and self.kinds[m].damage >= kind.damage
            ]
            for n, kind in enumerate(self.kinds)
        ]
        # By position: dice of each kind, together with those before, that make a difference.
        could = most + np.array([most[before].sum() for before in self.before], dtype=np.intp)
        self.enough: Ints = np.minimum(np.array(need, dtype=np.intp).reshape(len(could), len(rows)).T, could)
        widest = np.minimum(self.enough.max(axis=0, initial=0), most)
        self.rolls = Rolls(hits, faces, tuple(widest.tolist()), breathe)
        self.sizes: Ints = widest + 1
        self.strides: Ints = np.cumprod(np.array([1, *self.sizes[:-1]], dtype=np.intp))[: len(self.kinds)]
        self.codes = int(np.prod(self.sizes))
        self.local: Ints = np.full(len(targets), -1, dtype=np.intp)
        self.local[self.positions] = np.arange(len(self.positions))

    def counts(self, codes: Ints) -> Ints:
        """How many dice of each kind the rolls with these codes have."""
        return np.asarray(codes[:, None] // self.strides % self.sizes)

    def cut(self, counts: Ints, enough: Ints) -> Ints:
        """The codes of these rolls without redundant dice: those with nothing left to destroy after the dice
        that do at least as much damage and can hit no other groups."""
        kept, useful = np.empty_like(counts), np.empty_like(counts)
        for n, before in enumerate(self.before):
            done = useful[:, before].max(axis=1, initial=0)
            kept[:, n] = np.minimum(counts[:, n], np.maximum(enough[..., n] - done, 0))
            useful[:, n] = kept[:, n] + done
        return np.asarray(kept @ self.strides)

    def onto(self, other: Lineup) -> NDArray[np.intp]:
        """Which kind of `other` each of our kinds becomes when only the groups of `other` are left."""
        led = np.zeros((len(self.kinds), len(other.kinds)), dtype=np.intp)
        for n, kind in enumerate(self.kinds):
            for m, left in enumerate(other.kinds):
                led[n, m] = kind.damage == left.damage and kind.groups & other.groups == left.groups
        return led


class Level:
    """The rows computed for one damage level: the positions themselves, then those with a die to be placed."""

    def __init__(self, low: int, high: int, first: int) -> None:
        self.low, self.high, self.first = low, high, first
        self.placing = self.last = first + high - low
        self.aims: list[Ints] = []
        """For each way number, the rows that placing a die this way leads to; only for rows that have that
        many ways."""
        self.runs: list[Run] = []
        self.reach = first
        """The first row needed by this level or any later one."""


class Run(Struct):
    """Positions with the same number of rolls to consider: the rows the rolls lead to, and their probabilities."""

    positions: Ints
    rows: Ints
    chance: Floats


class Volley:
    """All ships of one type shooting once."""

    def __init__(
        self,
        side: int,
        group: int,
        fleets: tuple[Fleet, Fleet],
        *,
        missiles: bool,
        unit: int,
        ways: int,
        breathe: Breathe,
    ) -> None:
        shooter = fleets[side][group]
        self.side, self.group, self.ruled, self.ships = side, group, shooter.ruled, shooter.n
        self.fleet = fleets[1 - side]
        self.hits = Hits(shooter, shooter.missiles if missiles else shooter.cannons, self.fleet, unit)
        self.breathe = breathe
        self.rule = Rule(self.fleet, ways, breathe)
        self._rooms: dict[str, NDArray[Any]] = {}

    @property
    def row_bytes(self) -> int:
        """The most bytes a row needs during the search: its probabilities, in three copies, and where each
        die leads."""
        ways = 2 * len(self.fleet) + 4
        return 8 * (3 * (self.ships + 1) + 4 * ways)

    @property
    def kept_bytes(self) -> int:
        """The bytes kept for all rows after the search."""
        levels = sum(aim.nbytes for level in self.levels for aim in level.aims)
        runs = sum(run.rows.nbytes + run.chance.nbytes for level in self.levels for run in level.runs)
        own = (self.quiet, self.fatal, self.position, self.chance, self.row, self.next, self.home)
        return levels + runs + sum(array.nbytes for array in own)

    def bind(self, spaces: tuple[Space, ...], most: int) -> None:
        """Prepare for these positions of both fleets; raises `TooLarge` if that needs more than `most` rows."""
        self.targets, shooters = spaces[1 - self.side], spaces[self.side]
        self.shooting: Ints = shooters.alive[:, self.group]
        shape = (len(self.targets), self.ships + 1)
        self.quiet: Floats = np.ones(shape)
        """The probability that nothing changes: target's position, ships shooting."""
        self.fatal: Floats = np.zeros(shape)
        """The probability that everything can be destroyed."""
        standings = {
            int(bits): Lineup(self.hits, self.targets, int(bits), self.breathe)
            for bits in np.unique(self.targets.standing)
            if bits
        }
        self._find(standings, most)
        self._aim(standings)
        self._settle()
        del self._code, self._of, self._next, self._many, self._keys

    def _find(self, standings: dict[int, Lineup], most: int) -> None:
        """Find all positions with all rolls that make a difference in them."""
        positions, codes, chances, of = [], [], [], []
        for bits, standing in standings.items():
            self.breathe()
            caps, which = np.unique(standing.enough, axis=0, return_inverse=True)
            for n, cap in enumerate(caps):
                self.breathe()
                cut = standing.cut(standing.rolls.rolls, cap)
                found, into = np.unique(cut, return_inverse=True)
                chance = np.array(
                    [np.bincount(into.ravel(), p, minlength=len(found)) for p in standing.rolls.chance]
                )
                here = standing.positions[which.ravel() == n]
                self.quiet[here] = chance[:, 0]
                positions.append(np.repeat(here, len(found) - 1))
                codes.append(np.tile(found[1:], len(here)))
                chances.append(np.tile(chance[:, 1:], len(here)))
                of.append(np.full(len(codes[-1]), bits, dtype=np.intp))
                if sum(map(len, codes)) > most:
                    raise TooLarge
        self.position: Ints = np.concatenate(positions)
        self._code: Ints = np.concatenate(codes)
        self.chance: Floats = np.concatenate(chances, axis=1)
        self._of: Ints = np.concatenate(of)

    def _aim(self, standings: dict[int, Lineup]) -> None:
        """Where the first die of every row can go. At this stage the row numbers are: first the positions,
        then the rows of `_find`, last the one in which everything is destroyed."""
        self._dead = len(self.targets) + len(self.position)
        self._keys = {}
        for bits, standing in standings.items():
            rows = np.nonzero(self._of == bits)[0]
            keys = self.position[rows] * standing.codes + self._code[rows]
            order = np.argsort(keys)
            self._keys[bits] = keys[order], rows[order] + len(self.targets)
        self._many: Ints = np.zeros(len(self.position), dtype=np.intp)
        self._next: NDArray[np.int32] = np.zeros((len(self.position), 0), dtype=np.int32)
        for bits, standing in standings.items():
            rows = np.nonzero(self._of == bits)[0]
            if self.ruled:
                self._note(rows, self._by_rule(standing, rows))
                continue
            counts = standing.counts(self._code[rows])
            first = (counts > 0).argmax(axis=1)
            for n, kind in enumerate(standing.kinds):
                mine = first == n
                rest = counts[mine]
                rest[:, n] -= 1
                for group in sorted(kind.groups, key=lambda g: (-SIZES[self.fleet[g].type], g)):
                    self._strike(standings, bits, rows[mine], rest, group, kind.damage)

    def _strike(
        self, standings: dict[int, Lineup], bits: int, rows: Ints, rest: Ints, group: int, damage: int
    ) -> None:
        """Place the first die of these rows on a group in every way; the other dice stay."""
        ways, many = self.targets.step(group, damage)
        here = self.targets.rows[self.position[rows], group]
        for way in range(ways.shape[1]):
            self.breathe()
            some = np.nonzero(many[here] > way)[0]
            led = self.targets.moved(self.position[rows[some]], group, ways[here[some], way])
            onto = np.full(len(some), self._dead, dtype=np.intp)
            for left in (bits, bits & ~(1 << group)):
                those = self.targets.standing[led] == left
                if left and those.any():
                    dice = rest[some[those]]
                    if left != bits:
                        dice = dice @ standings[bits].onto(standings[left])
                    onto[those] = self._row(standings[left], left, led[those], dice)
            self._note(rows[some], onto)

    def _row(self, standing: Lineup, bits: int, positions: Ints, dice: Ints) -> Ints:
        """The rows of these positions with these dice."""
        code = standing.cut(dice, standing.enough[standing.local[positions]])
        keys, rows = self._keys[bits]
        if not len(keys):
            return positions
        at = np.minimum(np.searchsorted(keys, positions * standing.codes + code), len(keys) - 1)
        return np.where(code == 0, positions, rows[at])

    def _by_rule(self, standing: Lineup, rows: Ints) -> Ints:
        """Where the rule leads from these rows, placing all dice at once."""
        counts = standing.counts(self._code[rows])
        onto = np.empty(len(rows), dtype=np.intp)
        for n, (position, roll) in enumerate(zip(self.position[rows], counts.tolist(), strict=True)):
            after = self.rule.after(self.targets.hulls[position], standing.kinds, tuple(roll))
            onto[n] = self.targets.index(after) if any(after) else self._dead
        return onto

    def _note(self, rows: Ints, onto: Ints) -> None:
        if not len(rows):
            return
        if self._many[rows].max() >= self._next.shape[1]:
            self._next = np.hstack([self._next, np.zeros((len(self._next), 1), dtype=np.int32)])
        self._next[rows, self._many[rows]] = onto
        self._many[rows] += 1

    def _settle(self) -> None:
        """Remove rows without a choice. A row with one way equals the row it leads to; a row with a way to
        destroy everything equals that result; rows that lead to the same rows are merged."""
        targets = self.targets
        many, levels = len(targets), targets.levels
        level_of = np.repeat(np.arange(len(levels)), [high - low for low, high in levels])
        same = np.arange(self._dead + 1)
        stage = np.concatenate([level_of, np.zeros(len(self.position) + 1, dtype=np.intp)])
        of = level_of[self.position]
        by_level = np.argsort(of, kind="stable")
        cuts = np.searchsorted(of[by_level], np.arange(len(levels) + 1))
        onto = np.zeros((len(self.position), self._next.shape[1]), dtype=np.intp)
        ways = np.ones(len(self.position), dtype=np.intp)
        for n in range(len(levels)):
            self.breathe()
            rows = by_level[cuts[n] : cuts[n + 1]]
            if not len(rows):
                continue
            led, some = _different(same[self._next[rows]], self._many[rows])
            fatal = (led == self._dead).any(axis=1)
            same[many + rows] = np.where(fatal, self._dead, led[:, 0])
            choice = ~fatal & (some > 1)
            rows, led = rows[choice], led[choice]
            onto[rows], ways[rows] = led, some[choice]
            same[many + rows] = many + rows[_alike(led)]
            stage[many + rows] = stage[led].max(axis=1, initial=0) + 1
        kept = np.nonzero(same[many:-1] == np.arange(many, self._dead))[0]
        kept = kept[np.argsort(stage[many + kept], kind="stable")]
        self._number(same, kept, stage[many + kept], onto, ways)

    def _number(self, same: Ints, kept: Ints, stage: Ints, onto: Ints, ways: Ints) -> None:
        """Number the rows in the order in which they are computed."""
        targets, many = self.targets, len(self.targets)
        number = np.zeros(self._dead + 1, dtype=np.intp)
        number[self._dead] = -1
        ends = np.searchsorted(stage, np.arange(len(targets.levels) + 1))
        self.levels = []
        first = 0
        for n, (low, high) in enumerate(targets.levels):
            level = Level(low, high, first)
            rows = kept[ends[n] : ends[n + 1]]
            number[low:high] = np.arange(first, level.placing)
            # Rows with the most ways first, so that the others can be cut off; then rows that lead to neighbours.
            rows = rows[np.lexsort((*number[onto[rows]].T[::-1], -ways[rows]))]
            level.last = first = level.placing + len(rows)
            number[many + rows] = np.arange(level.placing, level.last)
            led = number[onto[rows]]
            for way in range(int(ways[rows].max(initial=0))):
                level.aims.append(np.ascontiguousarray(led[: np.count_nonzero(ways[rows] > way), way]))
            self.levels.append(level)
        self.rows = first
        self.home: Ints = np.full(first, -1, dtype=np.intp)
        """The position of a row that has no dice left; -1 for the others."""
        self.home[number[:many]] = np.arange(many)
        self.next: Ints = np.zeros((first, onto.shape[1]), dtype=np.intp)
        self.next[number[many + kept]] = number[onto[kept]]
        self._count(number[same[many:-1]])

    def _count(self, rows: Ints) -> None:
        """Compute the probability of each row, from each position."""
        many = len(self.targets)
        gone = rows < 0
        for n in range(self.ships + 1):
            self.fatal[:, n] = np.bincount(self.position[gone], self.chance[n, gone], minlength=many)
        kept = np.nonzero(rows >= 0)[0]
        found, into = np.unique(self.position[kept] * self.rows + rows[kept], return_inverse=True)
        chance = np.array([np.bincount(into.ravel(), p[kept], minlength=len(found)) for p in self.chance])
        positions, self.row = np.divmod(found, self.rows)
        self.chance = chance
        """By ships shooting: the probability of `row`."""
        self.each: Ints = np.bincount(positions, minlength=many)
        """In how many rows a roll can end, by position; `start` is the first of them in `row`."""
        self.start: Ints = np.cumsum(self.each) - self.each
        for level in self.levels:
            reach = [level.first, *(int(aim.min()) for aim in level.aims)]
            here = self.each[level.low : level.high]
            for each in np.unique(here[here > 0]):
                at = level.low + np.nonzero(here == each)[0]
                where = self.start[at][:, None] + np.arange(each)
                level.runs.append(Run(at, self.row[where], chance[:, where]))
                reach.append(int(self.row[where].min()))
            level.reach = min(reach)
        for upper, lower in pairwise(reversed(self.levels)):
            lower.reach = min(lower.reach, upper.reach)

    def place(self, values: Floats, level: Level, base: int, policy: NDArray[np.uint8]) -> None:
        """Compute the values of a level's rows, each die placed optimally for its owner; `base` is the first
        row in `values`."""
        if not level.aims:
            return
        rows = max(1, NUMBERS_AT_ONCE // max(1, values.shape[1]))
        for low in range(0, level.last - level.placing, rows):
            self.breathe()
            self._place(values, level, base, policy, slice(low, low + rows))

    def _place(self, values: Floats, level: Level, base: int, policy: NDArray[np.uint8], some: slice) -> None:
        """The same for some of the rows."""
        first, *others = (aim[some] for aim in level.aims)
        start = level.placing + some.start
        best = values[start - base : start - base + len(first)]
        np.take(values, first - base, axis=0, out=best, mode="clip")
        compare, best_of = (np.greater, np.maximum) if self.side == ATTACKER else (np.less, np.minimum)
        spare = self.room("spare", best.shape)
        better = self.room("better", best.shape, np.uint8)
        for way, aim in enumerate(others, start=1):
            n = len(aim)
            np.take(values, aim - base, axis=0, out=spare[:n], mode="clip")
            compare(spare[:n], best[:n], out=better[:n].view(np.bool_))
            best_of(best[:n], spare[:n], out=best[:n])
            choice = policy[start : start + n]
            np.maximum(
                choice, np.multiply(better[:n], np.uint8(way), out=better[:n]), out=choice
            )  # the last way that was better

    def worth(self, values: Floats, level: Level, base: int, ships: Ints) -> Floats:
        """The value of shooting where it hits, in all positions of a level; `ships` is the number that shoot
        in each column, the most first."""
        found: Floats = np.zeros((level.high - level.low, len(ships)))
        if self.side == ATTACKER:
            found += self.fatal[level.low : level.high][:, ships]
        cuts = [0, *(np.nonzero(np.diff(ships))[0] + 1).tolist(), len(ships)] if len(ships) else []
        for run in level.runs if len(ships) else ():
            at_once = max(1, NUMBERS_AT_ONCE // (run.rows.shape[1] * len(ships)))
            for low in range(0, len(run.rows), at_once):
                self.breathe()
                some = slice(low, low + at_once)
                rows = self.room("spare", (*run.rows[some].shape, len(ships)))
                np.take(values, run.rows[some] - base, axis=0, out=rows, mode="clip")
                for first, last in pairwise(cuts):
                    found[run.positions[some] - level.low, first:last] += np.einsum(
                        "trx,tr->tx", rows[:, :, first:last], run.chance[ships[first]][some]
                    )
        return found

    def room(self, name: str, shape: tuple[int, ...], type: type[np.generic] = np.float64) -> NDArray[Any]:
        """A reusable buffer for numbers: newly allocated memory is slow at first access."""
        if name not in self._rooms or self._rooms[name].size < prod(shape):
            self._rooms[name] = np.empty(prod(shape), dtype=type)
        return self._rooms[name][: prod(shape)].reshape(shape)

    def tidy(self) -> None:
        """Free the buffers."""
        self._rooms.clear()

    def keep(self, columns: Ints) -> None:
        """Allocate the best choice of each row, for these positions of the shooters."""
        self.policy: NDArray[np.uint8] = np.zeros((self.rows, len(columns)), dtype=np.uint8)
        self.column: Ints = np.zeros(len(self.shooting), dtype=np.intp)
        self.column[columns] = np.arange(len(columns))

    def led(self, targets: Ints, shooters: Ints, weight: Floats) -> Iterator[tuple[Ints, Ints, Floats]]:
        """Where hits lead from these positions: the targets' new position, the index of the position it came
        from, and the probability; in pieces of limited size."""
        fatal = weight * self.fatal[targets, self.shooting[shooters]]
        killed = np.nonzero(fatal > 0)[0]
        # Position 0 has no ships left.
        yield np.zeros(len(killed), dtype=np.intp), killed, fatal[killed]
        each = np.where(self.shooting[shooters] > 0, self.each[targets], 0)
        pieces = np.nonzero(np.diff(np.cumsum(each) // AT_ONCE))[0] + 1
        for some in np.split(np.arange(len(targets)), pieces):
            yield self._led(some, targets, shooters, weight, each)

    def _led(
        self, some: Ints, targets: Ints, shooters: Ints, weight: Floats, each: Ints
    ) -> tuple[Ints, Ints, Floats]:
        many = each[some]
        of = np.repeat(some, many)
        at = np.repeat(self.start[targets[some]] - np.cumsum(many) + many, many) + np.arange(len(of))
        share = weight[of] * self.chance[self.shooting[shooters[of]], at]
        likely = np.nonzero(share > 0)[0]
        of, rows, share = of[likely], self.row[at[likely]], share[likely]
        columns = self.column[shooters[of]]
        moving = np.nonzero(self.home[rows] < 0)[0]
        while len(moving):
            here = rows[moving]
            rows[moving] = self.next[here, self.policy[here, columns[moving]]]
            moving = moving[self.home[rows[moving]] < 0]
        return self.home[rows], of, share


def _different(ways: Ints, many: Ints) -> tuple[Ints, Ints]:
    """For each row its distinct ways in order, padded with its first one; and how many there are."""
    again = np.arange(ways.shape[1]) >= many[:, None]
    for way in range(1, ways.shape[1]):
        again[:, way] |= (ways[:, :way] == ways[:, way, None]).any(axis=1)
    order = np.argsort(again, axis=1, kind="stable")
    ways = np.take_along_axis(ways, order, axis=1)
    left = ways.shape[1] - again.sum(axis=1)
    return np.where(np.arange(ways.shape[1]) < left[:, None], ways, ways[:, :1]), left


def _alike(rows: Ints) -> Ints:
    """For each row the number of an identical row, the same for all identical ones."""
    order = np.lexsort(rows.T[::-1])
    fresh = np.ones(len(rows), dtype=bool)
    fresh[1:] = (rows[order[1:]] != rows[order[:-1]]).any(axis=1)
    found = np.empty(len(rows), dtype=np.intp)
    found[order] = order[np.maximum.accumulate(np.where(fresh, np.arange(len(rows)), 0))]
    return found
