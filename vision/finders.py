"""Finds labels in a picture by their finder patterns: three of them at right angles.

A finder pattern is the square eye in three corners of a QR code. Even when small it is the only thing on a
table that is dark, light, dark and light again from its middle outwards, in every direction. The picture is
scaled so that one module of the label sought is about one pixel; there a single small filter finds all of
them.
"""

from __future__ import annotations

import functools
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import MODULES

Grey = NDArray[np.uint8]
Reals = NDArray[np.float32]
Places = NDArray[np.intp]

WORKING = 1.05
"""Pixels per module at which finder patterns are searched."""
SIDE = 9
"""The filter's width in pixels: a finder pattern with its light border at that scale."""
REACH = 4.5
"""The filter's radius in modules."""
LEG = MODULES - 7.0
"""Modules between the middles of two neighbouring finder patterns."""

FAINTEST = 21.0
"""The weakest filter response that counts, roughly the contrast of a label in grey steps."""
LIKENESS = 0.5
"""Minimum correlation of a spot with a finder pattern."""
ANY_SLANT = (1.4, 1.7, 0.5)
"""Largest ratio between a leg and its usual length, largest ratio between the two legs, and largest cosine of
the angle between them. A label seen 50 degrees off the vertical is foreshortened by about that much."""
FROM_ABOVE, STRETCHED = (1.3, 1.45, 0.35), (1.3, 1.45, 0.4)
"""The same for a picture of the table from above, and for one that is also stretched."""
BAND = 400_000
"""Pixels filtered at once: a whole picture would take forty megabytes for a moment and be no faster."""
MOST_PEAKS = 8000
MOST_SPOTS = 400
MOST_TRIPLES = 400
MOST_PAIRS = 160
NEIGHBOURS = 8
GOOD = 0.6
"""Minimum likeness of two spots to be tried without a third."""


class Spots:
    """Finder patterns in a picture: positions (pixels), and how much each looks like one (0..1)."""

    def __init__(self, at: Reals, likeness: Reals) -> None:
        self.at, self.likeness = at, likeness

    def __len__(self) -> int:
        return len(self.at)

    def outside(self, places: Reals) -> Spots:
        """The spots that lie in none of these places (rows of x, y and radius)."""
        if not len(places) or not len(self):
            return self
        apart = self.at[:, None] - places[None, :, :2]
        free = (np.hypot(apart[..., 0], apart[..., 1]) > places[None, :, 2]).all(axis=1)
        return Spots(self.at[free], self.likeness[free])


def spots(grey: Grey, module: float) -> Spots:
    """The finder patterns of labels whose modules are about this many pixels wide."""
    scale = WORKING / module
    if scale > 1.07 or scale < 0.94:
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        size = (round(grey.shape[1] * scale), round(grey.shape[0] * scale))
        if min(size) < 3 * SIDE:
            return _none()
        grey = np.asarray(cv2.resize(grey, size, interpolation=how), np.uint8)
    else:
        scale = 1.0
    if min(grey.shape) < 3 * SIDE:
        return _none()
    xs, ys, answer, off = _peaks(grey)
    if not len(xs):
        return _none()
    likeness = _likeness(grey, xs, ys, answer)
    good = likeness > LIKENESS
    xs, ys, off, likeness = xs[good], ys[good], off[good], likeness[good]
    if len(xs) > MOST_SPOTS:
        best = np.argpartition(-likeness, MOST_SPOTS)[:MOST_SPOTS]
        xs, ys, off, likeness = xs[best], ys[best], off[best], likeness[best]
    fine = np.stack([xs, ys], 1) + off
    return Spots(((fine + 0.5) / scale - 0.5).astype(np.float32), likeness.astype(np.float32))


