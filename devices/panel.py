"""What an app knows of buttons, lamps, counters and buzzer. `pins.PinPanel` is one, `simulator.Simulator` another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol, TypeAlias

from devices.gestures import Gesture
from devices.lights import Pattern
from devices.table import Wiring
from devices.tunes import Sound
from devices.words import Problem

Who: TypeAlias = int | Literal["undo", "next", "shutdown"]
"""A seat, counted from 0, or a button of the table. A knob is `next` with turns besides."""


class Panel(Protocol):
    """Nothing here waits or raises: what does not work is left out and told by `health`.

    Call `gestures` when `due` has come, and when something wakes you (see `PinPanel`); it also moves light and sound
    on. Every `at` is the time now, by one clock.
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
        """When to call `gestures` at the latest; None: there is nothing to do until somebody presses something."""

    def gestures(self, at: float) -> tuple[tuple[Who, Gesture], ...]:
        """What people did since the last call, in order."""

    def show(self, lamps: Mapping[int, Pattern], at: float) -> None:
        """These lamps like this from now on; seats that are not wired are passed over."""

    def count(self, seat: int, text: str, at: float) -> None:
        """This on the seat's counter, if it has one; see `counters.number`."""

    def buzz(self, sound: Sound, at: float) -> None:
        """This sound, instead of one that is still playing."""

    def health(self) -> tuple[Problem, ...]:
        """All that does not work now."""

    def close(self) -> None:
        """Everything dark, silent and let go."""
