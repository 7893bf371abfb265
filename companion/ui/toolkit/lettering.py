"""Parts that are letters."""

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
from companion.ui.toolkit.part import Part, look


def rgba(tone: str) -> tuple[float, ...]:
    """A colour as Kivy wants it."""
    return _rgba(look().colour(tone))


@lru_cache(maxsize=200)
def _rgba(colour: str) -> tuple[float, ...]:
    return tuple(get_color_from_hex(colour))


FOREIGN = re.compile("[\u0530-\u1dff\u2600-\u27bf\u2e80-\uffff\U00010000-\U0010ffff]")
"""Letters our font does not have; names may be written in any."""

_PICTURE = "[\u200d\u20e3\u2600-\u27bf\u2b00-\u2bff\ufe0e\ufe0f\U0001f000-\U000e007f]+"
PICTURES = re.compile(rf"^{_PICTURE}\s+|\s*{_PICTURE}")
"""Little pictures people put into their names; no font of ours has them."""

FACE = "\u263a"

LEFTWARDS = re.compile("[\u0590-\u08ff](?:[\u0590-\u08ff\\s]*[\u0590-\u08ff])?")


def readable(words: str, font: str) -> tuple[str, str]:
    """Words without what no font has, and the font that has their letters; leftward words stand as they are read."""
    if font != "Words" or words.isascii():
        return words, font
    words = words.encode(
        "utf-8", "replace"
    ).decode()  # names of files may have bytes in them that are no letters
    words = PICTURES.sub(_instead, words)
    if not FOREIGN.search(words):
        return words, font
    return LEFTWARDS.sub(lambda run: run[0][::-1], words), "Others"


def _instead(picture: re.Match[str]) -> str:
    """Nothing beside letters; a face where a name is nothing but pictures."""
    before, after = picture.string[: picture.start()], picture.string[picture.end() :]
    return "" if before[-1:].isalnum() or after[:1].isalnum() else FACE


@lru_cache(maxsize=4000)
def extent(words: str, font: str, size: float, bold: bool) -> float:
    """How wide words are in one line."""
    words, font = readable(words, font)
    return Measure(font_name=font, font_size=size, bold=bold).get_extents(words)[0]


class TextureText(NamedTuple):
    """What a picture of words says, and how: checks of the layout look it up."""

    words: str
    font: str
    size: float
    bold: bool
    align: str


WRITTEN: WeakKeyDictionary[Texture, TextureText] = WeakKeyDictionary()
"""Every picture of words there is."""


@lru_cache(maxsize=600)
def lettered(words: str, font: str, size: float, bold: bool, align: str, width: float | None) -> Texture:
    """Words as a picture, white on nothing: screens are built again and again out of the same words."""
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
    """Letters in a colour. Much quicker to make than Kivy's label, of which a screen would need a hundred."""

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
        """What is written; writing something else shows at once."""
        return self._text

    @text.setter
    def text(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self.texture_update()
            self._draw()

    @property
    def font_size(self) -> float:
        """How large the letters are."""
        return self._size

    @font_size.setter
    def font_size(self, size: float) -> None:
        self._size = self._full = size
        self.texture_update()

    @property
    def color(self) -> Sequence[float]:
        """The letters' colour."""
        return self._colour.rgba

    @color.setter
    def color(self, colour: Sequence[float]) -> None:
        self._colour.rgba = colour

    def texture_update(self) -> None:
        """Letter it again, after what it looks like was changed."""
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
    """A sentence; it wraps at its width and is never cut, and rather becomes smaller than breaks a word."""

    def __init__(
        self, text: str, size: str = "body", tone: str = "text", *, bold: bool = False, align: str = "left"
    ) -> None:
        super().__init__(text, look().font(size), rgba(tone), bold, align)

    def texture_update(self) -> None:
        if self._wide is None:  # nobody has said yet where it will stand
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
        """The size at which no word is wider than this; the smallest words stay as large as they are."""
        self._size = full = self._full
        if full * len(self._text) <= width or (widest := self.widest_word()) <= width:
            return full
        return max(min(full, look().font("note")), int(full * width / widest))

    def natural(self) -> float:
        return max(self._extent(line) for line in self.text.split("\n")) + 2

    def widest_word(self) -> float:
        """The width below which a word would be broken."""
        return max((self._extent(word) for word in self.text.split()), default=0.0)

    def _extent(self, words: str) -> float:
        return extent(words, self.font, self.font_size, self.bold)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        self.fit(width)
        super().place(x, y, width, height)


class Icon(Lettering):
    """One of our icons, as high as words of this size."""

    font = "Icons"

    def __init__(self, name: str, size: str = "prompt", tone: str = "text") -> None:
        super().__init__(ICONS[name], look().font(size), rgba(tone), False, "left")
