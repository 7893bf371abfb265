"""`table.toml`: what is wired where. Read strictly: all errors are reported at once, with line and remedy."""

from __future__ import annotations

import difflib
import errno
import os
import re
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct, field, inspect

from devices import DeviceTrouble
from devices.segment_displays import HT16K33_ADDRESSES
from devices.words import Problem, Sentence, part, words

SEATS = range(2, 7)
PINS = range(28)
"""The GPIO numbers ("BCM") on the header of every Pi."""
EEPROM = (0, 1)
I2C = (2, 3)
SPI = (7, 8, 9, 10, 11)
SERIAL = (14, 15)
MOST_LINES, MOST_BYTES = 300, 40_000
MOST_LIGHTS = 300
_HEADER = """3V3 5V 2 5V 3 GND 4 14 GND 15 17 18 27 GND 22 23 3V3 24 10 GND 9 25 11 8 GND 7 0 1 5 GND 6 12 13 GND
    19 16 26 20 GND 21"""
HEADER: dict[int, int | str] = {
    pin: int(what) if what.isdigit() else what for pin, what in enumerate(_HEADER.split(), start=1)
}
"""The forty pins of the header: a GPIO number, or a supply voltage or ground."""
HEADER_OF = {what: pin for pin, what in HEADER.items() if isinstance(what, int)}
PREFERRED = (17, 27, 22, 23, 24, 25, 5, 6, 12, 13, 16, 19, 20, 21, 26, 4, 18, 15, 14, 7, 8, 9, 10, 11, 3, 2)
"""The order in which free pins are suggested: those with a second function last."""

Path_: TypeAlias = tuple[str | int, ...]


class Led(Struct, frozen=True, tag="led", tag_field="kind", forbid_unknown_fields=True):
    """A lamp of one colour, from its pin through a resistor to ground; `inverted` if it goes to 3.3 V instead."""

    pin: int
    inverted: bool = False


class Rgb(Struct, frozen=True, tag="rgb", tag_field="kind", forbid_unknown_fields=True):
    """A lamp of three colours; `inverted` if their common leg goes to 3.3 V."""

    red: int
    green: int
    blue: int
    inverted: bool = False


class Strip(Struct, frozen=True, tag="strip", tag_field="kind", forbid_unknown_fields=True):
    """Some lights of the WS2812 strip whose data line is at GPIO 10 (SPI); they are counted from 0."""

    first: int
    count: int = 1


class Tm1637(Struct, frozen=True, tag="tm1637", tag_field="kind", forbid_unknown_fields=True):
    """A counter with two data lines of its own."""

    clk: int
    dio: int


class Ht16k33(Struct, frozen=True, tag="ht16k33", tag_field="kind", forbid_unknown_fields=True):
    """A counter on the I2C lines, GPIO 2 and 3, which all of these share."""

    address: int


class Knob(Struct, frozen=True, forbid_unknown_fields=True):
    """A rotary encoder with a button in it."""

    a: int
    b: int
    press: int


class Buzzer(Struct, frozen=True, forbid_unknown_fields=True):
    """A buzzer; `tones` if it has no pitch of its own ("passive")."""

    pin: int
    tones: bool = True


WiredLamp: TypeAlias = Led | Rgb | Strip
SegmentDisplay: TypeAlias = Tm1637 | Ht16k33


class WiredSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """What one seat has; buttons go from their pin to ground."""

    button: int
    lamp: WiredLamp
    counter: SegmentDisplay | None = None


class Whole(Struct, frozen=True, forbid_unknown_fields=True):
    """What belongs to no seat."""

    undo: int | None = None
    next: int | None = None
    knob: Knob | None = None
    buzzer: Buzzer | None = None
    shutdown: int | None = None


class Wiring(Struct, frozen=True, forbid_unknown_fields=True):
    """A complete wiring."""

    seats: tuple[WiredSeat, ...] = field(name="seat")
    whole: Whole = field(name="table", default=Whole())


