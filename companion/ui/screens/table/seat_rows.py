"""Rows that begin with a seat, and the words above their columns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from kivy.core.window import Window

from companion.ui.toolkit.kit import Group, Part, look
from companion.ui.toolkit.look import SMALLEST_WORDS
from companion.ui.toolkit.snug import Snug

SEAT, GAP, NARROW = 214, 5, 150
"""How wide a seat is at the beginning of a row, and beside two lines of options on an upright screen."""

HEAD = 48
"""How high the head of a row is on an upright screen, where it stands above the options."""


def upright() -> bool:
    """Whether the screen is higher than wide."""
    return bool(Window.height > Window.width)


class RowOf(Group):
    """A first part so wide, and the others sharing the rest beside it; on an upright screen below it."""

    def __init__(self, parts: list[Part], first: float, beside: bool = False) -> None:
        super().__init__(parts, GAP)
        self.first, self.beside = first, beside

    def fit(self, width: float) -> float:
        return max(part.fit(self.first) for part in self.parts)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        if upright() and len(self.parts) > 1 and not self.beside:
            head = look().px(HEAD)
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
    """Words above columns of equal width; neighbours with the same word share it, and a long one may reach over the
    columns beside it as far as their words leave room."""

    def __init__(self, words: list[str], first: float) -> None:
        super().__init__()
        self.first, self.columns = first, len(words)
        self.spans: list[tuple[int, int, Snug]] = []
        for n, word in enumerate(words):
            if n and word == words[n - 1]:
                start, many, head = self.spans[-1]
                self.spans[-1] = (start, many + 1, head)
            else:
                head = Snug(word, SMALLEST_WORDS / look().text, SMALLEST_WORDS, "dim", align="center")
                self.spans.append((n, 1, head))
                self.add_widget(head)

    def fits(self, width: float) -> bool:
        """Whether no word touches the next one, or the edge, in this width."""
        places = list(self._places(width))
        apart = look().px(3)
        return all(
            left + wide + apart <= after
            for (left, wide), (after, _) in pairwise([*places, (width + apart, 0)])
        )

    def _places(self, width: float) -> Iterator[tuple[float, float]]:
        """Where each word begins, and how wide it is."""
        gap = look().px(GAP)
        cell = (width - self.first + gap) / self.columns
        for start, many, head in self.spans:
            wide = head.natural()
            yield self.first + start * cell + (many * cell - gap - wide) / 2, wide

    def fit(self, width: float) -> float:
        return look().px(22)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        for (left, wide), (_, _, head) in zip(self._places(width), self.spans, strict=True):
            head.place(x + left, y, wide, height)
