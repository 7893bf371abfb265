"""Charts as strokes: window, SVG, PNG and terminal show the same numbers; each chart is also a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from companion.drawing.colours import INK, contrast
from companion.drawing.shapes import outline
from companion.drawing.signs import StrokeGroup
from companion.drawing.strokes import Area, Block, Inscription, Measure, Stroke

STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)
"""Convenient distances between grid lines."""

MOST_LINES = 5
PALE = 2.0
"""A line with less contrast to its background than this gets a darker edge."""


class Ink(Struct, frozen=True):
    """What a chart is drawn with: colours, the size of its letters, and how wide they are."""

    measure: Measure
    text: str = "#F1F4F9"
    dim: str = "#B4C0D4"
    line: str = "#3A4B66"
    ground: str = "#182130"
    size: float = 24
    unit: float = 1.0


class Series(Struct, frozen=True):
    """One seat's or person's numbers, with the mark that tells them apart."""

    name: str
    values: tuple[int, ...]
    colour: str
    shape: str
    letter: str = ""


class ChartBar(Struct, frozen=True):
    """One bar: a name with its mark, a number, and a note such as the average and "of how many"."""

    name: str
    value: int
    colour: str
    shape: str
    letter: str = ""
    note: str = ""
    strong: str = ""
    """The part of the note that is bold, before it."""


def step_for(span: float, most: int) -> int:
    """The smallest convenient step that divides a span into at most this many parts."""
    return next((step for step in STEPS if span / step <= most), math.ceil(span / most))


def grid(series: Sequence[Series]) -> range:
    """The numbers of the horizontal lines."""
    values = [value for one in series for value in one.values]
    lowest, highest = min(0, *values), max(values)
    step = step_for(max(1, highest - lowest), MOST_LINES)
    lowest, highest = step * math.floor(lowest / step), step * max(1, math.ceil(highest / step))
    return range(lowest, highest + 1, step)


def lines(series: Sequence[Series], below: Sequence[int], wide: float, high: float, ink: Ink) -> StrokeGroup:
    """A line per seat over the numbers `below`, such as rounds, with each seat's shape at every point and its mark
    at the end."""
    strokes: list[Stroke] = []
    if not below:
        return StrokeGroup((), wide, high)
    numbers, pad = grid(series), 10 * ink.unit
    badge = min(17 * ink.unit, high / (2 * len(series)))
    letters = max(ink.measure(str(n), ink.size, False) for n in numbers)
    left, right = letters + pad, wide - 2 * badge - pad
    top, bottom = ink.size / 2, high - ink.size * 1.2 - pad

    def level(points: float) -> float:
        return bottom - (bottom - top) * (points - numbers[0]) / max(1, numbers[-1] - numbers[0])

    inset = 14 * ink.unit

    def across(n: int) -> float:
        return left + inset + (right - left - 2 * inset) * (n / (len(below) - 1) if len(below) > 1 else 0.5)

    for n in numbers:
        at = letters - ink.measure(str(n), ink.size, False)
        strokes.append(Block(left, level(n) - 0.5, right - left, 1, ink.line))
        strokes.append(Inscription(at, level(n), str(n), ink.size, ink.dim, bold=False))
    widest = max(ink.measure(str(n), ink.size, False) for n in below) + 16 * ink.unit
    for n in range(0, len(below), step_for(len(below), max(1, int((right - left) / widest)))):
        words = str(below[n])
        at = across(n) - ink.measure(words, ink.size, False) / 2
        strokes.append(Inscription(at, high - ink.size * 0.6, words, ink.size, ink.dim, bold=False))
    for one in series:
        path = [(across(n), level(value)) for n, value in enumerate(one.values)]
        if contrast(one.colour, ink.ground) < PALE:
            strokes += _path(path, 5.2 * ink.unit, ink.dim)
        strokes += _path(path, 3.8 * ink.unit, one.colour)
        for x, y in path:
            for tone, radius in ((ink.text, 7.4), (one.colour, 6.2)):
                strokes.append(_shape(one.shape, x, y, radius * ink.unit, tone))
    strokes += _ends(series, level, wide - badge, top, badge, ink)
    return StrokeGroup(tuple(strokes), wide, high)


def _ends(
    series: Sequence[Series], level: object, x: float, top: float, badge: float, ink: Ink
) -> list[Stroke]:
    """Each mark as near to the end of its line as the others allow."""
    assert callable(level)
    ends = sorted(((float(level(one.values[-1])), n) for n, one in enumerate(series)), reverse=True)
    spots: list[float] = []
    for at, _ in ends:
        spots.append(min(at, spots[-1] - 2 * badge) if spots else at)
    lowest = max(top, badge)
    for n in range(len(spots) - 1, -1, -1):
        spots[n] = max(spots[n], lowest + 2 * badge * (len(spots) - 1 - n))
    return [
        stroke
        for y, (_, n) in zip(spots, ends, strict=True)
        for stroke in mark(series[n].shape, series[n].letter, series[n].colour, x, y, badge, ink)
    ]


def mark(shape: str, letter: str, colour: str, x: float, y: float, radius: float, ink: Ink) -> list[Stroke]:
    """A seat's mark round a point."""
    size = radius * 0.95
    at = x - ink.measure(letter, size, True) / 2
    return [_shape(shape, x, y, radius * 0.9, colour), Inscription(at, y, letter, size, INK)]


