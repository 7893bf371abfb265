"""Averages several pictures of a table: what noise hides in each of them becomes visible in their mean.

A lamp mirrored in a card sleeve takes most of a label's contrast but none of the noise. Points all over the
picture, or else the labels that are read, tell how the camera swayed, so the pictures can be aligned exactly.
The mean of seven has little more than a third of the noise. The light is evened out as well, as strongly as
the reflection of a lamp requires.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finders import Grey, Reals
from vision.sightings import Corners

FRAMES = 7
"""Pictures in a full stack: two stacks in a row must fit into what `vision.decode` remembers."""
LEAST_LABELS, FOR_TILT = 3, 8
"""Labels that two pictures must share to be aligned; and from how many on tilt is corrected too."""
STRAY = 1.5
"""Pixels a label may be away from its expected place."""
STILL = 0.25
"""Motion in pixels below which the camera counts as still."""
AGREE = 0.6
"""Share of the labels' corners that must be within that distance."""
POINTS, LEAST_POINTS = 160, 24
"""Points of the picture that are tracked, and how many of them must be found again."""
AREA = 11
"""Size in modules of the area over which light is evened out: half a label."""
BAND = 256
"""Rows processed at once; all rows together would take thirty megabytes for a moment."""
CONTRAST, NOISE = 40.0, 6.0
"""The target deviation, and the smallest deviation that counts as more than noise."""
SHARED = 0.2
"""Minimum correlation with the earlier pictures for a label to be still there in the last one. A label that
noise nearly hides has twice as much, one that was taken away has none."""
PATIENCE, REST = 2, 2 * FRAMES
"""After this many stacks without anything new, this many pictures are skipped before the next stack."""

Matrix = NDArray[np.floating[Any]]


class FrameStack:
    """Pictures aligned to the first of them and added up."""

    def __init__(self) -> None:
        self._vain = self._rest = 0
        self.clear()

    def clear(self) -> None:
        """Start again with the next picture."""
        self.count = 0
        self._sum: NDArray[np.uint16] = np.zeros((0, 0), np.uint16)
        self._last: Grey = np.zeros((0, 0), np.uint8)
        self._small: Grey = self._last
        self._points: Reals = np.zeros((0, 1, 2), np.float32)
        self._places: dict[str, Corners] = {}
        self.motion: Matrix = np.eye(3)
        """(3, 3): maps a point of the last picture to the first one."""

    def add(self, grey: Grey, places: Mapping[str, Corners]) -> bool:
        """Align a picture with the others, by tracked points or the labels read in it, and add it; true once
        the stack is full."""
        self._rest = max(0, self._rest - 1)
        if self._rest or len(places) < LEAST_LABELS:
            self.clear()
            return False
        matrix, small = None, halved(grey)
        if self.count and grey.shape == self._sum.shape:
            matrix = followed(self._small, small, self._points, self.motion)
            matrix = motion(places, self._places) if matrix is None else matrix
        if matrix is None:
            self.clear()
            self._sum, self._last, self._small = grey.astype(np.uint16), grey, small
            self._points = points_of(small)
            matrix = np.eye(3)
        else:
            self._last = grey if _still(matrix, grey.shape) else _laid(grey, matrix)
            np.add(self._sum, self._last, out=self._sum)
        self.count += 1
        self.motion = matrix
        self._places = {text: through(matrix, corners) for text, corners in places.items()} | self._places
        return self.count >= FRAMES

    def picture(self, module: float) -> Grey:
        """The mean of the stack with its light evened out, for labels of this many pixels per module."""
        over = _side(module)  # the light at a point depends on this many rows around it
        lit = np.empty(self._sum.shape, np.uint8)
        for top in range(0, len(lit), BAND):
            first = max(0, top - over)
            band = np.divide(self._sum[first : top + BAND + over], max(1, self.count), dtype=np.float32)
            lit[top : top + BAND] = evenly_lit(band, module)[top - first :][:BAND]
        return lit

    def there_still(self, corners: Corners, module: float) -> bool:
        """Whether a label found in the stack is also in the last picture: a card taken away meanwhile still
        shows in the mean."""
        if self.count < 2:
            return True
        rim = int(AREA * module / 2) + 1  # needed to even out the light
        xs, ys = zip(*corners, strict=True)
        (left, right), (top, bottom) = ((max(0, int(min(v))), int(max(v)) + 1) for v in (xs, ys))
        x0, y0 = max(0, left - rim), max(0, top - rim)
        part = np.s_[y0 : bottom + rim, x0 : right + rim]
        last = self._last[part].astype(np.float32)
        before = (self._sum[part].astype(np.float32) - last) / np.float32(self.count - 1)
        label = np.s_[top - y0 : bottom - y0, left - x0 : right - x0]
        one, other = (evenly_lit(cells, module)[label].astype(np.float32).ravel() for cells in (last, before))
        if not one.size or not one.std() or not other.std():
            return False
        return float(np.corrcoef(one, other)[0, 1]) > SHARED

    def done(self, *, news: bool) -> None:
        """The stack was searched: start another, after a pause if the last ones gave nothing new."""
        self._vain = 0 if news else self._vain + 1
        if self._vain >= PATIENCE:
            self._vain, self._rest = 0, REST
        self.clear()


