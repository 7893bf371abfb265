"""Parts that show a game's symbols: one white texture for each symbol and size, tinted when it is drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import inf
from typing import Any

from kivy.graphics import Color, Line, Mesh, Rectangle, RoundedRectangle
from kivy.graphics.texture import Texture
from kivy.utils import get_color_from_hex

from companion.core.faces import Face, Sign, Signs
from companion.core.game import Game
from companion.drawing import signs as drawn
from companion.drawing.colours import Backing
from companion.drawing.faces import face as drawn_face
from companion.drawing.signs import StrokeGroup
from companion.drawing.strokes import Area, Block, Inscription, Stamp, Strokes
from companion.drawing.symbols import NAME, Layer, drawn_as, pixels
from companion.texts import render
from companion.ui.toolkit.face_pictures import PICTURES, paint_photograph
from companion.ui.toolkit.kit import Tap
from companion.ui.toolkit.lettering import extent, lettered
from companion.ui.toolkit.part import Part
from companion.ui.toolkit.theme import theme

GROWS = 1.2
"""How much the smallest letters of a name grow at the largest text size."""

MIDDLE = 0.05
"""How far the middle of capitals is above the middle of their texture, relative to the font size."""


@lru_cache(maxsize=1000)
def _texture(game: str, symbol: str, layer: Layer, size: int) -> Texture:
    """A layer of a symbol as a texture, cached."""
    texture = Texture.create(size=(size, size), colorfmt="rgba")
    texture.blit_buffer(pixels(game, symbol, layer, size), colorfmt="rgba", bufferfmt="ubyte")
    texture.flip_vertical()
    return texture


@lru_cache(maxsize=400)
def _colour(colour: str) -> tuple[float, float, float]:
    red, green, blue, _ = get_color_from_hex(colour)
    return red, green, blue


def measured(words: str, size: float, bold: bool) -> float:
    """The width of this text in our font."""
    return extent(words, "Words", round(size), bold)


def paper(ground: str = "raised", text: str = "text", dim: str = "dim") -> Backing:
    """The background signs are drawn on, from the theme's colours."""
    return Backing(theme().colour(ground), theme().colour(text), theme().colour(dim))


def paint(strokes: Strokes, left: float, top: float) -> None:
    """Draw strokes on the open canvas; their y axis points down, the canvas's up."""
    for stroke in strokes:
        if isinstance(stroke, Stamp):
            _paint_stamp(stroke, left, top)
        elif isinstance(stroke, Inscription):
            _paint_words(stroke, left, top)
        elif isinstance(stroke, Block):
            _paint_block(stroke, left, top)
        else:
            _paint_area(stroke, left, top)


def _paint_stamp(stamp: Stamp, left: float, top: float) -> None:
    size = max(1, round(stamp.size))
    texture = _texture(stamp.game, stamp.symbol, stamp.layer, size)
    Color(*_colour(stamp.colour), stamp.opacity)
    at = (round(left + stamp.x), round(top - stamp.y - size))
    Rectangle(texture=texture, pos=at, size=(size, size))


def _paint_words(written: Inscription, left: float, top: float) -> None:
    size = round(written.size)
    texture = lettered(written.words, "Words", size, written.bold, "left", None)
    Color(*_colour(written.colour))
    low = top - written.y - texture.height / 2 - size * MIDDLE
    Rectangle(texture=texture, pos=(round(left + written.x), round(low)), size=texture.size)


def _paint_block(block: Block, left: float, top: float) -> None:
    Color(*_colour(block.colour), block.opacity)
    x, y = left + block.x, top - block.y - block.high
    if not block.line:
        RoundedRectangle(pos=(x, y), size=(block.wide, block.high), radius=[block.radius])
        return
    half = block.line / 2
    shape = (x + half, y + half, block.wide - block.line, block.high - block.line, block.radius)
    _edge(block.line, block.dashed, rounded_rectangle=shape)


def _paint_area(area: Area, left: float, top: float) -> None:
    Color(*_colour(area.colour))
    corners = [(left + x, top - y) for x, y in area.corners]
    if area.line:
        _edge(area.line, area.dashed, points=[v for corner in corners for v in corner], close=True)
        return
    middle = (sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners))
    vertices = [v for corner in (middle, *corners, corners[0]) for v in (*corner, 0, 0)]
    Mesh(vertices=vertices, indices=list(range(len(corners) + 2)), mode="triangle_fan")


def _edge(width: float, dashed: bool, **shape: object) -> None:
    if dashed:  # Kivy dashes only lines one pixel wide
        Line(width=1, dash_length=width * 2, dash_offset=width * 2, **shape)
    else:
        Line(width=width / 2, **shape)


def _smallest() -> float:
    """The smallest size of figures in or beside a symbol."""
    return NAME * theme().unit


_SIGNS: dict[tuple[object, ...], StrokeGroup] = {}


