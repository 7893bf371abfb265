"""Words wrapped into lines that never become too small to be read."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from companion.drawing.strokes import Inscription, Measure, Stroke

STEP = 1.08
"""From line to line, to the size of the letters."""
PIECES = re.compile(r"[^\s-]*-(?=\w)|\S+\s*")
"""What stays together in a line: a word, or its part up to a hyphen."""
STEP_DOWN = 0.94
"""From one size that is tried to the next."""


class Wording(Struct, frozen=True):
    """Words in lines at a size."""

    words: tuple[str, ...]
    size: float
    bold: bool = True

    @property
    def high(self) -> float:
        """How much room they need."""
        return len(self.words) * self.size * STEP

    def strokes(
        self, x: float, y: float, colour: str, measure: Measure, room: float | None = None
    ) -> Iterable[Stroke]:
        """The lines from this corner on; in the middle of the room, if one is told."""
        for n, words in enumerate(self.words):
            left = x if room is None else x + (room - measure(words, self.size, self.bold)) / 2
            yield Inscription(left, y + (n + 0.5) * self.size * STEP, words, self.size, colour, self.bold)


def wrapped(
    words: str, size: float, room: float, most: int, measure: Measure, bold: bool = True
) -> Wording | None:
    """Words in at most so many lines; nothing if they do not fit."""
    lines = [""]
    for word in PIECES.findall(words):
        if measure((lines[-1] + word).strip(), size, bold) <= room:
            lines[-1] += word
        elif measure(word.strip(), size, bold) <= room and lines[-1]:
            lines.append(word)
        else:
            return None
    return Wording(tuple(line.strip() for line in lines), size, bold) if len(lines) <= most else None


def fitted(
    names: Iterable[str],
    size: float,
    room: float,
    most: int,
    measure: Measure,
    least: float,
    bold: bool = True,
) -> Wording:
    """The first of the names that fits between this size and the least; else the last with its words cut short."""
    last = ""
    for last in names:
        for smaller in sizes(size, least):
            found = wrapped(last, smaller, room, most, measure, bold)
            if found is not None:
                return found
    return abbreviated(last, min(size, least), room, most, measure, bold)


def sizes(size: float, least: float) -> tuple[float, ...]:
    """Sizes to try, from this one down to the least."""
    found = [size]
    while found[-1] * STEP_DOWN > least:
        found.append(found[-1] * STEP_DOWN)
    return (*found, least) if found[-1] > least else tuple(found)


def abbreviated(
    words: str, size: float, room: float, most: int, measure: Measure, bold: bool = True
) -> Wording:
    """Words too long for a line end with a point; those that have no line left are left out."""
    lines = [""]
    for piece in PIECES.findall(words):
        word = _clipped(piece.strip(), size, room, measure, bold) + " " * piece.endswith(" ")
        if measure((lines[-1] + word).strip(), size, bold) <= room:
            lines[-1] += word
        elif len(lines) == most:
            break
        else:
            lines.append(word)
    return Wording(tuple(line.strip() for line in lines), size, bold)


def _clipped(word: str, size: float, room: float, measure: Measure, bold: bool) -> str:
    """A word, or as many of its letters as fit with a point after them."""
    if measure(word, size, bold) <= room:
        return word
    ways = (f"{word[:n]}." for n in range(len(word) - 1, 1, -1))
    return next((way for way in ways if measure(way, size, bold) <= room), word[:1])
