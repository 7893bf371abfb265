"""The corpus: everything that happens at a table, once for each game, and no invented answers.

These seeds were chosen because they pass, as a guard against regressions. `benchmarks/films.py` measures the
quality.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.core.binder import Binder
from companion.core.entries import Answered
from companion.core.journal import Journal
from companion.core.play import Play
from companion.core.session import Session
from companion.core.store import Store
from companion.errors import DONE
from tests.films.evenings import CAMERA_TROUBLES, FilmedEvening, evening
from tests.films.judging import judge
from tests.films.program import watch
from tests.whole.test_cli import Run, home, run  # noqa: F401
from workshop.films.film import save

HANDS = ("arm, fast", "hand rests", "arm withdrawn", "dealing", "uncovering", "shuffling", "show")
CARDS = ("gathering", "straightening", "reaching across", "arm, slow", "pointing", "cup", "show")
CAMERA = (*CAMERA_TROUBLES, "show")
SELDOM = ("half covered", "unseen", "turned away", "lamp", "waved", "show")
SOON = 0.5
"""Seconds within which a card that is shown is taken."""


@pytest.mark.parametrize(
    ("game", "seed", "kinds"),
    [
        ("race", 20, HANDS),
        ("race", 8, CARDS),
        ("race", 8, CAMERA),
        ("eclipse", 28, HANDS),
        ("eclipse", 28, CARDS),
        ("eclipse", 28, CAMERA),
        ("beyond", 1, CAMERA),
        ("transgalactica", 1, SELDOM),
    ],
)
def test_nobody_answers_but_by_showing(game: str, seed: int, kinds: tuple[str, ...]) -> None:
    shown = _where_all_happens(game, seed, kinds)
    verdict = judge(shown, watch(shown, eyes=True))
    assert verdict.unasked == ()
    assert verdict.missed == ()
    assert max(verdict.delays) <= SOON


def test_cards_without_labels_answer_when_they_are_shown_and_only_then() -> None:
    shown = evening("race", 5402, kinds=("arm, fast", "show"), faces=True)
    assert len(shown.expected) == 1
    verdict = judge(shown, watch(shown))
    assert verdict.unasked == ()
    assert verdict.missed == ()
    assert max(verdict.delays) <= 0.7


@pytest.mark.campaign
@pytest.mark.parametrize("seed", [8, 20, 28])
def test_nothing_but_a_show_answers_where_cards_have_no_labels(seed: int) -> None:
    for kinds in (HANDS, CARDS, CAMERA):
        shown = evening("race", seed, kinds=kinds, faces=True)
        assert judge(shown, watch(shown)).unasked == ()


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("game", "seed"),
    [
        ("race", 12_100_034),
        ("race", 12_100_035),
        ("eclipse", 12_200_070),
        ("eclipse", 12_200_079),
        ("frontiers", 31_100_023),
        ("frontiers", 31_100_034),
        ("frontiers", 32_100_014),
        ("race", 41_100_048),
        ("eclipse", 51_100_012),
        ("eclipse", 51_100_017),
        ("eclipse", 61_100_011),
        ("eclipse", 72_100_001),
        ("eclipse", 73_200_009),
        ("beyond", 74_200_002),
        ("transgalactica", 75_200_005),
        ("race", 77_200_007),
        ("transgalactica", 77_200_008),
    ],
)
def test_films_that_once_were_judged_wrongly(game: str, seed: int) -> None:
    """A mend for one of them has brought the fault of another back: they are watched again after each."""
    shown = evening(game, seed, 6.0)
    verdict = judge(shown, watch(shown, eyes=True))
    assert verdict.unasked == ()
    assert verdict.missed == ()


def _where_all_happens(game: str, seed: int, kinds: tuple[str, ...]) -> FilmedEvening:
    """The first evening from this seed on with everything: where bots play otherwise, other cards lie there."""
    evenings = (evening(game, one, kinds=kinds) for one in range(seed, seed + 20))
    return next(e for e in evenings if e.expected and {*kinds} <= {event.kind for event in e.film.events})


def test_two_who_show_at_once_are_offered_what_they_may_mean() -> None:
    shown = evening("race", 7_700_000, kinds=("two seats", "arm, fast", "two seats"))
    assert sum(show.together for show in shown.film.shows) == 4
    verdict = judge(shown, watch(shown, eyes=True))
    assert verdict.unasked == ()
    assert verdict.offers >= 2


def test_a_saved_film_is_read_and_judged_alike_by_the_command(run: Run, home: Path, tmp_path: Path) -> None:  # noqa: F811
    shown = evening("race", 8, kinds=("hand rests", "arm, fast", "show"))
    save(shown.film, tmp_path / "film")
    ran = run("watch", str(tmp_path / "film"), "--play", str(_journaled(shown.session, home)), "--json")
    assert (ran.code, ran.err) == (DONE, "")
    told = [json.loads(line) for line in ran.out.splitlines()]
    (answer,) = (one for one in told if one["kind"] == "answer")
    (show,) = shown.film.shows
    assert answer["labels"] == [show.label]
    assert show.start <= answer["at"] <= show.start + SOON


def _journaled(session: Session, home: Path) -> int:  # noqa: F811
    """The same play in the journal."""
    with Store(home / "journal.db") as store:
        play = Play.start(session.game, session.setup, Journal(store), Binder(store), 0.0)
        for moment in session.moments:
            if moment.entry is not None and isinstance(moment.entry.deed, Answered):
                play.answer(moment.entry.deed.answer, 0.0)
        return play.id
