"""The desk behind the screens, without a screen: plays, deeds and settings. Signals are in test_signal_intake.py."""

import threading

from companion.core.play import Play
from companion.core.questions import Answer
from companion.table import settings as settings_file
from companion.table.desk import NoPlay
from companion.table.settings import Person, Settings
from companion.table.signals import PlayNow
from tests.table.desks import RACE, SETUP


def test_a_play_begins_when_it_is_written_down(table):
    table.desk.start(RACE, SETUP)
    assert table.desk.play is None
    table.settle()
    assert [begun.id for begun in table.begun] == [1]


def test_a_deed_is_done_off_the_screens_thread(playing, monkeypatch):
    threads = []
    usual = Play.answer
    monkeypatch.setattr(
        Play, "answer", lambda *given: (threads.append(threading.current_thread().name), usual(*given))[1]
    )
    playing.desk.propose(playing.first())
    playing.settle()
    assert threads == ["clerk"]
    assert playing.desk.session.entries == 1
    assert len(playing.outcomes) == 1


def test_a_late_second_tap_is_refused_and_changes_nothing(playing):
    answer = playing.first()
    playing.desk.propose(answer)
    playing.desk.propose(answer)  # a trembling finger
    playing.settle()
    assert playing.desk.session.entries == 1
    assert playing.told == []
    playing.desk.propose(answer)
    playing.settle()
    assert playing.desk.session.entries == 1
    assert [how for _, how in playing.told] == ["refused"]


def test_undo_and_redo(playing):
    before = playing.desk.session.state
    playing.desk.propose(playing.first())
    playing.settle()
    after = playing.desk.session.state
    playing.desk.undo(1)
    playing.settle()
    assert playing.desk.session.state == before
    assert playing.desk.news == ()
    playing.desk.redo(1)
    playing.settle()
    assert playing.desk.session.state == after


def test_a_deed_of_a_play_that_was_left_does_not_come_back(playing):
    playing.desk.propose(playing.first())
    playing.desk.leave()
    playing.settle()
    assert playing.desk.play is None
    playing.desk.propose(Answer(0, "x", "y"))
    playing.settle()
    playing.desk.resume(1)
    playing.settle()
    assert [m.entry.at for m in playing.desk.session.moments if m.entry] == [100.0]


def test_settings_are_kept(table, tmp_path):
    table.desk.change(theme="light", text_size=120)
    table.settle()
    assert settings_file.load(tmp_path / "settings.json").theme == "light"
    assert table.changes == 1


def test_people_are_remembered_the_latest_first(table):
    table.desk.remember((Person("Ania", 1), Person("Bartek", 2)))
    table.desk.remember((Person("Bartek", 3),))
    assert [(p.name, p.look) for p in table.desk.settings.people] == [("Bartek", 3), ("Ania", 1)]


def test_a_play_that_is_not_over_is_gone_on_with(playing):
    playing.desk.leave()
    playing.settle()
    assert playing.desk.running.id == 1  # nobody has answered anything yet: perhaps the disk was full
    playing.desk.resume(1)
    playing.settle()
    playing.desk.propose(playing.first())
    playing.desk.leave()
    playing.settle()
    assert playing.desk.running.id == 1


def test_listeners_that_cannot_wait_for_the_screen_are_told_in_order(table):
    table.desk.start(RACE, SETUP)
    table.desk.change(counter="phase")
    table.settle()
    table.desk.propose(table.first())
    table.desk.leave()
    table.desk.clerk.settle()  # the screen has had no time yet
    kinds = [type(event) for event in table.at_once]
    assert kinds.index(PlayNow) < kinds.index(NoPlay)
    assert Settings in kinds
    assert kinds[-2:] == [type(table.at_once[-2]), NoPlay]
    assert table.at_once[-2].session.entries == 1


def test_a_new_listener_is_told_the_current_state(playing):
    heard = []
    playing.desk.listen_at_once(heard.append)
    assert heard == [playing.desk.settings, playing.desk.play]
