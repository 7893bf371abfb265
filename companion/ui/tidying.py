"""What is left to be searched for is taken away between two frames, and unused memory is given back.

Python would search in the middle of building the next screen, and through everything there is
(`start.tidy_up_ourselves`). Pages leave hardly anything (`toolkit/part.py`), so a little now and then is enough.
"""

from __future__ import annotations

import gc

from kivy.base import EventLoop
from kivy.clock import Clock

from companion.table.spare_memory import give_back

MANY = 10_000
"""So many new values are looked through at once; that takes some milliseconds."""

OFTEN = 3
"""After so many times those that were left over are looked through, too."""

QUIET = 3.0
"""When nothing has happened for so many seconds, nobody waits while everything is looked through."""

LONGEST = 120.0
"""After so many seconds everything is looked through though it is never quiet: later, more would have to go at once."""

MOST = 6
"""After so many searches among those left over everything is looked through, too, for the same reason."""

GIVE_BACK = 20.0
"""Seconds after which memory that nobody uses any more is given back."""


class Tidying:
    """Knows whether there is anything to take away."""

    def __init__(self) -> None:
        self._busy = self._searched = self._gave = 0.0

    def busy(self) -> None:
        """Something happens: a screen is built."""
        self._busy = Clock.get_time()

    def between_frames(self) -> None:
        """Take away what was left, never so much at once that somebody would notice."""
        if EventLoop.touches:
            self.busy()
        if gc.isenabled():
            return
        now = Clock.get_time()
        new, searches, further = gc.get_count()
        waited = now - self._busy > QUIET or now - self._searched > LONGEST or further >= MOST
        built = self._busy == now  # a screen was, for this very frame: both together somebody would notice
        if waited and not built and self._searched <= self._busy:
            self._searched = now
            gc.collect()
        elif new > MANY:
            gc.collect(1 if searches >= OFTEN else 0)
        elif now - self._gave > GIVE_BACK and self._busy > self._gave:
            self._gave = now
            give_back()
