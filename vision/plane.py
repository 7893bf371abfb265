"""The table seen from straight above, where all labels of one size look alike and upright.

Labels that are read tell how the camera looks at the table. What is further away is smaller: the cube root of
a label's area decreases linearly across the picture. After correcting that, labels on a slanted table are
still longer in one direction than in the other, all by the same factor. Both corrections together are one
homography. A single search in the rectified picture finds labels that would otherwise need many sizes, and
labels too foreshortened to be found directly. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.finders import Reals
from vision.labels import MODULES
from vision.sightings import Corners

LEAST, FOR_DEPTH = 2, 4
"""Labels needed to determine the slant of the table, and to determine perspective depth."""
DEEPEST = 0.3
"""Smallest scale, relative to the middle, that any point of the picture may have: past that is the horizon."""
STEADY = 0.002
"""Weight of the assumption that there is no perspective, against what the labels say."""
FITS = (0.86, 1.16)
"""Range of a label's rectified side length, relative to the expected one, to count as lying on the table."""
BENT = 0.75
"""How much smaller than on the table a label on a bent card may look."""
MOST = 6_000_000
"""Pixels of a rectified picture: a larger one would take too long to search."""

Matrix = NDArray[np.floating[Any]]


class Plane(Struct, frozen=True):
    """Homography (3, 3) from points of a picture to modules on the table; pixels per module of labels that
    lie there: median, smallest and largest."""

    matrix: Matrix
    module: float
    smallest: float
    largest: float

    def has(self, module: float) -> bool:
        """Whether labels lying on the table can have this many pixels per module."""
        return BENT * self.smallest < module < 1.03 * self.largest

    def above(self, size: tuple[int, int], module: float, stretch: Matrix) -> ViewFromAbove | None:
        """The view from above of a picture of this size, with this many pixels per module, also stretched."""
        scaled = np.diag([module, module, 1.0])
        scaled[:2, :2] = module * stretch
        onto = scaled @ self.matrix
        wide, high = size
        rim = seen(onto, np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float64))
        low = np.floor(rim.min(axis=0))
        canvas = np.ceil(rim.max(axis=0) - low).astype(int)
        if canvas.prod() > MOST or canvas.min() < 1:
            return None
        shift = np.eye(3)
        shift[:2, 2] = -low
        return ViewFromAbove(shift @ onto, (int(canvas[0]), int(canvas[1])))


class ViewFromAbove(Struct, frozen=True):
    """A view from above: homography (3, 3) from the camera's picture, and its width and height."""

    matrix: Matrix
    size: tuple[int, int]

    def of(self, grey: Any, zoom: float) -> Any:
        """The camera's picture, given at scale `zoom`, warped into this view."""
        larger = np.array([[1 / zoom, 0, 0.5 / zoom - 0.5], [0, 1 / zoom, 0.5 / zoom - 0.5], [0, 0, 1]])
        return cv2.warpPerspective(
            grey, self.matrix @ larger, self.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )

    def discs(self, discs: Reals) -> Reals:
        """Discs (x, y and radius each) of the camera's picture, in this view."""
        if not len(discs):
            return discs
        grow = np.sqrt(np.abs(np.linalg.det(jacobians(self.matrix, discs[:, :2]))))
        return np.column_stack([seen(self.matrix, discs[:, :2]), discs[:, 2] * grow]).astype(np.float32)

    def back(self, poses: Reals) -> Reals:
        """Poses of labels found in this view, in the camera's picture."""
        home = np.linalg.inv(self.matrix)
        turn = jacobians(home, poses[:, :2])
        legs = [np.einsum("nij,nj->ni", turn, poses[:, k : k + 2]) for k in (2, 4)]
        return np.hstack([seen(home, poses[:, :2]), *legs]).astype(np.float32)


def seen(matrix: Matrix, points: Any) -> Matrix:
    """Points (n, 2) mapped by a homography."""
    flat = np.asarray(points, np.float64) @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(flat[:, :2] / flat[:, 2:])


def jacobians(matrix: Matrix, points: Any) -> Matrix:
    """(n, 2, 2): the Jacobians of a homography at these points."""
    there = seen(matrix, points)
    depth = np.asarray(points, np.float64) @ matrix[2, :2] + matrix[2, 2]
    return np.asarray((matrix[None, :2, :2] - there[:, :, None] * matrix[2, :2]) / depth[:, None, None])


def plane(outlines: Sequence[Corners], size: tuple[int, int]) -> Plane | None:
    """The plane of the table, from the outlines of labels in a picture of this size; None if unknown."""
    if len(outlines) < LEAST:
        return None
    corners = np.asarray(outlines, np.float64)
    a, b, c, d = (corners[:, k] for k in range(4))
    middles = corners.mean(axis=1)
    steps = np.stack([b - a + c - d, d - a + c - b], axis=2) / (2 * MODULES)  # columns: right, down
    areas = np.abs(np.linalg.det(steps))
    if areas.min() < 0.01:
        return None
    middle = np.median(middles, axis=0)
    depth = _depth((middles - middle) / size[0], np.cbrt(areas)) / size[0]
    flat = np.eye(3)
    flat[2, :2] = depth
    flat[:, 2] -= flat @ [*middle, 0.0]
    rim = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float64)
    if (rim @ flat[2, :2] + flat[2, 2]).min() < DEEPEST:
        return None
    level = jacobians(flat, middles) @ steps
    shape = np.median(level @ level.transpose(0, 2, 1), axis=0)
    values, ways = np.linalg.eigh(shape)
    if values[0] <= 0:
        return None
    upright = np.eye(3)
    upright[:2, :2] = ways @ np.diag(values**-0.5) @ ways.T
    sides = np.linalg.svd(upright[:2, :2] @ level, compute_uv=False)
    lie = (sides[:, 1] > FITS[0]) & (sides[:, 0] < FITS[1])
    if not lie.any():
        return None
    modules = np.sqrt(areas[lie])
    return Plane(upright @ flat, float(np.median(modules)), float(modules.min()), float(modules.max()))


def _depth(at: Matrix, scale: Matrix) -> Matrix:
    """(2,): the gradient of the labels' scale across the picture, relative to the scale in the middle."""
    if len(at) < FOR_DEPTH:
        return np.zeros(2)
    inputs = np.column_stack([np.ones(len(at)), at])
    scale = scale / np.median(scale)
    weight = np.ones(len(at))
    found: Matrix = np.zeros(3)
    for _ in range(5):  # robust fit: labels that are nearer, or of another size, lose weight
        pull = inputs.T * weight
        found = np.linalg.solve(pull @ inputs + np.diag([0.0, STEADY, STEADY]), pull @ scale)
        weight = 1 / (1 + ((scale - inputs @ found) / 0.03) ** 2)
    return np.asarray(found[1:] / found[0])
