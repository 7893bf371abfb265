"""Questions about places: people touch the map itself; touching a hex that is being put down turns it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from companion.core.faces import Face, Signs
from companion.core.hexes import turned
from companion.core.questions import Answer, Option, Question
from companion.core.understand import Sighted, why_not
from companion.core.views import MapView, View
from companion.texts import capital
from companion.ui.screens.map.legend import legend
from companion.ui.screens.table.options import tiles
from companion.ui.screens.table.rail import (
    BUTTONS,
    BUTTONS_HIGH,
    SLIM,
    Beside,
    Roomy,
    answering,
    button,
    others,
    rail,
    slim,
)
from companion.ui.toolkit.board_map import BoardMap
from companion.ui.toolkit.kit import Part, Plate
from companion.ui.toolkit.place_map import Laying, PlaceMap, Sight
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.symbols import SignRow
from companion.ui.toolkit.theme import SMALLEST_WORDS
from companion.ui.toolkit.touches import asked_of

if TYPE_CHECKING:
    from companion.ui.screens.table.screen import TableScreen


def wants_places(question: Question) -> bool:
    """Whether most options are places on the map."""
    own = [option for option in question.options if option.group is None]
    return 2 * sum(option.place is not None for option in own) > len(own)


def _price(options: list[Option]) -> Signs:
    """The signs of the options at a place, if they are the same for all of them."""
    return options[0].signs if len({option.signs for option in options}) == 1 else ()


class Atlas:
    """The view of the maps for one question: which map, which section, how a hex is turned. Reset for another
    question."""

    def __init__(self) -> None:
        self.sight = Sight()
        self.about: object = None
        self.forget()

    def forget(self) -> None:
        """Reset: nothing was touched yet."""
        self.turn: int | None = None
        self.chosen = ""
        self.at: str | None = None
        self.map = ""
        self.legend = False

    def of(self, about: object) -> Atlas:
        """This atlas, reset if the question is a new one."""
        if self.about != about:
            self.about = about
            self.sight.fit()
            self.forget()
        return self


def place_page(screen: TableScreen, question: Question) -> Part:
    """The map, with all offered places visible."""
    return PlacePage(screen, question).part()


class PlacePage:
    """The map of one question."""

    def __init__(self, screen: TableScreen, question: Question) -> None:
        self.screen, self.question = screen, question
        session = screen.desk.session
        self.game = session.game
        self.view: View = screen.view
        self.about = (session.entries, question.seat, question.slug)
        self.atlas = screen.atlas.of(self.about)
        self.asked = asked_of(session, question)
        self.places: dict[str, list[Option]] = {}
        for option in question.options:
            if option.place is not None and option.group is None:
                self.places.setdefault(option.place, []).append(option)
        self.maps = [map for map in self.view.maps if any(map.has(place) for place in self.places)]
        self.map = self._shown_map()

    def _shown_map(self) -> MapView:
        """The chosen map, or the one with most of the offered places."""
        asked = next((map for map in self.maps if map.id == self.atlas.map), None)
        return asked or max(self.maps, key=lambda map: sum(map.has(place) for place in self.places))

    def part(self) -> Part:
        """Everything below the band."""
        if self.atlas.legend:
            return Beside(legend(self.screen, self.map), rail(self.screen, self.view, [], [self._close()]))
        shown = frozenset(option.id for options in self.places.values() for option in options)
        buttons = others(self.screen, self.question, shown)
        if any(option.turn is not None for option in self.question.options):
            return self._laying(buttons)
        more = [*self._other_maps(), *self._help()]
        if self.map.board:
            return self._board(buttons, more)
        if self.atlas.at in self.places and self.atlas.at is not None:
            here = [answering(self.screen, self.question, option) for option in self.places[self.atlas.at]]
            return Beside(self._map(None), rail(self.screen, self.view, [*here, *buttons], more))
        return Beside(self._map(None), rail(self.screen, self.view, buttons, more))

    def _board(self, buttons: list[Part], more: list[Part]) -> Part:
        """The board at full width; if a place has several options, they get a page of their own."""
        options = self.places.get(self.atlas.at or "", [])
        if len(options) > 1:
            here: list[Part] = [answering(self.screen, self.question, option) for option in options]
            return tiles([*here, button("", self._elsewhere, "elsewhere", "arrow-left")])
        side = rail(self.screen, self.view, buttons, more) if buttons else slim(self.screen, self.view, more)
        wide, high = (BUTTONS, BUTTONS_HIGH) if buttons else SLIM
        return Beside(self._map(None), side, wide, high)

    def _elsewhere(self) -> None:
        self.atlas.at = None
        self.screen.app.refresh()

    def _other_maps(self) -> list[Part]:
        """The button to the next map with offers."""
        if len(self.maps) < 2:
            return []
        next_map = self.maps[(self.maps.index(self.map) + 1) % len(self.maps)]
        return [button(capital(self.screen.desk.words(next_map.text)), self._turn_over, "other-map")]

    def _turn_over(self) -> None:
        self.atlas.map = self.maps[(self.maps.index(self.map) + 1) % len(self.maps)].id
        self.atlas.at = None
        self.atlas.sight.fit()
        self.screen.app.refresh()

    def _map(self, laying: Laying | None) -> PlaceMap:
        if self.map.board:
            return BoardMap(
                self.game,
                self.map,
                self.screen.desk.marks(),
                self.screen.desk.words,
                self.atlas.sight,
                self._touched,
                offered=self.places,
                prices={place: _price(options) for place, options in self.places.items()},
                about=self.asked,
                on_hold=self._read,
            )
        known = {place.id for place in self.map.places}
        return PlaceMap(
            self.game,
            self.map.places,
            self.screen.desk.marks(),
            self.screen.desk.words,
            self.atlas.sight,
            self._touched if laying is None else lambda place: self._turn(),
            free=[place for place in self.map.free if place.id in self.places and place.id not in known],
            links=self.map.links,
            offered=self.places,
            chosen=self.atlas.at,
            laying=laying,
            about=None if laying is not None else self.asked,
            on_hold=None if laying is not None else self._read,
        )

    def _touched(self, place: str) -> None:
        options = self.places.get(place, [])
        if len(options) == 1:
            answer = Answer(self.question.seat, self.question.slug, options[0].id)
            self.screen.desk.propose(answer)
        elif options:
            self.atlas.at = place
            self.screen.app.refresh()
        else:
            lying = next(lying for lying in self.map.places if lying.id == place)
            if lying.component:
                why = why_not(self.screen.desk.session, Sighted(lying.component))
                self.screen.app.tell(why, "refused")

    def _read(self, place: str) -> None:
        """Show what lies at a place large, or its first option if nothing lies there."""
        lying = next(lying for lying in self.map.places if lying.id == place)
        options = self.places.get(place, [])
        if lying.component or options:
            self.screen.app.front.read(lying.component, option=options[0] if options else None)

    # Putting a hex down

    def _laying(self, buttons: list[Part]) -> Part:
        """The hex as it would lie; each touch turns it."""
        options = [option for option in self.question.options if option.turn is not None]
        hexes = {self._called(face): face for option in options if (face := option.face) is not None}
        name = self.atlas.chosen if self.atlas.chosen in hexes else next(iter(hexes))
        own = [
            option for option in options if option.face is not None and option.face.name == hexes[name].name
        ]
        first = own[0]
        assert first.face is not None
        assert first.turn is not None
        assert first.place is not None
        turn = first.turn if self.atlas.turn is None else self.atlas.turn
        edges = turned(first.face.edges, turn - first.turn)
        legal = next((option for option in own if option.turn == turn), None)
        self.atlas.turn = turn
        head = self._described(first.face, [other for other in hexes if other != name])
        lay = button(
            self.screen.t("ui.lay-it"),
            self._lay(legal) if legal is not None else None,
            "lay",
            "check",
            kind="main" if legal is not None else "dim",
            about=(self.asked, name, turn),
        )
        turning = button(self.screen.t("ui.turn-it"), self._turn, "turn", "refresh")
        laying = Laying(first.place, first.face, edges)
        side = rail(self.screen, self.view, [turning, lay, *buttons], self._help(), head)
        return Beside(self._map(laying), side, wide=226)

    def _lay(self, option: Option) -> Callable[[], object]:
        answer = Answer(self.question.seat, self.question.slug, option.id)
        return partial(self.screen.desk.propose, answer)

    def _turn(self) -> None:
        assert self.atlas.turn is not None
        self.atlas.turn = (self.atlas.turn + 1) % 6
        self.screen.app.refresh()

    def _called(self, face: Face) -> str:
        return self.screen.desk.words(face.name)

    def _described(self, face: Face, others: list[str]) -> Part:
        """The chosen hex, and the others that may be put down instead."""
        name = Snug(self._called(face), 24, SMALLEST_WORDS, bold=True, lines=2)
        signs = SignRow(self.game, (*face.corners, *(sign for row in face.rows for sign in row)), 26)
        squares = SignRow(self.game, tuple(spot.sign for spot in face.spots), 24) if face.spots else None
        instead = [button(name, partial(self._take_up, name), f"hex-{name}", "refresh") for name in others]
        return Plate(Roomy([*instead, name, signs, squares]), pad=6, radius=10)

    def _take_up(self, name: str) -> None:
        self.atlas.chosen, self.atlas.turn = name, None
        self.screen.app.refresh()

    # The legend

    def _help(self) -> list[Part]:
        return [button("", partial(self._explain, True), "legend", "help-circle")] if self.map.legend else []

    def _close(self) -> Part:
        return button("", partial(self._explain, False), "close", "close")

    def _explain(self, legend: bool) -> None:
        self.atlas.legend = legend
        self.screen.app.refresh()
