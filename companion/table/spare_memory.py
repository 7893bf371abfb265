"""Memory that is free is given back: a companion may share a small computer.

The C library keeps a pool of memory for each thread, and in it whatever was freed. Pictures come and go by the dozen
megabytes, so a handful of threads would hold twice of what is used. Elsewhere than with glibc this does nothing.
"""

from __future__ import annotations

import ctypes
from typing import Any

POOLS = 2
LARGE = 4_000_000
"""Bytes from which on something is given back as soon as it is free: a picture of 1920x1080 has six million. Less would
take time, for the system hands out memory page by page."""

ARENA_MAX, MMAP_THRESHOLD = -8, -3
"""glibc's numbers for both."""


def _glibc() -> Any:
    found = ctypes.CDLL(None)
    return found if hasattr(found, "mallopt") and hasattr(found, "malloc_trim") else None


def hold_little() -> None:
    """Let all threads share a few pools, and no picture go into one; to be called before there are threads."""
    if (library := _glibc()) is not None:
        library.mallopt(ARENA_MAX, POOLS)
        library.mallopt(MMAP_THRESHOLD, LARGE)


def give_back() -> None:
    """Give what is free in the pools back to the system; takes some milliseconds."""
    if (library := _glibc()) is not None:
        library.malloc_trim(0)
