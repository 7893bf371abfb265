"""From a picture to sightings: decoders first, then our own eyes, then the codebook, within the time there is.

1. zxing-cpp on the whole picture. Most frames end here.
2. Where the eyes of a label stand and nothing was read (`vision.places`), its squares are measured and given to
   zxing's error correction; then compared with all labels of the game (`vision.codebook`).
3. Outlines that zxing saw but could not read are cut out, enlarged and sharpened, and read again; zbar is asked too.

Nothing passes but our own labels. Whoever reads a place differently from another takes it away from both: a label
missed now is read in the next frame, a label misread spoils a play.
"""

from __future__ import annotations

import math
import time
import zlib
from collections import deque
from collections.abc import Container, Iterable

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision import any_code, decoders, labels
from vision.codebook import Codebook, Guess, outline
from vision.decoders import Reading
from vision.finders import Grey
from vision.labels import MODULES
from vision.places import OVERLAP, Clock, Disc, FoundPlace, LabelSearch, again, disc, same
from vision.sightings import Corners, Sighting
from vision.stack import FrameStack, through

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


class _Remembered(Struct, frozen=True):
    frame: int
    picture: int
    text: str
    at: Disc


class _Look:
    """What one picture gave so far."""

    def __init__(self, readings: list[Reading]) -> None:
        self.readings = readings
        self.guesses: list[Guess] = []
        self.taken = [disc(reading.corners) for reading in readings if reading.text]
        self.unread = [reading.corners for reading in readings if not reading.text]

    def consider(self, found: FoundPlace, codebook: Codebook | None, before: Container[str] = ()) -> None:
        """Compare places with the codebook, and read them by their squares unless they are as they were before."""
        guesses = codebook.compare(found) if codebook else [None] * len(found.fit)
        open_ = [k for k, guess in enumerate(guesses) if guess is None or guess.text not in before]
        texts = dict(zip(open_, decoders.zxing_squares(found.squares[open_]), strict=True))
        for k, guess in enumerate(guesses):
            corners, text = outline(found, k), texts.get(k, "")
            if text:
                self.readings.append(Reading(text, corners))
            if guess is not None and not any(_twins(guess, other) for other in self.guesses):
                self.guesses.append(guess)
            if text or guess is not None:
                self.taken.append(disc(corners))
            else:
                self.unread.append(corners)

    def places(self) -> dict[str, Corners]:
        """Where our labels are, as far as known by now."""
        ours = {r.text: r.corners for r in self.readings if r.plain and labels.parse(r.text)}
        return {guess.text: guess.corners for guess in self.guesses} | ours

    def texts(self) -> frozenset[str]:
        """Everything read or guessed."""
        return frozenset(r.text for r in self.readings if r.text) | {guess.text for guess in self.guesses}

    def sizes(self) -> list[float]:
        """Pixels per module of our labels."""
        return [module(r.corners) for r in self.readings if r.plain and labels.parse(r.text)]