def threes(found: Spots, module: float, slant: tuple[float, float, float] = ANY_SLANT) -> Reals:
    """Poses of labels that three of these spots may form: middle, step right, step down (x, y each).

    A step is one module of the label. The spot at the right angle is the symbol's top left, so the three
    spots give the orientation. Best match first. `slant`: see `ANY_SLANT`.
    """
    slanted, longer, askew = slant
    if len(found) < 3:
        return np.zeros((0, 6), np.float32)
    apart, far = _distances(found, module)
    count = min(NEIGHBOURS, len(found) - 1)
    near = (far > 1 / slanted) & (far < slanted)
    rank = np.where(near, found.likeness[None, :], -1.0)
    those = np.argpartition(-rank, count - 1, axis=1)[:, :count]
    rows = np.arange(len(found))[:, None]
    ok, legs, long = near[rows, those], apart[rows, those], far[rows, those]
    right, down, a, b = legs[:, :, None], legs[:, None, :], long[:, :, None], long[:, None, :]
    straight = np.abs((right * down).sum(-1)) < askew * a * b * np.float32(LEG * module) ** 2
    clockwise = right[..., 0] * down[..., 1] > right[..., 1] * down[..., 0]
    shape = straight & clockwise & (a < longer * b) & (b < longer * a)
    corner, i, j = np.nonzero(ok[:, :, None] & ok[:, None, :] & shape)
    right_eye, down_eye = those[corner, i], those[corner, j]
    likeness = found.likeness[corner] + found.likeness[right_eye] + found.likeness[down_eye]
    order = np.argsort(-likeness)[:MOST_TRIPLES]
    return _poses(found.at[corner[order]], found.at[right_eye[order]], found.at[down_eye[order]])


def twos(found: Spots, module: float, shortest: float = 0.82) -> Reals:
    """The same from two good spots, the third being washed out: side by side, stacked, or diagonal."""
    good = Spots(found.at[found.likeness > GOOD], found.likeness[found.likeness > GOOD])
    if len(good) < 2:
        return np.zeros((0, 6), np.float32)
    _, far = _distances(good, module)
    a, b = _strongest(good, (far > shortest) & (far < 1.12))
    c, d = _strongest(good, (far > shortest * 2**0.5) & (far < 1.12 * 2**0.5))
    leg, gap = b - a, d - c
    turned, slant = np.stack([-leg[:, 1], leg[:, 0]], 1), np.stack([-gap[:, 1], gap[:, 0]], 1)
    return _poses(
        np.vstack([a, a, (c + d) / 2 + slant / 2]),
        np.vstack([b, a - turned, c]),
        np.vstack([a + turned, b, d]),
    )


def _distances(found: Spots, module: float) -> tuple[Reals, Reals]:
    """From each spot to each other: as x and y, and relative to the distance between two finder patterns."""
    apart = found.at[None] - found.at[:, None]
    return apart, np.asarray(np.hypot(apart[..., 0], apart[..., 1]) / np.float32(LEG * module), np.float32)


def _poses(top_left: Reals, top_right: Reals, bottom_left: Reals) -> Reals:
    right, down = (top_right - top_left) / LEG, (bottom_left - top_left) / LEG
    return np.hstack([(top_right + bottom_left) / 2, right, down]).astype(np.float32)


def _strongest(found: Spots, pairs: NDArray[np.bool_]) -> tuple[Reals, Reals]:
    first, second = np.nonzero(pairs)
    order = np.argsort(-(found.likeness[first] + found.likeness[second]))[:MOST_PAIRS]
    return found.at[first[order]], found.at[second[order]]


def corners(pose: Reals) -> Reals:
    """The four outer corners of each symbol (n, 4, 2), clockwise from its top left."""
    half = MODULES / 2
    signs = np.array([[-half, -half], [half, -half], [half, half], [-half, half]], np.float32)
    middle, right, down = pose[:, None, 0:2], pose[:, None, 2:4], pose[:, None, 4:6]
    return np.asarray(middle + signs[None, :, :1] * right + signs[None, :, 1:] * down, np.float32)


