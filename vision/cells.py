"""Small grey copies of pictures, cell by cell: parts of them, and whether two show the same. Pure.

Only comparisons that hold in any light are made: patterns, not brightness.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

WIDE = 320
"""Cells across the small copy."""
TILES = (8, 6)
"""Across and down: where patterns are compared."""
PLAIN = 6.0
"""A deviation in grey steps below which a place has no pattern to know it by."""
FINE, GRAIN = 1.5, 13
"""The same for a tile's grain, which is what is left without anything wider than so many cells: wood and cloth have one
all over, so that a hand on an empty table is not all there is to see."""
SAME = 0.5
"""A tile whose pattern correlates less is another one."""
ALIKE = 0.75
"""Correlation from which a place shows what it showed."""
STILL, STEP = 8.0, 14.0
"""Grey steps a cell may tremble; and by which one without pattern must differ to be another one."""
NOTHING = 2.0
"""The most grain any tile has of a picture in which there is nothing."""
PATCH = 12
"""Cells across a patch of the table that is known by its grain."""

Cells = NDArray[np.float32]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom in cells."""


def small(picture: NDArray[Any]) -> Cells:
    """A small grey copy of a picture."""
    grey = picture if picture.ndim == 2 else cv2.extractChannel(picture, 1)
    high = min(max(TILES[1], round(WIDE * grey.shape[0] / grey.shape[1])), 4 * WIDE)  # whatever shape it has
    high -= high % TILES[1]
    return np.asarray(cv2.resize(grey, (WIDE, high), interpolation=cv2.INTER_AREA), np.float32)


def box_of(
    corners: tuple[tuple[float, float], ...], size: tuple[int, int], cells: Cells, grow: float = 0.5
) -> Box:
    """The cells round a label in a picture of this size, with a margin of so many of its sides."""
    xs, ys = zip(*corners, strict=True)
    across, down = cells.shape[1] / size[0], cells.shape[0] / size[1]
    left, right, top, bottom = min(xs) * across, max(xs) * across, min(ys) * down, max(ys) * down
    x, y = grow * (right - left) / 2, grow * (bottom - top) / 2
    return round(left - x), round(top - y), round(right + x) + 1, round(bottom + y) + 1


def cut(cells: NDArray[Any], box: Box) -> NDArray[Any]:
    """A part of the small copy; what sticks out is left away."""
    left, top, right, bottom = box
    return cells[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]


def middle_grey(cells: Cells) -> float:
    """As bright as most of a copy; every other cell tells."""
    return float(np.median(cells[::2, ::2]))


def alike(one: Cells, other: Cells, gain: np.float32 | float = 1.0) -> bool:
    """Whether two cuts show the same: the same pattern, or no pattern and the same grey."""
    if one.shape != other.shape or one.size < 4:
        return False
    plain = one.std() < PLAIN, other.std() < PLAIN
    if all(plain):
        return abs(float(one.mean() * gain - other.mean())) < STEP
    return not any(plain) and _correlation(one, other) > ALIKE


def unlined(part: Cells) -> float:
    """The deviation of a place without what runs straight across or down: boards of a table have edges, too."""
    if not part.size:  # the pictures were larger a moment ago
        return 0.0
    across = part - part.mean(axis=1, keepdims=True)
    return float((across - across.mean(axis=0, keepdims=True)).std())


def _correlation(one: Cells, other: Cells) -> float:
    """The best over shifts of one cell: a camera sways."""
    if min(one.shape) < 5:
        return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])
    return float(cv2.matchTemplate(other, one[1:-1, 1:-1], cv2.TM_CCOEFF_NORMED).max())


def local_range(cells: Cells) -> Cells:
    """How much neighbouring cells differ: there a swaying camera changes a cell though nothing has moved."""
    kernel = np.ones((3, 3), np.uint8)
    return np.asarray(cv2.dilate(cells, kernel) - cv2.erode(cells, kernel), np.float32)


def tiled(cells: Cells) -> Cells:
    """The same as tiles: down, within one, across, within one."""
    high, wide = cells.shape
    return cells.reshape(TILES[1], high // TILES[1], TILES[0], wide // TILES[0])


def nothing_in(cells: Cells) -> bool:
    """Whether there is nothing at all in a picture: not even the grain of a table."""
    grain = tiled(grain_of(cells))
    return float((grain * grain).mean(axis=(1, 3)).max()) < NOTHING * NOTHING


def remains(now: Cells, blank: Cells) -> float:
    """The part of a picture in which there was nothing and still is."""
    grain = tiled(grain_of(now))
    plain = (grain * grain).mean(axis=(1, 3)) < NOTHING * NOTHING
    return float(np.mean(plain & (tiled(np.abs(now - blank)).mean(axis=(1, 3)) < STILL)))


def compared(then: Cells, now: Cells) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which tiles had a pattern, and which of all tiles have another one now."""
    a, b = (tiled(grain_of(cells)) for cells in (then, now))
    spread_a, spread_b = np.sqrt((a * a).mean(axis=(1, 3))), np.sqrt((b * b).mean(axis=(1, 3)))
    likeness = (a * b).mean(axis=(1, 3)) / np.maximum(spread_a * spread_b, 1e-3)
    return spread_a > FINE, likeness < SAME


def same_grain(then: Cells, now: Cells, high: int, wide: int) -> NDArray[np.bool_]:
    """Which of so many patches of a table had a grain to know them by, and have it still."""

    def patches(cells: Cells) -> Cells:
        size = (wide * PATCH, high * PATCH)
        return np.asarray(cv2.resize(grain_of(cells), size), np.float32).reshape(high, PATCH, wide, PATCH)

    a, b = patches(then), patches(now)
    spread_a, spread_b = np.sqrt((a * a).mean(axis=(1, 3))), np.sqrt((b * b).mean(axis=(1, 3)))
    likeness = (a * b).mean(axis=(1, 3)) / np.maximum(spread_a * spread_b, 1e-3)
    return np.asarray((spread_a > FINE) & (likeness > SAME))


def grain_of(cells: Cells) -> Cells:
    """What is left of a copy without anything wide."""
    smooth = cv2.blur(cells, (3, 3))  # noise is finer still
    return np.asarray(smooth - cv2.blur(smooth, (GRAIN, GRAIN)), np.float32)
