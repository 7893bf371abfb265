"""The sentences of this package: slugs with arguments, translated where they are shown."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct, field

SentenceArgument: TypeAlias = "int | str | Sentence | tuple[Sentence, ...]"

ENGLISH = {
    "line": "Line {line}: {what}",
    "place-seat": "seat {n}, {part}",
    "part-seat": "seat {n}",
    "part-button": "button",
    "part-lamp": "lamp",
    "part-lamp-red": "lamp (red)",
    "part-lamp-green": "lamp (green)",
    "part-lamp-blue": "lamp (blue)",
    "part-counter": "counter",
    "part-counter-clk": "counter (CLK)",
    "part-counter-dio": "counter (DIO)",
    "part-undo": "undo button",
    "part-next": "next button",
    "part-knob": "knob",
    "part-knob-a": "knob (A)",
    "part-knob-b": "knob (B)",
    "part-knob-press": "knob (button)",
    "part-buzzer": "buzzer",
    "part-shutdown": "shutdown button",
    "part-strip": "light strip",
    "part-pins": "pins",
    "part-file": "file",
    "part-table": "table",
    "take-pin": "Take GPIO {pin}, which is free.",
    "no-pin-left": "No pin is left: lamps on a light strip and HT16K33 counters need fewer.",
    "did-you-mean": "Did you mean {near}?",
    "known-keys": "Possible here: {known}.",
    "bad-table": "{file} cannot be used; nothing was switched on.",
    "cannot-read": "{file} cannot be read: {why}.",
    "not-text": "this is not a text in UTF-8.",
    "too-long": "this file is too long; {most} short lines are enough for six seats.",
    "not-toml": "this is not TOML: {why}.",
    "unknown-key": "{where}: “{key}” is unknown. {advice}",
    "unknown-kind": "{where}: there is no kind “{kind}”. {advice}",
    "missing-key": "{where}: “{key}” is missing.",
    "not-a-number": "{where}: “{key}” must be a whole number, like {key} = {example}.",
    "not-yes-or-no": "{where}: “{key}” must be true or false.",
    "not-a-group": "{where}: “{key}” must be in braces, like {example}.",
    "not-seats": "each seat has its own part of the file, headed [[seat]].",
    "seats": "{n} seats: there must be 2 to 6, each headed [[seat]].",
    "no-such-pin": "{where}: there is no GPIO {pin}. {advice}",
    "header-number": "{where}: there is no GPIO {pin}. If you counted on the header: its pin {pin} is GPIO {gpio}.",
    "eeprom-pin": "{where}: GPIO {pin} belongs to the Pi itself (it asks there which board is plugged on). {advice}",
    "i2c-pin": "{where}: GPIO {pin} is taken by the HT16K33 counters (I2C). {advice}",
    "spi-pin": "{where}: GPIO {pin} is taken by the light strip (SPI). {advice}",
    "pin-twice": "{where}: GPIO {pin} is already used ({other}). {advice}",
    "no-such-address": "{where}: an HT16K33 has an address from 0x70 to 0x77, not {address}. {advice}",
    "address-twice": "{where}: address {address} is already used ({other}). {advice}",
    "take-address": "Take {address}: solder its jumpers accordingly.",
    "strip-places": "{where}: lights on a strip are counted from 0, and at least one is needed (at most {most}).",
    "strip-twice": "{where}: these lights of the strip are already used ({other}). Take first = {free}.",
    "next-and-knob": "a knob has a button itself: leave out either “next” or “knob”.",
    "no-lgpio": "The pins cannot be reached: {why}. Install python3-lgpio; see docs/panel.md.",
    "no-pins": "The pins cannot be reached: {why}.",
    "out-of-order": "{where} does not work: {why}. It is tried again every few seconds.",
    "wiring-title": "Wiring plan for {seats} seats",
    "wiring-above": "The header seen from above; the USB sockets point down.",
    "wiring-square": "Pin 1 is the square one.",
    "wiring-sda": "counters, data (SDA)",
    "wiring-scl": "counters, clock (SCL)",
    "wiring-strip": "light strip, data",
    "wiring-wire": "{what}: GPIO {gpio} (pin {pin})",
    "wiring-lights-of": "lamp: lights {first} to {last} of the strip",
    "wiring-address": "counter: address {address}",
    "wiring-parts": "Parts",
    "wiring-how": "How to connect",
    "wiring-button": "Button: one leg to its pin, the other to any GND. No resistor: the Pi has one.",
    "wiring-led": "Lamp: pin, resistor, long leg; short leg to GND.",
    "wiring-rgb": "Lamp of three colours: each pin, a resistor, its leg; the longest leg to GND.",
    "wiring-inverted": "A lamp marked “inverted” has its common or long leg at 3V3 instead of GND.",
    "wiring-lights": "Light strip: data through the level shifter, 5 V from a supply of its own (60 mA a light), "
    "GND together with the Pi’s.",
    "wiring-ht16k33": "HT16K33 counter: SDA and SCL of all of them together, VCC to 3V3, GND to GND; "
    "solder each its own address.",
    "wiring-tm1637": "TM1637 counter: CLK and DIO to its pins, VCC to 3V3, GND to GND.",
    "wiring-buzzer": "Buzzer: plus to its pin, minus to GND; one that needs more than 15 mA through a transistor.",
    "wiring-knob": "Knob: A, B and the button to their pins, + to 3V3, GND to GND.",
    "wiring-power-off": "Solder and plug only while the Pi has no power. 5 V at a GPIO destroys it.",
    "parts-button": "{n} × push button, normally open",
    "parts-led": "{n} × LED",
    "parts-rgb": "{n} × RGB LED",
    "parts-resistor": "{n} × resistor, 330 Ω",
    "parts-strip": "WS2812B strip with {n} lights, and a 5 V supply for it",
    "parts-shifter": "{n} × level shifter 74AHCT125",
    "parts-ht16k33": "{n} × four-digit counter with HT16K33",
    "parts-tm1637": "{n} × four-digit counter with TM1637",
    "parts-knob": "{n} × rotary encoder with button (such as KY-040)",
    "parts-piezo": "{n} × passive piezo buzzer",
    "parts-beeper": "{n} × active buzzer, 3.3 V",
    "stuck": "{where} is stuck or shorted: it gives nothing until it is up again.",
}


class Sentence(Struct, frozen=True):
    """A sentence or a part of one; `str()` is English."""

    slug: str
    args: dict[str, int | str | Sentence | tuple[Sentence, ...]] = field(default_factory=dict)

    def __str__(self) -> str:
        arguments = {name: _plain(value) for name, value in self.args.items()}
        return ENGLISH[self.slug].format_map(arguments).strip()


def words(slug: str, **args: SentenceArgument) -> Sentence:
    """The sentence `slug` with these arguments."""
    return Sentence(slug, args)


def _plain(value: int | str | Sentence | tuple[Sentence, ...]) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


class Problem(Struct, frozen=True):
    """A problem: what is wrong, and for files in which line."""

    what: Sentence
    line: int | None = None

    @property
    def words(self) -> Sentence:
        """The whole sentence."""
        return self.what if self.line is None else words("line", line=self.line, what=self.what)

    def __str__(self) -> str:
        return str(self.words)


def part(name: str, seat: int | None = None) -> Sentence:
    """The name of a part; seats are counted from 0 here, and from 1 for people."""
    if seat is None:
        return Sentence(f"part-{name}")
    if name == "seat":
        return words("part-seat", n=seat + 1)
    return words("place-seat", n=seat + 1, part=Sentence(f"part-{name}"))
