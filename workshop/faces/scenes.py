"""Cards of a made-up set taught one by one under one lamp, and scenes of them under others."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import cv2
import numpy as np

from vision import virtual_paint as paint
from vision.face_search import card_that_came, upright
from vision.faces import TaughtFace, straightened, teach
from vision.finders import Grey
from vision.virtual_geometry import WIDTH, HeldCard, Lying, Picture, Shot
from vision.virtual_light import PRESETS, Preset
from vision.virtual_scene import Scene

SCALE = 1920 / WIDTH
"""Pixels per mm of a 1080p picture that thirty cards fill."""
CARD = (62.0, 88.0)


def grey_of(shot: Shot) -> Grey:
    """A picture in grey."""
    return np.asarray(cv2.cvtColor(shot.picture, cv2.COLOR_BGR2GRAY), np.uint8)


def shoot(
    art: paint.Art,
    lying: Sequence[Lying],
    preset: Preset,
    seed: int,
    *,
    wide: float = WIDTH,
    scale: float = SCALE,
    tilt: float | None = None,
    held: HeldCard | None = None,
    arm: float | None = None,
) -> Shot:
    """A picture of so many millimetres of table."""
    size = (round(wide * scale / 16) * 16, round(wide * scale / 16) * 9)
    scene = Scene(lying, preset, seed, size, width=wide, tilt=tilt, clutter=0, art=art)
    return scene.shot(float(paint.dice("when", seed).uniform(0, 60)), 0, arm, held)


def face_of(art: paint.Art, text: str, preset: Preset, seed: int, scale: float = SCALE) -> TaughtFace | None:
    """A face taught from one picture of the card on the table, as people lay it; None if it was not found."""
    rng = paint.dice("taught", seed, text)
    x, y, angle = (float(v) for v in rng.normal(0, (4, 3, 4)))
    there = Lying(text, x, y, angle, 0.0, CARD)
    shot = shoot(art, (there,), preset, seed, wide=240, scale=scale)
    corners = card_that_came(_bare(preset, seed, scale), shot.picture)
    return None if corners is None else taught((text,), grey_of(shot), corners)


@functools.lru_cache(maxsize=4)
def _bare(preset: Preset, seed: int, scale: float) -> Picture:
    """The table before anything is taught."""
    return shoot(paint.card_art, (), preset, seed, wide=240, scale=scale).picture


def taught(texts: tuple[str, ...], grey: Grey, corners: Sequence[tuple[float, float]]) -> TaughtFace:
    """The face of the card with these corners."""
    quad = np.asarray(upright(tuple(corners)), np.float32)
    size = tuple(round(float(np.hypot(*(quad[k] - quad[0])))) for k in (1, 3))
    return teach(texts, straightened(grey, quad, (size[0], size[1])))


def spread(texts: Sequence[str], seed: int, wide: float = WIDTH, turns: bool = True) -> list[Lying]:
    """Cards laid out as people do, without labels."""
    rng = paint.dice("spread", seed)
    columns = int(wide * 0.93 // (CARD[0] * 1.18))
    out = []
    for k, text in enumerate(texts):
        row, column = divmod(k, columns)
        rows = -(-len(texts) // columns)
        x = (column - (columns - 1) / 2) * CARD[0] * 1.22 + rng.uniform(-3, 3)
        y = (row - (rows - 1) / 2) * CARD[1] * 1.16 + rng.uniform(-3, 3)
        angle = float(rng.choice([0, 0, 0, 180]) if turns else 0) + float(rng.normal(0, 3))
        out.append(Lying(text, float(x), float(y), angle, 0.0, CARD))
    return out


LAMPS = tuple(PRESETS.values())
