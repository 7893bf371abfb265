"""The panel at real pins.

Buttons need no thread of their own: each edge comes with the kernel's time stamp, on the pin library's only
thread, and is just put into a queue. Whatever does not open, or fails later, is skipped, reported by
`health`, and retried. Do not fork while pins are open: the library's thread does not exist in the child
(starting other programs is fine).
"""

from __future__ import annotations

import time
import warnings
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from devices import segment_displays, tunes
from devices.drivers import (
    BusDisplay,
    Contact,
    Driver,
    LedLamp,
    Lights,
    NoPins,
    RgbLamp,
    Speaker,
    TwoWireDisplay,
    usual_pins,
)
from devices.gestures import Button, Gesture, KnobGestures
from devices.lights import Lamps, Pattern
from devices.lines import KernelLines, Lines
from devices.panel import Who
from devices.tunes import Sound
from devices.wiring_config import Ht16k33, Led, Rgb, Strip, Tm1637, Wiring
from devices.words import Problem, part, words

AGAIN = 5.0
"""Seconds between two attempts to open what does not work, and between two refreshes of an HT16K33."""
ODD = 1.0
"""Seconds an edge may be older than its arrival; if it is older still, its clock is not ours."""

GLANCE, LOST = 0.002, 0.05
"""Seconds between two checks of a pin that differs from its last edge, and until that edge counts as lost."""

PartName = tuple[str, int | None]
"""A part: its kind, and its seat."""
BUTTONS: dict[str, Who] = {"undo": "undo", "next": "next", "shutdown": "shutdown", "knob-press": "next"}
"""Parts of the table that can be pressed, and the button they count as."""


class WiredPart:
    """A part that may work: how to open it, and what happened."""

    def __init__(self, name: PartName, opener: Callable[[], Driver]) -> None:
        self.name, self.opener = name, opener
        self.driver: Any = None
        self.problem: Problem | None = None
        self.again = float("-inf")

    def open(self, at: float) -> bool:
        """Try to open it, if a retry is due; true if it was opened now."""
        if self.driver is not None or at < self.again:
            return False
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the library's warnings repeat what we report
                self.driver = self.opener()
        except Exception as e:  # a driver may raise anything: the other parts continue without this one
            self.failed(e, at)
            return False
        self.problem = None
        return True

    def do(self, at: float, deed: str, *arguments: Any) -> bool:
        """Call this method of the driver if it is open; true if that worked."""
        self.ask(at, deed, *arguments)
        return self.driver is not None

    def ask(self, at: float, deed: str, *arguments: Any) -> Any:
        """The result of this method of the driver, None if it is not open; on failure it is closed and
        retried later."""
        if self.driver is None:
            return None
        try:
            return getattr(self.driver, deed)(*arguments)
        except Exception as e:
            self.close()
            self.failed(e, at)
            return None

    def failed(self, e: Exception, at: float) -> None:
        """Record the failure and when to retry."""
        self.again = at + AGAIN
        if isinstance(e, NoPins):
            self.problem = Problem(e.words)
        elif self.name[0] == "pins":
            self.problem = Problem(words("no-pins", why=_why(e)))
        else:
            self.problem = Problem(words("out-of-order", where=part(*self.name), why=_why(e)))

    def close(self) -> None:
        """Release it; an error does not raise but becomes its problem."""
        driver, self.driver = self.driver, None
        if driver is not None:
            try:
                driver.close()
            except Exception as e:
                self.problem = Problem(words("out-of-order", where=part(*self.name), why=str(e)))


def _why(e: Exception) -> str:
    if isinstance(e, OSError) and e.strerror:
        return f"{e.strerror}, {e.filename}" if e.filename else e.strerror
    return str(e) or type(e).__name__


