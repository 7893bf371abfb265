"""Films on a machine with part of a core: what is shown is still accepted, and nothing else.

`benchmarks/slow_shows.py` measures the quality; these films only find regressions.
"""

from __future__ import annotations

import pytest

from tests.films.evenings import evening
from tests.films.judging import judge
from tests.films.program import watch
from tests.films.test_corpus import HANDS


@pytest.mark.parametrize(("share", "soon"), [(0.4, 0.8), (0.3, 1.2)])
def test_a_card_shown_to_a_slow_machine_is_taken_in_time(share: float, soon: float) -> None:
    shown = evening("race", 5402, kinds=("show", "show"))
    verdict = judge(shown, watch(shown, eyes=True, share=share))
    assert verdict.unasked == ()
    assert verdict.missed == ()
    assert len(verdict.delays) == 2
    assert max(verdict.delays) <= soon


def test_of_two_who_show_at_once_a_slow_machine_answers_neither() -> None:
    shown = evening("race", 7_700_000, kinds=("two seats", "arm, fast", "two seats"))
    assert sum(show.together for show in shown.film.shows) == 4
    assert judge(shown, watch(shown, eyes=True, share=0.3)).unasked == ()


@pytest.mark.campaign
def test_a_slow_machine_answers_nothing_that_nobody_showed() -> None:
    shown = evening("eclipse", 28, kinds=HANDS)
    assert judge(shown, watch(shown, eyes=True, share=0.3)).unasked == ()


def test_the_same_film_is_judged_alike_every_time() -> None:
    shown = evening("race", 5402, kinds=("show",))
    assert [*watch(shown, eyes=True, share=0.3)] == [*watch(shown, eyes=True, share=0.3)]
