"""The end of a play: scores are counted up part by part, last place first; then the winner is announced."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.core.window import Window
from kivy.graphics import Color, Line, Rectangle, RoundedRectangle
from msgspec import Struct

from companion.core.faces import Sign
from companion.core.game import Game
from companion.drawing import signs as drawn
from companion.drawing.colours import Backing
from companion.drawing.symbols import has
from companion.results.sheets import gathered
from companion.table.marks import Mark
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Icon, Part, Row, lettered, rgba, theme
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.symbols import Symbol, measured, paint, paper
from companion.ui.toolkit.theme import INK, SMALLEST_WORDS
from scoring.sheet import SeatSheet, Sheet

OTHERS = ""
"""The part of a bar for all lines that not every seat has."""

REST = "star"
"""The symbol of that part."""

LEAST = 30
"""The smallest width of a part of a bar, so that its number is legible."""

NAMES = 0.24
"""The share of a row's width for the names beside the bars."""

ROW, UPRIGHT_ROW, WINNER = 52, 108, 168
"""The preferred heights of a seat's row and of the winner's place."""

BREATH = 2
"""Steps of pause between two seats."""


def upright() -> bool:
    """Whether bars are below their names."""
    return bool(Window.height > Window.width)


class BarPart(Struct, frozen=True):
    """A seat's points from one source."""

    what: str
    points: int


def shared_lines(sheet: Sheet) -> tuple[str, ...]:
    """Lines that every seat has, or that similar lines are added up to, in the sheet's order."""
    own = {line.what for seat in sheet.seats for line in seat.lines}
    seats = gathered(sheet).seats
    every = dict.fromkeys(line.what for seat in seats for line in seat.lines)
    return tuple(w for w in every if w not in own or all(any(ln.what == w for ln in s.lines) for s in seats))


def shares(seat: SeatSheet, shared: Sequence[str]) -> tuple[BarPart, ...]:
    """A seat's points in a gathered sheet as parts of a bar: the shared lines, then the rest as one part."""
    own = [BarPart(what, sum(line.points for line in seat.lines if line.what == what)) for what in shared]
    rest = sum(line.points for line in seat.lines if line.what not in shared)
    return tuple(share for share in (*own, BarPart(OTHERS, rest)) if share.points)


class Count(Struct, frozen=True):
    """The state of the count: how many parts of each bar are shown, and whether it is over."""

    parts: tuple[int, ...]
    over: bool


def counted(sheet: Sheet, step: int) -> Count:
    """The count after this many steps: last place first, part by part, the winner at the end."""
    shared = shared_lines(sheet)
    many = [len(shares(seat, shared)) for seat in gathered(sheet).seats]
    order = sorted(range(len(sheet.seats)), key=lambda n: -sheet.seats[n].rank)
    parts = [0] * len(many)
    for n in order:
        parts[n] = max(0, min(many[n], step))
        step -= many[n] + BREATH
    return Count(tuple(parts), step >= 0)


def scale(every: Sequence[Sequence[BarPart]], room: float, gap: float, least: float) -> float:
    """Pixels per point, so that the longest bar fills its room and none is longer, although each part has at
    least this width."""
    low, high = 0.0, room
    for _ in range(40):
        middle = (low + high) / 2
        if all(_length(parts, middle, gap, least) <= room for parts in every):
            low = middle
        else:
            high = middle
    return low


def _length(parts: Sequence[BarPart], point: float, gap: float, least: float) -> float:
    return sum(max(least, max(0, part.points) * point) for part in parts) + gap * max(0, len(parts) - 1)


