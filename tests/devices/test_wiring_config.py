"""`table.toml`: our suggestion is valid, and all errors are reported together, with line and remedy."""

from __future__ import annotations

import contextlib
import re
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices import DeviceTrouble
from devices.wiring_config import (
    HEADER,
    HEADER_OF,
    PINS,
    SEATS,
    BadWiring,
    Buzzer,
    Ht16k33,
    Knob,
    Led,
    NoWiring,
    Rgb,
    Strip,
    Tm1637,
    Whole,
    WiredSeat,
    Wiring,
    default,
    load,
    problems,
    read,
    toml,
)
from devices.words import ENGLISH, Sentence

EVERYTHING = Wiring(
    (
        WiredSeat(17, Rgb(22, 23, 24, inverted=True), Tm1637(5, 6)),
        WiredSeat(27, Strip(0, 3), Ht16k33(0x77)),
        WiredSeat(25, Led(26, inverted=True)),
    ),
    Whole(undo=4, knob=Knob(14, 15, 18), buzzer=Buzzer(13, tones=False), shutdown=12),
)

BAD = """\
# mine
[[seat]]
buton = 17
lamp = { kind = "led", pin = 29 }

[[seat]]
button = 99
lamp = { kind = "lde", pin = 16 }
counter = { kind = "ht16k33", address = 0x20 }
[[seat]]
button = 5
lamp = { kind = "rgb", red = 5, green = 2, blue = 1.5, x = 1 }
counter = 5
[table]
undo = "a"
shutdown = 5
next = 0
knob = { a = 1, b = 3, press = 4 }
buzzer = { pin = 12, tones = 1 }
[other]
"""


def refused(text: str) -> list[str]:
    with pytest.raises(BadWiring) as told:
        read(text.encode())
    return [str(problem) for problem in told.value.problems]


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("counters", [False, True])
def test_what_we_suggest_obeys_the_rules(seats: int, counters: bool) -> None:
    table = default(seats, counters=counters)
    assert len(table.seats) == seats
    assert problems(table) == ()
    assert read(toml(table).encode()) == table


def test_everything_can_be_written_and_read() -> None:
    assert read(toml(EVERYTHING).encode()) == EVERYTHING
    assert read(("\ufeff" + toml(EVERYTHING).replace("\n", "\r\n")).encode()) == EVERYTHING


def test_all_problems_at_once_with_line_and_advice() -> None:
    assert refused(BAD) == [
        "Line 2: seat 1: “button” is missing.",
        "Line 3: seat 1: “buton” is unknown. Did you mean button?",
        "Line 4: seat 1, lamp: there is no GPIO 29. Take GPIO 17, which is free.",
        "Line 7: seat 2, button: there is no GPIO 99. Take GPIO 27, which is free.",
        "Line 8: seat 2, lamp: there is no kind “lde”. Did you mean led?",
        "Line 9: seat 2, counter: an HT16K33 has an address from 0x70 to 0x77, not 0x20."
        " Take 0x70: solder its jumpers accordingly.",
        "Line 12: seat 3, lamp (blue): “blue” must be a whole number, like blue = 17.",
        "Line 12: seat 3, lamp (green): GPIO 2 is taken by the HT16K33 counters (I2C)."
        " Take GPIO 23, which is free.",
        "Line 12: seat 3, lamp (red): GPIO 5 is already used (seat 3, button). Take GPIO 22, which is free.",
        "Line 12: seat 3, lamp: “x” is unknown. Possible here: red, green, blue, inverted, kind.",
        'Line 13: seat 3, counter: “counter” must be in braces, like counter = { kind = "ht16k33", address = 0x70 }.',
        "Line 15: undo button: “undo” must be a whole number, like undo = 17.",
        "Line 16: shutdown button: GPIO 5 is already used (seat 3, button). Take GPIO 25, which is free.",
        "Line 17: a knob has a button itself: leave out either “next” or “knob”.",
        "Line 17: next button: GPIO 0 belongs to the Pi itself (it asks there which board is plugged on)."
        " Take GPIO 24, which is free.",
        "Line 18: knob (A): GPIO 1 belongs to the Pi itself (it asks there which board is plugged on)."
        " Take GPIO 6, which is free.",
        "Line 18: knob (B): GPIO 3 is taken by the HT16K33 counters (I2C). Take GPIO 13, which is free.",
        "Line 19: buzzer: “tones” must be true or false.",
        "Line 20: file: “other” is unknown. Possible here: seat, table.",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Line 1: 0 seats: there must be 2 to 6, each headed [[seat]]."),
        ("seat = 1", "Line 1: each seat has its own part of the file, headed [[seat]]."),
        ("\nseat = [1, 2]", "Line 2: each seat has its own part of the file, headed [[seat]]."),
        ("[[seat]]\nbutton = 1 2", "Line 2: this is not TOML: Expected newline"),
        ("x = [1,\n2\n", "Line 3: this is not TOML: Unclosed array."),
        ("# \n" * 400, "this file is too long"),
        ("x = " + "1" * 5000, "Line 1: this is not TOML"),
        ("x = " + "[" * 5000, "Line 1: this is not TOML"),
    ],
)
def test_files_that_are_no_wiring(text: str, said: str) -> None:
    assert any(sentence.startswith(said) for sentence in refused(text))


