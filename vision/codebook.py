"""Which of our labels is this? Recognises labels too small, too soft or too dim for any QR decoder.

A decoder asks which bytes a symbol holds and needs nearly every square of it. But all labels of the games on the table
are known, so we ask an easier question: the squares of a place that looks like a label, softly measured, are compared
with every label there is. Only a likeness that is high, and far above that of every other label, counts as a guess;
decoys (labels nobody owns) are compared as well, so that "far above" means something even if there is one label only.
A guess is not yet a sighting: see `vision.decode`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

import cv2
import numpy as np
from msgspec import Struct

from vision import bends, labels
from vision.finders import Grey, Reals
from vision.labels import DIGITS, LETTERS, MODULES, Label
from vision.places import Clock, FoundPlace, LabelSearch, disc
from vision.sightings import Corners, Sighting
from vision.squares import evened, shared, sharpened

LEAST_SCORE, LEAST_MARGIN = 0.60, 0.16
"""What a guess needs in any case: likeness, and distance to the next best."""
CLEAR, CERTAIN = 0.8, 1.5
"""What makes a guess: how far it is ahead of the next best, measured in what it lacks itself to be perfect. The second
figure is for a single frame. Labels that are not in the book reached 0.55 at most: docs/vision.md."""
WORTH_BENDING, WORTH_A_TRY, BENT = 0.3, 0.2, 3
"""How alike a place must be to some label to be bent, and if there is time to spare; onto how many of the likest."""
DECOYS = 160
SOFT = 0.6
"""How soft the known labels are made before comparing, in modules: as small ones look after sharpening."""


class Guess(Struct, frozen=True):
    """What one picture suggests: a label, where, how alike it is (-1..1), and how far ahead of all others."""

    text: str
    corners: Corners
    module: float
    score: float
    margin: float
    bent: bool = False

    @property
    def certain(self) -> bool:
        """Whether it needs no second picture; what had to be bent always does."""
        return not self.bent and bool(clear(self.score, self.margin) > CERTAIN)


class Codebook:
    """All labels that can lie on this table. To build one takes about two milliseconds per label."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = tuple(dict.fromkeys(texts))
        wrong = [text for text in self.texts if labels.parse(text) is None]
        if wrong:
            raise ValueError(f"not a label of ours: {wrong[0]!r}")
        known = set(self.texts)
        others = [(text, row) for text, row in _decoys() if text not in known]
        rows = [soft(text) for text in self.texts] + [row for _, row in others]
        self._all = (*self.texts, *(text for text, _ in others))
        self._rows = _level(np.stack(rows))
        self._search = LabelSearch()
        bends.prepare()

    def __len__(self) -> int:
        return len(self.texts)

    def look(self, grey: Grey, known: Sequence[Sighting], budget: float, clock: Clock) -> tuple[Guess, ...]:
        """Labels where finder patterns stand and nothing is read yet, as far as the time goes.

        Sizes of labels that do not fit into the budget have their turn in the next picture.
        """
        taken = [disc(sighting.corners) for sighting in known]
        sizes = [sighting.module for sighting in known]
        guesses: list[Guess] = []
        for found in self._search.places(grey, sizes, taken, budget, clock):
            new = [guess for guess in self.compare(found) if guess is not None]
            taken += [disc(guess.corners) for guess in new]
            guesses += new
        return tuple(guesses)

    def compare(self, found: FoundPlace) -> list[Guess | None]:
        """The label of each place, where there can be no doubt about it."""
        if not len(found.fit):
            return []
        if not self.texts:
            return [None] * len(found.fit)
        scores = self._scores(found.squares)
        each = np.arange(len(scores))
        best = scores.argmax(axis=1)
        top = scores[each, best]
        scores[each, best] = -1
        margin = top - scores.max(axis=1)
        good = (best < len(self.texts)) & (top > LEAST_SCORE) & (margin > LEAST_MARGIN)
        good &= clear(top, margin) > CLEAR
        return [
            Guess(
                self.texts[int(best[k])],
                outline(found, k),
                float(found.module[k]),
                float(top[k]),
                float(margin[k]),
            )
            if good[k]
            else None
            for k in range(len(good))
        ]

    def worth_bending(
        self, places: Sequence[tuple[FoundPlace, int]], *, patient: bool = False
    ) -> list[tuple[FoundPlace, int]]:
        """Those places, by their number, that are like some label at least in part; the likest first."""
        if not places:
            return []
        likest = self._scores(np.stack([found.squares[k] for found, k in places])).max(axis=1)
        order = np.argsort(-likest)
        return [places[one] for one in order if likest[one] > (WORTH_A_TRY if patient else WORTH_BENDING)]

    def bend(self, grey: Grey, found: FoundPlace, k: int, known: str = "") -> Guess | None:
        """The label of a place if it does not lie flat: the likest ones are bent onto it and compared with all.

        `known` is what it was a picture ago: then only that is tried, and there is no other that could profit.
        """
        if not self.texts:
            return None
        flat = self._scores(found.squares[k : k + 1])[0]
        likest = [self.texts.index(known)] if known else [int(one) for one in np.argsort(-flat)[:BENT]]
        patch = bends.straightened(grey, found.corners[k])
        bent = np.stack([bends.bent_squares(patch, self._all[one]) for one in likest])
        scores = self._scores(bent)
        own = scores[np.arange(len(likest)), likest]
        best = likest[int(own.argmax())]
        top = float(own.max())
        scores[:, best] = -1
        margin = top - float(scores.max())
        good = best < len(self.texts) and top > LEAST_SCORE and margin > LEAST_MARGIN
        if not good or clear(top, margin) <= CLEAR:
            return None
        return Guess(self._all[best], outline(found, k), float(found.module[k]), top, margin, bent=True)

    def _scores(self, squares: Reals) -> Reals:
        """How alike squares (n, 21, 21) are to every label there is (-1..1)."""
        return np.asarray(_level(evened(sharpened(squares))[:, ~shared()]) @ self._rows.T, np.float32)


