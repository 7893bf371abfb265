"""From the raw edges of a button or knob to what somebody meant. Pure: every time is passed in, in seconds.

A level counts once it has been stable for `STABLE`; it then counts from its first moment. So a press is as long as the
finger pressed, however long we took to believe it, and nothing depends on when `wait` is called, save how soon one
hears of it.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

STABLE = 0.010
"""Seconds a level must last to count. Contacts bounce for 1 to 5 ms; no finger is quicker than 30 ms."""
LONG = 0.8
"""Seconds from which a press is a long one."""
DOUBLE = 0.35
"""Seconds after a release within which the next press makes it a double press."""
STUCK = 20.0
"""Seconds after which nobody is believed to hold it any more."""
NEVER = float("-inf")


class Pressed(Struct, frozen=True, tag=True):
    """A short press, told at its release and at once: whoever waits for a second press is slow."""

    at: float


class Doubled(Struct, frozen=True, tag=True):
    """The second of two short presses. The first was told as `Pressed`: take back what it did."""

    at: float


class Held(Struct, frozen=True, tag=True):
    """A press that has become long, told while the finger is still down; its release says nothing more."""

    at: float


class Stuck(Struct, frozen=True, tag=True):
    """Down for so long that it must be jammed or shorted. Told once; nothing more until it is up again."""

    at: float


class Turned(Struct, frozen=True, tag=True):
    """A knob went one click, to the right (1) or to the left (-1)."""

    at: float
    by: int


Gesture: TypeAlias = Pressed | Doubled | Held | Stuck | Turned
Gestures: TypeAlias = tuple[Gesture, ...]


class Button(Struct, frozen=True):
    """All that is known about one button; `True` is down."""

    raw: bool = False  # the level of the last edge
    since: float = NEVER  # when that edge was
    down: bool = False  # the last level that counted
    began: float = NEVER  # when it began
    released: float = NEVER  # when the last short press ended that may be the first of two
    told: int = (
        0  # of the press under way: 0 nothing, 1 that it is held (or not worth telling), 2 that it is stuck
    )

    @staticmethod
    def begin(level: bool, at: float) -> Button:
        """A button found at this level. One that is down already is no press, but may turn out to be stuck."""
        return Button(raw=level, since=at, down=level, began=at, told=1 if level else 0)

    @property
    def stuck(self) -> bool:
        """Is it down for so long that it gives nothing?"""
        return self.told == 2

    @property
    def due(self) -> float | None:
        """When `wait` should be called, unless an edge comes first; None: only an edge will change anything."""
        if self.raw != self.down:
            return self.since + STABLE
        if self.down and self.told < 2:
            return self.began + (LONG if self.told == 0 else STUCK)
        return None

    def edge(self, level: bool, at: float) -> tuple[Button, Gestures]:
        """The pin went to this level. The same level again is a change too quick for two edges to be seen."""
        at = max(at, self.since)  # edges come in order, whatever a clock says
        before, gestures = self.wait(at) if level != self.raw else self.edge(not level, at)
        after, more = replace(before, raw=level, since=at).wait(at)
        return after, gestures + more

    def wait(self, at: float) -> tuple[Button, Gestures]:
        """It is this late now, and nothing has happened at the pin since the last edge."""
        button: Button = self
        gestures: list[Gesture] = []
        while (due := button.due) is not None and due <= at:
            button, told = button._next()
            gestures += told
        return button, tuple(gestures)

    def _next(self) -> tuple[Button, Gestures]:
        """What was due has come."""
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
"""Before (a, b) and after (a, b) of the four quarters of a click, to the right and to the left."""


class KnobGestures(Struct, frozen=True):
    """A rotary encoder. Each click is four quarters; a contact that bounces goes a quarter to and fro."""

    a: bool = False
    b: bool = False
    quarters: int = 0

    def edge(self, which: str, level: bool, at: float) -> tuple[KnobGestures, Gestures]:
        """Contact `a` or `b` closed or opened."""
        a, b = (level, self.b) if which == "a" else (self.a, level)
        quarters = self.quarters + QUARTERS.get(self.a << 3 | self.b << 2 | a << 1 | b, 0)
        if a or b:
            return KnobGestures(a, b, quarters), ()
        # Both contacts are open: the knob rests. An edge that was missed leaves two or three quarters of a click.
        by = (quarters >= 2) - (quarters <= -2)
        return KnobGestures(a, b), (Turned(at, by),) if by else ()
