"""A reference implementation of button gestures, written independently: it sees the whole list of edges at
once.

The edges are cut into intervals of one level. Those that are long enough count, the others are ignored. What
is left is a list of presses, each with a beginning and an end; the gestures follow from their lengths and
gaps.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from itertools import pairwise
from random import Random
from typing import Any

from devices.gestures import DOUBLE, LONG, STABLE, STUCK

Edges = list[tuple[bool, float]]
ReportedGestures = list[tuple[str, float]]
BOUNCES: dict[str, Any] = json.loads((files("devices") / "bounces.json").read_text(encoding="utf-8"))
KINDS = [kind for kind in BOUNCES if kind != "about"]


def presses(edges: Edges, until: float) -> Iterator[tuple[float, float | None]]:
    """Beginning and end of every press; no end if it lasts at `until`."""
    ends = [*(at for _, at in edges), until][1:]
    stable = [
        (level, start) for (level, start), end in zip(edges, ends, strict=True) if start + STABLE <= end
    ]
    changes = [(False, -1e9)]
    for level, start in stable:
        if level != changes[-1][0]:
            changes.append((level, start))
    for (level, start), (_, end) in pairwise(changes):
        if level:
            yield start, end
    if changes[-1][0]:
        yield changes[-1][1], None


def gestures(edges: Edges, until: float) -> ReportedGestures:
    """All gestures in order, with their times, as known at `until`."""
    told: ReportedGestures = []
    first: float | None = None  # the end of a short press that may be the first of two
    for start, end in presses(edges, until):
        last = until if end is None else end
        # A release that has begun but does not count yet leaves open how long the press was.
        if end is None and edges and not edges[-1][0]:
            last = edges[-1][1]
        if start + LONG <= last:
            told.append(("Held", start + LONG))
            first = None
            if start + STUCK <= last:
                told.append(("Stuck", start + STUCK))
        elif end is not None and first is not None and start <= first + DOUBLE:
            told.append(("Doubled", end))
            first = None
        elif end is not None:
            told.append(("Pressed", end))
            first = end
    return told


def flips(random: Random, way: str) -> list[float]:
    """Seconds after the first touch at which a contact flips."""
    kind = random.choice(KINDS)
    return [micros / 1e6 for micros in random.choice(BOUNCES[kind][way])]


def fingers(random: Random, number: int) -> Edges:
    """At least this many edges of one button: pressed, pressed twice, held, jammed, chattering, or plain noise."""
    edges: Edges = []
    level, now = False, random.random()

    def flip(at: float) -> None:
        nonlocal level, now
        level, now = not level, max(at, now)
        edges.append((level, now))

    def go(way: str) -> None:
        for after in flips(random, way):
            flip(start + after)

    while len(edges) < number:
        what = random.random()
        start = now + random.choice((0.012, 0.05, 0.2, 0.35, 1.0)) * random.uniform(0.5, 1.5)
        if what < 0.55:  # a press of some length
            go("release" if level else "press")
            length = random.choice((0.02, 0.09, 0.3, LONG, 2.0, STUCK if random.random() < 0.1 else 1.0))
            start = now + length * random.uniform(0.7, 1.3)
            go("release" if level else "press")
        elif what < 0.7:  # two quick presses
            for after in (0.0, 0.06, random.uniform(0.05, 0.5), 0.06):
                start += after
                go("release" if level else "press")
                start = max(start, now)
        elif what < 0.85:  # a loose contact
            for _ in range(random.randrange(1, 30)):
                flip(now + random.expovariate(1 / 0.004))
        elif what < 0.97:  # noise of any speed
            for _ in range(random.randrange(1, 10)):
                flip(now + random.choice((0.001, 0.01, 0.1, 1.0)) * random.random())
        else:  # two edges of the same level: the one between them was too quick to be seen
            level = not level
            flip(now + random.choice((0.0001, 0.005, 0.02)))
    return edges
