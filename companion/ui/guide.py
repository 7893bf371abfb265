"""What a demonstration shows in addition to the page: a strip of its own, and a hand that points at the next
target.

The page above the strip is that of a real play; the strip replaces the tasks line, undo and scan.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from kivy.core.window import Window
from kivy.graphics import Color, Line, PopMatrix, PushMatrix, Rectangle, Rotate
from kivy.uix.widget import Widget

from companion.ui.toolkit.camera_picture import CameraPicture
from companion.ui.toolkit.geometry import Rect, visible, walk
from companion.ui.toolkit.kit import Lettering, Part, Plate, Tap, rgba, theme
from companion.ui.toolkit.place_map import PlaceMap
from companion.ui.toolkit.snug import Snug
from companion.ui.toolkit.theme import SMALLEST_WORDS

if TYPE_CHECKING:
    from companion.ui.toolkit.context import WindowContext

HIGH, LOW, UPRIGHT = 80, 62, 104
"""The height of the strip: usual, with large text on a landscape screen (little room), and on an upright
screen (more room, and more lines of text)."""
PICTURE = 16 / 9
"""The aspect ratio of the camera's picture."""
BUTTON, LEAVE = 60, 118
"""The widths of the pause and leave buttons."""

GROUND, EDGE, DIM = "#2B2440", "#7C66C8", "#C9BFEA"
"""A violet of its own, the same in light and dark themes."""

LIGHT = "#F1F4F9"
RING = 1.7


class Guide:
    """What is said and pointed at; `strip` and `before` are added to the page whenever it is built."""

    def __init__(self, app: WindowContext, on_pause: Callable[[], Any], on_leave: Callable[[], Any]) -> None:
        self.app, self.on_pause, self.on_leave = app, on_pause, on_leave
        self.line = self.hint = ""
        self.paused = self.large = False
        self.pointed: tuple[str, ...] = ()
        """Names of the next touch targets; the hand points at the first visible one."""
        self.pictured = False
        """Whether there is a camera picture."""
        self.picture: CameraPicture | None = None
        self._frame: tuple[Any, Sequence[Any]] | None = None

    @property
    def shown(self) -> bool:
        """Whether it is visible on the current screen."""
        return self.app.screen.name == "table"

    @property
    def height(self) -> float:
        """The height of the strip."""
        return theme().px(_high()) if self.shown else 0.0

    def tell(self, line: str, hint: str, pointed: tuple[str, ...] = ()) -> None:
        """Show this text and point there; the page stays as it is."""
        self.line, self.hint, self.pointed = line, hint, pointed
        self.app.show_guide()

    def see(self, picture: Any, frames: Sequence[Any]) -> None:
        """Show this camera picture."""
        self._frame = (picture, frames)
        if self.picture is not None:
            self.picture.see(picture, frames)

    def strip(self) -> Part:
        """The strip; the caller places it."""
        self.picture = CameraPicture() if self.pictured else None
        if self.picture is not None and self._frame is not None:
            self.picture.see(*self._frame)
        return Plate(GuideStrip(self), GROUND, edge=EDGE, pad=4, radius=12)

    def before(self) -> list[Part]:
        """What is in front of the page: the camera's picture if enlarged, otherwise the hand."""
        page = self.app.stage.children[-1]
        if self.large and self.picture is not None:
            return [Large(self)]
        at = target(page, self.pointed)
        return [] if at is None or self.paused else [Pointer(at)]

    def enlarge(self) -> None:
        """Toggle the camera's picture between small and full page."""
        self.large = not self.large
        self.app.refresh()


def _high() -> float:
    if Window.width < Window.height:
        return UPRIGHT
    return LOW if theme().text > 1.2 else HIGH


