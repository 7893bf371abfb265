"""The sheet as one table: names of lines, a column of numbers per seat, and reasons in opened lines."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from companion.core.components import Component
from companion.core.faces import Sign
from companion.results.sheets import gathered, reasons, sheet_words
from companion.texts import render
from companion.ui.screens.score.ceremony import legend_sign, shared_lines
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import (
    PAD,
    Column,
    Flow,
    Gap,
    Icon,
    Part,
    Plate,
    Row,
    Split,
    Tap,
    Words,
    extent,
    theme,
)
from companion.ui.toolkit.snug import Snug, shortened
from companion.ui.toolkit.symbols import FaceTap, FaceView
from companion.ui.toolkit.theme import FONTS, SMALLEST_WORDS
from scoring.sheet import Line, Sheet

if TYPE_CHECKING:
    from companion.core.game import Game
    from companion.ui.screens.score.screen import Score

FACE = 96
"""The smallest width of the face of a component that earned points."""
BADGE = 30
"""The size of a seat's mark, at any text size."""
NONE = "·"
"""Shown where a seat has no such line."""


class SheetRow(Struct, frozen=True):
    """A row of the table: its name, and every seat's line."""

    what: str
    words: str
    lines: tuple[Line | None, ...]


def rows_of(sheet: Sheet, language: str) -> tuple[SheetRow, ...]:
    """Rows that every seat has, then the others, seat by seat, each only once."""
    of, seats = sheet_words(sheet), gathered(sheet).seats
    every = [line.what for seat in seats for line in seat.lines]
    rows = []
    for what in dict.fromkeys([*shared_lines(sheet), *every]):
        lines = tuple(next((line for line in s.lines if line.what == what), None) for s in seats)
        rows.append(SheetRow(what, render(of.words(what), language), lines))
    return tuple(rows)


class ColumnName(Snug):
    """A seat's name above its column; a long one is shortened, but never to what could be another's."""

    def __init__(self, name: str, width: float, names: Collection[str]) -> None:
        super().__init__(name, 20, SMALLEST_WORDS, bold=True, align="center", lines=2)
        self.name = name
        if not self.fits(width, 3 * self.smallest):
            self.text = shortened(name, self.smallest, width, names)


class WinnersCrown(Icon):
    """Beside the mark of a seat that wins."""


