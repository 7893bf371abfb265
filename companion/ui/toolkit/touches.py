"""Fingers that touch twice: what came under them in between was not meant."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from kivy.core.window import Window

TWICE = 0.4
"""Seconds within which a second touch belongs to the first; nobody reads a new question and answers it sooner."""

NEAR = 0.1
"""How far a finger strays, by the shorter side of the window."""


class Touches:
    """Remembers the last touch that hit something."""

    def __init__(self) -> None:
        self.when: Callable[[Any], float] = lambda touch: float(touch.time_start)
        """When a touch came."""
        self.forget()

    def forget(self) -> None:
        """The next touch is the first."""
        self._what: tuple[str, object] = ("", None)
        self._at, self._place = -math.inf, (0.0, 0.0)

    def again(self, touch: Any, name: str, about: object = None) -> bool:
        """Whether this belongs to a touch before it; touching the same key again is typing, unless it decides."""
        place = (touch.sx * Window.width, touch.sy * Window.height)
        near = math.dist(place, self._place) < NEAR * min(Window.size)
        at = self.when(touch)
        soon = 0 < at - self._at < TWICE
        same = (name, about) == self._what and about is None
        if near and soon and not same:
            return True
        if at != self._at:
            self._what, self._at, self._place = (name, about), at, place
        return False