class BadWiring(DeviceTrouble, ValueError):
    """An invalid `table.toml`; `problems` lists everything that is wrong, in the order of its lines."""

    def __init__(self, file: str, problems: tuple[Problem, ...]) -> None:
        self.words = words("bad-table", file=file)
        self.problems = problems
        super().__init__("\n".join(map(str, (self.words, *problems))))


class NoWiring(DeviceTrouble):
    """A `table.toml` that cannot be read."""

    def __init__(self, file: str, why: str) -> None:
        self.words = words("cannot-read", file=file, why=why)
        super().__init__(str(self.words))


EXAMPLES = {
    "lamp": 'lamp = { kind = "led", pin = 27 }',
    "counter": 'counter = { kind = "ht16k33", address = 0x70 }',
    "knob": "knob = { a = 5, b = 6, press = 13 }",
    "buzzer": "buzzer = { pin = 13 }",
    "table": "undo = 12",
}


def load(file: Path) -> Wiring:
    """The wiring in this file; raises `NoWiring` or `BadWiring`."""
    try:
        # Non-blocking: opening a pipe without a writer would wait forever.
        with open(file, "rb", opener=lambda name, how: os.open(name, how | os.O_NONBLOCK)) as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                raise OSError(errno.EINVAL, "it is a device or a pipe")
            data = opened.read(MOST_BYTES + 1)
    except OSError as e:
        raise NoWiring(str(file), e.strerror or str(e)) from e
    return read(data, str(file))


def read(data: bytes, name: str = "table.toml") -> Wiring:
    """The wiring this text describes; raises `BadWiring` with everything that is wrong."""
    text, raw = _parsed(data, name)
    problems = list(_shape(inspect.type_info(Wiring), raw, ()))
    if not any(path == ("seat",) for path, _ in problems):
        problems += _counted(raw)
    problems += _wired(raw)
    if problems:
        lines = _lines(text)
        found = [Problem(what, _line(lines, path)) for path, what in problems]
        raise BadWiring(name, tuple(sorted(found, key=lambda p: (p.line or 0, str(p)))))
    return msgspec.convert(raw, Wiring)


def problems(table: Wiring) -> tuple[Problem, ...]:
    """What is wrong with a wiring that was not read from a file."""
    raw = msgspec.to_builtins(table)
    return tuple(Problem(what) for _, what in [*_counted(raw), *_wired(raw)])


def _parsed(data: bytes, name: str) -> tuple[str, dict[str, Any]]:
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as e:
        line = data[: e.start].count(b"\n") + 1
        raise BadWiring(name, (Problem(words("not-text"), line),)) from e
    if text.count("\n") > MOST_LINES or len(data) > MOST_BYTES:
        raise BadWiring(name, (Problem(words("too-long", most=MOST_LINES)),))
    try:
        return text, tomllib.loads(text)
    except (ValueError, RecursionError) as e:  # Python itself refuses numbers of thousands of digits
        why, line = _toml_error(str(e), text)
        raise BadWiring(name, (Problem(words("not-toml", why=why), line),)) from e


def _toml_error(said: str, text: str) -> tuple[str, int]:
    where = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)", said)
    if where is None:
        return said, 1
    return said[: where.start()], int(where[1] or text.count("\n") + 1)


# The shape: which keys there are, and what kind of value each has.


