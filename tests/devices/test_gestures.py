"""Edges to gestures: the rules one by one, then very many edges against the reference."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.gestures import DOUBLE, LONG, STABLE, STUCK, Button, Gestures, KnobGestures, Turned
from tests.devices.reference import BOUNCES, KINDS, Edges, ReportedGestures, fingers, gestures


def told(given: Gestures) -> ReportedGestures:
    return [(type(gesture).__name__, gesture.at) for gesture in given]


def run(edges: Edges, until: float) -> ReportedGestures:
    button, found = Button(), []
    for level, at in edges:
        button, more = button.edge(level, at)
        found += told(more)
    return found + told(button.wait(until)[1])


def names(edges: Edges, until: float = 100.0) -> list[str]:
    return [name for name, _ in run(edges, until)]


def test_a_short_press_is_told_at_its_release() -> None:
    button, said = Button().edge(True, 1.0)
    assert said == ()
    button, said = button.edge(False, 1.2)
    assert said == ()
    assert button.due == 1.2 + STABLE
    assert button.wait(1.2 + STABLE / 2)[1] == ()
    button, said = button.wait(1.2 + STABLE)
    assert told(said) == [("Pressed", 1.2)]
    assert button.due is None


def test_a_long_press_is_told_while_it_lasts_and_only_then() -> None:
    button, _ = Button().edge(True, 1.0)
    button, _ = button.wait(1.5)
    assert button.due == 1.0 + LONG
    button, said = button.wait(1.0 + LONG)
    assert told(said) == [("Held", 1.0 + LONG)]
    assert button.edge(False, 3.0)[0].wait(4.0)[1] == ()


@pytest.mark.parametrize(("gap", "second"), [(0.1, "Doubled"), (DOUBLE - 0.001, "Doubled"), (0.4, "Pressed")])
def test_two_presses(gap: float, second: str) -> None:
    start = 1.1 + gap
    assert names([(True, 1.0), (False, 1.1), (True, start), (False, start + 0.1)]) == ["Pressed", second]


def test_the_third_of_three_quick_presses_is_a_new_one() -> None:
    edges = [(n % 2 == 0, 1.0 + n * 0.1) for n in range(8)]
    assert names(edges) == ["Pressed", "Doubled", "Pressed", "Doubled"]


def test_short_then_long_is_no_double_press() -> None:
    assert names([(True, 1.0), (False, 1.1), (True, 1.2), (False, 2.5)]) == ["Pressed", "Held"]
    assert names([(True, 1.0), (False, 2.5), (True, 2.6), (False, 2.7)]) == ["Held", "Pressed"]


def test_a_stuck_button_is_told_once_and_then_gives_nothing_until_it_is_up() -> None:
    button, _ = Button().edge(True, 0.0)
    button, said = button.wait(500.0)
    assert told(said) == [("Held", LONG), ("Stuck", STUCK)]
    assert button.stuck
    assert button.due is None
    button, said = button.edge(False, 501.0)[0].wait(502.0)
    assert said == ()
    assert not button.stuck
    assert told(button.edge(True, 503.0)[0].edge(False, 503.1)[0].wait(504.0)[1]) == [("Pressed", 503.1)]


def test_a_button_that_is_down_from_the_start_is_no_press() -> None:
    button = Button.begin(True, 0.0)
    assert button.wait(5.0)[1] == ()
    assert told(button.wait(30.0)[1]) == [("Stuck", STUCK)]
    assert button.edge(False, 2.0)[0].wait(3.0)[1] == ()


@pytest.mark.parametrize("kind", KINDS)
def test_every_bounce_is_one_press(kind: str) -> None:
    for down in BOUNCES[kind]["press"]:
        for up in BOUNCES[kind]["release"]:
            edges = [(n % 2 == 0, 1 + micros / 1e6) for n, micros in enumerate(down)]
            edges += [(n % 2 == 1, 1.15 + micros / 1e6) for n, micros in enumerate(up)]
            assert names(edges) == ["Pressed"]


def test_a_release_that_bounces_around_the_long_limit_is_decided_by_the_release() -> None:
    just_before = LONG - 0.005
    assert names([(True, 0.0), (False, just_before)]) == ["Pressed"]
    assert names([(True, 0.0), (False, just_before), (True, just_before + 0.009)]) == ["Held", "Stuck"]


def test_an_edge_too_quick_to_be_seen_counts_as_one() -> None:
    """The same level twice: between them the contact was closed, and then the press had become long."""
    edges = [(True, 0.0), (False, LONG - 0.002), (False, LONG + 0.003)]
    assert run(edges, 5.0) == gestures(edges, 5.0) == [("Held", LONG)]


def test_a_clock_that_goes_back_is_not_believed() -> None:
    button, _ = Button().edge(True, 5.0)
    assert button.edge(False, 4.0)[0].since == 5.0


@pytest.mark.parametrize("seed", range(10))
def test_as_the_reference_says(seed: int) -> None:
    """50,000 edges of ten buttons; `benchmarks/buttons.py` does a million."""
    edges = fingers(Random(seed), 5_000)
    until = edges[-1][1] + 30
    assert run(edges, until) == gestures(edges, until)


@pytest.mark.parametrize("seed", range(5))
def test_nothing_depends_on_when_we_wait(seed: int) -> None:
    random = Random(seed)
    edges = fingers(random, 500)
    button, found = Button(), []
    for n, (level, at) in enumerate(edges):
        button, more = button.edge(level, at)
        found += told(more)
        until = edges[n + 1][1] if n + 1 < len(edges) else at + 30
        for moment in sorted(random.uniform(at, until) for _ in range(random.randrange(4))):
            button, more = button.wait(moment)
            found += told(more)
            assert found == gestures(edges[: n + 1], moment)
        while button.due is not None and button.due < until:
            button, more = button.wait(button.due)
            found += told(more)
    assert found == gestures(edges, edges[-1][1] + 30)


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 25)), max_size=40))
def test_any_edges(steps: list[tuple[bool, float]]) -> None:
    edges, now = [], 0.0
    for level, gap in steps:
        now += gap / 100 if level else gap / 10
        edges.append((level, now))
    assert run(edges, now + 30) == gestures(edges, now + 30)


RIGHT = "ab" * 2
LEFT = "ba" * 2


def turn(knob: KnobGestures, contacts: str) -> tuple[KnobGestures, list[int]]:
    clicks = []
    for which in contacts:
        knob, said = knob.edge(which, not getattr(knob, which), 0.0)
        clicks += [gesture.by for gesture in said if isinstance(gesture, Turned)]
    return knob, clicks


def test_a_knob_counts_its_clicks() -> None:
    knob, clicks = turn(KnobGestures(), RIGHT * 3 + LEFT * 2)
    assert clicks == [1, 1, 1, -1, -1]
    assert knob == KnobGestures()


@pytest.mark.parametrize(
    ("contacts", "clicks"),
    [("aaa" + "b" + "aaa" + "b", [1]), ("aa" * 20, []), ("b" + "aaaaa" + "bbb" + "a", [-1])],
)
def test_a_knob_that_bounces_or_turns_back_halfway(contacts: str, clicks: list[int]) -> None:
    assert turn(KnobGestures(), contacts)[1] == clicks


def test_a_knob_with_a_missed_edge_still_clicks() -> None:
    knob = KnobGestures()
    clicks = []
    for which, level in (("a", True), ("b", True), ("a", True), ("a", False), ("b", False)):
        knob, said = knob.edge(which, level, 0.0)
        clicks += list(said)
    assert clicks == [Turned(0.0, 1)]
