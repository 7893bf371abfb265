"""Finds places with a label that is not read yet, size by size within a time budget."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np
from msgspec import Struct

from vision import finders, squares
from vision.finders import WORKING, Grey, Reals
from vision.labels import MODULES
from vision.plane import Matrix, Plane, plane
from vision.sightings import Corners

Clock = Callable[[], float]

STEP = 1.2
"""Factor between the sizes that are tried: each finds labels up to 15 % smaller or 8 % larger."""
SCALES = tuple(round(STEP**k, 2) for k in (3, 4, 2, 1, 0, 5, 6, -1, 7, 8, 9, 10))
"""Sizes that are tried, in pixels per module, the most likely first."""
SMALLER = 0.86
"""The filter for a size also finds labels down to this fraction of it."""
LARGER = (1.07, 0.98)
"""Factors from the size to the filter, in turn: only a well-fitting filter finds a washed-out label."""
STRANGERS, NEVER = 3, 1 << 30
"""Every so many pictures an unknown size comes first, and in another one labels on bent cards."""
STEEP = 1.42
"""How much the table is stretched in one direction to find labels on bent cards: there they look upright."""
FINE_ENOUGH = 2.6
"""Labels with larger modules than this, in pixels, are searched in a picture of half the size."""
OVERLAP = 0.6
"""Two labels closer than this fraction of their half diagonal cannot lie side by side."""
FULL_HD = 1920 * 1080
HASTE = 1.25
"""Safety factor on the time a search took recently: better stop too early than too late."""


def _longer(way: float) -> Matrix:
    along = np.array([math.cos(way), math.sin(way)])
    return np.asarray(np.eye(2) + (STEEP - 1) * np.outer(along, along))


STEEP_WAYS = 2
"""In each round, bent cards are searched in this many of these directions; the next takes the others."""
STRETCHES = (np.eye(2), *(_longer(math.pi * quarter / 4) for quarter in (0, 2, 1, 3)))
"""The table unchanged, and stretched across, down and along both diagonals."""


class Disc(Struct, frozen=True):
    """A round part of the picture, such as the one a label covers."""

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
    """A picture at half size, a quarter and so on, each computed on demand."""

    def __init__(self, grey: Grey) -> None:
        self._levels = [grey]
        self.height, self.width = grey.shape

    def for_module(self, module: float) -> tuple[Grey, float]:
        """The picture in which modules of this size are small enough to measure, and its scale."""
        level = max(0, math.floor(math.log2(max(module, 1e-3) / FINE_ENOUGH)) + 1)
        while len(self._levels) <= level and min(self._levels[-1].shape) > 2:
            last = self._levels[-1]
            size = (last.shape[1] // 2, last.shape[0] // 2)
            even = np.ascontiguousarray(last[: 2 * size[1], : 2 * size[0]])
            self._levels.append(np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8))
        level = min(level, len(self._levels) - 1)
        return self._levels[level], 0.5**level


class LabelSearch:
    """Goes through the sizes a label can have, longest-waiting first: known sizes, then all others."""

    def __init__(self, strangers: int = STRANGERS) -> None:
        self._calls = self._began = 0
        self._strangers = strangers
        self._turns = dict.fromkeys(range(len(SCALES) + len(STRETCHES)), 0)
        """The call in which each size was last searched, followed by each way to look at the table from
        above."""
        self.rounds = 0
        """How often every size was searched, and some of the directions for bent cards."""
        self._pace: dict[int, float] = {}
        """Seconds per pixel of the picture that each size took, including the caller's work in between."""
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
        lying: Sequence[Corners] = (),
    ) -> Iterator[FoundPlace]:
        """Places outside `taken`; the caller adds what it reads to `taken`. Stops before the time is up.

        `lying`: outlines of labels, from which the camera's view of the table is derived. `whole`: pixels of
        the full picture if this is a part of it. One size is always tried, or a slow computer would never see
        anything.
        """
        until = clock() + budget
        finer = max(1.0, (max(grey.size, whole) / FULL_HD) ** 0.5)  # labels are larger in larger pictures
        self._calls += 1
        halves = HalvedPicture(grey)
        table = plane(lying, (grey.shape[1], grey.shape[0]))
        if table is None:
            self._turns |= dict.fromkeys(range(len(SCALES), len(self._turns)), self._calls)
        longest = max(self._pace.values(), default=0.0)  # assumed for sizes that were never tried
        for number, (turn, module) in enumerate(self._order(sizes, finer, table)):
            before = clock()
            took = self._pace.get(turn, 0.0)
            if number and before + HASTE * (took or longest) * grey.size > until:
                break
            self._turns[turn] = self._calls
            if table is None or turn < len(SCALES):
                found = find_labels(halves, module, taken)
            else:
                found = find_labels_from_above(halves, table, turn - len(SCALES), taken)
            if (
                turn == len(SCALES) and table is not None
            ):  # this search covered the sizes of labels on the table
                self._turns |= {k: self._calls for k, size in enumerate(SCALES) if table.has(size * finer)}
            if len(found.fit):
                yield found
            now = (clock() - before) / grey.size
            self._pace[turn] = now if not took else took + 0.3 * (now - took)
        turns = [self._turns[turn] for turn in range(len(self._turns))]
        needed = turns[: len(SCALES) + 1] + sorted(turns[len(SCALES) + 1 :])[-STEEP_WAYS:]
        if min(needed) > self._began:
            self.rounds, self._began = self.rounds + 1, self._calls

    def _order(self, sizes: Sequence[float], finer: float, table: Plane | None) -> list[tuple[int, float]]:
        """What to search in this picture, in order: the index of the turn, and the size."""
        ladder = [size * finer for size in SCALES]
        larger = LARGER[self._calls % len(LARGER)]
        upright: list[tuple[int, float]] = []
        steep: list[tuple[int, float]] = []
        if table is not None:
            upright, *rest = ([(len(SCALES) + k, 0.0)] for k in range(len(STRETCHES)))
            steep = [one for (one,) in rest]
            sizes = [size for size in sizes if not table.has(size)]
        known = [(_nearest(ladder, size), size * larger) for size in covering(sizes)]
        named = {turn for turn, _ in known}
        blind = [(turn, size) for turn, size in enumerate(ladder) if turn not in named]
        for those in (known, blind, steep):
            those.sort(
                key=lambda one: self._turns[one[0]]
            )  # stable sort: the most common size first among equals
        if steep and self._calls % self._strangers == self._strangers - 1:
            return [*steep[:1], *upright, *known, *blind, *steep[1:]]
        if (known or upright) and self._calls % self._strangers == 0:
            return [*blind[:1], *upright, *known, *steep[:1], *blind[1:], *steep[1:]]
        return [*upright, *known, *steep[:1], *blind, *steep[1:]]


