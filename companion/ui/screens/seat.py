"""One seat: everything that lies there, its numbers and what it may use now."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.core.window import Window

from companion.core.components import Catalogue
from companion.core.faces import Sign
from companion.core.views import PlacedView, SeatView, Shown
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
)
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.symbols import FaceTap, FaceView, SignRow, Symbol, paper

if TYPE_CHECKING:
    from companion.app import CompanionApp


FACE = 148
"""How wide the face of a component is at least."""


class SeatScreen(Screen):
    """What everybody may see of one place at the table."""

    name = "seat"

    def __init__(self, app: CompanionApp, seat: int | None = None) -> None:
        super().__init__(app)
        self.seat = seat or 0

    def build(self) -> Part:
        self.game = self.desk.session.game
        view = self.desk.session.view
        self.marks = self.desk.marks()
        seat = view.seats[self.seat]
        others = [self._other(n) for n in range(len(view.seats)) if n != self.seat]
        top = self._top(seat, beside=True)
        beside = self.app.look.wide and top.roomy(Window.width - 2 * self.app.look.px(self.margin))
        numbers = None if beside else Flow([*map(self._number, seat.numbers)], gap=16, lines=9)
        parts = [numbers, self._tableau(seat), self._sums(seat), *self._powers(seat)]
        body = Scroll(Column(parts, gap=8), key=f"own-{seat.seat}")
        return Page(top if beside else self._top(seat, beside=False), body, Flow([*others, *self._actions()]))

    def _top(self, seat: SeatView, beside: bool) -> Row:
        """The name, and `beside` it the numbers, which leaves more room to what lies there."""
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.app.back, name="back")
        name = Words(seat.name, "title", bold=True).fill()
        numbers = Row([*map(self._number, seat.numbers)], gap=16) if beside and seat.numbers else None
        badge = Badge(self.marks[seat.seat], 48)
        return Row([back, badge, name, numbers, *self._state(seat)])

    def _state(self, seat: SeatView) -> list[Part]:
        """Whether we wait for this seat, and its points."""
        icon = "hand-pointing-right" if seat.waiting else "check-circle" if seat.ready else ""
        parts: list[Part] = [Icon(icon, "prompt", "accent" if seat.waiting else "good")] if icon else []
        if seat.points is not None and self.desk.settings.scores:
            sign = Symbol(self.game, Sign("points"), 30 * self.app.look.text, paper("ground"))
            parts += [sign, Words(str(seat.points), "title", "accent", bold=True)]
        return parts

    def _number(self, number: Shown) -> Part:
        """A number with its symbol, and with its name where there is room."""
        sign = Sign(number.id, str(number.value))
        symbol = Symbol(self.game, sign, 28 * self.app.look.text, paper("ground"))
        if self.app.look.wide:
            return symbol
        return Plate(
            Row([symbol, Words(self.desk.words(number.text), "note", "dim")], gap=6), pad=8, radius=10
        )

    def _powers(self, seat: SeatView) -> list[Part]:
        """What may be used now, in words; where powers add up to signs, those tell it."""
        lines = [Words("• " + self.desk.words(power), "body") for power in seat.powers]
        shown = lines and not seat.sums
        return [self.panel(*lines, title=self.t("ui.seat-powers"), gap=6)] if shown else []

    def _tableau(self, seat: SeatView) -> Part:
        if not seat.components:
            return Words(self.t("ui.seat-nothing"), "body", "dim")
        box = self.desk.session.catalogue
        return Tiles([self._component(placed, box) for placed in seat.components], FACE, gap=8)

    def _component(self, placed: PlacedView, box: Catalogue[Any]) -> Part:
        """Its face with what lies on it; what has no sign is told below it."""
        face = placed.face or self.game.face(box[placed.component])
        view = FaceView(self.game, face, 0, FACE * 0.62, placed.signs)
        tap = FaceTap(view, partial(self._read, placed.component), f"open-{placed.component}")
        shown = placed.signs or placed.face is not None
        badges = [] if shown else [self._badge(self.desk.words(text)) for text in placed.badges]
        return Column([tap, *badges], gap=2)

    def _badge(self, words: str) -> Part:
        return Words(words, "note", "accent", bold=True)

    def _sums(self, seat: SeatView) -> Part | None:
        """What all powers add up to, phase by phase."""
        size = 28 * min(self.app.look.text, 1.2)
        sums = [
            Plate(SignRow(self.game, row, size, paper("ground")), "ground", edge="line", pad=10, radius=10)
            for row in seat.sums
        ]
        return Tiles(sums, FACE, gap=8) if sums else None

    def _read(self, component: str) -> None:
        """Everything printed on it, in words."""
        self.app.go("binder", component=component)

    def _actions(self) -> list[Part]:
        return [
            Tap(self.t(words), partial(self.app.go, name), icon=icon, kind="quiet", name=name)
            for name, words, icon in (("correct", "ui.menu-correct", "tune"), ("scan", "ui.scan", "camera"))
        ]

    def _other(self, seat: int) -> Part:
        badge = Badge(self.marks[seat], 36)
        return Tap(lead=badge, on_tap=lambda: self._turn_to(seat), kind="quiet", name=f"seat-{seat}")

    def _turn_to(self, seat: int) -> None:
        self.seat = seat
        self.app.refresh()
