"""Cut-outs for drawn films: cards, hands with sleeves and cups, each with its shadow, drawn quickly into a
picture.

A cut-out is painted once; drawing it is one warp and one blend of the part of the picture it covers, which
makes hours of film affordable. The light is plain: the effects of lens and lamp on a label are left to the
virtual table.
"""

from __future__ import annotations

import functools
from typing import Any

import cv2
import numpy as np
from msgspec import Struct

from vision import virtual_paint as paint
from vision.virtual_geometry import Picture, Size
from workshop.faces.art import art_set

FINE = 10.0
"""Pixels per mm at which a card is composed before it is scaled to the film."""
OVER = 2.0
"""How much finer than the picture a card is stored: it may be held nearer to the camera."""
ARM = 620.0
"""Millimetres from fingertips to the end of the sleeve: longer than any table that is shown."""
SKINS = ((128, 160, 205), (108, 140, 190), (150, 182, 226), (70, 96, 140), (48, 68, 104))


class CutOut(Struct, frozen=True):
    """Something flat with an outline: its colours (premultiplied by its cover) with, as fourth channel, how
    much of the background it lets through; its outline alone; and the (3, 3) matrix from its pixels to
    millimetres around its middle."""

    colours: Picture
    outline: Picture
    to_mm: Picture


def _cut_out(
    colours: Picture, cover: Picture, shade: Picture, middle: tuple[float, float], scale: float
) -> CutOut:
    """`cover` and `shade` are 0..1: the thing itself, and the shadow it casts on what is below."""
    cover = cover.astype(np.float32)
    through = (1 - cover) * (1 - shade.astype(np.float32))
    return CutOut(
        np.clip(np.dstack([colours * cover[:, :, None], through * 255 + 0.5]), 0, 255).astype(np.uint8),
        (cover > 0.5).astype(np.uint8),
        np.array([[1 / scale, 0, -middle[0]], [0, 1 / scale, -middle[1]], [0, 0, 1]]),
    )


def _shadow(cover: Picture, off: tuple[float, float], soft: float, dark: float) -> Picture:
    h, w = cover.shape
    moved = cv2.warpAffine(cover.astype(np.float32), np.array([[1, 0, off[0]], [0, 1, off[1]]]), (w, h))
    return cv2.GaussianBlur(moved, (0, 0), max(soft, 0.4)) * dark


@functools.lru_cache(maxsize=1024)
def card(
    text: str,
    label: float,
    size: tuple[float, float],
    scale: float,
    up: bool,
    raised: bool,
    art: int | None = None,
) -> CutOut:
    """A card with its label, face up or face down, lying or raised above the table; `scale` is the picture's.
    `art`: it has no label, but the face with this text of this set of art."""
    sharp = scale * OVER
    margin = 14.0 if raised else 4.0
    flat = _back(size) if not up else _face(text, label, size) if art is None else art_set(art)(text, size)
    want = (round(size[0] * sharp), round(size[1] * sharp))
    flat = cv2.GaussianBlur(cv2.resize(flat, want, interpolation=cv2.INTER_AREA), (0, 0), 0.7)
    m = round(margin * sharp)
    colours = cv2.copyMakeBorder(flat, m, m, m, m, cv2.BORDER_REPLICATE)
    cover = np.zeros(colours.shape[:2], np.float32)
    _rounded(cover, (m, m, m + want[0] - 1, m + want[1] - 1), round(3 * sharp))
    cover = cv2.GaussianBlur(cover, (0, 0), 0.8)
    off, soft, dark = (
        ((5 * sharp, 7 * sharp), 4 * sharp, 0.35) if raised else ((sharp, 1.2 * sharp), sharp, 0.5)
    )
    shade = _shadow(cover, off, soft, dark)
    middle = (size[0] / 2 + margin, size[1] / 2 + margin)
    return _cut_out(colours.astype(np.float32), cover, shade, middle, sharp)


def _rounded(mask: Picture, box: tuple[int, int, int, int], r: int) -> None:
    x0, y0, x1, y1 = box
    cv2.rectangle(mask, (x0 + r, y0), (x1 - r, y1), 1.0, -1)
    cv2.rectangle(mask, (x0, y0 + r), (x1, y1 - r), 1.0, -1)
    for x in (x0 + r, x1 - r):
        for y in (y0 + r, y1 - r):
            cv2.circle(mask, (x, y), r, 1.0, -1)


