"""Features of pictures: points that are found again in another picture of the same thing, and their descriptions."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec import Struct

from vision.finders import Grey, Reals


class Features(Struct, frozen=True):
    """Points in a picture that are found again in another: where, how large, their directions in degrees, and
    the description of each (n, 40)."""

    points: Reals
    sizes: Reals
    turns: Reals
    rows: Reals

    def __len__(self) -> int:
        return len(self.points)

    def those(self, which: Any) -> Features:
        """Some of them."""
        return Features(self.points[which], self.sizes[which], self.turns[which], self.rows[which])


@functools.cache
def _basis() -> Reals:
    """The forty directions (128, 40) in which descriptions of features differ most."""
    return np.asarray(np.load(Path(__file__).with_name("feature_basis.npy")), np.float32)


@functools.cache
def _sift() -> Any:
    return cv2.SIFT_create(contrastThreshold=0.03)  # type: ignore[attr-defined]


def raw_features(grey: Grey, most: int, where: Grey | None = None) -> tuple[Sequence[Any], Reals]:
    """The strongest points of a picture and their descriptions (n, 128) of length 1."""
    points, rows = _sift().detectAndCompute(grey, where)
    if rows is None:
        return (), np.zeros((0, 128), np.float32)
    if len(points) > most:
        best = np.argsort([-point.response for point in points], kind="stable")[:most]
        points, rows = [points[k] for k in best], rows[best]
    rows = np.sqrt(rows / np.maximum(rows.sum(axis=1, keepdims=True), 1e-6))
    return points, np.asarray(rows, np.float32)


def features(grey: Grey, most: int, where: Grey | None = None) -> Features:
    """The strongest features of a picture; `where`: only where this is not 0."""
    points, raw = raw_features(grey, most, where)
    rows = (raw - np.float32(raw.mean(axis=1, keepdims=True) if len(raw) else 0)) @ _basis()
    rows /= np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6
    return Features(
        np.array([point.pt for point in points], np.float32).reshape(-1, 2),
        np.array([point.size for point in points], np.float32),
        np.array([point.angle for point in points], np.float32),
        np.asarray(rows, np.float32),
    )
