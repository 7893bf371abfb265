"""A sample box of Transgalactica for demonstrations; all its values are invented."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

from companion.core.components import Facts
from companion.games.transgalactica.component_types import LONGEST, MAIN_TRACKS, ids, printed_box

LAST = 10
"""The last space of every track of this box."""
SPACES = 16
WHATS = ("credit", "energy", "mineral", "alien", "credit", "vp")


def gain(what: str, n: int = 1) -> list[dict[str, Any]]:
    """Symbols that give something."""
    return [{"does": "gain", "what": what, "n": n}]


def sample_box() -> Facts:
    """The whole box: tokens and tracks give a little of everything, routes lead outwards from the centre."""
    found: Facts = {}
    for track in MAIN_TRACKS:
        found |= _track(track)
    for n in range(1, 8):
        if n != 5:
            found |= {f"outpost-space-{n}.reward": gain("credit"), f"outpost-space-{n}.again": False}
    found |= {f"{id}.income": gain("credit") for id in ids("crew")}
    found |= {f"{id}.golden": 1 for id in ids("offices")}
    for n, planet in enumerate(printed_box().planets):
        found[f"{planet.id}.tunnel"] = planet.type == "special" or n % 9 == 0
        if len(planet.slots) == 1:
            found[f"{planet.id}.places"] = 2
    found |= {f"{id}.number": n + 1 for n, id in enumerate(ids("missions"))}
    found |= {f"{id}.reward": gain("vp", 2) for id in ids("decrees")}
    found |= {f"{id}.shows": gain(WHATS[n % len(WHATS)]) for n, id in enumerate(ids("tokens"))}
    found |= {f"{id}.strength": 2 + n % 2 for n, id in enumerate(ids("pirates"))}
    found |= {f"{id}.shows": gain("vp") for id in ids("pirates")}
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
    rows = ("first", "second", "third", "fourth", "fifth", "sixth")
    found |= {f"mission-rows.{place}": n for n, place in enumerate(rows)}
    for players in range(2, 6):
        found |= {f"board-{players}.sketch": _sketch(), f"board-{players}.routes": _routes()}
    return found


def _track(track: str) -> Facts:
    found: Facts = {}
    for at in range(LONGEST + 1):
        id = f"{track}-{at}"
        pays = gain(WHATS[at % len(WHATS)]) if at % 3 == 2 else []
        found |= {f"{id}.income": [], f"{id}.reward": pays, f"{id}.token": "none", f"{id}.gate": 0}
        found[f"{id}.last"] = at >= LAST
    return found


def _sketch() -> list[dict[str, int]]:
    """Six spaces around the centre, ten around those."""
    inner = [(4 * cos(n * pi / 3), 3 * sin(n * pi / 3)) for n in range(6)]
    outer = [(9 * cos(n * pi / 5), 6 * sin(n * pi / 5)) for n in range(SPACES - 6)]
    return [{"x": round(x), "y": round(y)} for x, y in (*inner, *outer)]


def _routes() -> list[dict[str, Any]]:
    """Routes from the centre to its six neighbours and among these cost 1 energy, those to the rim 2."""
    ring = [(str(n), str(n % 6 + 1), 1) for n in range(1, 7)]
    rim = [(str(7 + n), str(7 + (n + 1) % 10), 1) for n in range(10)]
    spokes = [(str(1 + round(n * 6 / 10) % 6), str(7 + n), 2) for n in range(10)]
    centre = [("centre", str(n), 1) for n in range(1, 7)]
    return [{"one": one, "other": other, "energy": e} for one, other, e in (*centre, *ring, *spokes, *rim)]
