"""What has changed in a picture, and what is read again because of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.vision.painted import label, paint, symbol
from vision import decoders
from vision.change_detection import ChangedPart, LastLook
from vision.codebook import Codebook
from vision.decode import SETTLED, Reader
from vision.label_search import LabelSearch

OWN = [label(number) for number in range(1, 41)]


def noisy(picture: Any, seed: int, much: float = 3.0) -> Any:
    rng = np.random.default_rng(seed)
    return np.clip(picture + rng.normal(0, much, picture.shape), 0, 255).astype(np.uint8)


def table(*numbers: int, module: float = 3.0) -> Any:
    """Labels on places of their own, without noise: further ones do not move those before them."""
    whole = np.full((360, 640), 115, np.uint8)
    for at, number in enumerate(numbers):
        if number:
            one, _ = paint([symbol(label(number))], module, size=(160, 120), noise=0.0)
            y, x = divmod(at, 4)
            whole[120 * y : 120 * y + 120, 160 * x : 160 * x + 160] = one
    return whole


@pytest.mark.parametrize("much", [1.0, 3.0, 8.0])
def test_noise_is_no_change(much: float) -> None:
    picture, watch = table(1, 2, 3), LastLook()
    watch.compare(noisy(picture, 0, much))
    watch.keep()
    for seed in range(1, 20):
        assert watch.compare(noisy(picture, seed, much)) is None


@pytest.mark.parametrize("module", [1.1, 3.0])
def test_a_label_newly_laid_is_a_change_where_it_lies(module: float) -> None:
    watch = LastLook()
    watch.compare(noisy(table(1, 2, 3, module=module), 0))
    watch.keep()
    changed = watch.compare(noisy(table(1, 2, 3, 0, 0, 6, module=module), 1))
    assert changed is not None
    assert changed.touches(((230.0, 170.0), (250.0, 170.0), (250.0, 190.0), (230.0, 190.0)))
    assert changed.pixels < 0.2 * 640 * 360
    watch.keep()
    assert watch.compare(noisy(table(1, 2, 3, 0, 0, 6, module=module), 2)) is None


def test_what_creeps_is_noticed_in_the_end() -> None:
    picture, watch = table(1, 2, 3).astype(np.float32), LastLook()
    watch.compare(picture.astype(np.uint8))
    watch.keep()
    seen = None
    for step in range(30):
        picture[130:230, 200:300] += 1
        seen = seen or watch.compare(picture.astype(np.uint8))
        assert seen is None or step > 2
    assert seen is not None


def test_another_light_or_another_size_is_a_change_of_all() -> None:
    watch = LastLook()
    watch.compare(table(1, 2))
    watch.keep()
    assert watch.compare(table(1, 2) - np.uint8(12)) == ChangedPart(0, 0, 640, 360)
    assert watch.compare(table(1, 2)[:300]) == ChangedPart(0, 0, 640, 300)


def test_a_part_grows_by_what_lies_partly_in_it() -> None:
    part = ChangedPart(100, 100, 200, 200)
    half_in = ((180.0, 150.0), (260.0, 150.0), (260.0, 230.0), (180.0, 230.0))
    outside = tuple((x + 300, y) for x, y in half_in)
    grown = part.around([half_in, outside], (400, 600), 10)
    assert grown == ChangedPart(90, 90, 270, 240)
    assert grown.holds(part)
    assert not part.holds(grown)


# The reader -------------------------------------------------------------------------------------------------------


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Pixels zxing was given, and one for each search."""
    out: list[int] = []
    zxing, search = decoders.zxing, LabelSearch.places

    def counted(grey: Any, *, small: bool = False) -> Any:
        out.append(grey.size)
        return zxing(grey, small=small)

    def searched(*given: Any, **more: Any) -> Any:
        out.append(1)
        return search(*given, **more)

    monkeypatch.setattr(decoders, "zxing", counted)
    monkeypatch.setattr(LabelSearch, "places", searched)
    return out


def texts(sightings: Any) -> set[str]:
    return {sighting.text for sighting in sightings}


def test_where_nothing_changes_nothing_is_read_again(work: list[int]) -> None:
    reader = Reader(clock=lambda: 0.0)
    for seed in range(SETTLED + 5):
        assert texts(reader.read(noisy(table(1, 2, 3), seed))) == {label(1), label(2), label(3)}
    work.clear()
    for seed in range(100, 110):
        assert texts(reader.read(noisy(table(1, 2, 3), seed))) == {label(1), label(2), label(3)}
    assert work == []


def test_the_very_same_picture_is_read_once_and_searched_in_one_round(work: list[int]) -> None:
    reader, picture = Reader(clock=lambda: 0.0), noisy(table(1, 2, 3), 0)
    for _ in range(4):
        reader.read(picture)
    work.clear()
    assert texts(reader.read(picture)) == {label(1), label(2), label(3)}
    assert work == []


@pytest.mark.parametrize("module", [1.2, 3.0])
def test_a_label_newly_laid_is_read_at_once_and_only_there(module: float, work: list[int]) -> None:
    reader = Reader(Codebook(OWN), clock=lambda: 0.0)
    for seed in range(SETTLED + 5):
        reader.read(noisy(table(1, 2, 3, module=module), seed))
    work.clear()
    more = table(1, 2, 3, 0, 0, 0, 7, module=module)
    found = [texts(reader.read(noisy(more, seed))) for seed in range(50, 52)]
    assert label(7) in found[0] | found[1]
    assert {label(1), label(2), label(3)} <= found[0], "and the others are not forgotten"
    assert label(7) in found[0] or module < 2, "a guess needs a second picture, nothing else does"
    assert work[0] < 0.4 * 640 * 360, "what zxing looks at first"


def test_a_label_taken_away_is_gone_at_once() -> None:
    reader = Reader(Codebook(OWN), clock=lambda: 0.0)
    for seed in range(SETTLED + 5):
        reader.read(noisy(table(1, 2, 3), seed))
    assert texts(reader.read(noisy(table(1, 0, 3), 90))) == {label(1), label(3)}


def test_while_nobody_waits_small_labels_stay_where_nothing_changes() -> None:
    reader = Reader(Codebook(OWN), clock=lambda: 0.0)
    for seed in range(4):
        reader.read(noisy(table(1, 2, 3, module=1.2), seed))
    still = reader.read(noisy(table(1, 2, 3, module=1.2), 60), waiting=False)
    assert texts(still) == {label(1), label(2), label(3)}
    fewer = reader.read(noisy(table(1, 2, 0, module=1.2), 61), waiting=False)
    assert texts(fewer) == {label(1), label(2)}


def test_a_brief_look_reads_what_was_read_and_leaves_the_search_to_the_next() -> None:
    reader = Reader(Codebook(OWN), clock=lambda: 0.0)
    for seed in range(4):
        reader.read(noisy(table(1, 2, module=1.2), seed))
    for seed in range(60, 63):
        brief = reader.read(noisy(table(1, 2, 3, module=1.2), seed), brief=True)
        assert texts(brief) == {label(1), label(2)}
    later = [reader.read(noisy(table(1, 2, 3, module=1.2), seed)) for seed in range(63, 66)]
    assert texts(later[-1]) == {label(1), label(2), label(3)}


def test_a_brief_look_reads_a_large_label_at_a_glance() -> None:
    reader = Reader(Codebook(OWN), clock=lambda: 0.0)
    for seed in range(4):
        reader.read(noisy(table(1, 2), seed))
    assert texts(reader.read(noisy(table(1, 2, 3), 60), brief=True)) == {label(1), label(2), label(3)}
