"""What screens left behind is taken away between two frames, a screen at a time, and unused memory is given back.

Python would look for garbage in the middle of building the next screen (`start.tidy_up_ourselves`).
"""

from __future__ import annotations

import gc

from kivy.clock import Clock

from companion.table.spare_memory import give_back

UNTIDY = 60.0
"""After so many seconds there may be something to take away though no screen was built."""

GIVE_BACK = 20.0
"""Seconds after which memory that nobody uses any more is given back."""


class Tidying:
    """Knows whether there is anything to take away."""

    def __init__(self) -> None:
        self._left = False
        self._looked, self._gave = 0.0, 0.0

    def left(self) -> None:
        """A page was taken off."""
        self._left = True

    def between_frames(self) -> None:
        """Take away what was left: a screen takes about as long as building one."""
        now = Clock.get_time()
        if gc.isenabled() or not (self._left or now - self._looked > UNTIDY):
            return
        self._left, self._looked = False, now
        gc.collect()
        if now - self._gave > GIVE_BACK:
            self._gave = now
            give_back()
