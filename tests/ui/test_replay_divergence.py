"""Plays recorded under rules that have since been corrected, in the window."""

import pytest

from companion.core.entries import Diverged, decode_entry
from companion.core.journal import Journal
from companion.core.store import Store
from companion.core.words import say
from companion.texts import LANGUAGES, render
from tests.corrected_rules import another_count, one_more_chip
from workshop.screens.checks import problems


@pytest.fixture
def plays(rehearsal):
    """A play that is over, and one in its middle; the list of plays is shown."""
    rehearsal.play("race", ("Ania", "Bartek"), 5, seed=5)
    rehearsal.play_until(lambda session: session.over)
    rehearsal.play("race", ("Ewa", "Filip"))
    rehearsal.play_until(lambda session: session.state.round == 3)
    return rehearsal


def open_plays(rehearsal, language="en"):
    rehearsal.change(language=language)
    rehearsal.app.home()
    rehearsal.app.desk.leave()
    rehearsal.settle()
    rehearsal.tap("plays")
    rehearsal.settle()


def diverged_at(session):
    """The answer that began the second round."""
    return next(n for n, moment in enumerate(session.moments) if moment.state.round == 2)


def entries(rehearsal, play):
    with Store(rehearsal.app.folder / "journal.db") as store:
        return [decode_entry(row.body) for row in Journal(store).entries(play)]


def test_nothing_is_marked_while_the_rules_are_the_same(plays):
    open_plays(plays)
    assert "running" in plays.words()
    assert not any("by other rules" in words for words in plays.words())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_marks_both_kinds(plays, monkeypatch, language):
    one_more_chip(monkeypatch)
    open_plays(plays, language)
    for state in ("ui.plays-over", "ui.plays-running"):
        assert render(say("ui.play-diverged", state=say(state)), language) in plays.words()


def test_what_agrees_is_not_marked(plays, monkeypatch):
    another_count(monkeypatch)
    open_plays(plays)
    assert "over, by other rules" in plays.words()
    assert "running" in plays.words()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finished_play_shows_the_result_it_had(plays, monkeypatch, language):
    with Store(plays.app.folder / "journal.db") as store:
        kept = decode_entry(Journal(store).entries(1)[-1].body).sheet
    before = entries(plays, 1)
    another_count(monkeypatch)
    open_plays(plays, language)
    plays.tap("play-1")
    plays.settle()
    plays.settle_beside()
    assert plays.app.screen.name == "evening"
    assert plays.app.screen.one.sheet == kept
    assert render(say("core.counted-otherwise"), language) in plays.words()
    assert {f"{seat.name} {seat.total}" for seat in kept.seats} <= set(plays.words())
    plays.tap("sheet")
    assert plays.app.screen.sheet == kept
    plays.app.back()
    plays.app.back()
    plays.settle()
    assert plays.app.screen.name == "plays"
    assert entries(plays, 1) == before


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unfinished_play_asks_and_goes_on_from_where_both_agree(plays, monkeypatch, language):
    session = plays.app.desk.session
    answer = diverged_at(session)
    one_more_chip(monkeypatch)
    open_plays(plays, language)
    plays.tap("play-2")
    plays.settle()
    assert plays.app.screen.name == "plays"
    assert render(say("core.diverged", n=answer), language) in plays.words()
    assert render(say("ui.diverged-detail"), language) in plays.words()
    assert len(entries(plays, 2)) == session.entries
    plays.app.front.choose_first()
    plays.settle()
    assert plays.app.screen.name == "table"
    assert plays.app.desk.session.state == session.moments[answer - 1].state
    assert entries(plays, 2)[session.entries].deed == Diverged(answer - 1, session.entries)
    assert not plays.app.desk.session.paused
    plays.app.desk.undo(1)
    plays.settle()
    assert plays.app.desk.session.state == session.moments[answer - 2].state
    open_plays(plays, language)
    plays.tap("play-2")
    plays.settle()
    assert plays.app.asked is None
    assert plays.app.screen.name == "table"
    assert plays.app.desk.session.state == session.moments[answer - 2].state


def test_an_unfinished_play_may_be_left_as_it_is(plays, monkeypatch):
    before = entries(plays, 2)
    one_more_chip(monkeypatch)
    open_plays(plays)
    plays.tap("play-2")
    plays.settle()
    plays.app.asked.choices[1][1]()
    plays.app.dismiss()
    plays.settle()
    assert plays.app.screen.name == "plays"
    assert plays.app.desk.play is None
    assert entries(plays, 2) == before


@pytest.mark.parametrize("text_size", [80, 100, 150])
def test_the_list_the_question_and_the_note_fit(plays, monkeypatch, tmp_path, text_size):
    one_more_chip(monkeypatch)
    plays.change(text_size=text_size)
    open_plays(plays, "pl")
    picture = tmp_path / "diverged.png"
    for tap in ("", "play-2", "play-1"):
        if tap:
            plays.tap(tap)
            plays.settle()
        plays.frames(30)
        plays.shoot(picture)
        assert problems(plays.app, picture) == [], tap
        plays.app.dismiss()
