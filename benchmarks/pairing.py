"""Pairings of whole events: time, rematches, fair seats, laws: `python benchmarks/pairing.py`."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from pathlib import Path

sys.path[0] = str(Path(__file__).parent.parent)

from benchmarks.report import reported  # noqa: E402
from companion.hall.pairing import EXACT, Pairing, pair, table_sizes  # noqa: E402
from companion.hall.standings import HallPlayer, Mode, TableOutcome  # noqa: E402
from tests.hall.events import event, fewer_rematches, meetings, rematches  # noqa: E402

ROUNDS = 8
SIZES = (7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 24, 31, 32, 60, 100, 250, 500, 1000, 2000)
MODES: tuple[Mode, ...] = ("heats", "pods")


def broken_laws(
    known: list[HallPlayer], outcomes: list[TableOutcome], pairing: Pairing, mode: Mode, seed: int
) -> list[str]:
    """Which laws this pairing breaks."""
    here = {player.number for player in known if not player.dropped and player.since <= pairing.round}
    tables = [table.players for table in pairing.tables]
    laws = {
        "everybody once": sorted([n for table in tables for n in table] + list(pairing.byes)) == sorted(here),
        "sizes": sorted(map(len, tables), reverse=True) == list(table_sizes(len(here))),
        "rematches told": rematches(tables, meetings(outcomes)) == pairing.rematches,
        "same seed": pair(known, outcomes, mode=mode, round=pairing.round, seed=seed) == pairing,
    }
    return [law for law, holds in laws.items() if not holds]


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=1, help="events per number of players, mode and kind")
    options = parser.parse_args()
    print(
        f"Events of {ROUNDS} rounds; places drawn, one table in ten with a tie; {options.events} events each of "
        "heats and of pods, with everybody staying and with people dropping out and entering late.\n"
    )
    print(
        "Rematches: per pair the square of earlier games together, all rounds up to this one. Unfair seats:"
    )
    print(
        "seats somebody had more than once beyond their share, of all seats of all rounds. Times: of the processor.\n"
    )
    print(
        "| players | rematches, 3 rounds | 5 rounds | 8 rounds | fewer exist | unfair seats | slowest pairing |"
    )
    print("|---|---|---|---|---|---|---|")
    broken: set[str] = set()
    for count in SIZES:
        worst, unfair, seats, checked, fewer = 0.0, 0, 0, 0, 0
        after: dict[int, list[int]] = {3: [], 5: [], 8: []}
        for mode in MODES:
            for changes in (False, True):
                for seed in range(options.events):
                    total = 0
                    for known, outcomes, pairing in event(count, ROUNDS, mode, seed, changes=changes):
                        broken.update(broken_laws(known, outcomes, pairing, mode, seed))
                        began = time.process_time()
                        pair(known, outcomes, mode=mode, round=pairing.round, seed=seed)
                        worst = max(worst, time.process_time() - began)
                        total += pairing.rematches
                        if pairing.round in after:
                            after[pairing.round].append(total)
                        reasons = [reason.kind for table in pairing.tables for reason in table.reasons]
                        unfair += reasons.count("seat-again")
                        seated = sum(len(table.players) for table in pairing.tables)
                        seats += seated
                        if seated <= EXACT:
                            checked += 1
                            fewer += fewer_rematches(pairing, meetings(outcomes))
        print(
            f"| {count:,} | {' | '.join(_span(totals) for totals in after.values())} "
            f"| {f'{fewer} of {checked}' if checked else 'not known'} | {unfair} of {seats:,} | {worst:.2f} s |",
            flush=True,
        )
    print(
        f"\nLaws broken: {', '.join(sorted(broken)) or 'none'} (everybody once, sizes, same seed same pairing)."
    )
    print(
        f"*Fewer exist*: pairings of up to {EXACT} players for which the exhaustive search found fewer rematches."
    )
    return 1 if broken else 0


def _span(totals: list[int]) -> str:
    low, high = min(totals), max(totals)
    return str(low) if low == high else f"{low} to {high}"


if __name__ == "__main__":
    sys.exit(reported(main))
