"""Connections to chips: I2C and SPI as the kernel offers them, as files, so no library is needed."""

from __future__ import annotations

import fcntl
import os
from typing import Protocol

I2C_ADDRESS = 0x0703
SPI_SPEED = 0x40046B04
"""ioctl requests of the kernel's i2c-dev and spidev."""


class PinLine(Protocol):
    """A connection to one chip."""

    def write(self, data: bytes) -> None:
        """Send a message; raises `OSError` if it is not acknowledged."""

    def close(self) -> None:
        """Close the connection."""


class Lines(Protocol):
    """Opens connections; raises `OSError` if there are none."""

    def i2c(self, address: int) -> PinLine:
        """Open the chip with this address."""

    def spi(self, hertz: int) -> PinLine:
        """Open the SPI data line."""


class _File:
    def __init__(self, name: str, request: int, argument: int | bytes) -> None:
        self.descriptor = os.open(name, os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.ioctl(self.descriptor, request, argument)
        except OSError:
            self.close()
            raise

    def write(self, data: bytes) -> None:
        if os.write(self.descriptor, data) != len(data):
            raise OSError("only a part of the message was taken")

    def close(self) -> None:
        os.close(self.descriptor)


class KernelLines:
    """The I2C and SPI lines of this computer."""

    def __init__(self, i2c: str = "/dev/i2c-1", spi: str = "/dev/spidev0.0") -> None:
        self.i2c_file, self.spi_file = i2c, spi

    def i2c(self, address: int) -> PinLine:
        return _File(self.i2c_file, I2C_ADDRESS, address)

    def spi(self, hertz: int) -> PinLine:
        return _File(self.spi_file, SPI_SPEED, hertz.to_bytes(4, "little"))
