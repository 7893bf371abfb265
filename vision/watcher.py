"""From pictures to what people show: reads and judges one picture after another, from any source."""

from __future__ import annotations

import math
from typing import Any, Protocol

from vision.camera_health import Frame
from vision.label_news import LabelNews
from vision.mat import Mat, is_mark
from vision.sightings import Sighting
from vision.sweep import SweepZone
from vision.track import Tracker

UNSEARCHED, CARRYING = 1.0, 2.0
"""Longest time in seconds without a full search; and for how long something moves while a card is brought: a
longer motion is just people at the table."""
OFTEN = 0.15
"""Seconds between two looks. Where they are further apart, a card may be gone before the next one, so each picture is
searched."""


class Reads(Protocol):
    """Anything that finds labels in a picture."""

    def read(self, picture: Any, *, waiting: bool = True, brief: bool = False) -> tuple[Sighting, ...]:
        """The labels in this picture; a `brief` look skips the slow search."""


class Watcher:
    """Reads pictures one after another. Not thread-safe."""

    def __init__(self, reader: Reads, spot: SweepZone | None = None) -> None:
        self._reader = reader
        self._tracker, self._mat = Tracker(), Mat()
        self._searched = self._calm = self._looked = -math.inf
        self.brief = False
        """Whether the last look was brief: then look at the very next picture."""
        self.spot = spot
        """The part of the picture where cards are shown, as corners in fractions of width and height. It is
        replaced, never modified, so any thread may set it."""

    def process(self, frame: Frame, *, waiting: bool) -> tuple[tuple[Sighting, ...], tuple[LabelNews, ...]]:
        """The labels in this picture, and what people mean by them."""
        self.brief = waiting and self._brief(frame.at)
        found = self._reader.read(frame.picture, waiting=waiting, brief=self.brief)
        sightings = tuple(sighting for sighting in found if not is_mark(sighting.text))
        self._mat = self._mat.see(found, moved=bool(self._tracker.disturbed == "moved"))
        self._tracker, news = self._tracker.see(
            sightings, frame.at, frame.picture, thorough=waiting, spot=self._spot(frame.picture)
        )
        return sightings, news

    def _brief(self, at: float) -> bool:
        """Whether a brief look is enough for a picture taken at this time, because a search may take longer
        than a card is held. If a held card was read already, only its staying matters; a card in motion
        cannot be read before it is still."""
        if not self._tracker.moves:
            self._calm = at
        often, self._looked = 0 <= at - self._looked < OFTEN, at
        carried = often and self._tracker.moves and 0 <= at - self._calm < CARRYING
        brief = (self._tracker.expects_more or carried) and 0 <= at - self._searched < UNSEARCHED
        self._searched = self._searched if brief else at
        return brief

    def _spot(self, picture: Any) -> SweepZone | None:
        """The spot marked by hand, or else the mat if there is one."""
        marked = self.spot
        if marked is None:
            return self._mat.spot
        high, wide = picture.shape[:2]
        return tuple((x * wide, y * high) for x, y in marked)

    @property
    def disturbed(self) -> str:
        """Why the camera cannot see the table as it was; empty if it can."""
        return self._tracker.disturbed
