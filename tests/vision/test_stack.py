"""Stacked pictures: aligned by the labels in them, and what only their mean shows."""

from __future__ import annotations

import tracemalloc
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.painted import label, paint, symbol
from vision import frame_stack
from vision.codebook import Codebook
from vision.decode import Reader
from vision.frame_stack import FRAMES, PATIENCE, REST, FrameStack, evenly_lit, motion, through

SQUARE = ((0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0))
LABELS = {f"L{k}": tuple((x + 150.0 * (k % 4), y + 150.0 * (k // 4)) for x, y in SQUARE) for k in range(12)}
SHIFT = np.array([[1.0, 0.002, 3.5], [-0.002, 1.0, -2.25], [0.0, 1e-6, 1.0]])


def moved(labels: dict[str, Any], matrix: Any = SHIFT) -> dict[str, Any]:
    return {text: through(matrix, corners) for text, corners in labels.items()}


@pytest.mark.parametrize("count", [3, 12])
def test_motion_is_what_the_labels_say(count: int) -> None:
    some = dict(list(LABELS.items())[:count])
    found = motion(moved(some), some)
    assert found is not None
    for text, corners in moved(some).items():
        assert np.array(through(found, corners)) == pytest.approx(np.array(some[text]), abs=0.4)


def test_labels_that_were_moved_meanwhile_do_not_matter() -> None:
    now = moved(LABELS)
    now["L0"] = through(np.array([[1.0, 0, 90], [0, 1, 50], [0, 0, 1]]), LABELS["L0"])
    found = motion(now, LABELS)
    assert found is not None
    assert np.array(through(found, now["L7"])) == pytest.approx(np.array(LABELS["L7"]), abs=0.3)


def test_no_motion_without_agreement() -> None:
    rng = np.random.default_rng(1)
    apart = {
        text: tuple((x + rng.uniform(-60, 60), y + rng.uniform(-60, 60)) for x, y in corners)
        for text, corners in LABELS.items()
    }
    assert motion(apart, LABELS) is None
    assert motion(dict(list(LABELS.items())[:2]), LABELS) is None


def test_the_mean_of_a_stack_has_less_noise() -> None:
    rng = np.random.default_rng(2)
    clean = cv2.GaussianBlur(rng.uniform(0, 255, (300, 400)), (0, 0), 3)
    clean = 128 + (clean - 128) * 2
    pile = FrameStack()
    full = False
    for _ in range(FRAMES):
        full = pile.add(np.clip(clean + rng.normal(0, 12, clean.shape), 0, 255).astype(np.uint8), LABELS)
    assert full
    left = pile._sum / FRAMES - np.clip(clean, 0, 255)
    assert left.std() < 12 / FRAMES**0.5 * 1.2


def test_labels_on_one_side_lay_the_other_side_exactly_as_well() -> None:
    """Three labels in a corner, read to half a pixel, say little about the opposite one: points of the picture do."""
    rng = np.random.default_rng(5)
    wide = cv2.GaussianBlur(rng.uniform(0, 255, (400, 600)), (0, 0), 2)
    table = np.clip(128 + (wide - 128) * 5, 0, 255)
    here = {text: tuple((x / 4, y / 4) for x, y in LABELS[text]) for text in ("L0", "L1", "L4")}
    pile = FrameStack()
    pile.add(table.astype(np.uint8), here)
    view = np.linalg.inv(SHIFT)
    now = cv2.warpPerspective(table, view, (600, 400), borderMode=cv2.BORDER_REFLECT)
    off = {
        text: tuple(
            (x + rng.uniform(-0.5, 0.5), y + rng.uniform(-0.5, 0.5)) for x, y in through(view, corners)
        )
        for text, corners in here.items()
    }
    pile.add(np.clip(now + rng.normal(0, 6, now.shape), 0, 255).astype(np.uint8), off)
    assert pile.count == 2
    for corner in ((590.0, 390.0), (590.0, 10.0), (10.0, 390.0)):
        assert through(pile.motion, (corner,))[0] == pytest.approx(through(SHIFT, (corner,))[0], abs=0.3)


def test_a_picture_that_does_not_belong_begins_a_new_stack() -> None:
    pile = FrameStack()
    grey = np.zeros((300, 400), np.uint8)
    pile.add(grey, LABELS)
    pile.add(grey, LABELS)
    assert pile.count == 2
    pile.add(grey[:200], LABELS)
    assert pile.count == 1
    pile.add(grey[:200], {f"other {text}": corners for text, corners in LABELS.items()})
    assert pile.count == 1
    pile.add(grey[:200], {})
    assert pile.count == 0


def test_stacks_rest_when_they_bring_nothing() -> None:
    pile = FrameStack()
    grey = np.zeros((30, 40), np.uint8)
    for _ in range(PATIENCE):
        for _ in range(FRAMES - 1):
            assert not pile.add(grey, LABELS)
        assert pile.add(grey, LABELS)
        pile.done(news=False)
    waited = next(n for n in range(100) if pile.add(grey, LABELS))
    assert waited == REST - 1 + FRAMES - 1


def test_light_is_evened_out() -> None:
    rng = np.random.default_rng(3)
    marks = (rng.random((25, 40)) < 0.5).repeat(8, 0).repeat(8, 1).astype(np.float32)
    glare = np.linspace(0, 1, 320, dtype=np.float32)
    even = evenly_lit(60 + 100 * glare + marks * (60 - 45 * glare), 8.0).astype(np.float32)
    assert even[:, 240:][marks[:, 240:] > 0].mean() - even[:, 240:][marks[:, 240:] == 0].mean() > 60


@pytest.mark.parametrize("module", [1.2, 3.0, 9.0])
def test_in_bands_the_light_is_evened_out_as_at_once(module: float) -> None:
    grey = np.random.default_rng(5).integers(0, 255, (2 * frame_stack.BAND + 77, 90), np.uint8)
    pile = FrameStack()
    pile.add(grey, LABELS)
    pile.add(grey, LABELS)
    assert (pile.picture(module) == evenly_lit(grey.astype(np.float32), module)).all()


def test_a_large_stack_takes_little_memory() -> None:
    pile = FrameStack()
    pile.add(np.zeros((1080, 1920), np.uint8), LABELS)
    tracemalloc.start()
    pile.picture(3.0)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 15e6


def glared(noise: int) -> tuple[Any, str]:
    """Nine labels, the middle one under a lamp's mirror image: its contrast is less than the noise."""
    texts = [label(number) for number in range(1, 10)]
    picture, outlines = paint([symbol(text) for text in texts], 1.8, size=(480, 360), noise=0.0, lens=0.7)
    x0, y0 = np.floor(outlines[4].min(axis=0) - 6).astype(int)
    x1, y1 = np.ceil(outlines[4].max(axis=0) + 6).astype(int)
    real = picture.astype(np.float32)
    real[y0:y1, x0:x1] = 200 + (real[y0:y1, x0:x1] - 128) * 0.085
    real += np.random.default_rng(noise).normal(0, 7, real.shape)
    return np.clip(real, 0, 255).astype(np.uint8), texts[4]


def test_a_label_lost_in_noise_is_read_from_several_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    book = Codebook(label(number) for number in range(1, 60))

    def reads() -> set[str]:
        reader = Reader(book, budget=5.0)
        return {one.text for n in range(2 * FRAMES + 2) for one in reader.read(glared(n)[0])}

    hidden = glared(0)[1]
    assert hidden in reads()
    monkeypatch.setattr(frame_stack, "FRAMES", 10**6)
    alone = reads()
    assert len(alone) == 8
    assert hidden not in alone


def test_where_a_label_from_a_stack_is() -> None:
    """The stack lies on its first picture; sightings are in the last one."""
    reader = Reader(Codebook(label(number) for number in range(1, 60)), budget=5.0)
    _, outlines = paint([symbol(label(n)) for n in range(1, 10)], 1.8, size=(480, 360), noise=0.0, lens=0.7)
    seen = []
    for n in range(2 * FRAMES + 2):
        picture, hidden = glared(n)
        here = cv2.warpAffine(picture, np.array([[1.0, 0, 2.0 * n], [0, 1, 1.0 * n]]), (520, 400))
        seen += [(n, one) for one in reader.read(here) if one.text == hidden]
    assert seen
    for n, one in seen:
        assert np.abs(np.array(one.corners) - outlines[4] - (2.0 * n, 1.0 * n)).max() < 2.0


@pytest.mark.parametrize("taken", range(FRAMES))
def test_a_label_that_was_taken_away_meanwhile_is_not_read(taken: int) -> None:
    """It is in most pictures of the stack, and not in the last one: whichever stack that is."""
    texts = [label(number) for number in range(1, 10)]
    full, outlines = paint([symbol(text) for text in texts], 1.8, size=(480, 360), noise=0.0, lens=0.7)
    x0, y0 = np.floor(outlines[4].min(axis=0) - 6).astype(int)
    x1, y1 = np.ceil(outlines[4].max(axis=0) + 6).astype(int)
    bare = full.copy()
    bare[y0:y1, x0:x1] = 115
    reader = Reader(Codebook(label(number) for number in range(1, 60)), budget=5.0)
    for n in range(4 * FRAMES):
        gone = n >= 2 * FRAMES + taken
        noise = np.random.default_rng(n).normal(0, 7, full.shape)
        seen = reader.read(np.clip((bare if gone else full) + noise, 0, 255).astype(np.uint8))
        assert {one.text for one in seen} == {*texts} - ({texts[4]} if gone else set()), n