def _shape(kind: inspect.Type, raw: Any, path: Path_) -> Iterator[tuple[Path_, Sentence]]:
    key = str(path[-1]) if path else ""
    match kind:
        case inspect.StructType(cls=cls, tag=tag, tag_field=tag_field):
            if not isinstance(raw, dict):
                yield (
                    path,
                    words("not-a-group", where=_place(path), key=key, example=EXAMPLES.get(key, "{ }")),
                )
                return
            known = {f.encode_name: f for f in kind.fields}
            names = [*known, *((tag_field,) if tag and tag_field else ())]
            for name in raw:
                if name not in names:
                    said = words("unknown-key", where=_place(path), key=name, advice=_advice(name, names))
                    yield (*path, name), said
            for name, known_field in known.items():
                if name in raw:
                    yield from _shape(known_field.type, raw[name], (*path, name))
                elif known_field.required and cls is not Wiring:
                    yield path, words("missing-key", where=_place(path), key=name)
        case inspect.UnionType(types=types):
            structs = [t for t in types if isinstance(t, inspect.StructType)]
            some = [t for t in types if not isinstance(t, inspect.NoneType)]
            yield from _shape_of_kind(structs, raw, path) if len(structs) > 1 else _shape(some[0], raw, path)
        case inspect.VarTupleType(item_type=item):
            if not isinstance(raw, list) or not all(isinstance(one, dict) for one in raw):
                yield path, words("not-seats")
                return
            for n, one in enumerate(raw):
                yield from _shape(item, one, (*path, n))
        case inspect.IntType() if type(raw) is not int:
            yield path, words("not-a-number", where=_place(path), key=key, example=_example(path))
        case inspect.BoolType() if type(raw) is not bool:
            yield path, words("not-yes-or-no", where=_place(path), key=key)
        case _:
            pass


def _shape_of_kind(
    structs: list[inspect.StructType], raw: Any, path: Path_
) -> Iterator[tuple[Path_, Sentence]]:
    """One of several groups, distinguished by their `kind`."""
    key = str(path[-1])
    if not isinstance(raw, dict):
        yield path, words("not-a-group", where=_place(path), key=key, example=EXAMPLES[key])
        return
    kinds = {str(struct.tag): struct for struct in structs}
    if "kind" not in raw:
        yield path, words("missing-key", where=_place(path), key="kind")
    elif raw["kind"] not in kinds if isinstance(raw["kind"], str) else True:
        kind = str(raw["kind"])
        advice = _advice(kind, list(kinds))
        yield (*path, "kind"), words("unknown-kind", where=_place(path), kind=kind, advice=advice)
    else:
        yield from _shape(kinds[raw["kind"]], raw, path)


def _advice(name: str, known: list[str]) -> Sentence:
    near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    return words("did-you-mean", near=near[0]) if near else words("known-keys", known=", ".join(known))


def _example(path: Path_) -> str:
    return "0x70" if path[-1] == "address" else "1" if path[-1] == "count" else "17"


def _place(path: Path_) -> Sentence:
    """What people call this place of the file."""
    seat = path[1] if len(path) > 1 and path[0] == "seat" and isinstance(path[1], int) else None
    rest = [
        str(step) for step in (path[2:] if seat is not None else path[1:] if path[:1] == ("table",) else path)
    ]
    while rest:
        slug = "-".join(rest)
        if f"part-{slug}" in _NAMED and (seat is None) == (rest[0] in Whole.__struct_fields__):
            return part(slug, seat)
        rest.pop()
    if seat is not None:
        return part("seat", seat)
    return part("table" if path[:1] == ("table",) else "file")


_NAMED = {
    *(f"part-{name}" for name in ("button", "lamp", "lamp-red", "lamp-green", "lamp-blue", "counter")),
    *(f"part-{name}" for name in ("counter-clk", "counter-dio", "undo", "next", "knob", "knob-a", "knob-b")),
    *(f"part-{name}" for name in ("knob-press", "buzzer", "shutdown")),
}


# What the values mean: pins, addresses and lights, as far as they are valid.


def _counted(raw: dict[str, Any]) -> Iterator[tuple[Path_, Sentence]]:
    seats = raw.get("seat", [])
    if len(seats) not in SEATS:
        over = len(seats) > SEATS[-1]
        yield (("seat", SEATS[-1]) if over else ("seat",), words("seats", n=len(seats)))


