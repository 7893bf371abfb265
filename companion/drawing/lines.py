"""Wraps words into lines whose letters are never too small to read."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from companion.drawing.strokes import Inscription, Measure, Stroke

STEP = 1.08
"""Line spacing, relative to the font size."""
PIECES = re.compile(r"[^\s-]*-(?=\w)|\S+\s*")
"""What stays together in a line: a word, or its part up to a hyphen."""
STEP_DOWN = 0.94
"""Factor from one font size that is tried to the next."""

NAME_WORDS, FEWEST_LETTERS = 4, 3
"""A text of at most this many words counts as a name; and the fewest letters of a shortened word (one more if
the name has more than two words)."""


class Wording(Struct, frozen=True):
    """Words in lines at a font size."""

    words: tuple[str, ...]
    size: float
    bold: bool = True

    @property
    def high(self) -> float:
        """Their total height."""
        return len(self.words) * self.size * STEP

    def strokes(
        self, x: float, y: float, colour: str, measure: Measure, room: float | None = None
    ) -> Iterable[Stroke]:
        """The lines from this corner on; centred in `room`, if given."""
        for n, words in enumerate(self.words):
            left = x if room is None else x + (room - measure(words, self.size, self.bold)) / 2
            yield Inscription(left, y + (n + 0.5) * self.size * STEP, words, self.size, colour, self.bold)


def wrapped(
    words: str, size: float, room: float, most: int, measure: Measure, bold: bool = True
) -> Wording | None:
    """Words in at most `most` lines; None if they do not fit."""
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
    """The first of the names that fits at a size down to `least`; otherwise the last name, abbreviated."""
    last = ""
    for last in names:
        for smaller in sizes(size, least):
            found = wrapped(last, smaller, room, most, measure, bold)
            if found is not None:
                return found
    return abbreviated(last, min(size, least), room, most, measure, bold)


def sizes(size: float, least: float) -> tuple[float, ...]:
    """Font sizes to try, from this one down to the least."""
    found = [size]
    while found[-1] * STEP_DOWN > least:
        found.append(found[-1] * STEP_DOWN)
    return (*found, least) if found[-1] > least else tuple(found)


def abbreviated(
    words: str, size: float, room: float, most: int, measure: Measure, bold: bool = True
) -> Wording:
    """Words that are too long end with a period. In a name, words are shortened rather than left out, because
    without them it could be a different name; in longer texts, words that do not fit are left out."""
    pieces = PIECES.findall(words)
    while 1 < len(pieces) <= NAME_WORDS:
        found = wrapped("".join(pieces), size, room, most, measure, bold)
        if found is not None:
            return found
        n = max(range(len(pieces)), key=lambda n: _spare(pieces[n]))
        letters = _letters(pieces[n])
        if _spare(pieces[n])[1] <= FEWEST_LETTERS + (len(pieces) > 2):
            break
        pieces[n] = f"{letters[:-1]}. "
    lines = [""]
    for piece in PIECES.findall(words):
        word = _clipped(piece.strip(), size, room, measure, bold) + " " * piece.endswith(" ")
        if measure((lines[-1] + word).strip(), size, bold) <= room:
            lines[-1] += word
        elif len(lines) == most:
            lines[-1] = lines[-1].rstrip(" ,;:–-")  # nothing follows it
            break
        else:
            lines.append(word)
    return Wording(tuple(line.strip() for line in lines), size, bold)


def _spare(piece: str) -> tuple[bool, int]:
    """Sort key for shortening: a legible word that is already shortened first, then the longest."""
    letters = 0 if piece.startswith("(") else len(_letters(piece))
    return "." in piece and letters > FEWEST_LETTERS + 1, letters


def _letters(piece: str) -> str:
    return piece.strip().rstrip(".,;:-")


def _clipped(word: str, size: float, room: float, measure: Measure, bold: bool) -> str:
    """A word, or as many of its letters as fit, with a period."""
    if measure(word, size, bold) <= room:
        return word
    ways = (f"{word[:n]}." for n in range(len(word) - 1, 1, -1))
    return next((way for way in ways if measure(way, size, bold) <= room), word[:1])
