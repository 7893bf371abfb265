"""The result of one picture: readings and guesses, one per place, none where they disagree. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterable

import numpy as np

from vision import decoders, labels
from vision.codebook import Codebook, Guess, outline
from vision.decoders import Reading
from vision.label_search import OVERLAP, FoundPlace, disc, same
from vision.labels import MODULES
from vision.sightings import Corners, Sighting

CUT_FROM = 1.4
"""Pixels per module from which cutting out is worthwhile: below that, no decoder reads anything."""


class PictureReadings:
    """What one picture gave so far."""

    def __init__(self, readings: list[Reading]) -> None:
        self.readings = readings
        self.guesses: list[Guess] = []
        self.taken = [disc(reading.corners) for reading in readings if reading.text]
        self.unread = [reading.corners for reading in readings if not reading.text]
        self.odd: list[tuple[FoundPlace, int]] = []
        """Places whose label is unknown: perhaps it does not lie flat."""

    def add(self, readings: Iterable[Reading]) -> None:
        """Add the results of another attempt."""
        for reading in readings:
            if not reading.text:
                self.unread.append(reading.corners)
            else:
                self.readings.append(reading)
                self.taken.append(disc(reading.corners))

    def guess(self, guess: Guess) -> None:
        """Add a guess, unless it is there already."""
        if not any(twins(guess, other) for other in self.guesses):
            self.guesses.append(guess)
        self.taken.append(disc(guess.corners))

    def consider(self, found: FoundPlace, codebook: Codebook | None, before: Container[str] = ()) -> None:
        """Compare places with the codebook, and decode their squares unless the guess is in `before`."""
        guesses = codebook.compare(found) if codebook else [None] * len(found.fit)
        open_ = [k for k, guess in enumerate(guesses) if guess is None or guess.text not in before]
        texts = dict(zip(open_, decoders.zxing_squares(found.squares[open_]), strict=True))
        for k, guess in enumerate(guesses):
            corners, text = outline(found, k), texts.get(k, "")
            if text:
                self.add([Reading(text, corners)])
            if guess is not None:
                self.guess(guess)
            if not text and guess is None:
                self.unread.append(corners)
                self.odd.append((found, k))

    def places(self) -> dict[str, Corners]:
        """Where our labels are, as far as known so far."""
        ours = {r.text: r.corners for r in self.readings if r.plain and labels.parse(r.text)}
        return {guess.text: guess.corners for guess in self.guesses} | ours

    def texts(self) -> frozenset[str]:
        """Everything read or guessed."""
        return frozenset(r.text for r in self.readings if r.text) | {guess.text for guess in self.guesses}

    def sizes(self) -> list[float]:
        """Pixels per module of our labels."""
        return [module(r.corners) for r in self.readings if r.plain and labels.parse(r.text)]


def settled(readings: Iterable[Reading]) -> list[Reading]:
    """One reading per place, the first; none where texts differ. Outlines without text are ignored."""
    those = [reading for reading in readings if reading.text]
    places = [disc(reading.corners) for reading in those]
    if not those:
        return []
    x, y, radius = (np.array([getattr(place, name) for place in places]) for name in ("x", "y", "radius"))
    apart = np.hypot(x[:, None] - x, y[:, None] - y)
    near = apart < OVERLAP * np.maximum(radius[:, None], radius)
    out = []
    for k, reading in enumerate(those):
        here = np.nonzero(near[k])[0]
        if here[0] == k and all(those[other].text == reading.text for other in here):
            out.append(reading)
    return out


def sway(then: dict[str, Corners], now: dict[str, Corners]) -> tuple[float, float] | None:
    """The median motion of labels between two pictures; None if no label is in both."""
    both = [text for text in now if text in then]
    if not both:
        return None
    steps = np.array([now[text] for text in both]) - np.array([then[text] for text in both])
    x, y = np.median(steps.mean(axis=1), axis=0)
    return float(x), float(y)


def module(corners: Corners) -> float:
    """Pixels per module of one of our labels with this outline."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    area = abs((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2
    return float(area**0.5) / MODULES


def plausible(corners: Corners, sizes: list[float]) -> bool:
    """Whether an outline is worth a closer look: about as large as the known labels, if there are any."""
    size = module(corners)
    return size > CUT_FROM and (not sizes or min(sizes) * 0.7 < size < max(sizes) * 1.4)


def sighting_of(reading: Reading) -> Sighting:
    """The sighting of a reading."""
    return Sighting(reading.text, reading.corners, reading.how, reading.sure, module(reading.corners))


def kept(sighting: Sighting) -> Reading:
    """The reading of an earlier sighting."""
    return Reading(sighting.text, sighting.corners, sighting.how, sure=sighting.sure)


def twins(one: Guess, other: Guess) -> bool:
    """Whether two guesses are the same: same text at the same place."""
    return one.text == other.text and same(disc(one.corners), disc(other.corners))


def read_here(guess: Guess, readings: list[Reading]) -> bool:
    """Whether a decoder read the same text at the same place."""
    at = disc(guess.corners)
    return any(r.text == guess.text and same(disc(r.corners), at) for r in readings)
