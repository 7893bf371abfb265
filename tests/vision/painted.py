"""Small pictures of labels for tests: painted large, seen through pixel, lens and noise. Deterministic by seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import segno

from vision import labels
from vision.camera_health import Picture
from vision.labels import Label

QUIET = 2


def label(number: int, game: str = "R", copy: int = 0) -> str:
    return labels.text(Label(game, number, copy))


def symbol(text: str, **how: Any) -> Picture:
    """The modules of any QR code, True = dark."""
    if labels.parse(text) is not None and not how:
        return labels.matrix(text)
    return np.array(segno.make(text, micro=False, **how).matrix, np.uint8) > 0


def paint(
    symbols: Sequence[Picture],
    module: float,
    *,
    angles: Sequence[float] = (0.0,),
    size: tuple[int, int] = (640, 360),
    lens: float = 0.5,
    noise: float = 2.0,
    seed: int = 0,
    ink: float = 40,
    paper: float = 210,
) -> tuple[Picture, list[Picture]]:
    """A grey picture with these symbols on a grid, and the corners of each (4, 2)."""
    rng = np.random.default_rng(seed)
    over = 4
    w, h = size
    canvas = np.full((h * over, w * over), 115, np.float32)
    columns = max(1, int(np.ceil(np.sqrt(len(symbols) * w / h))))
    rows = max(1, -(-len(symbols) // columns))
    outlines = []
    for k, dark in enumerate(symbols):
        flat = np.where(np.pad(dark, QUIET), ink, paper).astype(np.float32)
        fine = max(1, round(module * over))
        flat = np.repeat(np.repeat(flat, fine, axis=0), fine, axis=1)
        turn = np.deg2rad(angles[k % len(angles)])
        shape = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * module
        cell = np.array([w / columns, h / rows])
        middle = cell * (k % columns + 0.5, k // columns + 0.5) + rng.uniform(-0.5, 0.5, 2)
        reach = int(len(dark) * module) + 8
        x, y = (max(0, int(v) - reach) * over for v in middle)
        part = canvas[y : y + 2 * reach * over, x : x + 2 * reach * over]
        onto = shape * over / fine
        move = (middle + 0.5) * over - 0.5 - (x, y) - onto @ (np.array(flat.shape) / 2 - 0.5)
        matrix = np.hstack([onto, move[:, None]])
        seen = cv2.warpAffine(flat, matrix, part.shape[::-1], flags=cv2.INTER_LINEAR, borderValue=-1)
        part[:] = np.where(seen >= min(ink, paper) - 1, seen, part)
        box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * len(dark) / 2
        outlines.append(middle + box @ shape.T)
    seen = cv2.resize(canvas, size, interpolation=cv2.INTER_AREA)
    if lens:
        seen = cv2.GaussianBlur(seen, (0, 0), lens)
    return np.clip(seen + rng.normal(0, noise, seen.shape), 0, 255).astype(np.uint8), outlines
