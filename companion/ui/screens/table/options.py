"""Options as tiles: up to eight, each with its component's badge, its name and its effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from kivy.core.window import Window
from kivy.graphics import Color, RoundedRectangle

from companion.core.faces import Face
from companion.core.questions import Answer, Option, Question
from companion.table.desk import option_words
from companion.table.marks import Mark
from companion.texts import capital, render
from companion.ui.screens.table.signs import sign_row, symbol
from companion.ui.toolkit.draw import Badge, PictureView
from companion.ui.toolkit.face_pictures import PICTURES
from companion.ui.toolkit.kit import Icon, Part, rgba, theme
from companion.ui.toolkit.snug import Snug, whole
from companion.ui.toolkit.theme import INK, SMALLEST_WORDS
from companion.ui.toolkit.tiles import Cells, Tile
from companion.ui.toolkit.touches import asked_of

if TYPE_CHECKING:
    from companion.core.game import Game
    from companion.ui.toolkit.screen import Screen, Showing

IN_SIGHT = 8
"""Up to this many options are tiles; more are small ones in a paged grid."""

RAIL, STRIPE, BADGE, PAD = 44, 12, 34, 8
PHOTOGRAPH = 0.55
"""The largest share of a tile's width that a photograph takes."""
SEAT = 40
"""The size of a seat's mark."""
HIGHEST = 112
NAMES, DETAILS = (23, SMALLEST_WORDS), (19, SMALLEST_WORDS)
SIGNS = (36, 32, 28, 24, 20)


class OptionFace(Part):
    """The content of a tile: the component's rail, the option's name, and its signs or its detail."""

    def __init__(
        self,
        game: Game,
        words: str,
        detail: str,
        option: Option,
        face: Face | None,
        tone: str,
        marked: str,
        seat: Mark | None = None,
    ) -> None:
        super().__init__()
        self.seat = seat
        self.game, self.option, self.face, self.tone = game, option, face, tone
        self.ground = "main" if tone == INK else "raised"
        self.words, self.name = words, Snug(words, *NAMES, tone, bold=True, lines=2)
        self.detail = detail
        self.marked = marked
        with self.canvas.before:
            self._tint = Color(0, 0, 0, 0)
            self._rail = RoundedRectangle()

    def fit(self, width: float) -> float:
        return theme().px(56)

    def natural(self) -> float:
        return self.name.natural() + theme().px(2 * PAD)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.clear_widgets()
        pad = theme().px(PAD)
        self.name.text = self._name_for(width - 2 * pad, height - pad)
        left = self._place_rail(x, y, width, height)
        signs = (
            None
            if self.name.fits(width - left - pad, height - pad)
            else self._signs(width - left - pad, height)
        )
        if signs is not None:  # they say enough if the text would be cut
            self._put(signs, x + left, y, signs.natural(), height)
            return
        below = self._below(width - left - pad, height)
        low = y + theme().px(4)
        if below is not None:
            high = below.fit(width - left - pad)
            self._put(below, x + left, low, min(width - left - pad, below.natural()), high)
            low += high
        room = width - left - pad, y + height - theme().px(4) - low
        name = self.name if self.name.fits(*room) else whole(self.name, *room)
        self._put(name, x + left, low, *room)

    def _name_for(self, width: float, height: float) -> str:
        """The text; if it is a component's name and would be cut, the short name."""
        self.name.text = self.words
        face, language = self.face, theme().language
        if face is None or face.short is None or self.name.fits(width, height):
            return self.words
        named = self.words.casefold() == render(face.name, language).casefold()
        return capital(render(face.short, language)) if named else self.words

    def _signs(self, width: float, room: float) -> Part | None:
        """The signs, as large as they fit."""
        for size in SIGNS if self.option.signs else ():
            row = sign_row(self.game, self.option.signs, size, self.ground, self.tone)
            if row.natural() <= width and row.fit(width) <= room:
                return row
        return None

    def _place_rail(self, x: float, y: float, width: float, height: float) -> float:
        """Draw the rail, if the option is a component with a face; return where the text begins."""
        pad = theme().px(PAD)
        if (photograph := self._photograph(height)) is not None:
            wide = min(photograph.natural(), width * PHOTOGRAPH)
            self._put(photograph, x + pad / 2, y + pad / 2, wide, height - pad)
            return wide + pad
        beside = width - theme().px(RAIL) - 2 * pad
        badged = self.face is not None and self.face.corners and self.name.fits(beside, height - pad)
        if self.face is None or not badged:
            left = pad
            for part in self._lead():
                self._put(part, x + left, y, part.natural(), height)
                left += part.natural() + pad
            return left
        badge = symbol(self.game, self.face.corners[0], BADGE)
        whole = badge.natural() <= theme().px(RAIL - 2)  # a price of two numbers does not fit there
        wide, round_ = theme().px(RAIL if whole else STRIPE), theme().px(10)
        self._tint.rgba = rgba(tint(self.game, self.face.tint))
        self._rail.pos, self._rail.size = (x, y), (wide, height)
        self._rail.radius = [(round_, round_), (0, 0), (0, 0), (round_, round_)]
        if whole:
            self._put(badge, x + (wide - badge.natural()) / 2, y, badge.natural(), height)
        return wide + pad

    def _photograph(self, height: float) -> Part | None:
        """The photograph of a component that nobody has described, if there is one."""
        texture = None if self.face is None else PICTURES.of(self.game.id, self.face)
        return (
            None
            if texture is None
            else PictureView(texture, texture.width / texture.height, height / theme().unit)
        )

    def _lead(self) -> Iterator[Part]:
        """An icon if the knob points at it, and the mark of its seat."""
        if self.marked:
            yield Icon(self.marked, "body", self.tone)
        if self.seat is not None:
            yield Badge(self.seat, SEAT / theme().text)

    def _below(self, width: float, height: float) -> Part | None:
        """The signs, as large as they fit, or the detail if it fits."""
        room = height - theme().px(8) - self.name.lowest(width)
        if (signs := self._signs(width, min(room, height * 0.6))) is not None:
            return signs
        if self.detail:
            words = Snug(self.detail, *DETAILS, self.tone if self.tone == INK else "dim", lines=3)
            rest = max(words.lowest(width), height - theme().px(8) - self.name.fit(width))
            if words.fits(width, min(room, rest)):
                return Exactly(words, width, min(room, rest))
        return None

    def _put(self, part: Part, x: float, y: float, width: float, height: float) -> None:
        self.add_widget(part)
        part.place(x, y, width, height)


