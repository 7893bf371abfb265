"""From a picture to sightings: decoders first, then our own eyes, then the codebook, within the time there is.

1. zxing-cpp on the whole picture. Most frames end here.
2. Where the eyes of a label stand and nothing was read (`vision.places`), its squares are measured and given to
   zxing's error correction; then compared with all labels of the game (`vision.codebook`).
3. Outlines that zxing saw but could not read are cut out, enlarged and sharpened, and read again; zbar is asked too.

Nothing passes but our own labels. Whoever reads a place differently from another takes it away from both: a label
missed now is read in the next frame, a label misread spoils a play.
"""

from __future__ import annotations

import time
import zlib
from collections import deque
from collections.abc import Iterable

import numpy as np
from msgspec import Struct

from vision import decoders, labels
from vision.codebook import Codebook, Guess, outline
from vision.decoders import Reading
from vision.finders import Grey
from vision.labels import MODULES
from vision.places import OVERLAP, Clock, Disc, Search, disc, same
from vision.sightings import Corners, Sighting

MEMORY = 8
"""Frames a guess is remembered: another one like it within so many makes a sighting."""
STRAY = 2.0
"""How far a label may have moved meanwhile, in its own half diagonals."""
PATIENCE, REST = 2, 3
"""After so many searches that found nothing to read, so many frames go by before the next, unless something changes."""
CUTS = 3
"""Places cut out and read again per frame."""
CUT_FROM = 1.4
"""Pixels per module from which cutting out is worth while: below, no decoder reads anything."""
LARGE = 4_000_000
"""Pixels from which a picture is not enlarged any more."""


class _Remembered(Struct, frozen=True):
    frame: int
    picture: int
    text: str
    at: Disc


