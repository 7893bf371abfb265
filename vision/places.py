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

STEP = 1.2
"""Sizes are tried in steps of that factor: each finds what is 15 % smaller or 8 % larger."""
SCALES = tuple(round(STEP**k, 2) for k in (3, 4, 2, 1, 0, 5, 6, 7, 8, 9, 10))
"""Pixels per module that are tried, the likeliest first."""
SMALLER = 0.86
"""A size is looked for with a filter that finds everything down to this part of it as well."""
LARGER = (1.07, 0.98)
"""The filter is that much larger than the size, in turns: a label half washed out is found only by one that fits."""
STRANGERS = 3
"""Every so many pictures a size that no label has told comes first."""
FINE_ENOUGH = 2.6
"""Labels with larger modules than that, in pixels, are looked at in a picture of half the size."""
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


class HalvedPicture:
    """A picture, half of it, a quarter and so on, each made when it is needed."""

    def __init__(self, grey: Grey) -> None:
        self._levels = [grey]

    def for_module(self, module: float) -> tuple[Grey, float]:
        """The picture in which modules of this size are small enough to be measured, and how much smaller it is."""
        level = max(0, math.floor(math.log2(max(module, 1e-3) / FINE_ENOUGH)) + 1)
        while len(self._levels) <= level and min(self._levels[-1].shape) > 2:
            last = self._levels[-1]
            size = (last.shape[1] // 2, last.shape[0] // 2)
            even = np.ascontiguousarray(last[: 2 * size[1], : 2 * size[0]])
            self._levels.append(np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8))
        level = min(level, len(self._levels) - 1)
        return self._levels[level], 0.5**level


class LabelSearch:
    """Goes through the sizes a label can have, those that waited longest first: known ones, then all others."""

    def __init__(self) -> None:
        self._calls = self._began = 0
        self._turns = dict.fromkeys(range(len(SCALES)), 0)
        """In which call each size had its last turn."""
        self.rounds = 0
        """How often every size had its turn."""
        self._pace: dict[int, float] = {}
        """Seconds per pixel of the picture that each size takes, with what the caller does in between: learned."""
        finders.eye()
        squares.prepare()

    def places(
        self,
        grey: Grey,
        sizes: Sequence[float],
        taken: list[Disc],
        budget: float,
        clock: Clock,
        whole: int = 0,
    ) -> Iterator[FoundPlace]:
        """Places outside what is taken; whoever reads one adds it to `taken`. Stops before the time is up.

        `whole`: pixels of the picture of which this is a part. One size is always tried, or a slow computer would
        never see anything.
        """
        until = clock() + budget
        finer = max(
            1.0, (max(grey.size, whole) / FULL_HD) ** 0.5
        )  # in larger pictures labels are larger as well
        self._calls += 1
        halves = HalvedPicture(grey)
        for number, (turn, module) in enumerate(self._order(sizes, finer)):
            before = clock()
            took = self._pace.get(turn, 0.0)
            if number and before + HASTE * took * grey.size > until:
                break
            self._turns[turn] = self._calls
            found = look(halves, module, taken)
            if len(found.fit):
                yield found
            now = (clock() - before) / grey.size
            self._pace[turn] = now if not took else took + 0.3 * (now - took)
        if min(self._turns.values()) > self._began:
            self.rounds, self._began = self.rounds + 1, self._calls

    def _order(self, sizes: Sequence[float], finer: float) -> list[tuple[int, float]]:
        """What to look for in this picture, first things first: whose turn it is, and how large."""
        ladder = [size * finer for size in SCALES]
        larger = LARGER[self._calls % len(LARGER)]
        known = [(_nearest(ladder, size), size * larger) for size in covering(sizes)]
        named = {turn for turn, _ in known}
        blind = [(turn, size) for turn, size in enumerate(ladder) if turn not in named]
        known.sort(key=lambda one: self._turns[one[0]])  # a stable order: the commonest first among equals
        blind.sort(key=lambda one: self._turns[one[0]])
        if known and self._calls % STRANGERS == 0:
            return [*blind[:1], *known, *blind[1:]]
        return [*known, *blind]


def _nearest(ladder: Sequence[float], size: float) -> int:
    return min(range(len(ladder)), key=lambda turn: abs(math.log(ladder[turn] / size)))


def look(halves: HalvedPicture, module: float, taken: Sequence[Disc]) -> FoundPlace:
    """The places of labels of about this size, outside what is taken."""
    grey, zoom = halves.for_module(module)
    discs = np.array([(d.x, d.y, d.radius) for d in taken], np.float32).reshape(-1, 3) * np.float32(zoom)
    seen = finders.spots(grey, module * zoom).outside(discs)
    poses, fit = squares.refine(grey, finders.threes(seen, module * zoom))
    own = np.hstack([poses[:, :2], 0.75 * MODULES * finders.modules(poses)[:, None]])
    more, fits = squares.refine(grey, finders.twos(seen.outside(own), module * zoom))
    poses, fit = np.vstack([poses, more]), np.concatenate([fit, fits])
    whole = finders.inside(poses, grey.shape)
    poses, fit = poses[whole], fit[whole]
    return _found(grey, poses, fit, zoom)


def again(grey: Grey, places: Sequence[Corners]) -> FoundPlace:
    """These places once more, a frame later: fitted to where they are now, and measured."""
    outline = np.asarray(places, np.float32)
    a, b, c, d = (outline[:, k] for k in range(4))
    poses = np.hstack(
        [outline.mean(axis=1), (b - a + c - d) / (2 * MODULES), (d - a + c - b) / (2 * MODULES)]
    )
    poses, fit = squares.refine(grey, poses[finders.modules(poses) < FINE_ENOUGH])
    whole = finders.inside(poses, grey.shape)
    return _found(grey, poses[whole], fit[whole], 1.0)


def _found(grey: Grey, poses: Reals, fit: Reals, zoom: float) -> FoundPlace:
    outlines = (finders.corners(poses) + 0.5) / np.float32(zoom) - 0.5
    return FoundPlace(outlines, finders.modules(poses) / np.float32(zoom), fit, squares.measure(grey, poses))


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
    return [size for _, size in out]


def disc(corners: Corners) -> Disc:
    """The round part of the picture a label takes up."""
    x = sum(corner[0] for corner in corners) / len(corners)
    y = sum(corner[1] for corner in corners) / len(corners)
    return Disc(x, y, 1.04 * max(math.hypot(a - x, b - y) for a, b in corners))


def same(one: Disc, other: Disc) -> bool:
    """Whether two labels here would lie on each other."""
    return math.hypot(one.x - other.x, one.y - other.y) < OVERLAP * max(one.radius, other.radius)
