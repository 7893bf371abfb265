"""Remembers recent layouts: an option that just appeared under a finger was not what the finger meant."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.uix.widget import Widget

from companion.ui.toolkit.context import TOUCH_CONTEXT, TouchContext
from companion.ui.toolkit.geometry import Rect, visible, walk
from companion.ui.toolkit.kit import Tap
from companion.ui.toolkit.overlays import Overlay
from companion.ui.toolkit.part import Part
from companion.ui.toolkit.place_map import PlaceMap

REACTION = 0.25
"""Seconds something must have been shown before a touch can mean it; people do not react faster."""

Target = tuple[object, ...]
"""What a touch would do: the screen, the name of the target, and the question it is about."""

Layout = tuple[tuple[Rect, Target], ...]
"""All touch targets with their positions, topmost first. Simulated buttons are left out: they never move."""


class Layouts:
    """Remembers which touch targets were where, as long as people may still mean them.

    `reaction` is that time in seconds of the clock `now`, which touches use too.
    """

    def __init__(self) -> None:
        self.now: Callable[[], float] = time.time
        self.reaction = REACTION
        self._past: list[tuple[float, Layout]] = []
        self._built, self._screen = -1, ""
        Window.bind(on_flip=lambda _: self._drawn())

    def forget(self) -> None:
        """Forget everything: a new window was opened."""
        self._past.clear()

    def changes(self, stage: Widget, screen: str) -> None:
        """Call this before a rebuild: stores the shown layout, if it was ever drawn."""
        self._past = [past for past in self._past if past[0] > self.now() - self.reaction]
        if self._built != Clock.frames and stage.children:
            self._past.append((math.inf, tuple(_targets(stage.children, self._screen))))
        self._built, self._screen = Clock.frames, screen

    @property
    def recent(self) -> bool:
        """Whether people may still mean what was shown before."""
        return any(until > self.now() - self.reaction for until, _ in self._past)

    def _drawn(self) -> None:
        """The new layout is on the screen now."""
        if self._past and self._past[-1][0] == math.inf:
            self._past = [(min(until, self.now()), layout) for until, layout in self._past]

    def unseen(self, stage: Widget, at: float, point: tuple[float, float]) -> Target | None:
        """The target under this point now, if people cannot have seen it there yet."""
        recent = [layout for until, layout in self._past if until > at - self.reaction]
        if not recent:
            return None
        here = _under(_targets(stage.children, self._screen), point)
        return here if any(_under(layout, point) != here for layout in recent) else None


class TouchedWindow(TouchContext, Protocol):
    """What the stage needs from its window."""

    @property
    def layouts(self) -> Layouts:
        """The recent layouts."""

    def touched_too_soon(self, touch: Any, target: Target) -> None:
        """Called when a touch hit a target that had just appeared there."""


class AppStage(Part):
    """Everything shown; touching a target that has only just appeared gives a hint and does nothing else."""

    def __init__(self, window: TouchedWindow) -> None:
        super().__init__()
        self._window = window

    def on_touch_down(self, touch: Any) -> bool:
        window = self._window
        touch.ud[TOUCH_CONTEXT] = window
        window.finger_place.forget()
        if not touch.is_mouse_scrolling:
            target = window.layouts.unseen(self, window.touches.when(touch), touch.pos)
            if target is not None:
                window.touched_too_soon(touch, target)
                return True
        return bool(super().on_touch_down(touch))


def _targets(layers: Iterable[Widget], screen: str) -> Iterable[tuple[Rect, Target]]:
    for layer in layers:
        for part in walk(layer):
            what = _target(part)
            if what is not None and (seen := visible(part)) is not None:
                yield seen, (screen, *what)
        if isinstance(layer, Overlay):
            yield (layer.x, layer.y, layer.right, layer.top), (screen, "sheet", None)


def _target(part: Widget) -> Target | None:
    if isinstance(part, Tap):
        return part.name, part.about
    if isinstance(part, PlaceMap):  # as one target: places lie close together
        spots = {id: part.on_screen(*part.spots[id]) for id in part.offered}
        return "map", part.about, {id: (round(x), round(y)) for id, (x, y) in spots.items()}
    return None


def _under(layout: Iterable[tuple[Rect, Target]], point: tuple[float, float]) -> Target | None:
    x, y = point
    return next((what for (a, b, c, d), what in layout if a <= x <= c and b <= y <= d), None)
