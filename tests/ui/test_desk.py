"""The desk behind the screens, without any screen."""

import threading

import pytest

from companion.core.game import Setup, games
from companion.core.play import Play
from companion.core.questions import Answer
from companion.core.session import Session
from companion.core.understand import Press, Sighted
from companion.table import settings as settings_file
from companion.table.clerk import Clerk
from companion.table.desk import Desk
from companion.table.settings import Person

RACE = games()["race"]
SETUP = Setup("race", ("Ania", "Bartek"))


class Table:
    """A desk whose clerk's outcomes are brought back when we say so, and everything it told."""

    def __init__(self, folder) -> None:
        self.posted, self.told, self.offered, self.changes = [], [], [], 0
        self.now = 100.0
        self.desk = Desk(
            Clerk(folder / "journal.db", self.posted.append), folder / "settings.json", lambda: self.now
        )
        self.desk.tell = lambda text, how: self.told.append((text.key, how))
        self.desk.offer = self.offered.append
        self.desk.changed = self._changed

    def _changed(self) -> None:
        self.changes += 1

    def settle(self) -> None:
        self.desk.clerk.settle()
        while self.posted:
            self.posted.pop(0)()
            self.desk.clerk.settle()

    def question(self):
        return self.desk.session.questions()[0]

    def first(self) -> Answer:
        question = self.question()
        return Answer(question.seat, question.slug, question.options[0].id)


@pytest.fixture
def table(tmp_path):
    table = Table(tmp_path)
    yield table
    table.desk.clerk.stop()


@pytest.fixture
def playing(table):
    table.desk.start(RACE, SETUP)
    table.settle()
    return table


def test_a_play_begins_when_it_is_written_down(table):
    begun = []
    table.desk.began = lambda: begun.append(table.desk.play.id)
    table.desk.start(RACE, SETUP)
    assert table.desk.play is None
    table.settle()
    assert begun == [1]


def test_a_deed_is_done_off_the_screens_thread(playing, monkeypatch):
    threads = []
    usual = Play.answer
    monkeypatch.setattr(
        Play, "answer", lambda *given: (threads.append(threading.current_thread().name), usual(*given))[1]
    )
    playing.desk.answer(playing.first())
    playing.settle()
    assert threads == ["clerk"]
    assert playing.desk.session.entries == 1
    assert playing.changes == 1


def test_a_late_second_tap_is_refused_and_changes_nothing(playing):
    answer = playing.first()
    playing.desk.answer(answer)
    playing.desk.answer(answer)  # a trembling finger
    playing.settle()
    assert playing.desk.session.entries == 1
    assert playing.told == []
    playing.desk.answer(answer)
    playing.settle()
    assert playing.desk.session.entries == 1
    assert [how for _, how in playing.told] == ["refused"]


def test_trouble_with_the_journal_is_told_and_the_play_is_as_it_was(playing, monkeypatch):
    from companion.core.words import plain
    from companion.errors import StorageTrouble

    def full(*_, **__):
        raise StorageTrouble(plain("The disk is full."))

    monkeypatch.setattr("companion.core.journal.Journal.append", full)
    before = playing.desk.session
    playing.desk.answer(playing.first())
    playing.settle()
    assert playing.desk.session is before
    assert playing.told == [("core.plain", "refused")]


def test_undo_and_redo(playing):
    before = playing.desk.session.state
    playing.desk.answer(playing.first())
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
    playing.desk.answer(playing.first())
    playing.desk.leave()
    playing.settle()
    assert playing.desk.play is None
    playing.desk.answer(Answer(0, "x", "y"))
    playing.settle()
    playing.desk.resume(1)
    playing.settle()
    assert [m.entry.at for m in playing.desk.session.moments if m.entry] == [100.0]


def test_a_scan_that_answers_is_echoed_by_name(playing):
    question = playing.question()
    assert not question.secret
    assert playing.desk.signal(Sighted(question.options[0].component, question.seat)) == "accepted"
    playing.settle()
    assert playing.told == [("ui.read", "accepted")]
    assert playing.desk.session.entries == 1


def test_a_secret_card_is_not_named(playing):
    while not all(question.secret for question in playing.desk.session.questions()):
        playing.desk.answer(playing.first())
        playing.settle()
    question = next(q for q in playing.desk.session.questions())
    option = next(o for o in question.options if o.component is not None)
    assert playing.desk.signal(Sighted(option.component, question.seat)) == "accepted"
    assert playing.told[-1] == ("ui.got-it", "accepted")


def test_what_means_nothing_now_is_refused_with_its_reason(playing):
    seat = playing.question().seat
    assert playing.desk.signal(Press(1 - seat)) == "refused"
    assert playing.told[-1][1] == "refused"
    playing.settle()
    assert playing.desk.session.entries == 0


def test_settings_are_kept(table, tmp_path):
    table.desk.change(theme="light", text_size=120)
    table.settle()
    assert settings_file.load(tmp_path / "settings.json").theme == "light"
    assert table.changes == 1


def test_people_are_remembered_the_latest_first(table):
    table.desk.remember((Person("Ania", 1), Person("Bartek", 2)))
    table.desk.remember((Person("Bartek", 3),))
    assert [(p.name, p.look) for p in table.desk.settings.people] == [("Bartek", 3), ("Ania", 1)]


def test_only_a_play_that_began_and_is_not_over_is_gone_on_with(playing):
    playing.desk.leave()
    playing.settle()
    assert playing.desk.running is None  # nobody has answered anything yet
    playing.desk.resume(1)
    playing.settle()
    playing.desk.answer(playing.first())
    playing.desk.leave()
    playing.settle()
    assert playing.desk.running.id == 1


def test_rules_think_about_questions_in_the_clerks_thread(rehearsal, monkeypatch):
    rehearsal.play("race", ("Ania", "Bartek"), answers=3, seed=3)
    thinking, asked = [], Session.questions

    def questions(session):
        thinking.append(threading.current_thread())
        return asked(session)

    monkeypatch.setattr(Session, "questions", questions)
    rehearsal.play_on(1)
    assert thinking
    assert threading.main_thread() not in thinking