class PinPanel:
    """The table's parts, opened as `table` says; see `panel.Panel` for its methods.

    `pins` creates the pin library's factory, `lines` opens I2C and SPI. `wake` is called from another thread
    after every edge: let it make your loop call `gestures` soon.
    """

    def __init__(
        self,
        table: Wiring,
        at: float,
        *,
        pins: Callable[[], Any] = usual_pins,
        lines: Lines | None = None,
        clock: Callable[[], float] = time.monotonic,
        wake: Callable[[], None] | None = None,
    ) -> None:
        self.table, self.clock, self.wake = table, clock, wake
        self.lines = KernelLines() if lines is None else lines
        self.volume = 1.0
        self.brightness = segment_displays.BRIGHTEST
        self._edges: deque[tuple[Who, str, bool, float]] = deque()
        self._buttons: dict[Who, Button] = {}
        self._doubts: dict[Who, tuple[float, float]] = {}  # since when, and when to check again
        self._knob = KnobGestures()
        self._lamps = Lamps()
        self._texts: dict[int, str] = {}
        self._sent: dict[int, tuple[str, int]] = {}
        self._refresh = at + AGAIN
        self._tune: tuple[Sound, float] | None = None
        self._pitch = 0
        self._pins = WiredPart(("pins", None), pins)
        self._parts = {name: WiredPart(name, opener) for name, opener in self._wired()}
        self._contacts = {
            who: one for name, one in self._parts.items() if (who := self._who(name)) is not None
        }
        self._open(at)

    @property
    def seats(self) -> int:
        return len(self.table.seats)

    # Parts to open.

    def _wired(self) -> list[tuple[PartName, Callable[[], Driver]]]:
        wired: list[tuple[PartName, Callable[[], Driver]]] = []
        whole = self.table.whole
        for n, seat in enumerate(self.table.seats):
            wired.append((("button", n), self._contact(n, seat.button)))
            if not isinstance(seat.lamp, Strip):
                wired.append((("lamp", n), self._lamp(seat.lamp)))
            if seat.counter is not None:
                wired.append((("counter", n), self._counter(seat.counter)))
        if any(isinstance(seat.lamp, Strip) for seat in self.table.seats):
            wired.append((("strip", None), lambda: Lights(self.lines, self._strip_length())))
        for kind, gpio in (("undo", whole.undo), ("next", whole.next), ("shutdown", whole.shutdown)):
            if gpio is not None:
                wired.append(((kind, None), self._contact(BUTTONS[kind], gpio)))
        if (knob := whole.knob) is not None:
            wired.append((("knob-press", None), self._contact("next", knob.press)))
            wired.append((("knob-a", None), self._contact("next", knob.a, "a")))
            wired.append((("knob-b", None), self._contact("next", knob.b, "b")))
        if (buzzer := whole.buzzer) is not None:
            wired.append((("buzzer", None), lambda: Speaker(self._pins.driver, buzzer)))
        return wired

    def _strip_length(self) -> int:
        lamps = [seat.lamp for seat in self.table.seats if isinstance(seat.lamp, Strip)]
        return max(lamp.first + lamp.count for lamp in lamps)

    def _contact(self, who: Who, gpio: int, which: str = "press") -> Callable[[], Driver]:
        def hear(level: bool, ticks: float) -> None:
            now = self.clock()
            self._edges.append((who, which, level, ticks if abs(now - ticks) < ODD else now))
            if self.wake is not None:
                self.wake()

        return lambda: Contact(self._pins.driver, gpio, hear)

    def _lamp(self, lamp: Led | Rgb) -> Callable[[], Driver]:
        if isinstance(lamp, Led):
            return lambda: LedLamp(self._pins.driver, lamp)
        return lambda: RgbLamp(self._pins.driver, lamp)

    def _counter(self, counter: Tm1637 | Ht16k33) -> Callable[[], Driver]:
        if isinstance(counter, Tm1637):
            return lambda: TwoWireDisplay(self._pins.driver, counter)
        return lambda: BusDisplay(self.lines, counter)

    @staticmethod
    def _who(name: PartName) -> Who | None:
        """The button this part counts as; None if it cannot be pressed."""
        kind, seat = name
        return seat if kind == "button" else BUTTONS.get(kind)

    def _open(self, at: float) -> None:
        """Try to open everything that is not open."""
        self._pins.open(at)
        for name, one in self._parts.items():
            if self._needs_pins(name) and self._pins.driver is None:
                continue
            if one.open(at):
                self._opened(name, one, at)

    def _needs_pins(self, name: PartName) -> bool:
        kind, seat = name
        if kind == "counter" and seat is not None:
            return isinstance(self.table.seats[seat].counter, Tm1637)
        return kind != "strip"

    def _opened(self, name: PartName, one: WiredPart, at: float) -> None:
        kind, seat = name
        if (who := self._who(name)) is not None:
            self._buttons[who] = Button.begin(one.driver.level(), at)
        elif kind in ("knob-a", "knob-b"):
            self._knob = self._knob.edge(kind[-1], one.driver.level(), at)[0]
        elif kind == "lamp" and seat is not None:
            self._lamps = self._lamps.forget(seat)
        elif kind == "strip":
            for n in range(self.seats):
                self._lamps = self._lamps.forget(n)
        elif kind == "counter" and seat is not None:
            self._sent.pop(seat, None)

    # The interface for the app.

    @property
    def due(self) -> float | None:
        if self._edges:
            return float("-inf")
        times = [button.due for who, button in self._buttons.items() if who not in self._doubts]
        times += [again for _, again in self._doubts.values()]
        times.append(self._lamps.due(self._lit))
        times += [one.again for one in (self._pins, *self._parts.values()) if self._waits(one)]
        if self._tune is not None:
            times.append(tunes.note(*self._tune, self._lit)[1])
        if any(getattr(one.driver, "refreshed", False) for one in self._parts.values()):
            times.append(self._refresh)
        return min((at for at in times if at is not None), default=None)

    _lit = 0.0
    """When light and sound were last updated."""

    def _waits(self, one: WiredPart) -> bool:
        if one.driver is not None:
            return False
        return one is self._pins or not self._needs_pins(one.name) or self._pins.driver is not None

    def gestures(self, at: float) -> tuple[tuple[Who, Gesture], ...]:
        found: list[tuple[Who, Gesture]] = []
        while self._edges:
            who, which, level, moment = self._edges.popleft()
            found += [(who, gesture) for gesture in self._edge(who, which, level, moment)]
        for who, button in self._buttons.items():
            if self._certain(who, button, at):
                self._buttons[who], told = button.wait(at)
                found += [(who, gesture) for gesture in told]
        self._open(at)
        self._move_on(at)
        return tuple(sorted(found, key=lambda one: one[1].at))

    def _certain(self, who: Who, button: Button, at: float) -> bool:
        """Before elapsed time alone makes a gesture: is the pin still at the level of its last edge?

        The thread that reports edges may be late, especially if the machine is busy: then an edge is still on
        its way that would contradict the gesture. If none comes, it was lost: what was meant is unknown, and
        the button starts afresh.
        """
        level = self._contacts[who].ask(at, "level") if button.due is not None and button.due <= at else None
        if level is None or level == button.raw:
            self._doubts.pop(who, None)
            return True
        since, _ = self._doubts.get(who, (at, at))
        self._doubts[who] = (since, at + GLANCE)
        if at >= since + LOST:
            del self._doubts[who]
            self._buttons[who] = Button.begin(level, at)
        return False

    def _edge(self, who: Who, which: str, level: bool, at: float) -> tuple[Gesture, ...]:
        told: tuple[Gesture, ...]
        if which == "press":
            self._buttons[who], told = self._buttons.get(who, Button()).edge(level, at)
        else:
            self._knob, told = self._knob.edge(which, level, at)
        return told

    def show(self, lamps: Mapping[int, Pattern], at: float) -> None:
        wired = {seat: pattern for seat, pattern in lamps.items() if 0 <= seat < self.seats}
        self._lamps = self._lamps.show(wired, at)
        self._move_on(at)

    def count(self, seat: int, text: str, at: float) -> None:
        if ("counter", seat) in self._parts:
            self._texts[seat] = segment_displays.fitted(text)
            self._move_on(at)

    def buzz(self, sound: Sound, at: float) -> None:
        self._tune = (sound, at)
        self._move_on(at)

    def health(self) -> tuple[Problem, ...]:
        problems = [one.problem for one in (self._pins, *self._parts.values()) if one.problem is not None]
        for name in self._parts:
            who = self._who(name)
            if who is not None and self._buttons.get(who, Button()).stuck:
                problems.append(Problem(words("stuck", where=part(*name))))
        return tuple(problems)

    def close(self) -> None:
        at = self._lit
        for name, one in self._parts.items():
            if name[0] == "counter":
                one.do(at, "show", "", self.brightness)
            elif name[0] == "strip":
                one.do(at, "darken")
            one.close()  # closing switches lamps off and silences the buzzer
        self._pins.close()
        self._edges.clear()

    # What depends on the time.

    def _move_on(self, at: float) -> None:
        """Update light, digits and sound; only changes are sent."""
        self._lit = at
        self._lamps, changes = self._lamps.changes(at)
        touched = False
        for seat, light in changes:
            lamp = self.table.seats[seat].lamp
            if isinstance(lamp, Strip):
                touched |= self._parts["strip", None].do(at, "light", lamp, light)
            else:
                self._parts["lamp", seat].do(at, "light", light)
        if touched:
            self._parts["strip", None].do(at, "send")
        self._count(at)
        self._sound(at)

    def _count(self, at: float) -> None:
        refresh = at >= self._refresh
        if refresh:
            self._refresh = at + AGAIN
        for seat, text in self._texts.items():
            one, wanted = self._parts["counter", seat], (text, self.brightness)
            if self._sent.get(seat) == wanted and not (refresh and getattr(one.driver, "refreshed", False)):
                continue
            if one.do(at, "show", *wanted):
                self._sent[seat] = wanted

    def _sound(self, at: float) -> None:
        if self._tune is None:
            return
        pitch, until = tunes.note(*self._tune, at)
        if until is None:
            self._tune = None
        if pitch != self._pitch and ("buzzer", None) in self._parts:
            self._parts["buzzer", None].do(at, "sound", pitch, self.volume)
        self._pitch = pitch
