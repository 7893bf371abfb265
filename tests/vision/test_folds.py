"""Creased labels: read by the patterns all labels share, and never as another label."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.vision.painted import label
from vision import codebook, finders, folds, labels, squares
from vision.codebook import Codebook
from vision.decode import IN_VAIN, Reader
from vision.label_search import FoundPlace
from vision.labels import MODULES
from vision.readings import PictureReadings

BOOK = [label(number) for number in range(1, 60)]
TEXT = BOOK[17]
Fold = tuple[float, float, tuple[float, float]]
SIDE, MODULE = 120, 1.5
FOLDS: list[Fold] = [(0.6, -0.2, (-0.32, 0.3)), (1.88, 1.4, (-0.31, -0.44)), (2.49, -0.6, (0.47, 0.11))]
"""Which way the line runs (none is a way that is tried), how far from the middle, and the kink in modules a module."""


def folded_picture(text: str, fold: Fold, at: tuple[float, float] = (60.0, 60.0)) -> Any:
    """A label of 1.5 pixels per module with a fold, softly painted on grey card."""
    fine, rim = 6, 4
    turn, far, kink = fold
    across = np.array([math.cos(turn), math.sin(turn)])
    dark = np.pad(labels.matrix(text), rim)
    face = np.kron(np.where(dark, 40, 220), np.ones((fine, fine))).astype(np.float32)
    y, x = (np.mgrid[: SIDE * 4, : SIDE * 4] + 0.5) / 4 - 0.5
    here = (np.stack([x, y], -1) - at) / MODULE
    beyond = np.linalg.inv(np.eye(2) + np.outer(kink, across))
    there = (here + np.multiply(kink, far)) @ beyond.T
    where = np.where((here @ across > far)[..., None], there, here)
    u, v = ((where[..., k] + MODULES / 2 + rim) * fine - 0.5 for k in (0, 1))
    big = cv2.remap(face, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR, borderValue=150.0)
    small = cv2.resize(big, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(3).normal(0, 3, small.shape)
    return np.clip(cv2.GaussianBlur(small, (0, 0), 0.6) + noise, 0, 255).astype(np.uint8)


def place(picture: Any, fold: Fold) -> FoundPlace:
    """The label as it is found by its three eyes, and fitted as if it lay flat."""
    turn, far, kink = fold
    eyes = np.array([[-7.0, -7.0], [7.0, -7.0], [-7.0, 7.0]])
    beyond = np.maximum(eyes @ [math.cos(turn), math.sin(turn)] - far, 0)
    a, b, c = 60 + MODULE * (eyes + np.outer(beyond, kink))
    start = np.concatenate([(b + c) / 2, (b - a) / finders.LEG, (c - a) / finders.LEG])
    poses, fit = squares.refine(picture, start[None].astype(np.float32))
    poses, fit = poses[:1], fit[:1]
    return FoundPlace(finders.corners(poses), finders.modules(poses), fit, squares.measure(picture, poses))


@pytest.fixture(scope="module")
def book() -> Codebook:
    return Codebook(BOOK)


@pytest.mark.parametrize("fold", FOLDS)
def test_a_folded_label_is_read(book: Codebook, fold: Fold, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = folded_picture(TEXT, fold)
    found = place(picture, fold)
    assert book.compare(found) == [None]
    guess = book.bend(picture, found, 0)
    assert guess is not None
    assert guess.text == TEXT
    assert guess.fold is not None
    assert not guess.certain
    monkeypatch.setattr(
        codebook, "FINE_ENOUGH", 0.0
    )  # nothing is taken for folded: bending alone does not do
    assert book.bend(picture, found, 0) is None


def test_a_stranger_is_nobody_however_folded(book: Codebook) -> None:
    for number in range(100, 112):
        fold = FOLDS[number % len(FOLDS)]
        picture = folded_picture(label(number), fold)
        assert book.bend(picture, place(picture, fold), 0) is None


def test_what_is_no_label_has_no_fold() -> None:
    dice = np.random.default_rng(5)
    outline = finders.corners(np.array([[60, 60, MODULE, 0, 0, MODULE]], np.float32))[0]
    for _ in range(20):
        cells = dice.integers(0, 2, (SIDE // 3, SIDE // 3)).astype(np.float32) * 180 + 40
        picture = cv2.GaussianBlur(cv2.resize(cells, (SIDE, SIDE), interpolation=cv2.INTER_AREA), (0, 0), 0.8)
        assert len(folds.folded(picture.astype(np.uint8), outline)) == 0


def test_a_folded_label_is_followed_without_another_search(
    book: Codebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(book, clock=lambda: 0.0)
    shifts = [(60.0 + 0.4 * frame, 60.0) for frame in range(4)]
    pictures = [folded_picture(TEXT, FOLDS[0], at) for at in shifts]
    searched = []
    bend = Codebook.bend
    monkeypatch.setattr(Codebook, "bend", lambda *given, **named: searched.append(1) or bend(*given, **named))
    read = []
    for picture in pictures:
        before = len(searched)
        read.append(({one.text for one in reader.read(picture)}, len(searched) - before))
    first = next(n for n, (texts, _) in enumerate(read) if texts)
    assert first <= 2
    assert all(texts == {TEXT} and not bent for texts, bent in read[first:])


def test_a_place_tried_in_vain_is_left_alone_for_some_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    strangers = Codebook(set(BOOK) - {TEXT})
    picture = folded_picture(TEXT, FOLDS[0])
    found = place(picture, FOLDS[0])
    turned = replace(found, corners=np.roll(found.corners, 1, axis=1))
    tried: list[int] = []
    monkeypatch.setattr(Codebook, "bend", lambda *_, **__: tried.append(reader._frame))
    reader = Reader(strangers, clock=lambda: 0.0)
    for frame, place_ in ((1, found), (2, found), (3, turned), (IN_VAIN, found), (IN_VAIN + 1, found)):
        look = PictureReadings([])
        look.odd = [(place_, 0)]
        reader._frame = frame
        reader._try_unread(picture, look, [], 0.0)
    assert tried == [1, 3, IN_VAIN + 1]


def test_three_eyes_of_a_folded_label_are_one_label_from_above() -> None:
    leg = finders.LEG * finders.WORKING
    eyes = np.array([[50, 50], [50 + 0.85 * leg, 50], [50 - 0.3 * leg, 50 + leg]], np.float32)
    found = finders.Spots(eyes, np.ones(3, np.float32))
    assert len(finders.threes(found, finders.WORKING, finders.FROM_ABOVE)) == 1
