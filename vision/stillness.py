"""Where a picture has changed since it was last read: what has not changed need not be read again.

A picture is reduced to cells of a few pixels, so that noise averages out, and compared cell by cell with the one that
was read. Cells are gathered in tiles; a tile has changed if several of its cells have changed by more than noise does.
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
"""Pixels along a cell; twice as many in pictures of 4K."""
LARGE = 4_000_000
"""Pixels from which on a picture counts as large."""
TILE = 16
"""Cells along a tile."""
CELLS = 4
"""Changed cells that make a changed tile: a label of 10 mm seen from above a table has some forty."""
MOVED = 4
"""If half of all cells differ by more than so many grey steps, the camera has moved or the light has changed."""
LEAST, TIMES = 1, 3
"""A cell has changed if it differs by more than the first, and so many times what three quarters of all differ by."""
MOST = 0.4
"""The part of a picture up to which only what has changed is read."""


class ChangedPart(Struct, frozen=True):
    """A rectangle of a picture, in pixels; its right and lower edges do not belong to it."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def pixels(self) -> int:
        """How large it is."""
        return (self.x1 - self.x0) * (self.y1 - self.y0)

    def holds(self, other: ChangedPart) -> bool:
        """Whether another one lies wholly in it."""
        return self.x0 <= other.x0 and self.y0 <= other.y0 and self.x1 >= other.x1 and self.y1 >= other.y1

    def with_(self, other: ChangedPart | None) -> ChangedPart:
        """The rectangle round both."""
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
        """Whether any of what is inside this outline lies in it."""
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return min(xs) < self.x1 and max(xs) > self.x0 and min(ys) < self.y1 and max(ys) > self.y0

    def around(self, outlines: Iterable[Corners], shape: tuple[int, ...], rim: int) -> ChangedPart:
        """With all that lies partly in it, and a rim."""
        x0, y0, x1, y1 = self.x0 - rim, self.y0 - rim, self.x1 + rim, self.y1 + rim
        for corners in outlines:
            if self.touches(corners):
                xs, ys = [x for x, _ in corners], [y for _, y in corners]
                x0, y0 = min(x0, int(min(xs)) - rim), min(y0, int(min(ys)) - rim)
                x1, y1 = max(x1, int(max(xs)) + rim), max(y1, int(max(ys)) + rim)
        return ChangedPart(max(0, x0), max(0, y0), min(shape[1], x1), min(shape[0], y1))


class LastLook:
    """The picture as it was when it was last read, tile by tile."""

    def __init__(self) -> None:
        self._cells: Any = None
        self._shape: tuple[int, ...] = ()
        self._now: Any = None
        self._tiles: Any = None

    def compare(self, grey: Grey) -> ChangedPart | None:
        """What has changed, all of it in one rectangle; None if nothing has."""
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
        """What was compared last has been read: from now on it is what others are compared with."""
        if self._tiles is None or self._cells is None:
            self._cells = self._now
            return
        fresh = np.kron(self._tiles, np.ones((TILE, TILE), np.bool_))[
            : self._now.shape[0], : self._now.shape[1]
        ]
        self._cells = np.where(fresh, self._now, self._cells)

    def number(self) -> int:
        """The same for the same picture, another one for nearly every other."""
        return zlib.crc32(self._now.tobytes())
