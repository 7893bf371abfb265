"""A seat in detail: everything that lies there, its numbers and available powers, in front of the page."""

from __future__ import annotations

from functools import partial
from math import ceil
from typing import TYPE_CHECKING

from kivy.core.window import Window

from companion.core.faces import Sign
from companion.core.views import PlacedView, SeatView, Shown, Tense
from companion.ui.screens.table.band import NAME, Broadest, MarkPlate, SeatName
from companion.ui.screens.table.signs import FaceIn, symbol
from companion.ui.screens.table.top import Ends
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import (
    Column,
    Flow,
    Icon,
    Page,
    Part,
    Plate,
    Row,
    Scroll,
    Tap,
    Tiles,
    Words,
    theme,
)
from companion.ui.toolkit.overlays import SHEET, Overlay, sheet, sheet_low
from companion.ui.toolkit.screen import Showing
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.symbols import SignRow, paper
from companion.ui.toolkit.theme import INK
from companion.ui.toolkit.tiles import Tile

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

FACE, HIGH = 148, (76, 106)
"""The smallest width of a face, and the range of its height."""

GROWS = 1.3
"""How much faces grow at the largest text size."""

ROOM = 100
"""The smallest room for a name beside other things."""

NAMED = 4
"""Up to this many components leave room for the names of all numbers."""

GAP = 8
FEW, MOST = 12, 4
"""Up to this many faces use this many columns: a nearly full tableau."""


