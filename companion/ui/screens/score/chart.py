"""The growth of the scores: a line per seat, distinguished by colour, shape and letter."""

from __future__ import annotations

from collections.abc import Sequence

from companion.drawing.charts import ChartBar, Ink, Series, bars, lines
from companion.drawing.signs import StrokeGroup
from companion.results.growth import Growth
from companion.table.marks import Mark
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Part, Split, Words, theme
from companion.ui.toolkit.symbols import measured, paint


def ink(size: str = "note") -> Ink:
    """The theme's colours and letters for charts on a surface."""
    now = theme()
    text, dim, line, ground = (now.colour(tone) for tone in ("text", "dim", "line", "surface"))
    return Ink(measured, text, dim, line, ground, now.font(size), now.unit)


def series_of(growth: Growth, marks: Sequence[Mark], names: Sequence[str]) -> tuple[Series, ...]:
    """A line per seat."""
    return tuple(
        Series(name, growth.of(seat), mark.colour, mark.shape, mark.letter)
        for seat, (mark, name) in enumerate(zip(marks, names, strict=True))
    )


def growth_table(growth: Growth, marks: Sequence[Mark]) -> Part:
    """The numbers of the chart: a row per round, a column per seat."""
    shares = [1.0] * (len(marks) + 1)
    rows: list[Part] = [Split([Words(""), *(Badge(mark, 26) for mark in marks)], shares, gap=4)]
    for number, points in zip(growth.rounds, growth.points, strict=True):
        cells = [Words(str(number), "detail", "dim"), *(Words(str(n), "detail", bold=True) for n in points)]
        rows.append(Split(cells, shares, gap=4))
    return Column(rows, gap=4)


class ChartDrawing(Part):
    """A chart drawn for the width it gets; `text` is the same as words, for screen readers."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.text = text

    def laid(self, width: float, height: float = 0) -> StrokeGroup:
        """The strokes for this width, and this height where the chart fills it."""
        raise NotImplementedError

    def fit(self, width: float) -> float:
        return self.laid(width).high

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.canvas.clear()
        with self.canvas:
            paint(self.laid(width, height).strokes, x, y + height)


class Chart(ChartDrawing):
    """Axes with numbers, and each seat's line with its mark at the end; marks never overlap."""

    def __init__(self, growth: Growth, marks: Sequence[Mark], height: float = 250) -> None:
        names = [mark.letter for mark in marks]
        super().__init__(
            "; ".join(f"{name}: {growth.of(n)}" for n, name in enumerate(names) if growth.rounds)
        )
        self.growth, self.series = growth, series_of(growth, marks, names) if growth.rounds else ()
        self._high = theme().px(height) * max(1.0, theme().text)

    def fit(self, width: float) -> float:
        return self._high

    def laid(self, width: float, height: float = 0) -> StrokeGroup:
        return lines(self.series, self.growth.rounds, width, height or self._high, ink())


class Bars(ChartDrawing):
    """A bar per person."""

    def __init__(self, rows: Sequence[ChartBar]) -> None:
        super().__init__("; ".join(f"{row.name} {row.value} {row.strong} {row.note}" for row in rows))
        self.rows = rows

    def laid(self, width: float, height: float = 0) -> StrokeGroup:
        return bars(self.rows, width, ink("detail"))
