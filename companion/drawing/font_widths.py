"""How wide our font's letters are, read from its files: nothing is loaded for that."""

from __future__ import annotations

import importlib.resources
from functools import cache
from importlib.resources.abc import Traversable
from struct import unpack_from

from msgspec import Struct


class FontWidths(Struct, frozen=True):
    """The width of every letter relative to the font size; `other` for letters the font lacks."""

    known: dict[int, float]
    other: float

    def measure(self, words: str, size: float) -> float:
        """The width of words at this size."""
        return sum(self.known.get(ord(letter), self.other) for letter in words) * size


def font_file(bold: bool) -> Traversable:
    """The file of our font."""
    fonts = importlib.resources.files("companion") / "ui" / "fonts"
    return fonts / f"Lato-{'Bold' if bold else 'Regular'}.ttf"


@cache
def font_widths(bold: bool) -> FontWidths:
    """The widths of our font; see the TrueType tables `head`, `hhea`, `hmtx` and `cmap` (format 4)."""
    data = font_file(bold).read_bytes()
    (tables,) = unpack_from(">H", data, 4)
    places = {data[n : n + 4]: unpack_from(">I", data, n + 8)[0] for n in range(12, 12 + 16 * tables, 16)}
    (units,) = unpack_from(">H", data, places[b"head"] + 18)
    (many,) = unpack_from(">H", data, places[b"hhea"] + 34)
    widths = [unpack_from(">H", data, places[b"hmtx"] + 4 * n)[0] / units for n in range(many)]
    known = {letter: widths[min(glyph, many - 1)] for letter, glyph in _glyphs(data, places[b"cmap"])}
    return FontWidths(known, widths[0])


def _glyphs(data: bytes, cmap: int) -> list[tuple[int, int]]:
    (subtables,) = unpack_from(">H", data, cmap + 2)
    starts = [cmap + unpack_from(">HHI", data, cmap + 4 + 8 * n)[2] for n in range(subtables)]
    at = next(start for start in starts if unpack_from(">H", data, start)[0] == 4)
    segments = unpack_from(">H", data, at + 6)[0] // 2
    ends, firsts, deltas, offsets = (
        unpack_from(f">{segments}H", data, at + 14 + part * 2 * segments + (2 if part else 0))
        for part in range(4)
    )
    found = []
    for n, (end, first, delta, offset) in enumerate(zip(ends, firsts, deltas, offsets, strict=True)):
        for letter in range(first, min(end, 0xFFFE) + 1):
            if offset:
                place = at + 16 + 6 * segments + 2 * n + offset + 2 * (letter - first)
                (glyph,) = unpack_from(">H", data, place)
            else:
                glyph = letter
            if glyph := (glyph + delta) % 0x10000 if glyph or not offset else 0:
                found.append((letter, glyph))
    return found
