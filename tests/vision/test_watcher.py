"""How a picture is read: thoroughly, or briefly while a card is carried or held."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tests.vision.test_track import seen
from vision.camera_health import Frame
from vision.label_news import Brought
from vision.sightings import Sighting
from vision.watcher import CARRYING, UNSEARCHED, Watcher


class Asked:
    """Sees what the test says, and remembers whether a brief look was asked for."""

    def __init__(self) -> None:
        self.there: tuple[Sighting, ...] = ()
        self.brief: list[bool] = []

    def read(self, picture: Any, *, waiting: bool = True, brief: bool = False) -> tuple[Sighting, ...]:
        self.brief.append(brief)
        return self.there


def _brought(pace: float, looks: int, *, waiting: bool = True) -> tuple[list[bool], bool]:
    """A card comes after looks at this pace and stays: which looks then were brief, and whether it was shown."""
    reader = Asked()
    watcher, shown = Watcher(reader), False
    for n in range(20 + looks):
        reader.there = (seen("B", 50), *((seen("A", 90, 40, 1.5),) if n >= 20 else ()))
        _, news = watcher.process(Frame(None, n * pace), waiting=waiting)  # type: ignore[arg-type]
        shown = shown or any(isinstance(item, Brought) for item in news)
    assert not any(reader.brief[:20]), "nothing is held"
    return reader.brief[20:], shown


@pytest.mark.parametrize("pace", [0.04, 0.1, 0.25, 0.4])
def test_a_held_card_is_looked_at_briefly_until_it_is_shown(pace: float) -> None:
    first, *others = _brought(pace, 12)[0]
    brief = others.index(False)
    assert not first, "it was searched for when it came"
    assert brief >= 1
    assert not any(others[brief:]), "once it is reported, everything is searched again"
    assert _brought(pace, 1 + brief)[1]
    assert not _brought(pace, brief)[1]


def test_while_nobody_waits_no_look_is_briefer_than_it_is() -> None:
    assert not any(_brought(0.3, 8, waiting=False)[0])


def test_a_card_that_is_never_still_does_not_keep_others_from_being_searched_for() -> None:
    reader = Asked()
    watcher = Watcher(reader)
    for n in range(60):
        reader.there = (seen("B", 50), *((seen("A", 10.0 * (n % 5), 40, 1.5),) if n >= 20 else ()))
        watcher.process(Frame(None, n * 0.2), waiting=True)  # type: ignore[arg-type]
    assert any(reader.brief)
    searched = [n * 0.2 for n, brief in enumerate(reader.brief) if not brief]
    assert max(b - a for a, b in pairwise(searched)) <= UNSEARCHED + 0.21


def _pictures(moving: range, *, plain: bool = False) -> Asked:
    """Looks at 25 pictures a second of a table; in these a hand moves."""
    reader, rng = Asked(), np.random.default_rng(7)
    table = np.kron(rng.integers(60, 160, (45, 80), np.uint8), np.ones((10, 10), np.uint8))
    table = np.full_like(table, 110) if plain else table
    watcher = Watcher(reader)
    for n in range(moving.stop + 20):
        picture = table.copy()
        if n >= moving.start:
            x = 10 * (min(n, moving.stop - 1) - moving.start) % 500
            picture[200:, x : x + 150] = 200
        watcher.process(Frame(picture, n / 25), waiting=True)
        assert watcher.brief == reader.brief[-1]
    return reader


@pytest.mark.parametrize("plain", [False, True])
def test_while_something_is_carried_pictures_are_looked_at_briefly(plain: bool) -> None:
    brief = _pictures(range(100, 118), plain=plain).brief
    assert not any(brief[2:101]), "nothing has moved since the first picture"
    assert all(brief[101:118])
    assert not any(brief[121:]), "once it is still, it is searched"


def test_hands_that_never_rest_do_not_keep_cards_from_being_searched_for() -> None:
    brief = _pictures(range(100, 250)).brief
    carried = brief[101 : 101 + round(CARRYING * 25)]
    assert 0 < carried.count(False) <= CARRYING / UNSEARCHED, "once a second"
    assert not any(brief[103 + round(CARRYING * 25) : 250])
