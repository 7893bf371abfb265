"""A touch panel made by the kernel's uinput; needs only Python.

    panel.py WIDE HIGH <TAPS

Makes a panel of WIDE by HIGH pixels, then taps it at each line "X Y" of standard input.
"""

from __future__ import annotations

import fcntl
import os
import struct
import sys
import time

EV_SYN, EV_KEY, EV_ABS = 0, 1, 3
BTN_TOUCH, SLOT, ID, X, Y = 0x14A, 0x2F, 0x39, 0x35, 0x36
SECONDS = 0.15
"""How long a finger is down."""


class Panel:
    """A touch panel as the kernel knows them, made by uinput."""

    def __init__(self, wide: int, high: int) -> None:
        self.file = os.open("/dev/uinput", os.O_WRONLY)
        for event in (EV_KEY, EV_ABS):
            fcntl.ioctl(self.file, 0x40045564, event)
        fcntl.ioctl(self.file, 0x40045565, BTN_TOUCH)
        fcntl.ioctl(self.file, 0x4004556E, 1)  # touched where it shows
        for code, many in ((0, wide), (1, high), (SLOT, 10), (ID, 65536), (X, wide), (Y, high)):
            fcntl.ioctl(self.file, 0x40045567, code)
            fcntl.ioctl(self.file, 0x401C5504, struct.pack("H2x6i", code, 0, 0, many - 1, 0, 0, 0))
        fcntl.ioctl(self.file, 0x405C5503, struct.pack("4H80sI", 3, 0x1234, 1, 1, b"booted touch panel", 0))
        fcntl.ioctl(self.file, 0x5501)
        self._id = 0

    def _tell(self, *events: tuple[int, int, int]) -> None:
        for kind, code, value in (*events, (EV_SYN, 0, 0)):
            os.write(self.file, struct.pack("llHHi", 0, 0, kind, code, value))

    def down(self, x: int, y: int) -> None:
        """A finger comes down."""
        self._id += 1
        self._tell(
            (EV_ABS, SLOT, 0), (EV_ABS, ID, self._id), (EV_ABS, X, x), (EV_ABS, Y, y), (EV_KEY, BTN_TOUCH, 1)
        )

    def move(self, x: int, y: int) -> None:
        """It moves."""
        self._tell((EV_ABS, SLOT, 0), (EV_ABS, X, x), (EV_ABS, Y, y))

    def up(self) -> None:
        """It goes."""
        self._tell((EV_ABS, SLOT, 0), (EV_ABS, ID, -1), (EV_KEY, BTN_TOUCH, 0))

    def tap(self, x: int, y: int) -> None:
        """A finger comes down and goes."""
        self.down(x, y)
        time.sleep(SECONDS)
        self.up()


def main() -> None:
    """Tap where we are told."""
    panel = Panel(*map(int, sys.argv[1:3]))
    for line in sys.stdin:
        panel.tap(*map(int, line.split()))


if __name__ == "__main__":
    main()
