"""The outcome of a signal reaches people on every screen."""

import pytest

from companion.core.entries import Undone
from companion.core.questions import Answer
from companion.core.understand import Press

ELSEWHERE = (
    "home",
    "plays",
    "binder",
    "labels",
    "settings",
    "history",
    "correct",
    "scan",
    "score-only",
    "score",
)


@pytest.mark.parametrize("screen", ELSEWHERE)
def test_a_press_and_an_undo_while_people_look_elsewhere(rehearsal, screen):
    rehearsal.play("race", ("Ania", "Bartek", "Celina"), answers=20, seed=5)
    rehearsal.app.go(screen)
    rehearsal.settle_beside()
    before = rehearsal.app.desk.session.entries
    rehearsal.app.desk.propose(Press(0))
    rehearsal.app.desk.propose(Undone(1))
    rehearsal.settle()
    assert rehearsal.app.screen.name == screen
    assert rehearsal.app.desk.session.entries > before


def test_six_refused_presses_at_once_build_one_screen(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"))
    desk, app = rehearsal.app.desk, rehearsal.app
    built = app._built
    for _ in range(6):
        desk.propose(Press(5))  # nobody sits there
    desk.clerk.settle()
    rehearsal.frames(1)
    assert app.message is not None
    assert app._built == built + 1


def test_what_was_answered_within_one_frame_builds_one_screen(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek", "Celina"))
    rehearsal.play_until(lambda session: len(session.questions()) == 3)
    desk, app = rehearsal.app.desk, rehearsal.app
    built, entries = app._built, desk.session.entries
    for question in desk.play.questions:
        desk.propose(Answer(question.seat, question.slug, question.options[0].id))
    desk.clerk.settle()
    rehearsal.frames(1)
    assert desk.session.entries >= entries + 3
    assert app.entries == desk.session.entries, "all of it is shown"
    assert app._built == built + 1
