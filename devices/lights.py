"""Lamps: patterns are values, and brightness is a function of time. Pure; nothing here has a timer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

Light: TypeAlias = tuple[float, float, float]
"""Red, green and blue, each 0 to 1. A lamp of one colour is as bright as the brightest of the three."""

WHITE: Light = (1.0, 1.0, 1.0)
DARK: Light = (0.0, 0.0, 0.0)
RED: Light = (1.0, 0.0, 0.0)

BREATH = 2.4
"""Seconds of one slow pulse."""
STEP = 0.05
"""Seconds between two brightness steps of a pulse: enough to look smooth, few enough to be cheap."""
DIMMEST = 0.3
"""The lowest brightness of a lamp that breathes."""
BLINK = 0.16
"""Seconds of one quick flash, half of it dark."""
TWINKLE = 0.2
"""Seconds between two steps of the winner's show."""
SHOW = (1.0, 0.15, 0.6, 0.0, 1.0, 0.4, 1.0, 0.0, 0.25, 0.8)
"""Brightness of the winner's lamp, step by step, repeated."""
LONGEST = 12.0
"""Seconds after which the show ends and the lamp stays on."""


class Off(Struct, frozen=True, tag=True):
    """Dark: nothing is expected from you."""


class On(Struct, frozen=True, tag=True):
    """Lit: the game waits for you."""

    colour: Light = WHITE


class Pulse(Struct, frozen=True, tag=True):
    """Slowly brighter and darker: you may act but need not. All pulses are in phase, whenever they began."""

    colour: Light = WHITE


class Breathe(Struct, frozen=True, tag=True):
    """Lit, and slowly darker and brighter, never dark: the game has waited for you for a while."""

    colour: Light = WHITE


class Flash(Struct, frozen=True, tag=True):
    """Flashes a few times, then returns to the previous pattern: refused. A new `mark` flashes again."""

    times: int = 3
    colour: Light = WHITE
    mark: int = 0


class Show(Struct, frozen=True, tag=True):
    """Twinkling: you have won."""

    colour: Light = WHITE


Pattern: TypeAlias = Off | On | Pulse | Breathe | Flash | Show


def level(pattern: Pattern, since: float, at: float) -> float:
    """The brightness, 0 to 1, at this time of a pattern that began at `since`."""
    match pattern:
        case Off():
            return 0.0
        case On():
            return 1.0
        case Pulse():
            return round(_breath(at), 3)
        case Breathe():
            return round(1 - (1 - DIMMEST) * _breath(at), 3)
        case Flash():
            return 0.0 if over(pattern, since, at) or _steps(since, at, BLINK / 2) % 2 else 1.0
        case Show():
            return 1.0 if over(pattern, since, at) else SHOW[_steps(since, at, TWINKLE) % len(SHOW)]


def _breath(at: float) -> float:
    """A slow wave between 0 and 1, the same for all lamps."""
    phase = math.floor(at / STEP + 1e-6) * STEP / BREATH
    return (1 - math.cos(2 * math.pi * phase)) / 2


def light(pattern: Pattern, since: float, at: float) -> Light:
    """The colour at this time, scaled by the brightness."""
    bright = level(pattern, since, at)
    red, green, blue = DARK if isinstance(pattern, Off) else pattern.colour
    return (red * bright, green * bright, blue * bright)


def over(pattern: Pattern, since: float, at: float) -> bool:
    """Whether this pattern has an end and it is past."""
    length = {Flash: BLINK * getattr(pattern, "times", 0), Show: LONGEST}.get(type(pattern))
    return length is not None and at >= since + length - 1e-6


def next_change(pattern: Pattern, since: float, at: float) -> float | None:
    """When its brightness changes next, or when it ends; None: never."""
    if isinstance(pattern, Off | On) or over(pattern, since, at):
        return None
    if isinstance(pattern, Pulse | Breathe):
        return (math.floor(at / STEP + 1e-6) + 1) * STEP
    step = BLINK / 2 if isinstance(pattern, Flash) else TWINKLE
    return since + (_steps(since, at, step) + 1) * step


def _steps(since: float, at: float, step: float) -> int:
    return max(0, math.floor((at - since) / step + 1e-6))


class LampState(Struct, frozen=True):
    """One lamp: its lasting pattern, possibly a flash on top of it, and the light last sent."""

    pattern: Pattern = Off()
    since: float = 0.0
    flash: Flash | None = None  # the last one requested, even if it is over
    flashed: float = float("-inf")
    wanted: Pattern | None = None
    sent: Light | None = None

    def want(self, pattern: Pattern, at: float) -> LampState:
        """Show this pattern from now on; a flash goes on top of the lasting pattern."""
        if pattern == self.wanted:
            return self
        if isinstance(pattern, Flash):
            return replace(self, wanted=pattern, flash=pattern, flashed=at)
        if pattern == self.pattern:
            return replace(self, wanted=pattern)
        return replace(self, wanted=pattern, pattern=pattern, since=at)

    def now(self, at: float) -> tuple[Pattern, float]:
        """The visible pattern, and since when."""
        if self.flash is not None and not over(self.flash, self.flashed, at):
            return self.flash, self.flashed
        return self.pattern, self.since

    def light(self, at: float) -> Light:
        """The light to show now, rounded to the 256 steps of a lamp."""
        red, green, blue = (round(min(max(part, 0.0), 1.0) * 255) / 255 for part in light(*self.now(at), at))
        return (red, green, blue)


class Lamps(Struct, frozen=True):
    """All lamps by seat. `show` sets the wanted patterns, `changes` returns what must be sent."""

    lamps: Mapping[int, LampState] = {}

    def show(self, wanted: Mapping[int, Pattern], at: float) -> Lamps:
        """Show these patterns from now on; other lamps keep theirs. Repeating patterns changes nothing."""
        fresh = {
            seat: self.lamps.get(seat, LampState()).want(pattern, at) for seat, pattern in wanted.items()
        }
        return Lamps({**self.lamps, **fresh})

    def changes(self, at: float) -> tuple[Lamps, tuple[tuple[int, Light], ...]]:
        """The lamps whose light differs from the one last sent, with the new light."""
        lights = {seat: lamp.light(at) for seat, lamp in self.lamps.items()}
        changed = tuple(
            (seat, lights[seat]) for seat, lamp in self.lamps.items() if lights[seat] != lamp.sent
        )
        if not changed:
            return self, ()
        sent = {seat: replace(self.lamps[seat], sent=lit) for seat, lit in changed}
        return Lamps({**self.lamps, **sent}), changed

    def forget(self, seat: int) -> Lamps:
        """Forget what was last sent to this lamp, because it was disconnected."""
        if seat not in self.lamps:
            return self
        return Lamps({**self.lamps, seat: replace(self.lamps[seat], sent=None)})

    def due(self, at: float) -> float | None:
        """When to call `changes` again, unless other patterns are shown first."""
        times = [next_change(*lamp.now(at), at) for lamp in self.lamps.values()]
        return min((time for time in times if time is not None), default=None)
