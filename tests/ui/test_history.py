"""History: every answer as a sentence, and undo back to any of them."""

import time

import pytest
from msgspec.structs import force_setattr

from companion.core import session as sessions
from companion.core.deed_words import did
from companion.core.entries import Undone
from companion.texts import render
from companion.ui.screens.history import PAGE, clock_time
from companion.ui.toolkit.geometry import walk
from companion.ui.toolkit.kit import Words


@pytest.fixture
def history(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"), answers=40, seed=3)
    rehearsal.app.go("history")
    rehearsal.settle()
    return rehearsal


def lines(rehearsal):
    return [int(name.removeprefix("line-")) for name in rehearsal.taps() if name.startswith("line-")]


def test_the_newest_answers_come_first_each_as_its_sentence(history):
    session = history.app.desk.session
    assert lines(history) == list(range(40, 40 - PAGE, -1))
    for n in lines(history):
        assert render(did(session, n), "en") in history.words()
        assert clock_time(session.moments[n].entry.at) in history.words()


def test_a_line_builds_its_question_and_its_view_once(history, monkeypatch):
    """Both are expensive: a page has fifteen lines."""
    session = history.app.desk.session
    built = {"questions": 0, "views": 0}
    question_of, view = sessions.question_of, session.game.view

    def counted(*args):
        built["questions"] += 1
        return question_of(*args)

    def viewed(*args):
        built["views"] += 1
        return view(*args)

    monkeypatch.setattr(sessions, "question_of", counted)
    force_setattr(session.game, "view", viewed)
    try:
        sessions._VIEWS.clear()
        history.app.refresh()
        assert built["questions"] == PAGE
        assert built["views"] <= PAGE + 1, "and one of the table now"
        history.app.refresh()
        assert built["views"] <= PAGE + 1
    finally:
        force_setattr(session.game, "view", view)


def test_a_choice_that_is_still_secret_stays_so(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"), answers=10, seed=3)
    rehearsal.play_until(lambda session: all(q.secret for q in session.questions()))
    rehearsal.play_on(1)
    rehearsal.app.go("history")
    session = rehearsal.app.desk.session
    answer = session.moments[-1].entry.deed.answer
    before = session.undo(1, session.at).questions()
    chosen = next(q for q in before if q.seat == answer.seat).option(answer.option)
    newest = rehearsal.taps()[f"line-{len(session.moments) - 1}"]
    told = " ".join(part.text for part in walk(newest) if isinstance(part, Words))
    assert f"{session.setup.seats[answer.seat]} is ready." in told
    assert render(chosen.text, "en") not in told


def test_the_rounds_are_headings(history):
    session = history.app.desk.session
    rounds = {session.game.view(session.moments[n - 1].state).round for n in lines(history)}
    assert {f"Round {n}" for n in rounds if n} <= set(history.words())


def test_earlier_answers_are_a_tap_away_down_to_the_first(history):
    seen = lines(history)
    while "earlier" in history.taps():
        history.tap("earlier")
        seen += lines(history)
    assert seen == list(range(40, 0, -1))
    assert "Setting up" in history.words()
    while "later" in history.taps():
        history.tap("later")
    assert lines(history)[0] == 40


def test_a_touched_line_first_says_what_going_back_takes_back(history):
    session = history.app.desk.session
    history.tap("line-38")
    assert history.app.asked is not None
    assert str(len(session.moments) - 38) in history.app.asked.text
    for n in (38, 39, 40):
        assert render(did(session, n), "en") in history.app.asked.detail
    assert history.app.desk.session is session


def test_the_line_that_was_touched_is_told_even_if_there_are_too_many(history):
    session = history.app.desk.session
    history.tap("line-30")
    told = history.app.asked.detail.splitlines()
    assert told[-1].endswith(render(did(session, 30), "en"))
    missing = len(session.moments) - 30 - (len(told) - 1)
    assert f"and {missing} more" in history.app.asked.detail


def test_undo_to_a_point_and_redo(history):
    whole = history.app.desk.session
    history.tap("line-35")
    history.tap("choice-0")
    session = history.app.desk.session
    assert session.state == whole.moments[34].state
    assert session.last.deed == Undone(len(whole.moments) - 35)
    assert lines(history)[0] == 34
    assert render(did(whole, 35), "en") in history.words()
    history.tap("redo")
    assert history.app.desk.session.state == whole.moments[35].state
    history.tap("redo-all")
    assert history.app.desk.session.state == whole.state
    assert "redo-all" not in history.taps()
    assert history.taps()["redo"].on_tap is None


def test_undo_and_redo_stand_beside_each_other(history):
    whole = history.app.desk.session
    undo, redo = history.taps()["undo"], history.taps()["redo"]
    assert undo.y == redo.y
    assert undo.right < redo.x
    history.tap("undo")
    history.tap("choice-0")
    assert history.app.desk.session.state == whole.moments[whole.deeds()[-1][0] - 1].state
    history.tap("redo")
    assert history.app.desk.session.state == whole.state


def test_stepping_one_counter_is_one_line(history):
    desk = history.app.desk
    for value in (3, 4, 5):
        desk.correct("chips:0", value, by="Bartek")
        history.settle()
    desk.correct("hand:0", 2, by="Bartek")
    history.settle()
    session = desk.session
    last = len(session.moments) - 1
    assert lines(history)[:2] == [last, last - 3]
    assert render(did(session, last - 1), "en") in history.words()
    assert render(did(session, last - 2), "en") not in history.words()
    history.tap(f"line-{last - 3}")
    history.tap("choice-0")
    assert desk.session.state == session.moments[last - 4].state


def test_one_can_think_better_of_it(history):
    before = history.app.desk.session
    history.tap("line-35")
    history.tap("choice-1")
    assert history.app.asked is None
    assert history.app.desk.session is before


def test_before_the_first_answer_it_says_so(rehearsal):
    rehearsal.play("race", ("Ania", "Bartek"))
    rehearsal.app.go("history")
    assert "Nothing has been answered yet." in rehearsal.words()


def test_a_long_play_opens_as_quickly_as_a_short_one(rehearsal):
    """The lines of one page are all that is built: no more sentences are asked for than are shown."""
    rehearsal.play("race", ("Ania", "Bartek", "Celina", "Darek"), answers=120, seed=3)
    asked = []
    session = type(rehearsal.app.desk.session)
    whole = session.sentence
    session.sentence = lambda self, n, *more: (asked.append(n), whole(self, n, *more))[1]
    try:
        rehearsal.app.go("history")
    finally:
        session.sentence = whole
    assert len(asked) <= PAGE


def test_the_time_is_that_of_the_wall_clock():
    at = 1_800_000_000.0
    assert clock_time(at) == time.strftime("%H:%M", time.localtime(at))


def test_deeds_are_told_not_questions(history):
    """Who chose what; nobody wants to read the question again."""
    session = history.app.desk.session
    told = [render(did(session, n), "en") for n in range(1, len(session.moments))]
    asked = [line for line in told if "?" in line]
    assert len(asked) < len(told) / 4, asked
