"""A QR code on the screen."""

from __future__ import annotations

import segno
from kivy.graphics import Color, Rectangle, RoundedRectangle
from kivy.graphics.texture import Texture

from companion.ui.toolkit.part import Part
from companion.ui.toolkit.theme import theme

QUIET = 4
"""White modules round a code: phones need them to find it."""


class Code(Part):
    """A QR code of a text, black on white in every theme."""

    def __init__(self, words: str, size: float = 240) -> None:
        super().__init__()
        self.words, self._size = words, theme().px(size)
        matrix = segno.make(words, error="l", micro=False, encoding="utf-8").matrix
        self._modules = len(matrix) + 2 * QUIET
        self._texture = Texture.create(size=(len(matrix), len(matrix)), colorfmt="luminance")
        self._texture.mag_filter = self._texture.min_filter = "nearest"
        rows = b"".join(bytes(0 if dark else 255 for dark in row) for row in reversed(list(matrix)))
        self._texture.blit_buffer(rows, colorfmt="luminance", bufferfmt="ubyte")

    def fit(self, width: float) -> float:
        return min(width, self._size)

    def natural(self) -> float:
        return self._size

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        side = min(width, height)
        module = max(1, int(side / self._modules))
        inner = module * (self._modules - 2 * QUIET)
        left, low = x + (width - side) / 2, y + (height - side) / 2
        self.canvas.clear()
        with self.canvas:
            Color(1, 1, 1, 1)
            RoundedRectangle(pos=(left, low), size=(side, side), radius=[theme().px(8)])
            spot = (round(left + (side - inner) / 2), round(low + (side - inner) / 2))
            Rectangle(texture=self._texture, pos=spot, size=(inner, inner))
