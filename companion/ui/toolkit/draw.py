"""Parts that draw: marks of seats, bars, pictures, and parts rotated for players on the opposite side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kivy.graphics import (
    Color,
    Ellipse,
    Line,
    Mesh,
    PopMatrix,
    PushMatrix,
    Rectangle,
    Rotate,
    RoundedRectangle,
)

from companion.drawing.shapes import outline
from companion.table.marks import Mark
from companion.ui.toolkit.kit import Part, lettered, rgba, theme
from companion.ui.toolkit.theme import INK

LEAST = 13
"""The smallest letter in a mark."""


class Badge(Part):
    """The mark of a seat: colour, shape and letter."""

    def __init__(self, mark: Mark, size: float = 40) -> None:
        super().__init__()
        self.mark, self._high = mark, theme().px(size * theme().text)
        self.ink = INK
        """The letter's colour."""

    def fit(self, width: float) -> float:
        return self._high

    def natural(self) -> float:
        return self._high

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self.canvas.clear()
        middle = (x + width / 2, y + height / 2)
        corners = outline(self.mark.shape, *middle, self._high * 0.42)
        size = max(self._high * 0.46, theme().px(LEAST))
        letter = lettered(self.mark.letter or " ", "Words", size, True, "left", None)
        with self.canvas:
            Color(*rgba(self.mark.colour))
            vertices = [v for corner in (middle, *corners, corners[0]) for v in (*corner, 0, 0)]
            Mesh(vertices=vertices, indices=list(range(len(corners) + 2)), mode="triangle_fan")
            Color(*rgba(self.ink))
            wide, high = letter.size
            Rectangle(texture=letter, pos=(middle[0] - wide / 2, middle[1] - high / 2), size=letter.size)


class DieFace(Part):
    """A die face: filled if the result counts, else an outline; drawn by its game, or with words."""

    def __init__(
        self, words: str, colour: str, filled: bool, size: float = 44, drawn: Part | None = None
    ) -> None:
        super().__init__()
        self.words, self.colour, self.filled, self.drawn = words, colour, filled, drawn
        self._high = theme().px(size * theme().text)
        if drawn is not None:
            self.add_widget(drawn)

    def fit(self, width: float) -> float:
        return self._high

    def natural(self) -> float:
        return self._high

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        side = min(self._high, width)
        left, low = x + (width - side) / 2, y + (height - side) / 2
        if self.drawn is not None:
            self.drawn.place(left, low, side, side)
            return
        self.canvas.clear()
        letter = lettered(self.words or " ", "Words", side * 0.6, True, "left", None)
        with self.canvas:
            Color(*rgba(self.colour if self.filled else "line"))
            if self.filled:
                RoundedRectangle(pos=(left, low), size=(side, side), radius=[side * 0.2])
            else:
                Line(rounded_rectangle=(left, low, side, side, side * 0.2), width=theme().px(1.5))
            Color(*rgba(INK if self.filled else "dim"))
            wide, high = letter.size
            at = (left + (side - wide) / 2, low + (side - high) / 2)
            Rectangle(texture=letter, pos=at, size=letter.size)


class Bar(Part):
    """A bar that shows a share of a whole."""

    def __init__(self, value: float, full: float, tone: str = "accent", height: float = 10) -> None:
        super().__init__()
        self.share = max(0.0, min(1.0, value / full)) if full else 0.0
        self._high = theme().px(height)
        with self.canvas:
            Color(*rgba("line"))
            self._all = RoundedRectangle(radius=[self._high / 2])
            Color(*rgba(tone))
            self._part = RoundedRectangle(radius=[self._high / 2])

    def fit(self, width: float) -> float:
        return self._high

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self._all.pos, self._all.size = (x, y), (width, height)
        self._part.pos = (x, y)
        self._part.size = (max(height, width * self.share) if self.share else 0, height)


class Outline:
    """A frame round something in a picture, with its colour."""

    def __init__(self, corners: Sequence[tuple[float, float]], tone: str) -> None:
        self.corners, self.tone = corners, tone


class PictureView(Part):
    """A picture as large as fits, with frames round what was found in it (corners in picture pixels)."""

    def __init__(self, texture: Any = None, aspect: float = 16 / 9, height: float = 0) -> None:
        super().__init__()
        self.texture, self.aspect, self._fixed = texture, aspect, theme().px(height)
        self.frames: tuple[Outline, ...] = ()

    def fit(self, width: float) -> float:
        return self._fixed or width / self.aspect

    def natural(self) -> float:
        return self._fixed * self.aspect

    def show(self, texture: Any, frames: Iterable[Outline] = ()) -> None:
        """Show this picture and these frames."""
        self.texture, self.frames = texture, tuple(frames)
        self._draw()

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self._draw()

    def _draw(self) -> None:
        self.canvas.clear()
        with self.canvas:
            Color(*rgba("ground"))
            RoundedRectangle(pos=self.pos, size=self.size, radius=[theme().px(10)])
            if self.texture is None:
                return
            wide, high = self.texture.size
            scale = min(self.width / wide, self.height / high) if wide and high else 0
            left = self.x + (self.width - wide * scale) / 2
            low = self.y + (self.height - high * scale) / 2
            Color(1, 1, 1, 1)
            Rectangle(texture=self.texture, pos=(left, low), size=(wide * scale, high * scale))
            for frame in self.frames:
                Color(*rgba(frame.tone))
                points = [
                    v for cx, cy in frame.corners for v in (left + cx * scale, low + (high - cy) * scale)
                ]
                Line(points=points, close=True, width=theme().px(2))


class Dot(Part):
    """A small filled circle."""

    def __init__(self, tone: str, size: float = 14) -> None:
        super().__init__()
        self._size = theme().px(size)
        with self.canvas:
            Color(*rgba(tone))
            self._shape = Ellipse()

    def fit(self, width: float) -> float:
        return self._size

    def natural(self) -> float:
        return self._size

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self._shape.pos = (x, y + (height - self._size) / 2)
        self._shape.size = (self._size, self._size)


class Rotated(Part):
    """A part rotated by 180 degrees, for players on the opposite side; touches work as usual."""

    def __init__(self, part: Part) -> None:
        super().__init__()
        self.part = part
        with self.canvas.before:
            PushMatrix()
            self._turn = Rotate(angle=180)
        self.add_widget(part)
        with self.canvas.after:
            PopMatrix()

    def fit(self, width: float) -> float:
        return self.part.fit(width)

    def natural(self) -> float:
        return self.part.natural()

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        self._turn.origin = self.center
        self.part.place(x, y, width, height)

    def to_parent(self, x: float, y: float, relative: bool = False) -> tuple[float, float]:
        return 2 * self.center_x - x, 2 * self.center_y - y

    def to_local(self, x: float, y: float, relative: bool = False) -> tuple[float, float]:
        return 2 * self.center_x - x, 2 * self.center_y - y

    def _turned(self, touch: Any, handle: Any) -> Any:
        touch.push()
        touch.apply_transform_2d(lambda x, y: (2 * self.center_x - x, 2 * self.center_y - y))
        try:
            return handle(touch)
        finally:
            touch.pop()

    def on_touch_down(self, touch: Any) -> Any:
        return self._turned(touch, super().on_touch_down)

    def on_touch_move(self, touch: Any) -> Any:
        return self._turned(touch, super().on_touch_move)

    def on_touch_up(self, touch: Any) -> Any:
        return self._turned(touch, super().on_touch_up)
