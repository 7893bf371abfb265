"""The map: every place with its owner and what lies there; what may be done at a place is done by touching it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.core.window import Window

from companion.core.questions import Answer, Option, Question
from companion.core.understand import Sighted, why_not
from companion.core.views import PlaceView, View
from companion.table.desk import option_words
from companion.ui.screens.map.hexmap import HexMap, Sight
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Flow, Page, Part, Rail, Row, Scroll, Split, Tap, Words
from companion.ui.toolkit.screen import Screen

if TYPE_CHECKING:
    from companion.app import CompanionApp


class MapScreen(Screen):
    """A map that can be moved and made larger, and the place that was touched."""

    name = "map"
    scans = True

    def __init__(self, app: CompanionApp) -> None:
        super().__init__(app)
        self.sight = Sight()
        self.chosen: str | None = None

    def build(self) -> Part:
        view = self.desk.session.game.view(self.desk.session.state)
        possible = self._possible(view)
        self.map = HexMap(
            view.map,
            self.desk.marks(),
            self.desk.words,
            self.sight,
            self._touched,
            free=[place for place in view.free if place.id in possible],
            choosable=possible,
            chosen=self.chosen,
        )
        side = Scroll(Column(self._side(view, possible)), key="map")
        larger = Tap(icon="plus", kind="quiet", on_tap=lambda: self._zoom(1.3), name="larger")
        smaller = Tap(icon="minus", kind="quiet", on_tap=lambda: self._zoom(1 / 1.3), name="smaller")
        if Window.width < Window.height:
            return self.page(self.t("ui.map"), Halves(self.map, side), actions=[smaller, larger])
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.app.back, name="back")
        shares = (1.7, 1) if self.app.look.wide else (1, 1)
        return Rail(Column([back, larger, smaller]), Split([self.map, side], shares))

    def _possible(self, view: View) -> dict[str, list[tuple[Question, Option]]]:
        """What may be answered at each place: options that name it, or the piece that lies there."""
        lies = {place.component: place.id for place in view.map}
        found: dict[str, list[tuple[Question, Option]]] = {}
        for question in self.desk.questions():
            for option in question.options if not question.secret else ():
                at = option.place or lies.get(option.component or "")
                if at is not None:
                    found.setdefault(at, []).append((question, option))
        return found

    def _side(self, view: View, possible: dict[str, list[tuple[Question, Option]]]) -> list[Part]:
        asked = [q for q in self.desk.questions() if not q.secret]
        head: list[Part] = (
            [Words(self.desk.words(asked[0].text), "body", bold=True)] if len(asked) == 1 else []
        )
        if self.chosen is None:
            legend = [Words(self.desk.words(line), "note", "dim") for line in view.legend]
            return [*head, Words(self.t("ui.map-tap"), "note"), Flow(legend, gap=14, lines=2)]
        place = next((p for p in view.map if p.id == self.chosen), None)
        parts = (
            self._described(place) if place is not None else [Words(self.t("ui.map-empty"), "note", "dim")]
        )
        taps = [self._option(question, option) for question, option in possible.get(self.chosen, ())]
        if taps:
            return [*head, Words(self.t("ui.map-here"), "body", "accent", bold=True), *taps, *parts]
        if possible and place is not None:
            parts.append(
                Words(self.desk.words(why_not(self.desk.session, Sighted(place.component))), "note", "bad")
            )
        return [*head, *parts]

    def _described(self, place: PlaceView) -> list[Part]:
        mark = None if place.seat is None else Badge(self.desk.marks()[place.seat], 38)
        owner = self.t("ui.map-nobody") if place.seat is None else self.desk.session.setup.seats[place.seat]
        return [
            Row([mark, Words(f"{place.name} · {owner}", "body", bold=True).fill()]),
            *(Words(self.desk.words(note), "note", "dim") for note in place.notes),
        ]

    def _option(self, question: Question, option: Option) -> Part:
        words, detail = option_words(self.desk, option)
        answer = Answer(question.seat, question.slug, option.id)
        return Tap(
            words,
            lambda: self.desk.propose(answer),
            detail=detail,
            kind="main",
            align="left",
            name=f"option-{option.id}",
        )

    def _touched(self, place: str) -> None:
        self.chosen = None if place == self.chosen else place
        self.app.refresh()

    def _zoom(self, factor: float) -> None:
        self.sight.zoom(factor)
        self.app.refresh()


class Halves(Page):
    """Two parts on a screen that stands: the upper one gets the larger share."""

    def __init__(self, upper: Part, lower: Part) -> None:
        super().__init__(upper, lower)
        self.upper = upper

    def place(self, x: float, y: float, width: float, height: float) -> None:
        Part.place(self, x, y, width, height)
        high = height * 0.56
        self.upper.place(x, y + height - high, width, high)
        self.body.place(x, y, width, height - high - self.gap)
