"""Places where a label stands and nothing is read yet, found bit by bit within the time there is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np
from msgspec import Struct

from vision import finders, squares
from vision.finders import Grey, Reals
from vision.labels import MODULES
from vision.sightings import Corners

Clock = Callable[[], float]

SCALES = (1.73, 2.07, 1.44, 1.2, 1.0, 2.5, 3.0, 3.6, 4.3, 5.2, 6.2)
"""Pixels per module that are tried when no label has told its size; each finds what is 15 % smaller or 8 % larger."""
SMALLER = 0.86
"""A size is looked for with a filter that finds everything down to this part of it as well."""
LARGER = (1.07, 0.98)
"""The filter is that much larger than the size, in turns: a label half washed out is found only by one that fits."""
MOST_SIZES = 3
STRANGERS = 3
"""While sizes are known, every so many pictures one other size is looked for as well."""
FINE_ENOUGH = 2.2
"""Labels with larger modules than that are looked at in a smaller picture, at this many pixels:"""
MEASURED_AT = 1.6
OVERLAP = 0.6
"""Two labels whose middles are nearer than this part of their half diagonal cannot lie side by side."""
FULL_HD = 1920 * 1080
HASTE = 1.25
"""What a search is expected to take, in parts of what it took of late: better too early than too late."""


class Disc(Struct, frozen=True):
    """A part of the picture that is spoken for."""

    x: float
    y: float
    radius: float


class FoundPlace(Struct, frozen=True):
    """Places of one size: outlines (n, 4, 2), pixels per module, how well the shared patterns fit, all squares."""

    corners: Reals
    module: Reals
    fit: Reals
    squares: Reals


class LabelSearch:
    """Goes through the sizes a label can have: those known first, the others in turns, picture by picture."""

    def __init__(self) -> None:
        self._turn = self._calls = 0
        self._pace = 1e-8
        """Seconds a pixel of the working picture takes, with what the caller does in between: learned."""
        finders.eye()
        squares.prepare()

    def places(
        self, grey: Grey, sizes: Sequence[float], taken: list[Disc], budget: float, clock: Clock
    ) -> Iterator[FoundPlace]:
        """Places outside what is taken; whoever reads one adds it to `taken`. Stops before the time is up.

        One size is always tried, or a slow computer would never see anything.
        """
        until = clock() + budget
        wanted = [size * LARGER[self._calls % len(LARGER)] for size in covering(sizes)]
        finer = max(1.0, (grey.size / FULL_HD) ** 0.5)  # in larger pictures labels are larger as well
        blind = [size * finer for size in SCALES[self._turn :] + SCALES[: self._turn]]
        self._calls += 1
        if wanted:
            blind = blind[: self._calls % STRANGERS == 0]
        tried = 0
        for number, module in enumerate((*wanted, *blind)):
            before = clock()
            work = grey.size * (finders.WORKING / module) ** 2
            if number and before + HASTE * self._pace * work > until:
                break
            tried += number >= len(wanted)
            found = look(grey, module, taken)
            if len(found.fit):
                yield found
            self._pace += 0.3 * ((clock() - before) / work - self._pace)
        self._turn = (self._turn + tried) % len(SCALES)


def look(grey: Grey, module: float, taken: Sequence[Disc]) -> FoundPlace:
    """The places of labels of about this size, outside what is taken."""
    zoom = 1.0
    if module > FINE_ENOUGH:
        zoom = MEASURED_AT / module
        size = (max(1, round(grey.shape[1] * zoom)), max(1, round(grey.shape[0] * zoom)))
        grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
    discs = np.array([(d.x, d.y, d.radius) for d in taken], np.float32).reshape(-1, 3) * np.float32(zoom)
    seen = finders.spots(grey, module * zoom).outside(discs)
    smooth = grey.astype(np.float32)
    poses, fit = squares.refine(smooth, finders.threes(seen, module * zoom))
    own = np.hstack([poses[:, :2], 0.75 * MODULES * finders.modules(poses)[:, None]])
    more, fits = squares.refine(smooth, finders.twos(seen.outside(own), module * zoom))
    poses, fit = np.vstack([poses, more]), np.concatenate([fit, fits])
    whole = finders.inside(poses, grey.shape)
    poses, fit = poses[whole], fit[whole]
    return _found(smooth, poses, fit, zoom)


def again(grey: Grey, places: Sequence[Corners]) -> FoundPlace:
    """These places once more, a frame later: fitted to where they are now, and measured."""
    outline = np.asarray(places, np.float32)
    a, b, c, d = (outline[:, k] for k in range(4))
    poses = np.hstack(
        [outline.mean(axis=1), (b - a + c - d) / (2 * MODULES), (d - a + c - b) / (2 * MODULES)]
    )
    smooth = grey.astype(np.float32)
    poses, fit = squares.refine(smooth, poses[finders.modules(poses) < FINE_ENOUGH])
    whole = finders.inside(poses, grey.shape)
    return _found(smooth, poses[whole], fit[whole], 1.0)


def _found(smooth: Reals, poses: Reals, fit: Reals, zoom: float) -> FoundPlace:
    outlines = (finders.corners(poses) + 0.5) / np.float32(zoom) - 0.5
    return FoundPlace(
        outlines, finders.modules(poses) / np.float32(zoom), fit, squares.measure(smooth, poses)
    )


def covering(sizes: Sequence[float]) -> list[float]:
    """A few sizes to look for that find labels of all these sizes, the commonest first."""
    left = sorted(sizes)
    out: list[tuple[int, float]] = []
    while left:
        largest = left[-1]
        near = [size for size in left if size >= largest * SMALLER]
        out.append((len(near), largest))
        left = left[: len(left) - len(near)]
    out.sort(reverse=True)
    return [size for _, size in out[:MOST_SIZES]]


def disc(corners: Corners) -> Disc:
    """The round part of the picture a label takes up."""
    x = sum(corner[0] for corner in corners) / len(corners)
    y = sum(corner[1] for corner in corners) / len(corners)
    return Disc(x, y, 1.04 * max(math.hypot(a - x, b - y) for a, b in corners))


def same(one: Disc, other: Disc) -> bool:
    """Whether two labels here would lie on each other."""
    return math.hypot(one.x - other.x, one.y - other.y) < OVERLAP * max(one.radius, other.radius)
