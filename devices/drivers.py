"""Parts at real pins, through gpiozero, which only this module uses. Each opens when created, or raises."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import gpiozero

from devices import DeviceTrouble, led_strips, segment_displays
from devices.lights import DARK, Light
from devices.lines import Lines
from devices.wiring_config import Buzzer, Ht16k33, Led, Rgb, Strip, Tm1637
from devices.words import Sentence, words

MODEL = Path("/proc/device-tree/model")
SYSTEM = Path("/usr/lib/python3/dist-packages")
"""Where Debian and Raspberry Pi OS install their Python modules."""


class NoPins(DeviceTrouble):
    """The pins cannot be used: `words` says why and what to install."""

    def __init__(self, said: Sentence) -> None:
        self.words = said
        super().__init__(str(said))


def on_a_pi(model: Path = MODEL) -> bool:
    """Whether this computer is a Raspberry Pi."""
    try:
        return b"Raspberry Pi" in model.read_bytes()
    except OSError:
        return False


def usual_pins() -> Any:
    """lgpio on a Pi, mock pins elsewhere, or whichever of the two GPIOZERO_PIN_FACTORY names."""
    wanted = os.environ.get("GPIOZERO_PIN_FACTORY") or ("lgpio" if on_a_pi() else "mock")
    if wanted == "mock":
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        return MockFactory(pin_class=MockPWMPin)
    if wanted != "lgpio":
        raise NoPins(words("no-pins", why=f"GPIOZERO_PIN_FACTORY={wanted}"))
    # lgpio creates a pipe in this folder, by default the current one; the variable is read on import.
    os.environ.setdefault("LG_WD", _own_folder())
    try:
        if importlib.util.find_spec("lgpio") is None:
            from_system("lgpio")
        from gpiozero.pins.lgpio import LGPIOFactory
    except (ImportError, ValueError) as e:
        raise NoPins(words("no-lgpio", why=str(e))) from e
    return LGPIOFactory()


def from_system(name: str, folder: Path = SYSTEM) -> None:
    """Import a module that the distribution provides and our own environment does not see.

    The package index has no lgpio for Python 3.13. The distribution's lgpio fits the distribution's Python,
    on which our environment is based. Only this module is taken from there: it needs nothing but the standard
    library.
    """
    sys.path.append(str(folder))
    try:
        importlib.import_module(name)
    finally:
        sys.path.remove(str(folder))


def _own_folder() -> str:
    for name in ("RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"):
        folder = os.environ.get(name, "").partition(":")[0]
        if folder and os.access(folder, os.W_OK):
            return folder
    return tempfile.gettempdir()


class Driver(Protocol):
    """An open part."""

    def close(self) -> None:
        """Release it."""


class Contact:
    """A button, or one of a knob's contacts: wired from its pin to ground, so that low means closed."""

    def __init__(self, pins: Any, gpio: int, hear: Callable[[bool, float], None]) -> None:
        self.hear = hear
        self.device = gpiozero.DigitalInputDevice(gpio, pull_up=True, pin_factory=pins)
        # The device itself would report changes without their time, and only those it has not seen yet.
        self.device.pin.when_changed = self._changed

    def level(self) -> bool:
        """Whether it is closed now."""
        return bool(self.device.is_active)

    def _changed(self, ticks: float, state: float) -> None:
        self.hear(not state, ticks)

    def close(self) -> None:
        try:
            # gpiozero does not reset this. Otherwise the next user of the pin would get no events, and an
            # edge for a closed contact would end the library's thread, on which all buttons depend.
            self.device.pin.when_changed = None
        finally:
            self.device.close()


class LedLamp:
    """A lamp of one colour."""

    def __init__(self, pins: Any, led: Led) -> None:
        self.device = gpiozero.PWMLED(led.pin, active_high=not led.inverted, pin_factory=pins)

    def light(self, light: Light) -> None:
        """Set it as bright as the brightest of these colours."""
        self.device.value = max(light)

    def close(self) -> None:
        self.device.close()


