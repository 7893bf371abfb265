"""What a component looks like, as a value: a game makes it from its facts, any user interface draws it.

Nothing here is a picture. A `Sign` names a symbol; the drawings of symbols are SVG files beside the game
(`symbols/`), or in `companion/symbols/` if several games share them. Each has a name in every language
(`<game>.symbol.<name>`, or `symbol.<name>`) so that it can be read out, and a shape of its own so that
nothing depends on colour alone.
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

FaceShape = Literal["card", "tile", "hex", "ship"]
"""Its outline: a card with a rail at its left, a square tile, a hex with a flat top, a ship's blueprint."""


class Sign(Struct, frozen=True):
    """A symbol, perhaps with a few letters in it or beside it. `tint` is a colour name from the game's palette."""

    symbol: str
    value: str = ""
    tint: str = ""
    dim: bool = False
    """Whether it is only possible, spent or free: drawn as an outline."""


ARROW = Sign("arrow")
"""Between what is paid and what is received."""

Signs = tuple[Sign, ...]


class Spot(Struct, frozen=True):
    """A printed square for one piece or part: its sign, whether it is occupied, and whether it needs more
    than the others."""

    sign: Sign
    taken: bool = False
    starred: bool = False
    changed: bool = False
    """Whether it is new or asked about, to be highlighted."""


class Face(Struct, frozen=True):
    """A component as it lies on the table.

    `corners` are in the rail of a card (cost, good, points) or in the corners of a tile or hex; `rows` are
    its powers, one row per phase; `spots` the squares of a hex or a blueprint; `edges` the open sides of a
    hex, clockwise from the top. `short` is for where the whole name does not fit: always part of the name.
    """

    shape: FaceShape
    name: Text
    tint: str
    corners: Signs = ()
    rows: tuple[Signs, ...] = ()
    spots: tuple[Spot, ...] = ()
    edges: tuple[bool, ...] = ()
    framed: bool = False
    """Whether the rail is only outlined, for a component that gives its good only once."""
    short: Text | None = None
    seat: int | None = None
    """The owner, where that matters: a ship in a battle."""


def plain_face(component: Component) -> Face:
    """The default face: only the component's name."""
    return Face("card", component.called, "")


SHORT = 9
"""How many letters fit where space is very short."""
TELLING = 6
"""A shorter word says too little alone, such as "Free", "Order" or "Bank"."""
_WORD = re.compile(r"[\w'-]+")


Shortener = Callable[[Component], Text | None]


def shortener(components: Iterable[Component]) -> Shortener:
    """A function that shortens the names of these components, in each language, so that no two are the same:
    the short name from the box, otherwise a word or two; a name taught later stays whole."""
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
    """The component's names, each changed by `change`; None if no name is known."""
    found = {language: change(name) for language, name in component.names.items()}
    return named(component.id, found) if found else None


def _particle(word: str) -> bool:
    """Whether this is a word like "of" or "w", with which nothing begins or ends."""
    return len(word) <= 3 and word.islower()


def short_names(names: Mapping[str, str]) -> dict[str, str]:
    """For each name a part of it that no other name contains and that people recognise: of one or two words,
    a word that is not too short; of more words, two adjacent ones ("Free" alone could be anything).

    Of a name with an epithet, such as "Tyler Lee, genialny przedsiębiorca", it is the part before the comma.
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
        pairs = [pair for pair in pairwise(words) if not any(map(_particle, pair))]
        for runs in (alone, [*map(" ".join, pairs)]):
            heard = {run: f" {fold(run)} " for run in runs if run in name}
            own = [run for run, sound in heard.items() if not any(sound in other for other in others)]
            if own:
                break
        brief = [run for run in own if len(run) <= SHORT]
        found[key] = max(brief, key=len) if brief else min(own, key=len, default=name)
    return found


Tints = dict[str, tuple[str, str, str]]
"""A game's colours by name: the front of a piece, its lit side, its dark side; `#RRGGBB`."""
