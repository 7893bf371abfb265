"""The seats: mark, name, points and numbers of everybody, always visible."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from kivy.core.window import Window
from kivy.graphics import Color, RoundedRectangle

from companion.core.faces import Sign
from companion.core.views import SeatView, View
from companion.table.marks import Mark
from companion.ui.screens.table.band import NAME, SeatName
from companion.ui.screens.table.signs import symbol, symbol_or_word
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Icon, Part, Row, Words, rgba, theme
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import INK, SMALLEST_WORDS
from companion.ui.toolkit.tiles import Cells, Tile

if TYPE_CHECKING:
    from companion.ui.screens.table.clocks import Clocks
    from companion.ui.toolkit.context import Context

FEW = 4
"""Up to this many seats are in one row."""

ONE_ROW, TWO_ROWS = 86, 58
POINTS, FLAT_POINTS = 40, 34
GROWS = 1.25
"""How much seats grow at the largest text size: names and points have priority over the rest."""


class Points(Snug):
    """A seat's points."""


class SeatFace(Part):
    """The content of a seat's panel: a head with mark, name and sign; below it points and numbers, or a
    message."""

    def __init__(
        self,
        app: Context,
        seat: SeatView,
        mark: Mark,
        told: tuple[str, str] | None,
        clocks: Clocks | None = None,
    ) -> None:
        super().__init__()
        self.app, self.seat, self.mark, self.told, self.clocks = app, seat, mark, told, clocks
        self.tone = INK if seat.waiting else "text"
        with self.canvas.before:
            Color(*rgba(mark.colour))
            self._head = RoundedRectangle(radius=[theme().px(9)])

    def fit(self, width: float) -> float:
        return theme().px(ONE_ROW)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        flat = height < theme().px(74)
        (self._flat if flat else self._tall)(x, y, width, height)

    def _tall(self, x: float, y: float, width: float, height: float) -> None:
        """The head above, points and numbers below."""
        pad, head = theme().px(6), round(height * 0.46)
        self._ground(x, y + height - head, width if self.seat.waiting else pad / 2, head)
        side = min(head - theme().px(4), theme().px(40))
        self._name_line(x + pad, y + height - head, width - 2 * pad, head, side)
        low = height - head
        if self.told is not None and self._say(x + pad, y, width - 2 * pad, low):
            return
        left = x + pad
        for part in self._points(POINTS):
            wide = part.natural()
            self._put(part, left, y, wide, low)
            left += wide + theme().px(5)
        self._numbers(left + theme().px(4), y, x + width - pad - left - theme().px(4), low)

    def _flat(self, x: float, y: float, width: float, height: float) -> None:
        """The mark at the left, name and points side by side, numbers below."""
        pad, side = theme().px(5), theme().px(38)
        line = theme().px(34)
        if self.told is None and not self._rows(height - line - theme().px(2)):
            line = height  # nothing would be below
        self._ground(x, y, side + 2 * pad if self.seat.waiting else pad, height)
        self._put(self._badge(side), x + pad, y, side, height)
        left, right = x + side + 3 * pad, x + width - pad
        for part in reversed(self._points(FLAT_POINTS)[-1:]):
            wide = part.natural()
            self._put(part, right - wide, y + height - line, wide, line)
            right -= wide + pad
        for icon in self._signs("text"):
            wide = icon.natural()
            self._put(icon, right - wide, y + height - line, wide, line)
            right -= wide + pad
        name = SeatName(self.seat.name, "text", right - left, _grown(NAME))
        self._put(name, left, y + height - line, right - left, line)
        low = height - line
        if self.told is None or not self._say(left, y, x + width - pad - left, low):
            self._numbers(left, y + theme().px(2), x + width - pad - left, low - theme().px(2))

    def _ground(self, x: float, y: float, width: float, height: float) -> None:
        self._head.pos, self._head.size = (x, y), (width, height)

    def _badge(self, side: float) -> Badge:
        mark = Mark(INK, self.mark.shape, self.mark.letter) if self.seat.waiting else self.mark
        badge = Badge(mark, side / theme().unit / theme().text)
        badge.ink = self.mark.colour if self.seat.waiting else INK
        return badge

    def _name_line(self, x: float, y: float, width: float, height: float, side: float) -> None:
        self._put(self._badge(side), x, y, side, height)
        left, right = x + side + theme().px(6), x + width
        for icon in self._signs(self.tone):
            wide = icon.natural()
            self._put(icon, right - wide, y, wide, height)
            right -= wide + theme().px(4)
        self._put(
            SeatName(self.seat.name, self.tone, right - left, _grown(NAME)), left, y, right - left, height
        )

    def _signs(self, tone: str) -> list[Part]:
        if self.seat.seat in self.app.desk.session.away:
            return [Icon("home", "tile", tone)]
        if self.seat.waiting:
            return [Icon("hand-pointing-right", "tile", tone)]
        if self.seat.passed:
            return [Icon("flag-checkered", "tile", tone)]
        return [Icon("check-circle", "tile", "good")] if self.seat.ready else []

    def _points(self, size: float) -> list[Part]:
        if self.seat.points is None or not self.app.desk.settings.scores:
            return []
        number = Points(str(self.seat.points), _grown(size), NAME, "accent", bold=True)
        return [symbol(self.app.desk.session.game, Sign("points"), 22, "surface", "accent"), number]

    def _numbers(self, x: float, y: float, width: float, height: float) -> None:
        """As many numbers as fit, in as many lines as fit, most important first."""
        rows = self._rows(height)
        if not rows:
            return
        high = min(height / rows, _line())
        low = y + (height + rows * high) / 2 - high
        left, row = x, 0
        for part in self._each():
            wide = part.natural()
            if left > x and left + wide > x + width:
                left, row = x, row + 1
            if row == rows or wide > width:
                break
            self._put(part, left, low - row * high, wide, high)
            left += wide + theme().px(8)

    def _rows(self, height: float) -> int:
        """How many lines of numbers fit."""
        return int((height + theme().px(2)) / _line())

    def _each(self) -> Iterator[Part]:
        game = self.app.desk.session.game
        if self.clocks is not None:
            yield Row([Icon("timer", "detail", "dim"), self.clocks.words(self.seat.seat, "dim")], gap=3)
        ordered = sorted(self.seat.numbers, key=lambda number: number.id != self.seat.matters)
        for number in ordered:
            yield Row(
                [
                    symbol_or_word(game, Sign(number.id), self.app.desk.words(number.text), 18),
                    Words(str(number.value), "detail", bold=True),
                ],
                gap=3,
            )

    def _say(self, x: float, y: float, width: float, height: float) -> bool:
        """Show this seat's message if it fits; return whether it does."""
        assert self.told is not None
        words, how = self.told
        said = Snug(
            words, 20, SMALLEST_WORDS, {"refused": "bad", "accepted": "good"}.get(how, "text"), lines=2
        )
        if not said.fits(width, height):
            return False
        self._put(said, x, y, width, height)
        return True

    def _put(self, part: Part, x: float, y: float, width: float, height: float) -> None:
        self.add_widget(part)
        part.place(x, y, width, height)


