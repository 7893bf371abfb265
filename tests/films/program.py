"""Shows a film to the program: the only place that knows how to ask it what it would do."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import cv2
import numpy as np
from msgspec.structs import replace

from companion.core.game import games
from companion.recognition import faces, reading
from tests.films.evenings import FilmedEvening
from tests.films.slow_machine import FRAME, SlowMachine
from vision.camera_health import Frame
from vision.codebook import Codebook
from vision.decode import Reader
from vision.face_reader import FaceReader
from vision.faces import FaceIndex
from vision.sightings import Sighting
from vision.watcher import Reads
from workshop.faces.art import art_set
from workshop.film_replay import Happening
from workshop.film_replay import watch as shown_to
from workshop.films.film import FilmFrame, frames

OFTEN, SELDOM = 0.97, 0.5
"""How often eyes that know the truth read a label that can be seen: an easy one, and a small one."""
EASY = 1.5
"""Pixels per module from which a label is easy."""


SLICE = 0.012
"""Seconds of processor time for a slice of a search for faces, somewhat more than measured."""


class TruthReader:
    """Reads a film's frames by their truth, not by their pictures: a hundred times quicker, and as fallible as told."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng([41, seed])
        self.frame: FilmFrame | None = None

        self._last: frozenset[str] = frozenset()

    def read(self, picture: Any, *, waiting: bool = True, brief: bool = False) -> tuple[Sighting, ...]:
        """The labels in the newest frame. A brief look finds a small one only where it was."""
        assert self.frame is not None
        assert picture is self.frame.picture
        found = []
        for label in self.frame.truth:
            searched = waiting and (not brief or label.text in self._last)
            often = OFTEN if label.module >= EASY else SELDOM if searched else 0.0
            if label.visible and self._random.random() < often:
                found.append(Sighting(label.text, label.corners, "zxing", 1.0, label.module))
        self._last = frozenset(sighting.text for sighting in found)
        return tuple(found)


class FacesAlone:
    """Reads cards by their faces."""

    def __init__(self, index: FaceIndex) -> None:
        self._faces = FaceReader(index, clock=self._clock)
        self._now = 0.0

    def _clock(self) -> float:
        """How far a search gets must not depend on the machine, so every slice of it takes as long."""
        self._now += SLICE
        return self._now

    def read(self, picture: Any, *, waiting: bool = True, brief: bool = False) -> tuple[Sighting, ...]:
        """The faces in this picture."""
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        return self._faces.read(grey, waiting=waiting, brief=brief)


@cache
def taught(game: str, art: int, card: tuple[float, float]) -> FaceIndex:
    """The faces of a whole box, each from a clean picture."""
    rules = games()[game]
    size = (round(card[0] * 3), round(card[1] * 3))
    return faces.index_of(
        rules,
        {
            one.id: cv2.resize(art_set(art)(one.id, card), size, interpolation=cv2.INTER_AREA)
            for one in reading.book(rules).catalogue
        },
    )


def watch(evening: FilmedEvening, *, eyes: bool = False, share: float | None = None) -> Iterator[Happening]:
    """What the program does while it sees this film; with `eyes` that need no reading; on a machine with this share of
    a core, else on one that looks at every frame."""
    film, truth = evening.film, TruthReader(evening.film.seed)
    labels = reading.book(evening.session.game).texts.values()
    # Processor time: how far a reader gets must not depend on what else this machine does.
    if film.faces:
        reader: Reads = FacesAlone(taught(evening.session.game.id, film.art, film.card))
    else:
        reader = truth if eyes else Reader(Codebook(labels), clock=time.process_time)
    slow = None if share is None else SlowMachine(reader, share, film.seed)

    def pictures() -> Iterator[Frame]:
        for frame in frames(film) if slow is None else frames(film, slow.busy_until, FRAME):
            truth.frame = frame
            if slow is not None:
                slow.at, slow.moving = frame.at, frame.moving
            yield Frame(frame.picture, frame.at)

    happened = shown_to(
        evening.session,
        pictures(),
        zones=evening.zones,
        spot=evening.spot,
        reader=reader if slow is None else slow,
        waiting=lambda at: film.spell(at, "away") is None,
    )
    for what in happened:
        yield what if slow is None else replace(what, at=slow.answered(what.at))
