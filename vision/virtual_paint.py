"""Paint for the virtual table: wood and cloth, cards with printed art, labels, and the small things that lie about.

Everything here is flat, without light or lens, 8 bits BGR. A card looks the same in every scene: its art comes
from its text, not from the seed of the scene.
"""

import functools
import zlib
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import segno

Picture = np.ndarray[Any, np.dtype[Any]]

ART = 6.0  # pixels per mm of card art; no camera here can see finer print
INK, PAPER = 26, 226  # printed black and white as 8-bit gamma values: never 0 and 255 in practice
QUIET = 2  # modules of white around a symbol: what we print
CELL = 12  # pixels per module of a label before it is brought into the scene


def dice(*of: object) -> np.random.Generator:
    """Random numbers that depend only on these values."""
    return np.random.default_rng([zlib.crc32(repr(part).encode()) for part in of])


@functools.lru_cache(maxsize=1024)
def symbol(text: str) -> Picture:
    """The modules of a QR code, True = dark: version 1-H as on our labels, or what a foreign text needs."""
    try:
        made = segno.make(text, version=1, error="h", micro=False)
    except segno.DataOverflowError:
        made = segno.make(text, micro=False)
    return np.array(made.matrix, dtype=np.uint8) > 0


@functools.lru_cache(maxsize=512)
def sticker(text: str) -> Picture:
    """A printed label, symbol and quiet zone, grey, CELL pixels per module."""
    modules = np.pad(symbol(text), QUIET)
    flat = np.where(modules, INK, PAPER).astype(np.uint8)
    return np.kron(flat, np.ones((CELL, CELL), np.uint8))


def _smooth(rng: np.random.Generator, shape: tuple[int, int], cells: tuple[float, float]) -> Picture:
    """Soft noise of standard deviation 1: a coarse grid of random values, enlarged."""
    coarse = rng.normal(size=(max(2, round(cells[0])), max(2, round(cells[1])))).astype(np.float32)
    return cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)


def wood(rng: np.random.Generator, size_mm: tuple[float, float], scale: float) -> Picture:
    """A table top of boards, grain along x. Painted at 2 pixels per mm or less, enlarged."""
    coarse = min(scale, 2.0)
    w, h = round(size_mm[0] * coarse), round(size_mm[1] * coarse)
    board = rng.uniform(90, 160)
    tones = rng.normal(0, 7, size=64)
    rows = (np.arange(h) / coarse + rng.uniform(0, board)) / board
    plain = np.repeat(tones[rows.astype(int) % 64][:, None], w, axis=1).astype(np.float32)
    bend = _smooth(rng, (h, w), (size_mm[1] / 60, size_mm[0] / 250)) * 5
    y = np.arange(h, dtype=np.float32)[:, None] / coarse + bend
    rings = np.sin(y * rng.uniform(0.5, 0.9)) * 3.5 + np.sin(y * rng.uniform(1.7, 2.6) + bend) * 2.5
    fibre = (
        _smooth(rng, (h, w), (h / 1.2, size_mm[0] / 22)) * 4.5 + _smooth(rng, (h, w), (h, size_mm[0] / 6)) * 3
    )
    cloudy = _smooth(rng, (h, w), (size_mm[1] / 120, size_mm[0] / 160)) * 5
    value = plain + rings + fibre + cloudy
    value[(rows % 1) * board < 0.7] -= 38
    base = np.array(rng.choice([(62, 98, 142), (78, 122, 168), (46, 66, 98), (108, 150, 186)]), np.float32)
    flat = base[None, None, :] * (1 + value[:, :, None] / 110)
    return _enlarge(np.clip(flat, 0, 255).astype(np.uint8), size_mm, scale)


def cloth(rng: np.random.Generator, size_mm: tuple[float, float], scale: float) -> Picture:
    """A play mat: dyed weave with a few soft folds."""
    coarse = min(scale, 2.4)
    w, h = round(size_mm[0] * coarse), round(size_mm[1] * coarse)
    base = np.array(
        rng.choice([(70, 84, 40), (84, 52, 38), (52, 42, 104), (96, 96, 92), (60, 60, 58)]), np.float32
    )
    threads = rng.normal(0, 6, size=(h, w)).astype(np.float32)
    x, y = np.arange(w, dtype=np.float32)[None, :], np.arange(h, dtype=np.float32)[:, None]
    weave = np.sin(x * 2.1) * np.sin(y * 2.1) * 6
    folds = _smooth(rng, (h, w), (size_mm[1] / 200, size_mm[0] / 260)) * 7
    flat = base[None, None, :] * (1 + (threads + weave + folds)[:, :, None] / 120)
    return _enlarge(np.clip(flat, 0, 255).astype(np.uint8), size_mm, scale)


def _enlarge(flat: Picture, size_mm: tuple[float, float], scale: float) -> Picture:
    want = (round(size_mm[0] * scale), round(size_mm[1] * scale))
    return cv2.resize(flat, want, interpolation=cv2.INTER_LINEAR)


