"""Recognises which of our labels a place shows, even if it is too small, blurred or dim for a QR decoder.

A decoder asks which bytes a symbol holds, and needs nearly every square of it. But all labels of the games on
the table are known, so we ask an easier question: the measured squares of a place that looks like a label are
compared with every known label. A match counts as a guess only if its score is high and far above that of
every other label. Decoys (labels that no box has) are compared as well, so that "far above" means something
even with a single label. A guess is not yet a sighting: see `vision.decode`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

import cv2
import numpy as np
from msgspec import Struct

from vision import bent_labels, folds, labels
from vision.finders import Grey, Reals
from vision.folds import FoldFits
from vision.label_search import FINE_ENOUGH, Clock, FoundPlace, LabelSearch, disc
from vision.labels import DIGITS, LETTERS, MODULES, Label
from vision.sightings import Corners, Sighting
from vision.squares import evened, shared, sharpened

LEAST_SCORE, LEAST_MARGIN = 0.60, 0.16
"""Minimum score of a guess, and its minimum lead over the next best label."""
CLEAR, CERTAIN = 0.8, 1.5
"""Minimum clearness of a guess (see `clear`); the second value is for a guess from a single frame. Labels
that are not in the codebook reached 0.55 at most."""
BENT = 3
"""How many of the best-matching labels are bent onto a place."""
DECOYS = 160
SOFT = 0.6
"""How much the known labels are blurred before comparing, in modules: as small ones look after sharpening."""


class Guess(Struct, frozen=True):
    """What one picture suggests: a label, where it is, its score (-1..1), and its lead over all other labels."""

    text: str
    corners: Corners
    module: float
    score: float
    margin: float
    bent: bool = False
    fold: FoldFits | None = None
    """How it is folded, if it was read as folded."""

    @property
    def certain(self) -> bool:
        """Whether it needs no second picture; a bent label always does."""
        return not self.bent and bool(clear(self.score, self.margin) > CERTAIN)


class Codebook:
    """All labels that can be on this table. Building one takes about two milliseconds per label."""

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
        bent_labels.prepare()
        folds.prepare()

    def __len__(self) -> int:
        return len(self.texts)

    def search(self, grey: Grey, known: Sequence[Sighting], budget: float, clock: Clock) -> tuple[Guess, ...]:
        """Labels at finder patterns where nothing is read yet, within the time budget.

        Sizes that do not fit into the budget have their turn in the next picture.
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
        """The label of each place, or None where it is not clear."""
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
        good = (best < len(self.texts)) & _is_clear(top, margin)
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

    def bend(self, grey: Grey, found: FoundPlace, k: int, known: str = "") -> Guess | None:
        """The label of a place that does not lie flat: read as folded, or else by bending the best-matching
        labels onto it.

        `known` is the label read there one picture ago: then only that one is tried, since no other could
        gain by bending.
        """
        if not self.texts:
            return None
        if known or found.module[k] > FINE_ENOUGH:
            patch = bent_labels.straightened(grey, found.corners[k])
            flat = self._scores(found.squares[k : k + 1])[0]
        else:
            folded = folds.folded(grey, found.corners[k])
            if not len(folded):
                return None
            scores = self._scores(folded.squares(grey))
            guess = self._folded(folded, scores)
            if guess is not None:
                return guess
            patch, flat = folded.patch(grey, 0), scores[0]
        likest = [self.texts.index(known)] if known else [int(one) for one in np.argsort(-flat)[:BENT]]
        bent = np.stack([bent_labels.bent_squares(patch, self._all[one]) for one in likest])
        scores = self._scores(bent)
        own = scores[np.arange(len(likest)), likest]
        best = likest[int(own.argmax())]
        top, margin = float(own.max()), _lead(scores, best, float(own.max()))
        if best >= len(self.texts) or not _is_clear(top, margin):
            return None
        return Guess(self._all[best], outline(found, k), float(found.module[k]), top, margin, bent=True)

    def folded_again(self, grey: Grey, before: Sequence[FoldFits]) -> list[Guess | None]:
        """Labels that were read as folded one picture ago, one fold each, read again."""
        if not before or not self.texts:
            return []
        now = folds.again(grey, folds.joined(before))
        scores = self._scores(now.squares(grey))
        fits = now.fit > folds.FIT
        return [self._folded(now.those([k]), scores[k : k + 1]) if fits[k] else None for k in range(len(now))]

    def _folded(self, folded: FoldFits, scores: Reals) -> Guess | None:
        """The label of a place that may be folded in these ways, given every label's score for each way."""
        way, best = (int(n) for n in np.unravel_index(scores.argmax(), scores.shape))
        top = float(scores[way, best])
        margin = _lead(scores.copy(), best, top)
        if best >= len(self.texts) or not _is_clear(top, margin):
            return None
        one = folded.those([way])
        return Guess(self.texts[best], one.corners(0), one.module(0), top, margin, bent=True, fold=one)

    def _scores(self, squares: Reals) -> Reals:
        """The scores (-1..1) of squares (n, 21, 21) against every label."""
        return np.asarray(_level(evened(sharpened(squares))[:, ~shared()]) @ self._rows.T, np.float32)


def clear(score: Any, margin: Any) -> Any:
    """How clear a match is: its lead over the next best, relative to what its score lacks to a perfect one."""
    return margin / (1.02 - score)


def _is_clear(score: Any, margin: Any) -> Any:
    """Whether a match counts as a guess."""
    return (score > LEAST_SCORE) & (margin > LEAST_MARGIN) & (clear(score, margin) > CLEAR)


def _lead(scores: Reals, best: int, top: float) -> float:
    """How far a label is ahead of all others, over all ways. Modifies the scores."""
    scores[:, best] = -1
    return top - float(scores.max())


def outline(found: FoundPlace, k: int) -> Corners:
    """The corners of one place."""
    return tuple((float(x), float(y)) for x, y in found.corners[k])


@functools.lru_cache(maxsize=4096)  # reused when a camera is opened again or for another game
def soft(text: str) -> Reals:
    """The squares in which labels differ, as they look when small and sharpened."""
    fine, rim = 6, 2
    light = np.pad(1 - labels.matrix(text).astype(np.float32), rim, constant_values=1)
    blurred = cv2.GaussianBlur(np.kron(light, np.ones((fine, fine), np.float32)), (0, 0), SOFT * fine)
    whole = MODULES + 2 * rim
    squares = blurred.reshape(whole, fine, whole, fine).mean(axis=(1, 3))[rim:-rim, rim:-rim]
    return np.asarray(evened(squares[None])[0][~shared()], np.float32)


@functools.cache
def _decoys() -> tuple[tuple[str, Reals], ...]:
    """Labels that no box has, the same in every run: random numbers, spread over all games."""
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
    """Rows with brightness and contrast removed: mean 0, length 1."""
    flat = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(flat / (np.sqrt((flat * flat).sum(axis=1, keepdims=True)) + 1e-6), np.float32)