class Exactly(Part):
    """A part that asks for exactly this room."""

    def __init__(self, part: Part, width: float, height: float) -> None:
        super().__init__()
        self.part, self._room = part, (width, min(height, part.fit(width)))
        self.add_widget(part)

    def fit(self, width: float) -> float:
        return self._room[1]

    def natural(self) -> float:
        return self._room[0]

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.part.place(x, y, width, height)


def tint(game: Game, name: str) -> str:
    """The dark shade of a game's colour, the background of white badges."""
    return game.tints[name][2] if name in game.tints else "line"


def face_of(screen: Screen, option: Option) -> Face | None:
    """The face of an option: its own, or its component's."""
    session = screen.desk.session
    if option.face is not None or option.component is None:
        return option.face
    return session.game.face(session.catalogue[option.component])


def answering(
    screen: Screen,
    question: Question,
    option: Option,
    told: Callable[[Option], None] | None = None,
    typed: str = "",
) -> Callable[[], object]:
    """What a tap on an option does: propose it, or call `told` if given; a new tile is named first."""
    answer = partial(screen.desk.propose, Answer(question.seat, question.slug, option.id))
    tell = answer if told is None else partial(told, option)
    if option.new is None or not screen.desk.session.catalogue[option.new].prints_name:
        return tell
    about = asked_of(screen.desk.session, question)

    def name_it() -> None:
        if asked_of(screen.desk.session, question) != about:
            tell()  # already answered: people get a message
        else:
            screen.app.go("name-tile", question=question, option=option, tell=tell, typed=typed.strip())

    return name_it


def seat_mark(screen: Screen, option: Option) -> Mark | None:
    """The mark of the seat an option is about."""
    return None if option.seat is None else screen.desk.marks()[option.seat]


def option_tile(
    screen: Screen, question: Question, n: int, on_tap: Callable[[], None] | None = None, default: bool = True
) -> Tile:
    """One option as a tile; a tap answers with it, or calls what is given instead. The `default` is
    highlighted."""
    option = question.options[n]
    words, detail = option_words(screen.desk, option)
    default = default and n == 0 and question.has_default
    marked = "hand-pointing-right" if screen.app.buttons.turned_to(question) == n else ""
    if option.new is not None and not marked:
        marked = "plus"
    face = OptionFace(
        screen.desk.session.game,
        words,
        detail,
        option,
        face_of(screen, option),
        INK if default else "text",
        marked,
        seat_mark(screen, option),
    )
    tile = Tile(
        face,
        on_tap or answering(screen, question, option),
        f"option-{option.id}",
        ground="main" if default else "raised",
        edge="accent" if marked else "",
        about=asked_of(screen.desk.session, question),
        repeats=question.tally is not None,
    )
    return readable(screen, tile, option)


def readable(showing: Showing, tile: Tile, option: Option) -> Tile:
    """The same tile; holding it shows the option and its component large."""
    tile.on_hold = partial(showing.app.front.read, option.component or "", None, option)
    return tile


def columns_of(n: int) -> int:
    """How many tiles are side by side."""
    if Window.width < Window.height:
        return 1 if n < 3 else 3 if n > 6 and theme().text > 1.2 else 2
    return n if n <= 3 else 2 if n == 4 else 3 if n <= 6 else 4


def tiles(parts: list[Part]) -> Cells:
    """The tiles of one page."""
    return Cells(parts, columns_of(len(parts)), gap=6, most=HIGHEST)
