"""Number displays: the bytes that two kinds of chip need; and LED strips."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.led_strips import PAUSE, decoded, encoded
from devices.segment_displays import HIGHEST, LOWEST, fitted, ht16k33, number, read, segments, tm1637


@pytest.mark.parametrize(
    ("n", "shown"),
    [
        (0, "   0"),
        (42, "  42"),
        (9999, "9999"),
        (10000, "----"),
        (-1, "  -1"),
        (-999, "-999"),
        (-1000, "----"),
        (None, "----"),
    ],
)
def test_numbers(n: int | None, shown: str) -> None:
    assert number(n) == shown


@given(st.integers(LOWEST, HIGHEST))
def test_every_number_can_be_read(n: int) -> None:
    assert int(read(segments(number(n)))) == n


@given(st.text())
def test_any_text_fits(text: str) -> None:
    assert len(fitted(text)) == len(segments(text)) == 4
    assert read(segments(text)) == fitted(text)


def test_letters() -> None:
    assert fitted("PLAY") == "PLAy"
    assert fitted("Wx") == "    "
    assert fitted("123456") == "1234"
    assert fitted("s") == "   5"


def test_seven_bars() -> None:
    assert segments("8 -1") == (0x7F, 0x00, 0x40, 0x06)


def test_what_a_tm1637_wants() -> None:
    assert tm1637("  12", 2) == (b"\x40", b"\xc0\x00\x00\x06\x5b", b"\x8a")
    assert tm1637("", 99)[2] == b"\x8f"


def test_what_an_ht16k33_wants() -> None:
    on, dim, show, memory = ht16k33("1234", 7)
    assert (on, dim, show) == (b"\x21", b"\xef", b"\x81")
    assert memory == bytes([0, 0x06, 0, 0x5B, 0, 0, 0, 0x4F, 0, 0x66, 0, 0, 0, 0, 0, 0, 0])
    assert ht16k33("", 0)[1] == b"\xe1"


def test_what_a_strip_wants() -> None:
    data = encoded([(1.0, 0.0, 0.0)])
    assert data.startswith(PAUSE)
    assert data.endswith(PAUSE)
    assert data[len(PAUSE) : -len(PAUSE)] == bytes.fromhex("924924db6db6924924")  # green 0, red 255, blue 0


@given(st.lists(st.tuples(*[st.integers(0, 255).map(lambda n: n / 255)] * 3), max_size=20))
def test_strips_there_and_back(lights: list[tuple[float, float, float]]) -> None:
    assert decoded(encoded(lights)) == tuple(lights)
