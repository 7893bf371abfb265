"""A score sheet laid out on a screen or for a picture; its lines appear one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from kivy.animation import Animation
from kivy.core.text import Label as Measure
from msgspec import Struct

from companion.results.sheets import sheet_words
from companion.texts import render
from companion.ui.screens.score.share import verdict
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import PAD, Column, Flow, Icon, Part, Plate, Row, Split, Tap, Tiles, Words, look
from scoring.sheet import Line, SeatSheet, Sheet

if TYPE_CHECKING:
    from companion.ui.screens.score.screen import Score


class Cell(Struct, frozen=True):
    """A line of a seat, with the words for it."""

    seat: int
    line: Line
    words: str


class SheetView:
    """A sheet laid out: a table with a column for each seat, or a block for each where columns were too narrow."""

    def __init__(self, screen: Score, width: float, growing: bool = False) -> None:
        sheet = screen.sheet
        marks = screen.desk.marks(tuple(seat.name for seat in sheet.seats))
        self.screen, self.sheet, self.marks = screen, sheet, marks
        self.rows = rows_of(sheet, screen.desk.language)
        self.column = (width - look().px(2 * PAD)) / len(sheet.seats) - look().px(6)
        room = self.column - look().px(20)
        widest = _widest((cell.words for row in self.rows for cell in row if cell), "note")
        names = _widest((seat.name for seat in sheet.seats), "note", bold=True)
        points = _widest(["00"], "body", bold=True) + look().px(10)
        self.beside = widest + points <= room
        self.as_table = (
            look().wide and len(sheet.seats) < 6 and widest <= room and names + look().px(44) <= room
        )
        self._totals: dict[int, Words] = {}
        self._places: list[Part] = []
        self._steps: list[list[Part]] = [[] for _ in self.rows]
        self.growing = growing

    # Who

    def heads(self) -> Split:
        """The seats beside each other, above their columns."""
        heads = [
            Plate(
                Column(
                    [
                        Row(
                            [Badge(self.marks[n], 36), Words(seat.name, "note", bold=True).fill()],
                            gap=8,
                        ),
                        Row([self._place(seat).fill(), self._total(n, seat)], gap=4),
                    ],
                    gap=0,
                ),
                pad=10,
                edge=self._edge(seat),
            )
            for n, seat in enumerate(self.sheet.seats)
        ]
        return Split(heads, [1] * len(heads), gap=6)

    def _edge(self, seat: SeatSheet) -> str:
        """Who is first is not given away before the last line."""
        return "accent" if seat.rank == 1 and not self.growing else ""

    def _total(self, n: int, seat: SeatSheet) -> Part:
        self._totals[n] = Words(str(seat.total), "prompt", "accent", bold=True, align="right")
        return self._totals[n]

    def _place(self, seat: SeatSheet) -> Part:
        crown = Icon("crown", "body", "accent") if seat.rank == 1 else None
        place = Row([crown, Words(f"{seat.rank}.", "note", "dim").fill()], gap=4)
        self._places.append(place)
        return place

    # Lines

    def body(self, tapped: Callable[[SeatSheet, Line], None]) -> Part:
        """The verdict and every line."""
        words = self.screen.desk.words(verdict(self.sheet, final=self.screen.final))
        icon = Icon("trophy" if self.screen.final else "flag-checkered", "prompt", "accent")
        row = Row([icon, Words(words, "body", bold=True).fill()])
        told = Plate(row if self.as_table else Column([row, self._standing()]), edge="accent", pad=12)
        self._places.append(told)
        lines = self._table(tapped) if self.as_table else self._blocks(tapped)
        return Column([told, *lines], gap=8)

    def _standing(self) -> Part:
        """The seats from the first place to the last: blocks below each other do not show them at once."""
        places = sorted(zip(self.sheet.seats, self.marks, strict=True), key=lambda pair: pair[0].rank)
        return Flow(
            [
                Row([Words(f"{seat.rank}.", "note", "dim"), Badge(mark, 30), Words(str(seat.total))], gap=6)
                for seat, mark in places
            ],
            gap=20,
            lines=4,
        )

    def _table(self, tapped: Callable[[SeatSheet, Line], None]) -> list[Part]:
        table: list[Part] = []
        for step, row in enumerate(self.rows):
            cells = [Column([]) if cell is None else self._cell(step, cell, tapped) for cell in row]
            table.append(Tiles(cells, 1, gap=6))
        return table

    def _cell(self, step: int, cell: Cell, tapped: Callable[[SeatSheet, Line], None]) -> Part:
        seat = self.sheet.seats[cell.seat]
        points = Words(str(cell.line.points), "body", bold=True, align="right")
        words = Words(cell.words, "note", "dim" if not cell.line.points else "text")
        inner: Part = (
            Row([words.fill(), points], gap=8)
            if self.beside or not self.as_table
            else Column([words, points], gap=0)
        )
        tap = Tap(
            part=inner.fill(),
            on_tap=lambda: tapped(seat, cell.line),
            kind="quiet",
            name=f"line-{cell.seat}-{cell.line.what}",
        )
        self._steps[step].append(tap)
        return tap

    def _blocks(self, tapped: Callable[[SeatSheet, Line], None]) -> list[Part]:
        blocks = []
        for n, seat in enumerate(self.sheet.seats):
            head = Row(
                [
                    Badge(self.marks[n], 44),
                    Column([Words(seat.name, "body", bold=True), self._place(seat)], gap=0).fill(),
                    self._total(n, seat),
                ]
            )
            cells = [
                self._cell(step, cell, tapped)
                for step, row in enumerate(self.rows)
                if (cell := row[n]) is not None
            ]
            block = Column([head, Column(cells, gap=4)], gap=8)
            blocks.append(
                Plate(
                    block, "ground", edge="accent" if seat.rank == 1 and not self.growing else "line", pad=10
                )
            )
        return [Tiles(blocks, 330)]

    # Building up

    def newest(self, lines: int) -> Part:
        """The line that came last."""
        return self._steps[min(lines, len(self._steps)) - 1][0]

    def show(self, lines: int, softly: bool = False) -> None:
        """Show so many lines of each seat, with what they add up to; places and the verdict come last."""
        for step, parts in enumerate(self._steps, 1):
            for part in parts:
                _appear(part, step <= lines, softly and step == lines)
        over = lines > len(self._steps)
        for part in self._places:
            _appear(part, over, softly and over)
        for n, words in self._totals.items():
            shown = [row[n] for row in self.rows[:lines]]
            words.text = str(sum(cell.line.points for cell in shown if cell is not None))


def _widest(sentences: Iterable[str], role: str, bold: bool = False) -> float:
    """The width of the longest word, which must not be broken."""
    measure = Measure(font_name="Words", font_size=look().font(role), bold=bold)
    words = [word for sentence in sentences for word in sentence.split()]
    return max((measure.get_extents(word)[0] for word in words), default=0.0)


def _appear(part: Part, there: bool, softly: bool) -> None:
    Animation.cancel_all(part, "opacity")
    if there and softly:
        part.opacity = 0.0
        Animation(opacity=1.0, duration=0.25).start(part)
    else:
        part.opacity = 1.0 if there else 0.0


def rows_of(sheet: Sheet, language: str) -> list[list[Cell | None]]:
    """The lines side by side: first what every seat has, then the others in each seat's own order."""
    of = sheet_words(sheet)
    every = [line.what for line in sheet.seats[0].lines]
    shared = [w for w in every if all(any(line.what == w for line in s.lines) for s in sheet.seats)]
    columns: list[list[Cell]] = []
    for n, seat in enumerate(sheet.seats):
        first = [line for what in shared for line in seat.lines if line.what == what]
        rest = [line for line in seat.lines if line.what not in shared]
        columns.append([Cell(n, line, render(of.words(line.what), language)) for line in (*first, *rest)])
    longest = max(len(column) for column in columns)
    return [[column[k] if k < len(column) else None for column in columns] for k in range(longest)]
