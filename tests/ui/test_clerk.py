"""Whoever writes things down, in a thread of his own."""

import threading

import pytest

from companion.core.words import plain
from companion.errors import NotNow
from companion.table.clerk import Clerk


@pytest.fixture
def posted():
    return []


@pytest.fixture
def clerk(tmp_path, posted):
    clerk = Clerk(tmp_path / "journal.db", posted.append)
    yield clerk
    clerk.stop()


def never(_):
    raise AssertionError


def test_a_job_is_done_in_another_thread_and_its_outcome_brought_back(clerk, posted):
    told = []
    clerk.do(lambda journal, binder: threading.current_thread().name, told.append, never)
    clerk.settle()
    assert told == []  # not before the screen's thread has time for it
    for job in posted:
        job()
    assert told == ["clerk"]


def test_asking_does_not_wait(clerk, posted):
    goes_on = threading.Event()
    clerk.do(lambda journal, binder: goes_on.wait(10), lambda _: None, never)
    clerk.do(lambda journal, binder: "second", lambda _: None, never)
    assert posted == []
    goes_on.set()
    clerk.settle()
    assert len(posted) == 2


def test_jobs_are_done_one_after_another(clerk, posted):
    done = []
    for n in range(20):
        clerk.do(lambda journal, binder, n=n: done.append(n), lambda _: None, never)
    clerk.settle()
    assert done == list(range(20))


def test_trouble_goes_to_who_asked(clerk, posted):
    def job(journal, binder):
        raise NotNow(plain("not now"))

    told = []
    clerk.do(job, never, told.append)
    clerk.do(lambda journal, binder: journal.plays(), told.append, never)
    clerk.settle()
    for outcome in posted:
        outcome()
    assert isinstance(told[0], NotNow)
    assert told[1] == ()


def test_a_bug_is_raised_where_the_screen_can_say_so(clerk, posted):
    clerk.do(lambda journal, binder: 1 // 0, never, never)
    clerk.settle()
    with pytest.raises(ZeroDivisionError):
        posted[0]()


def test_stopping_finishes_what_was_asked_for(tmp_path):
    done = []
    clerk = Clerk(tmp_path / "journal.db", lambda job: None)
    for n in range(5):
        clerk.do(lambda journal, binder, n=n: done.append(n), never, never)
    clerk.stop()
    assert done == [0, 1, 2, 3, 4]