class Reader:
    """Reads labels, frame by frame. Not for two threads at once."""

    def __init__(
        self, codebook: Codebook | None = None, budget: float = 0.06, clock: Clock = time.perf_counter
    ) -> None:
        self._codebook, self._budget, self._clock = codebook, budget, clock
        self._search = Search()
        self.trouble = ""
        """Why the last picture could not be looked at; empty if it could."""
        self.forget()

    @property
    def second_opinion(self) -> bool:
        """Whether zbar is installed."""
        return decoders.has_zbar()

    def forget(self) -> None:
        """Start afresh: nothing seen before counts any more."""
        self._frame = 0
        self._guesses: deque[_Remembered] = deque(maxlen=2048)
        self._sizes: deque[float] = deque(maxlen=128)
        self._quiet, self._rest = 0, 0
        self._before: frozenset[str] = frozenset()

    def read(self, picture: object, *, waiting: bool = True) -> tuple[Sighting, ...]:
        """The labels in this picture. While nobody waits for them, only what is read at a glance."""
        began = self._clock()
        grey, self.trouble = decoders.to_grey(picture)
        self._frame += 1
        if grey is None:
            return ()
        readings = decoders.zxing(grey)
        if waiting and self._restless(readings):
            readings += self._read_more(grey, readings, began + self._budget)
        sightings = tuple(
            _sighting(reading)
            for reading in settled(readings)
            if reading.plain and labels.parse(reading.text)
        )
        self._sizes += [sighting.module for sighting in sightings]
        return sightings

    def read_any(self, picture: object) -> tuple[Sighting, ...]:
        """All QR codes in this picture, foreign ones too: in the picture as it is, and enlarged."""
        grey, self.trouble = decoders.to_grey(picture)
        if grey is None:
            return ()
        readings = decoders.zxing(grey)
        if grey.size <= LARGE:
            readings += decoders.zxing_enlarged(grey)
        return tuple(_sighting(reading) for reading in settled(readings))

    def _restless(self, readings: list[Reading]) -> bool:
        """Whether to search this frame: not while everything was read last time and nothing has changed."""
        now = frozenset(reading.text for reading in readings if reading.text)
        if now != self._before:
            self._quiet = self._rest = 0
        self._before = now
        self._rest = max(0, self._rest - 1)
        return self._rest == 0

    def _read_more(self, grey: Grey, readings: list[Reading], until: float) -> list[Reading]:
        """What more can be read in the time left: places by their squares, then cut out."""
        taken = [disc(reading.corners) for reading in readings if reading.text]
        more: list[Reading] = []
        guesses: list[Guess] = []
        unread = [reading.corners for reading in readings if not reading.text]
        quiet = not unread
        sizes = [module(r.corners) for r in readings if r.plain and labels.parse(r.text)]
        left = until - self._clock()
        for found in self._search.places(grey, [*sizes, *self._sizes], taken, left, self._clock):
            quiet = False
            texts = decoders.zxing_squares(found.squares)
            compared = self._codebook.compare(found) if self._codebook else [None] * len(texts)
            for k, (text, guess) in enumerate(zip(texts, compared, strict=True)):
                corners = outline(found, k)
                if text:
                    more.append(Reading(text, corners))
                if guess is not None:
                    guesses.append(guess)
                if text or guess is not None:
                    taken.append(disc(corners))
                elif found.module[k] > CUT_FROM:
                    unread.append(corners)
        self._quiet = self._quiet + 1 if quiet else 0
        self._rest = REST if self._quiet >= PATIENCE else 0
        unread = [corners for corners in unread if not _among(disc(corners), taken)]
        for corners in unread[:CUTS]:
            if self._clock() > until:
                break
            more += read_crop(grey, corners)
        return more + self._agreed(guesses, [*readings, *more], zlib.crc32(grey[::4, ::4].tobytes()))

    def _agreed(self, guesses: list[Guess], readings: list[Reading], picture: int) -> list[Reading]:
        """The guesses that an earlier, different picture made too, or that need none; all are remembered.

        A label exists once: a guess that was read elsewhere in this picture, or guessed twice, is wrong.
        """
        texts = [reading.text for reading in readings] + [guess.text for guess in guesses]
        out = []
        for guess in guesses:
            if texts.count(guess.text) > 1 and not _read_here(guess, readings):
                continue
            at = disc(guess.corners)
            before = [
                old
                for old in self._guesses
                if old.text == guess.text
                and self._frame - MEMORY <= old.frame < self._frame
                and old.picture != picture
                and np.hypot(old.at.x - at.x, old.at.y - at.y) < STRAY * at.radius * (self._frame - old.frame)
            ]
            self._guesses.append(_Remembered(self._frame, picture, guess.text, at))
            self._sizes.append(guess.module)
            if guess.certain or before:
                sure = 1 - 0.05 / (1 + len(before) + guess.certain)
                out.append(Reading(guess.text, guess.corners, "codebook", sure=sure))
        return out


def read_crop(grey: Grey, corners: Corners) -> list[Reading]:
    """A place cut out, enlarged and sharpened, read by both decoders; nothing if they differ."""
    for zoom in (2, 3):
        part = decoders.crop(grey, corners, zoom)
        one = {reading.text for reading in decoders.zxing(part, small=True) if reading.text and reading.plain}
        other = set(decoders.zbar(part)) if zoom > 2 and not one else set()
        if len(one) == 1:
            return [Reading(one.pop(), corners)]
        if len(other) == 1:
            return [Reading(other.pop(), corners, "zbar", sure=0.995)]
        if one or other:
            break
    return []


def settled(readings: Iterable[Reading]) -> list[Reading]:
    """One reading per place, the first; none where they differ. Outlines without text say nothing."""
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


def module(corners: Corners) -> float:
    """Pixels per module of one of our labels with this outline."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    area = abs((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2
    return float(area**0.5) / MODULES


def _sighting(reading: Reading) -> Sighting:
    return Sighting(reading.text, reading.corners, reading.how, reading.sure, module(reading.corners))


def _among(place: Disc, taken: list[Disc]) -> bool:
    return any(same(place, other) for other in taken)


def _read_here(guess: Guess, readings: list[Reading]) -> bool:
    """Whether a decoder read the very same at the very same place."""
    at = disc(guess.corners)
    return any(r.text == guess.text and same(disc(r.corners), at) for r in readings)
