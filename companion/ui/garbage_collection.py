"""Runs the garbage collector between two frames, and returns unused memory to the system.

Python would collect in the middle of building the next screen, through all objects
(`start.disable_automatic_gc`). Pages leave hardly any garbage (`toolkit/part.py`), so small collections are
enough.
"""

from __future__ import annotations

import gc

from kivy.base import EventLoop
from kivy.clock import Clock

from companion.table.memory_release import give_back

MANY = 10_000
"""The number of new objects that triggers a collection; it takes some milliseconds."""

OFTEN = 3
"""After this many collections, the next generation is collected too."""

QUIET = 3.0
"""After this many idle seconds a full collection disturbs nobody."""

LONGEST = 120.0
"""A full collection happens after this many seconds even without idle time: later it would take longer."""

MOST = 6
"""After this many collections of the next generation there is a full one, for the same reason."""

GIVE_BACK = 20.0
"""Seconds after which unused memory is returned to the system."""


class GarbageCollection:
    """Decides when to collect, and how much."""

    def __init__(self) -> None:
        self._busy = self._searched = self._gave = 0.0

    def busy(self) -> None:
        """Note activity: a screen is being built."""
        self._busy = Clock.get_time()

    def between_frames(self) -> None:
        """Collect garbage, never so much at once that people would notice."""
        if EventLoop.touches:
            self.busy()
        if gc.isenabled():
            return
        now = Clock.get_time()
        new, searches, further = gc.get_count()
        waited = now - self._busy > QUIET or now - self._searched > LONGEST or further >= MOST
        built = self._busy == now  # a screen was built for this frame; both together would be noticeable
        if waited and not built and self._searched <= self._busy:
            self._searched = now
            gc.collect()
        elif new > MANY:
            gc.collect(1 if searches >= OFTEN else 0)
        elif now - self._gave > GIVE_BACK and self._busy > self._gave:
            self._gave = now
            give_back()
