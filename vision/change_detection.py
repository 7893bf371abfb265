"""Where a picture has changed since it was last read: unchanged parts need not be read again.

A picture is reduced to cells of a few pixels, so that noise averages out, and compared cell by cell with the
one that was read. Cells are grouped in tiles; a tile has changed if several of its cells changed by more than
noise.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
from msgspec import Struct

from vision.finders import Grey
from vision.sightings import Corners

CELL = 4
"""Pixels along a cell; twice as many in 4K pictures."""
LARGE = 4_000_000
"""Pixels from which a picture counts as large."""
TILE = 16
"""Cells along a tile."""
CELLS = 4
"""Changed cells that make a changed tile: a label of 10 mm seen from above a table has about forty."""
MOVED = 4
"""If half of all cells differ by more grey steps than this, the camera moved or the light changed."""
LEAST, TIMES = 1, 3
"""A changed cell differs by more than the first value plus the second times the third quartile."""
MOST = 0.4
"""Largest share of the picture for which only the changed part is read."""


class ChangedPart(Struct, frozen=True):
    """A rectangle of a picture in pixels; its right and lower edges are exclusive."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def pixels(self) -> int:
        """Its area in pixels."""
        return (self.x1 - self.x0) * (self.y1 - self.y0)

    def holds(self, other: ChangedPart) -> bool:
        """Whether it contains another part."""
        return self.x0 <= other.x0 and self.y0 <= other.y0 and self.x1 >= other.x1 and self.y1 >= other.y1

    def with_(self, other: ChangedPart | None) -> ChangedPart:
        """The bounding rectangle of both."""
        if other is None:
            return self
        x0, y0, x1, y1 = (
            min(self.x0, other.x0),
            min(self.y0, other.y0),
            max(self.x1, other.x1),
            max(self.y1, other.y1),
        )
        return ChangedPart(x0, y0, x1, y1)

    def cut(self, grey: Grey) -> Grey:
        """This part of a picture."""
        return np.ascontiguousarray(grey[self.y0 : self.y1, self.x0 : self.x1])

    def touches(self, corners: Corners) -> bool:
        """Whether this outline overlaps it."""
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return min(xs) < self.x1 and max(xs) > self.x0 and min(ys) < self.y1 and max(ys) > self.y0

    def around(self, outlines: Iterable[Corners], shape: tuple[int, ...], rim: int) -> ChangedPart:
        """Extended to every outline that overlaps it, and by a margin."""
        x0, y0, x1, y1 = self.x0 - rim, self.y0 - rim, self.x1 + rim, self.y1 + rim
        for corners in outlines:
            if self.touches(corners):
                xs, ys = [x for x, _ in corners], [y for _, y in corners]
                x0, y0 = min(x0, int(min(xs)) - rim), min(y0, int(min(ys)) - rim)
                x1, y1 = max(x1, int(max(xs)) + rim), max(y1, int(max(ys)) + rim)
        return ChangedPart(max(0, x0), max(0, y0), min(shape[1], x1), min(shape[0], y1))


class LastLook:
    """The picture as last read, tile by tile."""

    def __init__(self) -> None:
        self._cells: Any = None
        self._shape: tuple[int, ...] = ()
        self._now: Any = None
        self._tiles: Any = None

    def compare(self, grey: Grey) -> ChangedPart | None:
        """One rectangle around everything that has changed; None if nothing has."""
        cell = self._cell = CELL * (2 if grey.size > LARGE else 1)
        size = (max(1, grey.shape[1] // cell), max(1, grey.shape[0] // cell))
        self._now = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        whole = ChangedPart(0, 0, grey.shape[1], grey.shape[0])
        same_shape, self._shape = grey.shape == self._shape, grey.shape
        self._tiles = None
        if self._cells is None or not same_shape:
            return whole
        off = cv2.absdiff(self._now, self._cells)
        below = np.cumsum(np.bincount(off.ravel(), minlength=256)) / off.size
        if int(np.searchsorted(below, 0.5)) > MOVED:
            return whole
        bar = LEAST + TIMES * max(1, int(np.searchsorted(below, 0.75)))
        ys, xs = np.nonzero(off > bar)
        tiles = np.zeros((-(-size[1] // TILE), -(-size[0] // TILE)), np.int32)
        np.add.at(tiles, (ys // TILE, xs // TILE), 1)
        self._tiles = tiles >= CELLS
        rows, columns = np.nonzero(self._tiles)
        if not len(rows):
            return None
        step = TILE * cell
        return ChangedPart(
            int(columns.min()) * step,
            int(rows.min()) * step,
            min(grey.shape[1], (int(columns.max()) + 1) * step),
            min(grey.shape[0], (int(rows.max()) + 1) * step),
        )

    def keep(self) -> None:
        """Mark the picture compared last as read: later ones are compared with it."""
        if self._tiles is None or self._cells is None:
            self._cells = self._now
            return
        fresh = np.kron(self._tiles, np.ones((TILE, TILE), np.bool_))[
            : self._now.shape[0], : self._now.shape[1]
        ]
        self._cells = np.where(fresh, self._now, self._cells)

    def number(self) -> int:
        """A fingerprint: the same for the same picture, nearly always another for a different one."""
        return zlib.crc32(self._now.tobytes())
