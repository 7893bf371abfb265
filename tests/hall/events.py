"""Whole events with drawn places, and a second, exhaustive way to find the fewest rematches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from random import Random

from companion.hall.pairing import Pairing, pair
from companion.hall.standings import HallPlayer, Mode, SeatResult, TableOutcome


def players(count: int) -> list[HallPlayer]:
    return [HallPlayer(str(number), f"Player {number}") for number in range(1, count + 1)]


def played(pairing: Pairing, random: Random) -> Iterator[TableOutcome]:
    """Drawn places, some of them shared, and the byes."""
    for table in pairing.tables:
        places = list(range(1, len(table.players) + 1))
        if random.random() < 0.1:
            places[1] = 1
        random.shuffle(places)
        seats = tuple(SeatResult(*seat) for seat in zip(table.players, places, strict=True))
        yield TableOutcome(pairing.round, str(table.table), seats)
    for number in pairing.byes:
        yield TableOutcome(pairing.round, "", (SeatResult(number, 1),))


def event(
    count: int, rounds: int, mode: Mode, seed: int, *, changes: bool = False, five_allowed: bool = True
) -> Iterator[tuple[list[HallPlayer], list[TableOutcome], Pairing]]:
    """Per round: who there is, all earlier outcomes, the pairing. `changes`: people drop out and enter late."""
    random = Random(f"{count} {rounds} {mode} {seed}")
    known, outcomes = players(count), list[TableOutcome]()
    for round in range(1, rounds + 1):
        if changes and round > 1:
            for gone in random.sample(range(len(known)), random.randint(0, max(1, len(known) // 20))):
                late = HallPlayer(str(len(known) + 1), "Late", since=round)
                one = known[gone]
                known[gone] = HallPlayer(one.number, one.name, dropped=True, since=one.since)
                known.extend([late] * random.randint(0, 1))
        pairing = pair(known, outcomes, mode=mode, round=round, seed=seed, five_allowed=five_allowed)
        yield list(known), list(outcomes), pairing
        outcomes += played(pairing, random)


def meetings(outcomes: Iterable[TableOutcome]) -> Counter[frozenset[str]]:
    """How often each pair has sat at one table."""
    return Counter(
        frozenset(two) for outcome in outcomes for two in combinations((s.player for s in outcome.seats), 2)
    )


def rematches(tables: Iterable[Sequence[str]], met: Counter[frozenset[str]]) -> int:
    """The sum over pairs of their earlier games together, squared."""
    return sum(met[frozenset(two)] ** 2 for table in tables for two in combinations(table, 2))


def fewer_rematches(pairing: Pairing, met: Counter[frozenset[str]]) -> bool:
    """Whether any other tables of these sizes have fewer rematches: all of them are tried, but for those that
    begin with as many."""
    seated = [number for table in pairing.tables for number in table.players]
    sizes = Counter(len(table.players) for table in pairing.tables)
    square = [[met[frozenset((a, b))] ** 2 for b in seated] for a in seated]

    def possible(left: tuple[int, ...], sizes: Counter[int], allowed: int) -> bool:
        if not left:
            return True
        first, others = left[0], left[1:]
        for size in [size for size, tables in sizes.items() if tables]:
            for company in combinations(others, size - 1):
                table = (first, *company)
                cost = sum(square[a][b] for a, b in combinations(table, 2))
                if cost <= allowed:
                    rest = tuple(number for number in others if number not in company)
                    if possible(rest, sizes - Counter([size]), allowed - cost):
                        return True
        return False

    now = rematches([table.players for table in pairing.tables], met)
    return now > 0 and possible(tuple(range(len(seated))), sizes, now - 1)