class SeatPeek(Showing):
    """One seat; it closes automatically when that seat is asked."""

    def __init__(self, app: Context, seat: int) -> None:
        super().__init__(app)
        self.seat = seat
        self._waited = self.desk.session.view.seats[seat].waiting

    @property
    def over(self) -> bool:
        """Whether it must close: its play is gone, or this seat is asked now."""
        if self.desk.play is None:
            return True
        seats = self.desk.session.view.seats
        return self.seat >= len(seats) or (seats[self.seat].waiting and not self._waited)

    def overlay(self) -> Overlay:
        """The sheet over the whole window; a touch beside its buttons closes it."""
        self.view = self.desk.session.view
        self.game, self.marks = self.desk.session.game, self.desk.marks()
        seat = self.view.seats[self.seat]
        wide, height = Window.width - 4 * theme().px(SHEET), Window.height - sheet_low(self.app)
        head = self._head(seat, wide)
        foot = self._foot(seat)
        room = height - 4 * theme().px(SHEET) - head.fit(wide) - foot.fit(wide) - 3 * theme().px(GAP)
        body = Scroll(Column([self._tableau(seat, wide, room), foot], gap=GAP), key=f"seat-{self.seat}")
        laid = sheet(Page(head, body, gap=GAP), self.marks[self.seat].colour, self.app)
        body.stand(1.0)
        return laid

    # The head

    def _head(self, seat: SeatView, wide: float) -> Part:
        """The name with the points, the most important numbers, and all seats, each always in its place; many
        numbers get a line of their own."""
        mark = self.marks[self.seat]
        taps = [self._of(n) for n in range(len(self.view.seats))]
        taps.append(self._tap("tune", partial(self.app.go, "correct", seat=self.seat), "correct"))
        points = self._points(seat)
        close = self._tap("close", self.app.front.close, "close-seat")
        numbers = SignRow(self.game, self._numbers(seat), 28, paper(mark.colour, INK, INK))
        room = wide - theme().px(28) - _natural([*points, close])
        widest = max(_natural(self._points(other)) for other in self.view.seats)
        apart = room + _natural(points) - widest - _natural(taps) < theme().px(ROOM)
        sign: list[Part] = [MarkPlate(mark, 40)] if apart else []  # else its button has the mark
        room -= _natural(sign)
        ends = [*points, close] if apart else [*points, *taps, close]
        room -= 0 if apart else _natural(taps)
        beside = room - _natural([numbers]) >= theme().px(ROOM)
        room -= _natural([numbers]) if beside else 0
        names = self.desk.session.setup.seats
        name = Broadest(
            SeatName(seat.name, INK, room, NAME / max(1.0, theme().text), names), room / theme().unit
        )
        row = Ends(Row([*sign, name], gap=GAP), Row([numbers if beside else None, *ends], gap=GAP))
        head = Plate(row, mark.colour, pad=6, radius=10)
        told = None if beside else self._told(seat)
        return Column([head, Row(taps, gap=GAP) if apart else None, told], gap=GAP)

    def _told(self, seat: SeatView) -> Part:
        """Its numbers in a line of their own; with their names if few components lie there."""
        if len(seat.components) > NAMED:
            return SignRow(self.game, self._numbers(seat), 28, paper("ground"))
        return Flow([self._named(number) for number in seat.numbers], gap=6)

    def _named(self, number: Shown) -> Part:
        """A number with its name."""
        sign = SignRow(self.game, (Sign(number.id, str(number.value)),), 28, paper("surface"))
        return Plate(
            Row([sign, Words(self.desk.words(number.text), "detail", "dim")], gap=6), pad=6, radius=8
        )

    def _numbers(self, seat: SeatView) -> tuple[Sign, ...]:
        return tuple(Sign(number.id, str(number.value)) for number in seat.numbers)

    def _points(self, seat: SeatView) -> list[Part]:
        sign = Icon("check-circle", "body", INK) if seat.ready else None
        if seat.points is None or not self.desk.settings.scores:
            return [] if sign is None else [sign]
        points: list[Part] = [symbol(self.game, Sign("points"), 28, self.marks[self.seat].colour, INK)]
        points.append(Snug(str(seat.points), 36 / max(1.0, theme().text), 30, INK, bold=True))
        return points if sign is None else [sign, *points]

    def _of(self, seat: int) -> Part:
        lead, chosen = Badge(self.marks[seat], 32 / theme().text), seat == self.seat
        turn = partial(self._turn_to, seat)
        return Tap(lead=lead, on_tap=turn, kind="quiet", chosen=chosen, name=f"look-{seat}")

    def _tap(self, icon: str, deed: object, name: str) -> Part:
        return Tap(icon=icon, on_tap=deed, kind="quiet", name=name)  # type: ignore[arg-type]

    def _turn_to(self, seat: int) -> None:
        self.app.front.peek(seat, instead=True)

    # Components

    def _tableau(self, seat: SeatView, wide: float, room: float) -> Part:
        if not seat.components:
            return Words(self.t("ui.seat-nothing"), "body", "dim")
        most = MOST if len(seat.components) <= FEW and theme().wide else 99
        gap = theme().px(GAP)
        columns = max(1, min(most, int((wide + gap) / (theme().px(FACE) * theme().text + gap))))
        rows = ceil(len(seat.components) / columns)
        least, most_high = (theme().px(high * max(1.0, min(GROWS, theme().text))) for high in HIGH)
        high = max(least, min(most_high, (room + gap) / rows - gap))
        faces = [self._component(placed, high) for placed in seat.components]
        return Tiles(faces, FACE, gap=GAP, columns=most)

    def _component(self, placed: PlacedView, high: float) -> Part:
        """Its face with what lies on it; things without a sign are listed below it."""
        box = self.desk.session.catalogue
        face = placed.face or self.game.face(box[placed.component])
        shown = placed.signs or placed.face is not None
        badges = [] if shown else [Words(self.desk.words(text), "detail", "accent") for text in placed.badges]
        read = partial(self.app.front.read, placed.component, self.seat)
        tile = Tile(FaceIn(self.game, face, placed.signs, high), read, f"open-{placed.component}")
        tile.on_hold = read
        return Column([tile, *badges], gap=2) if badges else tile

    # Powers

    def _foot(self, seat: SeatView) -> Part:
        """The powers of the current phase in words; if there are none, the totals of all powers, phase by
        phase."""
        if seat.powers:
            lines = [Words("• " + self.desk.words(power), "tile") for power in seat.powers]
            now = next((phase for phase in self.view.phases if phase.tense is Tense.NOW), None)
            title = self.t("ui.seat-powers") if now is None else self.desk.words(now.text)
            head = Words(title, "tile", "accent", bold=True)
            return Plate(Column([head, *lines], gap=2), edge="accent", pad=8, radius=10)
        size = 24 * min(theme().text, 1.2)
        sums = [
            Plate(SignRow(self.game, row, size, paper("ground")), "ground", edge="line", pad=6, radius=10)
            for row in seat.sums
        ]
        return Tiles(sums, 110, gap=6) if sums else Column([])


def _natural(parts: list[Part]) -> float:
    """The width of these parts side by side, with a gap after each."""
    return sum(part.natural() + theme().px(GAP) for part in parts)