def _face(text: str, label: float, size: tuple[float, float]) -> Picture:
    art = paint.card_art(text, size)
    want = (round(size[0] * FINE), round(size[1] * FINE))
    flat = cv2.resize(art, want, interpolation=cv2.INTER_LINEAR)
    sticker = paint.sticker(text)
    modules = sticker.shape[0] / paint.CELL - 2 * paint.QUIET
    cell = label / modules / paint.CELL  # mm per pixel of the sticker
    shift = -paint.QUIET * paint.CELL * cell
    to_symbol = np.array([[cell, 0, shift], [0, cell, shift], [0, 0, 1]])
    place = np.vstack([paint.label_place(text, label, size), [0, 0, 1]])
    onto = np.diag([FINE, FINE, 1]) @ place @ to_symbol
    there = cv2.warpPerspective(np.full_like(sticker, 255), onto, want)
    printed = cv2.warpPerspective(sticker, onto, want)
    return np.where(there[:, :, None] > 127, printed[:, :, None], flat).astype(np.uint8)


@functools.lru_cache(maxsize=16)
def _back(size: tuple[float, float]) -> Picture:
    rng = paint.dice("back", size)
    w, h = round(size[0] * FINE), round(size[1] * FINE)
    flat = np.full((h, w, 3), (82, 46, 34), np.uint8)
    for k in range(-h, w, 60):
        cv2.line(flat, (k, 0), (k + h, h), (120, 78, 58), 8, cv2.LINE_AA)
        cv2.line(flat, (k + h, 0), (k, h), (60, 34, 26), 5, cv2.LINE_AA)
    cv2.ellipse(flat, (w // 2, h // 2), (w // 4, h // 5), 0, 0, 360, (170, 190, 205), -1, cv2.LINE_AA)
    cv2.rectangle(flat, (18, 18), (w - 18, h - 18), (205, 210, 214), 10, cv2.LINE_AA)
    return np.clip(flat + rng.normal(0, 5, (h, w, 1)), 0, 255).astype(np.uint8)


_FINGERS: dict[str, tuple[tuple[float, float, float, float, float], ...]] = {
    # root x, root y, tip x, tip y, thickness; the middle of a hand is where it grips, points or presses
    "grip": (
        (-62, -26, -8, -17, 8),
        (-58, -9, 3, -6, 8.5),
        (-58, 9, 2, 6, 8.5),
        (-62, 25, -9, 17, 7.5),
        (-92, 38, -36, 34, 9),
    ),
    "point": (
        (-62, -22, 0, 0, 8),
        (-58, -6, -40, 6, 9),
        (-58, 10, -44, 18, 8.5),
        (-62, 25, -50, 27, 8),
        (-92, 34, -50, 30, 9),
    ),
    "flat": (
        (-12, -30, 46, -40, 8.5),
        (-6, -10, 62, -14, 9),
        (-6, 10, 58, 12, 9),
        (-14, 28, 38, 36, 8),
        (-50, 42, -4, 70, 10),
    ),
}
_PALM = {"grip": (-88.0, 0.0), "point": (-88.0, 2.0), "flat": (-30.0, 0.0)}


@functools.lru_cache(maxsize=48)
def hand(pose: str, person: int, scale: float) -> CutOut:
    """An arm along x with its hand at the right end; "grip", "point" or "flat"."""
    rng = paint.dice("hand", person)
    left, right, half = ARM, 90.0, 95.0
    w, h = round((left + right) * scale), round(2 * half * scale)

    def at(x: float, y: float) -> tuple[int, int]:
        return round((x + left) * scale * 16), round((y + half) * scale * 16)

    skin, sleeve = np.zeros((h, w), np.uint8), np.zeros((h, w), np.uint8)
    px, py = _PALM[pose]
    ell = (round(44 * scale * 16), round(39 * scale * 16))
    cv2.ellipse(skin, at(px, py), ell, 0, 0, 360, 255, -1, cv2.LINE_AA, 4)
    bend = float(rng.normal(0, 9))
    wrist = np.array(
        [
            at(px - 20, -29),
            at(px - 75, -25),
            at(-left, bend - 42),
            at(-left, bend + 42),
            at(px - 75, 25),
            at(px - 20, 29),
        ]
    )
    cv2.fillPoly(skin, [wrist.astype(np.int32)], 255, cv2.LINE_AA, 4)
    creases = np.zeros((h, w), np.uint8)
    for x0, y0, x1, y1, r in _FINGERS[pose]:
        wide = max(1, round(2 * r * scale * float(rng.uniform(0.93, 1.08))))
        a, b = (np.array(at(x, y)) // 16 for x, y in ((x0, y0), (x1, y1)))
        cv2.line(creases, _point(a), _point(b), 255, wide + max(1, round(1.6 * scale)), cv2.LINE_AA)
        cv2.line(creases, _point(a), _point(b), 0, wide, cv2.LINE_AA)
        cv2.line(skin, _point(a), _point(b), 255, wide, cv2.LINE_AA)
    edge = float(rng.uniform(60, 130))
    cuff = np.array([at(px - edge, -36), at(-left, bend - 62), at(-left, bend + 62), at(px - edge, 36)])
    cv2.fillPoly(sleeve, [cuff.astype(np.int32)], 255, cv2.LINE_AA, 4)
    colours = _skin(rng, skin, creases, person, scale)
    cloth = _sleeve(rng, sleeve, scale)
    on = sleeve[:, :, None].astype(np.float32) / 255
    colours = colours * (1 - on) + cloth * on
    cover = cv2.GaussianBlur(np.maximum(skin, sleeve).astype(np.float32) / 255, (0, 0), 0.7)
    shade = _shadow(cover, (6 * scale, 9 * scale), 7 * scale, 0.42)
    return _cut_out(colours, cover, shade, (left, half), scale)


def _point(p: Picture) -> tuple[int, int]:
    return int(p[0]), int(p[1])


def _skin(rng: np.random.Generator, mask: Picture, creases: Picture, person: int, scale: float) -> Picture:
    """Skin, shaded at the edges, with blotches, dark between the fingers."""
    depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3) / (14 * scale)
    tone = np.array(SKINS[person % len(SKINS)], np.float32)
    shape = mask.shape
    light = 0.66 + 0.34 * np.sqrt(np.clip(depth, 0, 1))
    light += _cloud(rng, shape, 9 * scale) * 0.035 + _cloud(rng, shape, 2 * scale) * 0.02
    flat = tone[None, None, :] * light[:, :, None]
    crease = cv2.GaussianBlur(creases.astype(np.float32) / 255, (0, 0), max(0.5, 0.8 * scale))[:, :, None]
    return np.asarray(flat * (1 - 0.4 * crease))


def _sleeve(rng: np.random.Generator, mask: Picture, scale: float) -> Picture:
    depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3) / (25 * scale)
    tone = rng.uniform(25, 200, 3).astype(np.float32)
    h, w = mask.shape
    light = 0.6 + 0.4 * np.sqrt(np.clip(depth, 0, 1)) + _cloud(rng, (h, w), 16 * scale) * 0.09
    light += _cloud(rng, (h, w), 1.2 * scale) * 0.04
    if rng.random() < 0.5:  # a striped or a chequered shirt
        x, y = np.arange(w)[None, :] / scale, np.arange(h)[:, None] / scale
        light = light * np.where((y % 14 < 3) | ((x % 14 < 3) & (rng.random() < 0.5)), 1.35, 1.0)
    return np.asarray(tone[None, None, :] * light[:, :, None])


def _cloud(rng: np.random.Generator, shape: tuple[int, ...], grain: float) -> Picture:
    cells = (max(2, int(shape[0] / max(grain, 1))), max(2, int(shape[1] / max(grain, 1))))
    coarse = rng.normal(size=cells).astype(np.float32)
    return cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)


