"""An app's interface to buttons, lamps, counters and buzzer. Implemented by `pins.PinPanel` and
`simulator.Simulator`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol, TypeAlias

from devices.gestures import Gesture
from devices.lights import Pattern
from devices.tunes import Sound
from devices.wiring_config import Wiring
from devices.words import Problem

Who: TypeAlias = int | Literal["undo", "next", "shutdown"]
"""A seat, counted from 0, or a button of the table. A knob is `next` that can also turn."""


class Panel(Protocol):
    """No method blocks or raises: what does not work is skipped and reported by `health`.

    Call `gestures` at the time `due`, and when something wakes you (see `PinPanel`); it also updates light
    and sound. Every `at` is the current time, by one clock.
    """

    table: Wiring
    """What is wired."""
    volume: float
    """How loud the buzzer is, 0 to 1."""
    brightness: int
    """How bright the counters are, 0 to `counters.BRIGHTEST`."""

    @property
    def seats(self) -> int:
        """How many seats are wired."""

    @property
    def due(self) -> float | None:
        """When to call `gestures` at the latest; None: nothing to do until somebody presses something."""

    def gestures(self, at: float) -> tuple[tuple[Who, Gesture], ...]:
        """What people did since the last call, in order."""

    def show(self, lamps: Mapping[int, Pattern], at: float) -> None:
        """Show these patterns from now on; seats that are not wired are ignored."""

    def count(self, seat: int, text: str, at: float) -> None:
        """Show this on the seat's counter, if it has one; see `counters.number`."""

    def buzz(self, sound: Sound, at: float) -> None:
        """Play this sound, replacing one that is still playing."""

    def health(self) -> tuple[Problem, ...]:
        """Everything that does not work now."""

    def close(self) -> None:
        """Switch everything off and release it."""