class RgbLamp:
    """A lamp of three colours."""

    def __init__(self, pins: Any, rgb: Rgb) -> None:
        self.device = gpiozero.RGBLED(
            rgb.red, rgb.green, rgb.blue, active_high=not rgb.inverted, pin_factory=pins
        )

    def light(self, light: Light) -> None:
        """Set this colour."""
        self.device.value = light

    def close(self) -> None:
        self.device.close()


class Lights:
    """The whole LED strip: always written at once."""

    def __init__(self, lines: Lines, number: int) -> None:
        self.line = lines.spi(led_strips.HERTZ)
        self.lights = [DARK] * number
        self.send()

    def light(self, lamp: Strip, light: Light) -> None:
        """Set these lights; `send` makes it visible."""
        self.lights[lamp.first : lamp.first + lamp.count] = [light] * lamp.count

    def darken(self) -> None:
        """Switch all lights off."""
        self.lights = [DARK] * len(self.lights)
        self.send()

    def send(self) -> None:
        """Send the lights to the strip."""
        self.line.write(led_strips.encoded(self.lights))

    def close(self) -> None:
        self.line.close()


class TwoWireDisplay:
    """A TM1637, driven bit by bit. A message takes some milliseconds, so it is sent only when it changes."""

    refreshed = False

    def __init__(self, pins: Any, wired: Tm1637) -> None:
        self.clk = gpiozero.OutputDevice(wired.clk, initial_value=True, pin_factory=pins)
        try:
            self.dio = gpiozero.OutputDevice(wired.dio, initial_value=True, pin_factory=pins)
        except BaseException:
            self.clk.close()
            raise

    def show(self, text: str, brightness: int) -> None:
        """Show this text; raises `OSError` if the chip does not answer."""
        for message in segment_displays.tm1637(text, brightness):
            self.dio.off()  # start condition: data falls while the clock is high
            taken = [self._taken(byte) for byte in message]
            self.dio.off()
            self.clk.on()
            self.dio.on()  # stop condition: data rises while the clock is high
            if not all(taken):
                raise OSError("the TM1637 does not answer")

    def _taken(self, byte: int) -> bool:
        for n in range(8):
            self.clk.off()
            self.dio.value = byte >> n & 1
            self.clk.on()
        self.clk.off()
        self.dio.pin.function = "input"  # now the chip pulls the line low
        self.clk.on()
        taken = not self.dio.pin.state
        self.clk.off()
        self.dio.pin.function = "output"
        self.dio.off()
        return taken

    def close(self) -> None:
        self.clk.close()
        self.dio.close()


class BusDisplay:
    """An HT16K33. It is rewritten every few seconds, to notice its loss and to survive a power cut."""

    refreshed = True

    def __init__(self, lines: Lines, wired: Ht16k33) -> None:
        self.line = lines.i2c(wired.address)
        try:
            self.show("", segment_displays.BRIGHTEST)
        except BaseException:
            self.line.close()
            raise

    def show(self, text: str, brightness: int) -> None:
        """Show this text; raises `OSError` if the chip does not answer."""
        for message in segment_displays.ht16k33(text, brightness):
            self.line.write(message)

    def close(self) -> None:
        self.line.close()


class Speaker:
    """The buzzer: plays a pitch if it has none of its own, otherwise just on or off."""

    def __init__(self, pins: Any, buzzer: Buzzer) -> None:
        self.tones = buzzer.tones
        made = gpiozero.PWMOutputDevice if buzzer.tones else gpiozero.DigitalOutputDevice
        self.device = made(buzzer.pin, pin_factory=pins)

    def sound(self, hertz: int, volume: float) -> None:
        """Play this pitch; 0 is silence."""
        loud = hertz > 0 and volume > 0
        if not self.tones:
            self.device.value = loud
            return
        if loud:
            self.device.frequency = hertz
        self.device.value = 0.5 * min(volume, 1.0) ** 2 if loud else 0.0

    def close(self) -> None:
        self.device.close()
