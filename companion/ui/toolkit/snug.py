"""Text that shrinks to fit its room, and names shortened to fit."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from companion.drawing.lines import abbreviated
from companion.ui.toolkit.lettering import Lettering, Words, extent, lettered
from companion.ui.toolkit.theme import theme

MOST_ROWS = 4
"""Text is abbreviated to at most this many lines."""


class Snug(Words):
    """Text as large as its room allows: at most `full`, never below `least`, in at most `lines` lines if
    possible.

    `full` grows with the chosen text size, `least` only with the screen: text shrinks before anything is cut.
    """

    def __init__(
        self,
        text: str,
        full: float,
        least: float,
        tone: str = "text",
        *,
        bold: bool = False,
        align: str = "left",
        lines: int = 1,
    ) -> None:
        super().__init__(text, "body", tone, bold=bold, align=align)
        largest = round(full * theme().unit * theme().text)
        self._largest, self._least = (
            largest,
            min(largest, round(least * theme().unit * min(1.0, theme().text))),
        )
        self._lines = lines
        self._size = self._full = largest

    @property
    def largest(self) -> float:
        """The largest font size it may have."""
        return self._largest

    @property
    def smallest(self) -> float:
        """The smallest font size it may have."""
        return self._least

    def natural(self) -> float:
        return max(extent(line, self.font, self._largest, self.bold) for line in self.text.split("\n")) + 2

    def widest_word(self) -> float:
        return max((self._extent(word) for word in self.text.split()), default=0.0)

    def fit(self, width: float) -> float:
        """The height at the largest font size that needs at most `lines` lines."""
        size = self._largest
        while size > self._least and self._rows(size, width) > self._lines:
            size -= 1
        return self._height(size, width)

    def lowest(self, width: float) -> float:
        """The height at the smallest font size."""
        return self._height(self._least, width)

    def fits(self, width: float, height: float) -> bool:
        """Whether the whole text fits into this room at some size."""
        return self._stands(self._least, width, height)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        size = self._largest
        while size > self._least and not self._stands(size, width, height):
            size -= 1
        self._wide, self._size = width, size
        self.texture_update()
        while self._size > self._least and self.texture_size[1] > height + 1:  # lines may break elsewhere
            self._size -= 1
            self.texture_update()
        Lettering.place(self, x, y, width, height)

    def high(self, width: float, room: float) -> float:
        """The height at the largest font size that fits into this room."""
        size = self._largest
        while size > self._least and not self._stands(size, width, room):
            size -= 1
        return self._height(size, width)

    def _stands(self, size: float, width: float, height: float) -> bool:
        widest = max((extent(word, self.font, size, self.bold) for word in self.text.split()), default=0.0)
        return widest <= width and self._height(size, width) <= height + 1

    def _height(self, size: float, width: float) -> float:
        return _tall(size, self.bold, self._rows(size, width))

    def _rows(self, size: float, width: float) -> int:
        return _rows(self._text, self.font, size, self.bold, width)


@lru_cache(maxsize=4000)
def _rows(text: str, font: str, size: float, bold: bool, width: float) -> int:
    """The number of lines at this width. Whole lines are measured: they are up to two pixels wider than the
    sum of their words."""
    rows = 0
    for line in text.split("\n"):
        rows, said = rows + 1, ""
        words = [] if extent(line, font, size, bold) <= width else line.split()
        for word in words:
            longer = f"{said} {word}" if said else word
            if said and extent(longer, font, size, bold) > width:
                rows, said = rows + 1, word
            else:
                said = longer
    return rows


@lru_cache(maxsize=400)
def _tall(size: float, bold: bool, rows: int) -> float:
    return float(lettered("\n".join("Ż" * rows), Words.font, size, bold, "left", None).size[1])


def whole(said: Snug, width: float, height: float) -> Snug:
    """The same text, abbreviated if it does not fit even at the smallest size."""
    words, rows = said.text, MOST_ROWS
    while rows and not said.fits(width, height):
        found = abbreviated(words, said.smallest, width - 1, rows, _measure, said.bold)
        said.text, rows = "\n".join(found.words), rows - 1
    return said


def _measure(words: str, size: float, bold: bool) -> float:
    return extent(words, Words.font, size, bold)


def shortened(name: str, size: float, width: float, others: Collection[str] = ()) -> str:
    """A name shortened to one line without being mistaken for one of the others: whole, with initials, its
    first word only, or that word cut, in its middle if need be."""
    words = name.split() or [""]
    first = words[0]
    ways = [" ".join(words), " ".join([first, *(word[0] for word in words[1:])])]
    ways += [first] if not _begins(others, first + " ", name) else []
    ways += [f"{first[:n]}…" for n in range(len(first) - 1, 1, -1) if not _begins(others, first[:n], name)]
    ways += [f"{first[:n]}…{name[-2:]}" for n in range(len(first) - 2, 0, -1)]
    return next((way for way in ways if extent(way, Words.font, size, True) <= width), f"{first[:1]}…")


def _begins(others: Collection[str], beginning: str, name: str) -> bool:
    """Whether another name begins like this."""
    return any(f"{other} ".startswith(beginning) for other in others if other != name)
