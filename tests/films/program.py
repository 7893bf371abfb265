"""The program before a film: the one place that knows how it is asked what it would do."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from companion.recognition import reading
from companion.table.watching import Happening
from companion.table.watching import watch as shown_to
from tests.films.evenings import Evening
from vision.camera_watch import Frame
from vision.codebook import Codebook
from vision.decode import Reader
from vision.sightings import Sighting
from vision.virtual_film import FilmFrame, frames

OFTEN, SELDOM = 0.97, 0.5
"""How often eyes that know the truth read a label that can be seen: an easy one, and a small one."""
EASY = 1.5
"""Pixels per module from which a label is easy."""


class Eyes:
    """Reads a film's frames by their truth, not by their pictures: a hundred times quicker, and as fallible as told."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng([41, seed])
        self.frame: FilmFrame | None = None

    def read(self, picture: Any, *, waiting: bool = True) -> tuple[Sighting, ...]:
        """The labels in the newest frame."""
        assert self.frame is not None
        assert picture is self.frame.picture
        seen = (label for label in self.frame.truth if label.visible)
        return tuple(
            Sighting(label.text, label.corners, "zxing", 1.0, label.module)
            for label in seen
            if self._random.random() < (OFTEN if label.module >= EASY else SELDOM if waiting else 0.0)
        )


def watch(evening: Evening, *, eyes: bool = False) -> Iterator[Happening]:
    """What the program does while it sees this film; with `eyes` that need no reading."""
    film, truth = evening.film, Eyes(evening.film.seed)
    labels = reading.book(evening.session.game).texts.values()

    def pictures() -> Iterator[Frame]:
        for frame in frames(film):
            truth.frame = frame
            yield Frame(frame.picture, frame.at)

    return shown_to(
        evening.session,
        pictures(),
        zones=evening.zones,
        spot=evening.spot,
        # Processor time: how far a reader gets must not depend on what else this machine does.
        reader=truth if eyes else Reader(Codebook(labels), clock=time.process_time),
        waiting=lambda at: film.spell(at, "away") is None,
    )
