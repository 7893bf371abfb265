"""Touches on a screen, and keys of a keyboard, that move the buttons of a simulated panel."""

from __future__ import annotations

from companion.table.seat_panel import SeatPanel
from devices.panel import Who
from devices.simulator import KEYS, Simulator

KNOB_KEYS = {275: 1, 276: -1}
"""The right and left arrow keys."""


class SimulatedInput:
    """Moves contacts that bounce like real ones, and makes the panel read them at once."""

    def __init__(self, simulator: Simulator, panel: SeatPanel) -> None:
        self._simulator, self._panel = simulator, panel
        self._down: set[Who] = set()

    def move(self, who: Who, down: bool) -> None:
        """Press or release a button."""
        (self._simulator.down if down else self._simulator.up)(who, self._panel.clock())
        self._panel.wake()

    def turn(self, by: int) -> None:
        """Turn the knob."""
        self._simulator.turn(by, self._panel.clock())
        self._panel.wake()

    def key(self, code: int, down: bool) -> bool:
        """A key of the keyboard went down or up; returns false if it belongs to no button."""
        if code in KNOB_KEYS:
            if down:
                self.turn(KNOB_KEYS[code])
            return True
        who = KEYS.get(chr(code)) if 0 < code < 128 else None
        if who is None or not self._simulator.has(who):
            return False
        if (who in self._down) != down:  # a held key repeats
            self._down ^= {who}
            self.move(who, down)
        return True