def _still(matrix: Matrix, shape: tuple[int, ...]) -> bool:
    """Whether a motion is too small to matter at any corner of the picture."""
    corners = ((0.0, 0.0), (shape[1], 0.0), (shape[1], shape[0]), (0.0, shape[0]))
    return bool(np.abs(np.array(through(matrix, corners)) - corners).max() < STILL)


def _laid(grey: Grey, matrix: Matrix) -> Grey:
    size = (grey.shape[1], grey.shape[0])
    return np.asarray(cv2.warpPerspective(grey, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _side(module: float) -> int:
    return 2 * int(AREA * module / 2) + 1


def evenly_lit(picture: Reals, module: float) -> Grey:
    """A picture with the slow changes of brightness and contrast removed."""
    side = _side(module)
    spread: Any = cv2.blur(picture, (side, side))
    off = picture - spread
    np.multiply(off, off, out=spread)
    spread = cv2.blur(spread, (side, side))
    np.sqrt(np.maximum(spread, NOISE**2, out=spread), out=spread)
    off *= np.divide(CONTRAST, spread, out=spread)
    off += 128
    return np.asarray(np.clip(off, 0, 255, out=off), np.uint8)


def halved(grey: Grey) -> Grey:
    """A picture of half the size: less noise, and faster to track points in."""
    size = (max(1, grey.shape[1] // 2), max(1, grey.shape[0] // 2))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def points_of(small: Grey) -> Reals:
    """(n, 1, 2): points of a picture that are easy to find again, spread over all of it."""
    apart = max(4, small.shape[1] // 36)
    found = cv2.goodFeaturesToTrack(small, POINTS, 0.02, apart, blockSize=5)
    return (
        np.zeros((0, 1, 2), np.float32) if found is None else np.asarray(found, np.float32).reshape(-1, 1, 2)
    )


def followed(then: Grey, now: Grey, points: Reals, before: Matrix) -> Matrix | None:
    """(3, 3): from a picture to an earlier one, by tracking points of the earlier one; both are given at half
    size. `before` is the motion of the picture before this one. None if too few points are found or they
    disagree.

    Labels alone would not do: a few on one side say little about the other side, where the unread ones are.
    """
    if len(points) < LEAST_POINTS:
        return None
    half = np.diag([0.5, 0.5, 1.0])
    start = cv2.perspectiveTransform(points, half @ np.linalg.inv(before) @ np.linalg.inv(half)).astype(
        np.float32
    )
    found, status, _ = cv2.calcOpticalFlowPyrLK(
        then, now, points, start, winSize=(15, 15), maxLevel=2, flags=cv2.OPTFLOW_USE_INITIAL_FLOW
    )
    good = np.asarray(status).ravel() > 0
    if good.sum() < LEAST_POINTS:
        return None
    matrix, fits = cv2.findHomography(found[good], points[good], cv2.RANSAC, STRAY / 4)
    if matrix is None or float(np.mean(fits)) < AGREE or int(np.sum(fits)) < LEAST_POINTS:
        return None
    return np.asarray(np.linalg.inv(half) @ matrix @ half, np.float64)


def motion(now: Mapping[str, Corners], then: Mapping[str, Corners]) -> Matrix | None:
    """(3, 3): from the places of labels in one picture to those in another; None if the labels disagree."""
    both = [text for text in now if text in then]
    if len(both) < LEAST_LABELS:
        return None
    there = np.array([corner for text in both for corner in then[text]], np.float32)
    here = np.array([corner for text in both for corner in now[text]], np.float32)
    if len(both) >= FOR_TILT:
        found, fits = cv2.findHomography(here, there, cv2.RANSAC, STRAY)
    else:
        flat, fits = cv2.estimateAffine2D(here, there, method=cv2.RANSAC, ransacReprojThreshold=STRAY)
        found = None if flat is None else np.vstack([flat, [0.0, 0.0, 1.0]])
    if found is None or float(np.mean(fits)) < AGREE:
        return None
    return np.asarray(found, np.float64)


def through(matrix: Matrix, corners: Corners) -> Corners:
    """These points after a motion."""
    flat = np.asarray(corners, np.float64) @ matrix[:, :2].T + matrix[:, 2]
    return tuple((float(x / w), float(y / w)) for x, y, w in flat)