class Seats(Showing):
    """The panels of all seats."""

    def tiles(
        self,
        view: View,
        told: tuple[int, str, str] | None,
        touched: Callable[[int], None] | None = None,
        chosen: int | None = None,
        clocks: Clocks | None = None,
    ) -> Cells:
        """All seats side by side, in one or two rows; a touch shows one large, or does what is given. The
        `chosen` one has an edge. With `clocks`, each has its time."""
        marks = self.desk.marks()
        tiles = [
            Tile(
                SeatFace(
                    self.app,
                    seat,
                    marks[seat.seat],
                    told[1:] if told is not None and told[0] == seat.seat else None,
                    clocks,
                ),
                partial(touched or self.app.front.peek, seat.seat),
                f"seat-{seat.seat}",
                ground="surface",
                edge="accent" if seat.seat == chosen else marks[seat.seat].colour if seat.waiting else "",
            )
            for seat in view.seats
        ]
        return Cells(tiles, seat_columns(len(tiles)), gap=4)

    def height(self, n: int, low: bool = False) -> float:
        """The height of all panels together; if room is short, as `low` as those of many seats."""
        columns = seat_columns(n)
        rows = -(-n // columns)
        tall = (rows == 1 and not low) or Window.height > Window.width
        grown = min(GROWS if tall and rows == 1 else 1.08, max(1.0, theme().text))
        one = theme().px((ONE_ROW if tall else TWO_ROWS) * grown)
        return rows * one + (rows - 1) * theme().px(4)


def seat_columns(n: int) -> int:
    """How many seats are side by side."""
    if Window.width < Window.height:
        return 2
    return n if n <= FEW else -(-n // 2)


def _line() -> float:
    """The height of a line of numbers."""
    return theme().px(22) * max(1.0, theme().text)


def _grown(size: float) -> float:
    """A size that grows with the text size only up to `GROWS`."""
    return size * min(GROWS, theme().text) / theme().text
