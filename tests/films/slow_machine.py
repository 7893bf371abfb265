"""A machine with little processor time: frames of a film that come while it still processes an earlier one are lost."""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.camera_health import PACE
from vision.sightings import Sighting
from vision.watcher import Reads

PICTURE, JUDGE, ANSWER = 0.01, 0.005, 0.02
"""Seconds of a whole core to decode a picture of 1920x1080, and now and then one that nobody looks at; to judge what is
in it; and to write an answer."""
REST, GLANCE = 0.004, 0.013
"""The same to read one in which nothing has changed, and one that is only glanced at."""
SEARCH = (0.003, 0.004, 0.015, 0.055, 0.062, 0.072, 0.086, 0.093, 0.105)
"""The same to read one in which something moves, as often as each was measured."""
FRAME = 1 / 25
"""Seconds between two pictures of the camera."""


class SlowMachine:
    """Reads as another reader does, and knows when it is done."""

    def __init__(self, reader: Reads, share: float, seed: int) -> None:
        self._reader, self._share, self._random = reader, share, np.random.default_rng([43, seed])
        self.at, self.moving, self.took, self.pace = 0.0, False, 0.0, 0.0
        """When the newest picture was taken, whether anything may move in it, how long a look at it takes, and how long
        it is at least to the next one."""

    def read(self, picture: Any, *, waiting: bool = True, brief: bool = False) -> tuple[Sighting, ...]:
        """The labels in the newest picture."""
        search = float(self._random.choice(SEARCH))
        looking = REST if not self.moving else GLANCE if brief or not waiting else search
        self.pace = 0.0 if brief else PACE
        self.took = (PICTURE + looking + JUDGE) / self._share
        return self._reader.read(picture, waiting=waiting, brief=brief)

    def busy_until(self) -> float:
        """Until when the newest picture is looked at."""
        return self.at + max(self.took, self.pace)

    def answered(self, at: float) -> float:
        """When an answer to a picture taken then is written."""
        return at + self.took + ANSWER / self._share
