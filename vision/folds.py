"""Labels creased by a fold: two flat parts that meet in a line, fitted onto the patterns all labels share.

A fold through a label displaces the part behind it: by a kink that grows with the distance from the line. A
folded label has four parameters for x and four for y: its middle, one module to the right, one down, and the
kink. The line is one of a few (`ways`); its exact position is not needed. All parameters are fitted to the
patterns that every label has, so no label gets an advantage; only then are the squares measured and compared.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bent_labels import FINE, RIM
from vision.finders import Grey, Reals
from vision.labels import MODULES
from vision.sightings import Corners
from vision.squares import fitter, sample

DIRECTIONS, OFFSETS = 8, (-3.0, 0.0, 3.0)
"""Number of directions a fold line may have, and its distances from the middle of the label, in modules."""
HELD = 2.0
"""Penalty for a kink, against the improvement it brings."""
FIT = 0.7
"""Minimum fit of the shared patterns: below this, a place is mostly not a label, or has another orientation.
Of 492 places in five films that are not labels, most had less than 0.6, a few in one film up to 0.79;
labels have 0.8 to 0.95."""
ROUNDS, FINE_ROUNDS, KEPT = (3, 3), 3, (6, 3)
"""Rounds with all lines, then with the best six; then finer rounds for the best three."""
MOST = np.array([0.7, 0.06, 0.06, 0.06], np.float32)
"""Largest change per round of the middle and of the other parameters, in modules."""

Ways = NDArray[np.intp]


class FoldFits:
    """Ways in which labels may be folded: the shapes (n, 2, 4), the fold line of each, and how well it fits."""

    def __init__(self, shapes: Reals, ways: Ways, fit: Reals) -> None:
        self.shapes, self.ways, self.fit = shapes, ways, fit

    def __len__(self) -> int:
        return len(self.ways)

    def those(self, which: Any) -> FoldFits:
        """The selected ones."""
        return FoldFits(self.shapes[which], self.ways[which], self.fit[which])

    def best(self, count: int) -> FoldFits:
        """The `count` best ones, best first."""
        return self.those(np.argsort(-self.fit)[:count])

    def moved(self, x: float, y: float) -> FoldFits:
        """The same, shifted by (x, y) pixels."""
        shapes = self.shapes.copy()
        shapes[:, :, 0] += (x, y)
        return FoldFits(shapes, self.ways, self.fit)

    def module(self, k: int) -> float:
        """Pixels per module of number `k`."""
        return float(abs(np.linalg.det(self.shapes[k, :, 1:3])) ** 0.5)

    def corners(self, k: int) -> Corners:
        """The outline of number `k`."""
        half = MODULES / 2
        u, v = np.array([-half, half, half, -half]), np.array([-half, -half, half, half])
        x, y = self.those([k]).spread(u, v)
        return tuple((float(a), float(b)) for a, b in zip(x[0], y[0], strict=True))

    def spread(self, u: Any, v: Any) -> tuple[Reals, Reals]:
        """Pixel coordinates (n, points) of points given in modules from the middle."""
        past = np.stack([_past_line(int(way), u, v) for way in self.ways])
        return _placed(self.shapes, u, v, past)

    def squares(self, grey: Grey, fine: int = 3) -> Reals:
        """The brightness of all squares of each symbol (n, 21, 21), like `vision.squares.measure`."""
        steps = (np.arange(MODULES * fine) + 0.5) / fine - MODULES / 2
        v, u = np.meshgrid(steps, steps, indexing="ij")
        points = sample(grey, *self.spread(u.ravel(), v.ravel()))
        return np.asarray(points.reshape(-1, MODULES, fine, MODULES, fine).mean(axis=(2, 4)), np.float32)

    def patch(self, grey: Grey, k: int) -> Reals:
        """One label and its surroundings as if it lay flat, like `vision.bent_labels.straightened`."""
        steps = (np.arange((MODULES + 2 * RIM) * FINE) + 0.5) / FINE - RIM - MODULES / 2
        v, u = np.meshgrid(steps, steps, indexing="ij")
        x, y = (a.reshape(u.shape) for a in self.those([k]).spread(u.ravel(), v.ravel()))
        seen = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen, np.float32)


def prepare() -> None:
    """Fill the caches that the first folded label would otherwise have to fill."""
    _terms(1), _terms(2)


def joined(those: Sequence[FoldFits]) -> FoldFits:
    """All of them in one object."""
    return FoldFits(
        *(np.concatenate([getattr(one, name) for one in those]) for name in ("shapes", "ways", "fit"))
    )


def folded(grey: Grey, outline: Any) -> FoldFits:
    """How the label with this outline is folded: the likeliest ways, best first; empty if it is not a label."""
    a, b, c, d = np.asarray(outline, np.float32)
    count = DIRECTIONS * len(OFFSETS)
    shapes = np.zeros((count, 2, 4), np.float32)
    shapes[:, :, 0] = (a + b + c + d) / 4
    shapes[:, :, 1] = (b - a + c - d) / (2 * MODULES)
    shapes[:, :, 2] = (d - a + c - b) / (2 * MODULES)
    found = FoldFits(shapes, np.arange(count), np.zeros(count, np.float32))
    for rounds, kept in zip(ROUNDS, KEPT, strict=True):
        found = _fitted(grey, found, 1, rounds).best(kept)
    if found.fit[0] < FIT:
        return found.best(0)
    found = _fitted(grey, found, 2, FINE_ROUNDS).best(KEPT[-1])
    return found.those(found.fit > FIT)


def again(grey: Grey, before: FoldFits) -> FoldFits:
    """Folded labels one frame later, fitted to where they are now."""
    return _fitted(grey, before, 2, 2)


def _fitted(grey: Grey, found: FoldFits, per_module: int, rounds: int) -> FoldFits:
    """Lucas-Kanade as in `vision.squares`, with one more term: the kink behind the line."""
    by, (past, undo) = fitter(per_module), _terms(per_module)
    past, undo = past[found.ways], undo[found.ways]
    shapes = best = found.shapes
    best_fit = np.full(len(found), -1, np.float32)
    for turn in range(rounds + 1):
        fit, off = by.missed(by.seen(grey, *_placed(shapes, by.u, by.v, past)))
        better = fit > best_fit
        best, best_fit = np.where(better[:, None, None], shapes, best), np.where(better, fit, best_fit)
        if turn == rounds:
            break
        step = (off[:, None] @ undo).reshape(-1, 2, 4)
        step = np.clip(step, -MOST, MOST)
        shapes = shapes - shapes[:, :, 1:2] * step[:, :1] - shapes[:, :, 2:3] * step[:, 1:]
    return FoldFits(best, found.ways, best_fit)


def _placed(shapes: Reals, u: Any, v: Any, past: Any) -> tuple[Reals, Reals]:
    x, y = (
        shapes[:, k, 0:1] + shapes[:, k, 1:2] * u + shapes[:, k, 2:3] * v + shapes[:, k, 3:4] * past
        for k in (0, 1)
    )
    return x.astype(np.float32), y.astype(np.float32)


def _past_line(way: int, u: Any, v: Any) -> Any:
    """How far points are behind a line, in modules; 0 before it."""
    turn = math.pi * (way // len(OFFSETS)) / DIRECTIONS
    return np.maximum(u * math.cos(turn) + v * math.sin(turn) - OFFSETS[way % len(OFFSETS)], 0)


@functools.cache
def _terms(per_module: int) -> tuple[Reals, Reals]:
    """For each line: how far the shared patterns' points are behind it, and the correction matrix."""
    by = fitter(per_module)
    past = [_past_line(way, by.u, by.v) for way in range(DIRECTIONS * len(OFFSETS))]
    ones = np.ones_like(by.u)
    undo = [by.undoing(np.stack([ones, by.u, by.v, far], 1), (0, 0, 0, HELD)) for far in past]
    return np.asarray(past, np.float32), np.asarray(undo, np.float32)
