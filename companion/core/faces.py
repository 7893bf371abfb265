"""What a component looks like, as a value: a game makes it out of its facts, any surface draws it.

Nothing here is a picture. A `Sign` names a symbol; the drawings of symbols are SVG files beside the game (`symbols/`),
those that are no game's own in `companion/symbols/`. Each has a name in every language (`<game>.symbol.<name>`, or
`symbol.<name>`), so that it can be read out, and a shape of its own, so that its colour never tells alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from companion.core.components import NAME_LANGUAGES, Component
from companion.core.words import Text, named
from companion.texts import fold

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
    name: Text
    tint: str
    corners: Signs = ()
    rows: tuple[Signs, ...] = ()
    spots: tuple[Spot, ...] = ()
    edges: tuple[bool, ...] = ()
    framed: bool = False
    """Whether the rail is only framed, as for what gives its good but once."""
    short: Text | None = None
    seat: int | None = None
    """Whose it is, where that matters: a ship of a battle."""


def plain_face(component: Component) -> Face:
    """The face of a component of which a game tells nothing but its name."""
    return Face("card", component.called, "")


SHORT = 9
"""So many letters fit where there is hardly any room."""
TELLING = 6
"""A word with fewer letters tells nothing alone, as "Free", "Order" and "Bank" do not."""
_WORD = re.compile(r"[\w'-]+")


Shortener = Callable[[Component], Text | None]


def shortener(components: Iterable[Component]) -> Shortener:
    """A function that shortens the name of one of these components, in each language, so that no other has that short
    name: the one its box tells, else a word or two; a name that was told since stays whole."""
    printed = tuple(components)
    short = {
        language: short_names({c.id: name for c in printed if (name := c.names.get(language))})
        for language in NAME_LANGUAGES
    }

    def shortened(component: Component) -> Text | None:
        found = {}
        for language, name in component.names.items():
            brief = component.short.known.get(language) or short[language].get(component.id, name)
            found[language] = brief if brief in name else name
        return named(component.id, found) if found else None

    return shortened


def each_name(component: Component, change: Callable[[str], str]) -> Text | None:
    """The component's names, each changed in this way; nothing if none is known."""
    found = {language: change(name) for language, name in component.names.items()}
    return named(component.id, found) if found else None


def short_names(names: Mapping[str, str]) -> dict[str, str]:
    """For each name a part of it that no other has and by which people know which is meant: of two words one that is
    no short one, of more words two beside each other ("Free" alone could be anything).

    Of a name with a byname, as "Tyler Lee, genialny przedsiębiorca", it is what stands before the comma.
    """
    spoken = {key: f" {fold(' '.join(_WORD.findall(name)))} " for key, name in names.items()}
    found = {}
    for key, name in names.items():
        words = _WORD.findall(name)
        others = [other for owner, other in spoken.items() if names[owner] != name]
        head, comma, _ = name.partition(",")
        if comma and not any(f" {head} " in other for other in others):
            found[key] = head
            continue
        alone = [word for word in words if len(word) >= TELLING] if len(words) < 3 else []
        for runs in (alone, [*map(" ".join, pairwise(words))]):
            own = [run for run in runs if run in name and not any(f" {fold(run)} " in o for o in others)]
            if own:
                break
        brief = [run for run in own if len(run) <= SHORT]
        found[key] = max(brief, key=len) if brief else min(own, key=len, default=name)
    return found


Tints = dict[str, tuple[str, str, str]]
"""A game's colours by name: the front of a thing, its lit side, its dark side; `#RRGGBB`."""
