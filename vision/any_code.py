"""Reads all QR codes in a still picture, also those that are not ours: first plain zxing, then everything
else.

zxing with its default settings comes first, and whatever it reads is kept: so this never reads less than
zxing. Then zxing tries the picture enlarged, reduced, evenly lit, smoothed, sharpened and in black and white;
zbar is asked; and outlines that could not be read are cut out, straightened and unbent. These attempts only
add codes: a place that was read is not read again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import cv2
import numpy as np

from vision import decoders
from vision.decoders import Crop, Reading
from vision.finders import Grey, Reals
from vision.label_search import Clock, Disc, disc, same
from vision.sightings import Corners

BUDGET = 2.5
"""Seconds after which no further attempt starts."""
LARGE = 4_000_000
"""Pixels above which a picture is not enlarged."""
SMALL = 300
"""Pixels along a side below which a picture is not reduced."""
FOR_ZBAR = 2_100_000
"""Pixels up to which zbar is always asked."""
FOR_OPENCV = 1_000_000
"""Pixels up to which OpenCV's reader is used: it takes minutes on large pictures with many codes."""
OUTLINES = 12
"""Unread outlines that are cut out at most."""
SIDE, RIM = 420, 60
"""Size in pixels of a cut-out code, and of the margin around it."""
BENDS = (0.0, 0.06, -0.06, 0.12, -0.12)
"""How far the middle of a code is bent out of its outline, as fractions of its side."""
CRUMPLES, CRUMPLED = 120, 0.035
"""How many random crumplings are tried, and how far they bend."""

Way = tuple[Reals, Reals, bool]
"""Maps points of a flat code to the outline of a bent one (0 to 1); and whether to read thoroughly."""


def read(grey: Grey, clock: Clock = time.perf_counter) -> list[Reading]:
    """Every code that can be read, one per place."""
    until = clock() + BUDGET
    first = decoders.zxing_plain(grey)
    found = [reading for reading in first if reading.text]
    taken = [disc(reading.corners) for reading in found]
    unread = [reading.corners for reading in first if not reading.text]

    def keep(more: list[Reading]) -> None:
        for reading in more:
            place = disc(reading.corners)
            if not reading.text:
                unread.append(reading.corners)
            elif not any(_here(place, other) for other in taken):
                found.append(reading)
                taken.append(place)

    for attempt in _easier(grey):
        if clock() > until:
            break
        keep(attempt())
    if grey.size <= FOR_ZBAR or clock() < until:
        keep(decoders.zbar(grey))
    for ways in (_bent, _crumpled):
        for corners in _apart(unread, taken)[:OUTLINES]:
            keep(_cut_out(grey, corners, ways, lambda: clock() < until))
    if not found and clock() < until:
        keep(decoders.opencv(*_shrunk(grey, FOR_OPENCV)))
    return found


def _here(one: Disc, other: Disc) -> bool:
    """Whether two readings are of the same code; a code may be next to a much larger one."""
    return same(one, other) and max(one.radius, other.radius) < 3 * min(one.radius, other.radius)


def _apart(unread: list[Corners], taken: list[Disc]) -> list[Corners]:
    """Outlines where nothing was read, one per place."""
    out: list[Corners] = []
    seen = list(taken)
    for corners in unread:
        place = disc(corners)
        if not any(same(place, other) for other in seen):
            out.append(corners)
            seen.append(place)
    return out


def _easier(grey: Grey) -> Iterator[Callable[[], list[Reading]]]:
    """Attempts on the whole picture, the most promising first."""

    def attempt(change: Callable[[Grey], Grey], zoom: float = 1.0) -> Callable[[], list[Reading]]:
        def reads() -> list[Reading]:
            part = Crop(change(grey), 0, 0, zoom)
            return [part.back(reading) for reading in decoders.zxing_plain(part.grey)]

        return reads

    if grey.size <= LARGE:
        yield attempt(lambda g: _resized(g, 2.0), 2.0)
    yield attempt(_evenly_lit)
    yield attempt(_smooth)
    if min(grey.shape) > SMALL:
        yield attempt(lambda g: _resized(g, 0.5), 0.5)
    yield attempt(_sharp)
    yield attempt(_black_and_white)
    if min(grey.shape) > 2 * SMALL:
        yield attempt(lambda g: _resized(g, 0.25), 0.25)


