"""Every screen, at every size, in both languages: nothing is cut off, too small, too faint or in the way."""

from pathlib import Path

import pytest

from companion.core.game import every_game
from companion.ui.screens import SCREENS
from tests import budgets
from workshop.screens import shots, staging


def test_every_screen_is_in_a_picture():
    assert {name for name in SCREENS if not staging.scenes([name])} == set()


def test_every_scene_of_a_play_has_its_moment():
    """What is done on a screen at a moment is of no use if no game declares that moment."""
    assert set(staging.PLAYED) - set(staging.scenes()) == set()


def test_every_highlight_has_a_screen():
    for game in every_game().values():
        for highlight in game.highlights:
            assert [staging.screen_of(name) for name in highlight.scenes]


def variants(size: tuple[int, int]) -> list[shots.ShotVariant]:
    """The shortest and the longest words, upright only the longest; a campaign, as `companion shots`, takes all."""
    if budgets.campaign:
        return list(shots.VARIANTS)
    return [("en", 100), ("pl", 150)] if size[0] > size[1] else [("pl", 150)]


UPRIGHT = ("table", "choose", "home", "score", "map", "new")
"""The screens people play on: in a usual run only these are looked at upright."""


def scenes(size: tuple[int, int]) -> list[str]:
    """What is taken at this size."""
    every = list(staging.scenes())
    if budgets.campaign or size[0] > size[1]:
        return every
    return [name for name in every if staging.screen_of(name) in UPRIGHT]


PARTS = 2
"""Pictures of one size are taken by so many tests, so that all workers have their share."""

BEFORE_A_CAMERA = ("scan", "settings-camera-on")
"""Scenes that need every label learnt, which takes five seconds: one test takes all of them."""


def share(names: list[str], part: int) -> list[str]:
    """The scenes of one test: those of a kind beside each other, so that each process makes ready for few kinds."""
    near = [name for name in names if name.startswith(BEFORE_A_CAMERA)]
    order = [*near, *(name for name in names if name not in near)]
    return order[part * len(order) // PARTS : (part + 1) * len(order) // PARTS]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("size", shots.SIZES, ids=lambda size: "x".join(map(str, size)))
def test_nothing_is_wrong_with_any_screen(tmp_path: Path, size: tuple[int, int], part: int) -> None:
    names = share(scenes(size), part)
    how = variants(size)
    taken, wrong = shots.take(tmp_path, names, [size], how, samples=0)
    assert wrong == []
    assert (
        taken
        == sum(len(list(shots.picture_variants(name, how))) for name in names)
        == len(list(tmp_path.iterdir()))
    )