class Reader:
    """Reads labels, frame by frame. Not for two threads at once."""

    def __init__(
        self, codebook: Codebook | None = None, budget: float = 0.06, clock: Clock = time.perf_counter
    ) -> None:
        self._codebook, self._budget, self._clock = codebook, budget, clock
        self._search = LabelSearch()
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
        self._seen: deque[_Remembered] = deque(maxlen=2048)
        self._sizes: deque[float] = deque(maxlen=128)
        self._last: dict[str, Corners] = {}
        self._drift = (0.0, 0.0)
        self._quiet, self._rest = 0, 0
        self._before: frozenset[str] = frozenset()
        self._stack = FrameStack()

    def read(self, picture: object, *, waiting: bool = True) -> tuple[Sighting, ...]:
        """The labels in this picture. While nobody waits for them, only what is read at a glance."""
        until = self._clock() + self._budget
        grey, self.trouble = decoders.to_grey(picture)
        self._frame += 1
        if grey is None:
            return ()
        number = zlib.crc32(grey[::4, ::4].tobytes())
        look = _Look(decoders.zxing(grey))
        if waiting:
            self._look_again(grey, look)
            restless = self._restless(look)
            if self._stack.add(grey, look.places()):
                self._look_deep(look, until)
            elif restless:
                self._look_further(grey, look, until)
        look.readings += self._agreed(look, number)
        sightings = tuple(
            _sighting(reading)
            for reading in settled(look.readings)
            if reading.plain and labels.parse(reading.text)
        )
        self._sizes += [sighting.module for sighting in sightings]
        self._seen += [
            _Remembered(self._frame, number, sighting.text, disc(sighting.corners))
            for sighting in sightings
            if sighting.how != "codebook"
        ]
        now = {sighting.text: sighting.corners for sighting in sightings}
        self._drift = sway(self._last, now) or (0.0, 0.0)
        self._last = now
        return sightings

    def read_any(self, picture: object) -> tuple[Sighting, ...]:
        """All QR codes in this picture, foreign ones too."""
        grey, self.trouble = decoders.to_grey(picture)
        if grey is None:
            return ()
        return tuple(_sighting(reading) for reading in any_code.read(grey, self._clock))

    def _look_again(self, grey: Grey, look: _Look) -> None:
        """Where labels were a frame ago they mostly still are, but for the swaying of the camera: that is quick."""
        read = {reading.text: reading.corners for reading in look.readings}
        x, y = sway(self._last, read) or self._drift
        moved = [
            tuple((a + x, b + y) for a, b in corners)
            for text, corners in self._last.items()
            if text not in read
        ]
        places = [corners for corners in moved if not _among(disc(corners), look.taken)]
        if places:
            look.consider(again(grey, places), self._codebook, self._last)

    def _restless(self, look: _Look) -> bool:
        """Whether to search this frame: not while everything was read last time and nothing has changed."""
        now = look.texts()
        if now != self._before:
            self._quiet = self._rest = 0
        self._before = now
        self._rest = max(0, self._rest - 1)
        return self._rest == 0

    def _look_further(self, grey: Grey, look: _Look, until: float) -> None:
        """Search the whole picture for more, in the time left; then cut out what is left unread."""
        sizes = look.sizes() + list(self._sizes)
        found_any = False
        for found in self._search.places(grey, sizes, look.taken, until - self._clock(), self._clock):
            look.consider(found, self._codebook)
            found_any = True
        unread = [c for c in look.unread if plausible(c, sizes) and not _among(disc(c), look.taken)]
        self._quiet = 0 if found_any else self._quiet + 1
        self._rest = REST if self._quiet >= PATIENCE else 0
        self._before = look.texts()
        for corners in unread[:CUTS]:
            if self._clock() > until:
                break
            look.readings += read_crop(grey, corners)

    def _look_deep(self, look: _Look, until: float) -> None:
        """Search several pictures laid on each other, instead of this one alone."""
        sizes = [module(corners) for corners in look.places().values()]
        back, onto = self._stack.motion, np.linalg.inv(self._stack.motion)
        picture = self._stack.picture(float(np.median(sizes)))
        deep = _Look([])
        known = [reading.corners for reading in look.readings if reading.text]
        known += [guess.corners for guess in look.guesses]
        deep.taken += [disc(through(back, corners)) for corners in known]
        for found in self._search.places(picture, sizes, deep.taken, until - self._clock(), self._clock):
            deep.consider(found, self._codebook)
        look.readings += [replace(r, corners=through(onto, r.corners)) for r in deep.readings]
        look.guesses += [replace(guess, corners=through(onto, guess.corners)) for guess in deep.guesses]
        self._stack.done(news=bool(deep.readings or deep.guesses))

    def _agreed(self, look: _Look, picture: int) -> list[Reading]:
        """The guesses that an earlier, different picture bears out, or that need none; all are remembered.

        A label exists once: a guess that was read elsewhere in this picture, or guessed twice, is wrong.
        """
        texts = [reading.text for reading in look.readings] + [guess.text for guess in look.guesses]
        out = []
        for guess in look.guesses:
            if texts.count(guess.text) > 1 and not _read_here(guess, look.readings):
                continue
            at = disc(guess.corners)
            before = {
                old.frame
                for old in self._seen
                if old.text == guess.text
                and self._frame - MEMORY <= old.frame < self._frame
                and old.picture != picture
                and math.hypot(old.at.x - at.x, old.at.y - at.y)
                < STRAY * at.radius * (self._frame - old.frame)
            }
            self._seen.append(_Remembered(self._frame, picture, guess.text, at))
            self._sizes.append(guess.module)
            if guess.certain or before:
                sure = 1 - 0.05 / (1 + len(before) + guess.certain)
                out.append(Reading(guess.text, guess.corners, "codebook", sure=sure))
        return out


def read_crop(grey: Grey, corners: Corners) -> list[Reading]:
    """A place cut out, enlarged and sharpened, read by both decoders; nothing if it holds two texts.

    What stands in the crop need not be what the place was taken for: zxing says where it is, zbar must agree.
    """
    for zoom in (2, 3):
        part = decoders.crop(grey, corners, zoom)
        if part is None:
            return []
        found = [part.back(r) for r in decoders.zxing(part.grey, small=True) if r.text and r.plain]
        if not found and zoom == 3:
            there = [part.back(reading) for reading in decoders.zbar(part.grey)]
            found = [replace(r, corners=corners) for r in there if same(disc(r.corners), disc(corners))]
        if found:
            return found if len({reading.text for reading in found}) == 1 else []
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


def sway(then: dict[str, Corners], now: dict[str, Corners]) -> tuple[float, float] | None:
    """How far most labels moved between two pictures; None if no label is in both."""
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
    """Whether an outline is worth a closer look: as large as the labels around it, if there are any."""
    size = module(corners)
    return size > CUT_FROM and (not sizes or min(sizes) * 0.7 < size < max(sizes) * 1.4)


def _sighting(reading: Reading) -> Sighting:
    return Sighting(reading.text, reading.corners, reading.how, reading.sure, module(reading.corners))


def _among(place: Disc, taken: list[Disc]) -> bool:
    return any(same(place, other) for other in taken)


def _twins(one: Guess, other: Guess) -> bool:
    return one.text == other.text and same(disc(one.corners), disc(other.corners))


def _read_here(guess: Guess, readings: list[Reading]) -> bool:
    """Whether a decoder read the very same at the very same place."""
    at = disc(guess.corners)
    return any(r.text == guess.text and same(disc(r.corners), at) for r in readings)
