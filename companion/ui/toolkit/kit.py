"""The parts screens are made of. A part reports its height for a width (`fit`), and is then put somewhere
(`place`).

Two simple passes replace Kivy's layouts: a screen is right in its very first frame, at any size and in any
language, and a test can compute whether text fits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.core.window import Window

from companion.ui.toolkit.context import TOUCH_CONTEXT, TouchContext
from companion.ui.toolkit.layout import (
    DRAGGED,
    GAP,
    PAD,
    Column,
    Flow,
    Gap,
    Group,
    Page,
    Plate,
    Rail,
    Row,
    Scroll,
    Split,
    Tiles,
)
from companion.ui.toolkit.lettering import (
    Icon,
    Lettering,
    Words,
    extent,
    lettered,
    readable,
    rgba,
)
from companion.ui.toolkit.long_press import HELD, LongPress
from companion.ui.toolkit.part import Part
from companion.ui.toolkit.theme import TARGET, theme

TAPS = {
    "main": ("main", "on_main"),
    "plain": ("raised", "text"),
    "quiet": ("surface", "text"),
    "bad": ("raised", "bad"),
}
"""The background and the text colour of each kind of button."""


class Tap(Plate):
    """A button, never smaller than a fingertip. Tests and the keyboard find it by its `name`.

    The chosen one among several has an edge; `main` is a background for the action most people want next.
    `about` is what a touch decides: a double touch decides only once, unless each touch counts (`repeats`). A
    finger that rests triggers `on_hold` instead, if set.
    """

    on_hold: Callable[[], Any] | None = None

    def __init__(
        self,
        text: str = "",
        on_tap: Callable[[], Any] | None = None,
        *,
        icon: str = "",
        kind: str = "plain",
        detail: str = "",
        lead: Part | None = None,
        part: Part | None = None,
        name: str = "",
        chosen: bool = False,
        size: str = "body",
        align: str = "",
        tall: float = TARGET,
        about: object = None,
        repeats: bool = False,
    ) -> None:
        self.about, self.repeats = about, repeats
        ground, tone = TAPS["plain" if chosen else kind]
        self.tall = theme().px(max(tall, TARGET))
        self.name, self.on_tap, self.ground = name or text, on_tap, ground
        words: list[Part | None] = [
            Words(
                text,
                size,
                tone,
                bold=kind == "main" or chosen,
                align=align or ("left" if icon or lead else "center"),
            )
            if text
            else None,
            Words(detail, "note", tone if kind == "main" else "dim", align=align or "left")
            if detail
            else None,
        ]
        inner = Column([w for w in words if w], gap=2)
        sign = (
            Icon(icon, "prompt" if size == "body" else size, "accent" if chosen else tone) if icon else lead
        )
        if sign is None and kind == "main" and isinstance(part, Icon):  # centres the words of a long bar
            sign = Gap(part.natural() / theme().unit)
        super().__init__(
            part=Row([sign, inner.fill() if text or detail else None, part]),
            ground=ground,
            edge="accent" if chosen else "",
            pad=10,
            radius=12,
        )

    def fit(self, width: float) -> float:
        return max(self.tall, super().fit(width))

    def natural(self) -> float:
        row = self.part
        assert isinstance(row, Row)
        wide = sum(part.natural() for part in row.parts) + row.gap * max(0, len(row.parts) - 1)
        return max(theme().px(TARGET), wide + 2 * self.pad + 1)

    def place(self, x: float, y: float, width: float, height: float) -> None:
        super().place(x, y, width, height)
        row = self.part
        assert isinstance(row, Row)
        if len(row.parts) == 1 and isinstance(row.parts[0], Icon):  # a lone icon is centred
            icon = row.parts[0]
            icon.place(x, y, width, height)
            return
        high = row.fit(width - 2 * self.pad)
        row.place(x + self.pad, y + (height - high) / 2, width - 2 * self.pad, high)

    def on_touch_down(self, touch: Any) -> bool:
        if touch.is_mouse_scrolling or not self.collide_point(*touch.pos):
            return False
        window: TouchContext = touch.ud[TOUCH_CONTEXT]
        if not window.touches.again(touch, self.name, self.about, self.repeats):
            touch.grab(self)
            # The screen may be rebuilt before the finger lifts; the tap means what was seen at touch down.
            touch.ud["tap"], touch.ud["seen"] = self, window.desk.seen
            self._colour.rgba = rgba("line")
            if self.on_hold is not None:
                LongPress(touch, self.on_hold)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        if (holding := touch.ud.get(HELD)) is not None:
            holding.moved()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        self._colour.rgba = rgba(self.ground)
        holding = touch.ud.get(HELD)
        if holding is not None:
            holding.stop()
            if holding.done:
                return True
        if self.collide_point(*touch.pos) and self.on_tap is not None and not self._dragged(touch):
            window: TouchContext = touch.ud[TOUCH_CONTEXT]
            window.finger_place.touched(self)
            with window.desk.acting_on(touch.ud["seen"]):
                self.on_tap()
        return True

    def _dragged(self, touch: Any) -> bool:
        """Whether the finger scrolled instead: resting first and then dragging chooses nothing."""
        above = self.parent
        while above is not None and above is not Window:
            if isinstance(above, Scroll) and above.higher:
                return bool(abs(touch.sy - touch.osy) * Window.height > theme().px(DRAGGED))
            above = above.parent
        return False


__all__ = [
    "GAP",
    "PAD",
    "TAPS",
    "Column",
    "Flow",
    "Gap",
    "Group",
    "Icon",
    "Lettering",
    "Page",
    "Part",
    "Plate",
    "Rail",
    "Row",
    "Scroll",
    "Split",
    "Tap",
    "Tiles",
    "Words",
    "extent",
    "lettered",
    "readable",
    "rgba",
    "theme",
]
