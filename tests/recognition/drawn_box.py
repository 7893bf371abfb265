"""A box of a game with made-up art, laid card by card before a camera: small pictures, for tests."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec.structs import replace

from companion.core.game import games
from companion.recognition import reading
from vision.virtual_geometry import Lying
from vision.virtual_light import PRESETS
from vision.virtual_scene import Scene
from workshop.faces.art import art_set

RACE = games()["race"]
ART = art_set(81)
CARD = (63.0, 88.0)
SIZE, WIDE = (640, 360), 290.0
LAMP = replace(PRESETS["good-lamp"], shake=0.0)


@cache
def _ids() -> tuple[str, ...]:
    return tuple(component.id for component in reading.book(RACE).catalogue)


def first(count: int) -> list[str]:
    """The first components of the box."""
    return list(_ids()[:count])


class DrawnSpot:
    """A table before a camera; every frame comes a quarter of a second after the last."""

    def __init__(self) -> None:
        self.lying: list[Lying] = []
        self.now, self.number = 100.0, 0
        self._scene: Scene | None = None

    def lay(self, text: str, x: float = 0.0, y: float = 0.0, angle: float = 2.0) -> None:
        """Lay a card with the art of this text there."""
        self.lying.append(Lying(text, x, y, angle, 0.0, CARD))
        self._scene = None

    def clear(self) -> None:
        """Take everything away."""
        self.lying, self._scene = [], None

    def frame(self) -> tuple[Any, float]:
        """The next picture, and when it was taken."""
        if self._scene is None:
            self._scene = Scene(self.lying, LAMP, 5, SIZE, width=WIDE, tilt=None, clutter=0, art=ART)
        self.number += 1
        self.now += 0.25
        return self._scene.shot(0.0, self.number).picture, self.now
