"""The list of moves to do on the table: it lasts as long as its phase, merges equal ones, and forgets what
was ticked."""

from __future__ import annotations

from companion.core.game import Setup, games
from companion.core.questions import Answer
from companion.core.session import Session, begin
from companion.core.tasks import hand_tasks

RACE = games()["race"]


def exploring() -> Session:
    """Two seats have revealed their actions: both explore, one of them more than the other."""
    session = begin(RACE, Setup("race", ("Ania", "Bartek", "Celina")), 0.0)
    for seat, world in enumerate(("old-earth", "new-sparta", "alpha-centauri")):
        session = session.answer(Answer(seat, "race.start-world", world), 1.0)
    for seat, action in enumerate(("explore-5", "develop", "develop")):
        session = session.answer(Answer(seat, "race.action", action), 2.0)
    return session


def test_what_was_told_a_phase_ago_is_done() -> None:
    session = exploring()
    dealt = [chore for chore in hand_tasks(session) if "race.deal" in repr(chore.text)]
    assert not dealt, "hands were dealt before the round began"


def test_equal_lines_are_one() -> None:
    start = begin(RACE, Setup("race", ("Ania", "Bartek", "Celina")), 0.0)
    for seat, world in enumerate(("old-earth", "new-sparta", "alpha-centauri")):
        start = start.answer(Answer(seat, "race.start-world", world), 1.0)
    dealt = [chore for chore in hand_tasks(start) if len(chore.seats) > 1]
    assert [chore.seats for chore in dealt] == [(0, 1, 2)]


def test_what_was_ticked_off_is_gone_and_the_rest_stays() -> None:
    start = begin(RACE, Setup("race", ("Ania", "Bartek")), 0.0)
    for seat, world in enumerate(("old-earth", "alpha-centauri")):
        start = start.answer(Answer(seat, "race.start-world", world), 1.0)
    lines = hand_tasks(start)
    assert len(lines) > 1
    assert hand_tasks(start, frozenset({lines[0].key})) == lines[1:]


def test_lines_stay_while_the_phase_lasts_and_the_unusual_comes_first() -> None:
    session = exploring()
    session = session.answer(Answer(0, "race.place", "pass"), 3.0)
    session = session.answer(Answer(1, "race.place", "investment-credits"), 3.0)
    assert [chore.text.key for chore in hand_tasks(session)] == ["race.does"] * 2, (
        "what was told by exploring"
    )
    session = session.answer(Answer(2, "race.place", "public-works"), 4.0)
    lines = hand_tasks(session)
    assert lines
    assert [line.usual for line in lines] == sorted(line.usual for line in lines)
