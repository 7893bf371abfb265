"""The table as seen from above: what labels tell about it, and labels that are found only there."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.painted import label, paint, symbol
from vision import label_search, plane
from vision.codebook import Codebook
from vision.finders import WORKING
from vision.labels import MODULES

TILTED = np.array([[0.75, -0.25, 60.0], [0.0, 0.6, 30.0], [0.0, -0.0009, 1.0]])
"""From a table of 640 by 360 points to the picture: what is far (above) is small."""
TEXTS = [label(number) for number in range(1, 16)]


def outlines(matrix: Any, side: float = 24.0) -> list[Any]:
    """Fifteen labels on the table, turned every way, as the camera sees them."""
    out = []
    for k in range(15):
        turn = 0.4 * k
        box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        middle = np.array([70 + 125 * (k % 5), 60 + 120 * (k // 5)])
        out.append(tuple(map(tuple, plane.seen(matrix, box @ spin.T + middle))))
    return out


def sides(view: plane.ViewFromAbove, corners: Any) -> Any:
    there = plane.seen(view.matrix, corners)
    return np.hypot(*(np.roll(there, -1, axis=0) - there).T) / MODULES


@pytest.mark.parametrize("matrix", [np.eye(3), TILTED, TILTED[[1, 0, 2]][:, [1, 0, 2]]])
def test_labels_of_one_size_are_alike_and_upright_from_above(matrix: Any) -> None:
    seen = outlines(matrix)
    table = plane.plane(seen, (640, 360))
    assert table is not None
    view = table.above((640, 360), WORKING, np.eye(2))
    assert view is not None
    for corners in seen:
        assert sides(view, corners) == pytest.approx(WORKING, rel=0.05)


def test_a_card_held_up_and_one_of_another_size_say_nothing_about_the_table() -> None:
    seen = outlines(TILTED)
    middle = np.mean(seen[3], axis=0)
    seen[3] = tuple(map(tuple, (np.array(seen[3]) - middle) * 2.5 + middle))
    middle = np.mean(seen[9], axis=0)
    seen[9] = tuple(map(tuple, (np.array(seen[9]) - middle) * 0.6 + middle))
    table = plane.plane(seen, (640, 360))
    assert table is not None
    view = table.above((640, 360), WORKING, np.eye(2))
    assert view is not None
    for k in {*range(15)} - {3, 9}:
        assert sides(view, seen[k]) == pytest.approx(WORKING, rel=0.1)


def test_labels_that_make_no_table_are_not_believed() -> None:
    assert plane.plane([], (640, 360)) is None
    assert plane.plane(outlines(np.eye(3))[:1], (640, 360)) is None
    point = ((5.0, 5.0),) * 4
    assert plane.plane([point, point], (640, 360)) is None
    lower = np.array([[1, 0, 0], [0, 1, 2000], [0, 0, 1.0]])
    assert plane.plane(outlines(lower @ TILTED), (640, 2400)) is None, "above them is the horizon"


@pytest.fixture(scope="module")
def table() -> tuple[Any, list[Any]]:
    """A picture of labels on a table tilted by so much that the far ones have 0.8 pixels a module, and their places."""
    fine = 2
    flat, there = paint(
        [symbol(text) for text in TEXTS], 1.05 * fine, size=(640 * fine, 360 * fine), lens=0, noise=0
    )
    larger = np.diag([3.0, 3.0, 1.0]) @ TILTED @ np.diag([1 / fine, 1 / fine, 1.0])
    soft = cv2.GaussianBlur(flat, (0, 0), 0.4)
    seen = cv2.warpPerspective(soft, larger, (3 * 640, 3 * 400), borderValue=115)
    small = cv2.GaussianBlur(cv2.resize(seen, (640, 400), interpolation=cv2.INTER_AREA), (0, 0), 0.5)
    noisy = small + np.random.default_rng(4).normal(0, 3, small.shape)
    shift = np.diag([1 / 3, 1 / 3, 1.0])
    return np.clip(noisy, 0, 255).astype(np.uint8), [plane.seen(shift @ larger, one) for one in there]


def read(search: label_search.LabelSearch, picture: Any, lying: list[Any], sizes: list[float]) -> set[str]:
    """What one turn finds."""
    book = Codebook(TEXTS)
    found = search.places(picture, sizes, [], -1.0, lambda: 0.0, lying=lying)
    return {guess.text for one in found for guess in book.compare(one) if guess is not None}


def test_one_turn_from_above_reads_labels_of_all_distances(table: tuple[Any, list[Any]]) -> None:
    picture, there = table
    near = there[-6:]
    modules = [float(np.sqrt(cv2.contourArea(one.astype(np.float32)))) / MODULES for one in there]
    assert min(modules) < 0.8
    assert max(modules) / min(modules) > 1.35
    assert read(label_search.LabelSearch(), picture, near, modules[-6:]) == set(TEXTS)
    assert len(read(label_search.LabelSearch(), picture, [], modules[-6:])) < 13


def test_a_label_on_a_steep_slope_is_found_where_the_table_is_stretched() -> None:
    picture, there = paint([symbol(text) for text in TEXTS[:6]], 3.0, size=(800, 500), lens=0.4)
    low = np.array(there[4]).min(axis=0).astype(int) - 8
    high = np.array(there[4]).max(axis=0).astype(int) + 9
    card = picture[low[1] : high[1], low[0] : high[0]].copy()
    flat = cv2.resize(card, (int(card.shape[1] * 0.56), card.shape[0]), interpolation=cv2.INTER_AREA)
    picture[low[1] : high[1], low[0] : high[0]] = 115
    picture[low[1] : high[1], low[0] : low[0] + flat.shape[1]] = flat
    lying = [there[k] for k in (0, 1, 2, 3, 5)]
    found: set[str] = set()
    search = label_search.LabelSearch()
    for _ in range(6):
        found |= read(search, picture, lying, [3.0])
    assert TEXTS[4] in found
