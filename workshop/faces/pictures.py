"""Pictures on made-up cards, in several kinds: what one publisher paints, another photographs or only prints."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision import virtual_paint as paint
from vision.virtual_geometry import Picture

Paint = Callable[[int, str, int, int], Picture]
"""Paints the picture of a card: of which set, its text, width and height."""


def painted(seed: int, text: str, w: int, h: int) -> Picture:
    """Scenery with some more detail, as painted pictures have."""
    rng = paint.dice("drawn", seed, text)
    art = paint.scenery(rng, w, h)
    for _ in range(int(rng.integers(6, 18))):
        middle = rng.uniform((0, 0), (w, h))
        shape = cv2.convexHull((middle + rng.normal(0, w / 14, (6, 2))).astype(np.int32))
        cv2.fillConvexPoly(art, shape, paint.some_colour(rng), cv2.LINE_AA)
    clouds = rng.normal(0, 14, (14, 11)).astype(np.float32)
    soft = cv2.resize(clouds, (w, h), interpolation=cv2.INTER_CUBIC)[:, :, None]
    return np.asarray(np.clip(art + soft, 0, 255), np.uint8)


def photographed(seed: int, text: str, w: int, h: int) -> Picture:
    """Soft light and shade of every size, as in photographs: no outlines."""
    rng = paint.dice("photographed", seed, text)
    art = np.full((h, w, 3), paint.some_colour(rng, 60, 180), np.float32)
    for cells in (3, 6, 12, 24, 48):
        coarse = rng.normal(0, 120 / cells**0.7, (cells * 4 // 3, cells, 1)) + rng.normal(
            0, 30 / cells**0.7, (cells * 4 // 3, cells, 3)
        )
        art += cv2.resize(coarse.astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(art, 0, 255), np.uint8)


def flat(seed: int, text: str, w: int, h: int) -> Picture:
    """A few plain shapes on plain colour, as on modern, sparse cards."""
    rng = paint.dice("flat", seed, text)
    art = np.full((h, w, 3), paint.some_colour(rng), np.uint8)
    for _ in range(int(rng.integers(2, 5))):
        x, y, r = int(rng.uniform(0, w)), int(rng.uniform(0, h)), int(rng.uniform(w / 10, w / 3))
        if rng.random() < 0.5:
            cv2.circle(art, (x, y), r, paint.some_colour(rng), -1, cv2.LINE_AA)
        else:
            box = cv2.boxPoints(((x, y), (2 * r, r), float(rng.uniform(0, 180)))).astype(np.int32)
            cv2.fillConvexPoly(art, box, paint.some_colour(rng), cv2.LINE_AA)
    return art


def written(seed: int, text: str, w: int, h: int) -> Picture:
    """Nothing but text under a small picture."""
    rng = paint.dice("written", seed, text)
    art = np.full((h, w, 3), (205, 222, 228), np.uint8)
    bar, high, side = h // 8, h // 4, w // 8
    art[bar : bar + high, side : w - side] = painted(seed, text, w - 2 * side, high)
    paint.lines_of_text(art, rng, (w // 12, bar + high + 12, w - w // 12, h - 20), (40, 36, 34))
    return art


def faint(seed: int, text: str, w: int, h: int) -> Picture:
    """A painted picture with a quarter of the contrast."""
    grey = float(paint.dice("faint", seed).uniform(70, 190))
    return np.asarray(grey + (painted(seed, text, w, h).astype(np.float32) - 128) / 4, np.uint8)


def alike(seed: int, text: str, w: int, h: int) -> Picture:
    """Variations of one picture that all cards of the set share, some nearly the same."""
    share = float(paint.dice("alike", seed, text).uniform(0.35, 0.85))
    return cv2.addWeighted(
        painted(seed, "of the set", w, h), share, painted(seed, text, w, h), 1 - share, 0.0
    )


def reprinted(seed: int, text: str, w: int, h: int) -> Picture:
    """Every second picture is that of the card before."""
    words = text.split()
    if words[-1].isdecimal():
        text = " ".join([*words[:-1], str(int(words[-1]) // 2 * 2)])
    return painted(seed, text, w, h)


KINDS: dict[str, Paint] = {
    "painted": painted,
    "photographed": photographed,
    "flat": flat,
    "written": written,
    "faint": faint,
    "alike": alike,
    "reprinted": reprinted,
}
