"""What a component looks like, as a value: a game makes it out of its facts, any surface draws it.

Nothing here is a picture. A `Sign` names a symbol; the drawings of symbols are SVG files beside the game (`symbols/`),
those that are no game's own in `companion/symbols/`. Each has a name in every language (`<game>.symbol.<name>`, or
`symbol.<name>`), so that it can be read out, and a shape of its own, so that its colour never tells alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from companion.core.components import Component

Shape = Literal["card", "tile", "hex", "ship"]
"""What it is cut like: a card with a rail at its left, a square tile, a hex with a flat top, a ship's blueprint."""


class Sign(Struct, frozen=True):
    """A symbol, perhaps with a few letters in it or beside it. `tint` is a name of the game's palette."""

    symbol: str
    value: str = ""
    tint: str = ""
    dim: bool = False
    """Whether it is only possible, spent or free: drawn hollow."""


ARROW = Sign("arrow")
"""Between what goes and what comes."""

Signs = tuple[Sign, ...]


class Spot(Struct, frozen=True):
    """A square printed on a component for one piece, or a part fitted there: its sign, whether a piece lies there,
    and whether it takes more than the others to put one there."""

    sign: Sign
    taken: bool = False
    starred: bool = False
    changed: bool = False
    """Whether this is what is new, or asked about."""


class Face(Struct, frozen=True):
    """A component as it lies on the table.

    `corners` stand in the rail of a card (what it costs, its good, its points) or in the corners of a tile or hex;
    `rows` are its powers, one row for each phase; `spots` the squares of a hex or of a blueprint, `edges` the open
    sides of a hex clockwise from the top. `short` is for where the whole name has no room: always part of the name.
    """

    shape: Shape
    name: str
    tint: str
    corners: Signs = ()
    rows: tuple[Signs, ...] = ()
    spots: tuple[Spot, ...] = ()
    edges: tuple[bool, ...] = ()
    framed: bool = False
    """Whether the rail is only framed, as for what gives its good but once."""
    short: str = ""
    slug: str = ""
    """The sentence that says its name in every language, where it is only a working name; `name` is the English one."""
    seat: int | None = None
    """Whose it is, where that matters: a ship of a battle."""


def plain_face(component: Component) -> Face:
    """The face of a component of which a game tells nothing but its name."""
    return Face("card", component.name, "")


SHORT = 9
"""So many letters fit where there is hardly any room."""
_WORD = re.compile(r"[\w'-]+")


def short_names(names: Mapping[str, str]) -> dict[str, str]:
    """For each name a word of it, or two, that no other has: by it people know which is meant."""
    spoken = {key: f" {' '.join(_WORD.findall(name))} " for key, name in names.items()}
    found = {}
    for key, name in names.items():
        words = _WORD.findall(name)
        others = [other for owner, other in spoken.items() if names[owner] != name]
        for runs in (words, [*map(" ".join, pairwise(words))]):
            own = [
                run
                for run in runs
                if len(run) > 3 and run in name and not any(f" {run} " in o for o in others)
            ]
            if own:
                break
        brief = [run for run in own if len(run) <= SHORT]
        found[key] = max(brief, key=len) if brief else min(own, key=len, default=name)
    return found


Tints = dict[str, tuple[str, str, str]]
"""A game's colours by name: the front of a thing, its lit side, its dark side; `#RRGGBB`."""
