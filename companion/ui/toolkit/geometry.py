"""Which parts are in a window, and where."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import NamedTuple

from kivy.core.window import Window
from kivy.uix.widget import Widget

from companion.ui.toolkit.kit import Plate, Scroll

SLACK = 1.5
"""Tolerated rounding error in pixels."""

Rect = tuple[float, float, float, float]


def walk(widget: Widget) -> Iterator[Widget]:
    """A widget and everything in it, in the order it was added."""
    coming = [widget]
    while coming:
        widget = coming.pop()
        yield widget
        coming += widget.children  # Kivy lists the last added child first


def rect(part: Widget) -> Rect:
    """The rectangle of a part in window coordinates; also right for rotated parts."""
    one, other = part.to_window(part.x, part.y), part.to_window(part.right, part.top)
    return (min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1]))


def visible(part: Widget) -> Rect | None:
    """The visible rectangle of a part; none if it is scrolled out of sight."""
    seen, above = rect(part), part.parent
    while above is not None and above is not Window:
        if isinstance(above, Scroll):
            seen = common(seen, rect(above))
        above = above.parent
    return _if_any(seen)


def common(one: Rect, other: Rect) -> Rect:
    """The intersection of two rectangles."""
    return (max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3]))


def _if_any(seen: Rect) -> Rect | None:
    return seen if seen[2] - seen[0] > SLACK and seen[3] - seen[1] > SLACK else None


class Placed(NamedTuple):
    """A part with its position in the window, computed for all parts of a layer at once."""

    part: Widget
    at: Rect
    sight: Rect
    """The area where it can be visible: inside everything that scrolls it."""
    ground: Widget | None
    """What it must stay within: its plate, or what scrolls it; none if that is the window."""
    room: Rect
    """The rectangle of `ground`."""
    moved: tuple[Widget, ...]
    """What scrolls or rotates it, innermost first."""

    @property
    def seen(self) -> Rect | None:
        """Its visible rectangle."""
        return self.clipped(self.at)

    def clipped(self, at: Rect) -> Rect | None:
        """The visible part of a rectangle it draws, in window coordinates."""
        return _if_any(common(at, self.sight))

    def in_window(self, x: float, y: float, right: float, top: float) -> Rect:
        """Convert a rectangle it draws to window coordinates."""
        return _moved(self.moved, x, y, right, top)


def placed(layer: Widget) -> list[Placed]:
    """A layer and everything in it, in the order of `walk`."""
    window: Rect = (0, 0, *Window.size)
    coming = [Placed(layer, rect(layer), (-inf, -inf, inf, inf), None, window, ())]
    found = []
    while coming:
        found.append(one := coming.pop())
        part, at, sight, ground, room, moved = one
        if type(part).to_parent is not Widget.to_parent:
            moved = (part, *moved)
        if isinstance(part, Scroll):
            sight, ground = common(sight, at), part
            inner = part.part
            room = _moved(moved, inner.x, inner.y, inner.right, inner.top)
        elif isinstance(part, Plate):
            ground, room = part, at
        coming += [
            Placed(inner, _moved(moved, inner.x, inner.y, inner.right, inner.top), sight, ground, room, moved)
            for inner in part.children
        ]
    return found


def _moved(moved: tuple[Widget, ...], x: float, y: float, right: float, top: float) -> Rect:
    for above in moved:
        (x, y), (right, top) = above.to_parent(x, y), above.to_parent(right, top)
    return (min(x, right), min(y, top), max(x, right), max(y, top))
