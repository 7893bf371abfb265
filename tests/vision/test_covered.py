"""A covered lens, and the first view afterwards: whatever covers it, and for however long, is never a show."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.test_backdrop import FPS, HIGH, WIDE, Camera, at, table, with_hand, with_label, wood
from vision.sightings import Sighting

X, Y = 300, 100
SELDOM, SLOW = 2.0, 1.1
"""Looks a second while nothing happens."""
ACROSS = np.linspace(-1, 1, WIDE, dtype=np.float32)[None, :] * np.ones((HIGH, 1), np.float32)


def slightly_woven() -> Any:
    """A scarf on the lens: some of it has a pattern."""
    folds = cv2.GaussianBlur(np.random.default_rng(8).normal(0, 90, (HIGH, WIDE)), (0, 0), 6)
    return 95 + np.asarray(folds, np.float32) * (ACROSS > 0.3)


TABLES = {
    "plain": table(plain=True),
    "cloth": 120 - 18 * ACROSS**2,  # so fine that a camera sees none of it, in the light of one lamp
    "wood": wood()[:HIGH],
    "things": table(),
}
COVERS = {
    "black": np.full((HIGH, WIDE), 3.0),
    "nearly black": np.full((HIGH, WIDE), 19.0),
    "skin": np.full((HIGH, WIDE), 140.0),
    "as bright as the table": np.full((HIGH, WIDE), 121.0),
    "a finger, lit from one side": 110 + 70 * ACROSS,
    "a scarf": slightly_woven(),
}
ALIKE = (("plain", "as bright as the table"), ("cloth", "as bright as the table"))
"""Nobody can tell this lens from this table, unless a card is known that lay there."""
A, B, HELD = at("A", X, Y), at("B", X, Y), at("B", X, Y, 63)


def each(shift: int, without: tuple[tuple[str, str], ...] = ()) -> pytest.MarkDecorator:
    """Every cover on one of the tables; in a campaign all of them on all."""
    cases = [
        pytest.param(top, cover, marks=() if (m - n) % len(TABLES) == shift else pytest.mark.campaign)
        for n, top in enumerate(TABLES)
        for m, cover in enumerate(COVERS)
        if (top, cover) not in without
    ]
    return pytest.mark.parametrize(("top", "cover"), cases)


def covered_by(picture: Any, cover: Any, part: float) -> Any:
    """So much of the lens, from the left."""
    picture = picture.copy()
    picture[:, : round(part * WIDE)] = cover[:, : round(part * WIDE)]
    return picture


def slid(camera: Camera, picture: Any, labels: list[Sighting], cover: Any, seconds: float, on: bool) -> None:
    """A cover slides onto the lens or off."""
    steps = round(seconds * FPS)
    for n in range(1, steps + 1):
        part = n / steps if on else 1 - n / steps
        free = [label for label in labels if label.corners[0][0] > part * WIDE]
        camera.look(covered_by(picture, cover, part), free, 1 / FPS)


@pytest.mark.parametrize("seconds", [4, 45, pytest.param(400, marks=pytest.mark.campaign)])
@each(0)
def test_a_card_that_lay_there_lies_there_still(top: str, cover: str, seconds: float) -> None:
    there = with_label(TABLES[top], X, Y)
    camera = Camera().look(there, [A], 12, fps=SELDOM).look(COVERS[cover], [], seconds, fps=SLOW)
    assert camera.look(there, [A], 2).shown == []


@pytest.mark.parametrize("late", [0.0, 0.9, 2.5])
@each(1)
def test_a_card_that_was_laid_there_meanwhile_is_found(top: str, cover: str, late: float) -> None:
    """However late it is read: nobody saw its place without it."""
    bare = with_label(TABLES[top], 40, 40)
    there = with_label(bare, X, Y)
    lies = [at("L", 40, 40)]
    camera = Camera().look(bare, lies, 12, fps=SELDOM).look(COVERS[cover], [], 20, fps=SLOW)
    camera.look(there, lies, late).look(there, [*lies, B], 1)
    assert camera.shown == []


@each(2, without=ALIKE)
def test_a_camera_that_is_covered_when_it_is_switched_on_finds_what_lies_there(top: str, cover: str) -> None:
    there = with_label(TABLES[top], X, Y)
    camera = Camera().look(COVERS[cover], [], 8, fps=SLOW).look(there, [A], 3)
    assert camera.shown == []


@pytest.mark.parametrize("seconds", [0.4, 2.0])
@each(3)
def test_a_cover_that_slides_on_and_off_shows_nothing(top: str, cover: str, seconds: float) -> None:
    there = with_label(TABLES[top], X, Y)
    camera = Camera().look(there, [A], 12, fps=SELDOM)
    slid(camera, there, [A], COVERS[cover], seconds, on=True)
    camera.look(COVERS[cover], [], 30, fps=SLOW)
    slid(camera, there, [A], COVERS[cover], seconds, on=False)
    assert camera.look(there, [A], 1).shown == []


@each(0, without=(*ALIKE, ("things", "as bright as the table"), ("wood", "skin")))
def test_a_finger_over_half_of_the_lens_shows_nothing(top: str, cover: str) -> None:
    """Unless it is as bright as the table, so that the card seems to have been taken away."""
    there = with_label(TABLES[top], X, Y)
    half = covered_by(there, COVERS[cover], 0.6)
    camera = Camera().look(there, [A], 12, fps=SELDOM).look(half, [], 40, fps=SLOW)
    assert camera.look(there, [A], 1).shown == []


@pytest.mark.parametrize("top", TABLES)
@pytest.mark.parametrize("light", [(0.6,), (1.9, 1.6, 1.3, 1.1), (0.4, 1.7, 0.7, 1.2)])
def test_other_light_and_a_camera_that_adjusts_itself_show_nothing(
    top: str, light: tuple[float, ...]
) -> None:
    there = with_label(TABLES[top], X, Y)
    camera = Camera().look(there, [A], 12, fps=SELDOM).look(COVERS["skin"], [], 20, fps=SLOW)
    for much in light:
        camera.look(there * much, [A] if much < 1.5 else [], 0.3)
    assert camera.look(there * light[-1], [A], 2).shown == []


@pytest.mark.parametrize("top", TABLES)
@pytest.mark.parametrize("late", [0.0, 0.9])
def test_a_card_laid_in_the_dark_is_found_though_the_lamp_dazzles_the_camera(top: str, late: float) -> None:
    bare = TABLES[top]
    there = with_label(bare, X, Y)
    camera = Camera().look(bare, [], 12, fps=SELDOM).look(bare * 0.01, [], 20, fps=SLOW)
    for much in (2.3, 1.9, 1.5, 1.2):
        camera.look(there * much, [], 0.3)
    assert camera.look(there, [], late).look(there, [B], 1).shown == []


@pytest.mark.parametrize("top", TABLES)
def test_a_camera_turned_to_the_wall_and_back_shows_nothing(top: str) -> None:
    there = with_label(TABLES[top], X, Y)
    back = np.roll(there, (11, -260), (0, 1))
    wall = 150 - 30 * ACROSS
    camera = Camera().look(there, [A], 12, fps=SELDOM).look(wall, [], 20, fps=SLOW).look(back, [], 0.8)
    assert camera.look(back, [at("A", X - 260, Y + 11)], 2).shown == []


@pytest.mark.parametrize("top", TABLES)
@pytest.mark.parametrize("late", [0.0, 0.9, 1.5])
def test_a_card_laid_there_while_people_were_at_another_screen_is_found(top: str, late: float) -> None:
    bare, there = TABLES[top], with_label(TABLES[top], X, Y)
    camera = Camera().look(bare, [], 12, fps=SELDOM)
    for n in range(4):
        camera.at += 5
        camera.look(there if n == 3 else bare, [], 0.1, thorough=False)
    assert camera.look(there, [], late).look(there, [B], 1).shown == []


# What must go on


@pytest.mark.parametrize("top", TABLES)
def test_a_card_is_shown_soon_after_the_camera_was_switched_on(top: str) -> None:
    empty = TABLES[top]
    held = with_label(with_hand(empty, X - 40, 160, top=60), X, Y, 63)
    camera = Camera().look(empty, [], 3).look(with_hand(empty, X - 40, top=180), [], 0.2)
    assert camera.look(held, [HELD], 0.6).shown == ["B"]


@each(1, without=ALIKE)
def test_a_card_is_shown_soon_after_the_lens_is_free(top: str, cover: str) -> None:
    there = with_label(TABLES[top], 40, 250)
    held = with_label(with_hand(there, X - 40, 160, top=60), X, Y, 63)
    lies = [at("L", 40, 250)]
    camera = Camera().look(there, lies, 12, fps=SELDOM).look(COVERS[cover], [], 20, fps=SLOW)
    camera.look(there, lies, 3).look(with_hand(there, X - 40, top=180), lies, 0.2)
    assert camera.look(held, [*lies, HELD], 0.6).shown == ["B"]


@pytest.mark.parametrize("top", TABLES)
def test_a_card_is_shown_though_the_lamp_was_switched_a_moment_ago(top: str) -> None:
    there = with_label(TABLES[top], 40, 250)
    held = with_label(with_hand(there, X - 40, 160, top=60), X, Y, 63)
    lies = [at("L", 40, 250)]
    camera = Camera().look(there, lies, 12, fps=SELDOM)
    for much in (0.6, 1.0, 0.6):
        camera.look(there * much, lies, 4)
    camera.look(with_hand(there, X - 40, top=180) * 0.6, lies, 0.2)
    assert camera.look(held * 0.6, [*lies, HELD], 0.6).shown == ["B"]