def _wired(raw: dict[str, Any]) -> Iterator[tuple[Path_, Sentence]]:
    pins = list(_pins(raw))
    reserved = _reserved(raw)
    busy = {pin for _, pin in pins} | set(
        reserved
    )  # including those suggested already, so that all advice can be followed at once

    def advice() -> Sentence:
        pin = next((pin for pin in PREFERRED if pin not in busy), None)
        if pin is None:
            return words("no-pin-left")
        busy.add(pin)
        return words("take-pin", pin=pin)

    taken: dict[int, Path_] = {}
    for path, pin in pins:
        where = _place(path)
        if pin not in PINS:
            gpio = HEADER.get(pin)
            if isinstance(gpio, int) and gpio not in busy:
                busy.add(gpio)
                yield path, words("header-number", where=where, pin=pin, gpio=gpio)
            else:
                yield path, words("no-such-pin", where=where, pin=pin, advice=advice())
        elif pin in reserved:
            yield path, words(reserved[pin], where=where, pin=pin, advice=advice())
        elif pin in taken:
            other = _place(taken[pin])
            yield path, words("pin-twice", where=where, pin=pin, other=other, advice=advice())
        else:
            taken[pin] = path
    yield from _addresses(raw)
    yield from _strip(raw)
    whole = _dict(raw.get("table"))
    if whole.get("next") is not None and whole.get("knob") is not None:
        yield ("table", "next"), words("next-and-knob")


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _seats(raw: dict[str, Any]) -> list[dict[str, Any]]:
    seats = raw.get("seat")
    return [_dict(seat) for seat in seats] if isinstance(seats, list | tuple) else []


def _pins(raw: dict[str, Any]) -> Iterator[tuple[Path_, int]]:
    """Every pin whose value is a number, in the order of the file."""
    whole = _dict(raw.get("table"))
    groups: list[tuple[Path_, dict[str, Any], tuple[str, ...]]] = []
    for n, seat in enumerate(_seats(raw)):
        groups += [
            (("seat", n), seat, ("button",)),
            (("seat", n, "lamp"), _dict(seat.get("lamp")), ("pin", "red", "green", "blue")),
            (("seat", n, "counter"), _dict(seat.get("counter")), ("clk", "dio")),
        ]
    groups += [
        (("table",), whole, ("undo", "next", "shutdown")),
        (("table", "knob"), _dict(whole.get("knob")), ("a", "b", "press")),
        (("table", "buzzer"), _dict(whole.get("buzzer")), ("pin",)),
    ]
    for path, group, keys in groups:
        for key in keys:
            if type(group.get(key)) is int:
                yield (*path, key), group[key]


def _reserved(raw: dict[str, Any]) -> dict[int, str]:
    """Pins that something else needs, and the slug of the sentence that says so."""
    seats = _seats(raw)
    i2c = any(_dict(seat.get("counter")).get("kind") == "ht16k33" for seat in seats)
    spi = any(_dict(seat.get("lamp")).get("kind") == "strip" for seat in seats)
    reserved = dict.fromkeys(EEPROM, "eeprom-pin")
    return (
        reserved
        | (dict.fromkeys(I2C, "i2c-pin") if i2c else {})
        | (dict.fromkeys(SPI, "spi-pin") if spi else {})
    )


def _addresses(raw: dict[str, Any]) -> Iterator[tuple[Path_, Sentence]]:
    given = [
        (("seat", n, "counter", "address"), counter["address"])
        for n, seat in enumerate(_seats(raw))
        if type((counter := _dict(seat.get("counter"))).get("address")) is int
    ]
    free = iter([a for a in HT16K33_ADDRESSES if a not in {address for _, address in given}])
    taken: dict[int, Path_] = {}
    for path, address in given:
        where, shown = _place(path), f"0x{address:02x}" if address >= 0 else str(address)
        if address in HT16K33_ADDRESSES and address not in taken:
            taken[address] = path
            continue
        advice = words("take-address", address=f"0x{next(free, HT16K33_ADDRESSES[0]):02x}")
        if address not in HT16K33_ADDRESSES:
            yield path, words("no-such-address", where=where, address=shown, advice=advice)
        else:
            other = _place(taken[address])
            yield path, words("address-twice", where=where, address=shown, other=other, advice=advice)


