"""The exact solution of a battle: optimal play found backwards from the ends, then followed forwards to the
survivors.

Damage only grows, so a battle moves through the positions of both fleets in one direction. Only a round
without any hit leads back to the same position; such rounds are summed as a geometric series, so nothing is
iterated and nothing is cut off. All values are the attacker's chance to win: the attacker maximises it, the
defender minimises it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from companion.games.eclipse.odds_damage import MANY_HULLS, MANY_WAYS, Space, ruled_space, space, struck
from companion.games.eclipse.odds_dice import (
    DAMAGE,
    Breathe,
    Fleet,
    Floats,
    Hull,
    Ints,
    Rolls,
    TooLarge,
    in_units,
    on_and_on,
)
from companion.games.eclipse.odds_room import MOST
from companion.games.eclipse.odds_volley import ATTACKER, DEFENDER, Level, Volley

LARGEST = 400_000_000
"""The limit on rows times positions of the shooters; more would take too long, and each needs a byte."""
ROOM = 1_000_000
"""How many values are kept for one type's rows, unless more are needed at once."""
MANY_ROWS = 1_500_000
"""The limit on positions of one volley with dice to be placed, before those without a choice are removed."""
MANY_RULED = 6_000
"""The limit on positions of a fleet that is shot at by the rule (page 19): these are found one by one."""
MANY_BLOCKS = 50_000
"""The limit on damage levels of both fleets times volleys: each has a fixed cost, however few positions it has."""
WORK = 40 << 20
"""The byte budget for values compared, summed or followed at once; less where fewer are needed."""
WORK_OF_A_ROW = 72
DIGITS = 13
"""Values are rounded to this many digits; otherwise noise would decide between equally good placements of a die."""
CERTAIN = 1 - 1e-12


class Ends(Struct):
    """How a battle can end: the probability of each final position of the surviving fleet."""

    attacker_wins: dict[Hull, float]
    defender_wins: dict[Hull, float]
    stalemate: float = 0.0


class Columns:
    """The positions of a volley's shooters in which any are left, those with the most ships first."""

    def __init__(self, volley: Volley, low: int, high: int, met: NDArray[np.bool_] | None = None) -> None:
        alive = volley.shooting[low:high] if met is None else volley.shooting[low:high] * met
        order = np.argsort(-alive, kind="stable")[: np.count_nonzero(alive)]
        self.positions: Ints = order + low
        self.ships: Ints = alive[order]


