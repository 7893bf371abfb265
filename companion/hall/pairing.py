"""Who plays whom in the next round: a pure function of players, earlier outcomes and a seed.

The first round is drawn. Later rounds begin with the standing, cut into tables from the top; then tables that would
repeat a game exchange players with near tables while that lowers the cost. Up to 16 players are shared out exactly:
no pairing has a lower cost.

The cost, most important first: rematches (per pair the square of their earlier games together), seats more than
one from fair, differences of points at a table, seats had before.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, permutations
from random import Random
from typing import Literal

from msgspec import Struct

from companion.hall.standings import HallPlayer, Mode, TableOutcome, standing

EXACT = 16
"""So many players are shared out exactly."""
ATTEMPTS = 1_500
"""How often, at most, the players of two tables are shared out."""
REMATCH, UNFAIR, APART = 10**15, 10**12, 10**4
"""What each part of the cost weighs: of 16 players, all that weighs less adds up to less."""
ReasonKind = Literal[
    "drawn", "near", "apart", "rematch", "seat-again", "new", "three", "two", "five", "bye", "too-few"
]


class Reason(Struct, frozen=True):
    """Why somebody sits where they sit, as data.

    `drawn`: nobody has played yet. `near`: these have from `low` to `high` (wins in heats, else points). `apart`: by
    their points these two would sit together, but have met `count` times. `rematch`: these two have met `count`
    times; up to 16 players that cannot be avoided. `seat-again`: this player now has this seat for the `count`th
    time, which is more than fair. `new`: a late entry. `three`, `two`, `five`: so many sit at the table, because of
    the number of players. `bye`: had `count` byes before, as few as anybody. `too-few`: nobody is left to play with.
    """

    kind: ReasonKind
    players: tuple[str, ...] = ()
    count: int = 0
    low: float = 0.0
    high: float = 0.0


class PairedTable(Struct, frozen=True):
    """`players` in the order of seats."""

    table: int
    players: tuple[str, ...]
    reasons: tuple[Reason, ...] = ()


class Pairing(Struct, frozen=True):
    """A round. `rematches`: the sum over pairs of their earlier games together, squared."""

    round: int
    seed: int
    tables: tuple[PairedTable, ...]
    byes: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    """Why there are byes."""
    rematches: int = 0


def table_sizes(players: int, *, five_allowed: bool = True) -> tuple[int, ...]:
    """As many fours as possible, the rest threes. Two play together; five play together, or as four."""
    if players < 2:
        return ()
    if players == 2:
        return (2,)
    if players == 5:
        return (5,) if five_allowed else (4,)
    threes = -players % 4
    return (4,) * ((players - 3 * threes) // 4) + (3,) * threes


def pair(
    players: Sequence[HallPlayer],
    outcomes: Iterable[TableOutcome],
    *,
    mode: Mode,
    round: int,
    seed: int,
    five_allowed: bool = True,
) -> Pairing:
    """The tables of a round, for everybody who is there. Same arguments, same pairing."""
    random = Random(f"{seed}/{round}")
    earlier = [outcome for outcome in outcomes if outcome.round < round]
    here = sorted(
        (player for player in players if not player.dropped and player.since <= round),
        key=lambda player: player.number,
    )
    random.shuffle(here)
    rows = standing(players, earlier, mode)
    level = {row.number: row.wins if mode == "heats" else row.points for row in rows}
    best = {row.number: row.place for row in rows}
    ordered = sorted((player.number for player in here), key=lambda number: best[number])
    history = _History(earlier, level, random)
    byes, reasons = _byes(ordered, earlier, five_allowed)
    ordered = [number for number in ordered if number not in byes]
    groups = _cut(ordered, table_sizes(len(ordered), five_allowed=five_allowed))
    by_points = {number: group for group in groups for number in group}
    groups = history.improved(groups)
    new = {player.number for player in here if player.since == round > 1}
    tables = tuple(
        PairedTable(n, seated, tuple(history.reasons(seated, by_points, new)))
        for n, seated in enumerate(map(history.seated, groups), 1)
    )
    rematches = sum(history.rematches(group) for group in groups)
    return Pairing(round, seed, tables, byes, reasons, rematches)


def _byes(
    ordered: Sequence[str], earlier: Iterable[TableOutcome], five_allowed: bool
) -> tuple[tuple[str, ...], tuple[Reason, ...]]:
    """Nobody gets a second bye before everybody here had one; among equals, who stands lowest."""
    if not (len(ordered) == 1 or (len(ordered) == 5 and not five_allowed)):
        return (), ()
    had = Counter(outcome.seats[0].player for outcome in earlier if len(outcome.seats) == 1)
    number = min(reversed(ordered), key=lambda number: had[number])
    kind: ReasonKind = "too-few" if len(ordered) == 1 else "bye"
    return (number,), (Reason(kind, (number,), had[number]),)


def _cut(ordered: Sequence[str], sizes: Iterable[int]) -> list[tuple[str, ...]]:
    groups, begin = [], 0
    for size in sizes:
        groups.append(tuple(ordered[begin : begin + size]))
        begin += size
    return groups


_SIZES: dict[int, ReasonKind] = {2: "two", 3: "three", 5: "five"}


@lru_cache(100_000)
def _cheapest_order(rows: tuple[tuple[int, ...], ...]) -> tuple[int, tuple[int, ...]]:
    """The cheapest order of seats, of what each seat costs everybody; its cost."""
    seats = range(len(rows))
    return min(
        (sum([rows[who][seat] for seat, who in enumerate(order)]), order) for order in permutations(seats)
    )


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found


class _History:
    """What earlier rounds make a table cost."""

    def __init__(self, earlier: Sequence[TableOutcome], level: dict[str, float], random: Random) -> None:
        self.drawn = not earlier
        self.level = level
        self.met: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.seats: defaultdict[str, list[int]] = defaultdict(lambda: [0] * 5)
        self.shares: defaultdict[str, list[float]] = defaultdict(lambda: [0.0] * 5)
        """How often everybody should have had each seat: a share per table that had it."""
        self._order = {number: random.random() for number in sorted(level)}
        self._rows: dict[tuple[str, int], tuple[int, ...]] = {}
        for outcome in earlier:
            together = [seat.player for seat in outcome.seats]
            if len(together) < 2:
                continue
            for seat, number in enumerate(together[:5]):
                self.met[number].update(other for other in together if other != number)
                self.seats[number][seat] += 1
                for any_seat in range(min(5, len(together))):
                    self.shares[number][any_seat] += 1 / len(together)

    def rematches(self, group: Sequence[str]) -> int:
        """The sum over pairs of their earlier games together, squared."""
        return sum(
            [self.met[one][other] ** 2 for one, other in combinations(group, 2) if other in self.met[one]]
        )

    def seated(self, group: Sequence[str]) -> tuple[str, ...]:
        """The group in the fairest order of seats; among equally fair ones, drawn."""
        return self._seating(group)[1]

    def cost(self, group: Sequence[str]) -> int:
        """Of one table; rematches count more than all unfair seats, those more than all points, those more than
        all seats had before."""
        levels = [self.level[number] for number in group]
        apart = (
            sum([round(4 * (a - b)) ** 2 for a, b in combinations(levels, 2)]) if len(set(levels)) > 1 else 0
        )
        return self.rematches(group) * REMATCH + self._seating(group)[0] + apart * APART

    def _seating(self, group: Sequence[str]) -> tuple[int, tuple[str, ...]]:
        """Unfair seats times `UNFAIR` and seats had before; the order."""
        drawn = sorted(group, key=self._order.__getitem__)
        size = len(drawn)
        cost, order = _cheapest_order(tuple([self._row(number, size) for number in drawn]))
        return cost, tuple([drawn[who] for who in order])

    def _row(self, number: str, size: int) -> tuple[int, ...]:
        """What each seat costs this player."""
        row = self._rows.get((number, size))
        if row is None:
            row = tuple([self._seat_cost(number, seat, size) for seat in range(size)])
            self._rows[number, size] = row
        return row

    def _seat_cost(self, number: str, seat: int, size: int) -> int:
        """Unfair: once more than their share of this seat, and more than one."""
        if number not in self.seats:
            return 0
        had = self.seats[number][seat]
        unfair = had + 1 - (self.shares[number][seat] + 1 / size) > 1 + 1e-9
        return 2 * had + 1 + unfair * UNFAIR

    def reasons(
        self, seated: Sequence[str], by_points: Mapping[str, Sequence[str]], new: Container[str]
    ) -> Iterator[Reason]:
        """Of one table; `by_points` says who everybody would sit with by the order of points."""
        if size := _SIZES.get(len(seated)):
            yield Reason(size)
        if self.drawn:
            yield Reason("drawn", tuple(seated))
            return
        levels = [self.level[number] for number in seated]
        yield Reason("near", tuple(seated), low=min(levels), high=max(levels))
        for number in seated:
            if number in new:
                yield Reason("new", (number,))
            for other in by_points[number]:
                if self.met[number][other] and other not in seated:
                    yield Reason("apart", (number, other), self.met[number][other])
        for number, other in combinations(seated, 2):
            if self.met[number][other]:
                yield Reason("rematch", (number, other), self.met[number][other])
        for seat, number in enumerate(seated):
            if self._seat_cost(number, seat, len(seated)) >= UNFAIR:
                yield Reason("seat-again", (number,), self.seats[number][seat] + 1)

    def improved(self, groups: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """Exchange players between tables while that lowers the cost of troubled ones, where somebody meets
        again or has an unfair seat: nearest tables first."""
        costs = [self.cost(group) for group in groups]
        if max(costs, default=0) < UNFAIR:
            return groups
        if sum(map(len, groups)) <= EXACT:
            return self._shared_out([number for group in groups for number in group])
        attempts, better = ATTEMPTS, True
        while better:
            better = False
            for away in range(1, len(groups)):
                troubled = [n for n, cost in enumerate(costs) if cost >= UNFAIR]
                if not troubled or attempts <= 0:
                    return groups
                for one in troubled:
                    for high, low in ((one - away, one), (one, one + away)):
                        if high < 0 or low >= len(groups) or costs[one] < UNFAIR:
                            continue
                        attempts -= 1
                        shared = self._shared_out([*groups[high], *groups[low]])
                        then = [self.cost(group) for group in shared]
                        if sum(then) < costs[high] + costs[low]:
                            (groups[high], groups[low]), (costs[high], costs[low]) = shared, then
                            better = True
        return groups

    def _shared_out(self, numbers: Sequence[str]) -> list[tuple[str, ...]]:
        """The cheapest tables for these players, exactly: the first player of those left over takes every possible
        company, and what is left is solved once."""
        whole = (1 << len(numbers)) - 1
        costs: dict[int, int] = {}

        def table_cost(mask: int) -> int:
            cost = costs.get(mask)
            if cost is None:
                cost = costs[mask] = self.cost([numbers[n] for n in _bits(mask)])
            return cost

        @cache
        def best(left: int) -> tuple[int, int]:
            """(cost, the table of the first player left)."""
            count = left.bit_count()
            found = (1 << 200, 0)
            for size in sorted(set(table_sizes(count))):
                first, *others = _bits(left)
                for company in combinations(others, size - 1):
                    mask = 1 << first
                    for other in company:
                        mask |= 1 << other
                    cost = table_cost(mask) + (best(left ^ mask)[0] if left != mask else 0)
                    if cost < found[0]:
                        found = (cost, mask)
            return found

        left, masks = whole, []
        while left:
            masks.append(best(left)[1])
            left ^= masks[-1]
        groups = [tuple(numbers[n] for n in _bits(mask)) for mask in masks]
        return sorted(groups, key=lambda group: (-len(group), min(map(numbers.index, group))))
