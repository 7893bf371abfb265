"""The corpus: everything that happens at a table, once for each game, and no answer that nobody gave.

These seeds were chosen because they pass: a guard against getting worse. How good it is `benchmarks/films.py` measures.
"""

from __future__ import annotations

import pytest

from tests.films.evenings import CAMERA_TROUBLES, evening
from tests.films.judging import judge
from tests.films.program import watch

HANDS = ("arm, fast", "hand rests", "arm withdrawn", "dealing", "uncovering", "shuffling", "show")
CARDS = ("gathering", "straightening", "reaching across", "arm, slow", "pointing", "cup", "show")
CAMERA = (*CAMERA_TROUBLES, "show")
SOON = 0.5
"""Seconds within which a card that is shown is taken."""


@pytest.mark.parametrize(
    ("game", "seed", "kinds"),
    [
        ("race", 8, HANDS),
        ("race", 8, CARDS),
        ("race", 8, CAMERA),
        ("eclipse", 28, HANDS),
        ("eclipse", 28, CARDS),
        ("eclipse", 28, CAMERA),
    ],
)
def test_nobody_answers_but_by_showing(game: str, seed: int, kinds: tuple[str, ...]) -> None:
    shown = evening(game, seed, kinds=kinds)
    assert {*kinds} <= {event.kind for event in shown.film.events}
    assert shown.expected
    verdict = judge(shown, watch(shown, eyes=True))
    assert verdict.unasked == ()
    assert verdict.missed == ()
    assert max(verdict.delays) <= SOON


@pytest.mark.parametrize(("game", "seed"), [("race", 8)])
def test_what_is_drawn_is_read_and_judged_alike(game: str, seed: int) -> None:
    shown = evening(game, seed, kinds=("hand rests", "arm, fast", "show"))
    assert shown.expected
    verdict = judge(shown, watch(shown))
    assert (verdict.unasked, verdict.missed) == ((), ())