class SheetView:
    """A sheet of this width; `opened` are the lines whose reasons are shown."""

    def __init__(self, screen: Score, game: Game, width: float, opened: Collection[str] = ()) -> None:
        self.screen, self.game, self.sheet, self.opened = screen, game, screen.sheet, opened
        self.marks = screen.desk.marks(tuple(seat.name for seat in self.sheet.seats))
        self.rows = rows_of(self.sheet, screen.desk.language)
        inner, seats = width - theme().px(2 * PAD + 20), len(self.sheet.seats)
        note, small = theme().font("note"), theme().px(SMALLEST_WORDS)
        names = [seat.name for seat in self.sheet.seats]
        words = [word for row in self.rows for word in row.words.split()]
        numbers = extent("00", "Words", theme().font("body"), True)
        least = max(numbers, theme().px(30) * theme().text, _widest(names, small, True)) + theme().px(10)
        lines = _widest([row.words for row in self.rows], note)
        signs = theme().px(56) * theme().text
        column = max(min(lines + theme().px(80), inner * 0.46), _widest(words, note) + signs)
        self.roomy = theme().wide and (max(numbers, _widest(names, note, True)) + theme().px(12)) * seats <= (
            inner - column
        )
        """Whether the heads fit above the columns in full size."""
        column = max(min(column, inner - least * seats), _widest(words, small) + signs)
        """As wide as the names of the lines need; the seats share the rest, so the full width is used. If names
        of seats would be cut, those of the lines are smaller."""
        one = max(numbers + theme().px(10), (inner - column) / seats)
        self.shares = (inner - one * seats, *([one] * seats))

    def heads(self, button: Callable[[float], Part] | None = None) -> Part:
        """The seats with their sums, above their columns; a button for this width may be beside them."""
        total = Words(self.screen.t("score.total"), "body", "dim")
        room = self.shares[0] - total.natural() - theme().px(2 * PAD)
        cells: list[Part] = [Row([total.fill(), button(room), Gap(PAD)], gap=0) if button else total]
        names = tuple(seat.name for seat in self.sheet.seats)
        for n, seat in enumerate(self.sheet.seats):
            crown = WinnersCrown("crown", "note" if self.roomy else "detail", "accent")
            top = _middle(Badge(self.marks[n], BADGE / theme().text), crown if seat.rank == 1 else None)
            name = ColumnName(seat.name, self.shares[1] - theme().px(6), names)
            size = "prompt" if self.roomy else "body"
            total = Words(str(seat.total), size, "accent", bold=True, align="center")
            cells.append(Column([top, name, total], gap=0))
        return Plate(Split(cells, self.shares, gap=0), edge="line", pad=10 if self.roomy else 6)

    def body(self, tapped: Callable[[str], None]) -> Part:
        """All lines; a touch opens the reasons of a line."""
        return Column([self._row(row, tapped) for row in self.rows], gap=4)

    def _row(self, row: SheetRow, tapped: Callable[[str], None]) -> Part:
        of = sheet_words(self.sheet)
        told = any(line is not None and any(reasons(line, of)) for line in row.lines)
        opened = row.what in self.opened
        more = (
            Icon("arrow-down" if opened else "chevron-right", "note", "dim")
            if told and theme().wide
            else None
        )
        sign = legend_sign(self.game, row.what)
        name = Row([sign, Snug(row.words, FONTS["note"], SMALLEST_WORDS, lines=2).fill(), more], gap=6)
        numbers = [self._number(line) for line in row.lines]
        line = Split([name, *numbers], self.shares, gap=0)
        if not told:
            return Plate(line, pad=10, radius=12)
        tap = Tap(part=line.fill(), on_tap=lambda: tapped(row.what), kind="quiet", name=f"line-{row.what}")
        return Column([tap, *self._reasons(row)], gap=6) if opened else tap

    def _number(self, line: Line | None) -> Part:
        if line is None:
            return Words(NONE, "body", "dim", align="center")
        return Words(str(line.points), "body", bold=True, align="center")

    def _reasons(self, row: SheetRow) -> list[Part]:
        """For each seat with this line, what made it up: faces of components, everything else in words."""
        of, brought = sheet_words(self.sheet), self.screen.brought is not None
        box = self.game.usual_box() if brought else self.screen.desk.session.catalogue
        told: list[Part] = []
        for n, (seat, line) in enumerate(zip(self.sheet.seats, row.lines, strict=True)):
            made = [] if line is None else list(reasons(line, of))
            if line is None or not made:
                continue
            earned = {id: points for id, points in line.because.items() if id in box}
            if len(earned) == len(made):
                faces = [self._face(n, box[id], points) for id, points in earned.items()]
                told.append(Row([Badge(self.marks[n], 30), Flow(faces, gap=6, lines=99).fill()], gap=6))
            else:
                parts = ", ".join(self.screen.t("ui.reason", n=points, what=what) for points, what in made)
                words = self.screen.t("ui.reasons-of", name=seat.name, reasons=parts)
                told.append(Words(words, "note", "dim"))
        return told

    def _face(self, seat: int, component: Component, points: int) -> Part:
        """A face to tap or hold to see it large."""
        signs = (Sign("points", str(points)),)
        face = FaceView(self.game, self.game.face(component), FACE, FACE * 0.62, signs)
        front, brought = self.screen.app.front, self.screen.brought is not None
        read = partial(front.read_printed, self.game, component)
        if not brought:
            read = partial(front.read, component.id, seat)
        return FaceTap(face, read, f"read-{seat}-{component.id}", read)


def _widest(words: Iterable[str], size: float, bold: bool = False) -> float:
    return max((extent(word, "Words", size, bold) for word in words), default=0.0)


def _middle(badge: Part, crown: Part | None) -> Part:
    """A seat's mark centred in its column, with a crown beside it."""
    if crown is None:
        return badge
    return Row([Column([]).fill(), crown, badge, Column([]).fill()], gap=0)