def _strip(raw: dict[str, Any]) -> Iterator[tuple[Path_, Sentence]]:
    lamps = [(n, _dict(seat.get("lamp"))) for n, seat in enumerate(_seats(raw))]
    parts = [
        (("seat", n, "lamp"), lamp["first"], lamp.get("count", 1))
        for n, lamp in lamps
        if type(lamp.get("first")) is int and type(lamp.get("count", 1)) is int
    ]
    end = max((first + count for _, first, count in parts), default=0)
    taken: dict[int, Path_] = {}
    for path, first, count in parts:
        if first < 0 or count < 1 or first + count > MOST_LIGHTS:
            yield path, words("strip-places", where=_place(path), most=MOST_LIGHTS)
            continue
        clash = next((taken[n] for n in range(first, first + count) if n in taken), None)
        if clash is not None:
            yield path, words("strip-twice", where=_place(path), other=_place(clash), free=end)
            end += count
            continue
        taken.update(dict.fromkeys(range(first, first + count), path))


# Line numbers: the TOML parser gives none, but a file cut off after a line can be parsed as well.


def _lines(text: str) -> list[tuple[int, dict[str, Any]]]:
    """What the file says up to each of its lines; lines inside a multi-line value are left out."""
    read, rows = [], text.split("\n")
    for n in range(1, len(rows) + 1):
        try:
            read.append((n, tomllib.loads("\n".join(rows[:n]))))
        except tomllib.TOMLDecodeError:
            continue
    return read


def _line(lines: list[tuple[int, dict[str, Any]]], path: Path_) -> int:
    """The first line after which this place exists, or the nearest one above it."""
    for length in range(len(path), 0, -1):
        for n, raw in lines:
            if _holds(raw, path[:length]):
                return n
    return 1


def _holds(raw: Any, path: Path_) -> bool:
    for step in path:
        try:
            raw = raw[step]
        except (LookupError, TypeError):
            return False
    return True


# Suggested wirings, and how to write one to a file.

SEAT_PINS = ((17, 27), (22, 23), (24, 25), (5, 6), (16, 20), (19, 26))
"""Button and lamp of each seat: neighbours on the header where possible."""
WHOLE = Whole(undo=12, next=21, buzzer=Buzzer(13), shutdown=4)


def default(seats: int = 4, *, counters: bool = False) -> Wiring:
    """The default wiring; HT16K33 counters can be added to it without further pins."""
    if seats not in SEATS:
        raise BadWiring("table.toml", (Problem(words("seats", n=seats)),))
    return Wiring(
        tuple(
            WiredSeat(button, Led(lamp), Ht16k33(HT16K33_ADDRESSES[n]) if counters else None)
            for n, (button, lamp) in enumerate(SEAT_PINS[:seats])
        ),
        WHOLE,
    )


def toml(table: Wiring) -> str:
    """The text of a file that describes this wiring."""
    lines = ["# What is wired where; the numbers are GPIO numbers. docs/panel.md tells all about it.", ""]
    for n, seat in enumerate(table.seats, start=1):
        lines += [f"[[seat]] # {n}", *_assigned(seat), ""]
    lines += ["[table]", *_assigned(table.whole), ""]
    return "\n".join(lines)


def _assigned(group: Struct) -> Iterator[str]:
    for name in group.__struct_fields__:
        value = getattr(group, name)
        if value is not None and not (name == "inverted" and value is False):
            yield f"{name} = {_value(name, value)}"


def _value(name: str, value: Any) -> str:
    if isinstance(value, Struct):
        tag = inspect.type_info(type(value))
        kind = [f'kind = "{tag.tag}"'] if isinstance(tag, inspect.StructType) and tag.tag else []
        return "{ " + ", ".join([*kind, *_assigned(value)]) + " }"
    if isinstance(value, bool):
        return str(value).lower()
    return f"0x{value:02x}" if name == "address" else str(value)
