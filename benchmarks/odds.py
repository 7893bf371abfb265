"""How long the odds of battles take: `python benchmarks/odds.py`."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path[0] = str(Path(__file__).parent.parent)  # run as a script, scoring.py here would hide the package

from companion.games.eclipse.odds import odds  # noqa: E402
from companion.games.eclipse.odds_dice import DiceGroup, Fleet  # noqa: E402

NONE = (0, 0, 0)
FLEETS: dict[str, Fleet] = {
    "6 ships as printed": (
        DiceGroup("int", 3, 3, 0, 0, 0, (1, 0, 0)),
        DiceGroup("cru", 2, 2, 1, 1, 0, (1, 0, 0)),
        DiceGroup("dre", 1, 1, 2, 1, 0, (2, 0, 0)),
    ),
    "6 ships, hulls and shields": (
        DiceGroup("int", 3, 3, 1, 0, 0, (1, 0, 0)),
        DiceGroup("cru", 2, 2, 3, 1, 1, (2, 0, 0)),
        DiceGroup("dre", 1, 1, 5, 1, 1, (3, 0, 0)),
    ),
    "6 ships, two colours of dice": (
        DiceGroup("int", 3, 3, 1, 0, 0, (1, 0, 0)),
        DiceGroup("cru", 2, 2, 3, 1, 0, (1, 1, 0)),
        DiceGroup("dre", 1, 1, 5, 1, 0, (0, 2, 0)),
    ),
    "6 ships, two colours, three shields": (
        DiceGroup("int", 3, 3, 1, 0, 0, (1, 0, 0)),
        DiceGroup("cru", 2, 2, 3, 1, 1, (1, 1, 0)),
        DiceGroup("dre", 1, 1, 5, 1, 2, (0, 2, 0)),
    ),
    "6 ships with missiles": (
        DiceGroup("cru", 4, 3, 2, 1, 0, (1, 0, 0), (0, 2, 0)),
        DiceGroup("dre", 2, 3, 3, 1, 0, (2, 0, 0), (0, 2, 0)),
    ),
    "6 large ships": (
        DiceGroup("cru", 4, 3, 3, 1, 0, (1, 0, 0), NONE),
        DiceGroup("dre", 2, 3, 6, 1, 0, (2, 0, 0), NONE),
    ),
    "6 large ships, two colours": (
        DiceGroup("cru", 4, 3, 3, 1, 0, (1, 0, 0), NONE),
        DiceGroup("dre", 2, 3, 5, 1, 0, (0, 2, 0), NONE),
    ),
}


def main() -> None:
    """Each fleet against one like it."""
    for name, fleet in FLEETS.items():
        wall, cpu = time.perf_counter(), time.process_time()
        found = odds(fleet, fleet)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(f"{name:38} {found.attacker_win:.12f}  {wall:5.2f} s, of the processor {cpu:5.2f} s")


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
