"""How much memory the odds of a battle may take: told before anything large is made, so that a small machine refuses
in time instead of running out of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

MEGABYTE = 1 << 20
MOST = 512 * MEGABYTE
"""However much there is."""
SHARE = 4
"""One part in so many of what is free."""
MEMINFO = Path("/proc/meminfo")


@cache
def allowed() -> int:
    """Bytes the odds may take: `MOST`, or a quarter of what was free when this was first asked, if that is less."""
    try:
        return room_of(MEMINFO.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return MOST


def room_of(meminfo: str) -> int:
    """The same by what Linux tells about memory: lines like `MemAvailable:  812344 kB`."""
    lines = dict(line.split(":", 1) for line in meminfo.splitlines() if ":" in line)
    if "MemAvailable" not in lines:
        return MOST
    free = int(lines["MemAvailable"].split()[0]) * 1024
    return min(MOST, free // SHARE)
