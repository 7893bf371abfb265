"""A whole tableau read from many frames."""

from __future__ import annotations

import pytest

from tests.vision.test_track import SIDE, seen
from vision.sweep import QUIET_FRAMES, Sweep, inside, middle

LEFT = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))


def swept(frames: list[list[str]], sweep: Sweep | None = None) -> Sweep:
    sweep = sweep or Sweep()
    for texts in frames:
        sweep = sweep.see([seen(text) for text in texts])
    return sweep


def test_it_is_steady_when_nothing_new_has_come_for_a_while() -> None:
    sweep = swept([["A"], ["A", "B"], *[["A"]] * (QUIET_FRAMES - 1)])
    assert not sweep.steady
    sweep = swept([["B"]], sweep)
    assert sweep.steady
    assert set(sweep.found) == {"A", "B"}
    assert not swept([["C"]], sweep).steady


def test_it_is_not_steady_before_every_size_had_its_turn() -> None:
    sweep = Sweep().see([seen("A")], rounds=3)
    for _ in range(3 * QUIET_FRAMES):
        sweep = sweep.see([seen("A")], rounds=3)
    assert not sweep.steady
    assert sweep.see([seen("A")], rounds=4).steady
    late = sweep.see([seen("A"), seen("B")], rounds=4)
    for _ in range(QUIET_FRAMES):
        late = late.see([seen("A")], rounds=4)
    assert not late.steady, "a new label, and not all sizes were looked for since"
    assert late.see([], rounds=5).steady


def test_an_empty_table_is_never_steady() -> None:
    assert not swept([[]] * 100).steady


def test_what_is_missing_and_what_surprises() -> None:
    sweep = swept([["A", "X"]], Sweep(expected=frozenset({"A", "B"})))
    assert (sweep.missing, sweep.surprising) == ({"B"}, {"X"})


def test_the_neighbours_cards_do_not_count() -> None:
    sweep = Sweep(zone=LEFT).see([seen("mine", 10.0), seen("theirs", 90.0)])
    assert set(sweep.found) == {"mine"}


def test_more_frames_make_us_surer_and_the_largest_sighting_is_kept() -> None:
    from msgspec.structs import replace

    weak = replace(seen("A"), sure=0.6, how="codebook")
    close = replace(weak, module=5.0)
    sweep = Sweep().see([weak])
    assert sweep.found["A"].sure == pytest.approx(0.6)
    sweep = sweep.see([close]).see([weak])
    assert sweep.found["A"].sure == pytest.approx(1 - 0.4**3)
    assert (sweep.found["A"].frames, sweep.found["A"].sighting.module) == (3, 5.0)


def test_inside_a_slanted_zone() -> None:
    slanted = ((50.0, 0.0), (100.0, 50.0), (50.0, 100.0), (0.0, 50.0))
    assert inside((50.0, 50.0), slanted)
    assert not inside((5.0, 5.0), slanted)
    assert middle(seen("A", 100.0)) == (100 + SIDE / 2, SIDE / 2)