def some_colour(rng: np.random.Generator, low: int = 20, high: int = 235) -> tuple[int, int, int]:
    hue, sat, val = rng.integers(0, 180), rng.integers(25, 185), rng.integers(low, high)
    pixel = cv2.cvtColor(np.array([[[hue, sat, val]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return int(pixel[0]), int(pixel[1]), int(pixel[2])


def scenery(rng: np.random.Generator, w: int, h: int) -> Picture:
    """The picture on a card: a sky from one colour to another, stars, planets, slabs and a horizon."""
    top, bottom = np.array(some_colour(rng), np.float32), np.array(some_colour(rng), np.float32)
    t = np.linspace(0, 1, h, dtype=np.float32)[:, None, None]
    sky = top * (1 - t) + bottom * t + _smooth(rng, (h, w), (7, 6))[:, :, None] * 14
    art = np.clip(np.broadcast_to(sky, (h, w, 3)), 0, 255).astype(np.uint8)
    for _ in range(rng.integers(8, 50)):
        cv2.circle(
            art, (int(rng.integers(w)), int(rng.integers(h))), int(rng.integers(1, 3)), (235, 240, 240), -1
        )
    for _ in range(rng.integers(1, 4)):
        centre, radius = (int(rng.integers(w)), int(rng.integers(h))), int(rng.integers(w // 12, w // 3))
        cv2.circle(art, centre, radius, some_colour(rng), -1, cv2.LINE_AA)
        off = (centre[0] + radius // 3, centre[1] + radius // 4)
        cv2.circle(art, off, int(radius * 0.7), some_colour(rng, 10, 120), -1, cv2.LINE_AA)
    for _ in range(rng.integers(2, 7)):
        middle = rng.uniform((0, h * 0.3), (w, h))
        shape = middle + rng.normal(0, w / 7, size=(int(rng.integers(3, 7)), 2))
        cv2.fillConvexPoly(art, cv2.convexHull(shape.astype(np.int32)), some_colour(rng), cv2.LINE_AA)
    grain = rng.normal(0, 7, size=(h, w, 1)).astype(np.float32)
    return np.asarray(np.clip(art + grain, 0, 255).astype(np.uint8))


def lines_of_text(
    art: Picture, rng: np.random.Generator, box: tuple[int, int, int, int], ink: tuple[int, int, int]
) -> None:
    """Illegible text: rows of little strokes, as a camera sees small rules text."""
    x0, y0, x1, y1 = box
    y = y0
    while y + 8 <= y1:
        x = x0
        while x < x1 - int(rng.integers(4, 60)):
            for _ in range(rng.integers(2, 9)):
                high = int(rng.integers(5, 9))
                cv2.line(art, (x, y + 8 - high), (x + int(rng.integers(-1, 3)), y + 8), ink, 1, cv2.LINE_AA)
                x += int(rng.integers(3, 6))
            x += 7
        y += 14


Art = Callable[[str, tuple[float, float]], Picture]
"""Paints the face of a card with this label and this size in millimetres, at ART pixels per mm."""


@functools.lru_cache(maxsize=512)
def card_art(text: str, card: tuple[float, float]) -> Picture:
    """The face of a card, ART pixels per mm: frame, picture, title, cost and points, icons, rules text."""
    rng = dice("art", text, card)
    w, h = round(card[0] * ART), round(card[1] * ART)
    frame = some_colour(rng, 15, 200) if rng.random() < 0.7 else (18, 18, 20)
    art = np.full((h, w, 3), frame, np.uint8)
    rim = int(rng.integers(10, 22))
    art[rim : h - rim, rim : w - rim] = scenery(rng, w - 2 * rim, h - 2 * rim)
    for _ in range(rng.integers(0, 3)):
        cv2.rectangle(
            art, (rim, rim), (w - rim, h - rim), some_colour(rng), int(rng.integers(1, 4)), cv2.LINE_AA
        )
    bar = int(h * rng.uniform(0.07, 0.12))
    cv2.rectangle(art, (rim, rim), (w - rim, rim + bar), some_colour(rng, 10, 80), -1)
    word = "".join(chr(65 + int(c)) for c in rng.integers(0, 26, size=int(rng.integers(5, 12))))
    cv2.putText(
        art,
        word,
        (rim + bar, rim + bar - 10),
        cv2.FONT_HERSHEY_DUPLEX,
        bar / 52,
        (235, 238, 240),
        1,
        cv2.LINE_AA,
    )
    if rng.random() < 0.85:
        top = int(h * rng.uniform(0.62, 0.76))
        pale = rng.random() < 0.6
        box = (rim + 6, top, w - rim - 6, h - rim - 6)
        cv2.rectangle(
            art, box[:2], box[2:], (196, 214, 222) if pale else some_colour(rng, 15, 70), -1, cv2.LINE_AA
        )
        ink = (40, 36, 34) if pale else (220, 224, 226)
        lines_of_text(art, rng, (box[0] + 8, top + 10, box[2] - 8, box[3] - 6), ink)
    for _ in range(rng.integers(1, 6)):
        icon(
            art,
            rng,
            (int(rng.uniform(rim, w - rim)), int(rng.uniform(rim, h - rim))),
            int(rng.integers(14, 34)),
        )
    return art


def icon(art: Picture, rng: np.random.Generator, at: tuple[int, int], r: int) -> None:
    kind, colour = rng.choice(3, p=[0.5, 0.42, 0.08]), some_colour(rng, 60, 250)
    if kind == 0:
        cv2.circle(art, at, r, colour, -1, cv2.LINE_AA)
        cv2.circle(art, at, r, (20, 20, 20), 2, cv2.LINE_AA)
    elif kind == 1:
        turns = np.arange(6) * np.pi / 3 + rng.uniform(0, 1)
        ring = np.array(at) + r * np.stack([np.cos(turns), np.sin(turns)], 1)
        cv2.fillConvexPoly(art, ring.astype(np.int32), colour, cv2.LINE_AA)
    else:
        cv2.rectangle(art, (at[0] - r, at[1] - r), (at[0] + r, at[1] + r), (235, 235, 235), -1, cv2.LINE_AA)
        cv2.rectangle(
            art,
            (at[0] - r // 2, at[1] - r // 2),
            (at[0] + r // 2, at[1] + r // 2),
            (25, 25, 25),
            -1,
            cv2.LINE_AA,
        )
    cv2.putText(
        art,
        str(rng.integers(0, 10)),
        (at[0] - r // 2, at[1] + r // 2),
        cv2.FONT_HERSHEY_DUPLEX,
        r / 22,
        (15, 15, 15),
        2,
        cv2.LINE_AA,
    )


def label_place(text: str, size: float, card: tuple[float, float]) -> Picture:
    """Where people stuck the label: affine (2, 3) from symbol coordinates (mm, 0..size) to card coordinates
    (mm).

    Near one of the four corners of the card, nearly straight, slightly off, always wholly on the card if it
    fits.
    """
    rng = dice("label", text)
    whole = size * (1 + 2 * QUIET / symbol(text).shape[0])
    turn = np.deg2rad(rng.uniform(-3, 3))
    c, s = np.cos(turn), np.sin(turn)
    half = whole / 2 * (abs(c) + abs(s))
    side = rng.integers(0, 2, size=2)
    inset = rng.uniform(1.0, 3.5, size=2)
    room = np.maximum(np.array(card) / 2 - half - inset, 0)
    middle = np.array(card) / 2 + np.where(side > 0, room, -room)
    rot = np.array([[c, -s], [s, c]])
    return np.hstack([rot, (middle - rot @ np.array([size / 2, size / 2]))[:, None]])


def scatter(flat: Picture, rng: np.random.Generator, count: int, scale: float) -> None:
    """Dice, cubes, chips and meeples on the table; some with black and white patterns, to mislead a reader."""
    h, w = flat.shape[:2]
    for _ in range(count):
        at = (int(rng.uniform(0, w)), int(rng.uniform(0, h)))
        kind, colour = rng.integers(4), some_colour(rng, 60, 240)
        r = int(rng.uniform(5, 9) * scale)
        dark = tuple(int(c * 0.6) for c in colour)
        if kind == 0:  # a die
            box = cv2.boxPoints(((float(at[0]), float(at[1])), (2 * r, 2 * r), float(rng.uniform(0, 90))))
            cv2.fillConvexPoly(flat, box.astype(np.int32), (228, 230, 232), cv2.LINE_AA)
            for corner in box[: int(rng.integers(1, 5))]:
                pip = (np.array(at) * 0.5 + corner * 0.5).astype(int)
                cv2.circle(flat, (int(pip[0]), int(pip[1])), max(1, r // 5), (24, 22, 22), -1, cv2.LINE_AA)
        elif kind == 1:  # a cube
            box = cv2.boxPoints(((float(at[0]), float(at[1])), (1.1 * r, 1.1 * r), float(rng.uniform(0, 90))))
            cv2.fillConvexPoly(flat, (box + r * 0.15).astype(np.int32), (22, 24, 30), cv2.LINE_AA)
            cv2.fillConvexPoly(flat, box.astype(np.int32), colour, cv2.LINE_AA)
        elif kind == 2:  # a chip with concentric rings
            cv2.circle(flat, at, int(r * 1.3), colour, -1, cv2.LINE_AA)
            cv2.circle(flat, at, r, (225, 228, 230), -1, cv2.LINE_AA)
            cv2.circle(flat, at, int(r * 0.6), dark, -1, cv2.LINE_AA)
        else:  # a chequered tile
            for i in range(4):
                for j in range(4):
                    ink = (30, 30, 32) if (i + j) % 2 else (222, 222, 220)
                    p = (at[0] + i * r // 2, at[1] + j * r // 2)
                    cv2.rectangle(flat, p, (p[0] + r // 2, p[1] + r // 2), ink, -1)
