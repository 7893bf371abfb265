"""The map to look at: every place with its owner and what lies there. What is asked about places, the table asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kivy.core.window import Window

from companion.core.views import PlaceView, View
from companion.ui.screens.map.hexmap import HexMap, Sight
from companion.ui.screens.map.legend import legend
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Page, Part, Rail, Row, Scroll, Split, Tap, Words
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
        self.explained = False

    def build(self) -> Part:
        view = self.desk.session.view
        marks = self.desk.marks()
        chosen = self.chosen
        self.map = HexMap(self.desk.session.game, view.map, marks, self.sight, self._touched, chosen=chosen)
        place = next((place for place in view.map if place.id == chosen), None)
        if self.explained:
            side: Part | None = legend(self, view)
        else:
            side = None if place is None else Scroll(Column(self._described(place)), key="map")
        taps = self._taps(view)
        if Window.width < Window.height:
            body = self.map if side is None else Halves(self.map, side)
            return self.page(self.t("ui.map"), body, actions=taps)
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.app.back, name="back")
        shares = (1.7, 1) if self.app.look.wide else (1, 1)
        return Rail(Column([back, *taps]), self.map if side is None else Split([self.map, side], shares))

    def _taps(self, view: View) -> list[Part]:
        larger = Tap(icon="plus", kind="quiet", on_tap=lambda: self._zoom(1.3), name="larger")
        smaller = Tap(icon="minus", kind="quiet", on_tap=lambda: self._zoom(1 / 1.3), name="smaller")
        help = Tap(
            icon="help-circle", kind="quiet", on_tap=self._explain, chosen=self.explained, name="legend"
        )
        return [larger, smaller, *([help] if view.legend else [])]

    def _described(self, place: PlaceView) -> list[Part]:
        mark = None if place.seat is None else Badge(self.desk.marks()[place.seat], 38)
        owner = self.t("ui.map-nobody") if place.seat is None else self.desk.session.setup.seats[place.seat]
        return [
            Row([mark, Words(f"{place.name} · {owner}", "body", bold=True).fill()]),
            *(Words(self.desk.words(note), "note", "dim") for note in place.notes),
        ]

    def _touched(self, place: str) -> None:
        self.chosen = None if place == self.chosen else place
        self.explained = False
        self.app.refresh()

    def _explain(self) -> None:
        self.explained = not self.explained
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
