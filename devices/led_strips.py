"""LED strips (WS2812) on the SPI data line: each bit is sent as three, long or short. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from devices.lights import Light

HERTZ = 2_400_000
"""SPI speed at which three of its bits take the 1.25 microseconds of one bit of the strip."""
PAUSE = bytes(90)
"""A pause of 300 microseconds, after which the strip shows what it received."""


def encoded(lights: Sequence[Light]) -> bytes:
    """The bytes to send so that the strip shows these lights."""
    bits = []
    for red, green, blue in lights:
        for part in (green, red, blue):
            byte = round(min(max(part, 0.0), 1.0) * 255)
            bits += [0b110 if byte >> n & 1 else 0b100 for n in range(7, -1, -1)]
    number = 0
    for three in bits:
        number = number << 3 | three
    return PAUSE + number.to_bytes(len(bits) * 3 // 8, "big") + PAUSE


def decoded(data: bytes) -> tuple[Light, ...]:
    """The lights encoded in these bytes."""
    body = data[len(PAUSE) : -len(PAUSE)]
    number = int.from_bytes(body, "big")
    threes = [number >> shift & 0b111 for shift in range(len(body) * 8 - 3, -1, -3)]
    parts = [
        sum((three == 0b110) << 7 - n for n, three in enumerate(threes[k : k + 8])) / 255
        for k in range(0, len(threes), 8)
    ]
    return tuple((parts[k + 1], parts[k], parts[k + 2]) for k in range(0, len(parts), 3))