def _resized(grey: Grey, zoom: float) -> Grey:
    how = cv2.INTER_CUBIC if zoom > 1 else cv2.INTER_AREA
    return np.asarray(cv2.resize(grey, None, fx=zoom, fy=zoom, interpolation=how), np.uint8)


def _shrunk(grey: Grey, pixels: int) -> tuple[Grey, float]:
    zoom = min(1.0, (pixels / grey.size) ** 0.5)
    return (grey, 1.0) if zoom == 1 or min(grey.shape) * zoom < 2 else (_resized(grey, zoom), zoom)


def _evenly_lit(grey: Grey) -> Grey:
    return np.asarray(cv2.createCLAHE(4.0, (8, 8)).apply(grey), np.uint8)


def _smooth(grey: Grey) -> Grey:
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.5), np.uint8)


def _sharp(grey: Grey) -> Grey:
    return np.asarray(cv2.addWeighted(grey, 2.5, cv2.GaussianBlur(grey, (0, 0), 2.0), -1.5, 0), np.uint8)


def _black_and_white(grey: Grey) -> Grey:
    """Dark means darker than the surroundings, over a twelfth of the picture."""
    side = max(3, min(grey.shape) // 12 | 1)
    soft = cv2.GaussianBlur(grey, (0, 0), 1.0)
    how = (cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY)
    return np.asarray(cv2.adaptiveThreshold(soft, 255, *how, side, 4), np.uint8)


def _cut_out(
    grey: Grey, corners: Corners, ways: Callable[[], Iterator[Way]], in_time: Callable[[], bool]
) -> list[Reading]:
    """The code with this outline, straightened and unbent in many ways."""
    outline = np.asarray(corners, np.float32)
    if outline.shape != (4, 2) or cv2.contourArea(outline) < 100:
        return []
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    onto = np.asarray(cv2.getPerspectiveTransform(square, outline), np.float32)
    for u, v, thorough in ways():
        if not in_time():
            break
        flat = np.stack([u, v, np.ones_like(u)], -1) @ onto.T
        depth = np.where(np.abs(flat[..., 2]) < 1e-6, np.float32(1e-6), flat[..., 2])
        x, y = (np.clip(flat[..., k] / depth, -1e4, 4e4).astype(np.float32) for k in (0, 1))
        part = np.asarray(cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)
        texts = _only_texts(part)
        if thorough and not texts:
            texts = _only_texts(_sharp(part)) or {r.text for r in decoders.zbar(part) if r.text}
        if len(texts) == 1:
            return [Reading(texts.pop(), corners, sure=0.995)]
    return []


def _only_texts(grey: Grey) -> set[str]:
    return {reading.text for reading in decoders.zxing_plain(grey) if reading.text}


def _code() -> tuple[Reals, Reals]:
    """The points of a code with its margin, as fractions of its side."""
    steps = (np.arange(-RIM, SIDE + RIM, dtype=np.float32) + np.float32(0.5)) / np.float32(SIDE)
    across, down = np.meshgrid(steps, steps)
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def _bent() -> Iterator[Way]:
    """Flat, and bent around an upright or a lying bottle."""
    u, v = _code()
    for bend in map(np.float32, BENDS):
        yield u, v + bend * 4 * u * (1 - u), True
        if bend:
            yield u + bend * 4 * v * (1 - v), v, True


def _crumpled() -> Iterator[Way]:
    """Crumpled at random, identical in every run."""
    u, v = _code()
    bow, sag = 4 * u * (1 - u), 4 * v * (1 - v)
    dice = np.random.default_rng(1)
    for _ in range(CRUMPLES):
        a = dice.normal(0, CRUMPLED, (2, 4)).astype(np.float32)
        yield (
            u + a[0, 0] * bow + a[0, 1] * sag + a[0, 2] * bow * (2 * u - 1) + a[0, 3] * u * v,
            v + a[1, 0] * bow + a[1, 1] * sag + a[1, 2] * sag * (2 * v - 1) + a[1, 3] * u * v,
            False,
        )
