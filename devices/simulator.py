"""A panel without hardware that behaves like the real one, through the same code.

Below `PinPanel` there are mock pins instead of real ones. Buttons bounce as real contacts do; lamps, counters
and buzzer are read back from the pins and from the bytes that would go to the chips.
"""

from __future__ import annotations

import errno
import heapq
import json
import os
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

from gpiozero import GPIOPinInUse
from gpiozero.pins.mock import MockFactory, MockPWMPin

from devices import led_strips, segment_displays
from devices.gestures import Gesture
from devices.lights import DARK, Light, Pattern
from devices.lines import PinLine
from devices.panel import Who
from devices.pins import PinPanel
from devices.tunes import Sound
from devices.wiring_config import Ht16k33, Led, Rgb, Tm1637, Wiring
from devices.words import Problem

KEYS: dict[str, Who] = {**{str(n + 1): n for n in range(6)}, "u": "undo", "n": "next", "q": "shutdown"}
"""Which key is which button; used by `Simulator.key_down` and `key_up`. Arrow keys turn the knob."""
TURNS = {"right": 1, "left": -1}
SHORT, LONG, GAP = 0.12, 1.1, 0.12
"""Seconds of a short press, of a long one, and between the two presses of a double press."""
CLICK = 0.05
"""Seconds from one click of the knob to the next."""


@cache
def bounces() -> dict[str, dict[str, list[list[int]]]]:
    """How contacts of several kinds bounce: the microseconds of each flip."""
    read = json.loads((files("devices") / "bounces.json").read_text(encoding="utf-8"))
    return {kind: ways for kind, ways in read.items() if isinstance(ways, dict)}


class Pin(MockPWMPin):  # type: ignore[misc]
    """A mock pin that uses the simulator's time and keeps no history."""

    _state: float

    def _change_state(self, value: float) -> bool:
        if self._state == value:
            return False
        self._state, self._last_change = value, self.factory.now
        self.factory.moved(self._number)
        return True

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        self.factory.moved(self._number)


class Pins(MockFactory):  # type: ignore[misc]
    """Mock pins, and the chips connected to them. `busy` are pins that another program uses."""

    def __init__(self, now: float) -> None:
        self.now = now
        self.chips: list[Chip] = []
        self.busy: set[int] = set()
        super().__init__(pin_class=Pin)

    def ticks(self) -> float:
        return self.now

    def pin(self, name: Any, pin_class: Any = None, **options: Any) -> Any:
        if name in self.busy:
            raise GPIOPinInUse(f"GPIO{name} busy")
        return super().pin(name, pin_class, **options)

    def wire(self, gpio: int) -> Any:
        """The pin as seen from outside, whichever device uses it."""
        return super().pin(gpio)

    def moved(self, gpio: int) -> None:
        """A pin changed: notify the chips connected to it."""
        for chip in self.chips:
            if gpio in (chip.wired.clk, chip.wired.dio):
                chip.on_change()

    def state(self, gpio: int) -> float:
        """The level of a pin, 0 to 1."""
        return float(self.wire(gpio).state)


class Chip:
    """A TM1637: decodes what the two pins do, and pulls the data line low to acknowledge every byte."""

    def __init__(self, pins: Pins, wired: Tm1637) -> None:
        self.pins, self.wired = pins, wired
        self.plugged = True
        self.bars = [0, 0, 0, 0]
        self.lit = False
        self.clk = self.dio = True
        self.bits: list[bool] | None = (
            None  # of the byte under way, or None between a stop and the next start
        )
        self.message: list[int] = []
        self.looking = False

    def on_change(self) -> None:
        """One of the pins changed, possibly by the chip itself."""
        if self.looking:
            return
        self.looking = True
        try:
            self._look()
        finally:
            self.looking = False

    def _look(self) -> None:
        clk_pin, dio_pin = self.pins.wire(self.wired.clk), self.pins.wire(self.wired.dio)
        released = dio_pin.function == "input"
        if released:
            hold = self.plugged and self.bits is not None and len(self.bits) == 8
            (dio_pin.drive_low if hold else dio_pin.drive_high)()
        clk, dio = bool(clk_pin.state), bool(dio_pin.state)
        if self.plugged and not released:
            self._follow(clk, dio)
        elif self.plugged and clk and not self.clk and self.bits is not None and len(self.bits) == 8:
            self.message.append(sum(bit << n for n, bit in enumerate(self.bits)))
            self.bits = []
        self.clk, self.dio = clk, dio

    def _follow(self, clk: bool, dio: bool) -> None:
        if (
            clk and self.clk and dio != self.dio
        ):  # data changes while the clock is high: a start or stop condition
            if not dio:
                self.bits, self.message = [], []
            elif self.bits is not None:
                self.bits = None
                self._obey()
        elif clk and not self.clk and self.bits is not None and len(self.bits) < 8:
            self.bits.append(dio)

    def _obey(self) -> None:
        match self.message:
            case [segment_displays.TM1637_FIRST, *bars]:
                self.bars = bars
            case [switch] if switch & 0xF0 == segment_displays.TM1637_OFF:
                self.lit = switch & 0x08 != 0

    @property
    def text(self) -> str:
        """The text that is shown."""
        return (
            segment_displays.read(tuple(self.bars))
            if self.plugged and self.lit
            else " " * segment_displays.WIDTH
        )


