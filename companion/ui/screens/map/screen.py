"""The maps to look at: every place with owner and contents. Questions about places are asked at the table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kivy.core.window import Window

from companion.core.views import MapView, PlaceView
from companion.texts import capital
from companion.ui.screens.map.legend import legend
from companion.ui.toolkit.board_map import BoardMap
from companion.ui.toolkit.draw import Badge
from companion.ui.toolkit.kit import Column, Page, Part, Rail, Row, Scroll, Split, Tap, Words
from companion.ui.toolkit.place_map import PlaceMap, Sight
from companion.ui.toolkit.screen import Screen
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import FONTS, SMALLEST_WORDS
from companion.ui.toolkit.tiles import Tile

if TYPE_CHECKING:
    from companion.ui.toolkit.context import Context


FOOT = 0.34
"""The largest share of the window's height for the details of a place below a board."""


class MapScreen(Screen):
    """A map to move and zoom, the touched place, and tabs to the other maps."""

    name = "map"
    scans = True

    def __init__(self, app: Context) -> None:
        super().__init__(app)
        self.sight = Sight()
        self.shown = ""
        self.chosen: str | None = None
        self.explained = False

    def build(self) -> Part:
        maps = self._maps()
        if not maps:
            return Column([])
        shown = next((map for map in maps if map.id == self.shown), maps[0])
        self.map = self._drawn(shown)
        place = next((place for place in shown.places if place.id == self.chosen), None)
        if self.explained:
            side: Part | None = legend(self, shown)
        else:
            side = None if place is None else Scroll(Column(self._described(place)), key="map")
        tabs = self._tabs(maps, shown)
        upper: Part = self.map
        if shown.board and place is not None and side is not None and not self.explained:
            upper, side = Footed(self.map, side), None
        body: Part = upper if tabs is None else Page(tabs, upper, None, gap=6)
        taps = self._taps(shown)
        if Window.width < Window.height:
            return self.page(self.t("ui.map"), body if side is None else Halves(body, side), actions=taps)
        back = Tap(icon="arrow-left", kind="quiet", on_tap=self.app.back, name="back")
        shares = (1.7, 1) if self.app.theme.wide else (1, 1)
        return Rail(Column([back, *taps]), body if side is None else Split([body, side], shares))

    def _drawn(self, shown: MapView) -> PlaceMap:
        game, marks, words = self.desk.session.game, self.desk.marks(), self.desk.words
        sight = self.sight.of(shown.id)
        if shown.board:
            return BoardMap(
                game, shown, marks, words, sight, self._touched, chosen=self.chosen, on_hold=self._read
            )
        return PlaceMap(
            game,
            shown.places,
            marks,
            words,
            sight,
            self._touched,
            links=shown.links,
            chosen=self.chosen,
            on_hold=self._read,
        )

    def _read(self, place: str) -> None:
        """Show what lies at a place large."""
        lying = next(lying for map in self._maps() for lying in map.places if lying.id == place)
        if lying.component:
            self.app.front.read(lying.component)

    def tick(self) -> None:
        """Go back if an undo has removed the last map."""
        if not self._maps():
            self.app.back()

    def _maps(self) -> tuple[MapView, ...]:
        """The maps that are not empty."""
        return tuple(map for map in self.desk.session.view.maps if map.places)

    def _tabs(self, maps: tuple[MapView, ...], shown: MapView) -> Part | None:
        """A tab for each map, if there are several."""
        if len(maps) < 2:
            return None
        taps = [self._tab(map, map.id == shown.id) for map in maps]
        return Row([tap.fill(tap.natural()) for tap in taps], gap=6)

    def _tab(self, map: MapView, chosen: bool) -> Tap:
        words = capital(self.desk.words(map.text))
        tone = "accent" if chosen else "text"
        said = Snug(words, FONTS["tile"], SMALLEST_WORDS, tone, bold=chosen, align="center")
        turn = partial(self._turn_to, map.id)
        return Tile(Row([said.fill()]), turn, f"map-{map.id}", edge="accent" if chosen else "", pad=6)

    def _turn_to(self, map: str) -> None:
        self.shown, self.chosen, self.explained = map, None, False
        self.app.refresh()

    def _taps(self, shown: MapView) -> list[Part]:
        larger = Tap(icon="plus", kind="quiet", on_tap=lambda: self._zoom(1.3), name="larger")
        smaller = Tap(icon="minus", kind="quiet", on_tap=lambda: self._zoom(1 / 1.3), name="smaller")
        help = Tap(
            icon="help-circle", kind="quiet", on_tap=self._explain, chosen=self.explained, name="legend"
        )
        return [larger, smaller, *([help] if shown.legend else [])]

    def _described(self, place: PlaceView) -> list[Part]:
        mark = None if place.seat is None else Badge(self.desk.marks()[place.seat], 38)
        owner = self.t("ui.map-nobody") if place.seat is None else self.desk.session.setup.seats[place.seat]
        return [
            Row([mark, Words(f"{self.desk.words(place.name)} · {owner}", "body", bold=True).fill()]),
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


class Footed(Page):
    """A board at full width above the details of a place, which take no more height than needed."""

    def place(self, x: float, y: float, width: float, height: float) -> None:
        Part.place(self, x, y, width, height)
        assert self.top_part is not None
        foot = min(FOOT * Window.height, self.body.fit(width))
        self.top_part.place(x, y + foot + self.gap, width, height - foot - self.gap)
        self.body.place(x, y, width, foot)


class Halves(Page):
    """Two parts on an upright screen; the upper one gets the larger share."""

    def __init__(self, upper: Part, lower: Part) -> None:
        super().__init__(upper, lower)
        self.upper = upper

    def place(self, x: float, y: float, width: float, height: float) -> None:
        Part.place(self, x, y, width, height)
        high = height * 0.56
        self.upper.place(x, y + height - high, width, high)
        self.body.place(x, y, width, height - high - self.gap)