def _laid(
    draw: Callable[..., StrokeGroup], game: Game, shown: object, high: float, *on: object
) -> StrokeGroup:
    """Signs as laid out by `draw`, cached: every page has dozens of them, again and again."""
    key = (draw, game.id, shown, high, on, theme().unit)
    if key not in _SIGNS:
        if len(_SIGNS) > 2000:
            _SIGNS.clear()
        _SIGNS[key] = draw(game.id, game.tints, shown, high, measured, *on, smallest=_smallest())
    return _SIGNS[key]


class Drawn(Part):
    """Strokes drawn at the left of the part, vertically centred; `text` is their content in words."""

    def __init__(self, laid: StrokeGroup, text: str = "") -> None:
        super().__init__()
        self.laid, self.text = laid, text

    def fit(self, width: float) -> float:
        return self.laid.high

    def natural(self) -> float:
        return self.laid.wide

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.canvas.clear()
        with self.canvas:
            paint(self.laid.strokes, x, y + (height + self.laid.high) / 2)


class Symbol(Drawn):
    """A sign of this height, or higher if it needs that to be legible; its colours fit its background."""

    def __init__(self, game: Game, sign: Sign, size: float = 28, on: Backing | None = None) -> None:
        least = drawn_as(game.id, sign).least(sign.value) * max(1.0, min(GROWS, theme().text))
        high = theme().px(max(size, least))
        super().__init__(_laid(drawn.sign, game, sign, high, on or paper()), sign.value)


class SignRow(Drawn):
    """Signs side by side, in several lines if one is too short."""

    def __init__(self, game: Game, signs: Signs, size: float = 28, on: Backing | None = None) -> None:
        self._game, self.signs, self._on = game, signs, on or paper()
        least = max((drawn_as(game.id, one).least(one.value) for one in signs), default=0)
        self._high = theme().px(max(size, least)) if signs else 0
        super().__init__(self._within(inf), " ".join(one.value for one in signs if one.value))
        self._wide = self.laid.wide

    def _within(self, width: float) -> StrokeGroup:
        return _laid(drawn.rows, self._game, self.signs, self._high, self._on, width)

    def fit(self, width: float) -> float:
        if (self._wide <= width) != (self.laid.wide == self._wide) or self.laid.wide > width:
            self.laid = self._within(width)
        return self.laid.high

    def natural(self) -> float:
        return self._wide + 1

    def place(self, x: float, y: float, width: float, height: float) -> None:
        self.fit(width)
        super().place(x, y, width, height)


class FaceView(Drawn):
    """A component as it lies on the table, with what lies on it; with width 0 it fills the width it gets."""

    def __init__(
        self, game: Game, face: Face, wide: float = 180, high: float = 100, lying: Signs = ()
    ) -> None:
        self.game, self.face, self.lying = game, face, lying
        self._high = theme().px(high * theme().text)
        self._fixed = theme().px(wide * theme().text)
        super().__init__(self._within(self._fixed or self._high * 1.6), render(face.name, theme().language))

    def _within(self, width: float) -> StrokeGroup:
        return _face(self.game, self.face, round(width), self._high, self.lying)

    def fit(self, width: float) -> float:
        if not self._fixed and self.laid.wide != round(width):
            self.laid = self._within(width)
        return self.laid.high

    def place(self, x: float, y: float, width: float, height: float) -> None:
        self.fit(width)
        super().place(x, y, width, height)
        photograph = PICTURES.of(self.game.id, self.face)
        if photograph is not None:
            self.canvas.clear()
            low = y + (height - self.laid.high) / 2
            with self.canvas:
                paint_photograph(photograph, self.text, x, low, self.laid.wide, self.laid.high)


class FaceRoom(Part):
    """A face as high as its room, but no higher than `most`."""

    def __init__(self, game: Game, face: Face, most: float = 150) -> None:
        super().__init__()
        self.game, self.face, self.highest = game, face, theme().px(most)

    def fit(self, width: float) -> float:
        return self.highest

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        high = min(height, self.highest)
        self.clear_widgets()
        if high > 0:
            view = FaceView(self.game, self.face, 0, high / theme().unit / theme().text)
            self.add_widget(view)
            view.place(x, y + height - high, width, high)


class FaceTap(Tap):
    """A face to tap or to hold."""

    def __init__(
        self,
        face: FaceView,
        on_tap: Callable[[], Any],
        name: str,
        on_hold: Callable[[], Any] | None = None,
    ) -> None:
        super().__init__(part=face.fill(), on_tap=on_tap, kind="quiet", name=name)
        self.pad, self.on_hold = 0, on_hold


def _face(game: Game, face: Face, wide: float, high: float, lying: Signs) -> StrokeGroup:
    """The layout of a face, cached for each size."""
    unit, language = theme().unit * theme().text, theme().language
    smallest = NAME * theme().unit * min(GROWS, theme().text)
    key = (game.id, face, wide, high, lying, unit, language)
    if key not in _FACES:
        if len(_FACES) > 500:
            _FACES.clear()
        _FACES[key] = drawn_face(
            game.id,
            game.tints,
            face,
            wide,
            high,
            measured,
            language,
            unit,
            lying,
            smallest,
            NAME * theme().unit,
        )
    return _FACES[key]


_FACES: dict[object, StrokeGroup] = {}