def clear(score: Any, margin: Any) -> Any:
    """How clear a comparison is: the lead over the next best, in parts of what is missing to likeness itself."""
    return margin / (1.02 - score)


def outline(found: FoundPlace, k: int) -> Corners:
    """The corners of one place."""
    return tuple((float(x), float(y)) for x, y in found.corners[k])


@functools.lru_cache(maxsize=4096)  # for whoever opens a camera again, or one for another game
def soft(text: str) -> Reals:
    """The squares of a label that differ from label to label, as they look when small and sharpened."""
    fine, rim = 6, 2
    light = np.pad(1 - labels.matrix(text).astype(np.float32), rim, constant_values=1)
    blurred = cv2.GaussianBlur(np.kron(light, np.ones((fine, fine), np.float32)), (0, 0), SOFT * fine)
    whole = MODULES + 2 * rim
    squares = blurred.reshape(whole, fine, whole, fine).mean(axis=(1, 3))[rim:-rim, rim:-rim]
    return np.asarray(evened(squares[None])[0][~shared()], np.float32)


@functools.cache
def _decoys() -> tuple[tuple[str, Reals], ...]:
    """Labels of nobody, the same ones in every run: high numbers, spread over all games."""
    dice = np.random.default_rng(1)
    those = [
        Label(
            LETTERS[k % len(LETTERS)],
            int(dice.integers(1, labels.HIGHEST_NUMBER)),
            int(dice.integers(len(DIGITS))),
        )
        for k in range(DECOYS)
    ]
    return tuple((text, soft(text)) for text in map(labels.text, those))


def _level(rows: Reals) -> Reals:
    """Rows freed from brightness and contrast: mean 0, length 1."""
    flat = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(flat / (np.sqrt((flat * flat).sum(axis=1, keepdims=True)) + 1e-6), np.float32)
