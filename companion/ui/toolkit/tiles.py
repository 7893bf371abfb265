"""Things to touch that are laid out in all of their room, and how such things share a screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import ceil
from typing import Any

from companion.ui.toolkit.kit import Group, Icon, Part, Row, Tap, Words, look
from companion.ui.toolkit.look import TARGET


class Tile(Tap):
    """Something to touch with content of its own, on a ground of any colour."""

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
        self.tall = look().px(TARGET)
        super(Tap, self).__init__(part=content, ground=ground, edge=edge, pad=pad, radius=10)

    def fit(self, width: float) -> float:
        return max(self.tall, self.part.fit(width - 2 * self.pad) + 2 * self.pad)

    def natural(self) -> float:
        return max(self.tall, self.part.natural() + 2 * self.pad)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super(Tap, self).place(x, y, width, height)


class Cells(Group):
    """Parts in equal columns and equal rows that fill the room they have; no row becomes higher than `most`. Those that
    `widen` take more columns where rows were too low for a finger."""

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
        self.columns, self.highest, self.lowest = max(1, columns), look().px(most), look().px(least)

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
        target = look().px(TARGET)
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
    """Parts below each other, each as high as told; the one without a height has the rest."""

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
"""By how much things to leaf through grow at the largest text size."""


def grown(least: tuple[float, float]) -> tuple[float, float]:
    """A least size that grows with the text size, so that larger letters have room."""
    by = max(1.0, min(GROWS, look().text))
    return least[0] * by, least[1] * by


FEWEST = 4
"""So many things to leaf through are in sight at least, if need be smaller ones."""

LEAST_COLUMNS = 5
"""Things to leaf through become no wider than if so many stood beside each other."""


class Leaves(Part):
    """Many parts of one size, as many as there is room for; the last place leads to the others, page after page.

    `at` is the page people are on, kept by whoever builds this; only what is in sight is made. What is `pinned` stands
    first on every page; where there is hardly room for others, only the first and the last of it do. `onward` makes
    what the last place says, of the range it leads to.
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
        """What the place that leads to the others is called, and what it shows."""
        self.make, self.total, self.at, self.turned, self.pinned = make, total, at, turned, list(pinned)
        self.least = (look().px(least[0]), look().px(least[1]))
        self.gap, self.most = look().px(6), look().px(most)
        self.shown: range = range(0)

    def fit(self, width: float) -> float:
        return 2 * self.least[1] + self.gap

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.again()

    def again(self) -> None:
        """Lay out anew, of as many parts as there are now."""
        self.clear_widgets()
        if self.height < look().px(TARGET):  # a keyboard may leave no room
            self.shown = range(0)
            return
        columns, rows = self._room(1.0)
        if columns * rows < len(self.pinned) + FEWEST:  # large words, and little room for them
            columns, rows = self._room(1 / GROWS)
        while columns > LEAST_COLUMNS and (columns - 1) * rows >= self.total + len(self.pinned):
            columns -= 1  # as large as they can be with all of them in sight
        pinned = list(self.pinned)
        while len(pinned) > 2 and columns * rows < len(pinned) + 2:
            pinned.pop(-2)
        parts = [*pinned, *self._page(columns * rows - len(pinned))]
        leafed = self.total > len(self.shown)  # then its last place is the grid's last, on every page
        used = rows if leafed else max(1, ceil(len(parts) / columns))
        wide = (self.width + self.gap) / columns - self.gap
        high = min(self.most, (self.height + self.gap) / min(rows, max(used, 2)) - self.gap)
        for n, part in enumerate(parts):
            row, column = divmod(columns * rows - 1 if leafed and part is parts[-1] else n, columns)
            self.add_widget(part)
            top = self.top - row * (high + self.gap)
            part.place(self.x + column * (wide + self.gap), top - high, wide, high)

    def _room(self, by: float) -> tuple[int, int]:
        """How many columns and rows there are of parts that are so much larger than the least."""
        wide, high = (max(look().px(TARGET), least * by) + self.gap for least in self.least)
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
