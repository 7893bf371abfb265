"""A million random edges compared with the reference, and the cost of a panel: `python benchmarks/buttons.py`."""

from __future__ import annotations

import argparse
import heapq
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # run as a script, files beside this one would hide packages of the same name

from devices.gestures import Button  # noqa: E402
from devices.lights import Off, Pulse  # noqa: E402
from devices.simulator import Simulator  # noqa: E402
from devices.wiring_config import default  # noqa: E402
from tests.devices.reference import ReportedGestures, fingers, gestures  # noqa: E402

BUTTONS = 10
"""Six seats and four of the table, all of them at once."""


def rest() -> None:
    """What six breathing lamps cost: the processor's time of a minute, all of it in the panel at pretended pins."""
    simulator = Simulator(default(6, counters=True))
    simulator.show(dict.fromkeys(range(6), Pulse()), 0.0)
    for seat in range(6):
        simulator.count(seat, "  42", 0.0)
    began, steps = time.process_time(), 0
    while (due := simulator.due) is not None and due < 60.0:
        simulator.gestures(due)
        steps += 1
    took = time.process_time() - began
    print(
        f"six breathing lamps and six counters: {steps / 60:.0f} steps a second, {took / 60:.2%} of one core"
    )
    simulator.show(dict.fromkeys(range(6), Off()), 60.0)
    simulator.gestures(60.0)
    due = simulator.due or float("inf")
    print(f"all at rest: the next step after {due - 60.0:.0f} seconds")
    simulator.close()


def main() -> int:
    """Print the figures; 1 if anything was lost or invented."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    traces = [fingers(Random(options.seed * 1000 + n), options.edges // BUTTONS) for n in range(BUTTONS)]
    buttons, found = [Button()] * BUTTONS, [ReportedGestures() for _ in range(BUTTONS)]
    together = list(heapq.merge(*([(at, n, level) for level, at in t] for n, t in enumerate(traces))))
    began = time.process_time()
    for at, n, level in together:
        buttons[n], told = buttons[n].edge(level, at)
        found[n] += [(type(gesture).__name__, gesture.at) for gesture in told]
    took = time.process_time() - began
    until = together[-1][0] + 30
    lost = invented = 0
    for n, trace in enumerate(traces):
        found[n] += [(type(gesture).__name__, gesture.at) for gesture in buttons[n].wait(until)[1]]
        there, right = Counter(found[n]), Counter(gestures(trace, until))
        lost += (right - there).total()
        invented += (there - right).total()
        if found[n] != sorted(found[n], key=lambda told: told[1]):
            print(f"button {n}: not in order")
            lost += 1
    kinds = Counter(name for told in found for name, _ in told)
    print(f"{len(together)} edges of {BUTTONS} buttons within {until / 3600:.1f} hours of table time")
    print("gestures: " + ", ".join(f"{count} {name}" for name, count in sorted(kinds.items())))
    print(f"lost: {lost}, invented: {invented}")
    print(f"{took / len(together) * 1e6:.1f} microseconds an edge")
    rest()
    return 1 if lost or invented else 0


if __name__ == "__main__":
    from benchmarks.report import reported

    sys.exit(reported(main))
