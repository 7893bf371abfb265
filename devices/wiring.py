"""The wiring plan of a table: what goes to which pin of the header, and what to buy. As text and as a drawing (SVG)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from typing import TypeAlias

from msgspec import Struct

from devices.wiring_config import HEADER, HEADER_OF, I2C, Ht16k33, Led, Rgb, Strip, Tm1637, Wiring
from devices.words import Sentence, part, words

Say: TypeAlias = Callable[[Sentence], str]
"""Translates a sentence; `str` gives English."""

SPI_DATA = 10
SEAT_COLOURS = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00")
TABLE_COLOUR, BUS_COLOUR = "#cc79a7", "#b8a26a"
POWER_COLOURS = {"3V3": "#f4a582", "5V": "#d6604d", "GND": "#444444"}
UNUSED = "#e8e8e8"
"""Colours that colour-blind people can tell apart; every pin is labelled as well."""


class Connection(Struct, frozen=True):
    """One used pin of the header: what goes there, and its seat (None: the table's)."""

    pin: int
    gpio: int
    what: Sentence
    seat: int | None = None
    bus: bool = False


def connections(table: Wiring) -> tuple[Connection, ...]:
    """Every used pin, seat by seat, then the table's."""
    return tuple(
        Connection(HEADER_OF[gpio], gpio, what, seat, bus) for gpio, what, seat, bus in _connected(table)
    )


def _connected(table: Wiring) -> Iterator[tuple[int, Sentence, int | None, bool]]:
    for n, seat in enumerate(table.seats):
        wires: list[tuple[int, str]] = [(seat.button, "button")]
        match seat.lamp:
            case Led(pin=pin):
                wires.append((pin, "lamp"))
            case Rgb(red=red, green=green, blue=blue):
                wires += [(red, "lamp-red"), (green, "lamp-green"), (blue, "lamp-blue")]
        if isinstance(seat.counter, Tm1637):
            wires += [(seat.counter.clk, "counter-clk"), (seat.counter.dio, "counter-dio")]
        for gpio, name in wires:
            yield gpio, part(name, n), n, False
    whole = table.whole
    pins = {"undo": whole.undo, "next": whole.next, "shutdown": whole.shutdown}
    if whole.buzzer is not None:
        pins["buzzer"] = whole.buzzer.pin
    if (knob := whole.knob) is not None:
        pins |= {"knob-a": knob.a, "knob-b": knob.b, "knob-press": knob.press}
    for name, used in pins.items():
        if used is not None:
            yield used, part(name), None, False
    if _bus(table):
        yield I2C[0], words("wiring-sda"), None, True
        yield I2C[1], words("wiring-scl"), None, True
    if _lights(table):
        yield SPI_DATA, words("wiring-strip"), None, True


def _bus(table: Wiring) -> list[int]:
    return [seat.counter.address for seat in table.seats if isinstance(seat.counter, Ht16k33)]


def _lights(table: Wiring) -> int:
    return max((s.lamp.first + s.lamp.count for s in table.seats if isinstance(s.lamp, Strip)), default=0)


def shopping(table: Wiring) -> tuple[Sentence, ...]:
    """What to buy, with quantities."""
    whole, lamps = table.whole, [seat.lamp for seat in table.seats]
    buttons = len(table.seats) + sum(pin is not None for pin in (whole.undo, whole.next, whole.shutdown))
    leds, rgbs = (sum(isinstance(lamp, kind) for lamp in lamps) for kind in (Led, Rgb))
    two_wire = sum(isinstance(seat.counter, Tm1637) for seat in table.seats)
    needed = [
        ("parts-button", buttons),
        ("parts-led", leds),
        ("parts-rgb", rgbs),
        ("parts-resistor", leds + 3 * rgbs),
        ("parts-strip", _lights(table)),
        ("parts-shifter", 1 if _lights(table) else 0),
        ("parts-ht16k33", len(_bus(table))),
        ("parts-tm1637", two_wire),
        ("parts-knob", int(whole.knob is not None)),
        ("parts-piezo", int(whole.buzzer is not None and whole.buzzer.tones)),
        ("parts-beeper", int(whole.buzzer is not None and not whole.buzzer.tones)),
    ]
    return tuple(words(slug, n=n) for slug, n in needed if n)


def advice(table: Wiring) -> tuple[Sentence, ...]:
    """How to connect the parts: only the kinds that are used."""
    lamps = [seat.lamp for seat in table.seats]
    told = [words("wiring-button")]
    if any(isinstance(lamp, Led) for lamp in lamps):
        told.append(words("wiring-led"))
    if any(isinstance(lamp, Rgb) for lamp in lamps):
        told.append(words("wiring-rgb"))
    if any(isinstance(lamp, Led | Rgb) and lamp.inverted for lamp in lamps):
        told.append(words("wiring-inverted"))
    if _lights(table):
        told.append(words("wiring-lights"))
    if _bus(table):
        told.append(words("wiring-ht16k33"))
    if any(isinstance(seat.counter, Tm1637) for seat in table.seats):
        told.append(words("wiring-tm1637"))
    if table.whole.buzzer is not None:
        told.append(words("wiring-buzzer"))
    if table.whole.knob is not None:
        told.append(words("wiring-knob"))
    return (*told, words("wiring-power-off"))


def by_seat(table: Wiring) -> tuple[tuple[Sentence, tuple[Sentence, ...]], ...]:
    """For every seat, then for the table: its name and its wires."""
    rows = []
    for n, seat in enumerate(table.seats):
        wires = [_wire(c) for c in connections(table) if c.seat == n]
        if isinstance(seat.lamp, Strip):
            last = seat.lamp.first + seat.lamp.count - 1
            wires.append(words("wiring-lights-of", first=seat.lamp.first, last=last))
        if isinstance(seat.counter, Ht16k33):
            wires.append(words("wiring-address", address=f"0x{seat.counter.address:02x}"))
        rows.append((part("seat", n), tuple(wires)))
    rest = tuple(_wire(c) for c in connections(table) if c.seat is None)
    return (*rows, (part("table"), rest)) if rest else tuple(rows)


def _wire(connection: Connection) -> Sentence:
    what = connection.what
    inner = what.args.get("part", what)
    return words("wiring-wire", what=inner, gpio=connection.gpio, pin=connection.pin)


# As text.


def text(table: Wiring, say: Say = str) -> str:
    """The whole plan for a terminal."""
    lines = [say(words("wiring-title", seats=len(table.seats))), "", say(words("wiring-above")), ""]
    used = {c.pin: c for c in connections(table)}
    labels = {pin: _label(pin, used.get(pin), say) for pin in HEADER}
    width = max(len(labels[pin]) for pin in HEADER if pin % 2)
    for pin in range(1, 41, 2):
        lines.append(f"  {labels[pin]:>{width}}  {pin:>2} ● ● {pin + 1:<2}  {labels[pin + 1]}".rstrip())
    for name, wires in by_seat(table):
        lines += ["", _upper(say(name)), *(f"  {say(wire)}" for wire in wires)]
    lines += ["", say(words("wiring-parts")), *(f"  {say(line)}" for line in shopping(table))]
    lines += ["", say(words("wiring-how")), *(f"  {say(line)}" for line in advice(table)), ""]
    return "\n".join(lines)


def _label(pin: int, used: Connection | None, say: Say) -> str:
    what = HEADER[pin]
    if isinstance(what, str):
        return what
    return f"GPIO {what}" + (f" · {say(used.what)}" if used is not None else "")


def _upper(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


# As a drawing.

ROW, PIN, MIDDLE, TOP = 31, 22, 340, 118
COLUMN, WIDTH, LINE = 710, 1290, 19
LETTERS = 80
"""Characters that fit into a line of the right column."""


def svg(table: Wiring, say: Say = str) -> str:
    """The whole plan as a drawing."""
    right, height = _right_column(table, say)
    height = max(height, TOP + 20 * ROW + 40)
    title = escape(say(words("wiring-title", seats=len(table.seats))))
    above = f"{say(words('wiring-above'))} {say(words('wiring-square'))}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="DejaVu Sans, Verdana, sans-serif" font-size="14">',
        f"<title>{title}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="40" y="46" font-size="25" font-weight="bold">{title}</text>',
        f'<text x="40" y="74" fill="#555">{escape(above)}</text>',
        f'<rect x="{MIDDLE - 37}" y="{TOP - 22}" width="74" height="{20 * ROW + 12}" rx="8" fill="#222"/>',
    ]
    used = {c.pin: c for c in connections(table)}
    for pin in HEADER:
        parts += _drawn(pin, used.get(pin), say)
    return "\n".join([*parts, *right, "</svg>", ""])


def _drawn(pin: int, used: Connection | None, say: Say) -> Iterator[str]:
    left = pin % 2 == 1
    x, y = MIDDLE + (-17 if left else 17), TOP + (pin - 1) // 2 * ROW
    what = HEADER[pin]
    colour = POWER_COLOURS[what] if isinstance(what, str) else _colour(used)
    dark = colour in ("#444444", "#0072b2", "#009e73", "#d55e00", "#d6604d")
    shape = f'rx="{0 if pin == 1 else PIN // 2}"'
    yield (
        f'<rect x="{x - PIN // 2}" y="{y - PIN // 2}" width="{PIN}" height="{PIN}" {shape} fill="{colour}" '
        f'stroke="white"/><text x="{x}" y="{y + 4}" font-size="11" text-anchor="middle" '
        f'fill="{"white" if dark else "black"}">{pin}</text>'
    )
    edge, anchor = (MIDDLE - 46, "end") if left else (MIDDLE + 46, "start")
    number = f"GPIO {what}" if isinstance(what, int) else what
    grey = "#999" if used is None and isinstance(what, int) else "#333"
    yield f'<text x="{edge}" y="{y + 5}" text-anchor="{anchor}" fill="{grey}">{number}</text>'
    if used is None:
        return
    label = escape(say(used.what))
    wide = 7.6 * len(say(used.what)) + 16
    box = edge - 64 - wide if left else edge + 64
    yield (
        f'<rect x="{box:.0f}" y="{y - 12}" width="{wide:.0f}" height="24" rx="6" fill="{colour}" fill-opacity="0.35" '
        f'stroke="{colour}"/><text x="{box + wide / 2:.0f}" y="{y + 5}" font-size="13" text-anchor="middle">'
        f"{label}</text>"
    )


def _colour(used: Connection | None) -> str:
    if used is None:
        return UNUSED
    if used.seat is not None:
        return SEAT_COLOURS[used.seat]
    return BUS_COLOUR if used.bus else TABLE_COLOUR


def _right_column(table: Wiring, say: Say) -> tuple[list[str], int]:
    drawn, y = [], TOP - 18

    def head(sentence: str, colour: str | None = None) -> None:
        nonlocal y
        y += LINE + 7
        if colour is not None:
            drawn.append(f'<rect x="{COLUMN}" y="{y - 12}" width="14" height="14" rx="3" fill="{colour}"/>')
        x = COLUMN + (22 if colour is not None else 0)
        drawn.append(f'<text x="{x}" y="{y}" font-weight="bold">{escape(_upper(sentence))}</text>')

    def lines(sentence: str, indent: int) -> None:
        nonlocal y
        for row in _wrapped(sentence, LETTERS):
            y += LINE
            drawn.append(f'<text x="{COLUMN + indent}" y="{y}" font-size="12.5">{escape(row)}</text>')

    for n, (name, wires) in enumerate(by_seat(table)):
        head(say(name), SEAT_COLOURS[n] if n < len(table.seats) else TABLE_COLOUR)
        lines(" · ".join(say(wire) for wire in wires), 22)
    for slug, rows in (("wiring-parts", shopping(table)), ("wiring-how", advice(table))):
        y += 6
        head(say(words(slug)))
        for row in rows:
            drawn.append(f'<circle cx="{COLUMN + 10}" cy="{y + LINE - 4}" r="2.5" fill="#555"/>')
            lines(say(row), 22)
    return drawn, y + 40


def _wrapped(sentence: str, width: int) -> Iterator[str]:
    line = ""
    for word in sentence.split(" "):
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line