class GuideStrip(Part):
    """The camera's picture, who does what, that it is a demonstration, pause and leave."""

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        desk = guide.app.desk
        self.look_at = None if guide.picture is None or guide.large else _picture_tap(guide)
        self.words = Snug(guide.line, 20, SMALLEST_WORDS, LIGHT, bold=True, lines=2)
        self.hint = Snug(guide.hint, 18, SMALLEST_WORDS, DIM, lines=3)
        self.pause = Tap(
            icon="play" if guide.paused else "pause",
            on_tap=guide.on_pause,
            name="demo-pause",
            tall=_high() - 16,
        )
        self.leave = Tap(
            on_tap=guide.on_leave,
            name="demo-leave",
            tall=_high() - 16,
            part=Snug(desk.say("ui.demo-leave"), 20, SMALLEST_WORDS, bold=True, align="center").fill(),
        )
        for part in (self.look_at, self.words, self.hint, self.pause, self.leave):
            if part is not None:
                self.add_widget(part)

    def fit(self, width: float) -> float:
        return theme().px(_high() - 8)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        px, gap = theme().px, theme().px(6)
        left, right, low, high = x, x + width, y, height
        if self.look_at is not None:
            wide = min(high, px(HIGH - 8)) * PICTURE
            self.look_at.place(left, low, wide, high)
            left += wide + gap
        grown = 1.0 if theme().text < 1.2 else 1.12
        for tap, wide in ((self.leave, LEAVE * grown), (self.pause, BUTTON)):
            right -= px(wide)
            tap.place(right, low, px(wide), high)
            right -= gap
        room = right - left
        upper = (
            min(max(high / 2, self.words.high(room, high * 0.62)), high * 0.62) if self.hint.text else high
        )
        if self.hint.text:
            upper = min(upper, high - self.hint.lowest(room))
        if not self.words.fits(room, upper):  # who does what has priority
            self.remove_widget(self.hint)
            upper = high
        self.words.place(left, low + high - upper, room, upper)
        self.hint.place(left, low, room, high - upper)


def _picture_tap(guide: Guide) -> Tap:
    tap = Tap(on_tap=guide.enlarge, name="demo-camera", part=guide.picture.fill() if guide.picture else None)
    tap.pad = 0
    return tap


class Large(Part):
    """The camera's picture on the whole page; a touch makes it small again."""

    def __init__(self, guide: Guide) -> None:
        super().__init__()
        assert guide.picture is not None
        low = guide.height + theme().px(8)
        self.guide = guide
        self.add_widget(guide.picture)
        super().place(0, low, Window.width, Window.height - low)
        guide.picture.place(*self.pos, *self.size)

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos) or touch.is_mouse_scrolling:
            return False
        self.guide.enlarge()
        return True


class Pointer(Part):
    """A ring round something, with a hand below its middle; touches pass through."""

    def __init__(self, at: Rect) -> None:
        super().__init__()
        left, low, right, high = at
        super().place(left, low, right - left, high - low)
        radius, width = theme().px(12), theme().px(RING)
        hand = Hand()
        self.add_widget(hand)
        with self.canvas:
            for glow, opacity in ((4.0, 0.18), (2.4, 0.3), (1.0, 1.0)):
                Color(*rgba("#F3B94D")[:3], opacity)
                shape = (left, low, self.width, self.height, radius)
                Line(rounded_rectangle=shape, width=width * glow)
        wide, tall = hand.texture_size
        x = min(self.center_x + self.width * 0.12, Window.width - wide)
        y = max(0.0, self.center_y - tall * 0.95)
        hand.place(x, y, wide, tall)

    def on_touch_down(self, touch: Any) -> bool:
        return False


class Hand(Lettering):
    """A white hand that points up."""

    font = "Icons"

    def __init__(self) -> None:
        super().__init__("\U000f02c7", theme().px(46), rgba("#FFFFFF"), False, "left")

    def _draw(self) -> None:
        self.canvas.clear()
        wide, high = self.texture_size
        edge = theme().px(1.5)
        with self.canvas:
            PushMatrix()
            Rotate(angle=90, origin=self.center)
            at = (self.center_x - wide / 2, self.center_y - high / 2)
            Color(*rgba("#0E131C"))
            for n in range(8):
                turn = n * math.pi / 4
                x, y = at[0] + edge * math.cos(turn), at[1] + edge * math.sin(turn)
                Rectangle(texture=self.texture, pos=(x, y), size=(wide, high))
            Color(*rgba("#FFFFFF"))
            Rectangle(texture=self.texture, pos=at, size=(wide, high))
            PopMatrix()


def target(page: Widget, names: Sequence[str]) -> Rect | None:
    """Where the first of these visible targets is: a part by its name, or a place of a map."""
    found: dict[str, Rect] = {}
    for part in walk(page):
        if isinstance(part, Tap) and part.name in names and (seen := visible(part)) is not None:
            found.setdefault(part.name, seen)
        elif isinstance(part, PlaceMap):
            found |= {f"place-{id}": _spot(part, id) for id in part.spots if f"place-{id}" in names}
    return next((found[name] for name in names if name in found), None)


def _spot(map: PlaceMap, id: str) -> Rect:
    x, y = map.on_screen(*map.spots[id])
    size = min(map.radius, theme().px(60))
    return (x - size, y - size, x + size, y + size)
