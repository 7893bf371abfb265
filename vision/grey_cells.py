"""Small grey copies of pictures, cell by cell: parts of them, and whether two show the same. Pure.

The comparisons hold in any light: they compare patterns, not brightness.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

WIDE = 320
"""Cells across the small copy."""
TILES = (8, 6)
"""Number of tiles across and down; patterns are compared per tile."""
PLAIN = 6.0
"""Deviation in grey steps below which a place has no recognisable pattern."""
FINE, GRAIN = 1.5, 13
"""The same for a tile's grain: what is left after removing everything wider than this many cells. Wood and
cloth have a grain all over, so even with a hand on an empty table, the table can be recognised."""
SAME = 0.5
"""A tile whose pattern correlates less than this has changed."""
ALIKE = 0.75
"""Minimum correlation for a place to show the same as before."""
STILL, STEP = 8.0, 14.0
"""Grey steps a cell may tremble; and by how many a place without pattern must differ to be a different one."""
NOTHING = 2.0
"""Most grain that any tile of a blank picture has."""
PATCH = 12
"""Size in cells of a patch of the table that is recognised by its grain."""

GreyCells = NDArray[np.float32]
CellArea = tuple[int, int, int, int]
"""Left, top, right, bottom in cells."""


def small(picture: NDArray[Any]) -> GreyCells:
    """A small grey copy of a picture."""
    grey = picture if picture.ndim == 2 else cv2.extractChannel(picture, 1)
    high = min(max(TILES[1], round(WIDE * grey.shape[0] / grey.shape[1])), 4 * WIDE)  # for any shape
    high -= high % TILES[1]
    return np.asarray(cv2.resize(grey, (WIDE, high), interpolation=cv2.INTER_AREA), np.float32)


def box_of(
    corners: tuple[tuple[float, float], ...], size: tuple[int, int], cells: GreyCells, grow: float = 0.5
) -> CellArea:
    """The cells around a label in a picture of this size, with a margin in parts of its side."""
    xs, ys = zip(*corners, strict=True)
    across, down = cells.shape[1] / size[0], cells.shape[0] / size[1]
    left, right, top, bottom = min(xs) * across, max(xs) * across, min(ys) * down, max(ys) * down
    x, y = grow * (right - left) / 2, grow * (bottom - top) / 2
    return round(left - x), round(top - y), round(right + x) + 1, round(bottom + y) + 1


def cut(cells: NDArray[Any], box: CellArea) -> NDArray[Any]:
    """A part of the small copy, clipped at its edges."""
    left, top, right, bottom = box
    return cells[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]


def middle_grey(cells: GreyCells) -> float:
    """The median brightness, sampled at every other cell in each direction."""
    return float(np.median(cells[::2, ::2]))


def alike(one: GreyCells, other: GreyCells, gain: np.float32 | float = 1.0) -> bool:
    """Whether two parts show the same: the same pattern, or no pattern and the same grey."""
    if one.shape != other.shape or one.size < 4:
        return False
    plain = one.std() < PLAIN, other.std() < PLAIN
    if all(plain):
        return abs(float(one.mean() * gain - other.mean())) < STEP
    return not any(plain) and _correlation(one, other) > ALIKE


def unlined(part: GreyCells) -> float:
    """The deviation of a place after removing straight horizontal and vertical lines, such as the edges of a
    table's boards."""
    if not part.size:  # the picture was larger a moment ago
        return 0.0
    across = part - part.mean(axis=1, keepdims=True)
    return float((across - across.mean(axis=0, keepdims=True)).std())


def _correlation(one: GreyCells, other: GreyCells) -> float:
    """The best correlation over shifts of one cell, since the camera sways."""
    if min(one.shape) < 5:
        return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])
    return float(cv2.matchTemplate(other, one[1:-1, 1:-1], cv2.TM_CCOEFF_NORMED).max())


def local_range(cells: GreyCells) -> GreyCells:
    """How much neighbouring cells differ: there a swaying camera changes cells though nothing moved."""
    kernel = np.ones((3, 3), np.uint8)
    return np.asarray(cv2.dilate(cells, kernel) - cv2.erode(cells, kernel), np.float32)


def tiled(cells: GreyCells) -> GreyCells:
    """The cells as an array of tiles: (tile row, row within, tile column, column within)."""
    high, wide = cells.shape
    return cells.reshape(TILES[1], high // TILES[1], TILES[0], wide // TILES[0])


def nothing_in(cells: GreyCells) -> bool:
    """Whether a picture is blank: it does not even show the grain of a table."""
    grain = tiled(grain_of(cells))
    return float((grain * grain).mean(axis=(1, 3)).max()) < NOTHING * NOTHING


def remains(now: GreyCells, blank: GreyCells) -> float:
    """The share of a blank picture that is still blank."""
    grain = tiled(grain_of(now))
    plain = (grain * grain).mean(axis=(1, 3)) < NOTHING * NOTHING
    return float(np.mean(plain & (tiled(np.abs(now - blank)).mean(axis=(1, 3)) < STILL)))


def compared(then: GreyCells, now: GreyCells) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which tiles had a pattern, and which of all tiles have a different one now."""
    a, b = (tiled(grain_of(cells)) for cells in (then, now))
    spread_a, spread_b = np.sqrt((a * a).mean(axis=(1, 3))), np.sqrt((b * b).mean(axis=(1, 3)))
    likeness = (a * b).mean(axis=(1, 3)) / np.maximum(spread_a * spread_b, 1e-3)
    return spread_a > FINE, likeness < SAME


def same_grain(then: GreyCells, now: GreyCells, high: int, wide: int) -> NDArray[np.bool_]:
    """Which patches of a table had a recognisable grain and still have it."""

    def patches(cells: GreyCells) -> GreyCells:
        size = (wide * PATCH, high * PATCH)
        return np.asarray(cv2.resize(grain_of(cells), size), np.float32).reshape(high, PATCH, wide, PATCH)

    a, b = patches(then), patches(now)
    spread_a, spread_b = np.sqrt((a * a).mean(axis=(1, 3))), np.sqrt((b * b).mean(axis=(1, 3)))
    likeness = (a * b).mean(axis=(1, 3)) / np.maximum(spread_a * spread_b, 1e-3)
    return np.asarray((spread_a > FINE) & (likeness > SAME))


def grain_of(cells: GreyCells) -> GreyCells:
    """The copy without noise and without anything wider than the grain."""
    smooth = cv2.blur(cells, (3, 3))  # noise is finer than the grain
    return np.asarray(smooth - cv2.blur(smooth, (GRAIN, GRAIN)), np.float32)
