"""The sheet as one table: names of lines, a column of numbers per seat, and reasons in opened lines."""

from __future__ import annotations

from collections.abc import Callable, Collection
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
from companion.ui.toolkit.symbols import FaceTap, FaceView
from scoring.sheet import Line, Sheet

if TYPE_CHECKING:
    from companion.core.game import Game
    from companion.ui.screens.score.screen import Score

FACE = 96
"""The smallest width of the face of a component that earned points."""
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


class SheetView:
    """A sheet of this width; `opened` are the lines whose reasons are shown."""

    def __init__(self, screen: Score, game: Game, width: float, opened: Collection[str] = ()) -> None:
        self.screen, self.game, self.sheet, self.opened = screen, game, screen.sheet, opened
        self.marks = screen.desk.marks(tuple(seat.name for seat in self.sheet.seats))
        self.rows = rows_of(self.sheet, screen.desk.language)
        inner = width - theme().px(2 * PAD + 20)
        names = max(extent(seat.name, "Words", theme().font("note"), True) for seat in self.sheet.seats)
        numbers = extent("00", "Words", theme().font("body"), True)
        seats = len(self.sheet.seats)
        lines = max(
            (extent(row.words, "Words", theme().font("note"), False) for row in self.rows), default=0.0
        )
        note = theme().font("note")
        word = max(extent(word, "Words", note, False) for row in self.rows for word in row.words.split())
        column = max(min(lines + theme().px(80), inner * 0.46), word + theme().px(56) * theme().text)
        """As wide as the names of the lines need; the seats share the rest, so the full width is used."""
        self.named = theme().wide and (max(names, numbers) + theme().px(12)) * seats <= inner - column
        """Whether names fit above the columns; marks are always there."""
        least = max(numbers, theme().px(30) * theme().text) + theme().px(10)
        one = max(least, (inner - column) / seats)
        self.shares = (inner - one * seats, *([one] * seats))

    def heads(self) -> Part:
        """The seats with their sums, above their columns."""
        cells: list[Part] = [Words(self.screen.t("score.total"), "body", "dim")]
        for n, seat in enumerate(self.sheet.seats):
            name = Words(seat.name, "note", bold=True, align="center") if self.named else None
            crown = Icon("crown", "note", "accent") if seat.rank == 1 and self.named else None
            size = "prompt" if self.named else "body"
            total = Words(str(seat.total), size, "accent", bold=True, align="center")
            cells.append(Column([_middle(Badge(self.marks[n], 30), crown), name, total], gap=0))
        return Plate(Split(cells, self.shares, gap=0), edge="line", pad=10)

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
        name = Row([sign, Words(row.words, "note").fill(), more], gap=6)
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


def _middle(badge: Part, crown: Part | None) -> Part:
    """A seat's mark centred in its column, with a crown beside it."""
    if crown is None:
        return badge
    return Row([Column([]).fill(), crown, badge, Column([]).fill()], gap=0)