class _Heard:
    """A connection that records what was sent."""

    def __init__(self, lines: SimulatedLines, address: int | None) -> None:
        self.lines, self.address = lines, address

    def write(self, data: bytes) -> None:
        self.lines.hear(self.address, data)

    def close(self) -> None:
        pass


class SimulatedLines:
    """I2C with the chips of the wiring, and SPI with its strip; `gone` are addresses that do not answer."""

    def __init__(self) -> None:
        self.gone: set[int | None] = set()
        self.memory: dict[int, tuple[int, ...]] = {}
        self.strip: tuple[Light, ...] = ()

    def i2c(self, address: int) -> PinLine:
        return _Heard(self, address)

    def spi(self, hertz: int) -> PinLine:
        if None in self.gone:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "/dev/spidev0.0")
        return _Heard(self, None)

    def hear(self, address: int | None, data: bytes) -> None:
        """Receive a message, or raise if the chip is gone. Without an address it goes to the strip."""
        if address in self.gone:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        if address is None:
            self.strip = led_strips.decoded(data)
        elif data[0] == 0x00:
            self.memory[address] = tuple(data[1 + place] for place in segment_displays.HT16K33_PLACES)


class Simulator:
    """A panel that tests, keys or a mouse can press. `kind` chooses its contacts: tactile, arcade, old,
    clean.

    Everything happens at the given times: pressing only schedules when contacts move, `gestures` carries it
    out.
    """

    def __init__(
        self,
        table: Wiring,
        at: float = 0.0,
        *,
        kind: str = "arcade",
        seed: int = 1,
        wake: Callable[[], None] | None = None,
    ) -> None:
        self.table, self.kind, self.random = table, kind, Random(seed)
        self.pins, self.lines = Pins(at), SimulatedLines()
        for seat in table.seats:
            if isinstance(seat.counter, Tm1637):
                self.pins.chips.append(Chip(self.pins, seat.counter))
        self._later: list[tuple[float, int, int, bool]] = []
        self._number = 0
        self.panel = PinPanel(
            table, at, pins=lambda: self.pins, lines=self.lines, clock=lambda: self.pins.now, wake=wake
        )

    # What the user does.

    def press(self, who: Who, at: float, seconds: float = SHORT) -> float:
        """Press a button; returns when the finger is up again."""
        self.down(who, at)
        self.up(who, at + seconds)
        return at + seconds

    def hold(self, who: Who, at: float, seconds: float = LONG) -> float:
        """A long press."""
        return self.press(who, at, seconds)

    def double(self, who: Who, at: float) -> float:
        """Two presses in quick succession."""
        return self.press(who, self.press(who, at) + GAP)

    def down(self, who: Who, at: float) -> None:
        """Put a finger down and keep it there."""
        self._flip(self._gpio(who), "press", at)

    def up(self, who: Who, at: float) -> None:
        """Lift the finger."""
        self._flip(self._gpio(who), "release", at)

    def turn(self, by: int, at: float) -> float:
        """Turn the knob by this many clicks to the right, or to the left if negative."""
        knob = self.table.whole.knob
        if knob is not None:
            first, second = (knob.a, knob.b) if by > 0 else (knob.b, knob.a)
            for n in range(abs(by)):
                for quarter, (gpio, closed) in enumerate(
                    ((first, True), (second, True), (first, False), (second, False))
                ):
                    self._plan(gpio, at + n * CLICK + quarter * CLICK / 5, closed)
        return at + abs(by) * CLICK

    def key_down(self, key: str, at: float) -> bool:
        """Press a key of a keyboard; false if it has no meaning here. Call it once, not on key repeat."""
        if key in TURNS:
            self.turn(TURNS[key], at)
            return self.table.whole.knob is not None
        if key not in KEYS or not self.has(KEYS[key]):
            return False
        self.down(KEYS[key], at)
        return True

    def key_up(self, key: str, at: float) -> None:
        """Release a key."""
        if key in KEYS and self.has(KEYS[key]):
            self.up(KEYS[key], at)

    def has(self, who: Who) -> bool:
        """Whether this table has such a button."""
        return self._wired(who) is not None

    def _wired(self, who: Who) -> int | None:
        whole = self.table.whole
        if isinstance(who, int):
            return self.table.seats[who].button if 0 <= who < len(self.table.seats) else None
        if who == "next" and whole.knob is not None:
            return whole.knob.press
        return {"undo": whole.undo, "next": whole.next, "shutdown": whole.shutdown}[who]

    def _gpio(self, who: Who) -> int:
        gpio = self._wired(who)
        if gpio is None:
            raise LookupError(f"there is no button {who!r} at this table")
        return gpio

    def _flip(self, gpio: int, way: str, at: float) -> None:
        closed = way == "press"
        for n, micros in enumerate(self.random.choice(bounces()[self.kind][way])):
            self._plan(gpio, at + micros / 1e6, closed if n % 2 == 0 else not closed)

    def _plan(self, gpio: int, at: float, closed: bool) -> None:
        self._number += 1
        heapq.heappush(self._later, (at, self._number, gpio, closed))

    # What the user sees and hears.

    def lamps(self) -> dict[int, Light]:
        """The light of each lamp."""
        return {n: self._light(n) for n in range(len(self.table.seats))}

    def _light(self, seat: int) -> Light:
        lamp = self.table.seats[seat].lamp
        if isinstance(lamp, Led | Rgb):
            gpios = (lamp.pin,) * 3 if isinstance(lamp, Led) else (lamp.red, lamp.green, lamp.blue)
            if any(self.pins.wire(gpio).function != "output" for gpio in gpios):
                return DARK  # not driven by any device
            states = [self.pins.state(gpio) for gpio in gpios]
            red, green, blue = (1 - state if lamp.inverted else state for state in states)
            return (red, green, blue)
        return self.lines.strip[lamp.first] if lamp.first < len(self.lines.strip) else DARK

    def counters(self) -> dict[int, str]:
        """The text on each counter."""
        shown = {}
        for n, seat in enumerate(self.table.seats):
            if isinstance(seat.counter, Ht16k33):
                bars = self.lines.memory.get(seat.counter.address, (0, 0, 0, 0))
                shown[n] = segment_displays.read(bars)
            elif isinstance(seat.counter, Tm1637):
                shown[n] = next(chip.text for chip in self.pins.chips if chip.wired == seat.counter)
        return shown

    def pitch(self) -> int:
        """What the buzzer plays: hertz, 1 if it has only one pitch, 0 for silence."""
        buzzer = self.table.whole.buzzer
        if buzzer is None or not self.pins.state(buzzer.pin):
            return 0
        return int(self.pins.wire(buzzer.pin).frequency or 1)

    # The panel.

    @property
    def volume(self) -> float:
        return self.panel.volume

    @volume.setter
    def volume(self, volume: float) -> None:
        self.panel.volume = volume

    @property
    def brightness(self) -> int:
        return self.panel.brightness

    @brightness.setter
    def brightness(self, brightness: int) -> None:
        self.panel.brightness = brightness

    @property
    def seats(self) -> int:
        return self.panel.seats

    @property
    def due(self) -> float | None:
        times = [time for time in (self.panel.due, *(at for at, *_ in self._later[:1])) if time is not None]
        return min(times, default=None)

    def gestures(self, at: float) -> tuple[tuple[Who, Gesture], ...]:
        while self._later and self._later[0][0] <= at:
            moment, _, gpio, closed = heapq.heappop(self._later)
            self.pins.now = max(self.pins.now, moment)
            pin = self.pins.wire(gpio)
            (pin.drive_low if closed else pin.drive_high)()
        self.pins.now = max(self.pins.now, at)
        return self.panel.gestures(at)

    def show(self, lamps: Mapping[int, Pattern], at: float) -> None:
        self.panel.show(lamps, at)

    def count(self, seat: int, text: str, at: float) -> None:
        self.panel.count(seat, text, at)

    def buzz(self, sound: Sound, at: float) -> None:
        self.panel.buzz(sound, at)

    def health(self) -> tuple[Problem, ...]:
        return self.panel.health()

    def close(self) -> None:
        self.panel.close()
