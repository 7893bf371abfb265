"""Finds taught faces with the same picture in another frame, such as a card of two editions: nobody tells them apart
surely from a distance, and block by block they are not alike enough to be noticed.

Features that many faces share, such as those of a frame, are left out; of two faces with the same picture many of the
others match, and agree on one way to move, turn and scale.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from vision.face_features import Features
from vision.finders import Reals

LIKE = 0.75
"""Least likeness of two descriptions (-1..1) of the same point."""
CELL, SAME = 16, 9
"""Size of a cell in pixels; in how many cells matching features must agree. Faces with other pictures agree in at most
8, where they have the same symbols; reprints in at least 9, mostly 15."""
SAMPLE, SHARED, NEAR = 24, 1 / 6, 6.0
"""A feature is shared if so large a part of a sample of faces has its like within so many pixels."""
GLANCE, HINT = 70, 4
"""Two faces are compared as a whole only if of so many features each at least so many match."""
OFF = 2.0
"""Pixels that a point may be off."""
SIZE = np.array([96, 132], np.float32)
"""Width and height of a face for this, in pixels."""


def reprints(faces: Sequence[Features]) -> Iterator[tuple[int, int]]:
    """The numbers of faces that show the same picture, in pairs."""
    sample = [faces[k] for k in range(0, len(faces), max(1, len(faces) // SAMPLE))]
    own = [face.those(_unshared(face, [other for other in sample if other is not face])) for face in faces]
    glances = [face.rows[:GLANCE] for face in own]
    for a, one in enumerate(own):
        for b in range(a):
            if _hints(glances[a], glances[b]) >= HINT and _agreeing_cells(one, own[b]) >= SAME:
                yield b, a


def _unshared(face: Features, others: list[Features]) -> Reals:
    """Which features are this face's own."""
    count = np.zeros(len(face))
    for other in others:
        if len(face) and len(other):
            alike = face.rows @ other.rows.T
            nearest = alike.argmax(axis=1)
            off = np.abs((face.points - other.points[nearest]) * SIZE).max(axis=1)
            count += (alike.max(axis=1) > LIKE) & (off < NEAR)
    return np.asarray(count < max(2, len(others) * SHARED))


def _hints(one: Reals, other: Reals) -> int:
    return int(((one @ other.T) > LIKE).any(axis=1).sum()) if len(one) and len(other) else 0


def _agreeing_cells(one: Features, other: Features) -> int:
    """In how many cells features of two faces match and agree on one way to move, turn and scale."""
    alike = one.rows @ other.rows.T
    nearest = alike.argmax(axis=1)
    mutual = (alike.max(axis=1) > LIKE) & (alike.argmax(axis=0)[nearest] == np.arange(len(nearest)))
    if mutual.sum() < SAME:
        return 0
    here, there = one.points[mutual] * SIZE, other.points[nearest[mutual]] * SIZE
    _, agree = cv2.estimateAffinePartial2D(here, there, ransacReprojThreshold=OFF)
    if agree is None:
        return 0
    return len({(int(x // CELL), int(y // CELL)) for x, y in here[agree[:, 0] > 0]})