def bars(rows: Sequence[ChartBar], wide: float, ink: Ink) -> StrokeGroup:
    """A bar per person on one scale: mark, name, the number in its bar, the note at the right."""
    strokes: list[Stroke] = []
    line, pad = ink.size * 2.1, 10 * ink.unit
    radius = ink.size * 0.75
    names = max((ink.measure(row.name, ink.size, False) for row in rows), default=0.0)
    notes = max((ink.measure(row.note, ink.size * 0.85, False) for row in rows), default=0.0)
    strongs = max((ink.measure(row.strong, ink.size, True) for row in rows), default=0.0)
    left = 2 * radius + 2 * pad + names
    numbers = max((ink.measure(str(row.value), ink.size, True) for row in rows), default=0.0) + 2 * pad
    room = max(numbers, wide - left - notes - strongs - 3 * pad)
    most = max((row.value for row in rows), default=1) or 1
    for n, row in enumerate(rows):
        y = n * line + line / 2
        strokes += mark(row.shape, row.letter, row.colour, radius, y, radius, ink)
        strokes.append(Inscription(2 * radius + pad, y, row.name, ink.size, ink.text, bold=False))
        long = numbers + (room - numbers) * max(0, row.value) / most
        strokes.append(Block(left, y - ink.size * 0.75, long, ink.size * 1.5, row.colour, 4 * ink.unit))
        strokes.append(Inscription(left + pad, y, str(row.value), ink.size, INK))
        note = wide - ink.measure(row.note, ink.size * 0.85, False)
        strokes.append(Inscription(note, y, row.note, ink.size * 0.85, ink.dim, bold=False))
        strong = wide - notes - pad - ink.measure(row.strong, ink.size, True)
        strokes.append(Inscription(strong, y, row.strong, ink.size, ink.text))
    return StrokeGroup(tuple(strokes), wide, line * len(rows))


def in_letters(series: Sequence[Series], below: Sequence[int], columns: int = 72) -> list[str]:
    """The line chart for a terminal: each seat's letter at its points; where several meet, the first."""
    if not below:
        return []
    numbers = grid(series)
    rows, wide = 2 * len(numbers) - 1, max(len(str(n)) for n in numbers)
    inner = max(len(below), min(columns - wide - 2, 4 * len(below)))
    cells = [[" "] * inner for _ in range(rows)]
    for one in reversed(series):
        for n, value in enumerate(one.values):
            x = round(n * (inner - 1) / max(1, len(below) - 1))
            y = round((numbers[-1] - value) * (rows - 1) / max(1, numbers[-1] - numbers[0]))
            cells[y][x] = one.letter or "*"
    shown = []
    for y, row in enumerate(cells):
        number = "" if y % 2 else str(numbers[len(numbers) - 1 - y // 2])
        shown.append(f"{number:>{wide}} {'┤' if number else '│'}{''.join(row).rstrip()}")
    return shown


def bars_in_letters(rows: Sequence[ChartBar], columns: int = 24) -> list[str]:
    """The bars for a terminal."""
    most = max((row.value for row in rows), default=1) or 1
    wide = max((len(row.name) for row in rows), default=0)
    shown = []
    for row in rows:
        bar = "█" * round(columns * max(0, row.value) / most)
        shown.append(f"{row.name:<{wide}}  {bar} {row.value}  {row.strong} {row.note}".rstrip())
    return shown


def table_of(series: Sequence[Series], below: Sequence[int]) -> list[tuple[str, ...]]:
    """The numbers of a line chart: a heading, then a row per seat."""
    return [("", *(str(n) for n in below)), *((one.name, *map(str, one.values)) for one in series)]


def _path(path: Sequence[tuple[float, float]], thick: float, colour: str) -> list[Stroke]:
    """A line through these points, as a strip per piece."""
    strips: list[Stroke] = []
    for (x, y), (a, b) in pairwise(path):
        long = math.hypot(a - x, b - y) or 1.0
        dx, dy = (b - y) / long * thick / 2, (a - x) / long * thick / 2
        strips.append(Area(((x - dx, y + dy), (a - dx, b + dy), (a + dx, b - dy), (x + dx, y - dy)), colour))
    return strips


def _shape(shape: str, x: float, y: float, radius: float, colour: str) -> Area:
    return Area(tuple((px, 2 * y - py) for px, py in outline(shape, x, y, radius)), colour)
