"""Keeps things under the finger: what was touched keeps its height on the screen when the page is rebuilt.

When lines appear or disappear above it, the list is scrolled so that the next touch hits the same thing.
"""

from __future__ import annotations

from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.kit import Part, Scroll, Tap


class FingerPlace:
    """What was touched last on the shown page, and the height of its upper edge."""

    def __init__(self) -> None:
        self._key: str | None = None
        self._name, self._high = "", 0.0

    def forget(self) -> None:
        """Forget it: another finger, or another page."""
        self._key = None

    def touched(self, tap: Part) -> None:
        """Remember where this is; only what is in a scroll view can be moved back there."""
        above = tap.parent
        while above is not None and isinstance(above, Part) and not isinstance(above, Scroll):
            above = above.parent
        self._key = above.key if isinstance(above, Scroll) else None
        self._name, self._high = getattr(tap, "name", ""), tap.to_window(tap.x, tap.top)[1]

    def keep(self, scroll: Scroll) -> None:
        """Scroll what was touched back to its height, as far as possible."""
        spare = scroll.part.height - scroll.height
        if self._key is None or scroll.key != self._key or scroll.first is not None or spare <= 0:
            return
        same = [part for part in walk(scroll.part) if isinstance(part, Tap) and part.name == self._name]
        if len(same) == 1:
            low = scroll.to_window(scroll.x, scroll.y)[1] + same[0].top - self._high
            scroll.scroll_y = min(1.0, max(0.0, low / spare))