def test_too_many_seats() -> None:
    text = "".join(
        f'[[seat]]\nbutton = {n}\nlamp = {{ kind = "led", pin = {n + 10} }}\n' for n in range(4, 11)
    )
    assert "Line 19: 7 seats: there must be 2 to 6, each headed [[seat]]." in refused(text)


def test_not_even_text() -> None:
    with pytest.raises(BadWiring, match="Line 2: this is not a text"):
        read(b"# a\n\xff")


def test_lights_of_a_strip() -> None:
    seat = '[[seat]]\nbutton = {}\nlamp = {{ kind = "strip", first = {}, count = {} }}\n'
    text = seat.format(17, 0, 4) + seat.format(27, 3, 4) + seat.format(22, -1, 4) + seat.format(10, 12, 0)
    assert refused(text) == [
        "Line 6: seat 2, lamp: these lights of the strip are already used (seat 1, lamp). Take first = 12.",
        "Line 9: seat 3, lamp: lights on a strip are counted from 0, and at least one is needed (at most 300).",
        "Line 11: seat 4, button: GPIO 10 is taken by the light strip (SPI). Take GPIO 23, which is free.",
        "Line 12: seat 4, lamp: lights on a strip are counted from 0, and at least one is needed (at most 300).",
    ]


def test_numbers_counted_on_the_header() -> None:
    text = toml(default(2)).replace("button = 17", "button = 36")
    assert refused(text) == [
        "Line 4: seat 1, button: there is no GPIO 36. If you counted on the header: its pin 36 is GPIO 16."
    ]


def test_no_pin_left() -> None:
    rgb = [f'lamp = {{ kind = "rgb", red = {n}, green = {n + 1}, blue = {n + 2} }}' for n in range(4, 22, 3)]
    text = "".join(
        f"[[seat]]\nbutton = {button}\n{lamp}\n"
        for button, lamp in zip((22, 23, 24, 25, 26, 27), rgb, strict=True)
    )
    assert refused(text + "[table]\nundo = 22\nnext = 22\nshutdown = 22\n") == [
        "Line 20: undo button: GPIO 22 is already used (seat 1, button). Take GPIO 3, which is free.",
        "Line 21: next button: GPIO 22 is already used (seat 1, button). Take GPIO 2, which is free.",
        "Line 22: shutdown button: GPIO 22 is already used (seat 1, button). No pin is left: "
        "lamps on a light strip and HT16K33 counters need fewer.",
    ]


def wiring(pins: list[int]) -> list[str]:
    lines = []
    for n in range(4):
        lines += [
            "[[seat]]",
            f"button = {pins[2 * n]}",
            f'lamp = {{ kind = "led", pin = {pins[2 * n + 1]} }}',
        ]
        lines += [f'counter = {{ kind = "ht16k33", address = {0x70 + n} }}']
    return [*lines, "[table]", f"undo = {pins[8]}", f"shutdown = {pins[9]}"]


@given(st.lists(st.integers(-2, 45), min_size=10, max_size=10))
def test_following_all_advice_makes_it_right(pins: list[int]) -> None:
    lines = wiring(pins)
    try:
        read("\n".join(lines).encode())
    except BadWiring as e:
        for problem in e.problems:
            assert problem.line is not None
            gpio = re.search(r"Take GPIO (\d+)|is GPIO (\d+)", str(problem))
            assert gpio is not None
            old = re.escape(str(problem.what.args["pin"]))
            advised = gpio[1] or gpio[2]
            lines[problem.line - 1] = re.sub(rf"= {old}\b", f"= {advised}", lines[problem.line - 1])
        read("\n".join(lines).encode())


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_in_words(data: bytes) -> None:
    with pytest.raises(BadWiring) as told:
        read(data)
    assert told.value.problems


@given(st.integers(0, 12), st.text(string.printable, max_size=12))
def test_any_damage_is_refused_in_words_or_harmless(line: int, junk: str) -> None:
    lines = toml(EVERYTHING).splitlines()
    lines[line] = lines[line][: len(junk)] + junk
    with contextlib.suppress(BadWiring):
        read("\n".join(lines).encode())


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    with pytest.raises(NoWiring, match="No such file"):
        load(file)
    with pytest.raises(DeviceTrouble):
        load(tmp_path)
    file.write_text(toml(default(6)))
    assert load(file) == default(6)
    with pytest.raises(ValueError, match="7 seats"):
        default(7)


def test_the_header() -> None:
    assert set(HEADER_OF) == set(PINS)
    assert (HEADER[1], HEADER[39], HEADER[40], HEADER_OF[17]) == ("3V3", "GND", 21, 11)
    assert len(HEADER) == 40
    assert sum(what == "GND" for what in HEADER.values()) == 8


def test_every_sentence_has_its_arguments() -> None:
    for slug, sentence in ENGLISH.items():
        names = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
        assert "{" not in str(Sentence(slug, dict.fromkeys(names, "x")))
