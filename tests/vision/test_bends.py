"""Bent labels: still read, and never as another label."""

from __future__ import annotations

import functools
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.painted import label
from vision import bent_labels, labels
from vision.codebook import CLEAR, Codebook, clear
from vision.decode import Reader
from vision.label_search import HalvedPicture, find_labels
from vision.virtual import PRESETS, Shot, shoot, spread

TEXTS = [label(number) for number in range(1, 13)]
BOOK = [label(number) for number in range(1, 120)]


@functools.cache
def creased(seed: int) -> Shot:
    lying = spread(TEXTS, 5, 18.0, 560.0, crease=32.0)
    return shoot(lying, PRESETS["good-lamp"], 5 + seed, (1280, 720), width=560.0)


def grey(shot: Shot) -> Any:
    return cv2.cvtColor(shot.picture, cv2.COLOR_BGR2GRAY)


@pytest.fixture(scope="module")
def book() -> Codebook:
    return Codebook(BOOK)


def test_creased_labels_are_read_by_bending(book: Codebook, monkeypatch: pytest.MonkeyPatch) -> None:
    def reads() -> set[str]:
        reader = Reader(book, clock=lambda: 0.0)
        return {one.text for seed in range(3) for one in reader.read(grey(creased(seed)))}

    bent = reads()
    assert bent <= set(TEXTS)
    assert len(bent) >= 11
    monkeypatch.setattr(Codebook, "bend", lambda *_, **__: None)
    assert len(reads()) < len(bent) - 1


def test_a_code_outside_the_codebook_is_never_read_however_bent() -> None:
    strangers = Codebook(set(BOOK) - set(TEXTS))
    picture = grey(creased(0))
    tried = 0
    for seen in creased(0).truth:
        found = find_labels(HalvedPicture(picture), seen.module * 1.05, [])
        for k in range(len(found.fit)):
            tried += 1
            assert strangers.bend(picture, found, k) is None
            wrong = strangers.bend(picture, found, k, known=strangers.texts[tried % 50])
            assert wrong is None
    assert tried > 20


def test_bending_brings_the_right_label_and_no_wrong_one(book: Codebook) -> None:
    """A patch bent by a known amount: measured flat it is doubtful, bent it is clear; a wrong label stays wrong."""
    text, other = TEXTS[3], TEXTS[4]
    flat = np.zeros((108, 108), np.float32) + 200
    fine = np.kron(np.where(labels.matrix(text), 40, 200), np.ones((4, 4))).astype(np.float32)
    flat[12:96, 12:96] = fine
    y, x = np.mgrid[:108, :108].astype(np.float32)
    fold = np.maximum(0, (x + y - 108) / 54) * 5  # the lower right corner is off by a module and a quarter
    patch = cv2.GaussianBlur(cv2.remap(flat, x + fold, y, cv2.INTER_LINEAR), (0, 0), 2)
    squares = bent_labels.bent_squares(np.asarray(patch, np.float32), text)
    scores = book._scores(squares[None])[0]
    top = scores[book.texts.index(text)]
    assert scores.argmax() == book.texts.index(text)
    assert clear(top, top - np.sort(scores)[-2]) > 2 * CLEAR
    wrong = book._scores(bent_labels.bent_squares(np.asarray(patch, np.float32), other)[None])[0]
    assert wrong[book.texts.index(other)] < 0.35


def test_a_bent_guess_is_never_certain_by_itself(book: Codebook) -> None:
    picture = grey(creased(0))
    guesses = []
    for seen in creased(0).truth:
        found = find_labels(HalvedPicture(picture), seen.module * 1.05, [])
        guesses += [g for k in range(len(found.fit)) if (g := book.bend(picture, found, k)) is not None]
    assert guesses
    assert not any(guess.certain for guess in guesses)
    assert {guess.text for guess in guesses} <= set(TEXTS)
