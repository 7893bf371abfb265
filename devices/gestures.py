"""From the raw edges of a button or knob to what the user meant. Pure: every time is passed in, in seconds.

A level counts once it has been stable for `STABLE`, and then counts from its beginning. So the length of a
press does not depend on debouncing, and calling `wait` late only delays gestures, but does not change them.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

STABLE = 0.010
"""Seconds a level must last to count. Contacts bounce for 1 to 5 ms; no finger is faster than 30 ms."""
LONG = 0.8
"""Seconds from which a press is long."""
DOUBLE = 0.35
"""Seconds after a release within which the next press makes it a double press."""
STUCK = 20.0
"""Seconds after which a pressed button counts as stuck, not held."""
NEVER = float("-inf")


class Pressed(Struct, frozen=True, tag=True):
    """A short press, reported immediately at its release: waiting for a possible second press would be slow."""

    at: float


class Doubled(Struct, frozen=True, tag=True):
    """The second of two short presses. The first was reported as `Pressed`: undo what it did."""

    at: float


class Held(Struct, frozen=True, tag=True):
    """A press that became long, reported while the button is still down; its release is not reported."""

    at: float


class Stuck(Struct, frozen=True, tag=True):
    """Down for so long that it must be jammed or shorted. Reported once; nothing more until it is up again."""

    at: float


class Turned(Struct, frozen=True, tag=True):
    """A knob turned by one click, to the right (1) or to the left (-1)."""

    at: float
    by: int


Gesture: TypeAlias = Pressed | Doubled | Held | Stuck | Turned
Gestures: TypeAlias = tuple[Gesture, ...]


class Button(Struct, frozen=True):
    """The state of one button; `True` is down."""

    raw: bool = False  # the level of the last edge
    since: float = NEVER  # time of that edge
    down: bool = False  # the last stable level
    began: float = NEVER  # when that level began
    released: float = NEVER  # end of the last short press, if it may be the first of two
    told: int = 0  # reported of the current press: 0 nothing, 1 held (or not to be reported), 2 stuck

    @staticmethod
    def begin(level: bool, at: float) -> Button:
        """A button found at this level. Being down already is not a press, but it may turn out to be stuck."""
        return Button(raw=level, since=at, down=level, began=at, told=1 if level else 0)

    @property
    def stuck(self) -> bool:
        """Whether it has been down for so long that it counts as stuck."""
        return self.told == 2

    @property
    def due(self) -> float | None:
        """When to call `wait`, unless an edge comes first; None: only an edge will change anything."""
        if self.raw != self.down:
            return self.since + STABLE
        if self.down and self.told < 2:
            return self.began + (LONG if self.told == 0 else STUCK)
        return None

    def edge(self, level: bool, at: float) -> tuple[Button, Gestures]:
        """The pin went to this level. The same level twice means that an edge in between was not seen."""
        at = max(at, self.since)  # edges arrive in order, whatever their time stamps
        before, gestures = self.wait(at) if level != self.raw else self.edge(not level, at)
        after, more = replace(before, raw=level, since=at).wait(at)
        return after, gestures + more

    def wait(self, at: float) -> tuple[Button, Gestures]:
        """Time has advanced to `at`, with no edge since the last one."""
        button: Button = self
        gestures: list[Gesture] = []
        while (due := button.due) is not None and due <= at:
            button, told = button._next()
            gestures += told
        return button, tuple(gestures)

    def _next(self) -> tuple[Button, Gestures]:
        """The state after what was due, and its gestures."""
        if self.raw != self.down:
            return self._pressed() if self.raw else self._released()
        if self.told == 0:
            return replace(self, told=1, released=NEVER), (Held(self.began + LONG),)
        return replace(self, told=2), (Stuck(self.began + STUCK),)

    def _pressed(self) -> tuple[Button, Gestures]:
        return replace(self, down=True, began=self.since, told=0), ()

    def _released(self) -> tuple[Button, Gestures]:
        up = replace(self, down=False, told=0)
        if self.told:
            return replace(up, released=NEVER), ()
        if self.began <= self.released + DOUBLE:
            return replace(up, released=NEVER), (Doubled(self.since),)
        return replace(up, released=self.since), (Pressed(self.since),)


QUARTERS = {0b0010: 1, 0b1011: 1, 0b1101: 1, 0b0100: 1, 0b0001: -1, 0b0111: -1, 0b1110: -1, 0b1000: -1}
"""Transitions from (a, b) to (a, b): the four quarters of a click, to the right and to the left."""


class KnobGestures(Struct, frozen=True):
    """A rotary encoder. Each click is four quarters; a bouncing contact moves a quarter back and forth."""

    a: bool = False
    b: bool = False
    quarters: int = 0

    def edge(self, which: str, level: bool, at: float) -> tuple[KnobGestures, Gestures]:
        """Contact `a` or `b` closed or opened."""
        a, b = (level, self.b) if which == "a" else (self.a, level)
        quarters = self.quarters + QUARTERS.get(self.a << 3 | self.b << 2 | a << 1 | b, 0)
        if a or b:
            return KnobGestures(a, b, quarters), ()
        # Both contacts are open: the knob rests. If an edge was missed, only two or three quarters were
        # counted.
        by = (quarters >= 2) - (quarters <= -2)
        return KnobGestures(a, b), (Turned(at, by),) if by else ()