@functools.lru_cache(maxsize=16)
def cup(kind: int, scale: float) -> CutOut:
    """A cup of tea from above."""
    rng = paint.dice("cup", kind)
    half, radius = 75.0, 42.0
    n = round(2 * half * scale)
    middle = (n // 2, n // 2)

    def px(mm: float) -> int:
        return max(1, round(mm * scale))

    colour = tuple(float(c) for c in rng.uniform(90, 235, 3))
    flat = np.zeros((n, n, 3), np.float32)
    flat[:] = colour
    cover = np.zeros((n, n), np.float32)
    cv2.circle(cover, middle, px(radius), 1.0, -1, cv2.LINE_AA)
    cv2.line(cover, middle, (n // 2 + px(58), n // 2 - px(12)), 1.0, px(11), cv2.LINE_AA)
    cv2.circle(flat, middle, px(radius - 4), tuple(c * 0.6 for c in colour), -1, cv2.LINE_AA)
    cv2.circle(flat, middle, px(radius - 6), (28, 52, 92), -1, cv2.LINE_AA)
    cv2.ellipse(
        flat,
        (n // 2 - px(12), n // 2 - px(14)),
        (px(12), px(5)),
        40,
        0,
        360,
        (110, 140, 170),
        -1,
        cv2.LINE_AA,
    )
    smooth = cv2.GaussianBlur(cover, (0, 0), 0.7)
    return _cut_out(
        flat, smooth, _shadow(smooth, (9 * scale, 12 * scale), 7 * scale, 0.4), (half, half), scale
    )


def lay(onto: Picture, thing: CutOut, at: Picture, smear: tuple[float, float] = (0.0, 0.0)) -> None:
    """Draw a cut-out where the (3, 3) matrix `at` puts its millimetres, blurred by its movement (pixels)."""
    matrix = _flattened(at) @ thing.to_mm
    box = _box(matrix, thing.outline.shape, onto.shape, smear)
    if box is None:
        return
    x0, y0, x1, y1 = box
    matrix[0, 2] -= x0
    matrix[1, 2] -= y0
    seen = cv2.warpAffine(thing.colours, matrix[:2], (x1 - x0, y1 - y0), borderValue=(0, 0, 0, 255))
    bx, by = (min(61, 1 + 2 * round(abs(s) / 2)) for s in smear)  # odd: OpenCV 5.0 blurs even ones wrongly
    if bx > 1 or by > 1:
        seen = cv2.blur(seen, (bx, by))
    part = onto[y0:y1, x0:x1]
    through = cv2.merge([cv2.extractChannel(seen, 3)] * 3)
    part[:] = cv2.add(cv2.multiply(part, through, scale=1 / 255), cv2.cvtColor(seen, cv2.COLOR_BGRA2BGR))


def _flattened(at: Picture) -> Picture:
    """The affine approximation of a homography at its middle; cut-outs are too small for the difference to matter."""
    w = at[2, 2]
    middle = at[:2, 2] / w
    slope = (at[:2, :2] - np.outer(middle, at[2, :2])) / w
    return np.vstack([np.column_stack([slope, middle]), [0.0, 0.0, 1.0]])


def _box(matrix: Picture, shape: tuple[int, ...], onto: tuple[int, ...], smear: tuple[float, float]) -> Any:
    h, w = shape
    corners = np.array([[0.0, 0, 1], [w, 0, 1], [w, h, 1], [0, h, 1]]) @ matrix[:2].T
    low = np.floor(corners.min(axis=0) - np.abs(smear)).astype(int)
    high = np.ceil(corners.max(axis=0) + np.abs(smear)).astype(int) + 1
    x0, y0 = max(0, int(low[0])), max(0, int(low[1]))
    x1, y1 = min(onto[1], int(high[0])), min(onto[0], int(high[1]))
    return None if x0 >= x1 or y0 >= y1 else (x0, y0, x1, y1)


def hides(thing: CutOut, at: Picture, points: Picture) -> Picture:
    """Which of these pixels (n, 2) of the picture a cut-out covers."""
    back = np.linalg.inv(_flattened(at) @ thing.to_mm)
    there = points @ back[:2, :2].T + back[:2, 2]
    h, w = thing.outline.shape
    x, y = np.round(there).astype(int).T
    inside = (x >= 0) & (x < w) & (y >= 0) & (y < h)
    return np.asarray(inside & (thing.outline[np.clip(y, 0, h - 1), np.clip(x, 0, w - 1)] > 0))


def ground(seed: int, size: Size, scale: float, margin: float) -> tuple[Picture, Picture]:
    """A bare table top, larger than the picture by `margin` of its width on all sides, and the (3, 3) matrix
    from mm to its pixels."""
    rng = paint.dice("film ground", seed)
    wide = (size[0] / scale * (1 + 2 * margin), size[1] / scale + size[0] / scale * 2 * margin)
    make = paint.wood if rng.random() < 0.6 else paint.cloth
    top = make(rng, wide, scale)
    return top, np.array([[scale, 0, top.shape[1] / 2], [0, scale, top.shape[0] / 2], [0, 0, 1]])
