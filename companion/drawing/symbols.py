"""Symbols: SVG files of 24 by 24 units, found by name, turned into white pixels that are tinted when drawn.

White is the symbol, black a hole in it, grey is half transparent. Shapes of the class `lit` or `dark` take
the second or third colour of a tint. `data-letters="x y size room"` says where letters are in it, and how
wide they may be; without it, letters are written after it. `data-ink` is their colour: `ink` (dark, the
default), or a colour of the tint. `data-text` represents the symbol in a line of text, with `{}` for its
letters.
"""

from __future__ import annotations

import importlib.resources
import re
from functools import cache, lru_cache
from importlib.resources.abc import Traversable
from typing import Literal

from msgspec import Struct

from companion.core.faces import Sign
from companion.core.words import Text, say

BOARD = 24
"""Width and height of a symbol in units."""

Layer = Literal["front", "lit", "dark"]
LAYERS: tuple[Layer, ...] = ("dark", "lit", "front")
"""From the lowest to the uppermost."""

INSTEAD = "unknown"
"""The symbol shown in place of a missing one."""

LEGIBLE = 17
"""Smaller letters cannot be read from a metre away (on a screen 480 pixels high)."""
NAME = 15
"""Minimum size of a name's letters (on a screen 480 pixels high); longer names are abbreviated."""
SMALLEST = 14
"""A smaller symbol is not recognisable (on a screen 480 pixels high)."""

COVER = "cover.svg"
"""The cover picture of a game: it is in the folder of the symbols but is not a symbol."""

_CLASS = re.compile(r'class="(lit|dark)"')
_SHAPE = re.compile(r"<[^>]*/>")


class Letters(Struct, frozen=True):
    """Where letters are in a symbol: their middle, their size and the width available, in units."""

    x: float
    y: float
    size: float
    room: float
    ink: Literal["ink", "front", "lit", "dark"] = "ink"


class Engraving(Struct, frozen=True):
    """A symbol as drawn: the content of its SVG, its layers, and where its letters are."""

    name: str
    inside: str
    layers: tuple[Layer, ...]
    letters: Letters | None = None
    glyph: str | None = None
    """Represents it in a line of text, `{}` for its letters; without one, its name is used."""

    def layer(self, layer: Layer) -> str:
        """The SVG of one layer; a drawing with several layers consists only of plain shapes."""
        if len(self.layers) == 1:
            return self.inside
        shapes = _SHAPE.findall(self.inside)
        return "".join(shape for shape in shapes if _layer_of(shape) == layer)

    def least(self, value: str = "") -> float:
        """The smallest legible size, with or without letters in it (on a screen 480 pixels high)."""
        if value and self.letters:
            return LEGIBLE * BOARD / self.letters.size
        return SMALLEST


def _layer_of(shape: str) -> str:
    found = _CLASS.search(shape)
    return found[1] if found else "front"


def folder(game: str) -> Traversable:
    """The folder of a game's symbols; with an empty name, of the symbols common to all games."""
    here = importlib.resources.files("companion")
    return here / "games" / game / "symbols" if game else here / "symbols"


def names(game: str) -> tuple[str, ...]:
    """The symbols of a game; with an empty name, those common to all games."""
    room = folder(game)
    if not room.is_dir():
        return ()
    files = (file.name for file in room.iterdir() if file.name.endswith(".svg"))
    return tuple(sorted(name.removesuffix(".svg") for name in files if name != COVER))


@cache
def called(game: str, name: str) -> Text:
    """The name of a symbol in words."""
    own = bool(game) and (folder(game) / f"{name}.svg").is_file()
    return say(f"{game}.symbol.{name}") if own else say(f"symbol.{name}")


@cache
def has(game: str, name: str) -> bool:
    """Whether this symbol exists, for the game or for all."""
    return _file(game, name) is not None


def _file(game: str, name: str) -> Traversable | None:
    rooms = (folder(game), folder("")) if game else (folder(""),)
    return next((file for room in rooms if (file := room / f"{name}.svg").is_file()), None)


@cache
def drawing(game: str, name: str) -> Engraving:
    """A symbol of the game, or else a common one; a box with a question mark if there is neither."""
    file = _file(game, name)
    if file is None:
        return drawing("", INSTEAD)
    whole = file.read_text(encoding="utf-8")
    head, _, rest = whole.partition(">")
    inside = rest.rpartition("</svg>")[0].strip()
    found = set(_CLASS.findall(inside))
    layers = tuple(layer for layer in LAYERS if layer == "front" or layer in found)
    glyph = re.search(r'data-text="([^"]*)"', head)
    return Engraving(name, inside, layers, _letters(head), glyph[1] if glyph else None)


def _letters(head: str) -> Letters | None:
    where = re.search(r'data-letters="([^"]*)"', head)
    if where is None:
        return None
    x, y, size, room = (float(number) for number in where[1].split())
    ink = re.search(r'data-ink="(front|lit|dark)"', head)
    return Letters(x, y, size, room, ink[1] if ink else "ink")  # type: ignore[arg-type]


def drawn_as(game: str, sign: Sign) -> Engraving:
    """The drawing of a sign: the hollow one if the sign is dim and there is one."""
    hollow = f"{sign.symbol}-hollow"
    return drawing(game, hollow if sign.dim and has(game, hollow) else sign.symbol)


@lru_cache(maxsize=1000)
def pixels(game: str, name: str, layer: Layer, size: int) -> bytes:
    """A layer of a symbol as `size` rows of `size` RGBA pixels: white, as opaque as the symbol is bright."""
    import cv2  # imported late: these three load slowly, and faces as text need none of them
    import numpy as np
    import resvg_py

    # A mask is opaque where it is bright, so black becomes a hole.
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {BOARD} {BOARD}">'
        f'<mask id="bright" maskUnits="userSpaceOnUse" x="0" y="0" width="{BOARD}" height="{BOARD}">'
        f"{drawing(game, name).layer(layer)}</mask>"
        f'<path d="M0 0h{BOARD}v{BOARD}H0z" fill="#fff" mask="url(#bright)"/></svg>'
    )
    png = resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size, skip_system_fonts=True)
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None  # resvg always writes valid PNG files
    return picture.tobytes()
