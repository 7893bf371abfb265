"""From pictures to what people show: reading and judging one after another, whoever brings the pictures."""

from __future__ import annotations

import math
from typing import Any, Protocol

from vision.camera_watch import Frame
from vision.label_news import LabelNews
from vision.mat import Mat, is_mark
from vision.sightings import Sighting
from vision.sweep import Zone
from vision.track import Tracker

SLOW = 0.08
"""Seconds from a picture that was searched to the next one that is looked at, from which on the machine is slow."""
UNSEARCHED = 1.0
"""Seconds for which pictures are only looked at briefly, at most."""


class Reads(Protocol):
    """Whatever finds labels in a picture."""

    def read(self, picture: Any, *, waiting: bool = True, brief: bool = False) -> tuple[Sighting, ...]:
        """The labels in this picture; a `brief` look searches for none that takes longer to find."""


class Watcher:
    """Reads pictures one after another. For one thread."""

    def __init__(self, reader: Reads, spot: Zone | None = None) -> None:
        self._reader = reader
        self._tracker, self._mat = Tracker(), Mat()
        self._searched, self._looked, self._search_took = -math.inf, -math.inf, 0.0
        self.spot = spot
        """The part of the picture where cards are shown, its corners in parts of width and height; whoever sets it
        replaces it, so any thread may."""

    def look(self, frame: Frame, *, waiting: bool) -> tuple[tuple[Sighting, ...], tuple[LabelNews, ...]]:
        """The labels in this picture, and what people mean by them."""
        found = self._reader.read(frame.picture, waiting=waiting, brief=waiting and self._brief(frame.at))
        sightings = tuple(sighting for sighting in found if not is_mark(sighting.text))
        self._mat = self._mat.see(found, moved=bool(self._tracker.disturbed == "moved"))
        self._tracker, news = self._tracker.see(
            sightings, frame.at, frame.picture, thorough=waiting, spot=self._spot(frame.picture)
        )
        return sightings, news

    def _brief(self, at: float) -> bool:
        """Whether a brief look at a picture taken then will do: on a slow machine, while a card is held that was read
        already. All that is left to see is whether it stays, and a search would take longer than it is held."""
        if self._looked == self._searched:
            self._search_took = at - self._searched
        self._looked = at
        brief = (
            self._tracker.expects_more and self._search_took > SLOW and 0 <= at - self._searched < UNSEARCHED
        )
        self._searched = self._searched if brief else at
        return brief

    def _spot(self, picture: Any) -> Zone | None:
        """What people marked by hand, or else the mat, if one lies there."""
        marked = self.spot
        if marked is None:
            return self._mat.spot
        high, wide = picture.shape[:2]
        return tuple((x * wide, y * high) for x, y in marked)

    @property
    def disturbed(self) -> str:
        """What keeps the camera from seeing the table as it was; empty if nothing does."""
        return self._tracker.disturbed
