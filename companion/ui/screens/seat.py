"""One seat: everything that lies there, its numbers and what it may use now."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.core.views import PlacedView, SeatView, Shown
from companion.core.words import count
from companion.texts import capital
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
    Split,
    Tap,
    Tiles,
    Words,
)
from companion.ui.toolkit.screen import Screen

if TYPE_CHECKING:
    from companion.app import CompanionApp


class SeatScreen(Screen):
    """What everybody may see of one place at the table."""

    name = "seat"

    def __init__(self, app: CompanionApp, seat: int | None = None) -> None:
        super().__init__(app)
        self.seat = seat or 0

    def build(self) -> Part:
        view = self.desk.session.game.view(self.desk.session.state)
        self.marks = self.desk.marks()
        seat = view.seats[self.seat]
        own = [self._numbers(seat), *self._powers(seat)]
        others = Flow([self._other(n) for n in range(len(view.seats)) if n != self.seat])
        if self.app.look.wide:
            left = Scroll(self._tableau(seat), key=f"tableau-{seat.seat}")
            body: Part = Split([left, Scroll(Column(own), key=f"own-{seat.seat}")], (1.45, 1))
            return Page(self._top(seat), body, Row([*self._actions(), others.fill()]))
        body = Scroll(Column([*own, self._tableau(seat), others], gap=14), key=f"own-{seat.seat}")
        return Page(self._top(seat), body, Flow(self._actions()))

    def _top(self, seat: SeatView) -> Part:
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.app.back, name="back")
        name = Words(seat.name, "title", bold=True).fill()
        state = self._state(seat) if self.app.look.wide else []
        return Row([back, Badge(self.marks[seat.seat], 48), name, *state])

    def _state(self, seat: SeatView) -> list[Part]:
        """Whether we wait for this seat, and its points."""
        icon = "hand-pointing-right" if seat.waiting else "check-circle" if seat.ready else ""
        parts: list[Part] = [Icon(icon, "prompt", "accent" if seat.waiting else "good")] if icon else []
        if seat.points is not None and self.desk.settings.scores:
            parts += [
                Row(
                    [Icon("star", "prompt", "accent"), Words(str(seat.points), "title", "accent", bold=True)],
                    gap=6,
                )
            ]
        return parts

    def _numbers(self, seat: SeatView) -> Part:
        state = [] if self.app.look.wide else self._state(seat)
        numbers = Tiles([self._number(number) for number in seat.numbers], 88, gap=14)
        return Plate(Column([Row(state, gap=18) if state else None, numbers]))

    def _number(self, number: Shown) -> Part:
        return Column(
            [
                Words(str(number.value), "title", bold=True),
                Words(capital(self.desk.words(number.text)), "note", "dim"),
            ],
            gap=0,
        )

    def _powers(self, seat: SeatView) -> list[Part]:
        lines = [Words("• " + self.desk.words(power), "body") for power in seat.powers]
        return [self.panel(*lines, title=self.t("ui.seat-powers"), gap=6)] if lines else []

    def _tableau(self, seat: SeatView) -> Column:
        if not seat.components:
            return Column([Words(self.t("ui.seat-nothing"), "body", "dim")])
        head = self.desk.words(count("ui.seat-lies-here", len(seat.components)))
        tiles = Tiles([self._component(placed) for placed in seat.components], 205, gap=8)
        return Column([Words(head, "body", "accent", bold=True), tiles])

    def _component(self, placed: PlacedView) -> Part:
        badges = [self._badge(self.desk.words(text)) for text in placed.badges]
        return Plate(Flow([Words(placed.name, "body"), *badges], gap=12, lines=6), pad=10, radius=10)

    def _badge(self, words: str) -> Part:
        return Row(
            [Icon("hexagon-outline", "note", "accent"), Words(words, "note", "accent", bold=True)], gap=6
        )

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
