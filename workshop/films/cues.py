"""A drawn film as a value: what is where and when, what goes wrong, and what is shown on purpose.

Millimetres as on the virtual table: the origin is the middle of the picture, x to the right, y towards its
near edge.
"""

from __future__ import annotations

import functools
from typing import Literal

import numpy as np
from msgspec import Struct

from vision import virtual_paint as paint
from vision.sightings import Corners
from vision.virtual_geometry import Picture, Size

RAISED = 100
"""Things on this layer or higher are above the table."""


class Stance(Struct, frozen=True):
    """Where a thing is: its middle, its rotation in degrees, and how much larger it looks because it is nearer."""

    x: float
    y: float
    angle: float = 0.0
    scale: float = 1.0

    @property
    def matrix(self) -> Picture:
        """The (3, 3) matrix from its own millimetres to the table's."""
        turn = np.deg2rad(self.angle)
        c, s = np.cos(turn) * self.scale, np.sin(turn) * self.scale
        return np.array([[c, -s, self.x], [s, c, self.y], [0, 0, 1]])


class Cue(Struct, frozen=True):
    """From this time on a thing moves from here to the next cue; `None`: it is absent.

    `layer`: the drawing order; from `RAISED` on above the table. `jitter`: how unsteady the hand is, in mm.
    """

    at: float
    spot: Stance | None
    up: bool = True
    layer: int = 0
    jitter: float = 0.0


class Actor(Struct, frozen=True):
    """Something that lies or moves: a card (by its label), a hand (pose and person) or a cup, and its cues."""

    kind: Literal["card", "hand", "cup"]
    name: str
    cues: tuple[Cue, ...]
    number: int = 0


SpellKind = Literal[
    "dark",
    "black",
    "skin",
    "scarf",
    "wall",
    "finger",
    "lamp",
    "pause",
    "unplugged",
    "slow",
    "shake",
    "flicker",
    "away",
]
NO_PICTURES: tuple[SpellKind, ...] = ("pause", "unplugged")
COVERED: tuple[SpellKind, ...] = ("black", "skin", "scarf", "wall")
"""Spells that cover the whole lens; a finger covers a part of it, as large as the spell is strong."""


class Spell(Struct, frozen=True):
    """A disturbance from one time to another; "away" means that people look at another screen."""

    kind: SpellKind
    start: float
    end: float
    strength: float = 1.0


class CameraView(Struct, frozen=True):
    """The camera's position from this time on: shifted (mm), turned (degrees), nearer (1 = as at first)."""

    at: float
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    near: float = 1.0


class CardShow(Struct, frozen=True):
    """A label shown on purpose by a seat: in the picture, still and readable from `start` to `end`.

    `together`: one of several shown in one gesture. `laid`: put onto the table rather than held up.
    """

    label: str
    seat: int
    start: float
    end: float
    kind: str
    together: bool = False
    laid: bool = False


class Scripted(Struct, frozen=True):
    """What happens when, for people who examine the result."""

    kind: str
    start: float
    end: float


class Film(Struct, frozen=True):
    """An evening in front of a camera; `scale` is pixels per mm, `label` the side of a symbol in mm, `card` a
    card's. `faces`: the face of each card by its label, if cards have art and no labels; `art`: whose art."""

    seed: int
    size: Size
    scale: float
    label: float
    card: tuple[float, float]
    length: float
    actors: tuple[Actor, ...]
    spells: tuple[Spell, ...] = ()
    views: tuple[CameraView, ...] = (CameraView(0.0),)
    shows: tuple[CardShow, ...] = ()
    events: tuple[Scripted, ...] = ()
    faces: dict[str, str] = {}
    art: int = 0

    @property
    def module(self) -> float:
        """Pixels per module of a label that lies on the table."""
        return self.label / 21 * self.scale

    def spell(self, at: float, *kinds: SpellKind) -> Spell | None:
        """The disturbance of these kinds at this time, if any."""
        return next((s for s in self.spells if s.kind in kinds and s.start <= at < s.end), None)


def between(key: Cue, after: Cue, at: float) -> tuple[Stance, Picture]:
    """Where a thing is on its way, and its speed (mm per second): it starts and stops gently."""
    assert key.spot is not None
    assert after.spot is not None
    a, b, long = key.spot, after.spot, max(after.at - key.at, 1e-3)
    t = min(1.0, max(0.0, (at - key.at) / long))
    ease, slope = t * t * (3 - 2 * t), 6 * t * (1 - t) / long
    way = np.array([b.x - a.x, b.y - a.y])
    turn = (b.angle - a.angle + 180) % 360 - 180
    x, y = np.array([a.x, a.y]) + way * ease
    spot = Stance(float(x), float(y), a.angle + turn * ease, a.scale + (b.scale - a.scale) * ease)
    return spot, way * slope


@functools.lru_cache(maxsize=1024)
def symbol_spot(text: str, label: float, card: tuple[float, float]) -> Corners:
    """The corners of a card's symbol in mm from the middle of the card."""
    place = paint.label_place(text, label, card)
    square = np.array([[0, 0], [label, 0], [label, label], [0, label]])
    there = square @ place[:, :2].T + place[:, 2] - np.array(card) / 2
    return tuple((float(x), float(y)) for x, y in there)
