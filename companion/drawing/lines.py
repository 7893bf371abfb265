"""Words wrapped into lines, so that none is ever cut."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from companion.drawing.strokes import Inscription, Measure, Stroke

STEP = 1.08
"""From line to line, to the size of the letters."""
SMALLEST = 0.62
"""Letters rather become so much smaller than break a word."""


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
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if measure(longer, size, bold) <= room:
            lines[-1] = longer
        elif measure(word, size, bold) <= room and lines[-1]:
            lines.append(word)
        else:
            return None
    return Wording(tuple(lines), size, bold) if len(lines) <= most else None


def fitted(
    names: Iterable[str], size: float, room: float, most: int, measure: Measure, bold: bool = True
) -> Wording:
    """The first of the names that fits at this size; else the last, as much smaller as it takes."""
    last = ""
    for last in names:
        found = wrapped(last, size, room, most, measure, bold)
        if found is not None:
            return found
    smaller = size
    while smaller > size * SMALLEST:
        smaller *= 0.95
        found = wrapped(last, smaller, room, most, measure, bold)
        if found is not None:
            return found
    wide = measure(last, size, bold)
    return Wording((last,), size * min(1.0, room / wide) if wide else size, bold)
