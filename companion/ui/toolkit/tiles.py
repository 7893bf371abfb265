"""Buttons that fill their room, and layouts that divide a screen between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import ceil
from typing import Any

from companion.ui.toolkit.kit import Group, Icon, Part, Row, Tap, Words, theme
from companion.ui.toolkit.theme import TARGET


class Tile(Tap):
    """A button with any content, on a background of any colour."""

    def __init__(
        self,
        content: Part,
        on_tap: Callable[[], Any] | None,
        name: str,
        *,
        ground: str = "raised",
        edge: str = "",
        pad: float = 0,
        about: object = None,
        repeats: bool = False,
    ) -> None:
        self.repeats = repeats
        self.about, self.name, self.on_tap, self.ground = about, name, on_tap, ground
        self.tall = theme().px(TARGET)
        super(Tap, self).__init__(part=content, ground=ground, edge=edge, pad=pad, radius=10)

    def fit(self, width: float) -> float:
        return max(self.tall, self.part.fit(width - 2 * self.pad) + 2 * self.pad)

    def natural(self) -> float:
        return max(self.tall, self.part.natural() + 2 * self.pad)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super(Tap, self).place(x, y, width, height)


class Cells(Group):
    """Parts in equal columns and rows that fill the room; no row is higher than `most`. With `widen`, there
    are more columns if rows would be too low for a finger."""

    def __init__(
        self,
        parts: Iterable[Part | None],
        columns: int,
        gap: float = 8,
        most: float = 0,
        least: float = 0,
        widen: bool = False,
    ) -> None:
        super().__init__(parts, gap)
        self.widen = widen
        self.columns, self.highest, self.lowest = max(1, columns), theme().px(most), theme().px(least)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return max(1, ceil(len(self.parts) / self.columns))

    def fit(self, width: float) -> float:
        wide = self._wide(width)
        high = max([self.lowest, *(part.fit(wide) for part in self.parts)])
        return self.rows * (high + self.gap) - self.gap

    def _wide(self, width: float) -> float:
        return (width + self.gap) / self.columns - self.gap

    def _high(self, height: float) -> float:
        return (height + self.gap) / self.rows - self.gap

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        target = theme().px(TARGET)
        while (
            self.widen and self._high(height) < target <= (width + self.gap) / (self.columns + 1) - self.gap
        ):
            self.columns += 1
        wide, high = self._wide(width), self._high(height)
        if self.highest:
            high = min(high, self.highest)
        for n, part in enumerate(self.parts):
            row, column = divmod(n, self.columns)
            top = y + height - row * (high + self.gap)
            part.place(x + column * (wide + self.gap), top - high, wide, high)


class Stack(Group):
    """Parts below each other, each with its given height; the one without takes the rest."""

    def __init__(self, parts: Sequence[tuple[Part | None, float | None]], gap: float = 6) -> None:
        kept = [(part, high) for part, high in parts if part is not None]
        super().__init__([part for part, _ in kept], gap)
        self.heights = [high for _, high in kept]

    def fit(self, width: float) -> float:
        highs = [
            part.fit(width) if h is None else h for part, h in zip(self.parts, self.heights, strict=True)
        ]
        return sum(highs) + self.gap * max(0, len(highs) - 1)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        fixed = sum(high for high in self.heights if high is not None)
        rest = height - fixed - self.gap * max(0, len(self.parts) - 1)
        top = y + height
        for part, high in zip(self.parts, self.heights, strict=True):
            own = max(0.0, rest) if high is None else high
            part.place(x, top - own, width, own)
            top -= own + self.gap


GROWS = 1.3
"""How much tiles of a paged grid grow at the largest text size."""


def grown(least: tuple[float, float]) -> tuple[float, float]:
    """A smallest size that grows with the text size, so that larger letters have room."""
    by = max(1.0, min(GROWS, theme().text))
    return least[0] * by, least[1] * by


FEWEST = 4
"""At least this many tiles of a paged grid are visible, smaller if need be."""

LOWEST = 56
"""The height to which tiles shrink for another row if there are hardly any."""

LEAST_COLUMNS = 5
"""Tiles of a paged grid are never wider than with this many columns."""


class Leaves(Part):
    """A paged grid: many parts of one size, as many as fit; the last cell turns to the next page.

    `at` is the current page, kept by the caller; only visible parts are made. `pinned` parts come first on
    every page; if there is hardly room for others, only the first and the last of them. `onward` makes the
    content of the last cell from the range it leads to.
    """

    def __init__(
        self,
        make: Callable[[int], Part],
        total: int,
        at: list[int],
        turned: Callable[[], None],
        least: tuple[float, float],
        pinned: Sequence[Part] = (),
        most: float = 90,
        name: str = "next",
        onward: Callable[[range], Part] | None = None,
    ) -> None:
        super().__init__()
        self.name, self.onward = name, onward
        """The name and the content of the cell that turns the page."""
        self.make, self.total, self.at, self.turned, self.pinned = make, total, at, turned, list(pinned)
        self.least = (theme().px(least[0]), theme().px(least[1]))
        self.gap, self.most = theme().px(6), theme().px(most)
        self.shown: range = range(0)

    def fit(self, width: float) -> float:
        return 2 * self.least[1] + self.gap

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.again()

    @property
    def leafed(self) -> bool:
        """Whether there is more than one page."""
        return self.total > len(self.shown)

    def again(self) -> None:
        """Lay out again, with the current number of parts."""
        self.clear_widgets()
        if self.height < theme().px(TARGET):  # a keyboard may leave no room
            self.shown = range(0)
            return
        columns, rows = self._room(1.0)
        if columns * rows < len(self.pinned) + FEWEST:  # large text and little room
            columns, rows = self._room(1 / GROWS)
            rows = max(rows, int((self.height + self.gap) / (theme().px(LOWEST) + self.gap)))
        while columns > LEAST_COLUMNS and (columns - 1) * rows >= self.total + len(self.pinned):
            columns -= 1  # as large as possible with all of them visible
        pinned = list(self.pinned)
        while len(pinned) > 2 and columns * rows < len(pinned) + 2:
            pinned.pop(-2)
        parts = [*pinned, *self._page(columns * rows - len(pinned))]
        leafed = self.leafed  # then the last cell turns the page, on every page
        used = rows if leafed else max(1, ceil(len(parts) / columns))
        wide = (self.width + self.gap) / columns - self.gap
        high = min(self.most, (self.height + self.gap) / min(rows, max(used, 2)) - self.gap)
        for n, part in enumerate(parts):
            row, column = divmod(columns * rows - 1 if leafed and part is parts[-1] else n, columns)
            self.add_widget(part)
            top = self.top - row * (high + self.gap)
            part.place(self.x + column * (wide + self.gap), top - high, wide, high)

    def _room(self, by: float) -> tuple[int, int]:
        """How many columns and rows fit, of parts this much larger than the smallest size."""
        wide, high = (max(theme().px(TARGET), least * by) + self.gap for least in self.least)
        return max(1, int((self.width + self.gap) / wide)), max(1, int((self.height + self.gap) / high))

    def _page(self, room: int) -> list[Part]:
        room = max(2, room)
        if self.total <= room:
            self.shown = range(self.total)
            return [self.make(n) for n in self.shown]
        pages = ceil(self.total / (room - 1))
        page = self.at[0] % pages
        self.shown = range(page * (room - 1), min(self.total, (page + 1) * (room - 1)))
        after = (page + 1) % pages
        if self.onward is not None:
            says = self.onward(range(after * (room - 1), min(self.total, (after + 1) * (room - 1))))
        else:
            words = Words(f"{page + 1}/{pages}", "tile", "accent", bold=True)
            says = Centred(Row([words, Icon("chevron-right", "body", "accent")], gap=2))
        on = Tile(says, partial(_turn, self.at, self.turned), self.name, pad=4)
        return [*(self.make(n) for n in self.shown), on]


def _turn(at: list[int], turned: Callable[[], None]) -> None:
    at[0] += 1
    turned()


class Centred(Part):
    """A part in the middle of its room."""

    def __init__(self, part: Part) -> None:
        super().__init__()
        self.part = part
        self.add_widget(part)

    def fit(self, width: float) -> float:
        return self.part.fit(min(width, self.part.natural()))

    def natural(self) -> float:
        return self.part.natural()

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        wide = min(width, self.part.natural())
        high = min(height, self.part.fit(wide))
        self.part.place(x + (width - wide) / 2, y + (height - high) / 2, wide, high)