def inside(pose: Reals, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which symbols lie wholly in a picture of this shape."""
    outline = corners(pose)
    return np.asarray(
        (outline > -0.5).all(axis=(1, 2)) & (outline < (shape[1] - 0.5, shape[0] - 0.5)).all(axis=(1, 2))
    )


def modules(pose: Reals) -> Reals:
    """Pixels per module of each symbol."""
    area = np.abs(pose[:, 2] * pose[:, 5] - pose[:, 3] * pose[:, 4])
    return np.asarray(np.sqrt(area), np.float32)


@functools.cache
def eye() -> Reals:
    """A finder pattern averaged over all rotations, as a filter: sum 0, length 1, round."""
    fine = 24  # steps per module
    half = int(7 * fine)
    y, x = (np.mgrid[-half:half, -half:half] + 0.5) / fine
    turned = np.zeros((SIDE, SIDE))
    for angle in np.deg2rad(np.arange(0, 90, 5)):
        u, v = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
        ring = np.maximum(np.abs(u), np.abs(v))
        light = ((ring > 1.5) & (ring < 2.5)) | (ring > 3.5)
        soft = cv2.GaussianBlur(light.astype(np.float32), (0, 0), 0.6 / WORKING * fine)
        at = half + (np.arange(SIDE) - SIDE // 2) / WORKING * fine
        turned += soft[np.ix_(at.astype(int), at.astype(int))]
    round_ = _window()
    flat = (turned - (turned * round_).sum() / round_.sum()) * round_
    return np.asarray(flat / np.linalg.norm(flat), np.float32)


@functools.cache
def _window() -> Reals:
    y, x = np.mgrid[:SIDE, :SIDE] - SIDE // 2
    return np.asarray(np.clip(REACH * WORKING - np.hypot(x, y) + 0.5, 0, 1), np.float32)


def _none() -> Spots:
    return Spots(np.zeros((0, 2), np.float32), np.zeros(0, np.float32))


def _peaks(grey: Grey) -> tuple[Places, Places, Reals, Reals]:
    """Local maxima of the filter response (x, y), the response, and the sub-pixel offset; the strongest, if
    there are many."""
    rim, bands = SIDE // 2 + 1, []
    for top in range(rim, grey.shape[0] - rim, rows := max(SIDE, BAND // grey.shape[1])):
        bands.append(_peaks_in(grey[top - rim : top + rows + rim], top - rim))
    xs, ys, answer, off = (np.concatenate(part) for part in zip(*bands, strict=True))
    if len(xs) > MOST_PEAKS:
        best = np.argpartition(-answer, MOST_PEAKS)[:MOST_PEAKS]
        xs, ys, answer, off = xs[best], ys[best], answer[best], off[best]
    return xs, ys, answer, off


def _peaks_in(band: Grey, down: int) -> tuple[Places, Places, Reals, Reals]:
    """The same for a band of the picture starting at row `down`, without its rim, where the filter would
    overlap the edge."""
    answer: Any = cv2.filter2D(band.astype(np.float32), cv2.CV_32F, eye(), borderType=cv2.BORDER_REPLICATE)
    highest = cv2.dilate(answer, np.ones((3, 3), np.uint8))
    top = cv2.compare(answer, highest, cv2.CMP_GE)
    loud = np.asarray(answer > FAINTEST, np.uint8)
    rim = SIDE // 2 + 1
    where = cv2.findNonZero(np.ascontiguousarray(cv2.bitwise_and(top, loud)[rim:-rim, rim:-rim]))
    flat = () if where is None else where  # OpenCV 4 has one axis more than OpenCV 5
    xs, ys = np.asarray(flat, np.intp).reshape(-1, 2).T + rim
    return xs, ys + down, answer[ys, xs], _between(answer, xs, ys)


def _likeness(grey: Grey, xs: Places, ys: Places, answer: Reals) -> Reals:
    """The correlation of the filter with the picture under it, ignoring a gradient of the light."""
    rows, columns = np.nonzero(_window() > 0.3)
    down, right = rows - SIDE // 2, columns - SIDE // 2
    w = grey.shape[1]
    offsets = (down * w + right).astype(np.int32)
    under = np.take(grey.reshape(-1), (ys * w + xs).astype(np.int32)[:, None] + offsets).astype(np.float32)
    plain = np.stack([np.ones_like(right), right, down], 1).astype(np.float32)
    plain /= np.linalg.norm(plain, axis=0)
    energy = np.einsum("ij,ij->i", under, under) - np.square(under @ plain).sum(axis=1)
    return np.asarray(answer / np.sqrt(np.maximum(energy, 1.0)), np.float32)


def _between(answer: Any, xs: Places, ys: Places) -> Reals:
    """The sub-pixel offset of each peak: a parabola along x and along y."""
    middle = answer[ys, xs]
    out = []
    for before, after in ((answer[ys, xs - 1], answer[ys, xs + 1]), (answer[ys - 1, xs], answer[ys + 1, xs])):
        bend = np.minimum(before + after - 2 * middle, -1e-3)
        out.append(np.clip((before - after) / (2 * bend), -0.5, 0.5))
    return np.stack(out, 1).astype(np.float32)
