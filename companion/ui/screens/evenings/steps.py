"""A play deed by deed: a slider with the rounds as marks, the table as it was, and the deed as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.graphics import Color, Ellipse, Line, Rectangle, RoundedRectangle

from companion.core.deed_words import rounds_of, whole_deed
from companion.core.game import Game
from companion.core.session import Session
from companion.core.views import MapView, SeatView, View
from companion.core.words import Text
from companion.table.marks import Mark
from companion.ui.toolkit.board_map import BoardMap
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import (
    Column,
    Page,
    Part,
    Plate,
    Row,
    Scroll,
    Split,
    Tap,
    Tiles,
    Words,
    lettered,
    rgba,
    theme,
)
from companion.ui.toolkit.place_map import PlaceMap, Sight
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.symbols import SignRow, paper

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context

TALL = 72
KNOB = 15


class StepSlider(Part):
    """The deeds in a row; a finger anywhere on it goes there. `rounds` are the deeds with which rounds begin."""

    def __init__(
        self, last: int, at: int, rounds: Sequence[tuple[int, int]], go: Callable[[int], None]
    ) -> None:
        super().__init__()
        self.last, self.at, self.rounds, self._go = last, at, rounds, go

    def fit(self, width: float) -> float:
        return theme().px(TALL)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.canvas.clear()
        middle, thick = y + height * 0.66, theme().px(6)
        with self.canvas:
            Color(*rgba("line"))
            RoundedRectangle(
                pos=(self._x(0), middle - thick / 2), size=(self._x(self.last) - self._x(0), thick)
            )
            free = x
            for deed, number in self.rounds:
                left = self._x(deed)
                Color(*rgba("dim"))
                Line(points=[left, middle - thick * 1.6, left, middle + thick * 1.6], width=1)
                words = lettered(str(number), "Words", theme().font("detail"), False, "left", None)
                if left - words.width / 2 >= free:
                    Rectangle(texture=words, pos=(left - words.width / 2, y), size=words.size)
                    free = left + words.width / 2 + theme().px(6)
            Color(*rgba("accent"))
            radius = theme().px(KNOB)
            Ellipse(pos=(self._x(self.at) - radius, middle - radius), size=(2 * radius, 2 * radius))

    def _x(self, deed: int) -> float:
        pad = theme().px(KNOB + 4)
        return float(self.x + pad + (self.width - 2 * pad) * deed / max(1, self.last))

    def _to(self, touch: Any) -> None:
        pad = theme().px(KNOB + 4)
        share = (touch.x - self.x - pad) / max(1.0, self.width - 2 * pad)
        self._go(min(self.last, max(0, round(share * self.last))))

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        touch.ud["steps"] = self.last  # a rebuild makes another slider; the finger stays on it
        self._to(touch)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.ud.get("steps") != self.last:
            return False
        self._to(touch)
        return True


class Steps(Screen):
    """Nothing can be changed here; the journaled play stays as it is."""

    name = "steps"

    def __init__(self, app: Context, session: Session) -> None:
        super().__init__(app)
        self.session = session
        self.deeds = session.deeds()
        self.at = len(self.deeds)
        """How many deeds were done."""
        self.sight = Sight()
        self.map = ""
        self._rounds: tuple[tuple[int, int], ...] | None = None

    def enter(self) -> None:
        session, deeds = self.session, self.deeds
        self.app.thread_pool.do(lambda: rounds_of(session, deeds), self._with_rounds, lambda trouble: None)

    def _with_rounds(self, rounds: tuple[tuple[int, int], ...]) -> None:
        self._rounds = rounds
        if self.app.screen is self:
            self.app.refresh()

    def turn_to(self, deed: int) -> None:
        """Show the table after so many deeds."""
        if deed != self.at and 0 <= deed <= len(self.deeds):
            self.at = deed
            self.app.refresh()

    def build(self) -> Part:
        moment = self.deeds[self.at - 1][1] if self.at else 0
        game = self.session.game_at(moment)
        view = game.view(self.session.moments[moment].state)
        marks = self.desk.marks(self.session.setup.seats)
        slider = StepSlider(len(self.deeds), self.at, self._rounds or (), self.turn_to)
        back = Tap(
            icon="chevron-left", on_tap=lambda: self.turn_to(self.at - 1), name="step-back", repeats=True
        )
        on = Tap(icon="chevron-right", on_tap=lambda: self.turn_to(self.at + 1), name="step-on", repeats=True)
        title = self.t("ui.round", n=view.round) if view.round else self.t("ui.setting-up")
        place = self.t("ui.step-of", n=self.at, all=len(self.deeds))
        told, foot = Plate(Column(self._told(), gap=2), pad=10), Row([back, slider.fill(), on], gap=6)
        head = f"{title} · {place}"
        if not self.app.theme.wide:  # no room for a map: what everybody has, below the deed
            seats = [self._seat(game, seat, marks[seat.seat]) for seat in view.seats]
            return self.page(head, Scroll(Column([told, *seats], gap=6), key="steps"), foot)
        return self.page(head, Page(told, self._table(game, view, marks), gap=6), foot)

    def _told(self) -> list[Part]:
        if not self.at:
            return [Words(self.t("ui.steps-begin"), "note", "dim")]
        return [
            Words(self.desk.words(text), "note")
            for text in whole_deed(self.session, *self.deeds[self.at - 1])
        ]

    def _table(self, game: Game, view: View, marks: tuple[Mark, ...]) -> Part:
        seats = [self._seat(game, seat, marks[seat.seat]) for seat in view.seats]
        tables = [one for one in view.maps if one.places]
        if not tables:
            return Scroll(Tiles(seats, 250, gap=6), key="steps")
        shown = next((one for one in tables if one.id == self.map), tables[0])
        others = [
            Tap(
                self.desk.words(one.text),
                partial(self._turn_map, one.id),
                chosen=one is shown,
                size="detail",
                name=f"map-{one.id}",
            )
            for one in tables
        ]
        side = Scroll(Column([*(others if len(others) > 1 else []), *seats], gap=6), key="steps")
        drawn = self._drawn(game, shown, marks)
        return Split([drawn, side], (1.5, 1), gap=6)

    def _drawn(self, game: Game, shown: MapView, marks: tuple[Mark, ...]) -> Part:
        sight, words = self.sight.of(shown.id), self.desk.words
        if shown.board:
            return BoardMap(game, shown, marks, words, sight, lambda place: None)
        return PlaceMap(game, shown.places, marks, words, sight, lambda place: None, links=shown.links)

    def _turn_map(self, map: str) -> None:
        self.map = map
        self.app.refresh()

    def _seat(self, game: Game, seat: SeatView, mark: Mark) -> Part:
        points = "" if seat.points is None else str(seat.points)
        head = Row(
            [
                Badge(mark, 28),
                Words(seat.name, "note", bold=True).fill(),
                Words(points, "body", "accent", bold=True),
            ],
            gap=6,
        )
        lying = ", ".join(self._name(one.name) for one in seat.components)
        signs = SignRow(game, seat.in_brief, 22, paper("surface")) if seat.in_brief else None
        return Plate(Column([head, signs, Words(lying, "detail", "dim") if lying else None], gap=4), pad=8)

    def _name(self, name: Text) -> str:
        return self.desk.words(name)