class SeatBar(Part):
    """One seat: its rank, mark and name, its points as a bar on the common scale, and the sum in a column of
    its own."""

    def __init__(
        self,
        game: Game,
        seat: SeatSheet,
        mark: Mark,
        parts: Sequence[BarPart],
        every: Sequence[Sequence[BarPart]],
    ) -> None:
        super().__init__()
        self.game, self.seat, self.mark, self.shares = game, seat, mark, tuple(parts)
        self.every = every
        """The parts of all seats' bars: they share one scale."""
        self.parts, self.over = len(self.shares), True
        self.place_, self.badge = (
            Snug(f"{seat.rank}.", 30, SMALLEST_WORDS, "dim", bold=True),
            Badge(mark, 36 / theme().text),
        )
        self.name = Snug(seat.name.upper(), 33, SMALLEST_WORDS, bold=True)
        self.total = Snug(str(seat.total), 46, 24, "accent", bold=True, align="right")
        for part in (self.place_, self.badge, self.name, self.total):
            self.add_widget(part)

    @property
    def bar(self) -> tuple[float, float, float, float]:
        """Where the bar is drawn: left, low, width, height."""
        return self._bar

    @property
    def drawn(self) -> float:
        """The length of the whole bar."""
        return _length(self.shares, *self._scale())

    def fit(self, width: float) -> float:
        return theme().px(UPRIGHT_ROW if upright() else ROW)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        pad = theme().px(8)
        line = height * 0.5 if upright() else height
        low, left = y + height - line, x + pad
        sums = theme().px(78) * min(1.3, theme().text)
        mark = min(line - pad, theme().px(36))
        self.place_.place(left, low, theme().px(32), line)
        left += theme().px(32) + pad / 2
        self.badge.place(left, low + (line - mark) / 2, mark, mark)
        left += mark + pad
        room = x + width - 2 * pad - sums - left if upright() else width * NAMES
        self.name.place(left, low, room, line)
        self.total.place(x + width - pad - sums, low, sums, line)
        if upright():
            self._bar = (x + pad, y + pad, width - 2 * pad, height - line - pad)
        else:
            left += room + pad
            self._bar = (left, low + pad / 2, x + width - 2 * pad - sums - left, line - pad)
        self.show(self.parts, self.over)

    def show(self, parts: int, over: bool) -> None:
        """Show this many parts of the bar; the winner is not revealed before the end."""
        self.parts, self.over = parts, over
        won = over and self.seat.rank == 1
        shown = sum(share.points for share in self.shares[:parts])
        self.total.text = str(self.seat.total if parts == len(self.shares) else shown)
        self.place_.opacity = 1.0 if over else 0.0
        self.canvas.before.clear()
        with self.canvas.before:
            Color(*rgba("surface"))
            RoundedRectangle(pos=self.pos, size=self.size, radius=[theme().px(10)])
            if won:
                Color(*rgba(self.mark.colour))
                thick = theme().px(2)
                inner = (self.x + thick, self.y + thick, self.width - 2 * thick, self.height - 2 * thick)
                Line(rounded_rectangle=(*inner, theme().px(10)), width=thick)
            self._draw_bar()

    def _scale(self) -> tuple[float, float, float]:
        """Pixels per point, the gap between two parts, and the smallest width of a part."""
        room, gap = self._bar[2], theme().px(3)
        most = max((len(parts) for parts in self.every), default=1)
        least = min(theme().px(LEAST), (room - gap * most) / max(1, most))
        return scale(self.every, room, gap, least), gap, least

    def _draw_bar(self) -> None:
        left, low, _, high = self._bar
        point, gap, least = self._scale()
        for share in self.shares[: self.parts]:
            wide = max(least, max(0, share.points) * point)
            Color(*rgba(self.mark.colour))
            RoundedRectangle(pos=(left, low), size=(wide, high), radius=[theme().px(4)])
            self._write(share, left, low, wide, high)
            left += wide + gap

    def _write(self, share: BarPart, left: float, low: float, wide: float, high: float) -> None:
        """The number of a part with its symbol: beside it if there is room, otherwise above it."""
        size = min(theme().font("body"), theme().px(27), high * 0.52)
        texture = lettered(str(share.points), "Words", size, True, "left", None)
        beside = wide > texture.width + high * 0.6 + theme().px(12)
        tall = high * (0.6 if beside else 0.44)
        laid = drawn.sign(
            self.game.id,
            {},
            Sign(sign_of(self.game, share.what)),
            tall,
            measured,
            Backing(self.mark.colour, INK, INK),
        )
        if beside:
            all_of_it = laid.wide + theme().px(6) + texture.width
            at = left + (wide - all_of_it) / 2
            paint(laid.strokes, at, low + (high + tall) / 2)
            spot = (int(at + laid.wide + theme().px(6)), int(low + (high - texture.height) / 2))
        else:
            paint(laid.strokes, left + (wide - laid.wide) / 2, low + high - theme().px(1))
            spot = (int(left + (wide - texture.width) / 2), int(low + (high - tall - texture.height) / 2))
        Color(*rgba(INK))
        Rectangle(texture=texture, pos=spot, size=texture.size)


class Winner(Part):
    """The winner, legible from afar: name, sum, and what decided it, on their colour.

    Until the count is over, and if several won, this place shows a sentence.
    """

    def __init__(self, name: str, total: str, sentence: str, colour: str, record: str = "") -> None:
        super().__init__()
        tone = INK if colour else "text"
        self.ground = colour or "surface"
        self.crown = Icon("crown", "huge", tone)
        self.name = Snug(name, 104, 30, tone, bold=True) if name else None
        self.total = Snug(total, 132, 40, tone, bold=True, align="right") if total else None
        self.sentence = Snug(sentence, 28 if name else 40, SMALLEST_WORDS, tone, bold=True, lines=2)
        self.record = (
            Row([Icon("star", "note", tone), Snug(record, 24, SMALLEST_WORDS, tone).fill()], gap=6)
            if record
            else None
        )
        for part in (self.crown, self.name, self.total, self.sentence, self.record):
            if part is not None:
                self.add_widget(part)

    def fit(self, width: float) -> float:
        return theme().px(WINNER)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.canvas.before.clear()
        with self.canvas.before:
            Color(*rgba(self.ground))
            RoundedRectangle(pos=self.pos, size=self.size, radius=[theme().px(14)])
        pad = theme().px(12)
        inner = width - 2 * pad
        low = 0.0
        if self.record is not None:
            low = min(self.record.fit(inner), height * 0.2)
            self.record.place(x + pad, y + pad / 2, inner, low)
        if self.name is not None:
            room = height * (0.42 if self.record is None else 0.24)
            high = min(self.sentence.high(inner, room), room)
            self.sentence.place(x + pad, y + pad / 2 + low, inner, high)
            low += high
        line, bottom = height - low - pad, y + low + pad / 2
        crown = self.crown.natural()
        self.crown.place(x + pad, bottom, crown, line)
        sums = inner * 0.26 if self.total is not None else 0.0
        words = self.name or self.sentence
        words.place(x + crown + 2 * pad, bottom, inner - crown - pad - sums, line)
        if self.total is not None:
            self.total.place(x + width - pad - sums, bottom, sums, line)


def sign_of(game: Game, what: str) -> str:
    """The symbol of a line of the sheet: its own, that of its kind, or a star for a single component's line."""
    return next((sign for sign in (what, what.removesuffix("s")) if sign and has(game.id, sign)), REST)


def legend_sign(game: Game, what: str) -> Part:
    """The symbol of a line, for the legend."""
    return Symbol(game, Sign(sign_of(game, what)), 24, paper("ground"))
