"""Four-digit counters: their text, and the bytes that two kinds of driver chip need to show it. Pure."""

from __future__ import annotations

WIDTH = 4
LOWEST, HIGHEST = -999, 9999
UNKNOWN = "----"
BRIGHTEST = 7
"""Brightness ranges from 0 (still visible) to this."""

SEGMENTS = {
    " ": 0x00, "-": 0x40, "_": 0x08, "=": 0x48, "0": 0x3F, "1": 0x06, "2": 0x5B, "3": 0x4F, "4": 0x66, "5": 0x6D,
    "6": 0x7D, "7": 0x07, "8": 0x7F, "9": 0x6F, "A": 0x77, "b": 0x7C, "C": 0x39, "c": 0x58, "d": 0x5E, "E": 0x79,
    "F": 0x71, "G": 0x3D, "H": 0x76, "h": 0x74, "i": 0x10, "J": 0x1E, "L": 0x38, "n": 0x54, "o": 0x5C, "P": 0x73,
    "q": 0x67, "r": 0x50, "t": 0x78, "U": 0x3E, "u": 0x1C, "y": 0x6E,
}  # fmt: skip
"""Bit 0 is the top segment, then clockwise; bit 6 is the middle segment."""
_READ = {bits: sign for sign, bits in SEGMENTS.items()}

TM1637_DATA, TM1637_FIRST, TM1637_ON, TM1637_OFF = 0x40, 0xC0, 0x88, 0x80
HT16K33_ON, HT16K33_SHOW, HT16K33_DIM = 0x21, 0x81, 0xE0
HT16K33_ADDRESSES = range(0x70, 0x78)
HT16K33_PLACES = (0, 2, 6, 8)
"""Addresses of the digits in the chip's memory on common boards; 4 is the colon between them."""


def number(n: int | None) -> str:
    """A number as shown on a counter: right-aligned; dashes if it is unknown or does not fit."""
    return UNKNOWN if n is None or not LOWEST <= n <= HIGHEST else str(n).rjust(WIDTH)


def fitted(text: str) -> str:
    """Any text in four places: right-aligned, cut if necessary; characters it cannot show are blank."""
    shown = (_sign(sign) for sign in text.rjust(WIDTH)[:WIDTH])
    return "".join(shown)


def _sign(sign: str) -> str:
    for form in (sign, sign.upper(), sign.lower()):
        if form in SEGMENTS:
            return form
    return {"s": "5", "i": "1", "z": "2", "o": "0"}.get(sign.lower(), " ")


def segments(text: str) -> tuple[int, ...]:
    """The lit segments of each digit."""
    return tuple(SEGMENTS[sign] for sign in fitted(text))


def read(bars: tuple[int, ...]) -> str:
    """The text these segments show; `?` for a pattern that is no character."""
    return "".join(_READ.get(lit & 0x7F, "?") for lit in bars)


def tm1637(text: str, brightness: int = BRIGHTEST) -> tuple[bytes, ...]:
    """The messages for a TM1637, each sent between a start and a stop condition."""
    switch = TM1637_ON | _dimmed(brightness)
    return (bytes([TM1637_DATA]), bytes([TM1637_FIRST, *segments(text)]), bytes([switch]))


def ht16k33(text: str, brightness: int = BRIGHTEST) -> tuple[bytes, ...]:
    """The messages for an HT16K33: wake up, set brightness, switch on, and its whole memory."""
    memory = bytearray(16)
    for place, bars in zip(HT16K33_PLACES, segments(text), strict=True):
        memory[place] = bars
    dim = HT16K33_DIM | (_dimmed(brightness) * 2 + 1)
    return (bytes([HT16K33_ON]), bytes([dim]), bytes([HT16K33_SHOW]), bytes([0x00, *memory]))


def _dimmed(brightness: int) -> int:
    return min(max(brightness, 0), BRIGHTEST)
