"""The addresses at which phones may reach this machine."""

from __future__ import annotations

import array
import fcntl
import ipaddress
import socket
import struct
from contextlib import suppress


def addresses() -> tuple[str, ...]:
    """The private IPv4 addresses of this machine, the one with the way out first."""
    found = [ip for ip in (_way_out(), *_interfaces()) if ip and ipaddress.ip_address(ip).is_private]
    usable = (ip for ip in found if not ip.startswith(("127.", "169.254.")))
    return tuple(dict.fromkeys(usable))[:8]


def _way_out() -> str:
    """The address by which packets would leave; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way, suppress(OSError):
        way.connect(("192.0.2.1", 9))
        return str(way.getsockname()[0])
    return ""


def _interfaces() -> tuple[str, ...]:
    """The addresses of all interfaces, by the SIOCGIFCONF request."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_, suppress(OSError):
        buffer = array.array("B", bytes(40 * 64))
        where, _ = buffer.buffer_info()
        answer = fcntl.ioctl(any_.fileno(), 0x8912, struct.pack("iL", len(buffer), where))
        (length,) = struct.unpack_from("i", answer)
        return tuple(socket.inet_ntoa(bytes(buffer[n + 20 : n + 24])) for n in range(0, length, 40))
    return ()
