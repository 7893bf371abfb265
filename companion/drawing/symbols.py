"""Symbols: SVG files of 24 units, found by name, turned into white pixels that are tinted when they are drawn.

White is the symbol, black a hole in it, grey half of it. What has the class `lit` or `dark` takes the second or third
colour of a tint. `data-letters="x y size room"` says where letters stand in it, and how wide they may be; without it
they are written after it. `data-ink` says what they are written in: `ink` (dark, the usual), or a colour of the tint.
`data-text` is what stands for the symbol in a line of text, with `{}` for its letters.
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
"""Units a symbol is drawn in."""

Layer = Literal["front", "lit", "dark"]
LAYERS: tuple[Layer, ...] = ("dark", "lit", "front")
"""From what lies lowest to what lies uppermost."""

INSTEAD = "unknown"
"""What stands where a symbol should be that nobody drew."""

LEGIBLE = 17
"""Letters smaller than this are not read from a metre, at 480 pixels."""
NAME = 15
"""Letters of a name are at least so large, at 480 pixels: rather its words are cut short."""
SMALLEST = 14
"""A symbol smaller than this is a blot, at 480 pixels."""

COVER = "cover.svg"
"""The picture a game is chosen by: it lies beside the symbols and is none."""

_CLASS = re.compile(r'class="(lit|dark)"')
_SHAPE = re.compile(r"<[^>]*/>")


class Letters(Struct, frozen=True):
    """Where letters stand in a symbol: their middle, their size and the width they have, in units."""

    x: float
    y: float
    size: float
    room: float
    ink: Literal["ink", "front", "lit", "dark"] = "ink"


class Engraving(Struct, frozen=True):
    """A symbol as it was drawn: what is inside its SVG, which layers it has, where its letters stand."""

    name: str
    inside: str
    layers: tuple[Layer, ...]
    letters: Letters | None = None
    glyph: str | None = None
    """What stands for it in a line of text, `{}` for its letters; without one, its name does."""

    def layer(self, layer: Layer) -> str:
        """The SVG of one layer; a drawing with several has nothing but plain shapes."""
        if len(self.layers) == 1:
            return self.inside
        shapes = _SHAPE.findall(self.inside)
        return "".join(shape for shape in shapes if _layer_of(shape) == layer)

    def least(self, value: str = "") -> float:
        """The smallest size at which this is legible, with letters in it or without, at 480 pixels."""
        if value and self.letters:
            return LEGIBLE * BOARD / self.letters.size
        return SMALLEST


def _layer_of(shape: str) -> str:
    found = _CLASS.search(shape)
    return found[1] if found else "front"


def folder(game: str) -> Traversable:
    """Where the symbols of a game are; those that are no game's own with an empty name."""
    here = importlib.resources.files("companion")
    return here / "games" / game / "symbols" if game else here / "symbols"


def names(game: str) -> tuple[str, ...]:
    """The symbols of a game, or with an empty name those that are no game's own."""
    room = folder(game)
    if not room.is_dir():
        return ()
    files = (file.name for file in room.iterdir() if file.name.endswith(".svg"))
    return tuple(sorted(name.removesuffix(".svg") for name in files if name != COVER))


def called(game: str, name: str) -> Text:
    """The name of a symbol in words."""
    own = bool(game) and (folder(game) / f"{name}.svg").is_file()
    return say(f"{game}.symbol.{name}") if own else say(f"symbol.{name}")


@cache
def has(game: str, name: str) -> bool:
    """Whether somebody drew this symbol, for the game or for all."""
    return _file(game, name) is not None


def _file(game: str, name: str) -> Traversable | None:
    rooms = (folder(game), folder("")) if game else (folder(""),)
    return next((file for room in rooms if (file := room / f"{name}.svg").is_file()), None)


@cache
def drawing(game: str, name: str) -> Engraving:
    """A symbol of the game, or else one of those for all; a box with a question mark if there is none."""
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
    """What a sign looks like: hollow if it is dim and there is such a drawing."""
    hollow = f"{sign.symbol}-hollow"
    return drawing(game, hollow if sign.dim and has(game, hollow) else sign.symbol)


@lru_cache(maxsize=1000)
def pixels(game: str, name: str, layer: Layer, size: int) -> bytes:
    """A layer of a symbol as so many rows of so many pixels (RGBA): white, as opaque as the symbol is bright."""
    import cv2  # these three take a while, and whoever only reads faces as text needs none of them
    import numpy as np
    import resvg_py

    # A mask is opaque where it is bright, which is what makes black a hole.
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {BOARD} {BOARD}">'
        f'<mask id="bright" maskUnits="userSpaceOnUse" x="0" y="0" width="{BOARD}" height="{BOARD}">'
        f"{drawing(game, name).layer(layer)}</mask>"
        f'<path d="M0 0h{BOARD}v{BOARD}H0z" fill="#fff" mask="url(#bright)"/></svg>'
    )
    png = resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size, skip_system_fonts=True)
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None  # resvg writes whole PNG files
    return picture.tobytes()
