"""Rows that begin with a seat, and the titles of their columns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from kivy.core.window import Window

from companion.ui.toolkit.kit import Group, Part, theme
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import SMALLEST_WORDS

SEAT, GAP, NARROW = 214, 5, 150
"""The width of a seat at the beginning of a row, the gap, and its width beside two lines of options on an
upright screen."""

HEAD = 48
"""The height of a row's head on an upright screen, where it is above the options."""


def upright() -> bool:
    """Whether the screen is higher than wide."""
    return bool(Window.height > Window.width)


class RowOf(Group):
    """A first part of this width, and the others sharing the rest beside it, or below it if upright."""

    def __init__(self, parts: list[Part], first: float, beside: bool = False) -> None:
        super().__init__(parts, GAP)
        self.first, self.beside = first, beside

    def fit(self, width: float) -> float:
        return max(part.fit(self.first) for part in self.parts)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        if upright() and len(self.parts) > 1 and not self.beside:
            head = theme().px(HEAD)
            self.parts[0].place(x, y + height - head, width, head)
            self._share(x, y, width, height - head - self.gap)
            return
        self.parts[0].place(x, y, self.first, height)
        self._share(x + self.first + self.gap, y, width - self.first - self.gap, height)

    def _share(self, x: float, y: float, width: float, height: float) -> None:
        others = self.parts[1:]
        wide = (width + self.gap) / max(1, len(others)) - self.gap
        for n, part in enumerate(others):
            part.place(x + n * (wide + self.gap), y, wide, height)


class Heads(Part):
    """Titles above columns of equal width. Neighbours with the same title share it, and a long title may
    extend over the columns next to it as far as their titles leave room."""

    def __init__(self, words: list[str], first: float) -> None:
        super().__init__()
        self.first, self.columns = first, len(words)
        self.spans: list[tuple[int, int, Snug]] = []
        for n, word in enumerate(words):
            if n and word == words[n - 1]:
                start, many, head = self.spans[-1]
                self.spans[-1] = (start, many + 1, head)
            else:
                head = Snug(word, SMALLEST_WORDS / theme().text, SMALLEST_WORDS, "dim", align="center")
                self.spans.append((n, 1, head))
                self.add_widget(head)

    def fits(self, width: float) -> bool:
        """Whether no title touches the next one or the edge at this width."""
        places = list(self._places(width))
        apart = theme().px(3)
        return all(
            left + wide + apart <= after
            for (left, wide), (after, _) in pairwise([*places, (width + apart, 0)])
        )

    def _places(self, width: float) -> Iterator[tuple[float, float]]:
        """Where each title begins, and its width."""
        gap = theme().px(GAP)
        cell = (width - self.first + gap) / self.columns
        for start, many, head in self.spans:
            wide = head.natural()
            yield self.first + start * cell + (many * cell - gap - wide) / 2, wide

    def fit(self, width: float) -> float:
        return theme().px(22)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        for (left, wide), (_, _, head) in zip(self._places(width), self.spans, strict=True):
            head.place(x + left, y, wide, height)