def _nearest(ladder: Sequence[float], size: float) -> int:
    return min(range(len(ladder)), key=lambda turn: abs(math.log(ladder[turn] / size)))


def find_labels(halves: HalvedPicture, module: float, taken: Sequence[Disc]) -> FoundPlace:
    """The places of labels of about this size, outside `taken`."""
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


def find_labels_from_above(
    halves: HalvedPicture, table: Plane, way: int, taken: Sequence[Disc]
) -> FoundPlace:
    """The places of labels as large as most on the table, outside `taken`: those that lie on it, or, with the
    table stretched, those on bent cards."""
    grey, zoom = halves.for_module(table.module)
    poses, fit = np.zeros((0, 6), np.float32), np.zeros(0, np.float32)
    view = table.above((halves.width, halves.height), WORKING, STRETCHES[way])
    if view is not None:
        discs = np.array([(d.x, d.y, d.radius) for d in taken], np.float32).reshape(-1, 3)
        seen = finders.spots(view.of(grey, zoom), WORKING).outside(view.discs(discs))
        threes = finders.threes(seen, WORKING, finders.STRETCHED if way else finders.FROM_ABOVE)
        poses, fit = squares.refine(grey, _smaller(view.back(threes), zoom))
        if way == 0:
            own = np.hstack([poses[:, :2], 0.75 * MODULES * finders.modules(poses)[:, None]])
            free = seen.outside(view.discs((own / zoom).astype(np.float32)))
            two = finders.twos(free, WORKING, 0.92)
            more, fits = squares.refine(grey, _smaller(view.back(two), zoom))
            poses, fit = np.vstack([poses, more]), np.concatenate([fit, fits])
    whole = finders.inside(poses, grey.shape)
    return _found(grey, poses[whole], fit[whole], zoom)


def _smaller(poses: Reals, zoom: float) -> Reals:
    out = poses * np.float32(zoom)
    out[:, :2] += 0.5 * zoom - 0.5
    return np.asarray(out, np.float32)


def again(grey: Grey, places: Sequence[Corners]) -> FoundPlace:
    """The same places one frame later: fitted to where they are now, and measured."""
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
    """A few search sizes that find labels of all these sizes, the most common first."""
    left = sorted(sizes)
    out: list[tuple[int, float]] = []
    while left:
        largest = left[-1]
        near = [size for size in left if size >= largest * SMALLER]
        out.append((len(near), largest))
        left = left[: len(left) - len(near)]
    out.sort(reverse=True)
    return [size for _, size in out]


@functools.lru_cache(maxsize=2048)  # asked for many times in the same picture
def disc(corners: Corners) -> Disc:
    """The disc of the picture that a label covers."""
    x = sum(corner[0] for corner in corners) / len(corners)
    y = sum(corner[1] for corner in corners) / len(corners)
    return Disc(x, y, 1.04 * max(math.hypot(a - x, b - y) for a, b in corners))


def same(one: Disc, other: Disc) -> bool:
    """Whether labels at these two places would overlap."""
    return math.hypot(one.x - other.x, one.y - other.y) < OVERLAP * max(one.radius, other.radius)
