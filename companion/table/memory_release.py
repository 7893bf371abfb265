"""Returns free memory to the system, as a companion may share a small computer.

The C library keeps a pool of memory for each thread, including what was freed. Pictures take dozens of
megabytes, so a handful of threads would hold twice what is used. Without glibc this does nothing.
"""

from __future__ import annotations

import ctypes
from typing import Any

POOLS = 2
LARGE = 4_000_000
"""From this size in bytes on, memory is returned as soon as it is freed: a 1920x1080 picture has six million.
A lower value would cost time, as the system hands out memory page by page."""

ARENA_MAX, MMAP_THRESHOLD = -8, -3
"""glibc's numbers of both options."""


def _glibc() -> Any:
    found = ctypes.CDLL(None)
    return found if hasattr(found, "mallopt") and hasattr(found, "malloc_trim") else None


def hold_little() -> None:
    """Let all threads share a few pools, and keep pictures out of them; call this before starting threads."""
    if (library := _glibc()) is not None:
        library.mallopt(ARENA_MAX, POOLS)
        library.mallopt(MMAP_THRESHOLD, LARGE)


def give_back() -> None:
    """Return the free memory of the pools to the system; takes some milliseconds."""
    if (library := _glibc()) is not None:
        library.malloc_trim(0)
