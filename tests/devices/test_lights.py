"""Lamp patterns: the brightness over time, and that only changes are sent."""

from __future__ import annotations

import pytest

from devices.lights import (
    BLINK,
    BREATH,
    DARK,
    LONGEST,
    RED,
    STEP,
    WHITE,
    Breathe,
    Flash,
    Lamps,
    Off,
    On,
    Pattern,
    Pulse,
    Show,
    level,
    light,
    next_change,
)

ALL: list[Pattern] = [Off(), On(), Pulse(), Breathe(), Flash(), Flash(times=1, colour=RED), Show()]


@pytest.mark.parametrize("pattern", ALL)
@pytest.mark.parametrize("since", [0.0, 17.3, 86_400.0])
def test_nothing_changes_before_it_is_said_to(pattern: Pattern, since: float) -> None:
    at = since
    for _ in range(200):
        change = next_change(pattern, since, at)
        if change is None:
            assert {level(pattern, since, at + n) for n in range(100)} == {level(pattern, since, at)}
            return
        assert change > at
        between = {level(pattern, since, at + part * (change - at)) for part in (0.0, 0.3, 0.6, 0.99)}
        assert len(between) == 1
        assert 0 <= between.pop() <= 1
        at = change


def test_how_bright() -> None:
    assert (level(Off(), 0, 5), level(On(), 0, 5)) == (0.0, 1.0)
    assert level(Pulse(), 3.0, 10 * BREATH) == pytest.approx(0.0, abs=0.01)
    assert level(Pulse(), 3.0, 10.5 * BREATH) == pytest.approx(1.0, abs=0.01)
    assert [level(Flash(2), 1.0, 1.0 + n * BLINK / 2) for n in range(6)] == [1, 0, 1, 0, 0, 0]
    assert len({level(Show(), 1.0, 1.0 + n * 0.2) for n in range(10)}) > 4
    assert level(Show(), 1.0, 1.0 + LONGEST) == 1.0
    assert light(On(RED), 0, 0) == RED
    assert light(Off(), 0, 0) == DARK


def test_only_differences_are_sent() -> None:
    lamps, sent = Lamps().show({0: On(), 1: Off()}, 1.0).changes(1.0)
    assert sent == ((0, WHITE), (1, DARK))
    for at in (1.0, 2.0, 3.0):
        lamps, sent = lamps.show({0: On(), 1: Off()}, at).changes(at)
        assert sent == ()
    assert lamps.due(3.0) is None
    lamps, sent = lamps.show({1: On(RED)}, 4.0).changes(4.0)
    assert sent == ((1, RED),)


def test_a_flash_ends_with_what_was_before() -> None:
    lamps, _ = Lamps().show({0: On()}, 0.0).changes(0.0)
    lamps = lamps.show({0: Flash(2, RED)}, 1.0)
    seen = []
    at: float | None = 1.0
    while at is not None:
        lamps, sent = lamps.changes(at)
        seen += [lit for _, lit in sent]
        at = lamps.due(at)
    assert seen == [RED, DARK, RED, DARK, WHITE]
    assert lamps.show({0: Flash(2, RED)}, 5.0).due(5.0) is None  # still wanted, but it has flashed
    assert lamps.show({0: Flash(2, RED, mark=1)}, 5.0).due(5.0) is not None


def test_what_is_wanted_during_a_flash_comes_after_it() -> None:
    lamps, _ = Lamps().show({0: On(), 1: Off()}, 0.0).changes(0.0)
    lamps, _ = lamps.show({0: Flash(1)}, 1.0).changes(1.0)
    lamps, _ = lamps.show({0: Off()}, 1.01).changes(1.01)
    assert lamps.lamps[0].light(1.02) == WHITE
    assert lamps.lamps[0].light(1.0 + BLINK) == DARK
    assert lamps.show({0: Flash(1)}, 1.02).lamps[0].flashed == 1.02


def test_pulses_breathe_together() -> None:
    lamps, _ = Lamps().show({0: Pulse()}, 0.3).changes(0.3)
    lamps = lamps.show({1: Pulse()}, 1.1)
    for at in (1.1, 1.5, 2.2):
        assert lamps.lamps[0].light(at) == lamps.lamps[1].light(at)
    due = lamps.due(1.1)
    assert due is not None
    assert 1.1 < due <= 1.1 + STEP + 1e-9


def test_a_lamp_that_was_away_is_told_again() -> None:
    lamps, _ = Lamps().show({0: On()}, 0.0).changes(0.0)
    assert lamps.forget(0).forget(5).changes(1.0)[1] == ((0, WHITE),)
