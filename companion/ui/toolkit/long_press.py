"""Long press: a ring fills round the finger, then the thing below it is shown large."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import Color, InstructionGroup, Line

from companion.ui.toolkit.layout import DRAGGED
from companion.ui.toolkit.lettering import rgba
from companion.ui.toolkit.theme import theme

HOLD, QUIET = 0.5, 0.15
"""Seconds until a long press triggers, and until its ring appears."""

FRAME = 0.1
"""The longest time a frame counts, in seconds: during a slow frame the finger may have lifted unnoticed."""

RING = 34
"""The radius of the ring: larger than a fingertip."""

HELD = "held"
"""Key in `touch.ud` for the touch's `LongPress`."""


class LongPress:
    """One finger on one thing; `deed` is called once it has rested long enough."""

    def __init__(self, touch: Any, deed: Callable[[], Any]) -> None:
        self.touch, self.deed, self.done = touch, deed, False
        self._rested, self._from = 0.0, touch.pos
        self._at = (touch.sx * Window.width, touch.sy * Window.height)
        self._ring = InstructionGroup()
        Window.canvas.after.add(self._ring)
        self._event = Clock.schedule_interval(self._tick, 1 / 30)
        touch.ud[HELD] = self

    def _tick(self, seconds: float) -> None:
        self._rested += min(seconds, FRAME)
        if self._rested >= HOLD:
            self.held()
        elif self._rested > QUIET:
            self._draw((self._rested - QUIET) / (HOLD - QUIET))

    def _draw(self, share: float) -> None:
        self._ring.clear()
        self._ring.add(Color(*rgba("accent")))
        self._ring.add(Line(circle=(*self._at, theme().px(RING), 0, 360 * share), width=theme().px(3)))

    def held(self) -> None:
        """The finger has rested long enough."""
        self.stop()
        self.done = True
        self.deed()

    def moved(self) -> None:
        """The finger moved; moving far ends the long press."""
        if math.dist(self.touch.pos, self._from) > theme().px(DRAGGED):
            self.stop()

    def stop(self) -> None:
        """End it: the finger lifted, or does something else."""
        if self._event is not None:
            self._event.cancel()
            Window.canvas.after.remove(self._ring)
            self._event = None
