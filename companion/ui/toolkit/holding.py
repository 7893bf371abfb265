"""A finger that rests on something: a ring fills round it, then what lies there is shown large."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import Color, InstructionGroup, Line

from companion.ui.toolkit.layout import DRAGGED
from companion.ui.toolkit.lettering import rgba
from companion.ui.toolkit.part import look

HOLD, QUIET = 0.5, 0.15
"""Seconds until a finger that rests has held something, and until its ring begins to show."""

RING = 34
"""The radius of the ring: larger than a fingertip."""

HELD = "held"
"""Under this name a touch has its `Holding`."""


class Holding:
    """One finger on one thing; `deed` is done once it has rested long enough."""

    def __init__(self, touch: Any, deed: Callable[[], Any]) -> None:
        self.touch, self.deed, self.done = touch, deed, False
        self._began, self._from = Clock.get_boottime(), touch.pos
        self._at = (touch.sx * Window.width, touch.sy * Window.height)
        self._ring = InstructionGroup()
        Window.canvas.after.add(self._ring)
        self._event = Clock.schedule_interval(self._tick, 1 / 30)
        touch.ud[HELD] = self

    def _tick(self, _: float) -> None:
        rested = Clock.get_boottime() - self._began
        if rested >= HOLD:
            self.held()
        elif rested > QUIET:
            self._draw((rested - QUIET) / (HOLD - QUIET))

    def _draw(self, share: float) -> None:
        self._ring.clear()
        self._ring.add(Color(*rgba("accent")))
        self._ring.add(Line(circle=(*self._at, look().px(RING), 0, 360 * share), width=look().px(3)))

    def held(self) -> None:
        """It has rested long enough."""
        self.stop()
        self.done = True
        self.deed()

    def moved(self) -> None:
        """The finger moved: if it went far, it does not rest."""
        if math.dist(self.touch.pos, self._from) > look().px(DRAGGED):
            self.stop()

    def stop(self) -> None:
        """The finger is gone, or does something else."""
        if self._event is not None:
            self._event.cancel()
            Window.canvas.after.remove(self._ring)
            self._event = None
