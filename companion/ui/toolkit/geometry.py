"""Which parts are in a window, and where."""

from __future__ import annotations

from collections.abc import Iterator

from kivy.core.window import Window
from kivy.uix.widget import Widget

from companion.ui.toolkit.kit import Scroll

SLACK = 1.5
"""Pixels by which rounding may be off."""

Rect = tuple[float, float, float, float]


def walk(widget: Widget) -> Iterator[Widget]:
    """A widget and everything in it, in the order it was added."""
    coming = [widget]
    while coming:
        widget = coming.pop()
        yield widget
        coming += widget.children  # the last that was added comes first there


def rect(part: Widget) -> Rect:
    """Where a part is in the window; one that is turned round has its corners the other way."""
    one, other = part.to_window(part.x, part.y), part.to_window(part.right, part.top)
    return (min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1]))


def visible(part: Widget) -> Rect | None:
    """What can be seen of a part: nothing of what is scrolled away."""
    return clipped(part, rect(part))


def clipped(part: Widget, at: Rect) -> Rect | None:
    """What can be seen of something at this place of the window that a part draws."""
    left, low, right, high = at
    above = part.parent
    while above is not None and above is not Window:
        if isinstance(above, Scroll):
            a, b, c, d = rect(above)
            left, low, right, high = max(left, a), max(low, b), min(right, c), min(high, d)
        above = above.parent
    return (left, low, right, high) if right - left > SLACK and high - low > SLACK else None
