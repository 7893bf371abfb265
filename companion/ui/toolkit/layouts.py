"""What stood where a moment ago: an option that has just come under a finger was not what the finger meant."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.uix.widget import Widget

from companion.ui.toolkit.geometry import Rect, visible, walk
from companion.ui.toolkit.kit import Tap
from companion.ui.toolkit.overlays import Overlay
from companion.ui.toolkit.part import Part
from companion.ui.toolkit.place_map import PlaceMap

REACTION = 0.25
"""Seconds for which something must have been shown before a touch can mean it: nobody sees and touches faster."""

Target = tuple[object, ...]
"""What a touch would do: the screen, the name of what is touched, and which question it is about."""

Layout = tuple[tuple[Rect, Target], ...]
"""Where everything is that can be touched, the topmost first; simulated buttons stand still, as real ones do."""


class Layouts:
    """Remembers what could be touched where, as long as people may still mean that.

    `reaction` is how long that is, in seconds of the clock `now`, which is also that of touches.
    """

    def __init__(self) -> None:
        self.now: Callable[[], float] = time.time
        self.reaction = REACTION
        self._past: list[tuple[float, Layout]] = []
        self._built, self._screen = -1, ""
        Window.bind(on_flip=lambda _: self._drawn())

    def forget(self) -> None:
        """Another window shows nothing of before."""
        self._past.clear()

    def changes(self, stage: Widget, screen: str) -> None:
        """Something is about to be built anew: keep what is shown, if it was ever drawn."""
        self._past = [past for past in self._past if past[0] > self.now() - self.reaction]
        if self._built != Clock.frames and stage.children:
            self._past.append((math.inf, tuple(_targets(stage.children, self._screen))))
        self._built, self._screen = Clock.frames, screen

    @property
    def recent(self) -> bool:
        """Whether people may still mean what was shown before."""
        return any(until > self.now() - self.reaction for until, _ in self._past)

    def _drawn(self) -> None:
        """From now on people see what was built."""
        if self._past and self._past[-1][0] == math.inf:
            self._past = [(min(until, self.now()), layout) for until, layout in self._past]

    def unseen(self, stage: Widget, at: float, point: tuple[float, float]) -> Target | None:
        """What is under this point now, if people cannot have seen it there yet."""
        recent = [layout for until, layout in self._past if until > at - self.reaction]
        if not recent:
            return None
        here = _under(_targets(stage.children, self._screen), point)
        return here if any(_under(layout, point) != here for layout in recent) else None


class AppStage(Part):
    """All that is shown; a touch of something that nobody can have seen there yet only says so."""

    def on_touch_down(self, touch: Any) -> bool:
        app = App.get_running_app()
        app.finger_place.forget()
        if not touch.is_mouse_scrolling:
            target = app.layouts.unseen(self, app.touches.when(touch), touch.pos)
            if target is not None:
                app.touched_too_soon(touch, target)
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
    if isinstance(part, PlaceMap):  # as a whole: places lie close together
        spots = {id: part.on_screen(*part.spots[id]) for id in part.offered}
        return "map", part.about, {id: (round(x), round(y)) for id, (x, y) in spots.items()}
    return None


def _under(layout: Iterable[tuple[Rect, Target]], point: tuple[float, float]) -> Target | None:
    x, y = point
    return next((what for (a, b, c, d), what in layout if a <= x <= c and b <= y <= d), None)