def table_shape(volley: Volley, columns: int) -> tuple[int, int]:
    """The shape of the table of a volley's row values that is kept at once, for so many positions of the shooters."""
    widest = max((level.last - level.reach for level in volley.levels), default=0)
    return min(volley.rows, max(widest * 9 // 8, ROOM // max(1, columns))), columns


class ChanceTable:
    """The values of a volley's rows that are still needed, for these positions of the shooters."""

    def __init__(self, volley: Volley, columns: Columns, policy: NDArray[np.uint8]) -> None:
        self.volley, self.columns, self.policy = volley, columns, policy
        self.values: Floats = volley.room("values", table_shape(volley, len(columns.positions)))
        self.base = 0

    def worth(self, level: Level, onto: Floats) -> None:
        """Place the dice of this level, and write the resulting values into the columns of all who may shoot."""
        if level.last - self.base > len(self.values):
            shift = level.reach - self.base
            for first in range(0, level.first - level.reach, shift):
                last = min(first + shift, level.first - level.reach)
                self.values[first:last] = self.values[first + shift : last + shift]
            self.base = level.reach
        self.volley.place(self.values, level, self.base, self.policy)
        onto[:, self.columns.positions] = self.volley.worth(self.values, level, self.base, self.columns.ships)

    def settle(self, level: Level, after: Floats) -> None:
        """Store the values after this volley, now that they are known, for the rows without dice."""
        self.values[level.first - self.base : level.placing - self.base] = after[:, self.columns.positions]


class Battle:
    """Two fleets, every position they can reach, and the best play in each."""

    def __init__(
        self,
        fleets: tuple[Fleet, Fleet],
        left: tuple[Hull, Hull],
        largest: int = LARGEST,
        room: int = MOST,
        breathe: Breathe = on_and_on,
    ) -> None:
        self.fleets = fleets
        self._breathe = breathe
        self._largest = largest
        self._room = room
        self._most = min(MANY_HULLS, largest // 5_000)  # so that the search stays within its time limit
        # Damages of cannons, and of all weapons, to each side; hit points are counted in the smallest damage.
        cannons = [frozenset(_damages(fleets[1 - side], missiles=False)) for side in (ATTACKER, DEFENDER)]
        weapons = [
            cannons[side] | frozenset(_damages(fleets[1 - side], missiles=True))
            for side in (ATTACKER, DEFENDER)
        ]
        opening = tuple(min(damages, default=1) for damages in weapons)
        rounds = tuple(min(cannons[side], default=opening[side]) for side in (ATTACKER, DEFENDER))
        self.start = tuple(in_units(hull, unit) for hull, unit in zip(left, opening, strict=True))
        self.missiles = self._volleys(opening, missiles=True)
        self.opening = tuple(
            self._space(side, [self.start[side]], self.missiles, weapons[side], opening[side])
            for side in (ATTACKER, DEFENDER)
        )
        self.cannons = self._volleys(rounds, missiles=False)
        # Hit points in units of the cannons, after the missiles.
        self.entry = tuple(
            [in_units(hull, rounds[side] // opening[side]) for hull in self.opening[side].hulls]
            for side in (ATTACKER, DEFENDER)
        )
        self.spaces = tuple(
            self._space(side, self.entry[side], self.cannons, cannons[side], rounds[side])
            for side in (ATTACKER, DEFENDER)
        )

    def _volleys(self, units: tuple[int, ...], *, missiles: bool) -> list[Volley]:
        """The volleys in order (page 18): by initiative, on a tie the defender first."""
        armed = [
            (-group.init, -side, n, side)
            for side, fleet in enumerate(self.fleets)
            for n, group in enumerate(fleet)
            if any(group.missiles if missiles else group.cannons)
        ]
        return [
            Volley(
                side,
                group,
                self.fleets,
                missiles=missiles,
                unit=units[1 - side],
                ways=min(MANY_WAYS, self._largest // 400),
                breathe=self._breathe,
            )
            for _, _, group, side in sorted(armed)
        ]

    def _space(
        self, side: int, starts: Iterable[Hull], volleys: list[Volley], damages: frozenset[int], unit: int
    ) -> Space:
        """The positions of a fleet that these volleys can lead to, if these are the damages still to come."""
        enemies = [volley for volley in volleys if volley.side != side]
        dice = frozenset(damage // unit for damage in damages)
        if not any(group.ruled for group in self.fleets[1 - side]):
            return space(self.fleets[side], starts, dice, self._most, self._breathe)
        rolls = []
        for volley in enemies:
            if volley.ruled:
                faces = volley.hits.among(frozenset(range(len(self.fleets[side]))))
                most = tuple(volley.ships * volley.hits.dice[kind.damage] for kind in faces)
                rolls.append(
                    (volley, tuple(faces), Rolls(volley.hits, faces, most, self._breathe).rolls.tolist())
                )

        def onto(hull: Hull) -> Iterator[Hull]:
            for volley, kinds, found in rolls:
                for roll in found:
                    yield volley.rule.after(hull, kinds, tuple(roll))
            for volley in enemies:
                for damage in () if volley.ruled else volley.hits.dice:
                    for n, ships in enumerate(hull):
                        yield from ((*hull[:n], way, *hull[n + 1 :]) for way in struck(ships, damage))

        return ruled_space(starts, onto, min(self._most, MANY_RULED), self._breathe)

    def solve(self) -> float:
        """The attacker's chance to win if both sides place their dice optimally; raises `TooLarge`."""
        attackers, defenders = self.spaces
        blocks = len(attackers.levels) * len(defenders.levels) * len(self.cannons)
        if len(attackers) * len(defenders) > self._largest or blocks > MANY_BLOCKS:
            raise TooLarge
        # The minimum: the values, and the probability of arriving before each volley.
        needed = 8 * len(attackers) * len(defenders) * (1 + max(1, len(self.cannons)))
        size = 0
        for volleys, spaces in ((self.cannons, self.spaces), (self.missiles, self.opening)):
            for volley in volleys:
                if needed > self._room:
                    raise TooLarge
                rows = (self._room - needed) // volley.row_bytes
                volley.bind(spaces, min(MANY_ROWS, self._largest // 100, rows))
                policy = volley.rows * int(np.count_nonzero(volley.shooting))
                needed += volley.kept_bytes + policy
                size += policy
                if size > self._largest:
                    raise TooLarge
        if needed + min(WORK, WORK_OF_A_ROW * size) + self._table_bytes() > self._room:
            raise TooLarge
        self.value = np.zeros((len(attackers), len(defenders)))
        self.value[np.ix_(attackers.left > 0, defenders.left == 0)] = 1.0
        self._rounds()
        self.entries = tuple(
            np.array([space.index(hull) for hull in hulls], dtype=np.intp)
            for space, hulls in zip(self.spaces, self.entry, strict=True)
        )
        value = self.value[np.ix_(*self.entries)]
        for volley in reversed(self.missiles):
            value = self._opened(volley, value)
        at = tuple(space.index(start) for space, start in zip(self.opening, self.start, strict=True))
        for volley in (*self.cannons, *self.missiles):
            volley.tidy()
        del self.value
        return float(value[at])

    def _table_bytes(self) -> int:
        """Memory needed only while solving: the values of rows, and of one level of the attacker's positions."""
        attackers, defenders = self.spaces
        widest = max(high - low for low, high in attackers.levels)
        levels = 8 * widest * len(defenders) * (len(self.cannons) + 2)
        for volley in self.cannons:
            columns = widest if volley.side == ATTACKER else int(np.count_nonzero(volley.shooting))
            levels += 8 * prod(table_shape(volley, columns))
        # Everything except the values is freed before the arrival probabilities are allocated.
        arrived = 8 * len(attackers) * len(defenders) * max(1, len(self.cannons))
        opened = max((8 * ROOM for _ in self.missiles), default=0)
        return max(0, max(levels, opened) - arrived)

    def _opened(self, volley: Volley, after: Floats) -> Floats:
        """The values before a volley of missiles, given those after it."""
        turned = after.T if volley.side == ATTACKER else after  # target's position, shooter's position
        columns = Columns(volley, 0, len(volley.shooting), self._met(volley))
        volley.keep(columns.positions)
        before = turned.copy()
        at_once = max(1, ROOM // max(1, volley.rows))
        for first in range(0, len(columns.positions), at_once):
            some = slice(first, first + at_once)
            positions, ships = columns.positions[some], columns.ships[some]
            values = volley.room("values", (volley.rows, len(positions)))
            for level in volley.levels:
                volley.place(values, level, 0, volley.policy[:, some])
                values[level.first : level.placing] = turned[level.low : level.high, positions]
                if self.opening[1 - volley.side].left[level.low] > 0:
                    quiet = volley.quiet[level.low : level.high][:, ships]
                    before[level.low : level.high, positions] = (
                        volley.worth(values, level, 0, ships)
                        + quiet * turned[level.low : level.high, positions]
                    )
        return np.asarray(before.T if volley.side == ATTACKER else before)

    def _met(self, volley: Volley) -> NDArray[np.bool_]:
        """Which positions the shooters of these missiles can be in at that time."""
        space = self.opening[volley.side]
        met = np.zeros(len(space), dtype=bool)
        met[space.index(self.start[volley.side])] = True
        for earlier in self.missiles[: self.missiles.index(volley)]:
            if earlier.side == volley.side:
                continue
            if earlier.ruled:
                return np.ones(len(space), dtype=bool)
            for _ in range(sum(earlier.hits.dice.values()) * earlier.ships):
                met = np.logical_or.reduce([met, *(space.hit(met, damage) for damage in earlier.hits.dice)])
        return met

    def _rounds(self) -> None:
        """Compute the values after every volley of a round for all positions, those with the fewest hit
        points left first."""
        attackers, defenders = self.spaces
        tables = {}
        for n, volley in enumerate(self.cannons):
            if volley.side == DEFENDER:
                columns = Columns(volley, 0, len(defenders))
                volley.keep(columns.positions)
                tables[n] = ChanceTable(volley, columns, volley.policy)
            else:
                volley.keep(
                    np.concatenate([Columns(volley, low, high).positions for low, high in attackers.levels])
                )
        widest = max(high - low for low, high in attackers.levels)
        room = np.empty((len(self.cannons), widest, len(defenders)))
        for at, (low, high) in enumerate(attackers.levels):
            after = room[:, : high - low]
            after[:] = self.value[low:high]
            answers = {}
            for n, table in tables.items():
                worth = np.zeros((high - low, len(defenders)))
                table.worth(table.volley.levels[at], worth)
                answers[n] = worth
            if attackers.left[low] > 0:
                self._against(low, high, answers, after)
                self.value[low:high] = after[-1] if len(after) else 0.0
            for n, table in tables.items():
                table.settle(table.volley.levels[at], after[n])

    def _against(self, low: int, high: int, answers: dict[int, Floats], after: Floats) -> None:
        """Solve all positions of the defender against these of the attacker: the values `after` each volley."""
        defenders = self.spaces[DEFENDER]
        tables = {}
        for n, volley in enumerate(self.cannons):
            if volley.side == ATTACKER:
                columns = Columns(volley, low, high)
                columns.positions -= low
                first = int(volley.column[columns.positions[0] + low]) if len(columns.positions) else 0
                policy = volley.policy[:, first : first + len(columns.positions)]
                tables[n] = ChanceTable(volley, columns, policy)
        for at, (first, last) in enumerate(defenders.levels):
            worths: list[Floats] = []
            quiet: list[Floats] = []
            for n, volley in enumerate(self.cannons):
                if volley.side == DEFENDER:
                    worths.append(answers[n][:, first:last].T)
                    quiet.append(volley.quiet[low:high][:, volley.shooting[first:last]].T)
                else:
                    worth = np.zeros((last - first, high - low))
                    tables[n].worth(volley.levels[at], worth)
                    worths.append(worth)
                    quiet.append(volley.quiet[first:last][:, volley.shooting[low:high]])
            if defenders.left[first] > 0:
                self._solved(after[:, :, first:last], worths, quiet)
            for n, table in tables.items():
                table.settle(table.volley.levels[at], after[n][:, first:last].T)

    @staticmethod
    def _solved(after: Floats, worths: list[Floats], quiet: list[Floats]) -> None:
        """The values after each volley, from the volleys' values and their probabilities of changing nothing."""
        shape = after.shape[:0:-1]
        total, all_quiet = np.zeros(shape), np.ones(shape)
        for worth, still in zip(worths, quiet, strict=True):
            total += all_quiet * worth
            all_quiet = all_quiet * still
        # If nobody can shoot, the attacker loses (page 20).
        value: Floats = np.divide(total, 1 - all_quiet, out=np.zeros_like(total), where=all_quiet < CERTAIN)
        for n in range(len(after) - 1, -1, -1):
            value = np.asarray(np.round(value, DIGITS), dtype=np.float64)
            after[n] = value.T
            value = worths[n] + quiet[n] * value

    def ends(self) -> Ends:
        """How the battle can end under optimal play; call `solve` first."""
        attackers, defenders = self.spaces
        a, d = (
            np.array([space.index(start)], dtype=np.intp)
            for space, start in zip(self.opening, self.start, strict=True)
        )
        mass = np.ones(1)
        for volley in self.missiles:
            a, d, mass = self._fired(volley, a, d, mass)
        arrived = np.zeros((max(len(self.cannons), 1), len(attackers) * len(defenders)))
        start = self.entries[ATTACKER][a] * len(defenders) + self.entries[DEFENDER][d]
        np.add.at(arrived[0], start, mass)
        ends = Ends({}, {})
        for pairs in self._downhill(arrived):
            self._pass(pairs, arrived, ends)
        return ends

    def _fired(self, volley: Volley, a: Ints, d: Ints, mass: Floats) -> tuple[Ints, Ints, Floats]:
        """The positions a volley of missiles leads to from these positions, with probabilities."""
        shooters, targets = (a, d) if volley.side == ATTACKER else (d, a)
        many = len(volley.shooting)
        still = mass * volley.quiet[targets, volley.shooting[shooters]]
        after: Floats = np.zeros(many * len(volley.targets))
        np.add.at(after, targets * many + shooters, still)
        for onto, of, share in volley.led(targets, shooters, mass):
            np.add.at(after, onto * many + shooters[of], share)
        reached = np.nonzero(after)[0]
        targets, shooters = np.divmod(reached, many)
        return (
            (shooters, targets, after[reached])
            if volley.side == ATTACKER
            else (targets, shooters, after[reached])
        )

    def _downhill(self, arrived: Floats) -> Iterator[Ints]:
        """Reached positions, grouped by the number of hit points left, the most first."""
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
                self._breathe()
                yield pairs

    def _pass(self, pairs: Ints, arrived: Floats, ends: Ends) -> None:
        """Move the probability that arrives in these positions on to others, or end there."""
        attackers, defenders = self.spaces
        a, d = np.divmod(pairs, len(defenders))
        quiet = [
            v.quiet[d, v.shooting[a]] if v.side == ATTACKER else v.quiet[a, v.shooting[d]]
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
        # How often each volley is shot from here, including rounds without effect.
        flow = np.zeros(len(pairs))
        for n, q in enumerate(quiet):
            flow = (flow + arrived[n, pairs]) * q
        flow = flow / (1 - still)
        for n, volley in enumerate(self.cannons):
            shot = flow + arrived[n, pairs]
            targets, shooters = (d, a) if volley.side == ATTACKER else (a, d)
            for led, of, share in volley.led(targets, shooters, shot):
                onto = (
                    a[of] * len(defenders) + led if volley.side == ATTACKER else led * len(defenders) + d[of]
                )
                np.add.at(arrived[(n + 1) % len(self.cannons)], onto, share)
            flow = shot * quiet[n]

    def _end(self, ends: Ends, a: int, d: int, chance: float) -> None:
        attackers, defenders = self.spaces
        if defenders.left[d] == 0 and attackers.left[a] > 0:
            kind, hull = ends.attacker_wins, attackers.hulls[a]
        else:
            kind, hull = ends.defender_wins, defenders.hulls[d]
            if attackers.left[a] > 0:
                ends.stalemate += chance
        kind[hull] = kind.get(hull, 0.0) + chance


def _damages(fleet: Fleet, *, missiles: bool) -> set[int]:
    weapons = [group.missiles if missiles else group.cannons for group in fleet]
    return {DAMAGE[colour] for dice in weapons for colour in range(3) if dice[colour]}
