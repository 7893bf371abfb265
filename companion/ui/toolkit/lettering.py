"""Parts that show text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

from kivy.core.text import Label as Measure
from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture
from kivy.utils import get_color_from_hex

from companion.ui.toolkit.icons import ICONS
from companion.ui.toolkit.part import Part
from companion.ui.toolkit.theme import theme


def rgba(tone: str) -> tuple[float, ...]:
    """A colour in Kivy's format."""
    return _rgba(theme().colour(tone))


@lru_cache(maxsize=200)
def _rgba(colour: str) -> tuple[float, ...]:
    return tuple(get_color_from_hex(colour))


FOREIGN = re.compile("[\u0530-\u1dff\u2600-\u27bf\u2e80-\uffff\U00010000-\U0010ffff]")
"""Characters our font does not have; names may contain any."""

_PICTURE = "[\u200d\u20e3\u2600-\u27bf\u2b00-\u2bff\ufe0e\ufe0f\U0001f000-\U000e007f]+"
PICTURES = re.compile(rf"^{_PICTURE}\s+|\s*{_PICTURE}")
"""Emoji in names; none of our fonts has them."""

FACE = "\u263a"

LEFTWARDS = re.compile("[\u0590-\u08ff](?:[\u0590-\u08ff\\s]*[\u0590-\u08ff])?")


def readable(words: str, font: str) -> tuple[str, str]:
    """The text without characters no font has, and a font that has the rest; right-to-left text is reordered
    for display."""
    if font != "Words" or words.isascii():
        return words, font
    words = words.encode("utf-8", "replace").decode()  # file names may contain bytes that are no valid text
    words = PICTURES.sub(_instead, words)
    if not FOREIGN.search(words):
        return words, font
    return LEFTWARDS.sub(lambda run: run[0][::-1], words), "Others"


def _instead(picture: re.Match[str]) -> str:
    """Drop an emoji beside letters; replace it by a face icon if the name has nothing else."""
    before, after = picture.string[: picture.start()], picture.string[picture.end() :]
    return "" if before[-1:].isalnum() or after[:1].isalnum() else FACE


@lru_cache(maxsize=4000)
def extent(words: str, font: str, size: float, bold: bool) -> float:
    """The width of this text in one line."""
    words, font = readable(words, font)
    return Measure(font_name=font, font_size=size, bold=bold).get_extents(words)[0]


class TextureText(NamedTuple):
    """The text and style of a texture, for layout checks."""

    words: str
    font: str
    size: float
    bold: bool
    align: str


WRITTEN: WeakKeyDictionary[Texture, TextureText] = WeakKeyDictionary()
"""All textures of text in use."""


@lru_cache(maxsize=600)
def lettered(words: str, font: str, size: float, bold: bool, align: str, width: float | None) -> Texture:
    """Text as a white texture, cached: screens are rebuilt from the same texts again and again."""
    words, font = readable(words, font)
    label = Measure(
        text=words,
        font_name=font,
        font_size=size,
        bold=bold,
        halign=align,
        text_size=(width, None),
        line_height=1.08,
    )
    label.refresh()
    WRITTEN[label.texture] = TextureText(words, font, size, bold, align)
    return label.texture


class Lettering(Part):
    """Text in a colour. Much faster to create than Kivy's Label; a screen has about a hundred."""

    font = "Words"

    def __init__(self, text: str, size: float, colour: Sequence[float], bold: bool, align: str) -> None:
        super().__init__()
        self._text, self.bold, self.halign = text, bold, align
        self._size = self._full = size
        self._wide: float | None = None
        with self.canvas:
            self._colour = Color(*colour)
            self._shape = Rectangle(size=(0, 0))
        self.texture_update()

    @property
    def text(self) -> str:
        """The text; setting it updates the display at once."""
        return self._text

    @text.setter
    def text(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self.texture_update()
            self._draw()

    @property
    def font_size(self) -> float:
        """The font size."""
        return self._size

    @font_size.setter
    def font_size(self, size: float) -> None:
        self._size = self._full = size
        self.texture_update()

    @property
    def color(self) -> Sequence[float]:
        """The text colour."""
        return self._colour.rgba

    @color.setter
    def color(self, colour: Sequence[float]) -> None:
        self._colour.rgba = colour

    def texture_update(self) -> None:
        """Render again after a change of style."""
        as_it_is = (self._text, self.font, self._size, self.bold, self.halign, self._wide)
        self.texture = lettered(*as_it_is) if self._text else None
        self.texture_size = tuple(self.texture.size) if self.texture is not None else (0, 0)

    def fit(self, width: float) -> float:
        return self.texture_size[1]

    def natural(self) -> float:
        return self.texture_size[0]

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self._draw()

    def _draw(self) -> None:
        self._shape.texture = self.texture
        wide, high = self.texture_size
        self._shape.size = (wide, high)
        self._shape.pos = (int(self.center_x - wide / 2), int(self.center_y - high / 2))


class Words(Lettering):
    """Text that wraps at its width and is never cut; it shrinks rather than breaking a word."""

    def __init__(
        self, text: str, size: str = "body", tone: str = "text", *, bold: bool = False, align: str = "left"
    ) -> None:
        super().__init__(text, theme().font(size), rgba(tone), bold, align)

    def texture_update(self) -> None:
        if self._wide is None:  # not placed yet, so its width is unknown
            self.texture, self.texture_size = None, (0, 0)
        else:
            super().texture_update()

    def fit(self, width: float) -> float:
        if self._wide != width:
            self._wide = width
            self._size = self._whole(width)
            self.texture_update()
        return self.texture_size[1]

    def _whole(self, width: float) -> float:
        """The font size at which no word is wider than this; the smallest text keeps its size."""
        self._size = full = self._full
        if full * len(self._text) <= width or (widest := self.widest_word()) <= width:
            return full
        return max(min(full, theme().font("note")), int(full * width / widest))

    def natural(self) -> float:
        return max(self._extent(line) for line in self.text.split("\n")) + 2

    def widest_word(self) -> float:
        """The width below which a word would have to be broken."""
        return max((self._extent(word) for word in self.text.split()), default=0.0)

    def _extent(self, words: str) -> float:
        return extent(words, self.font, self.font_size, self.bold)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        self.fit(width)
        super().place(x, y, width, height)


class Icon(Lettering):
    """An icon, as high as text of this size."""

    font = "Icons"

    def __init__(self, name: str, size: str = "prompt", tone: str = "text") -> None:
        super().__init__(ICONS[name], theme().font(size), rgba(tone), False, "left")
