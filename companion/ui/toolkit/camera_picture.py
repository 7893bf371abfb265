"""The camera's picture on the screen, scaled to the pixels shown, with a frame round each label."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.core.text import Label as Measure
from kivy.graphics import Color, Ellipse, Line, Rectangle, RoundedRectangle
from kivy.graphics.texture import Texture

from companion.ui.toolkit.draw import PictureView
from companion.ui.toolkit.icons import ICONS
from companion.ui.toolkit.kit import rgba, theme
from companion.ui.toolkit.theme import INK

NEW, KNOWN, REFUSED = "new", "known", "refused"

TONES = {NEW: "#6BD69B", KNOWN: "#D3DAE6", REFUSED: "#FF8177"}
"""The same in light and dark themes: they are drawn on a picture of the table."""

SIGNS = {NEW: "check", KNOWN: "circle-small", REFUSED: "close"}
DASHES = {KNOWN: 0.25}
"""The length of the dashes of a frame, as a share of a side; other frames are solid."""


class Framed:
    """A label in the picture: its corners in camera pixels, and its meaning."""

    def __init__(self, text: str, corners: Sequence[tuple[float, float]], how: str) -> None:
        self.text, self.corners, self.how = text, corners, how


def shrink(picture: Any, width: float, height: float) -> Any:
    """A picture (BGR) as RGBA, scaled to fit this size with its proportions kept."""
    import cv2

    high, wide = picture.shape[:2]
    scale = min(1.0, width / wide, height / high)
    size = (max(1, round(wide * scale)), max(1, round(high * scale)))
    if scale < 0.5:  # first roughly to twice the size, then exactly: ten times as fast
        picture = cv2.resize(picture, (2 * size[0], 2 * size[1]), interpolation=cv2.INTER_LINEAR)
    small = picture if scale == 1.0 else cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(small, cv2.COLOR_BGR2RGBA)


def pictured(picture: Any, wide: float, high: float) -> PictureView:
    """A picture (BGR) no larger than this, in sizes of the theme."""
    pixels = shrink(picture, theme().px(wide), theme().px(high))
    rows, columns = pixels.shape[:2]
    texture = Texture.create(size=(columns, rows), colorfmt="rgba")
    texture.blit_buffer(pixels.tobytes(), colorfmt="rgba", bufferfmt="ubyte")
    texture.flip_vertical()
    return PictureView(texture, columns / rows, high if high < wide else 0)


class CameraPicture(PictureView):
    """The live picture; `on_label` is called with the label that was touched."""

    def __init__(self, on_label: Callable[[str], None] = lambda text: None) -> None:
        super().__init__()
        self.on_label = on_label
        self.labels: tuple[Framed, ...] = ()
        self._camera: Any = None
        self._placed = False
        self._signs = {how: _sign(name) for how, name in SIGNS.items()}

    def see(self, picture: Any, labels: Sequence[Framed]) -> None:
        """Show this camera frame."""
        self._camera, self.labels = picture, tuple(labels)
        high, wide = picture.shape[:2]
        self.aspect = wide / high
        if self._placed:
            self._develop()
            self._draw()

    def place(self, x: float, y: float, width: float, height: float) -> None:
        self.pos, self.size = (x, y), (width, height)
        self._placed = True
        if self._camera is not None:
            self._develop()
        self._draw()

    def _develop(self) -> None:
        small = shrink(self._camera, self.width, self.height)
        high, wide = small.shape[:2]
        if self.texture is None or tuple(self.texture.size) != (wide, high):
            self.texture = Texture.create(size=(wide, high), colorfmt="rgba")
            self.texture.flip_vertical()
        self.texture.blit_buffer(small.tobytes(), colorfmt="rgba", bufferfmt="ubyte")

    def _where(self) -> tuple[float, float, float]:
        """The left and upper edge of the picture, and its scale: screen pixels per camera pixel."""
        high, wide = self._camera.shape[:2]
        scale = min(self.width / wide, self.height / high)
        return self.x + (self.width - wide * scale) / 2, self.top - (self.height - high * scale) / 2, scale

    def on_screen(self, corners: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        """Convert camera pixels to window coordinates."""
        left, top, scale = self._where()
        return [(left + x * scale, top - y * scale) for x, y in corners]

    def _draw(self) -> None:
        self.canvas.clear()
        with self.canvas:
            Color(*rgba("surface"))
            RoundedRectangle(pos=self.pos, size=self.size, radius=[theme().px(10)])
            if self.texture is None:
                return
            left, top, scale = self._where()
            high, wide = self._camera.shape[:2]
            Color(1, 1, 1, 1)
            Rectangle(texture=self.texture, pos=(left, top - high * scale), size=(wide * scale, high * scale))
            for label in self.labels:
                self._frame(label)

    def _frame(self, label: Framed) -> None:
        corners = _grown(self.on_screen(label.corners), theme().px(5))
        ring = [v for corner in corners for v in corner]
        Color(*rgba(INK)[:3], 0.75)
        Line(points=ring, close=True, width=theme().px(2.6))
        Color(*rgba(TONES[label.how]))
        if label.how in DASHES:
            for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
                share = DASHES[label.how]
                for a, b in ((0.0, share), (1.0 - share, 1.0)):
                    points = [ax + (bx - ax) * a, ay + (by - ay) * a, ax + (bx - ax) * b, ay + (by - ay) * b]
                    Line(points=points, width=theme().px(1.6))
        else:
            Line(points=ring, close=True, width=theme().px(1.6))
        self._tag(max(corners, key=lambda corner: corner[0] + corner[1]), label.how)

    def _tag(self, corner: tuple[float, float], how: str) -> None:
        """Shows the frame's meaning without relying on colour."""
        size = theme().px(20)
        x = min(max(corner[0], self.x + size / 2), self.right - size / 2)
        y = min(max(corner[1], self.y + size / 2), self.top - size / 2)
        Color(*rgba(TONES[how]))
        Ellipse(pos=(x - size / 2, y - size / 2), size=(size, size))
        Color(*rgba(INK))
        wide, high = self._signs[how].size
        Rectangle(texture=self._signs[how], pos=(x - wide / 2, y - high / 2), size=(wide, high))

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos) or self._camera is None:
            return False
        near = theme().px(30)
        for label in self.labels:
            corners = self.on_screen(label.corners)
            x, y = sum(c[0] for c in corners) / len(corners), sum(c[1] for c in corners) / len(corners)
            reach = max(near, *(abs(c[0] - x) for c in corners), *(abs(c[1] - y) for c in corners))
            if abs(touch.x - x) <= reach and abs(touch.y - y) <= reach:
                self.on_label(label.text)
                return True
        return False


def _sign(name: str) -> Texture:
    sign = Measure(text=ICONS[name], font_name="Icons", font_size=theme().px(17))
    sign.refresh()
    return sign.texture


def _grown(corners: Sequence[tuple[float, float]], by: float) -> list[tuple[float, float]]:
    """The corners moved outwards a little, so that the frame does not cover the label."""
    x, y = sum(c[0] for c in corners) / len(corners), sum(c[1] for c in corners) / len(corners)
    far = max(1.0, max(abs(c[0] - x) + abs(c[1] - y) for c in corners) / 2)
    return [(x + (cx - x) * (1 + by / far), y + (cy - y) * (1 + by / far)) for cx, cy in corners]
