"""How a picture is looked at: thoroughly, or briefly where a slow machine has no time for more."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.vision.test_track import seen
from vision.camera_watch import Frame
from vision.label_news import Brought
from vision.sightings import Sighting
from vision.watcher import UNSEARCHED, Watcher


class Asked:
    """Sees what it is told to, and remembers whether a brief look was asked for."""

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
        _, news = watcher.look(Frame(None, n * pace), waiting=waiting)  # type: ignore[arg-type]
        shown = shown or any(isinstance(item, Brought) for item in news)
    assert not any(reader.brief[:20]), "nothing is held"
    return reader.brief[20:], shown


@pytest.mark.parametrize("pace", [0.1, 0.25, 0.4])
def test_on_a_slow_machine_a_held_card_is_looked_at_briefly_until_it_is_shown(pace: float) -> None:
    first, *others = _brought(pace, 8)[0]
    brief = others.index(False)
    assert not first, "it was searched for when it came"
    assert brief >= 1
    assert not any(others[brief:]), "once it is told, everything is searched again"
    assert _brought(pace, 1 + brief)[1]
    assert not _brought(pace, brief)[1]


def test_a_quick_machine_searches_every_picture() -> None:
    assert not any(_brought(0.06, 12)[0])


def test_while_nobody_waits_no_look_is_briefer_than_it_is() -> None:
    assert not any(_brought(0.3, 8, waiting=False)[0])


def test_a_card_that_is_never_still_does_not_keep_others_from_being_searched_for() -> None:
    reader = Asked()
    watcher = Watcher(reader)
    for n in range(60):
        reader.there = (seen("B", 50), *((seen("A", 10.0 * (n % 5), 40, 1.5),) if n >= 20 else ()))
        watcher.look(Frame(None, n * 0.2), waiting=True)  # type: ignore[arg-type]
    assert any(reader.brief)
    searched = [n * 0.2 for n, brief in enumerate(reader.brief) if not brief]
    assert max(b - a for a, b in pairwise(searched)) <= UNSEARCHED + 0.21
