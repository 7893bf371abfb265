"""How much memory the odds of a battle may use; checked before anything large is allocated, so that a small
machine refuses in time instead of running out of memory."""

from __future__ import annotations

from functools import cache
from pathlib import Path

MEGABYTE = 1 << 20
MOST = 512 * MEGABYTE
"""The limit, however much memory is free."""
SHARE = 4
"""The odds may use one part in this many of the free memory."""
MEMINFO = Path("/proc/meminfo")


@cache
def allowed() -> int:
    """Bytes the odds may use: `MOST`, or a quarter of the memory that was free at the first call, if that is less."""
    try:
        return room_of(MEMINFO.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return MOST


def room_of(meminfo: str) -> int:
    """The same, computed from the text of Linux's `/proc/meminfo`: lines like `MemAvailable:  812344 kB`."""
    lines = dict(line.split(":", 1) for line in meminfo.splitlines() if ":" in line)
    if "MemAvailable" not in lines:
        return MOST
    free = int(lines["MemAvailable"].split()[0]) * 1024
    return min(MOST, free // SHARE)
