"""A box as somebody might have taught it: every value here is made up, for tests only, and printed nowhere."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

from companion.games.transgalactica.component_types import LONGEST, MAIN_TRACKS, ids, printed_box

VP = [{"does": "gain", "what": "vp", "n": 1}]
SPACES = 19
LAST = 10
"""Where every track of this box ends."""
TUNNELS = ("grey-action-tunnel", "multi-mining", "yellow-wild")
PIRATE = 2
"""How strong its pirates are."""


def gain(what: str, n: int = 1) -> dict[str, Any]:
    """A symbol that gives something."""
    return {"does": "gain", "what": what, "n": n}


def facts(**told: Any) -> dict[str, Any]:
    """The whole box, all of it quiet: nothing printed pays anything unless a test says so."""
    found: dict[str, Any] = {}
    for track in MAIN_TRACKS:
        for at in range(LONGEST + 1):
            id = f"{track}-{at}"
            found |= {f"{id}.income": [], f"{id}.reward": [], f"{id}.token": "none", f"{id}.gate": 0}
            found[f"{id}.last"] = at >= LAST
    for n in range(1, 8):
        if n != 5:
            found |= {f"outpost-space-{n}.reward": [], f"outpost-space-{n}.again": False}
    for id in ids("crew"):
        found[f"{id}.income"] = []
    for id in ids("offices"):
        found[f"{id}.golden"] = 1
    for planet in printed_box().planets:
        found[f"{planet.id}.tunnel"] = planet.id in TUNNELS or planet.type == "special"
        if len(planet.slots) == 1:
            found[f"{planet.id}.places"] = 2
    for n, id in enumerate(ids("missions")):
        found[f"{id}.number"] = n + 1
    for id in ids("decrees"):
        found[f"{id}.reward"] = VP
    for id in ids("tokens"):
        found[f"{id}.shows"] = VP
    for id in ids("pirates"):
        found |= {f"{id}.strength": PIRATE, f"{id}.shows": VP}
    found |= {
        "central.colours": [],
        "production-colours.gives": "energy-alien-mineral",
        "control-panel.mining": [0, 0, 1, 2, 3],
        "control-panel.pirates": [1, 2, 3],
        "control-panel.fleet": [1, 2, 4],
        "control-panel.crew": 3,
        "technology-rows.level_one": 1,
        "technology-rows.level_two": 3,
        "technology-rows.level_three": 5,
    }
    for n, place in enumerate(("first", "second", "third", "fourth", "fifth", "sixth")):
        found[f"mission-rows.{place}"] = n
    for players in range(2, 6):
        found |= {f"board-{players}.sketch": sketch(), f"board-{players}.routes": routes()}
    return {**found, **{key.replace("__", ".").replace("_", "-"): value for key, value in told.items()}}


def sketch() -> list[dict[str, int]]:
    """Six spaces round the centre, thirteen round those."""
    inner = [(4 * cos(n * pi / 3), 3 * sin(n * pi / 3)) for n in range(6)]
    outer = [(9 * cos(n * 2 * pi / 13), 6 * sin(n * 2 * pi / 13)) for n in range(13)]
    return [{"x": round(x), "y": round(y)} for x, y in (*inner, *outer)]


def routes() -> list[dict[str, Any]]:
    """The centre to spaces 1-6 for 1 energy, each of those to two outer ones for 2, and a ring round for nothing."""
    found = [{"one": "centre", "other": str(n), "energy": 1} for n in range(1, 7)]
    found += [{"one": str(n), "other": str(6 + 2 * n - k), "energy": 2} for n in range(1, 7) for k in (1, 0)]
    found += [{"one": str(n), "other": str(n + 1), "energy": 0} for n in range(7, SPACES)]
    return found
